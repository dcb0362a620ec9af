"""An order for a synthetic table: what to make, checked before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from curator_gui.budget.amounts import Number, epsilon_cost
from curator_gui.core.operators import Generalize, Replace
from curator_gui.core.zcdp import rho_of
from curator_gui.session import Session
from curator_gui.synthesis import (
    Domain,
    Mechanism,
    SynthesisRequest,
    Unit,
    expected_errors,
    rho_units,
)
from curator_gui.synthesis.request import MODEL_CELLS
from curator_gui.synthesizing.source import Origin

Query = tuple[str, ...]


@dataclass(frozen=True)
class Order:
    """What to synthesize of a session's table, for how much.

    domain: the columns, in order, with their domains. epsilon: as typed. interest, workload: marginals by
    column names; no workload is all pairs of at most 10 000 cells. priority: β. unit: whose rows are
    protected together; None for single rows. keep_identifiers: those that are synthesized on purpose.

    Raises InputError for an ε the ledger does not admit, a query that names a column the domain lacks or one
    twice, and interest queries that would make the model too large.
    """

    domain: Domain
    epsilon: Number
    interest: tuple[Query, ...] = ()
    workload: tuple[Query, ...] | None = None
    mechanism: Mechanism = "cusyn-aim"
    priority: float = 0.3
    rows: int | None = None
    origin: Origin = "prepared"
    unit: Unit | None = None
    model_limit: int = MODEL_CELLS
    keep_identifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        epsilon_cost(self.epsilon)
        request = self.request(rho_units(1.0))
        _ = request.interest_sets

    def request(self, rho: int, declared_rows: int | None = None) -> SynthesisRequest:
        """The engine's request that may spend ``rho`` units of 1e-15."""
        return SynthesisRequest(
            self.domain.names,
            self.domain.sizes,
            rho,
            self.mechanism,
            self.interest,
            self.workload,
            self.priority,
            self.rows,
            declared_rows,
            self.unit.bound if self.unit else 1,
            self.model_limit,
        )


@dataclass(frozen=True)
class QueryError:
    """What noise alone is expected to do to one interest query.

    sigma: of the noise in each cell. rows: half the expected L1 error, in records; share: relative to the
    declared size. All None where the query is not measured by itself.
    """

    columns: Query
    cells: int
    sigma: float | None
    rows: float | None
    share: float | None


def query_errors(order: Order, rho: int, declared_rows: int | None = None) -> tuple[QueryError, ...]:
    """The error to expect of each interest query with ``rho`` units, from σ and cells alone."""
    names = order.domain.names
    return tuple(
        QueryError(tuple(names[a] for a in e.attributes), e.cells, e.sigma, e.rows, e.share)
        for e in expected_errors(order.request(rho, declared_rows))
    )


@dataclass(frozen=True)
class Move:
    """The errors to expect at another ε or another priority."""

    epsilon: float
    priority: float
    errors: tuple[QueryError, ...]


def moved_errors(
    order: Order,
    delta: float,
    *,
    epsilons: Iterable[float],
    priorities: Iterable[float],
    declared_rows: int | None = None,
) -> tuple[Move, ...]:
    """How the expected errors move over a grid of ε and β; spends nothing."""
    chosen = tuple(priorities)
    return tuple(
        Move(epsilon, beta, query_errors(replace(order, priority=beta), rho, declared_rows))
        for epsilon in epsilons
        for rho in [rho_units(rho_of(epsilon, delta))]
        for beta in chosen
    )


def plan_queries(session: Session, columns: Sequence[str]) -> tuple[Query, ...]:
    """“The columns of my plan”: all pairs of those that its steps change or that an outsider may know."""
    steps = session.current_plan
    mentioned = {s.column for s in steps if isinstance(s, Generalize | Replace)}
    mentioned |= {v.column for v in session.protection.visible}
    return tuple(combinations([n for n in columns if n in mentioned], 2))
