"""Milliseconds a frame while scrolling a table of 10 000 000 rows by 12 columns at 1600×900, offscreen.

Run by hand: QT_QPA_PLATFORM=offscreen python tests/benchmarks/scroll.py
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

import numpy as np
from PySide6.QtWidgets import QApplication

from curator_gui.core.operators import Delete, Generalize, Plan, Project
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.preparation import Prefix, Source
from curator_gui.core.table import Column, ColumnType, Table, as_objects, code_dtype
from curator_gui.core.view import Prefix as FirstCharacters
from curator_gui.gui.models.table import TableModel
from curator_gui.gui.sheet import Sheet, difference_sheet, prepared_sheet, source_sheet
from curator_gui.gui.table_view import TableView

ROWS = 10_000_000
DISTINCT = (5, 100, 1000, 50, 2, 7, 30, 100_000, 12, 90, 3, 20)
FRAMES = 60


def table(rows: int) -> Table:
    generator = np.random.default_rng(1)
    columns = []
    for j, distinct in enumerate(DISTINCT):
        codes = generator.integers(0, distinct, rows).astype(code_dtype(distinct))
        values = as_objects([f"value {i}" if j % 2 else str(i) for i in range(distinct)])
        columns.append(Column(f"column {j}", codes, values, ColumnType("text" if j % 2 else "integer")))
    return Table.of(columns)


def prepared(rows: int) -> Prefix:
    plan: Plan = (
        Project(("column 4",)),
        Generalize("column 2", FirstCharacters(1)),
        Delete(parse_predicate('"column 0" = 3')),
    )
    return Source(table(rows)).prefixes(plan)[-1]


def frames(view: TableView, application: QApplication) -> Iterator[tuple[float, float]]:
    """Wall-clock and processor milliseconds from the scroll bar's move to the last pixel on the screen."""
    bar = view.verticalScrollBar()
    for i in range(FRAMES):
        started, worked = time.perf_counter(), time.process_time()
        bar.setValue(bar.maximum() * i // FRAMES + i)
        application.processEvents()
        yield 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - worked)


def measure(name: str, sheet: Sheet, application: QApplication) -> None:
    view, model = TableView(), TableModel()
    view.setModel(model)
    started = time.perf_counter()
    model.show(sheet)
    view.resize(1600, 900)
    view.show()
    application.processEvents()
    opened = 1000 * (time.perf_counter() - started)
    times = list(frames(view, application))
    wall, worked = sorted(t for t, _ in times), [t for _, t in times]
    print(
        f"{name:10}  open {opened:6.0f} ms  frame: median {statistics.median(wall):5.1f} ms, "
        f"95 % {wall[int(0.95 * len(wall))]:5.1f} ms; processor {statistics.median(worked):5.1f} ms"
    )
    view.close()


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    application = QApplication([])
    prefix = prepared(rows)
    for name, sheet_of in (
        ("before", source_sheet),
        ("after", prepared_sheet),
        ("difference", difference_sheet),
    ):
        measure(name, sheet_of(prefix), application)


if __name__ == "__main__":
    main()
