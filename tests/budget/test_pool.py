import csv
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.budget.amounts import EPSILON, LEAST_EPSILON, epsilon_limit, epsilon_text, rho_capacity
from curator_gui.budget.pool import Bound, DatasetBalance, Kind, Pool, UserBalance, Verdict, evaluate
from curator_gui.core.errors import InputError

NEGOTIATION = Path(__file__).parents[2] / ".." / "shared" / "inputs" / "36_budget_negotiation.csv"
DELTA = 1e-9


@cache
def pool(kind: Kind, epsilon: str = "1", per_operation: str = "2", delta: float = DELTA) -> Pool:
    return Pool.of(kind, epsilon_limit(epsilon), delta, epsilon_limit(per_operation))


def user(of: Pool, per_request: str, total: str) -> UserBalance:
    return UserBalance(of.amount(epsilon_limit(per_request)), of.amount(epsilon_limit(total)))


def ask(of: Pool, dataset: DatasetBalance, who: UserBalance, epsilon: str) -> Verdict:
    return evaluate(of, dataset, who, of.amount(epsilon_limit(epsilon)), of.least)


@pytest.mark.skipif(not NEGOTIATION.exists(), reason="the shared inputs are not beside the project")
def test_the_papers_negotiation_comes_out_to_the_digit_in_an_epsilon_pool() -> None:
    of = pool(Kind.EPSILON)
    dataset = DatasetBalance(of.capacity)
    users = {"u1": user(of, "0.5", "0.8"), "u2": user(of, "0.5", "1"), "u3": user(of, "5", "5")}

    approvals = []
    with NEGOTIATION.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        verdict = ask(of, dataset, users[row["user"]], row["eps_requested"])
        dataset, users[row["user"]] = verdict.dataset, verdict.user
        approvals.append((epsilon_text(verdict.approved), verdict.bound))

    assert [approved for approved, _ in approvals] == [row["expected_approved"] for row in rows]
    assert [bound for _, bound in approvals] == [
        Bound.PER_REQUEST,
        Bound.USER,
        Bound.DATASET,
        Bound.DATASET,
        Bound.PER_OPERATION,
    ]


