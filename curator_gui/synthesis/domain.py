"""Declared domains: which values a column may take, told without looking at its rows.

A column's codes count its values or bins from 0; then comes "other" (categories, unless closed), then missing
where declared. A run never refuses because of a row: what lies outside goes to "other" or to the nearest end
bin (numbers, dates); what cannot be read, or is not on a closed list, goes to missing where that is declared,
else to the first value or bin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError
from curator_gui.core.table import Column, ColumnType, Table, as_objects, code_dtype

Codes = NDArray[np.integer[Any]]
Provenance = Literal["typed", "imported", "proposed-from-data"]

OTHER = "other"


def other_than(values: Sequence[str]) -> str:
    """“other”, spelled so that it is none of the values."""
    other = OTHER
    while other in values:
        other += "…"
    return other


class ColumnDomain(Protocol):
    """What one column may hold. size: how many codes; encode and decode never fail for any cell or code."""

    @property
    def name(self) -> str: ...

    @property
    def provenance(self) -> Provenance: ...

    @property
    def size(self) -> int: ...

    def encode(self, column: Column) -> NDArray[np.int64]:
        """[rows] codes below ``size``."""
        ...

    def decode(self, codes: Codes, random: np.random.Generator) -> Column:
        """Cells as text (None for missing), drawn inside the bin where a code is a bin."""
        ...


@dataclass(frozen=True)
class Categories:
    """Listed values, then ``other``, the text that stands for all the rest, then missing if declared.

    other: None closes the list, so that nothing else is ever drawn.
    """

    name: str
    values: tuple[str, ...]
    missing: bool = True
    other: str | None = OTHER
    provenance: Provenance = "typed"

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values):
            raise InputError(f"The domain of “{self.name}” lists a value twice; list every value once.")
        if self.other is None and not self.values:
            raise InputError(f"The domain of “{self.name}” lists no value and admits no other; list one.")

    @property
    def size(self) -> int:
        return len(self._texts) + self.missing

    @property
    def _texts(self) -> tuple[str, ...]:
        return self.values if self.other is None else (*self.values, self.other)

    def encode(self, column: Column) -> NDArray[np.int64]:
        place: dict[str | None, int] = {v: i for i, v in enumerate(self.values)}
        missing = len(self._texts)
        rest = len(self.values)
        if self.missing:
            place[None] = missing
        if self.other is None:
            rest = missing if self.missing else 0
        return _by_code(column, [place.get(v, rest) for v in column.values])

    def decode(self, codes: Codes, random: np.random.Generator) -> Column:  # noqa: ARG002 - nothing to draw
        texts = self._texts
        return Column.of(self.name, [texts[c] if c < len(texts) else None for c in codes.tolist()])


@dataclass(frozen=True)
class NumberBins:
    """Bins [e0, e1), …, [ek-1, ek], the last one closed; then missing if declared.

    edges: strictly increasing. decimals: how many a drawn value has, 0 for integers. mark: the decimal mark.
    """

    name: str
    edges: tuple[Decimal, ...]
    decimals: int = 0
    missing: bool = True
    mark: str = "."
    provenance: Provenance = "typed"

    def __post_init__(self) -> None:
        _require_increasing(self.name, self.edges)
        if not 0 <= self.decimals <= 15:
            raise InputError(f"“{self.name}” has {self.decimals} decimals; give a number from 0 to 15.")
        for low, high in self._grid:
            if low > high:
                raise InputError(
                    f"A bin of “{self.name}” holds no number of {self.decimals} decimals; widen the bins."
                )

    @property
    def bins(self) -> int:
        return len(self.edges) - 1

    @property
    def size(self) -> int:
        return self.bins + self.missing

    @cached_property
    def _grid(self) -> list[tuple[int, int]]:
        """For each bin the first and the last value in it, in units of the last decimal."""
        starts = [math.ceil(Fraction(e) * 10**self.decimals) for e in self.edges]
        ends = [s - 1 for s in starts[1:-1]] + [math.floor(Fraction(self.edges[-1]) * 10**self.decimals)]
        return list(zip(starts[:-1], ends, strict=True))

    def encode(self, column: Column) -> NDArray[np.int64]:
        numbers = column.retyped(ColumnType("decimal", mark=self.mark)).numbers
        inner = [math.ceil(Fraction(e) * 10**numbers.scale) for e in self.edges[1:-1]]
        bins = np.searchsorted(np.array(inner, object), numbers.scaled.astype(object), side="right")
        return _by_code(column, np.where(numbers.valid, bins, _unread(self)))

    def decode(self, codes: Codes, random: np.random.Generator) -> Column:
        lows = np.array([low for low, _ in self._grid] + [0], np.int64)
        highs = np.array([high for _, high in self._grid] + [0], np.int64)
        drawn = random.integers(lows[codes], highs[codes], endpoint=True)
        texts: list[str | None] = [_decimal(v, self.decimals, self.mark) for v in drawn.tolist()]
        kind = ColumnType("integer") if self.decimals == 0 else ColumnType("decimal", mark=self.mark)
        return Column.of(self.name, _with_missing(texts, codes, self.bins), kind)


@dataclass(frozen=True)
class DateBins:
    """Bins of days [e0, e1), …, [ek-1, ek], the last one closed; then missing if declared.

    format: as strptime reads and strftime writes it.
    """

    name: str
    edges: tuple[date, ...]
    missing: bool = True
    format: str = "%Y-%m-%d"
    provenance: Provenance = "typed"

    def __post_init__(self) -> None:
        _require_increasing(self.name, self.edges)

    @property
    def bins(self) -> int:
        return len(self.edges) - 1

    @property
    def size(self) -> int:
        return self.bins + self.missing

    def encode(self, column: Column) -> NDArray[np.int64]:
        dates = column.retyped(ColumnType("date", format=self.format)).dates
        inner = np.array(self.edges[1:-1], "datetime64[D]").astype("datetime64[us]")
        bins = np.searchsorted(inner, dates.instants, side="right")
        return _by_code(column, np.where(dates.valid, bins, _unread(self)))

    def decode(self, codes: Codes, random: np.random.Generator) -> Column:
        days = np.array([e.toordinal() for e in self.edges], np.int64)
        days[-1] += 1
        starts, ends = np.append(days[:-1], 1), np.append(days[1:], 2)
        drawn = random.integers(starts[codes], ends[codes])
        known = {d: _formatted(date.fromordinal(d), self.format) for d in np.unique(drawn).tolist()}
        texts: list[str | None] = [known[d] for d in drawn.tolist()]
        kind = ColumnType("date", format=self.format)
        return Column.of(self.name, _with_missing(texts, codes, self.bins), kind)


@dataclass(frozen=True)
class Codebook:
    """Cells that are integers 0 … size-1 already: one code each, no "other", no missing."""

    name: str
    size: int
    provenance: Provenance = "imported"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"The domain of “{self.name}” has size {self.size}; give 1 or more.")

    def encode(self, column: Column) -> NDArray[np.int64]:
        numbers = column.retyped(ColumnType("integer")).numbers
        inside = [min(max(int(v), 0), self.size - 1) for v in numbers.scaled]
        return _by_code(column, np.where(numbers.valid, inside, 0))

    def decode(self, codes: Codes, random: np.random.Generator) -> Column:  # noqa: ARG002 - nothing to draw
        return Column.of(self.name, [str(c) for c in codes.tolist()], ColumnType("integer"))


@dataclass(frozen=True)
class Unit:
    """What shares one value of a key column is protected together; at most ``bound`` rows of it are used."""

    key: str
    bound: int

    def __post_init__(self) -> None:
        if self.bound < 1:
            raise InputError(f"At most {self.bound} rows for one “{self.key}” leave none; give 1 or more.")


@dataclass(frozen=True)
class Domain:
    """The domains of the columns to synthesize, in their order."""

    columns: tuple[ColumnDomain, ...]

    def __post_init__(self) -> None:
        if not self.columns or len(set(self.names)) != len(self.columns):
            raise InputError("A domain needs at least one column, and no column twice.")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(c.size for c in self.columns)

    @property
    def proposed(self) -> tuple[str, ...]:
        """The columns whose domain was proposed from the data: outside the guarantee, and to be said so."""
        return tuple(c.name for c in self.columns if c.provenance == "proposed-from-data")

    def encode(self, table: Table, unit: Unit | None = None) -> Codes:
        """[rows, d] codes. With a unit, at most its bound of rows for each key; a missing key is one key.

        The rows kept of a key are those with the smallest codes, whatever the order of the table and whatever
        other keys hold: one unit more or less changes only its own rows.
        """
        codes = np.column_stack([c.encode(table[c.name]) for c in self.columns])
        codes = codes.astype(code_dtype(max(self.sizes)))
        return (
            codes
            if unit is None
            else codes[_bounded(table[unit.key].codes.astype(np.int64), codes, unit.bound)]
        )

    def decode(self, codes: Codes, random: np.random.Generator) -> Table:
        """The table of text that [rows, d] codes stand for."""
        return Table(tuple(c.decode(codes[:, j], random) for j, c in enumerate(self.columns)), codes.shape[0])


def _bounded(keys: Codes, codes: Codes, bound: int) -> NDArray[np.intp]:
    """The row numbers of each key's first ``bound`` rows, ordered by their codes."""
    order = np.lexsort((*codes.T[::-1], keys))
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    lengths = np.diff(np.append(starts, len(keys)))
    rank = np.arange(len(keys)) - np.repeat(starts, lengths)
    return np.asarray(np.sort(order[rank < bound]), np.intp)


def _by_code(column: Column, of_value: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """[rows] from what holds for each distinct value."""
    codes: NDArray[np.int64] = np.asarray(of_value, np.int64)[column.codes]
    return codes


def _unread(bins: NumberBins | DateBins) -> int:
    return bins.bins if bins.missing else 0


def _with_missing(texts: list[str | None], codes: Codes, missing: int) -> list[str | None]:
    cells = as_objects(texts)
    cells[np.asarray(codes) == missing] = None
    return list(cells)


def _decimal(value: int, decimals: int, mark: str) -> str:
    if decimals == 0:
        return str(value)
    whole, fraction = divmod(abs(value), 10**decimals)
    return f"{'-' if value < 0 else ''}{whole}{mark}{fraction:0{decimals}d}"


def _formatted(day: date, format: str) -> str:
    return datetime(day.year, day.month, day.day).strftime(format)


def _require_increasing(name: str, edges: Sequence[Any]) -> None:
    if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
        raise InputError(f"The bins of “{name}” need two or more edges, each above the one before.")
