"""What the table shows: the source, the table as prepared, or the difference. Rows and cells, no Qt.

A position is a line on screen, from 0; a row is a source row, from 0. Sorting changes positions alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Column, as_objects
from curator_gui.gui.figures import ranks

Kind = Literal["before", "after", "difference"]
Texts = list[str | None]

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class SheetColumn:
    """A column on screen. ``shown``: as prepared; None in a source, and where it was dropped."""

    source: Column
    shown: Shown | None

    @property
    def name(self) -> str:
        return self.source.name

    def before(self, rows: NDArray[np.int64]) -> Texts:
        """The source's cells; None is missing."""
        cells: Texts = self.source.values[self.source.codes[rows]].tolist()
        return cells

    def after(self, rows: NDArray[np.int64]) -> Texts:
        """The cells as prepared; those of a dropped column are as in the source."""
        if self.shown is None:
            return self.before(rows)
        cells: Texts = self._labels[self.shown.coarsening.codes[self.shown.column.codes[rows]]].tolist()
        return cells

    @cached_property
    def _labels(self) -> NDArray[np.object_]:
        assert self.shown is not None
        return as_objects(self.shown.coarsening.labels)

    @cached_property
    def order_before(self) -> NDArray[np.int64]:
        return ranks(self.source)

    @cached_property
    def order_after(self) -> NDArray[np.int64]:
        """[distinct values of the shown column] the place of each value's class."""
        assert self.shown is not None
        coarsening, column = self.shown.coarsening, self.shown.column
        first = np.full(len(coarsening.labels), np.iinfo(np.int64).max)
        np.minimum.at(first, coarsening.codes, ranks(column))
        return np.argsort(np.argsort(first, kind="stable"), kind="stable")[coarsening.codes]


