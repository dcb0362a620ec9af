"""What is found of one column about to be opened: the types it may have, and which cells they do not read.

Columns may have millions of distinct values: all of this belongs into a job, the window shows what is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from curator_gui.core.column_type import ColumnType
from curator_gui.core.identifiers import identifier_reason
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import Column, Table
from curator_gui.store.readers import ColumnProposal, propose_types

_MOST_ODD = 1000


@dataclass(frozen=True)
class Exceptions:
    """Cells that a type does not read: how many, and the first thousand as (row from 0, text)."""

    cells: int
    first: tuple[tuple[int, str], ...]


@dataclass(frozen=True, eq=False)
class ColumnLook:
    """column: of kind text, the texts that mean missing in it missing. identifier: why it is one, or "".

    exceptions: for each type looked at so far, the best of the proposed among them.
    alike: the values that differ from another one in case or outer spaces alone.
    """

    column: Column
    proposal: ColumnProposal
    identifier: str
    exceptions: Mapping[ColumnType, Exceptions]
    alike: tuple[str, ...] = ()

    @classmethod
    def at(cls, column: Column, decimal: str) -> ColumnLook:
        """A first look at a column."""
        proposal = propose_types(Table.of([column]), decimal)[column.name]
        return cls(column, proposal, identifier_reason(column) or "", {}, _alike(column)).under(proposal.best)

    def under(self, type: ColumnType) -> ColumnLook:
        """The same, with what the type does not read."""
        if type in self.exceptions:
            return self
        return replace(self, exceptions={**self.exceptions, type: _exceptions(self.column, type)})


def looks_at(table: Table, decimal: str, progress: Progress = silent) -> dict[str, ColumnLook]:
    """A first look at every column."""
    looks = {}
    for done, column in enumerate(table.columns):
        progress(done / len(table.columns), "Looking at the columns")
        looks[column.name] = ColumnLook.at(column, decimal)
    return looks


@dataclass(frozen=True)
class Wanted:
    """A column to be looked at again: with other texts missing, or under a type not looked at yet.

    missing: texts that mean missing in this column alone. known: the look so far; is_known: whether these
    texts are missing in it.
    """

    name: str
    missing: tuple[str, ...]
    type: ColumnType | None
    decimal: str
    known: ColumnLook
    is_known: bool

    @property
    def distinct(self) -> int:
        return len(self.known.column.values)

    def look(self) -> ColumnLook:
        """Look at it as wanted."""
        found = self.known
        if not self.is_known:
            found = ColumnLook.at(found.column.with_missing(self.missing), self.decimal)
        return found if self.type is None else found.under(self.type)


def look_again(wanted: Sequence[Wanted], progress: Progress = silent) -> list[tuple[Wanted, ColumnLook]]:
    """What is found of the columns wanted."""
    found = []
    for done, one in enumerate(wanted):
        progress(done / len(wanted), "Looking at the columns")
        found.append((one, one.look()))
    return found


def _alike(column: Column) -> tuple[str, ...]:
    written: dict[str, list[str]] = {}
    for value in column.values:
        if value is not None:
            written.setdefault(value.strip().casefold(), []).append(value)
    return tuple(value for same in written.values() if len(same) > 1 for value in same)


def _exceptions(column: Column, type: ColumnType) -> Exceptions:
    typed = column.retyped(type)
    if not (type.is_number or type.is_date):
        return Exceptions(0, ())
    valid = typed.numbers.valid if type.is_number else typed.dates.valid
    odd = ~(valid | column.missing)
    if not odd.any():
        return Exceptions(0, ())
    rows = np.flatnonzero(odd[column.codes])
    return Exceptions(len(rows), tuple((r, str(column.cell(r))) for r in rows[:_MOST_ODD].tolist()))
