from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.errors import InputError
from curator_gui.core.zcdp import epsilon_of, rho_of
from curator_gui.synthesis.accounting import (
    RHO_UNITS,
    Filter,
    FilterError,
    delta_from_rho,
    marginal_cost,
    rho_units,
    selection_cost,
    selection_epsilon_for,
    sigma_for,
)

EPSILONS = (1e-4, 0.01, 0.1, 1.0, 10.0)
DELTAS = (1e-3, 1e-6, 1e-9, 1e-12)
CASES = [(e, d) for e in EPSILONS for d in DELTAS]


def reference_epsilon(rho: float, delta: float) -> float:
    """dp-accounting's conversion, over orders refined around the best one."""
    accountant = pytest.importorskip("dp_accounting.rdp.rdp_privacy_accountant")
    centre, width = 2.0, 16.0
    epsilon = np.inf
    for _ in range(4):
        orders = list(1 + np.exp(np.linspace(centre - width, centre + width, 2001)))
        epsilon, order = accountant.compute_epsilon(orders, [rho * a for a in orders], delta)
        centre, width = np.log(order - 1), width / 200
    return float(epsilon)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_rho_of_epsilon_agrees_with_dp_accounting(epsilon: float, delta: float) -> None:
    rho = rho_of(epsilon, delta)

    assert reference_epsilon(rho, delta) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_epsilon_of_rho_undoes_rho_of_epsilon(epsilon: float, delta: float) -> None:
    assert epsilon_of(rho_of(epsilon, delta), delta) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
def test_delta_of_rho_undoes_rho_of_epsilon(epsilon: float, delta: float) -> None:
    assert delta_from_rho(rho_of(epsilon, delta), epsilon) == pytest.approx(delta, rel=1e-9)


@given(st.floats(1e-4, 50), st.floats(1.001, 2), st.sampled_from(DELTAS))
def test_a_larger_epsilon_buys_more_rho(epsilon: float, factor: float, delta: float) -> None:
    assert rho_of(epsilon * factor, delta) > rho_of(epsilon, delta)


@given(st.floats(1e-6, 50), st.floats(1e-14, 0.1), st.floats(1.001, 9))
def test_a_larger_delta_buys_more_rho(epsilon: float, delta: float, factor: float) -> None:
    assert rho_of(epsilon, delta * factor) > rho_of(epsilon, delta)


def test_the_textbook_conversion_is_never_better() -> None:
    for epsilon, delta in CASES:
        rho = rho_of(epsilon, delta)
        assert epsilon <= rho + 2 * np.sqrt(rho * np.log(1 / delta)) + 1e-12


def test_nothing_spent_loses_nothing() -> None:
    assert epsilon_of(0.0, 1e-9) == 0.0


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("nan"), float("inf")])
def test_an_epsilon_that_is_no_positive_number_is_refused(epsilon: float) -> None:
    with pytest.raises(InputError, match="ε is"):
        rho_of(epsilon, 1e-9)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, float("nan")])
def test_a_delta_outside_zero_and_one_is_refused(delta: float) -> None:
    with pytest.raises(InputError, match="δ is"):
        rho_of(1.0, delta)


def test_a_marginal_costs_one_over_twice_its_variance() -> None:
    assert marginal_cost(10.0) == RHO_UNITS // 200


def test_a_selection_costs_an_eighth_of_its_epsilon_squared() -> None:
    assert selection_cost(2.0) == RHO_UNITS // 2


def test_costs_are_rounded_up() -> None:
    assert Fraction(marginal_cost(3.0), RHO_UNITS) > Fraction(1, 18)
    assert marginal_cost(1e12) == 1


def test_a_bound_of_three_rows_costs_nine_times_as_much() -> None:
    assert marginal_cost(10.0, bound=3) == 9 * marginal_cost(10.0)
    assert selection_cost(2.0, bound=3) == 9 * selection_cost(2.0)


@given(st.integers(1, 10**18), st.integers(1, 5))
def test_sigma_for_so_many_units_costs_no_more_and_hardly_less(units: int, bound: int) -> None:
    cost = marginal_cost(sigma_for(units, bound), bound)

    assert units * (1 - 1e-11) - 1 <= cost <= units


@given(st.integers(1, 10**18), st.integers(1, 5))
def test_selection_epsilon_for_so_many_units_costs_no_more_and_hardly_less(units: int, bound: int) -> None:
    cost = selection_cost(selection_epsilon_for(units, bound), bound)

    assert units * (1 - 1e-11) - 1 <= cost <= units


def test_ten_tenths_empty_a_filter_to_exactly_zero() -> None:
    filter = Filter(rho_units(1.0))
    for _ in range(10):
        filter.charge(RHO_UNITS // 10)

    assert filter.left == 0
    assert not filter.allows(1)


def test_a_filter_refuses_before_it_spends() -> None:
    filter = Filter(100)
    filter.charge(60)

    with pytest.raises(FilterError, match="was not taken"):
        filter.charge(41)
    assert filter.spent == 60


def test_a_filter_gives_nothing_back() -> None:
    assert not Filter(100).allows(-1)
