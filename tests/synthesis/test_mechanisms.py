from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from curator_gui.core.errors import Cancelled, InputError
from curator_gui.core.progress import silent
from curator_gui.core.zcdp import rho_of
from curator_gui.synthesis import (
    MECHANISMS,
    Mechanism,
    OpenDPNoise,
    SeededNoise,
    Synthesis,
    SynthesisRequest,
    expected_errors,
    synthesize,
)
from curator_gui.synthesis.accounting import RHO_UNITS, rho_units, selection_cost
from curator_gui.synthesis.quality import Marginals, mean_error
from curator_gui.synthesis.schedules import schedule
from curator_gui.synthesis.stages import Phase, Stage

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
NAMES = ("a", "b", "c", "d")
SIZES = (2, 3, 4, 2)


def budget(epsilon: float) -> int:
    return rho_units(rho_of(epsilon, 1e-9))


def table(rows: int = 2_000, seed: int = 0) -> NDArray[np.int64]:
    """Four dependent columns."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 2, rows)
    b = (a + random.integers(0, 2, rows)) % 3
    c = (b + (random.random(rows) < 0.3)) % 4
    d = (a ^ (random.random(rows) < 0.1)).astype(int)
    return np.column_stack([a, b, c, d])


def run(codes: NDArray[Any], seed: int = 1, **options: Any) -> Synthesis:
    settings: dict[str, Any] = {"names": NAMES, "sizes": SIZES, "rho": budget(1.0)} | options
    return synthesize(SynthesisRequest(**settings), codes, SeededNoise(seed), silent)


INTEREST = (("a", "c"), ("b", "d"))


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_every_mechanism_spends_what_it_logs_and_no_more(mechanism: Mechanism, epsilon: float) -> None:
    rho = budget(epsilon)

    made = run(table(), mechanism=mechanism, rho=rho, interest=INTEREST)

    selections = sum(selection_cost(e.epsilon) for e in made.log if e.epsilon is not None)
    assert made.spent == sum(e.cost for e in made.log) + selections
    assert 0.95 * rho < made.spent <= rho


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_no_synthetic_value_lies_outside_its_domain(mechanism: Mechanism, epsilon: float) -> None:
    made = run(table(), mechanism=mechanism, rho=budget(epsilon), interest=INTEREST)

    assert made.codes.shape[1] == 4
    assert (made.codes < np.array(SIZES)).all()


@pytest.mark.parametrize("mechanism", ["cusyn-aim", "aim", "cusyn-aim-last"])
def test_with_much_budget_all_pairs_are_right(mechanism: Mechanism) -> None:
    codes = table(20_000)

    made = run(codes, mechanism=mechanism, rho=budget(50.0), interest=INTEREST)

    pairs = list(combinations(range(4), 2))
    assert mean_error(Marginals(codes, SIZES), Marginals(made.codes, SIZES), pairs) < 0.002


@pytest.mark.parametrize("mechanism", ["cusyn-aim", "cusyn-mwem", "cusyn-aim-last"])
def test_every_interest_query_is_measured_for_itself(mechanism: Mechanism) -> None:
    made = run(table(), mechanism=mechanism, interest=INTEREST)

    assert {(0, 2), (1, 3)} <= {e.attributes for e in made.log if e.round is None}


def test_the_default_measures_the_interest_first_and_one_ways_only_where_it_covers_nothing() -> None:
    made = run(table(), interest=(("a", "c"),))

    beforehand = [e.attributes for e in made.log if e.round is None]
    assert beforehand == [(0, 2), (1,), (3,)]


def test_the_interest_gets_its_share_and_larger_queries_more_of_it() -> None:
    rho = budget(1.0)

    made = run(table(), interest=INTEREST, rho=rho, priority=0.4)

    costs = {e.attributes: e.cost for e in made.log if e.round is None}
    assert sum(costs.values()) == pytest.approx(0.4 * rho, rel=1e-9)
    assert costs[0, 2] / costs[1, 3] == pytest.approx((8 / 6) ** (2 / 3))


def test_all_priority_leaves_no_rounds_and_none_leaves_no_interest() -> None:
    all_of_it = run(table(), interest=INTEREST, priority=1.0)
    nothing = run(table(), interest=INTEREST, priority=0.0)

    assert all(e.round is None for e in all_of_it.log)
    assert {e.attributes for e in nothing.log if e.round is None} == {(0,), (1,), (2,), (3,)}


def test_mwem_pays_for_the_total() -> None:
    rho = budget(1.0)

    made = run(table(), mechanism="mwem", rho=rho)

    assert made.log[0].attributes == ()
    assert made.log[0].cost == pytest.approx(0.01 * rho, rel=1e-9)
    assert len(made.log) == 1 + 4


def test_cusyn_mwem_spends_its_budget_on_rounds_and_interest_alone() -> None:
    rho = budget(1.0)

    made = run(table(), mechanism="cusyn-mwem", rho=rho, interest=INTEREST)

    rounds, last = [e for e in made.log if e.round], [e for e in made.log if not e.round]
    assert len(rounds) == 4
    assert len(last) == 2
    assert rounds[0].sigma == last[0].sigma
    assert made.spent == pytest.approx(rho, rel=1e-9)


def test_aims_noise_only_halves_and_its_last_round_takes_what_is_left() -> None:
    rho = budget(1.0)
    made = run(table(), mechanism="aim", rho=rho)

    sigmas = [e.sigma for e in made.log if e.round][:-1]
    steps = {round(a / b, 6) for a, b in pairwise(sigmas)}
    assert steps <= {1.0, 2.0}
    assert rho - made.spent <= 2


def test_a_bound_of_three_rows_a_person_triples_the_noise() -> None:
    one, three = (run(table(), mechanism="independent", bound=m).log[0] for m in (1, 3))

    assert three.sigma == pytest.approx(3 * one.sigma)
    assert three.cost == pytest.approx(one.cost, rel=1e-9)


def test_interest_equal_to_the_workload_is_measured_once_each() -> None:
    pairs = tuple(combinations(NAMES, 2))

    made = run(table(), interest=pairs, workload=pairs)

    assert sorted(e.attributes for e in made.log if e.round is None) == list(combinations(range(4), 2))


def test_duplicate_interest_queries_count_once_whatever_their_order() -> None:
    request = SynthesisRequest(NAMES, SIZES, budget(1.0), interest=(("a", "c"), ("c", "a"), ("a", "c")))

    assert request.interest_sets == ((0, 2),)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_interest_is_no_hindrance(mechanism: Mechanism) -> None:
    assert len(run(table(), mechanism=mechanism).codes) > 0


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.01, 10.0])
@pytest.mark.parametrize(
    "codes",
    [
        np.zeros((0, 4), np.int64),
        np.zeros((1, 4), np.int64),
        np.full((500, 4), 1),
    ],
    ids=["no row", "one row", "one value"],
)
def test_hostile_tables_are_synthesized(mechanism: Mechanism, epsilon: float, codes: NDArray[Any]) -> None:
    made = run(codes, mechanism=mechanism, rho=budget(epsilon), interest=INTEREST)

    assert len(made.codes) >= 1
    assert made.spent <= made.request.rho


def test_three_thousand_values_and_a_column_of_one_are_synthesized() -> None:
    random = np.random.default_rng(0)
    codes = np.column_stack([random.zipf(1.5, 5_000) % 3_000, random.integers(0, 2, 5_000), np.zeros(5_000)])

    made = synthesize(
        SynthesisRequest(("many", "two", "one"), (3_000, 2, 1), budget(1.0), interest=(("many", "two"),)),
        codes.astype(int),
        SeededNoise(3),
        silent,
    )

    assert made.codes[:, 0].max() < 3_000
    assert not made.codes[:, 2].any()


def test_one_column_alone_is_synthesized() -> None:
    made = synthesize(SynthesisRequest(("a",), (5,), budget(1.0)), table()[:, 1:2], SeededNoise(1), silent)

    assert made.codes.shape[1] == 1


def test_so_many_rows_as_asked_for_are_drawn() -> None:
    assert len(run(table(), rows=37).codes) == 37


def test_as_many_rows_as_the_noisy_total_are_drawn() -> None:
    made = run(table(2_000), rho=budget(10.0))

    assert len(made.codes) == round(made.total) == pytest.approx(2_000, abs=50)


def test_six_hundred_sixty_thousand_rows_are_drawn() -> None:
    assert run(table(), rows=660_000).codes.shape == (660_000, 4)


def test_a_large_model_never_passes_its_limit() -> None:
    codes = np.random.default_rng(0).integers(0, 6, (3_000, 6))

    made = synthesize(
        SynthesisRequest(tuple("abcdef"), (6,) * 6, budget(10.0), model_limit=1_000),
        codes,
        SeededNoise(1),
        silent,
    )

    assert made.model_cells <= 1_000


def test_interest_that_comes_last_counts_for_the_model_from_the_start() -> None:
    codes = np.random.default_rng(0).integers(0, 6, (3_000, 6))

    made = synthesize(
        SynthesisRequest(
            tuple("abcdef"),
            (6,) * 6,
            budget(10.0),
            "cusyn-aim-last",
            interest=(("a", "b", "c"), ("d", "e", "f")),
            model_limit=1_500,
        ),
        codes,
        SeededNoise(1),
        silent,
    )

    assert made.model_cells <= 1_500


def test_interest_queries_that_blow_the_model_up_are_named_before_any_charge() -> None:
    with pytest.raises(InputError, match=r"interest query “a × c”.*would pass 5000 cells"):
        SynthesisRequest(
            tuple("abcd"), (20,) * 4, budget(1.0), interest=(("a", "b"), ("b", "d"), ("c", "d"), ("a", "c")),
            model_limit=5_000,
        )  # fmt: skip


def test_interest_that_is_not_measured_may_be_as_large_as_it_likes() -> None:
    request = SynthesisRequest(
        tuple("abc"), (300,) * 3, budget(1.0), "aim", interest=(("a", "b", "c"),), workload=(("a",),)
    )

    assert request.oversized_interest() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interest": (("a", "zip"),)}, "names “zip”"),
        ({"interest": (("a", "a"),)}, "different columns"),
        ({"interest": ((),)}, "one or more different columns"),
        ({"workload": ()}, "workload is empty"),
        ({"priority": 1.5}, "priority is 1.5"),
        ({"priority": float("nan")}, "priority is nan"),
        ({"rows": 0}, "rows to draw is 0"),
        ({"bound": 0}, "person has at most is 0"),
        ({"rho": 0}, "above 0"),
        ({"mechanism": "pgm"}, "“pgm” is no mechanism"),
        ({"sizes": (2, 3, 0, 2)}, "at least one value"),
        ({"names": ("a", "a", "b", "c")}, "no name twice"),
    ],
)
def test_a_bad_request_is_refused_in_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SynthesisRequest(**({"names": NAMES, "sizes": SIZES, "rho": budget(1.0)} | options))


@pytest.mark.parametrize(
    "codes", [np.full((3, 4), 9), np.full((3, 4), -1), np.zeros((3, 2), int), np.zeros((3, 4))]
)
def test_codes_that_do_not_fit_the_domain_are_refused(codes: NDArray[Any]) -> None:
    with pytest.raises(InputError):
        run(codes)


def test_the_expected_error_comes_from_noise_and_cells_alone() -> None:
    request = SynthesisRequest(NAMES, SIZES, budget(1.0), interest=INTEREST, declared_rows=1_000)

    first, second = expected_errors(request)

    sigma = schedule(request).first[0].sigma
    assert first.sigma == pytest.approx(sigma)
    assert first.rows == pytest.approx(0.5 * 8 * sigma * np.sqrt(2 / np.pi))
    assert first.share == pytest.approx(first.rows / 1_000)
    assert second.cells == 6


def test_no_error_is_promised_for_what_is_not_surely_measured() -> None:
    errors = expected_errors(SynthesisRequest(NAMES, SIZES, budget(1.0), "aim", interest=INTEREST))

    assert [(e.sigma, e.rows, e.share) for e in errors] == [(None, None, None)] * 2


def test_the_expected_error_is_what_happens_on_average() -> None:
    request = SynthesisRequest(
        NAMES, SIZES, budget(1.0), "cusyn-aim", interest=(("a", "c"),), priority=1.0, declared_rows=200_000
    )
    codes = table(200_000)
    real = Marginals(codes, SIZES)

    errors = [
        mean_error(real, Marginals(synthesize(request, codes, SeededNoise(s), silent).codes, SIZES), [(0, 2)])
        for s in range(20)
    ]

    assert np.mean(errors) == pytest.approx(expected_errors(request)[0].share, rel=0.35)


def test_a_query_whose_noise_would_drown_it_is_left_to_the_rounds() -> None:
    def request(rows: int | None) -> SynthesisRequest:
        return SynthesisRequest(
            ("large", "wide", "small"),
            (20, 10, 2),
            budget(1.0),
            interest=(("large", "wide"), ("wide", "small")),
            declared_rows=rows,
        )

    def dedicated(rows: int | None) -> list[tuple[int, ...]]:
        return [s.attributes for s in schedule(request(rows)).first if len(s.attributes) > 1]

    assert dedicated(1_000_000) == [(0, 1), (1, 2)]
    assert dedicated(10_000) == [(1, 2)]
    assert dedicated(10) == []
    assert schedule(request(10)) == schedule(replace(request(10), mechanism="aim"))
    assert dedicated(None) == [(0, 1), (1, 2)]
    left, kept = expected_errors(request(10_000))
    assert left.rows is None
    assert kept.share is not None
    assert kept.share <= 0.07


def test_progress_names_the_rounds_and_never_goes_back() -> None:
    said: list[tuple[float, Stage]] = []

    synthesize(
        SynthesisRequest(NAMES, SIZES, budget(1.0)),
        table(),
        SeededNoise(1),
        lambda done, stage: said.append((done, stage)),
    )

    done = [d for d, _ in said]
    assert done == sorted(done)
    assert 0 <= done[0] <= done[-1] <= 1
    assert any(stage.phase is Phase.ROUND and stage.round == 1 and stage.columns for _, stage in said)
    assert said[-1][1] == Stage(Phase.DRAWING)


@pytest.mark.parametrize("after", [0, 5, 50])
def test_a_user_can_cancel_at_any_step(after: int) -> None:
    heard = 0

    def progress(done: float, stage: Stage) -> None:
        nonlocal heard
        heard += 1
        if heard > after:
            raise Cancelled

    with pytest.raises(Cancelled):
        synthesize(SynthesisRequest(NAMES, SIZES, budget(1.0)), table(), SeededNoise(1), progress)
    assert heard == after + 1


def test_seeded_noise_gives_the_same_table_again_and_marks_it_not_private() -> None:
    one, same, other = run(table(), seed=4), run(table(), seed=4), run(table(), seed=5)

    assert (one.codes == same.codes).all()
    assert one.log != other.log
    assert not one.private


def test_opendp_noise_makes_a_private_table() -> None:
    request = SynthesisRequest(NAMES, SIZES, budget(1.0), interest=INTEREST)

    made = synthesize(request, table(), OpenDPNoise(), silent)

    assert made.private
    assert made.spent <= request.rho
    assert len(made.codes) == pytest.approx(2_000, rel=0.5)


@pytest.mark.skipif(not (DATA / "nltcs.csv").exists(), reason="the public table is not beside the project")
def test_on_nltcs_the_baseline_is_strong_and_the_interest_half_as_wrong() -> None:
    codes = np.loadtxt(DATA / "nltcs.csv", dtype=np.int64, delimiter=",", skiprows=1)
    sizes = tuple(json.loads((DATA / "nltcs-domain.json").read_text()).values())
    names = tuple(f"q{i}" for i in range(16))
    interest = tuple((names[i], names[15 - i]) for i in range(8))
    real = Marginals(codes, sizes)

    made = {
        m: synthesize(SynthesisRequest(names, sizes, budget(1.0), m, interest), codes, SeededNoise(2), silent)
        for m in ("aim", "cusyn-aim")
    }

    errors = {
        m: (
            mean_error(real, Marginals(s.codes, sizes), s.request.interest_sets),
            mean_error(real, Marginals(s.codes, sizes), s.request.workload_sets),
        )
        for m, s in made.items()
    }
    assert errors["aim"][1] < 0.0055
    assert errors["cusyn-aim"][1] < 0.0055
    assert errors["cusyn-aim"][0] < 0.6 * errors["aim"][0]
    assert made["cusyn-aim"].spent / RHO_UNITS <= rho_of(1.0, 1e-9)
