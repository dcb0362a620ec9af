"""What to synthesize: validated once, before anything is charged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

from curator_gui.core.errors import InputError
from curator_gui.core.table import quoted
from curator_gui.synthesis.junction_tree import AttributeSet, cells, model_cells

Mechanism = Literal["cusyn-aim", "aim", "mwem", "cusyn-mwem", "cusyn-aim-last", "independent"]
MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
DEDICATED: tuple[Mechanism, ...] = ("cusyn-aim", "cusyn-mwem", "cusyn-aim-last")
"""The mechanisms that measure every interest query."""

PAIR_CELLS = 10_000
MODEL_CELLS = 10_000_000
GROWTH_CELLS = 100_000

NamedSet = Sequence[str]


@dataclass(frozen=True)
class SynthesisRequest:
    """A synthesis of a table whose columns have these names and sizes (how many codes each has).

    rho: integer units of 1e-15 ρ that may be spent.
    interest: the queries its user cares about, each the names of a marginal's columns; none counts twice.
    workload: the marginals to be good on overall; None for all pairs of at most 10 000 cells.
    priority: β in [0, 1], the share of ρ for the interest queries.
    rows: how many to draw; None for as many as the noisy total.
    declared_rows: the table's size as its owner declares it, to relate errors to; never the true one.
    bound: at most how many rows belong to one unit of protection; every cost is multiplied by its square.
    model_limit: the most cells a model may hold, 8 bytes each.
    growth_limit: the most cells that selected marginals may add to the model; what fits take their time for.

    Raises InputError, naming the interest queries where they would make the model too large.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    rho: int
    mechanism: Mechanism = "cusyn-aim"
    interest: tuple[NamedSet, ...] = ()
    workload: tuple[NamedSet, ...] | None = None
    priority: float = 0.3
    rows: int | None = None
    declared_rows: int | None = None
    bound: int = 1
    model_limit: int = MODEL_CELLS
    growth_limit: int = GROWTH_CELLS

    def __post_init__(self) -> None:
        self._check_domain()
        self._check_numbers()
        if not self.workload_sets:
            raise InputError("The workload is empty; name at least one marginal or leave it out.")
        too_large = self.oversized_interest()
        if too_large:
            raise InputError(
                f"With {_named(too_large)} the model would pass {self.model_limit} cells"
                f" ({self.model_limit * 8 / 1e6:.3g} MB); drop interest queries or coarsen their columns."
            )

    def _check_domain(self) -> None:
        if not self.names or len(set(self.names)) != len(self.names):
            raise InputError("A synthesis needs at least one column, and no name twice.")
        if len(self.sizes) != len(self.names) or any(n < 1 for n in self.sizes):
            raise InputError("Every column of a synthesis needs a domain of at least one value.")
        if sum(self.sizes) > self.model_limit:
            raise InputError(
                f"The columns' values alone pass {self.model_limit} cells; leave a column out or coarsen it."
            )

    def _check_numbers(self) -> None:
        if self.mechanism not in MECHANISMS:
            raise InputError(f"“{self.mechanism}” is no mechanism; choose one of {quoted(MECHANISMS)}.")
        if self.rho <= 0:
            raise InputError("The privacy budget of a synthesis must be above 0.")
        if not 0 <= self.priority <= 1:
            raise InputError(f"The priority is {self.priority}; give a number from 0 to 1.")
        for what, value in (("rows to draw", self.rows), ("rows a person has at most", self.bound)):
            if value is not None and value < 1:
                raise InputError(f"The number of {what} is {value}; give 1 or more.")

    @cached_property
    def interest_sets(self) -> tuple[AttributeSet, ...]:
        return tuple(dict.fromkeys(self._numbered(q, "An interest query") for q in self.interest))

    @cached_property
    def workload_sets(self) -> tuple[AttributeSet, ...]:
        if self.workload is not None:
            return tuple(dict.fromkeys(self._numbered(q, "A workload query") for q in self.workload))
        pairs = combinations(range(len(self.sizes)), 2)
        small = tuple(p for p in pairs if cells(self.sizes, p) <= PAIR_CELLS)
        return small or tuple((a,) for a in range(len(self.sizes)))

    def oversized_interest(self) -> list[str]:
        """The interest queries, as “a × b”, that take the model past its limit when added in their order."""
        if self.mechanism not in DEDICATED:
            return []
        kept: list[AttributeSet] = []
        refused = []
        for query in self.interest_sets:
            if model_cells(self.sizes, [*kept, query]) > self.model_limit:
                refused.append(self.name(query))
            else:
                kept.append(query)
        return refused

    def named(self, attributes: AttributeSet) -> tuple[str, ...]:
        return tuple(self.names[a] for a in attributes)

    def name(self, attributes: AttributeSet) -> str:
        return " × ".join(self.named(attributes))

    def _numbered(self, query: NamedSet, what: str) -> AttributeSet:
        unknown = [n for n in query if n not in self.names]
        if unknown:
            raise InputError(f"{what} names {quoted(unknown)}; the synthesis has {quoted(self.names)}.")
        if not query or len(set(query)) != len(query):
            raise InputError(
                f"{what} must name one or more different columns, not {quoted(query) or 'none'}."
            )
        return tuple(sorted(self.names.index(n) for n in query))


def _named(queries: list[str]) -> str:
    return ("the interest query " if len(queries) == 1 else "the interest queries ") + quoted(queries)
