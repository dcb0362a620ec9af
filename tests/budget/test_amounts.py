import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.budget.amounts import (
    EPSILON,
    LEAST_EPSILON,
    RHO,
    epsilon_cost,
    epsilon_limit,
    epsilon_text,
    epsilon_within,
    proven_loss,
    rho_capacity,
    rho_text,
)
from curator_gui.core.errors import InputError
from curator_gui.core.zcdp import rho_of

UNITS = st.integers(LEAST_EPSILON, 50 * EPSILON)
DELTAS = st.sampled_from([1e-15, 1e-9, 1e-6, 1e-3, 0.1])


@pytest.mark.parametrize(
    ("value", "cost", "limit"),
    [
        (0.1, 100_000_000, 100_000_000),
        ("0.1", 100_000_000, 100_000_000),
        (Decimal("0.1"), 100_000_000, 100_000_000),
        (1, 1_000_000_000, 1_000_000_000),
        ("1e-4", 100_000, 100_000),
        ("0.1234567891", 123_456_790, 123_456_789),
        ("0.3333333333333333333333333333333333333", 333_333_334, 333_333_333),
    ],
)
def test_a_cost_rounds_up_and_a_limit_down(value: str | float | Decimal, cost: int, limit: int) -> None:
    assert (epsilon_cost(value), epsilon_limit(value)) == (cost, limit)


@pytest.mark.parametrize(
    "value",
    [
        math.nan, math.inf, -math.inf, 0, 0.0, -1, 1e-12, 0.00009, 1001, "", "abc", "NaN", "inf", "0,5",
        "1_0", "٣", "1/3", "0x1", "1e99999", "9" * 61, Decimal("NaN"), Decimal("-0"), True,
    ],
)  # fmt: skip
def test_what_is_no_admissible_epsilon_is_refused_in_one_sentence(value: str | float | Decimal) -> None:
    with pytest.raises(InputError) as refused:
        epsilon_cost(value)

    assert str(refused.value).endswith((".", ")."))
    assert "\n" not in str(refused.value)


@settings(deadline=None)
@given(UNITS)
def test_text_and_units_are_the_same_number(units: int) -> None:
    assert epsilon_cost(epsilon_text(units)) == epsilon_limit(epsilon_text(units)) == units


def test_small_amounts_are_written_out_without_exponents() -> None:
    assert epsilon_text(300_000_000) == "0.3"
    assert epsilon_text(2_000_000_000) == "2"
    assert epsilon_text(0) == "0"
    assert rho_text(14_973_057_673_582) == "0.014973057673582"


@settings(deadline=None)
@given(UNITS, DELTAS)
def test_a_rho_capacity_never_exceeds_what_epsilon_allows(epsilon: int, delta: float) -> None:
    assert rho_capacity(epsilon, delta) <= rho_of(epsilon / EPSILON, delta) * RHO


@settings(deadline=None)
@given(UNITS, DELTAS)
def test_the_rho_of_an_epsilon_proves_that_epsilon_to_the_last_digit(epsilon: int, delta: float) -> None:
    rho = rho_capacity(epsilon, delta)

    assert proven_loss(rho, delta) <= epsilon
    assert epsilon_within(rho, delta) == pytest.approx(epsilon, abs=1)
    assert rho_capacity(epsilon_within(rho, delta), delta) <= rho


def test_nothing_is_lost_before_anything_is_spent() -> None:
    assert proven_loss(0, 1e-9) == 0
    assert epsilon_within(0, 1e-9) == 0
