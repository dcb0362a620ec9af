"""What a plan does to a table, prefix by prefix: which rows are still present, which views are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError, PlanError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Delete, Generalize, Operator, Plan, Project, Replace, Select
from curator_gui.core.predicate import Predicate
from curator_gui.core.table import Column, Table, as_objects, code_dtype
from curator_gui.core.view import Coarsening, Identity, View, coarsen


@dataclass(frozen=True, eq=False)
class Source:
    """A table with its ladders; remembers the coarsenings already computed."""

    table: Table
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    _coarsenings: dict[tuple[str, View], Coarsening] = field(default_factory=dict, repr=False)

    def coarsen(self, name: str, view: View) -> Coarsening:
        """The classes a view makes of a column's distinct values; ViewError where it does not fit."""
        key = (name, view)
        if key not in self._coarsenings:
            self._coarsenings[key] = coarsen(view, self.table[name], self.hierarchies.get(name))
        return self._coarsenings[key]

    def holds(self, where: Predicate) -> NDArray[np.bool_]:
        """[rows] True where the predicate is TRUE of the source row."""
        where.check(self.table)
        return where.holds(self.table)

    def prefix_0(self) -> Prefix:
        """The source itself, before any operator."""
        shown = tuple(Shown(c, Identity(), self.coarsen(c.name, Identity())) for c in self.table.columns)
        rows = self.table.rows
        return Prefix(self, (), shown, np.zeros(rows, np.int32), np.ones(rows, np.bool_))

    def prefixes(self, plan: Plan) -> list[Prefix]:
        """p_0 … p_ℓ; an operator that cannot follow is a PlanError naming its path in the plan."""
        prefixes = [self.prefix_0()]
        for i, operator in enumerate(plan):
            try:
                prefixes.append(prefixes[-1].follow(operator))
            except InputError as error:
                raise error.at(f"plan[{i}]") from None
        return prefixes


@dataclass(frozen=True, eq=False)
class Shown:
    """A kept column: its cells, the view they are shown through and the classes this makes of its values."""

    column: Column
    view: View
    coarsening: Coarsening

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(frozen=True, eq=False)
class Prefix:
    """A plan applied to a source.

    shown: the kept columns, in the order of the source.
    removed_at: [rows] int32, the step (from 1) that removed the row, 0 where it is present.
    present: [rows] bool, the survivors.
    """

    source: Source
    plan: Plan
    shown: tuple[Shown, ...]
    removed_at: NDArray[np.int32]
    present: NDArray[np.bool_]

    @cached_property
    def rows(self) -> int:
        """How many rows are present."""
        return int(np.count_nonzero(self.present))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.shown)

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where each kept column stands among them."""
        return {s.column.name: i for i, s in enumerate(self.shown)}

    def changes_from(self, before: Prefix) -> tuple[list[int], list[Shown]]:
        """The places of the columns ``before`` shows and this does not, and those that only this one shows.

        Columns that are the same at both ends are passed over at once: there may be thousands.
        """
        old, new = before.shown, self.shown
        head = _agreeing(old, new)
        tail = _agreeing(old[head:][::-1], new[head:][::-1])
        old, new = old[head : len(old) - tail], new[head : len(new) - tail]
        was, is_now = set(map(id, old)), set(map(id, new))
        gone = [head + i for i, s in enumerate(old) if id(s) not in is_now]
        return gone, [s for s in new if id(s) not in was]

    def view_of(self, name: str) -> View | None:
        """The view a column is shown through; None when it was dropped."""
        place = self._places.get(name)
        return None if place is None else self.shown[place].view

    def follow(self, operator: Operator) -> Prefix:
        """The prefix one operator longer. PlanError where the operator cannot follow."""
        match operator:
            case Project(drop):
                after = self._drop(drop)
            case Generalize(column, view):
                after = self._show(replace(self._kept(column, "generalize"), view=view))
            case Replace(column, value, where):
                shown = self._kept(column, "replace")
                after = self._show(
                    replace(shown, column=_replaced(shown.column, value, self.source.holds(where)))
                )
            case Select() | Delete():
                after = self._remove(self.removed_by(operator))
        return replace(after, plan=(*self.plan, operator))

    def removed_by(self, operator: Select | Delete) -> NDArray[np.bool_]:
        """[rows] the rows a row operator does not keep, whether still present or not."""
        match operator:
            case Select(where):
                return ~self.source.holds(where)
            case Delete(None, rows):
                if rows and max(rows) >= self.source.table.rows:
                    raise PlanError(
                        f"There is no row {max(rows)}: rows are numbered 0 to {self.source.table.rows - 1}.",
                        path="rows",
                    )
                gone = np.zeros(self.source.table.rows, np.bool_)
                gone[list(rows)] = True
                return gone
            case Delete(where):
                assert where is not None
                return self.source.holds(where)

    def _remove(self, gone: NDArray[np.bool_]) -> Prefix:
        removed_at = self.removed_at.copy()
        removed_at[gone & self.present] = len(self.plan) + 1
        return replace(self, removed_at=removed_at, present=self.present & ~gone)

    def _drop(self, drop: tuple[str, ...]) -> Prefix:
        if len(set(drop)) < len(drop):
            raise PlanError("A column is named twice; name each column to drop once.", path="drop")
        for name in drop:
            self._kept(name, "drop")
        shown = list(self.shown)
        for place in sorted((self._places[name] for name in drop), reverse=True):
            del shown[place]
        return replace(self, shown=tuple(shown))

    def _show(self, changed: Shown) -> Prefix:
        """The prefix with one column shown anew; its coarsening is computed here."""
        source_column = self.source.table[changed.name]
        if changed.column is source_column:
            coarsening = self.source.coarsen(changed.name, changed.view)
        else:
            ladder = self.source.hierarchies.get(changed.name)
            coarsening = coarsen(changed.view, changed.column, ladder)
        changed = replace(changed, coarsening=coarsening)
        place = self._places[changed.name]
        return replace(self, shown=(*self.shown[:place], changed, *self.shown[place + 1 :]))

    def _kept(self, name: str, verb: str) -> Shown:
        if name in self._places:
            return self.shown[self._places[name]]
        self.source.table[name]
        raise PlanError(f"Cannot {verb} “{name}”: an earlier step already dropped it.")


def _agreeing(one: tuple[Shown, ...], other: tuple[Shown, ...]) -> int:
    """How many columns are the same from the beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _replaced(column: Column, value: str | None, where: NDArray[np.bool_]) -> Column:
    """The column with one value put into some rows; values no longer used keep their codes."""
    known = np.flatnonzero(np.fromiter((v == value for v in column.values), np.bool_, len(column.values)))
    values = column.values if len(known) else as_objects([*column.values, value])
    code = int(known[0]) if len(known) else len(column.values)
    codes = column.codes.astype(code_dtype(len(values)))
    codes[where] = code
    return Column(column.name, codes, values, column.type)
