"""The loop of CuSyn's experiments: mechanisms against each other on the same interest queries and seeds.

Errors compare with the real table, so this is for public data alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.progress import Progress
from curator_gui.core.zcdp import rho_of
from curator_gui.synthesis.accounting import RHO_UNITS, rho_units
from curator_gui.synthesis.junction_tree import AttributeSet
from curator_gui.synthesis.mechanisms import synthesize
from curator_gui.synthesis.noise import Noise
from curator_gui.synthesis.quality import Marginals, mean_error
from curator_gui.synthesis.request import Mechanism, SynthesisRequest


@dataclass(frozen=True)
class Design:
    """Every combination of these is run. ε is at δ; lengths count the interest queries of one round.

    rounds: how many releases, each with interest queries of its own, a seed has. options: more arguments of
    SynthesisRequest, such as ``priority``.
    """

    mechanisms: tuple[Mechanism, ...]
    epsilons: tuple[float, ...]
    lengths: tuple[int, ...]
    seeds: tuple[int, ...]
    delta: float
    rounds: int = 1
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Record:
    """One run. Errors are means of ½‖p̂ − p‖₁; seconds are by the clock given; rho_spent is in ρ."""

    mechanism: Mechanism
    epsilon: float
    length: int
    round: int
    seed: int
    interest_error: float
    workload_error: float
    seconds: float
    rho_spent: float


@dataclass(frozen=True)
class Ratio:
    """A median over seeds and rounds of error / the baseline's error, with a bootstrap interval of 95 %."""

    median: float
    low: float
    high: float


def run(  # noqa: PLR0917 - a design, its data, and what it must not hold itself
    design: Design,
    names: tuple[str, ...],
    sizes: tuple[int, ...],
    codes: NDArray[np.integer[Any]],
    noise: Callable[[int], Noise],
    clock: Callable[[], float],
    progress: Progress,
) -> Iterator[Record]:
    """Run the design on [rows, d] codes, a record as each run ends.

    noise: a fresh source for a seed. clock: seconds from any start. Runs that differ in the mechanism alone
    have the same interest queries and the same seed of noise.
    """
    cases = list(
        product(design.seeds, range(design.rounds), design.epsilons, design.lengths, design.mechanisms)
    )
    real = Marginals(codes, sizes)
    for done, (seed, number, epsilon, length, mechanism) in enumerate(cases):
        progress(done / len(cases), f"{mechanism}, ε = {epsilon:g}, L = {length}, seed {seed}")
        request = SynthesisRequest(
            names,
            sizes,
            rho_units(rho_of(epsilon, design.delta)),
            mechanism,
            interest=interest_pairs(names, length, seed, number),
            declared_rows=len(codes),
            **design.options,
        )
        started = clock()
        made = synthesize(
            request, codes, noise(_noise_seed(seed, number)), lambda _, stage: progress(0.0, str(stage))
        )
        seconds = clock() - started
        made_marginals = Marginals(made.codes, sizes)
        yield Record(
            mechanism,
            epsilon,
            length,
            number,
            seed,
            mean_error(real, made_marginals, request.interest_sets),
            mean_error(real, made_marginals, request.workload_sets),
            seconds,
            made.spent / RHO_UNITS,
        )


def interest_pairs(
    names: Sequence[str], length: int, seed: int, round: int = 0
) -> tuple[tuple[str, str], ...]:
    """So many different pairs of columns, drawn by the seed; fewer are the beginning of more."""
    pairs: list[AttributeSet] = [(a, b) for b in range(len(names)) for a in range(b)]
    order = np.random.default_rng([seed, round]).permutation(len(pairs))[:length]
    return tuple((names[pairs[i][0]], names[pairs[i][1]]) for i in order)


def paired_ratio(
    records: Sequence[Record], mechanism: Mechanism, baseline: Mechanism, error: Callable[[Record], float]
) -> Ratio:
    """The mechanism's error relative to the baseline's in the same case, over all cases of the records."""
    base = {_case(r): error(r) for r in records if r.mechanism == baseline}
    ratios = np.array([error(r) / base[_case(r)] for r in records if r.mechanism == mechanism])
    resampled = np.random.default_rng(0).choice(ratios, (2000, len(ratios)))
    low, high = np.quantile(np.median(resampled, axis=1), [0.025, 0.975])
    return Ratio(float(np.median(ratios)), float(low), float(high))


def _case(record: Record) -> tuple[float, int, int, int]:
    return record.epsilon, record.length, record.round, record.seed


def _noise_seed(seed: int, round: int) -> int:
    return int(np.random.SeedSequence([seed, round, 1]).generate_state(1)[0])
