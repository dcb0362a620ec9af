"""An order for a synthetic table while it is being put together. No Qt here."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from curator_gui.core.errors import InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import ColumnType
from curator_gui.core.view import Identity
from curator_gui.session import Session
from curator_gui.synthesis import Domain, Mechanism, Unit
from curator_gui.synthesis.domain import ColumnDomain
from curator_gui.synthesis.junction_tree import model_cells
from curator_gui.synthesizing import (
    OpenLadder,
    Order,
    Origin,
    choosable_columns,
    domain_for,
    open_ladder_of,
    plan_queries,
)
from curator_gui.synthesizing.source import prefix_of

Query = tuple[str, ...]
Workload = Literal["pairs", "plan", "queries"]
"""What the budget that is not for the queries is for: all pairs, those of the plan, or the queries again."""


@dataclass
class SynthesisDraft:
    """domains: of every column of the origin that can be chosen, in order. declared: those of the user."""

    session: Session
    origin: Origin = "prepared"
    domains: dict[str, ColumnDomain] = field(default_factory=dict)
    declared: dict[str, ColumnDomain] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    queries: list[Query] = field(default_factory=list)
    epsilon: str = ""
    priority: float = 0.3
    rows: int | None = None
    mechanism: Mechanism = "cusyn-aim"
    unit: Unit | None = None
    workload: Workload = "pairs"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to synthesize."""
        return tuple(n for n in self.domains if n not in self.left_out)

    @property
    def usable_queries(self) -> tuple[Query, ...]:
        """The chosen queries whose columns are all synthesized."""
        columns = set(self.columns)
        return tuple(q for q in self.queries if set(q) <= columns)

    def domain(self, name: str) -> ColumnDomain:
        return self.declared.get(name) or self.domains[name]

    def type(self, name: str) -> ColumnType:
        """How the column's cells are read as they are shown: labels are text, whatever they are made of."""
        column = next(s for s in prefix_of(self.session, self.origin).shown if s.name == name)
        return column.column.type if column.view == Identity() else ColumnType()

    def open_ladder(self, name: str) -> OpenLadder | None:
        return open_ladder_of(self.session, self.origin, name)

    def order(self, epsilon: str | None = None) -> Order:
        """The order as it stands. InputError where it is not complete or cannot be made."""
        if not self.columns:
            raise InputError("Tick at least one column to synthesize.")
        return Order(
            Domain(tuple(self.domain(n) for n in self.columns)),
            self.epsilon if epsilon is None else epsilon,
            self.usable_queries,
            self._workload_sets() or None,
            self.mechanism,
            self.priority,
            self.rows,
            self.origin,
            self.unit,
        )

    def _workload_sets(self) -> tuple[Query, ...]:
        match self.workload:
            case "plan":
                return self.queries_of_the_plan()
            case "queries":
                return self.usable_queries
        return ()

    def model_size(self) -> int:
        """The cells of a model that holds the chosen queries."""
        names = self.columns
        sets = [tuple(sorted(names.index(n) for n in q)) for q in self.usable_queries]
        return model_cells([self.domain(n).size for n in names], sets)

    def cells(self, query: Sequence[str]) -> int:
        """The cells of one query."""
        count = 1
        for name in query:
            count *= self.domain(name).size
        return count

    def toggle(self, query: Query) -> None:
        """Choose a query, or no longer; the order of its columns is that of the table."""
        query = self.ordered(query)
        if query in self.queries:
            self.queries.remove(query)
        else:
            self.queries.append(query)

    def add_queries(self, queries: Sequence[Query]) -> None:
        for query in queries:
            if self.ordered(query) not in self.queries:
                self.toggle(query)

    def ordered(self, query: Query) -> Query:
        """A query in the order of the columns. InputError where a column is unknown or named twice."""
        unknown = [n for n in query if n not in self.columns]
        if unknown:
            raise InputError(f"There is no column “{unknown[0]}” among those to synthesize; check the name.")
        if not query or len(set(query)) < len(query):
            raise InputError("A query names one or more different columns, with commas between them.")
        return tuple(n for n in self.columns if n in query)

    def queries_of_the_plan(self) -> tuple[Query, ...]:
        return plan_queries(self.session, self.columns)


def read_query(text: str) -> Query:
    """Columns between commas; a name that holds a comma stands in double quotes."""
    (row,) = csv.reader([text], skipinitialspace=True) if text.strip() else ([],)
    return tuple(name.strip() for name in row)


def proposed_domains(
    session: Session, origin: Origin, progress: Progress = silent
) -> Mapping[str, ColumnDomain]:
    """The domain of each column that can be chosen: by its ladder, else from the data. Takes a moment."""
    found: dict[str, ColumnDomain] = {}
    names = choosable_columns(session, origin)
    for i, name in enumerate(names):
        progress(i / len(names), name)
        found[name] = domain_for(session, origin, [name]).columns[0]
    return found
