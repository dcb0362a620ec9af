"""What each mechanism will measure and select, and with how much of the budget: known before any noise.

Every mechanism is measurements first, rounds of selecting and measuring, measurements last. Sources: AIM and
MWEM+PGM as in McKenna, Mullins, Sheldon and Miklau, "AIM" (2022); CuSyn's Algorithms 2 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curator_gui.synthesis.accounting import marginal_cost, selection_cost, selection_epsilon_for, sigma_for
from curator_gui.synthesis.interactions import subsets
from curator_gui.synthesis.junction_tree import AttributeSet, cells
from curator_gui.synthesis.request import Mechanism, SynthesisRequest

SELECTION_SHARE = 0.1
TOTAL_SHARE = 0.01
ONE_WAY_SHARE = 0.03
"""What cusyn-aim spends on the attributes that no interest query covers, where there are any."""


NOISE_MEAN = math.sqrt(2 / math.pi)
"""The mean absolute value of Gaussian noise, in σ."""


@dataclass(frozen=True)
class Pace:
    """How rounds that adapt share out their budget.

    per_attribute: σ begins where so many rounds an attribute would spend everything, were it never halved.
    selection_share: what of a round's cost goes to its selection.
    spread: σ is halved only while what is left would pay for so many rounds of the finer kind.
    """

    per_attribute: int
    selection_share: float
    spread: int


AIM_PACE = Pace(per_attribute=16, selection_share=SELECTION_SHARE, spread=0)
CUSYN_PACE = Pace(per_attribute=8, selection_share=0.25, spread=8)
"""After the interest queries: AIM's own pace ends in a few very exact measurements, ill-chosen ones."""


@dataclass(frozen=True)
class Step:
    """A measurement decided beforehand."""

    attributes: AttributeSet
    sigma: float


@dataclass(frozen=True)
class Rounds:
    """Rounds of one selection with ε and one measurement with σ, while spending stays within ``until``.

    until: units of ρ, counted from the start of the run.
    weights: the candidates, each with the factor of its score.
    pace: for AIM's way: noise is discounted from scores, σ halves when a round taught nothing, the last round
    takes exactly what is left. None: σ and ε stay.
    """

    until: int
    sigma: float
    epsilon: float
    weights: dict[AttributeSet, int]
    pace: Pace | None = None


@dataclass(frozen=True)
class Schedule:
    first: tuple[Step, ...] = ()
    rounds: Rounds | None = None
    last: tuple[Step, ...] = ()


def schedule(request: SynthesisRequest) -> Schedule:
    """What the request's mechanism does with its budget."""
    return _SCHEDULES[request.mechanism](request)


def _independent(request: SynthesisRequest) -> Schedule:
    return Schedule(first=_shared(request, _one_ways(request), request.rho))


def _aim(request: SynthesisRequest) -> Schedule:
    return _aim_until(request, request.rho)


