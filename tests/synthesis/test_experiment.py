from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from curator_gui.core.errors import Cancelled
from curator_gui.core.progress import silent
from curator_gui.synthesis.experiment import Design, Record, interest_pairs, paired_ratio, run
from curator_gui.synthesis.noise import SeededNoise

NAMES = ("a", "b", "c")
SIZES = (2, 3, 2)
CODES = np.random.default_rng(0).integers(0, SIZES, (500, 3))


def records(design: Design, progress: object = silent) -> list[Record]:
    ticks = count()
    return list(run(design, NAMES, SIZES, CODES, SeededNoise, lambda: float(next(ticks)), progress))  # type: ignore[arg-type]


def test_every_combination_is_run_and_timed_by_the_clock_given() -> None:
    design = Design(("aim", "cusyn-aim"), (0.5, 1.0), (1, 2), (7, 8), 1e-6, rounds=2)

    made = records(design)

    cases = {(r.mechanism, r.epsilon, r.length, r.seed, r.round) for r in made}
    assert len(cases) == len(made) == 32
    assert {r.seconds for r in made} == {1.0}
    assert all(0 <= r.interest_error <= 1 and 0 <= r.workload_error <= 1 for r in made)


def test_the_same_design_gives_the_same_records() -> None:
    design = Design(("cusyn-aim",), (1.0,), (2,), (3,), 1e-6)

    assert records(design) == records(design)


def test_options_reach_the_request() -> None:
    few, many = (
        records(Design(("cusyn-aim",), (1.0,), (1,), (3,), 1e-6, options={"priority": p}))[0] for p in (0, 1)
    )

    assert few.interest_error != many.interest_error


def test_a_short_list_of_interest_pairs_begins_a_longer_one() -> None:
    names = [str(i) for i in range(8)]

    assert interest_pairs(names, 10, seed=5)[:4] == interest_pairs(names, 4, seed=5)
    assert interest_pairs(names, 4, seed=5, round=1) != interest_pairs(names, 4, seed=5)
    assert len(set(interest_pairs(names, 99, seed=5))) == 28


def test_a_ratio_pairs_records_of_one_case() -> None:
    made = [
        Record(m, 1.0, 5, 0, seed, 0.1, error, 0.0, 0.0)
        for seed, base in enumerate((0.1, 0.2, 0.4))
        for m, error in (("aim", base), ("cusyn-aim", base / 2))
    ]  # type: ignore[misc]

    ratio = paired_ratio(made, "cusyn-aim", "aim", lambda r: r.workload_error)

    assert ratio.low == ratio.median == ratio.high == pytest.approx(0.5)


def test_an_experiment_can_be_cancelled() -> None:
    def cancel(done: float, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        records(Design(("aim",), (1.0,), (1,), (1,), 1e-6), cancel)
