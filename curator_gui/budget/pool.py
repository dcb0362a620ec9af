"""BudgetEval (CuSyn, Algorithm 1): what a request gets of a dataset's pool and of a user's, as a function.

Both kinds of pool count in one *account unit*, an exact integer: 1e-15 ρ in a ρ-pool, 1e-9 ε in an ε-pool.
A request and every limit become account units before the negotiation, so that deciding is comparing and
subtracting integers, and a database function does it without trusting or repeating a conversion:

* In a ρ-pool the ρ is what counts. ε at the pool's δ is only how it is typed and shown; whoever states a
  wrong ε is charged the ρ they asked for all the same. The owner's client converts the limits when it creates
  a pool or grants, and the ledger keeps the ρ.
* An ε-pool adds up ε, and must also know the ρ of what it approves, which may be less than was asked. The
  pool carries a *tariff*: points (ε, ρ(ε, δ)) from the least request to ε_global, at most 2 % apart, fixed
  when it is created. ρ(·, δ) is a maximum of functions linear in ε, hence convex, so the chord between two
  points lies above it, by at most one part in 10 000: an upper bound, in integers.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum

from curator_gui.budget.amounts import (
    LEAST_EPSILON,
    epsilon_text,
    epsilon_within,
    proven_loss,
    rho_capacity,
)
from curator_gui.core.errors import InputError

_TARIFF_STEP = 1.02


class Kind(StrEnum):
    """What a pool adds up."""

    RHO = "rho"
    EPSILON = "epsilon"


class Bound(StrEnum):
    """The limit that bound a decision."""

    NONE = "none"
    PER_OPERATION = "per-operation"
    PER_REQUEST = "per-request"
    DATASET = "dataset"
    USER = "user"
    PROVEN_LOSS = "proven-loss"


@dataclass(frozen=True, slots=True)
class Tariff:
    """Points (ε units, ρ units), both increasing, of a convex function; dearer than it between them."""

    points: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, epsilon: int, delta: float) -> Tariff:
        """From the least request to ``epsilon`` units; exact there and at all numbers of two digits."""
        grid, at, decade = {epsilon}, float(LEAST_EPSILON), LEAST_EPSILON // 10
        while at < epsilon:
            grid.add(round(at))
            at *= _TARIFF_STEP
        while decade * 10 < epsilon:
            grid.update(range(decade * 10, min(decade * 100, epsilon), decade))
            decade *= 10
        return cls(tuple((e, rho_capacity(e, delta)) for e in sorted(grid)))

    def rho(self, epsilon: int) -> int:
        """The ρ of ``epsilon`` units, rounded up; ``epsilon`` lies within the points."""
        i = bisect_left(self.points, (epsilon, 0))
        above_epsilon, above_rho = self.points[i]
        if above_epsilon == epsilon:
            return above_rho
        below_epsilon, below_rho = self.points[i - 1]
        rise = (above_rho - below_rho) * (epsilon - below_epsilon)
        return below_rho - (-rise // (above_epsilon - below_epsilon))


@dataclass(frozen=True, slots=True)
class Pool:
    """What never changes of a dataset's pool.

    epsilon: ε_global in ε units. capacity, least, per_operation: account units. rho_capacity: ρ(ε_global, δ).
    tariff: of an ε-pool; None in a ρ-pool.
    """

    kind: Kind
    delta: float
    epsilon: int
    capacity: int
    rho_capacity: int
    least: int
    per_operation: int
    tariff: Tariff | None

    @classmethod
    def of(cls, kind: Kind, epsilon: int, delta: float, per_operation: int) -> Pool:
        """A pool of ``epsilon`` units at ``delta``, refusing requests above ``per_operation`` ε units.

        Raises InputError for a δ outside (0, 0.1].
        """
        if not 0 < delta <= 0.1:
            raise InputError(f"δ is {delta:g}; give a number above 0, far below 1 / the size of the table.")
        rho = rho_capacity(epsilon, delta)
        if kind is Kind.EPSILON:
            tariff = Tariff.of(epsilon, delta)
            return cls(kind, delta, epsilon, epsilon, rho, LEAST_EPSILON, per_operation, tariff)
        least, most = rho_capacity(LEAST_EPSILON, delta), rho_capacity(per_operation, delta)
        return cls(kind, delta, epsilon, rho, rho, least, most, None)

    def amount(self, epsilon: int) -> int:
        """A request or a limit of ``epsilon`` units in account units.

        The least and the whole are what the pool says they are: another machine's floats may differ in the
        last unit from those of the machine that created it.
        """
        if self.kind is Kind.EPSILON:
            return epsilon
        ends = {LEAST_EPSILON: self.least, self.epsilon: self.capacity}
        return ends[epsilon] if epsilon in ends else rho_capacity(epsilon, self.delta)

    def rho(self, amount: int) -> int:
        """The ρ units that ``amount`` account units, 0 or at least the least, are debited as."""
        if self.tariff is None or amount == 0:
            return amount
        return self.tariff.rho(amount)

    def usable_rho(self, amount: int) -> int:
        """The ρ units a mechanism may use of an approved ``amount``: what was debited, and what ε allows."""
        if self.kind is Kind.RHO or amount == 0:
            return amount
        return min(self.rho(amount), rho_capacity(amount, self.delta))

    def epsilon_spent(self, amount: int) -> int:
        """An amount as ε units, rounded up."""
        return amount if self.kind is Kind.EPSILON else proven_loss(amount, self.delta)

    def epsilon_left(self, amount: int) -> int:
        """An amount as ε units, rounded down: the largest single request it could pay for."""
        return amount if self.kind is Kind.EPSILON else epsilon_within(amount, self.delta)

    def epsilon_proven(self, rho_spent: int) -> int:
        """The ε units, rounded up, that Σρ proves at the pool's δ, in either kind of pool."""
        return proven_loss(rho_spent, self.delta)


