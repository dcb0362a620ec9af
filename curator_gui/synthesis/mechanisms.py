"""Select, measure, generate: the one loop that every mechanism runs through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError
from curator_gui.synthesis.accounting import Filter, marginal_cost, selection_cost
from curator_gui.synthesis.beliefs import Layout, Model
from curator_gui.synthesis.estimator import CONVERGED, LOOSE, Effort, Estimator
from curator_gui.synthesis.interactions import Measurement, MergedMeasurements
from curator_gui.synthesis.junction_tree import (
    AttributeSet,
    JunctionTree,
    cells,
    junction_tree,
    model_cells,
)
from curator_gui.synthesis.noise import Noise
from curator_gui.synthesis.quality import Marginals
from curator_gui.synthesis.request import SynthesisRequest
from curator_gui.synthesis.sampling import Codes, draw_rows
from curator_gui.synthesis.schedules import (
    NOISE_MEAN,
    Rounds,
    Schedule,
    Step,
    noise_rows,
    round_noise,
    schedule,
)
from curator_gui.synthesis.stages import Phase, Stage, StageProgress

SCORE_LATTICE = 1 << 10
"""Scores are whole multiples of a 1024th of a row, so that their sensitivity holds exactly."""

NOISE_CELLS = 20_000
"""As many cells as get their noise in about a third of a second."""


@dataclass(frozen=True)
class Entry:
    """One line of what was measured. round: None for a measurement decided beforehand; cost: units of ρ."""

    attributes: AttributeSet
    sigma: float
    cost: int
    round: int | None = None
    epsilon: float | None = None


@dataclass(frozen=True)
class ExpectedError:
    """What noise alone is expected to do to one interest query, known before spending.

    sigma: None where the query is not measured by itself, because the mechanism does not or noise would drown
    it; then the errors are None too.
    rows: half the expected L1 error, in rows. share: the same relative to the declared size, if there is one.
    """

    attributes: AttributeSet
    cells: int
    sigma: float | None
    rows: float | None
    share: float | None


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthetic table and what it cost.

    codes: [rows, d], smallest unsigned dtype. spent: units of ρ, never above the request's.
    private: False where the noise came from a seed; such a result must not be released.
    """

    request: SynthesisRequest
    codes: Codes
    log: tuple[Entry, ...]
    spent: int
    total: float
    expected: tuple[ExpectedError, ...]
    model_cells: int
    private: bool


def synthesize(
    request: SynthesisRequest, codes: NDArray[np.integer[Any]], noise: Noise, progress: StageProgress
) -> Synthesis:
    """Run the request's mechanism on [rows, d] codes, column j's below ``sizes[j]``.

    ``progress`` hears of every step of every fit, and may raise Cancelled at any: what is spent stays spent.
    """
    return Run(request, codes, noise, progress).result()


def expected_errors(request: SynthesisRequest) -> tuple[ExpectedError, ...]:
    """For each interest query the error to expect, from σ and cells alone."""
    plan = schedule(request)
    precision: dict[AttributeSet, float] = {}
    for step in (*plan.first, *plan.last):
        precision[step.attributes] = precision.get(step.attributes, 0.0) + step.sigma**-2
    return tuple(_expected(request, q, precision.get(q)) for q in request.interest_sets)


def _expected(request: SynthesisRequest, query: AttributeSet, precision: float | None) -> ExpectedError:
    count = cells(request.sizes, query)
    if precision is None:
        return ExpectedError(query, count, None, None, None)
    sigma = precision**-0.5
    rows = noise_rows(request, query, sigma)
    share = rows / request.declared_rows if request.declared_rows else None
    return ExpectedError(query, count, sigma, rows, share)