def test_the_same_negotiation_in_a_rho_pool() -> None:
    # At δ = 1e-9, in 1e-15 ρ, with r1 = ρ(0.1), …, r10 = ρ(1): u1 ends with r8 − 2·r5, and three halves
    # leave r10 − 3·r5 of the dataset: ε does not add up, ρ does.
    of = pool(Kind.RHO)
    r1, r5, r8, r10 = (rho_capacity(EPSILON * tenths // 10, DELTA) for tenths in (1, 5, 8, 10))
    assert (r1, r5, r8, r10) == (177_138_447_184, 3_953_191_141_216, 9_760_321_646_128, 14_973_057_673_582)
    dataset = DatasetBalance(of.capacity)
    u1, u2, u3 = user(of, "0.5", "0.8"), user(of, "0.5", "1"), user(of, "5", "5")

    first = ask(of, dataset, u1, "0.8")
    second = ask(of, first.dataset, first.user, "0.5")
    third = ask(of, second.dataset, u2, "0.5")
    fourth = ask(of, third.dataset, third.user, "0.1")
    fifth = ask(of, fourth.dataset, u3, "3")

    assert (first.approved, first.bound) == (r5, Bound.PER_REQUEST)
    assert (second.approved, second.bound) == (r5, Bound.NONE)
    assert second.user.left == 1_853_939_363_696
    assert (third.approved, third.bound) == (r5, Bound.NONE)
    assert (fourth.approved, fourth.bound) == (r1, Bound.NONE)
    assert (fifth.approved, fifth.bound) == (0, Bound.PER_OPERATION)
    assert fifth.dataset == DatasetBalance(2_936_345_802_750, 12_036_711_870_832)


def test_ten_tenths_empty_an_epsilon_pool_to_exactly_zero() -> None:
    of = pool(Kind.EPSILON, delta=0.01)
    dataset, who = DatasetBalance(of.capacity), user(of, "5", "5")

    for _ in range(10):
        verdict = ask(of, dataset, who, "0.1")
        dataset, who = verdict.dataset, verdict.user
    eleventh = ask(of, dataset, who, "0.1")

    assert dataset.left == 0
    assert (eleventh.approved, eleventh.bound) == (0, Bound.DATASET)


@pytest.mark.parametrize("kind", Kind)
def test_a_request_of_the_whole_pool_gets_all_of_it(kind: Kind) -> None:
    of = pool(kind, "1", "1")

    verdict = ask(of, DatasetBalance(of.capacity), user(of, "1", "1"), "1")

    assert (verdict.approved, verdict.bound) == (of.capacity, Bound.NONE)
    assert (verdict.dataset.left, verdict.user.left) == (0, 0)


@pytest.mark.parametrize("kind", Kind)
def test_on_a_tie_the_per_request_limit_is_named_before_the_dataset_and_the_user(kind: Kind) -> None:
    of = pool(kind)
    half = of.amount(epsilon_limit("0.5"))

    all_three = ask(of, DatasetBalance(half), UserBalance(half, half), "0.8")
    last_two = ask(of, DatasetBalance(half), UserBalance(2 * half, half), "0.8")
    none = ask(of, DatasetBalance(half), UserBalance(half, half), "0.5")

    assert (all_three.bound, last_two.bound, none.bound) == (Bound.PER_REQUEST, Bound.DATASET, Bound.NONE)


@pytest.mark.parametrize("kind", Kind)
def test_an_empty_user_pool_refuses_and_is_named(kind: Kind) -> None:
    of = pool(kind)

    verdict = ask(of, DatasetBalance(of.capacity), UserBalance(of.capacity, 0), "0.5")

    assert (verdict.approved, verdict.bound) == (0, Bound.USER)
    assert verdict.dataset.left == of.capacity


@pytest.mark.parametrize("kind", Kind)
def test_less_than_the_least_that_can_be_asked_is_refused_and_left(kind: Kind) -> None:
    of = pool(kind)

    verdict = ask(of, DatasetBalance(of.least - 1), user(of, "1", "1"), "0.5")

    assert (verdict.approved, verdict.offered, verdict.bound) == (0, 0, Bound.DATASET)
    assert verdict.dataset.left == of.least - 1


@pytest.mark.parametrize("kind", Kind)
def test_a_request_that_does_not_accept_less_spends_nothing_and_learns_the_offer(kind: Kind) -> None:
    of = pool(kind)
    whole, half = of.amount(epsilon_limit("0.8")), of.amount(epsilon_limit("0.5"))

    verdict = evaluate(of, DatasetBalance(of.capacity), UserBalance(half, whole), whole, whole)

    assert (verdict.approved, verdict.offered, verdict.bound) == (0, half, Bound.PER_REQUEST)
    assert verdict.dataset == DatasetBalance(of.capacity)


def test_an_epsilon_pool_refuses_what_would_lift_its_rho_above_epsilon_globals() -> None:
    # Near 0, ρ(·, δ) is not superadditive: at δ = 0.1, ρ(0.0001) = 0.0137 already and ρ(1) = 0.268.
    of = pool(Kind.EPSILON, delta=0.1)
    dataset, who = DatasetBalance(of.capacity), user(of, "1", "1")

    verdicts = []
    for _ in range(25):
        verdicts.append(ask(of, dataset, who, "0.0001"))
        dataset, who = verdicts[-1].dataset, verdicts[-1].user

    assert verdicts[0].approved == LEAST_EPSILON
    assert (verdicts[-1].approved, verdicts[-1].bound) == (0, Bound.PROVEN_LOSS)
    assert dataset.rho_spent <= of.rho_capacity
    assert dataset.left > 0


@settings(deadline=None)
@given(st.integers(LEAST_EPSILON, EPSILON), st.sampled_from([1e-15, 1e-9, 1e-3, 0.1]))
def test_the_tariff_is_dear_by_at_most_one_part_in_ten_thousand(epsilon: int, delta: float) -> None:
    of = pool(Kind.EPSILON, delta=delta)

    exact = rho_capacity(epsilon, delta)

    assert exact * (1 - 1e-11) - 2 <= of.rho(epsilon) <= exact * (1 + 1.01e-4) + 2
    assert of.usable_rho(epsilon) <= min(exact, of.rho(epsilon))


@pytest.mark.parametrize("epsilon", ["0.0001", "0.00010001", "0.02", "50"])
def test_a_tariff_ends_at_the_pools_own_epsilon(epsilon: str) -> None:
    of = pool(Kind.EPSILON, epsilon)

    assert of.rho(of.capacity) == of.rho_capacity


@settings(deadline=None)
@given(
    st.sampled_from(Kind),
    st.lists(st.tuples(st.integers(LEAST_EPSILON, 3 * EPSILON), st.integers(0, 1)), max_size=40),
)
def test_no_sequence_of_requests_passes_either_pool(kind: Kind, requests: list[tuple[int, int]]) -> None:
    of = pool(kind)
    dataset = DatasetBalance(of.capacity)
    users = [user(of, "0.3", "0.9"), user(of, "2", "2")]
    granted = [who.left for who in users]
    spent = [0, 0]

    for epsilon, i in requests:
        verdict = evaluate(of, dataset, users[i], of.amount(epsilon), of.least)
        assert 0 <= verdict.approved <= verdict.requested
        dataset, users[i] = verdict.dataset, verdict.user
        spent[i] += verdict.approved

    assert dataset.left == of.capacity - sum(spent) >= 0
    assert [who.left for who in users] == [granted[0] - spent[0], granted[1] - spent[1]]
    assert min(who.left for who in users) >= 0
    assert dataset.rho_spent <= of.rho_capacity


@pytest.mark.parametrize(
    ("amount", "least"),
    [
        (0, 0),
        (-1, -1),
        (LEAST_EPSILON - 1, LEAST_EPSILON - 1),
        (LEAST_EPSILON, 0),
        (LEAST_EPSILON, LEAST_EPSILON + 1),
    ],
)
def test_a_negotiation_over_nothing_is_an_error(amount: int, least: int) -> None:
    of = pool(Kind.EPSILON)

    with pytest.raises(InputError):
        evaluate(of, DatasetBalance(of.capacity), user(of, "1", "1"), amount, least)


@pytest.mark.parametrize("delta", [0.0, -1e-9, 0.2, float("nan")])
def test_a_pool_needs_a_delta_that_means_something(delta: float) -> None:
    with pytest.raises(InputError, match="δ is"):
        pool(Kind.RHO, delta=delta)
