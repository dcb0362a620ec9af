"""Scores of next operators, computed before one is committed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Delete, Operator, Select
from curator_gui.core.preparation import Prefix
from curator_gui.disclosure.classes import Reading, read
from curator_gui.disclosure.evidence import logarithm
from curator_gui.disclosure.explain import Look, look, why
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.transition import ClassChanges, Removal, Step, Transition, WorstAfter, weigh


@dataclass(frozen=True, slots=True)
class WorstCandidate:
    """The worst target after the operator. Pairs are (with the secret, all): of its profile, of its set
    before and after, and of the rows that enter and leave it."""

    target: int
    secret: str
    e: float
    prior: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]
    joined: tuple[int, int]
    left: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What committing ``operator`` would do; equal to what is computed after the commit, exactly.

    alpha, max_delta, min_delta: natural logarithms, None where undefined. worse, better, same, lost, affected
    and over_budget count targets. ``alpha_before`` is the disclosure of the prefix it was scored from.
    """

    operator: Operator
    alpha_before: float | None
    alpha: float | None
    feasible: bool
    max_delta: float | None
    min_delta: float | None
    worse: int
    better: int
    same: int
    lost: int
    affected: int
    over_budget: int
    rows_removed: int
    does_no_privacy_work: bool
    classes: ClassChanges
    worst: WorstCandidate | None
    utility: float
    utility_change: float
    why: str

    @property
    def improves_still_above(self) -> bool:
        """Lowers the disclosure, though not yet to the budget: a first step of two."""
        return not self.feasible and _number(self.alpha) < _number(self.alpha_before)


def _number(alpha: float | None) -> float:
    return -math.inf if alpha is None else alpha


def earlier_releases(standing: Standing, exposed: bool) -> tuple[Prefix, ...]:
    """The releases that bear on the prefix after a standing, itself ``exposed`` or not."""
    return (*standing.exposed, standing.prefix) if exposed and standing.prefix.plan else standing.exposed


def score_candidate(standing: Standing, operator: Operator, *, exposed: bool = False) -> Candidate:
    """Score one operator. ``exposed``: the prefix stood at has left the curator's hands. PlanError and
    ViewError where the operator cannot follow."""
    step = _step(standing, operator, exposed)
    transition = weigh(standing, step)
    lift = transition.worst.lift if transition.worst else -1.0
    alpha = logarithm(lift)
    utility = standing.usefulness.after(step.prefix, step.removed)
    return Candidate(
        operator=operator,
        alpha_before=standing.alpha,
        alpha=alpha,
        feasible=alpha is None or alpha <= standing.population.protection.limit,
        max_delta=_delta(transition.max_ratio),
        min_delta=_delta(transition.min_ratio),
        worse=transition.worse,
        better=transition.better,
        same=transition.same,
        lost=transition.lost,
        affected=transition.affected,
        over_budget=transition.over_budget,
        rows_removed=0 if step.removed is None else step.removed.count,
        does_no_privacy_work=step.removed is not None
        and standing.over_budget > 0
        and not transition.affects_over_budget,
        classes=transition.classes,
        worst=_worst(standing, transition),
        utility=utility,
        utility_change=utility - standing.utility,
        why=_why(standing, transition, step),
    )


def _step(standing: Standing, operator: Operator, exposed: bool) -> Step:
    """The step an operator makes from a standing."""
    earlier = earlier_releases(standing, exposed)
    if not isinstance(operator, Select | Delete):
        after = standing.prefix.follow(operator)
        return Step(after, None, lambda: read(after, standing.population, earlier))
    removed = _removal(standing, operator)
    if standing.reading.fate is not None:
        after = standing.prefix.follow(operator)
        return Step(after, removed, lambda: read(after, standing.population, earlier))
    return Step(standing.prefix, removed, lambda: _fewer(standing, removed))


