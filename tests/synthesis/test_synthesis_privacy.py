"""Runs of selection and measurement on two neighbours, counted: the guarantee holds, and its breach is seen.

The second table has one row more. A run's transcript, what its noise source gave out, is summed up as its
log-likelihood ratio between the two tables; the event E is that it passes ε′. For a mechanism that is ρ-zCDP,
P(E | D) − e^ε′·P(E | D′) is at most δ_ρ(ε′) in either direction. A mechanism is caught when the
Clopper–Pearson bounds put that difference above δ_ρ(ε′) with 99.9 % confidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta

from curator_gui.core.progress import silent
from curator_gui.synthesis.accounting import (
    RHO_UNITS,
    delta_from_rho,
    rho_units,
    selection_epsilon_for,
    sigma_for,
)
from curator_gui.synthesis.beliefs import Model
from curator_gui.synthesis.estimator import Effort
from curator_gui.synthesis.junction_tree import AttributeSet
from curator_gui.synthesis.mechanisms import Run
from curator_gui.synthesis.noise import Noise, OpenDPNoise, SeededNoise
from curator_gui.synthesis.request import SynthesisRequest
from curator_gui.synthesis.schedules import Rounds, Schedule, Step

RHO = 0.5
GRID = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
REQUEST = SynthesisRequest(("a", "b"), (2, 2), rho_units(RHO), workload=(("a",), ("b",)))

# "a" is always 1 and "b" always 0: one more row (1, 1) takes "a" a row away from any uniform model, "b" a row
# nearer. That is the most a selection's scores can part.
SMALLER = np.array([[1, 0]] * 40)
LARGER = np.vstack([SMALLER, [[1, 1]]])


class Transcript:
    """A noise source that sums up, as the log-likelihood ratio of LARGER to SMALLER, all it gives out."""

    def __init__(self, noise: Noise, held: NDArray[np.int64], accuracy: float = 1.0) -> None:
        self._noise = noise
        self._held = held
        self._accuracy = accuracy
        self.log_ratio = 0.0

    @property
    def private(self) -> bool:
        return False

    def generator(self) -> np.random.Generator:
        return self._noise.generator()

    def gaussian(self, counts: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
        noisy = self._noise.gaussian(counts, sigma / self._accuracy)
        cell = -1
        lower = self._smaller_count(counts)
        excess = float(noisy[cell]) - lower
        self.log_ratio += (excess**2 - (excess - 1) ** 2) / (2 * (sigma / self._accuracy) ** 2)
        return noisy

    def _smaller_count(self, counts: NDArray[np.int64]) -> int:
        """What SMALLER holds in the last cell, where LARGER's row lies."""
        return int(counts[-1]) - (len(self._held) - len(SMALLER))

    def noisy_max(self, scores: NDArray[np.int64], sensitivity: int, epsilon: float) -> int:
        chosen = self._noise.noisy_max(scores, sensitivity, epsilon)
        odds = 1 / (1 + np.exp(-epsilon))
        self.log_ratio += float(np.log(2 * (odds if chosen == 0 else 1 - odds)))
        return chosen


class Measuring(Run):
    """The product's run, whose model stays uniform."""

    def _fit(self, effort: Effort) -> Model:
        return self._model


class UnpaidSelections(Measuring):
    def _charge(self, measured: AttributeSet | None, cost: int) -> None:
        if measured is not None:
            super()._charge(measured, cost)


class UnpaidTotal(Measuring):
    def _charge(self, measured: AttributeSet | None, cost: int) -> None:
        if measured != ():
            super()._charge(measured, cost)


def plan(total: float, marginal: float, selection: float) -> Schedule:
    """The total, then rounds until ρ is spent; the amounts are ρ."""
    rounds = Rounds(
        REQUEST.rho,
        sigma_for(int(marginal * RHO_UNITS)),
        selection_epsilon_for(int(selection * RHO_UNITS)),
        {(0,): 1, (1,): 1},
    )
    return Schedule((Step((), sigma_for(int(total * RHO_UNITS))),), rounds)


SELECTING = plan(total=0.1, marginal=0.04, selection=0.16)
COUNTING = plan(total=0.45, marginal=0.24, selection=0.01)


@dataclass(frozen=True)
class Trial:
    kind: type[Measuring]
    plan: Schedule
    accuracy: float = 1.0

    def log_ratios(self, table: NDArray[np.int64], runs: int, noise: Noise) -> NDArray[np.float64]:
        out = np.empty(runs)
        for i in range(runs):
            transcript = Transcript(noise, table, self.accuracy)
            self.kind(REQUEST, table, transcript, silent, self.plan).measure()
            out[i] = transcript.log_ratio
        return out


def breaches(trial: Trial, runs: int, noise: Noise) -> list[str]:
    """Where the difference of probabilities passes δ for certain, in either direction."""
    larger, smaller = (trial.log_ratios(t, runs, noise) for t in (LARGER, SMALLER))
    found = []
    for epsilon in GRID:
        allowed = delta_from_rho(RHO, epsilon)
        for name, here, there in (("added", larger, smaller), ("removed", -smaller, -larger)):
            least = surely_at_least(here > epsilon) - np.exp(epsilon) * surely_at_most(there > epsilon)
            if least > allowed:
                found.append(f"{name}: {least:.3f} > δ({epsilon}) = {allowed:.3f}")
    return found


def surely_at_least(hits: NDArray[np.bool_]) -> float:
    k, n = int(hits.sum()), len(hits)
    return float(beta.ppf(0.0005, k, n - k + 1)) if k else 0.0


def surely_at_most(hits: NDArray[np.bool_]) -> float:
    k, n = int(hits.sum()), len(hits)
    return float(beta.ppf(0.9995, k + 1, n - k)) if k < n else 1.0


HONEST = {"selecting": Trial(Measuring, SELECTING), "counting": Trial(Measuring, COUNTING)}
SABOTAGED = {
    "half the noise": Trial(Measuring, COUNTING, accuracy=2.0),
    "selections not paid": Trial(UnpaidSelections, SELECTING),
    "the total not paid": Trial(UnpaidTotal, COUNTING),
}
ENOUGH = {"half the noise": 2_500, "selections not paid": 1_000}
"""So many runs suffice; twenty thousand take minutes."""


@pytest.mark.parametrize("name", HONEST)
def test_neighbours_are_as_hard_to_tell_apart_as_promised(name: str) -> None:
    assert breaches(HONEST[name], 3_000, SeededNoise(1)) == []


@pytest.mark.parametrize("name", ENOUGH)
def test_a_broken_mechanism_is_caught(name: str) -> None:
    assert breaches(SABOTAGED[name], ENOUGH[name], SeededNoise(2)) != []


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("source", [lambda: SeededNoise(3), OpenDPNoise], ids=["seeded", "opendp"])
def test_twenty_thousand_runs_keep_the_promise(name: str, source: Callable[[], Noise]) -> None:
    assert breaches(HONEST[name], 20_000, source()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SABOTAGED)
def test_twenty_thousand_runs_catch_a_broken_mechanism(name: str) -> None:
    assert breaches(SABOTAGED[name], 20_000, SeededNoise(4)) != []