def _aim_until(request: SynthesisRequest, units: int, last: tuple[Step, ...] = ()) -> Schedule:
    rounds = _adaptive_rounds(request, units, units, AIM_PACE)
    if rounds is None:
        return Schedule(last=last)
    cost = marginal_cost(rounds.sigma, request.bound)
    first = [Step(s, rounds.sigma) for s in _one_ways(request)]
    return Schedule(tuple(first[: units // cost]), rounds, last)


def _cusyn_aim(request: SynthesisRequest) -> Schedule:
    queries = _worth_measuring(request) if request.priority > 0 else ()
    if request.interest_sets and not queries:
        return _aim(request)
    covered = {a for q in queries for a in q}
    bare = [s for s in _one_ways(request) if s[0] not in covered]
    bare_units = _share(ONE_WAY_SHARE, request.rho) if bare else 0
    dedicated = min(_share(request.priority, request.rho), request.rho - bare_units) if queries else 0
    first = _shared(request, queries, dedicated) + _shared(request, bare, bare_units)
    spent = sum(marginal_cost(s.sigma, request.bound) for s in first)
    return Schedule(first, _adaptive_rounds(request, request.rho - spent, request.rho, CUSYN_PACE))


def _worth_measuring(request: SynthesisRequest) -> tuple[AttributeSet, ...]:
    """The interest queries without the noisiest, one by one, while its noise would drown it."""
    queries = list(request.interest_sets)
    most = drowning_rows(request.declared_rows)
    while queries:
        steps = _shared(request, queries, _share(request.priority, request.rho))
        noise = {s.attributes: noise_rows(request, s.attributes, s.sigma) for s in steps}
        noisiest = max(noise, key=lambda q: noise[q], default=None)
        if noisiest is None or noise[noisiest] <= most:
            break
        queries.remove(noisiest)
    return tuple(queries)


def drowning_rows(size: int | None) -> float:
    """The noise, in rows, from which on cusyn-aim leaves an interest query to its rounds.

    Its noise would be fitted and little else, while the rounds come near it by smaller marginals. Seven times
    √n, a tenth of five thousand rows and a fiftieth of a hundred thousand, was found by trial. Without a
    declared size every query is measured.
    """
    return 7 * math.sqrt(size) if size else math.inf


def noise_rows(request: SynthesisRequest, attributes: AttributeSet, sigma: float) -> float:
    """Half the expected L1 error, in rows, that noise of scale σ makes in a marginal."""
    return 0.5 * NOISE_MEAN * sigma * cells(request.sizes, attributes)


def _cusyn_aim_last(request: SynthesisRequest) -> Schedule:
    dedicated = _share(request.priority, request.rho) if request.interest_sets else 0
    return _aim_until(request, request.rho - dedicated, _shared(request, request.interest_sets, dedicated))


def _mwem(request: SynthesisRequest) -> Schedule:
    first = _shared(request, [()], _share(TOTAL_SHARE, request.rho))
    left = request.rho - sum(marginal_cost(s.sigma, request.bound) for s in first)
    return Schedule(first, _even_rounds(request, left, extra=0, until=request.rho))


def _cusyn_mwem(request: SynthesisRequest) -> Schedule:
    extra = len(request.interest_sets)
    rounds = _even_rounds(request, request.rho, extra, request.rho)
    last = tuple(Step(q, rounds.sigma) for q in request.interest_sets)
    reserved = sum(marginal_cost(s.sigma, request.bound) for s in last)
    return Schedule((), _even_rounds(request, request.rho, extra, request.rho - reserved), last)


_SCHEDULES: dict[Mechanism, Callable[[SynthesisRequest], Schedule]] = {
    "cusyn-aim": _cusyn_aim,
    "aim": _aim,
    "mwem": _mwem,
    "cusyn-mwem": _cusyn_mwem,
    "cusyn-aim-last": _cusyn_aim_last,
    "independent": _independent,
}


def _adaptive_rounds(request: SynthesisRequest, units: int, until: int, pace: Pace) -> Rounds | None:
    """Rounds on so many units, T of them if σ never halved; None where they buy nothing."""
    per_round = units // (pace.per_attribute * len(request.sizes))
    sigma, epsilon = round_noise(per_round, pace.selection_share, request.bound)
    if not math.isfinite(sigma):
        return None
    return Rounds(until, sigma, epsilon, _closure_weights(request.workload_sets), pace)


def _even_rounds(request: SynthesisRequest, units: int, extra: int, until: int) -> Rounds:
    """T = d equal rounds and ``extra`` measurements of the same σ: T·ε²/8 + (T + extra)/(2σ²) = ρ."""
    count = len(request.sizes)
    sigma = sigma_for(max(_share(1 - SELECTION_SHARE, units) // (count + extra), 1), request.bound)
    epsilon = selection_epsilon_for(max(_share(SELECTION_SHARE, units) // count, 1), request.bound)
    return Rounds(until, sigma, epsilon, dict.fromkeys(request.workload_sets, 1))


def round_noise(units: int, selection_share: float, bound: int) -> tuple[float, float]:
    """(σ, ε) of a round that costs at most so many units; (∞, 0) where they buy nothing."""
    selection = _share(selection_share, units)
    if selection < 1 or units - selection < 1:
        return math.inf, 0.0
    epsilon = selection_epsilon_for(selection, bound)
    return sigma_for(units - selection_cost(epsilon, bound), bound), epsilon


def _closure_weights(workload: Sequence[AttributeSet]) -> dict[AttributeSet, int]:
    """AIM's candidates, all that lies in a workload query, and w_r = Σ_s |r ∩ s| over the workload."""
    closure = dict.fromkeys(r for s in workload for r in subsets(s) if r)
    members = [frozenset(s) for s in workload]
    return {r: sum(len(s.intersection(r)) for s in members) for r in closure}


def _shared(request: SynthesisRequest, sets: Sequence[AttributeSet], units: int) -> tuple[Step, ...]:
    """Measurements that together cost at most so many units, ρ_q ∝ cells^(2/3): the least summed L1 error."""
    weights = [cells(request.sizes, s) ** (2 / 3) for s in sets]
    steps = []
    for attributes, weight in zip(sets, weights, strict=True):
        own = int(units * (weight / sum(weights)) * (1 - 1e-12))
        if own > 0:
            steps.append(Step(attributes, sigma_for(own, request.bound)))
    return tuple(steps)


def _one_ways(request: SynthesisRequest) -> list[AttributeSet]:
    return [(a,) for a in range(len(request.sizes))]


def _share(share: float, units: int) -> int:
    return min(int(share * units), units)