def _removal(standing: Standing, operator: Select | Delete) -> Removal:
    """What a row operator takes. A predicate on columns that are the same throughout every class is evaluated
    once a class instead of once a row."""
    prefix, where = standing.prefix, operator.where
    if where is None or not where.columns <= standing.uniform or 2 * standing.classes.count > prefix.rows:
        return Removal(lambda: np.flatnonzero(prefix.removed_by(operator) & prefix.present), None, None)
    where.check(prefix.source.table)
    taken = where.holds(standing.sampled) == isinstance(operator, Delete)
    taken &= standing.classes.size > 0

    def find() -> NDArray[np.int64]:
        return np.flatnonzero(taken[standing.classes.of_row] & prefix.present)

    return Removal(find, np.flatnonzero(taken), int(standing.classes.size @ taken))


def _fewer(standing: Standing, removed: Removal) -> Reading:
    """Nobody can tell who was removed: the columns are compared as before, among fewer rows."""
    counted = standing.reading.counted.copy()
    counted[removed.rows] = False
    return replace(standing.reading, counted=counted)


def _delta(ratio: float | None) -> float | None:
    if ratio is None:
        return None
    if ratio == 0:
        return -math.inf
    return math.log(ratio) if math.isfinite(ratio) else math.inf


def _worst(standing: Standing, transition: Transition) -> WorstCandidate | None:
    worst = transition.worst
    if worst is None:
        return None
    e = logarithm(worst.lift)
    assert e is not None
    return WorstCandidate(
        worst.target,
        standing.population.secrets[worst.secret].name,
        e,
        standing.population.prior(worst.secret, worst.target),
        worst.before,
        worst.after,
        worst.joined,
        worst.left,
    )


def _why(standing: Standing, transition: Transition, step: Step) -> str:
    worst, population = transition.worst, standing.population
    if worst is None:
        return why(None, "", (0, 0), _nobody)
    return why(
        worst,
        population.secrets[worst.secret].name,
        population.prior(worst.secret, worst.target),
        lambda: _seen(standing, worst, step),
    )


def _seen(standing: Standing, worst: WorstAfter, step: Step) -> Look:
    """The worst target's set before and after; by their classes where these tell, else column by column."""
    population, classes = standing.population, standing.classes
    if worst.gathered is None or step.removed is not None:
        return look(population, worst.target, worst.secret, standing.reading, step.reading())
    profile = np.flatnonzero(population.profile == population.profile[worst.target])
    secret, counted = population.secrets[worst.secret], standing.reading.counted[profile]
    of_profile = classes.of_row[profile]
    before = counted & (of_profile == classes.of_row[worst.target])
    after = counted & np.isin(of_profile, worst.gathered)
    return Look(worst.target, secret.name, profile, secret.holds[profile], before, after)


def _nobody() -> Look:
    raise AssertionError("no target is worst")


def look_at(
    standing: Standing, operator: Operator | None, target: int, secret: int, *, exposed: bool = False
) -> Look:
    """One target's set now and after an operator (None: now, twice)."""
    reading = standing.reading
    if operator is not None:
        prefix = standing.prefix.follow(operator)
        reading = read(prefix, standing.population, earlier_releases(standing, exposed))
    return look(standing.population, target, secret, standing.reading, reading)


def second_look(
    standing: Standing, candidate: Candidate, nexts: Iterable[Operator], *, exposed: bool = False
) -> Candidate | None:
    """The best that one further step can reach after a candidate: what deleting a record costs later.

    Returns the score, from the prefix after the candidate, of the step that leads to the smallest α.
    """
    prefix = standing.prefix.follow(candidate.operator)
    earlier = earlier_releases(standing, exposed)
    after = Standing(standing.population, prefix, earlier, standing.weights)
    scored = [score_candidate(after, operator) for operator in nexts if can_follow(prefix, operator)]
    return min(scored, key=lambda c: _number(c.alpha), default=None)


def can_follow(prefix: Prefix, operator: Operator) -> bool:
    """Whether a plan may go on with this operator."""
    try:
        prefix.follow(operator)
    except InputError:
        return False
    return True