@dataclass(frozen=True, slots=True)
class DatasetBalance:
    """Of a dataset's pool: account units left, and Σρ spent so far."""

    left: int
    rho_spent: int = 0


@dataclass(frozen=True, slots=True)
class UserBalance:
    """Of a user's pool: the most a single request may get, and what is left; account units."""

    per_request: int
    left: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What BudgetEval decided; account units.

    offered: what could be had by a request that accepts it. approved: what is charged, 0 when refused.
    dataset, user: the balances after it.
    """

    requested: int
    offered: int
    approved: int
    bound: Bound
    rho: int
    dataset: DatasetBalance
    user: UserBalance


def evaluate(pool: Pool, dataset: DatasetBalance, user: UserBalance, amount: int, least: int) -> Verdict:
    """Algorithm 1: approve the smallest of the request and its limits, or refuse.

    amount: requested, account units. least: the smallest approval the request accepts.
    Raises InputError for an amount under the pool's least or a ``least`` above the amount.
    """
    if amount < pool.least or not pool.least <= least <= amount:
        minimum = epsilon_text(LEAST_EPSILON)
        raise InputError(f"A request is for ε = {minimum} or more, and accepts from {minimum} to that.")
    offered, bound = _offer(pool, dataset, user, amount)
    approved = offered if offered >= least else 0
    rho = pool.rho(approved)
    if dataset.rho_spent + rho > pool.rho_capacity:
        offered, approved, rho, bound = 0, 0, 0, Bound.PROVEN_LOSS
    return Verdict(
        amount,
        offered,
        approved,
        bound,
        rho,
        DatasetBalance(dataset.left - approved, dataset.rho_spent + rho),
        UserBalance(user.per_request, user.left - approved),
    )


def _offer(pool: Pool, dataset: DatasetBalance, user: UserBalance, amount: int) -> tuple[int, Bound]:
    if amount > pool.per_operation:
        return 0, Bound.PER_OPERATION
    if dataset.left <= 0:
        return 0, Bound.DATASET
    limits = (
        (amount, Bound.NONE),
        (user.per_request, Bound.PER_REQUEST),
        (dataset.left, Bound.DATASET),
        (user.left, Bound.USER),
    )
    offered, bound = min(limits, key=lambda limit: limit[0])  # of equals, min takes the first
    return (offered, bound) if offered >= pool.least else (0, bound)
