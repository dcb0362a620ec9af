"""α_0 … α_ℓ: the disclosure of every prefix of a plan, and the figures that always stand beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.operators import Plan
from curator_gui.disclosure.classes import Classes, classify, released_reading
from curator_gui.disclosure.evidence import logarithm
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.standing import Standing

Status = Literal["present", "lookalikes", "no_evidence"]


@dataclass(frozen=True, slots=True)
class WorstOf:
    """The worst target of a prefix with its secret: k of n in its set, K of N in its profile."""

    target: int
    secret: str
    k: int
    n: int
    prior_k: int
    prior_n: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What always stands beside α.

    smallest_class: the records in the smallest class of survivors, None where none survive; alone: the share
    of records alone in theirs; median, ninth_decile: of the finite evidence of all targets and secrets.
    """

    smallest_class: int | None
    alone: float
    median: float | None
    ninth_decile: float | None


@dataclass(frozen=True, slots=True)
class PrefixScore:
    """The disclosure of one prefix. alpha: None where no evidence is defined; −∞ where all rates fell to 0.

    by_secret: α of each secret alone, in the order of the secrets.
    """

    i: int
    rows: int
    columns: tuple[str, ...]
    alpha: float | None
    feasible: bool
    over_budget: int
    no_evidence: int
    worst: WorstOf | None
    utility: float
    by_secret: tuple[float | None, ...]
    figures: Figures


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The scores of every prefix of ``plan``, computed for ``budget`` τ and these secrets."""

    plan: Plan
    budget: float
    secrets: tuple[str, ...]
    prefixes: tuple[PrefixScore, ...]

    @property
    def alphas(self) -> tuple[float | None, ...]:
        return tuple(p.alpha for p in self.prefixes)

    @property
    def last(self) -> PrefixScore:
        return self.prefixes[-1]


@dataclass(frozen=True, slots=True)
class PriorFigures:
    """What the observer's prior knowledge gives away by itself.

    exposure: the largest ρ_s(profile) / ρ_s(R) over secrets and targets, None where undefined;
    lone_profiles: profiles of one record; certain: targets of whom some secret is certain beforehand.
    """

    exposure: float | None
    lone_profiles: int
    certain: int


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence on every target. k, e: [secrets, targets], e is nan where undefined; n: [targets]."""

    targets: NDArray[np.int64]
    k: NDArray[np.int64]
    n: NDArray[np.int64]
    e: NDArray[np.float64]
    status: tuple[Status, ...]


def score_prefix(standing: Standing) -> PrefixScore:
    """The score of the prefix a curator stands at."""
    return PrefixScore(
        i=len(standing.prefix.plan),
        rows=standing.prefix.rows,
        columns=standing.prefix.columns,
        alpha=standing.alpha,
        feasible=standing.feasible,
        over_budget=standing.over_budget,
        no_evidence=standing.no_evidence,
        worst=worst_of(standing),
        utility=standing.utility,
        by_secret=_by_secret(standing),
        figures=_figures(standing),
    )


def worst_of(standing: Standing) -> WorstOf | None:
    """The worst target with the counts behind it."""
    if standing.worst is None:
        return None
    target, secret = standing.worst.target, standing.worst.secret
    at = standing.classes.of_row[target]
    prior_k, prior_n = standing.population.prior(secret, target)
    name = standing.population.secrets[secret].name
    k, n = int(standing.classes.holding[secret, at]), int(standing.classes.size[at])
    return WorstOf(target, name, k, n, prior_k, prior_n)


def _by_secret(standing: Standing) -> tuple[float | None, ...]:
    of_targets = standing.rates.lift[:, standing.classes.targets > 0]
    return tuple(logarithm(float(lifts.max(initial=-1.0))) for lifts in of_targets)


def _figures(standing: Standing) -> Figures:
    c = standing.classes
    sizes = released_sizes(standing)
    rows = int(sizes.sum())
    alone = int(np.count_nonzero(sizes == 1))
    lifts, weights = standing.rates.lift, np.broadcast_to(c.targets, standing.rates.lift.shape)
    finite = (lifts > 0) & (weights > 0)
    median, ninth = _quantiles(lifts[finite], weights[finite], (0.5, 0.9))
    return Figures(int(sizes.min()) if rows else None, alone / rows if rows else 0.0, median, ninth)


def released_sizes(standing: Standing) -> NDArray[np.int64]:
    """The sizes of the classes of survivors."""
    c = standing.as_released.classes
    return c.size[c.present & (c.size > 0)]


def _quantiles(
    lifts: NDArray[np.float64], weights: NDArray[np.int64], at: tuple[float, ...]
) -> list[float | None]:
    """Quantiles of the logarithms, each taken ``weights`` times, interpolated linearly."""
    if not len(lifts):
        return [None] * len(at)
    if (weights == 1).all():
        places = sorted(
            {min(math.floor(q * (len(lifts) - 1)) + i, len(lifts) - 1) for q in at for i in (0, 1)}
        )
        lifts, upto = np.partition(lifts, places), np.arange(1, len(lifts) + 1)
    else:
        order = np.argsort(lifts)
        lifts, upto = lifts[order], np.cumsum(weights[order])

    found: list[float | None] = []
    for q in at:
        place = q * (int(upto[-1]) - 1)
        low, part = math.floor(place), place - math.floor(place)
        first = math.log(lifts[np.searchsorted(upto, low, side="right")])
        second = math.log(lifts[np.searchsorted(upto, min(low + 1, int(upto[-1]) - 1), side="right")])
        found.append(first + part * (second - first))
    return found


def prior_figures(population: Population) -> PriorFigures:
    """What stands beside α and no plan can change."""
    profiles = np.unique(population.profile[population.target])
    rows, holding = population.profile_rows[profiles], population.profile_holding[:, profiles]
    overall = population.profile_holding.sum(axis=1)
    exposure: float | None = None
    for s in np.flatnonzero(overall):
        if len(profiles):
            rate = float((holding[s] / rows).max()) / (int(overall[s]) / population.rows)
            exposure = rate if exposure is None else max(exposure, rate)
    certain = ((population.profile_holding == population.profile_rows) & (population.profile_rows > 0)).any(
        axis=0
    )
    return PriorFigures(
        exposure,
        int(np.count_nonzero(population.profile_rows == 1)),
        int(np.count_nonzero(certain[population.profile] & population.target)),
    )


def evidence(standing: Standing) -> Evidence:
    """Evidence on every target; the status speaks of the release-only compatibility set."""
    targets = np.flatnonzero(standing.population.target)
    at = standing.classes.of_row[targets]
    lift = standing.rates.lift[:, at]
    e = np.full(lift.shape, np.nan)
    with np.errstate(divide="ignore"):
        np.log(lift, out=e, where=lift >= 0)
    return Evidence(
        targets,
        standing.classes.holding[:, at],
        standing.classes.size[at],
        e,
        _statuses(standing, targets),
    )


def _statuses(standing: Standing, targets: NDArray[np.int64]) -> tuple[Status, ...]:
    classes = _release_only(standing)
    present = standing.prefix.present[targets]
    empty = classes.size[classes.of_row[targets]] == 0
    return tuple(
        "present" if p else "no_evidence" if e else "lookalikes"
        for p, e in zip(present.tolist(), empty.tolist(), strict=True)
    )


def _release_only(standing: Standing) -> Classes:
    kind = standing.population.observer.kind
    if kind in ("release-only", "smoothed"):
        return standing.classes
    return classify(standing.population, released_reading(standing.prefix))
