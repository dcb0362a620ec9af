"""From an order to a synthetic table: preview, charge, measure, fit, sample. In that order, and no other.

The charge is committed and read back before the child process is told which table to measure. What fails or
is cancelled before costs nothing; after it, everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curator_gui.budget.amounts import epsilon_text
from curator_gui.core.errors import BudgetRefusedError, Cancelled, CuratorError, InputError
from curator_gui.core.progress import silent
from curator_gui.core.table import Table
from curator_gui.session import Session
from curator_gui.synthesis import Phase, Stage, StageProgress, Synthesis
from curator_gui.synthesizing.identifiers import require_no_identifier
from curator_gui.synthesizing.order import Order, QueryError, query_errors
from curator_gui.synthesizing.process import ProcessEndedError, synthesis_process
from curator_gui.synthesizing.room import require_room
from curator_gui.synthesizing.source import encoded
from curator_gui.synthesizing.warnings import order_warnings

if TYPE_CHECKING:
    from curator_gui.store.ledger import Dataset, Decision, Ledger, Request


@dataclass(frozen=True)
class Preview:
    """What would be approved, of which pool, and what it would buy. Nothing is spent.

    errors: of each interest query, at the approved amount or, where less would be approved than was asked and
    that is not accepted, at what would be. Empty where nothing is to be had. warnings: sentences.
    """

    decision: Decision
    dataset: Dataset
    request: Request
    errors: tuple[QueryError, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Made:
    """A synthetic table that was paid for. table: its cells as text, ready to be exported, once or again."""

    order: Order
    synthesis: Synthesis
    table: Table
    decision: Decision
    errors: tuple[QueryError, ...]
    warnings: tuple[str, ...]


class ChargedError(CuratorError):
    """The synthesis failed after the charge, which stays; ``decision`` says what was charged."""

    def __init__(self, decision: Decision, reason: str) -> None:
        super().__init__(f"{reason}; {stays_charged(decision)}")
        self.decision = decision


class CancelledAfterCharge(Cancelled):
    """The user cancelled after the charge, which stays; the message says so."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(f"Cancelled; {stays_charged(decision)}")
        self.decision = decision


def stays_charged(decision: Decision) -> str:
    return (
        f"ε {epsilon_text(decision.approved)} was charged (entry {decision.entry} of pool {decision.pool}) "
        "and stays charged."
    )


def content_of(session: Session) -> bytes:
    """What tells the ledger which dataset it is. Takes a second for a million rows, so keep it."""
    from curator_gui.store.ledger import content_digest  # heavy: SQLAlchemy

    return content_digest(session.table)


def request_for(
    session: Session,
    ledger: Ledger,
    order: Order,
    *,
    accept_less: bool = False,
    content: bytes | None = None,
) -> Request:
    """A new request to the pool of the session's source. InputError where it has none in this ledger.

    content: ``content_of(session)``, where it is known already.
    """
    from curator_gui.store.ledger import Request  # heavy: SQLAlchemy

    content = content_of(session) if content is None else content
    pool = ledger.pool_of(content)
    if pool is None:
        raise InputError(
            f"“{session.source_path.name}” has no pool in the ledger at {ledger.where}; its owner creates "
            "one with “ledger create”, or attaches it to the pool of the dataset it came from."
        )
    return Request.of(pool, content, order.epsilon, accept_less=accept_less)


def preview(
    session: Session,
    ledger: Ledger,
    order: Order,
    *,
    accept_less: bool = False,
    content: bytes | None = None,
) -> Preview:
    """What the ledger would decide now, and the errors to expect of that. Looks at no row but for the pool.

    To be charged for what was shown, pass ``preview.request`` (or ``preview.request.accepting(decision)``
    where the user agrees to less) on to ``run``. Raises what makes the order one that cannot be run.
    """
    _require_makeable(session, order)
    request = request_for(session, ledger, order, accept_less=accept_less, content=content)
    decision = ledger.preview(request)
    dataset = ledger.pool(request.pool)
    return Preview(
        decision,
        dataset,
        request,
        _offered_errors(order, dataset, decision),
        order_warnings(session, order),
    )


def _require_makeable(session: Session, order: Order) -> None:
    """IdentifierError, or InputError for more rows than there is memory for."""
    require_no_identifier(session, order)
    require_room(order)


def _offered_errors(order: Order, dataset: Dataset, decision: Decision) -> tuple[QueryError, ...]:
    rho = decision.rho or dataset.pool.usable_rho(dataset.pool.amount(decision.offered or decision.requested))
    return query_errors(order, rho, dataset.size) if rho else ()


def run(
    session: Session, ledger: Ledger, order: Order, request: Request, progress: StageProgress = silent
) -> Made:
    """Charge ``request`` and make the table.

    Raises BudgetRefusedError where less than it accepts is to be had, and what ``ledger.charge`` raises.
    Cancelled: nothing was charged. CancelledAfterCharge, ChargedError: the charge stays, there is no table.
    """
    _require_makeable(session, order)
    codes = encoded(session, order.origin, order.domain, order.unit)
    size = ledger.pool(request.pool).size
    with synthesis_process() as child:
        try:
            child.wait_until_ready(progress)
        except ProcessEndedError as error:
            raise ProcessEndedError(f"{error}; nothing was charged.") from None
        progress(0.0, Stage(Phase.ASKING))
        decision = ledger.charge(request)
        try:
            progress(0.0, Stage(Phase.CHARGED))
            made = child.synthesize(order.request(decision.rho, size), codes, progress)
            table = _decoded(order, made, progress)
        except ProcessEndedError as error:
            raise ChargedError(decision, str(error)) from None
        except (InputError, MemoryError) as error:
            raise ChargedError(decision, str(error).rstrip(".") or "Memory ran out") from None
        except (Cancelled, KeyboardInterrupt):
            raise CancelledAfterCharge(decision) from None
    errors = query_errors(order, decision.rho, size)
    return Made(order, made, table, decision, errors, order_warnings(session, order))


def _decoded(order: Order, made: Synthesis, progress: StageProgress) -> Table:
    """The table of text, with a chance to cancel at each column."""
    random = np.random.default_rng()
    columns = []
    for j, column in enumerate(order.domain.columns):
        progress(0.95 + 0.05 * j / len(order.domain.columns), Stage(Phase.SPELLING, (column.name,)))
        columns.append(column.decode(made.codes[:, j], random))
    return Table(tuple(columns), len(made.codes))


__all__ = [
    "BudgetRefusedError",
    "CancelledAfterCharge",
    "ChargedError",
    "Made",
    "Preview",
    "content_of",
    "preview",
    "request_for",
    "run",
    "stays_charged",
]