class Run:
    """One synthesis under way: what is spent, what is measured, and the model so far.

    plan: another schedule than the mechanism's own. Every look at the rows goes through ``_measure`` or
    ``_select``, which charge first.
    """

    def __init__(
        self,
        request: SynthesisRequest,
        codes: NDArray[np.integer[Any]],
        noise: Noise,
        progress: StageProgress,
        plan: Schedule | None = None,
    ) -> None:
        _require_codes(request, codes)
        self._request = request
        self._real = Marginals(codes, request.sizes)
        self._noise = noise
        self._progress = progress
        self._said = Stage(Phase.MEASURING)
        self._plan = schedule(request) if plan is None else plan
        self._filter = Filter(request.rho)
        self._merged = MergedMeasurements(request.sizes)
        self._estimator = Estimator(self._check)
        self._layout = Layout(junction_tree(request.sizes, []))
        self._model = Model.uniform(self._layout)
        self._planned = [s.attributes for s in (*self._plan.first, *self._plan.last) if s.attributes]
        self._log: list[Entry] = []
        self._grown_from: tuple[AttributeSet, ...] = ()
        self._grown: dict[AttributeSet, int] = {}

    def result(self) -> Synthesis:
        """Measure, fit, draw."""
        self.measure()
        self._said = Stage(Phase.FITTING)
        self._model = self._fit(CONVERGED)
        self._said = Stage(Phase.DRAWING)
        rows = self._request.rows or max(1, round(self._total))
        return Synthesis(
            self._request,
            draw_rows(self._model, rows, self._noise.generator(), self._check),
            tuple(self._log),
            self._filter.spent,
            self._total,
            expected_errors(self._request),
            self._layout.tree.cells,
            self._noise.private,
        )

    def measure(self) -> None:
        """All that looks at the rows: the schedule from beginning to end."""
        self._measure_all(self._plan.first)
        if self._plan.rounds:
            self._model = self._fit(LOOSE)
            self._run_rounds(self._plan.rounds)
        self._measure_all(self._plan.last)

    def _measure_all(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self._said = Stage(Phase.MEASURING, self._request.named(step.attributes))
            self._measure(step)

    @property
    def _total(self) -> float:
        return max(self._merged.total or 0.0, 0.0)

    def _check(self) -> None:
        self._progress(self._filter.spent / self._filter.limit * 0.95, self._said)

    def _measure(self, step: Step, round: int | None = None, epsilon: float | None = None) -> None:
        """Charge, then draw the noise."""
        cost = marginal_cost(step.sigma, self._request.bound)
        self._charge(step.attributes, cost)
        noisy = self._noisy(self._real.counts(step.attributes).astype(np.int64), step.sigma)
        self._merged.add(Measurement(step.attributes, noisy, step.sigma))
        self._log.append(Entry(step.attributes, step.sigma, cost, round, epsilon))

    def _noisy(self, counts: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
        """Counts with noise, drawn in parts between which the user may cancel."""
        parts = []
        for part in np.array_split(counts, -(-counts.size // NOISE_CELLS)):
            self._check()
            parts.append(self._noise.gaussian(part, sigma))
        return np.concatenate(parts)

    def _charge(self, measured: AttributeSet | None, cost: int) -> None:  # noqa: ARG002 - for what it is
        """Spend for a measurement, or for a selection (None)."""
        self._filter.charge(cost)

    def _fit(self, effort: Effort) -> Model:
        measured = dict.fromkeys(e.attributes for e in self._log if e.attributes)
        if any(self._layout.tree.home(s) is None for s in measured):
            self._layout = Layout(junction_tree(self._request.sizes, measured))
        return self._estimator.fit(self._layout, self._merged, effort)

    def _run_rounds(self, rounds: Rounds) -> None:
        sigma, epsilon, number, last = rounds.sigma, rounds.epsilon, 0, False
        while not last:
            number += 1
            left = min(rounds.until - self._filter.spent, self._filter.left)
            if rounds.pace and left < 2 * self._round_cost(sigma, epsilon):
                sigma, epsilon = round_noise(left, rounds.pace.selection_share, self._request.bound)
                last = True
            if not math.isfinite(sigma) or self._round_cost(sigma, epsilon) > left:
                return
            taught = self._round(rounds, number, sigma, epsilon)
            if taught is None:
                return
            if (
                rounds.pace
                and not taught
                and self._affords(rounds, rounds.pace.spread, sigma / 2, epsilon * 2)
            ):
                sigma, epsilon = sigma / 2, epsilon * 2

    def _affords(self, rounds: Rounds, count: int, sigma: float, epsilon: float) -> bool:
        return self._filter.spent + count * self._round_cost(sigma, epsilon) <= rounds.until

    def _round_cost(self, sigma: float, epsilon: float) -> int:
        if not math.isfinite(sigma):
            return 0
        return marginal_cost(sigma, self._request.bound) + selection_cost(epsilon, self._request.bound)

    def _round(self, rounds: Rounds, number: int, sigma: float, epsilon: float) -> bool | None:
        """Select, measure and fit once; whether the model moved by more than the noise would move it.

        None where no candidate is left to measure.
        """
        candidates = self._candidates(rounds)
        if not candidates:
            return None
        chosen = candidates[self._select(rounds, candidates, sigma, epsilon)]
        self._said = Stage(Phase.ROUND, self._request.named(chosen), number)
        before = self._model.marginal(chosen) * self._total
        self._measure(Step(chosen, sigma), number, epsilon)
        self._model = self._fit(LOOSE)
        moved = np.abs(self._model.marginal(chosen) * self._total - before).sum()
        return bool(moved > NOISE_MEAN * sigma * before.size)

    def _candidates(self, rounds: Rounds) -> list[AttributeSet]:
        """Those with which the model stays in its limit; in AIM's rounds, in the share of it paid for so far.

        What will be measured last counts from the start.
        """
        sizes = self._request.sizes
        limit = self._limit(rounds)
        if math.prod(sizes) <= min(self._request.growth_limit, self._request.model_limit):
            return list(rounds.weights)
        kept = self._planned + [e.attributes for e in self._log if e.round]
        tree = junction_tree(sizes, kept)
        return [r for r in rounds.weights if self._fits(tree, r, kept, limit)]

    def _limit(self, rounds: Rounds) -> float:
        """The cells that the model may have in the next round."""
        request = self._request
        growth = float(request.growth_limit)
        if rounds.pace:
            growth *= self._filter.spent / self._filter.limit
        return min(request.model_limit, model_cells(request.sizes, self._planned) + growth)

    def _fits(
        self, tree: JunctionTree, candidate: AttributeSet, kept: list[AttributeSet], limit: float
    ) -> bool:
        self._check()
        if tree.home(candidate) is not None:
            return True
        structure = tree.cliques
        if structure != self._grown_from:
            self._grown_from, self._grown = structure, {}
        if candidate not in self._grown:
            self._grown[candidate] = model_cells(tree.sizes, [*kept, candidate])
        return self._grown[candidate] <= limit

    def _select(self, rounds: Rounds, candidates: list[AttributeSet], sigma: float, epsilon: float) -> int:
        """Charge, then choose a candidate by its score with noise."""
        self._charge(None, selection_cost(epsilon, self._request.bound))
        estimates = self._model.all_marginals(candidates)
        scores = np.array(
            [
                rounds.weights[r] * self._score(r, m, sigma if rounds.pace else 0.0)
                for r, m in zip(candidates, estimates, strict=True)
            ],
            np.int64,
        )
        largest = max(rounds.weights[r] for r in candidates)
        return self._noise.noisy_max(scores, largest * SCORE_LATTICE, epsilon)

    def _score(self, candidate: AttributeSet, estimate: NDArray[np.float64], sigma: float) -> int:
        """‖M(D) − M̂‖₁ − √(2/π)·σ·cells on the lattice; all of it but M(D) is rounded before M(D) enters."""
        expected = np.rint(estimate.ravel() * (self._total * SCORE_LATTICE)).astype(np.int64)
        counted = self._real.counts(candidate).astype(np.int64) * SCORE_LATTICE
        penalty = round(NOISE_MEAN * sigma * estimate.size * SCORE_LATTICE)
        return int(np.abs(counted - expected).sum()) - penalty


def _require_codes(request: SynthesisRequest, codes: NDArray[np.integer[Any]]) -> None:
    if codes.ndim != 2 or codes.shape[1] != len(request.sizes) or codes.dtype.kind not in "iu":
        raise InputError(
            f"A synthesis of {len(request.sizes)} columns needs as many columns of whole numbers;"
            f" this table has shape {codes.shape}."
        )
    if len(codes) and ((codes.min(axis=0) < 0).any() or (codes.max(axis=0) >= request.sizes).any()):
        raise InputError("A code lies outside its column's domain; encode the table with the domain first.")
