"""OpenDocument spreadsheets through odfpy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from curator_gui.store.readers.excel import duration_text
from curator_gui.store.readers.sheet import Cell, GridRow, Merge, Workbook

_DURATION = re.compile(r"PT(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:[.,][0-9]+)?S)?")
_MOST_BLANK = 1 << 14  # repeats of nothing that reach to the end of the sheet
_LEADING_ZERO = re.compile(r"0[0-9]+(?:[ \-./][0-9]+)*")


@contextmanager
def opened_ods(path: Path) -> Iterator[Workbook]:
    """An .ods file."""
    import odf.opendocument  # heavy: only when a workbook is read

    yield _Ods(odf.opendocument.load(str(path)))


class _Ods:
    def __init__(self, document: Any) -> None:
        from odf.table import Table  # heavy: only when a workbook is read

        self._tables = {t.getAttribute("name"): t for t in document.getElementsByType(Table)}
        self._merges: dict[str, list[Merge]] = {}

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(self._tables)

    def rows(self, sheet: str) -> Iterator[GridRow]:
        blank = 0
        for row, repeats, _ in self._expanded(sheet):
            if not any(row):
                blank += min(repeats, _MOST_BLANK)
                continue
            yield from ([] for _ in range(blank))
            blank = 0
            yield from (row for _ in range(repeats))

    def merges(self, sheet: str) -> Sequence[Merge]:
        number, found = 1, []
        for _, repeats, spans in self._expanded(sheet):
            found += [
                Merge(number, left, number + down - 1, left + across - 1) for left, down, across in spans
            ]
            number += repeats
        return found

    def notes(self, sheet: str) -> Sequence[str]:
        del sheet  # there is nothing to say of any
        return ()

    def _expanded(self, sheet: str) -> Iterator[tuple[list[Cell | None], int, list[tuple[int, int, int]]]]:
        """(cells, how often the row is repeated, merged cells as (column, rows, columns)) of each row."""
        from odf.table import TableRow  # heavy: only when a workbook is read

        for row in self._tables[sheet].getElementsByType(TableRow):
            cells: list[Cell | None] = []
            spans = []
            for cell in row.childNodes:
                if getattr(cell, "qname", ("", ""))[1] not in ("table-cell", "covered-table-cell"):
                    continue
                across = int(cell.getAttribute("numbercolumnsspanned") or 1)
                down = int(cell.getAttribute("numberrowsspanned") or 1)
                if across * down > 1:
                    spans.append((len(cells) + 1, down, across))
                found = _cell(cell)
                repeats = int(cell.getAttribute("numbercolumnsrepeated") or 1)
                cells += [found] * (repeats if found else min(repeats, _MOST_BLANK))
            while cells and cells[-1] is None:
                cells.pop()
            yield cells, int(row.getAttribute("numberrowsrepeated") or 1), spans


def _cell(cell: Any) -> Cell | None:
    kind = cell.getAttribute("valuetype")
    shown = "\n".join(_text(p) for p in cell.childNodes if getattr(p, "qname", ("", ""))[1] == "p")
    if kind in ("float", "percentage", "currency"):
        # The digits that are shown may be rounded, but zeros before them are there on purpose.
        number = str(cell.getAttribute("value"))
        return Cell(shown if _LEADING_ZERO.fullmatch(shown) else number, True)
    if kind == "date":
        return Cell(str(cell.getAttribute("datevalue")).replace("T", " ").removesuffix(" 00:00:00"), True)
    if kind == "time":
        return Cell(_duration(str(cell.getAttribute("timevalue"))) or shown, True)
    if kind == "boolean":
        return Cell(str(cell.getAttribute("booleanvalue")).upper(), True)
    return Cell(shown, False) if shown or kind == "string" else None


def _duration(value: str) -> str | None:
    match = _DURATION.fullmatch(value)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return duration_text(timedelta(hours=hours, minutes=minutes, seconds=seconds))


def _text(node: Any) -> str:
    """The text of a paragraph, its blanks, tabs and line breaks spelled out."""
    pieces = []
    for child in node.childNodes:
        if child.nodeType == child.TEXT_NODE:
            pieces.append(str(child.data))
            continue
        name = getattr(child, "qname", ("", ""))[1]
        if name == "s":
            pieces.append(" " * int(child.getAttribute("c") or 1))
        elif name in ("tab", "line-break"):
            pieces.append("\t" if name == "tab" else "\n")
        elif name not in ("annotation", "note"):
            pieces.append(_text(child))
    return "".join(pieces)
