"""What is asked of a ledger and what it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from uuid import uuid4

from curator_gui.budget.amounts import LEAST_EPSILON, RHO, Number, epsilon_cost, epsilon_text
from curator_gui.budget.pool import Bound, DatasetBalance, Pool, UserBalance, Verdict
from curator_gui.core.errors import BudgetRefusedError, CuratorError, InputError
from curator_gui.store.ledger.chain import Entry

_REQUEST = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True, slots=True)
class Request:
    """A request for privacy budget. Whose it is, the ledger knows by itself.

    pool: its id. content: ``content_digest`` of the source. epsilon, least: ε units; an approval under
    ``least`` spends nothing. id: names the request; the same one again gets the first decision.
    """

    pool: str
    content: bytes
    epsilon: int
    least: int
    id: str = field(default_factory=lambda: uuid4().hex)

    def __post_init__(self) -> None:
        if not _REQUEST.fullmatch(self.id):
            raise InputError("A request id has 1 to 64 letters, digits, dots, dashes and underscores.")

    @classmethod
    def of(cls, pool: str, content: bytes, epsilon: Number, *, accept_less: bool = False) -> Request:
        """A new request for ``epsilon``. Raises InputError for what is no admissible ε."""
        units = epsilon_cost(epsilon)
        return cls(pool, content, units, LEAST_EPSILON if accept_less else units)

    def accepting(self, preview: Decision) -> Request:
        """The same request, content with what a preview offered but with nothing less.

        In a ρ-pool an offer is shown rounded up to a unit of ε; a unit less is within it.
        """
        return replace(self, least=max(LEAST_EPSILON, min(self.epsilon, preview.offered - 1)))


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset's pool as it stands. size: the rows its owner declared, never counted."""

    id: str
    name: str
    size: int
    pool: Pool
    balance: DatasetBalance

    @property
    def proven_loss(self) -> int:
        """ε units, rounded up, that all releases together prove at the pool's δ."""
        return self.pool.epsilon_proven(self.balance.rho_spent)


@dataclass(frozen=True, slots=True)
class Limits:
    """A user's pool as it stands; account units."""

    user: str
    total: int
    balance: UserBalance


@dataclass(frozen=True, slots=True)
class Decision:
    """A ledger's answer; ε units, whichever the kind of pool.

    requested, offered (to a request that accepts it), approved (0: refused). bound: the limit that bound, and
    limit: how high it is. rho: the ρ units a mechanism may use. dataset_left, user_left: the largest single
    request they could still pay. proven_loss: of all releases from the dataset so far, this one included.
    entry, hash: its place in the ledger; None for a preview, which spends nothing.
    """

    pool: str
    request: str
    user: str
    delta: float
    requested: int
    offered: int
    approved: int
    bound: Bound
    limit: int | None
    rho: int
    dataset_left: int
    user_left: int
    proven_loss: int
    entry: int | None = None
    hash: str | None = None

    @property
    def refused(self) -> bool:
        return self.approved == 0

    @property
    def usable_rho(self) -> float:
        """ρ a mechanism may use, as a float that is not above it."""
        rho = self.rho / RHO
        return rho * (1 - 2**-52)

    def anchor(self) -> dict[str, str | int | None]:
        """What a manifest or a session keeps, for ``audit`` to hold the ledger against."""
        return {"pool": self.pool, "entry": self.entry, "hash": self.hash}

    def sentence(self) -> str:
        """The decision, for a person."""
        asked, given = epsilon_text(self.requested), epsilon_text(self.approved)
        if self.refused and self.offered:
            offer = epsilon_text(self.offered)
            return f"ε {asked} is refused and nothing spent: {self._why()}; {offer} would be approved."
        if self.refused:
            return f"ε {asked} is refused and nothing spent: {self._why()}."
        if self.bound is Bound.NONE:
            return f"ε {given} is approved in full."
        return f"Of ε {asked} requested, {given} is approved: {self._why()}."

    def _why(self) -> str:
        limit = "" if self.limit is None else epsilon_text(self.limit)
        match self.bound:
            case Bound.PER_OPERATION:
                return f"no operation may use more than {limit}"
            case Bound.PER_REQUEST:
                return f"{self.user} may use at most {limit} a request"
            case Bound.DATASET:
                return (
                    f"{limit} is left in the dataset's pool" if self.limit else "the dataset's pool is empty"
                )
            case Bound.USER:
                return (
                    f"{limit} is left in {self.user}'s pool" if self.limit else f"{self.user}'s pool is empty"
                )
            case Bound.PROVEN_LOSS:
                return f"the releases together would disclose more than the dataset's ε {limit}"
            case Bound.NONE:
                return "no limit bound"


class RequestRefusedError(BudgetRefusedError):
    """A charge was refused; ``decision`` says why. Nothing was spent."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.sentence())
        self.decision = decision


def previewed(request: Request, dataset: Dataset, limits: Limits, verdict: Verdict) -> Decision:
    """A verdict nobody committed."""
    return _decision(
        dataset.id,
        dataset.pool,
        limits.user,
        request.id,
        verdict,
        before=(dataset.balance.left, limits.balance.left, limits.balance.per_request),
    )


def decided(pool: Pool, entry: Entry) -> Decision:
    """The decision a committed charge or refusal records. Raises CuratorError for any other entry."""
    requested, offered, approved = entry.requested, entry.offered, entry.approved
    user_left = entry.user_left
    if requested is None or offered is None or approved is None or user_left is None:
        raise CuratorError(
            f"Entry {entry.number} of pool {entry.pool} is no decision; have the ledger audited."
        )
    verdict = Verdict(
        requested,
        offered,
        approved,
        Bound(entry.bound or ""),
        entry.rho,
        DatasetBalance(entry.dataset_left, entry.rho_spent),
        UserBalance(offered, user_left),
    )
    return _decision(
        entry.pool,
        pool,
        entry.user_name or "",
        entry.request or "",
        verdict,
        before=(entry.dataset_left + approved, user_left + approved, offered),
        entry=entry.number,
        hash=entry.hash,
    )


def _decision(
    id: str,
    pool: Pool,
    user: str,
    request: str,
    verdict: Verdict,
    *,
    before: tuple[int, int, int],
    entry: int | None = None,
    hash: str | None = None,
) -> Decision:
    dataset_left, user_left, per_request = before
    limits = {
        Bound.PER_OPERATION: pool.per_operation,
        Bound.PER_REQUEST: per_request,
        Bound.DATASET: dataset_left,
        Bound.USER: user_left,
        Bound.PROVEN_LOSS: pool.capacity,
    }
    limit = limits.get(verdict.bound)
    return Decision(
        id,
        request,
        user,
        pool.delta,
        pool.epsilon_spent(verdict.requested),
        pool.epsilon_spent(verdict.offered),
        pool.epsilon_spent(verdict.approved),
        verdict.bound,
        None if limit is None else pool.epsilon_spent(limit),
        pool.usable_rho(verdict.approved),
        pool.epsilon_left(verdict.dataset.left),
        pool.epsilon_left(verdict.user.left),
        pool.epsilon_proven(verdict.dataset.rho_spent),
        entry,
        hash,
    )