@dataclass(frozen=True, eq=False)
class Sheet:
    """One of the three readings. ``rows``: the source row of each position, None where they are the same.

    removed: [source rows] True where the row is no longer present; only in a difference.
    """

    kind: Kind
    columns: tuple[SheetColumn, ...]
    height: int
    rows: NDArray[np.int64] | None = None
    removed: NDArray[np.bool_] | None = None

    @cached_property
    def _kept(self) -> NDArray[np.int64] | None:
        """The rows in the order of the source."""
        return None if self.rows is None else np.sort(self.rows)

    def rows_at(self, first: int, last: int) -> NDArray[np.int64]:
        """The source rows of the positions from ``first`` up to but not ``last``."""
        return np.arange(first, last) if self.rows is None else self.rows[first:last]

    def position_of(self, row: int) -> int | None:
        """Where a source row stands; None where it is not shown."""
        if self.rows is None:
            return row if 0 <= row < self.height else None
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else None

    def next_of(self, rows: NDArray[np.int64], position: int) -> int | None:
        """The next position below, or around the end, that shows one of these source rows."""
        at = np.sort(rows) if self.rows is None else np.flatnonzero(np.isin(self.rows, rows))
        if not len(at):
            return None
        below = at[at > position]
        return int(below[0] if len(below) else at[0])

    def texts(self, column: int, rows: NDArray[np.int64]) -> Texts:
        """The cells to show, in a difference as they were; None is missing."""
        of = self.columns[column]
        return of.after(rows) if self.kind == "after" else of.before(rows)

    def changes(self, column: int, rows: NDArray[np.int64]) -> list[tuple[str | None, str | None] | None]:
        """For each row, the cell before and after where a difference shows a change there, else None."""
        of = self.columns[column]
        if self.kind != "difference" or of.shown is None:
            return [None] * len(rows)
        pairs = zip(of.before(rows), of.after(rows), self.removed_at(rows), strict=True)
        return [None if gone or b == a else (b, a) for b, a, gone in pairs]

    def is_dropped(self, column: int) -> bool:
        return self.columns[column].shown is None and self.kind == "difference"

    def removed_at(self, rows: NDArray[np.int64]) -> list[bool]:
        return [False] * len(rows) if self.removed is None else self.removed[rows].tolist()

    def lines(self, positions: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Cells as text, a line a position, parted by tabs, as spreadsheets take them; missing is empty."""
        rows = np.concatenate([self.rows_at(p, p + 1) for p in positions]) if len(positions) else np.array([])
        cells = [[_pasted(t) for t in self.displayed(c, rows.astype(np.int64))] for c in columns]
        for line in zip(*cells, strict=True):
            yield "\t".join(line)

    def displayed(self, column: int, rows: NDArray[np.int64]) -> list[str]:
        """The cells as one text each, a change as "64 → [60, 70)"; missing is empty."""
        changes, texts = self.changes(column, rows), self.texts(column, rows)
        return [
            (t or "") if c is None else f"{c[0] or ''} → {c[1] or ''}"
            for t, c in zip(texts, changes, strict=True)
        ]

    # Sorting

    def sorted_by(self, column: int | None, descending: bool = False) -> Sheet:
        """The same rows in the order of a column's values; in the order of the source without one.

        Stable; missing values come last either way.
        """
        kept = self._kept
        if column is None:
            return replace(self, rows=kept)
        key = self._sort_key(column, kept, descending)
        order = np.argsort(key, kind="stable")
        return replace(self, rows=order if kept is None else kept[order])

    def _sort_key(self, column: int, kept: NDArray[np.int64] | None, descending: bool) -> NDArray[Any]:
        of = self.columns[column]
        if self.kind == "before" or of.shown is None:
            place, codes, missing = of.order_before, of.source.codes, of.source.missing
        else:
            place, codes = of.order_after, of.shown.column.codes
            labels = of.shown.coarsening.labels
            missing = np.fromiter((x is None for x in labels), np.bool_, len(labels))[
                of.shown.coarsening.codes
            ]
        place = np.where(missing, len(place) + 1, len(place) - place if descending else place)
        narrow = place.astype(np.min_scalar_type(len(place) + 2))  # narrow keys are sorted by radix
        key: NDArray[Any] = narrow[codes if kept is None else codes[kept]]
        return key

    # Finding

    def search(self, needle: str) -> Search:
        """Where a text occurs, whatever the case of its letters."""
        return Search(self, needle, tuple(_hits(self.kind, c, needle.casefold()) for c in self.columns))


@dataclass(frozen=True, eq=False)
class _Hits:
    """Which distinct values of some cells hold the needle."""

    column: Column
    of_value: NDArray[np.bool_]

    @cached_property
    def any(self) -> bool:
        return bool(self.of_value.any())

    def at(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.of_value[self.column.codes[rows]]
        return found


@dataclass(frozen=True, eq=False)
class Search:
    """Cells of a sheet that hold a text; looked up on distinct values, so that the rows are only walked."""

    sheet: Sheet
    needle: str
    hits: tuple[tuple[_Hits, ...], ...]

    @property
    def is_hopeless(self) -> bool:
        """No value holds the text at all."""
        return not any(h.any for hits in self.hits for h in hits)

    def next(self, position: int, column: int, *, forwards: bool = True) -> tuple[int, int] | None:
        """The next cell (position, column), row by row and around the end; None where there is none."""
        if self.is_hopeless:
            return None
        width = len(self.hits)
        here = position * width + column
        for around in (False, True):
            for first, last in _blocks(position, self.sheet.height, forwards, around):
                keys = self._keys(first, last)
                beyond = keys > here if forwards else keys >= here
                keys = keys[beyond == (forwards != around)]
                if len(keys):
                    return divmod(int(keys[0 if forwards else -1]), width)
        return None

    def _keys(self, first: int, last: int) -> NDArray[np.int64]:
        rows = self.sheet.rows_at(first, last)
        found = [
            (np.flatnonzero(np.logical_or.reduce([h.at(rows) for h in hits if h.any])), column)
            for column, hits in enumerate(self.hits)
            if any(h.any for h in hits)
        ]
        width = len(self.hits)
        return np.sort(np.concatenate([(at + first) * width + column for at, column in found]))


def _pasted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in '\t\r\n"') else text


def _hits(kind: Kind, of: SheetColumn, needle: str) -> tuple[_Hits, ...]:
    before = _Hits(of.source, _holding(of.source.values.tolist(), needle))
    if kind == "before" or of.shown is None:
        return (before,)
    labels = _holding(of.shown.coarsening.labels, needle)
    after = _Hits(of.shown.column, labels[of.shown.coarsening.codes])
    return (after,) if kind == "after" else (before, after)


def _holding(texts: Sequence[str | None], needle: str) -> NDArray[np.bool_]:
    return np.fromiter((t is not None and needle in t.casefold() for t in texts), np.bool_, len(texts))


def _blocks(position: int, height: int, forwards: bool, around: bool) -> Iterator[tuple[int, int]]:
    """Stretches of positions from one on to the end of the table; then, around, those not yet looked at."""
    if forwards != around:
        yield from ((a, min(a + _BLOCK, height)) for a in _steps(position, height, forwards))
    else:
        yield from ((a, min(a + _BLOCK, position + 1)) for a in _steps(0, position + 1, forwards))


def _steps(first: int, last: int, forwards: bool) -> range:
    steps = range(first, last, _BLOCK)
    return steps if forwards else steps[::-1]


def source_sheet(prefix: Prefix) -> Sheet:
    """The source as opened."""
    table = prefix.source.table
    return Sheet("before", tuple(SheetColumn(c, None) for c in table.columns), table.rows)


def prepared_sheet(prefix: Prefix) -> Sheet:
    """The kept columns through their views, the present rows alone."""
    table = prefix.source.table
    rows = None if prefix.rows == table.rows else np.flatnonzero(prefix.present)
    columns = tuple(SheetColumn(table[s.name], s) for s in prefix.shown)
    return Sheet("after", columns, prefix.rows, rows)


def difference_sheet(prefix: Prefix) -> Sheet:
    """Everything of the source, with what the prefix changed, dropped and removed."""
    table = prefix.source.table
    shown = {s.name: s for s in prefix.shown}
    removed = None if prefix.rows == table.rows else ~prefix.present
    columns = tuple(SheetColumn(c, shown.get(c.name)) for c in table.columns)
    return Sheet("difference", columns, table.rows, None, removed)
