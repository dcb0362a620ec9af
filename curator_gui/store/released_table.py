"""The table of a release: which rows in which order, and how its cells are spelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import ColumnType, code_dtype
from curator_gui.store.files import TemporaryFile, write_error
from curator_gui.store.read_back import WRITTEN
from curator_gui.store.readers import CsvDialect, Reader
from curator_gui.store.readers.library import sha256_of
from curator_gui.store.spelling import Labels, Spelling
from curator_gui.store.writers import Format, OutColumn, formula_labels, neutral, write_table

_AT_ONCE = 1 << 13  # texts sorted in one call


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """What is written. spelled: for each column, the texts of its classes. neutralized: cells, by column."""

    format: Format
    dialect: CsvDialect
    order: NDArray[np.int64]
    columns: Sequence[OutColumn]
    spelled: Sequence[Sequence[str | None]]
    neutralized: Mapping[str, int]
    labels: Labels

    @classmethod
    def of(
        cls,
        prefix: Prefix,
        format: Format,
        dialect: CsvDialect,
        names: Mapping[str, str],
        *,
        spelling: Spelling,
        keep_order: bool,
        progress: Progress = silent,
    ) -> ReleasedTable:
        if dialect.encoding in ("utf-8", "utf-8-sig"):
            dialect = replace(dialect, encoding="utf-8-sig" if spelling.byte_order_mark else "utf-8")
        order = np.flatnonzero(prefix.present)
        if not keep_order:
            order = order[_sorted_by_released_values(prefix, order, progress)]
        delimited = format in ("csv", "tsv")
        spelled = [spelling.of(s, delimited=delimited) for s in prefix.shown]
        safe = spelling.for_spreadsheet
        neutralized = spelling.neutralized(prefix.shown, order) if safe and delimited else {}
        columns = [
            OutColumn(
                _neutral_name(names[s.name]) if safe else names[s.name],
                s.coarsening.codes[s.column.codes[order]],
                texts,
                s.column.type,
                spelling.labelled(s),
            )
            for s, texts in zip(prefix.shown, spelled, strict=True)
        ]
        return cls(format, dialect, order, columns, spelled, neutralized, spelling.labels)

    def write(self, table: TemporaryFile, path: Path, progress: Progress) -> tuple[Reader, str]:
        """Write what will be at ``path``; how it is read back, and the hash of what was written."""
        try:
            reader = write_table(
                table.path,
                self.format,
                self.columns,
                self.dialect,
                progress=lambda done, what: progress(done * WRITTEN, what),
            )
            sha256 = sha256_of(table.path)
            table.prepare(mode=0o644)
        except OSError as error:
            raise write_error(path, error) from None
        return reader, sha256


def _neutral_name(name: str) -> str:
    return neutral(name) if formula_labels([name], ColumnType())[0] else name


def _sorted_by_released_values(
    prefix: Prefix, rows: NDArray[np.int64], progress: Progress
) -> NDArray[np.int64]:
    """The order of the rows by their released texts, missing first, column by column."""
    keys = []
    for shown in prefix.shown:
        progress(0.0, "Sorting the rows")
        labels = shown.coarsening.labels
        rank = np.empty(len(labels), code_dtype(len(labels)))
        rank[np.fromiter(_by_text(labels, progress), np.int64, len(labels))] = np.arange(len(labels))
        keys.append(rank[shown.coarsening.codes][shown.column.codes[rows]])
    order = np.arange(len(rows))
    for key in reversed(keys):  # np.lexsort would do the same in one call that no other thread can interrupt
        progress(0.0, "Sorting the rows")
        order = order[np.argsort(key[order], kind="stable")]
    return order


def _by_text(labels: Sequence[str | None], progress: Progress) -> Iterator[int]:
    """Places of the labels in the order of their texts, missing first.

    Sorted some thousand at a time and merged: one call on a million texts would keep every other thread, the
    window's too, from the interpreter for seconds.
    """

    def text(place: int) -> str:
        return labels[place] or ""

    yield from (place for place, label in enumerate(labels) if label is None)
    others = [place for place, label in enumerate(labels) if label is not None]
    pieces = [sorted(others[i : i + _AT_ONCE], key=text) for i in range(0, len(others), _AT_ONCE)]
    merged = merge(*pieces, key=text)
    while some := list(islice(merged, _AT_ONCE)):
        progress(0.0, "Sorting the rows")
        yield from some
