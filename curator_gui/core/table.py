"""Tables of dictionary-coded columns, kept exactly as read, with typed readings beside the text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.column_type import KINDS, ColumnType, Kind
from curator_gui.core.errors import InputError
from curator_gui.core.readings import read_dates, read_numbers

__all__ = [
    "KINDS",
    "Column",
    "ColumnType",
    "Dates",
    "Kind",
    "Numbers",
    "Table",
    "as_objects",
    "code_dtype",
    "quoted",
]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Exact numeric readings of a column's distinct values: value i is ``scaled[i] / 10**scale``.

    scaled: int64, or object (Python ints) where 18 digits do not suffice; 0 where not valid.
    valid: bool; False for missing and for text that does not parse.
    """

    scaled: NDArray[Any]
    scale: int
    valid: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Dates:
    """Readings of a column's distinct values as datetime64[us]; not valid where the text does not parse."""

    instants: NDArray[np.datetime64]
    valid: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Column:
    """One column: ``codes`` into its distinct ``values``, in order of first appearance.

    codes: [rows] the smallest unsigned dtype that fits, read-only.
    values: [distinct] object; text exactly as read, or None for missing. No value occurs twice.

    Each reading of the values is made once, and shared with the columns made of this one: the same cells
    under another type, or some of them.
    """

    name: str
    codes: NDArray[np.unsignedinteger[Any]]
    values: NDArray[np.object_]
    type: ColumnType = field(default_factory=ColumnType)
    _numbers: dict[ColumnType, Numbers] = field(default_factory=dict, repr=False)
    _dates: dict[ColumnType, Dates] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.codes.flags.writeable = False
        self.values.flags.writeable = False

    @classmethod
    def of(cls, name: str, cells: Sequence[str | None], type: ColumnType | None = None) -> Column:
        """Code a sequence of cells (text or None)."""
        index: dict[str | None, int] = {}
        codes = np.fromiter((index.setdefault(c, len(index)) for c in cells), np.int64, len(cells))
        return cls(name, codes.astype(code_dtype(len(index))), as_objects(list(index)), type or ColumnType())

    @property
    def rows(self) -> int:
        return len(self.codes)

    def retyped(self, type: ColumnType) -> Column:
        """The same cells under another type."""
        if type == self.type:
            return self
        return Column(self.name, self.codes, self.values, type, self._numbers, self._dates)

    def with_missing(self, words: Collection[str]) -> Column:
        """The same cells, but those with one of these texts missing."""
        if not words:
            return self
        index: dict[str | None, int] = {}
        texts = (None if v in words else v for v in self.values)
        merged = np.fromiter((index.setdefault(t, len(index)) for t in texts), np.int64, len(self.values))
        codes = merged.astype(code_dtype(len(index)))[self.codes]
        return Column(self.name, codes, as_objects(list(index)), self.type)

    def at(self, rows: NDArray[Any]) -> Column:
        """The column's cells in some rows, coded into the same values."""
        return Column(self.name, self.codes[rows], self.values, self.type, self._numbers, self._dates)

    def cell(self, row: int) -> str | None:
        value: str | None = self.values[self.codes[row]]
        return value

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """[distinct] True for the missing value (at most one)."""
        return np.fromiter((v is None for v in self.values), np.bool_, len(self.values))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """[distinct] how many rows hold each value."""
        return np.bincount(self.codes, minlength=len(self.values)).astype(np.int64)

    @property
    def numbers(self) -> Numbers:
        """Exact readings under an integer or decimal type; nothing is valid under any other type."""
        found = self._numbers.get(self.type)
        if found is None:
            found = self._numbers[self.type] = Numbers(*read_numbers(self.values, self.type))
        return found

    @property
    def dates(self) -> Dates:
        """Readings under a date or datetime type; nothing is valid under any other type."""
        found = self._dates.get(self.type)
        if found is None:
            found = self._dates[self.type] = Dates(*read_dates(self.values, self.type))
        return found


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length with distinct names. A row's number, from 0, is its identity."""

    columns: tuple[Column, ...]
    rows: int

    def __post_init__(self) -> None:
        if len(self._by_name) != len(self.columns):
            raise InputError("Two columns of the table have the same name; rename one of them.")

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Table:
        return cls(tuple(columns), columns[0].rows if columns else 0)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {c.name: c for c in self.columns}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Column:
        try:
            return self._by_name[name]
        except KeyError:
            raise InputError(f"There is no column “{name}”; the table has {quoted(self.names)}.") from None

    def with_missing(self, words: Mapping[str, Collection[str]]) -> Table:
        """The same cells, but in each of the named columns those with one of its texts missing."""
        for name in words:
            self[name]
        return Table(tuple(c.with_missing(words.get(c.name, ())) for c in self.columns), self.rows)

    def retyped(self, types: dict[str, ColumnType]) -> Table:
        """The same cells, the named columns under other types."""
        for name in types:
            self[name]
        return Table(
            tuple(c.retyped(types[c.name]) if c.name in types else c for c in self.columns), self.rows
        )


def code_dtype(distinct: int) -> np.dtype[Any]:
    """The smallest unsigned dtype that holds codes 0 … distinct-1."""
    return np.min_scalar_type(max(distinct - 1, 0))


def as_objects(values: Sequence[Any]) -> NDArray[np.object_]:
    """A one-dimensional object array, whatever the elements are."""
    out = np.empty(len(values), object)
    out[:] = values
    return out


def quoted(names: Sequence[str], most: int = 8) -> str:
    """Names for a sentence: “a”, “b” and 3 more."""
    shown = ", ".join(f"“{n}”" for n in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
