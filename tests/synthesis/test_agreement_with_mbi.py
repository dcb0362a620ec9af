"""The estimator beside mbi's, of the field's library, on the same noisy measurements.

mbi brings JAX, so it lives in an environment of its own: CURATOR_TEST_MBI names a Python that has it.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from curator_gui.synthesis.beliefs import Layout, Model
from curator_gui.synthesis.estimator import CONVERGED, Estimator
from curator_gui.synthesis.interactions import Measurement, MergedMeasurements
from curator_gui.synthesis.junction_tree import cells, junction_tree

Set = tuple[int, ...]
Floats = NDArray[np.float64]

PYTHON = os.environ.get("CURATOR_TEST_MBI")
ORACLE = Path(__file__).with_name("mbi_oracle.py")
ITERATIONS = 5_000

pytestmark = pytest.mark.skipif(
    PYTHON is None, reason="set CURATOR_TEST_MBI to a Python that has mbi to compare with it"
)


@dataclass(frozen=True)
class Problem:
    sizes: tuple[int, ...]
    rows: int
    sets: tuple[Set, ...]
    sigma: float
    seed: int


PROBLEMS = {
    "a tree": Problem((3, 4, 2, 5), 5_000, ((0, 1), (1, 2), (2, 3)), 10.0, 1),
    "a loop": Problem((2, 3, 4, 3), 20_000, ((0, 1), (1, 2), (2, 3), (0, 3)), 25.0, 2),
    "measured twice": Problem((4, 4, 3), 2_000, ((0, 1), (0,), (0, 1), (1, 2)), 15.0, 3),
    "little noise": Problem((5, 6, 2), 50_000, ((0, 1), (1, 2)), 0.5, 4),
    "much noise": Problem((3, 3, 3), 300, ((0, 1), (1, 2)), 20.0, 5),
    "three at once": Problem((2, 3, 2, 2, 6), 10_000, ((0, 1, 2), (2, 3), (3, 4)), 8.0, 6),
}


def measured(problem: Problem) -> list[Measurement]:
    """Noisy marginals of a table whose attributes depend on each other."""
    random = np.random.default_rng(problem.seed)
    joint = random.dirichlet(np.full(np.prod(problem.sizes), 0.3))
    table = random.multinomial(problem.rows, joint).reshape(problem.sizes)
    found = []
    for s in problem.sets:
        exact = table.sum(axis=tuple(a for a in range(table.ndim) if a not in s)).ravel()
        noise = np.rint(random.normal(0, problem.sigma, exact.size)).astype(np.int64)
        found.append(Measurement(s, exact + noise, problem.sigma))
    return found


def ours(problem: Problem, measurements: list[Measurement]) -> tuple[Model, float]:
    merged = MergedMeasurements(problem.sizes)
    for m in measurements:
        merged.add(m)
    layout = Layout(junction_tree(problem.sizes, problem.sets))
    assert merged.total is not None
    return Estimator(lambda: None).fit(layout, merged, CONVERGED), merged.total


def theirs(
    problem: Problem, measurements: list[Measurement], total: float, wanted: list[Set]
) -> list[Floats]:
    asked = {
        "sizes": problem.sizes,
        "total": total,
        "measurements": [[m.attributes, m.values.tolist(), m.sigma] for m in measurements],
        "wanted": wanted,
        "iterations": ITERATIONS,
    }
    assert PYTHON is not None
    run = subprocess.run(
        [PYTHON, "-W", "ignore", str(ORACLE)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    return [np.array(counts) for counts in json.loads(run.stdout)]


def loss(measurements: list[Measurement], counts: dict[Set, Floats]) -> float:
    """½·Σ ‖M p − y‖²/σ²."""
    return sum(0.5 * float((((counts[m.attributes] - m.values) / m.sigma) ** 2).sum()) for m in measurements)


@pytest.mark.parametrize("name", PROBLEMS)
def test_marginals_are_those_of_mbi_and_the_loss_is_no_worse(name: str) -> None:
    problem = PROBLEMS[name]
    measurements = measured(problem)
    pairs = list(combinations(range(len(problem.sizes)), 2))
    wanted: list[Set] = list(dict.fromkeys([*problem.sets, *pairs]))

    model, total = ours(problem, measurements)
    mine = {s: model.marginal(s).ravel() * total for s in wanted}
    reference = dict(zip(wanted, theirs(problem, measurements, total, wanted), strict=True))

    for s in wanted:
        assert mine[s].size == cells(problem.sizes, s)
        assert np.abs(mine[s] - reference[s]).max() <= 1e-3 * total, s
    assert loss(measurements, mine) <= loss(measurements, reference) * (1 + 1e-3) + 1e-3
