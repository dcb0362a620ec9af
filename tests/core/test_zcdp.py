import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_ndtr

from curator_gui.core.errors import InputError
from curator_gui.core.zcdp import epsilon_of, rho_of

EPSILONS = st.floats(math.log(1e-4), math.log(50)).map(math.exp)
DELTAS = st.floats(math.log(1e-15), math.log(0.1)).map(math.exp)


def published_epsilon(rho: float, delta: float) -> float:
    """The paper's infimum over orders, by an optimizer that knows nothing of the closed form."""

    def bound(t: float) -> float:
        a = 1 + math.exp(t)
        return a * rho + (math.log(1 / delta) - math.log(a - 1) + a * math.log1p(-1 / a)) / (a - 1)

    best = minimize_scalar(bound, bounds=(-15, 30), method="bounded", options={"xatol": 1e-9})
    return max(0.0, float(best.fun))


def gaussian_delta(rho: float, epsilon: float) -> float:
    """The exact δ of the continuous Gaussian mechanism with this ρ (Balle and Wang 2018, Theorem 8)."""
    mu = math.sqrt(2 * rho)
    return math.exp(log_ndtr(mu / 2 - epsilon / mu)) - math.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))


@settings(deadline=None)
@given(EPSILONS, DELTAS)
def test_the_closed_form_is_the_papers_infimum(epsilon: float, delta: float) -> None:
    rho = rho_of(epsilon, delta)

    assert published_epsilon(rho, delta) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


@settings(deadline=None)
@given(EPSILONS, DELTAS)
def test_converting_there_and_back_never_gains_and_hardly_loses(epsilon: float, delta: float) -> None:
    back = epsilon_of(rho_of(epsilon, delta), delta)

    assert epsilon * (1 - 2e-12) - 1e-12 <= back <= epsilon


@settings(deadline=None)
@given(EPSILONS, DELTAS)
def test_the_gaussian_mechanism_keeps_what_the_conversion_promises(epsilon: float, delta: float) -> None:
    assert gaussian_delta(rho_of(epsilon, delta), epsilon) <= delta * (1 + 1e-9)


@settings(deadline=None)
@given(EPSILONS, DELTAS, st.floats(0.01, 0.99))
def test_rho_is_convex_and_grows_with_epsilon(epsilon: float, delta: float, share: float) -> None:
    low, high = 1e-4, epsilon
    middle = low + share * (high - low)

    chord = rho_of(low, delta) + share * (rho_of(high, delta) - rho_of(low, delta))

    assert rho_of(low, delta) <= rho_of(middle, delta) * (1 + 1e-11) <= chord * (1 + 1e-10)


def test_twenty_equal_releases_counted_in_epsilon_use_a_sixteenth_of_their_rho() -> None:
    assert 20 * rho_of(1 / 20, 1e-9) / rho_of(1.0, 1e-9) == pytest.approx(0.06, abs=0.01)


def test_the_conversion_is_tighter_than_the_simple_one() -> None:
    simple = (math.sqrt(math.log(1e9) + 1) - math.sqrt(math.log(1e9))) ** 2  # ε = ρ + 2√(ρ log 1/δ)

    assert simple < rho_of(1.0, 1e-9) < 1.3 * simple


def test_nothing_spent_is_nothing_lost() -> None:
    assert epsilon_of(0.0, 1e-9) == 0.0


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, math.inf])
def test_an_epsilon_that_is_not_positive_is_refused(epsilon: float) -> None:
    with pytest.raises(InputError, match="ε is"):
        rho_of(epsilon, 1e-9)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-9, math.nan])
def test_a_delta_outside_zero_and_one_is_refused(delta: float) -> None:
    with pytest.raises(InputError, match="δ is"):
        rho_of(1.0, delta)


@pytest.mark.parametrize("rho", [-1e-9, math.nan, math.inf])
def test_a_negative_or_endless_rho_is_refused(rho: float) -> None:
    with pytest.raises(InputError, match="ρ is"):
        epsilon_of(rho, 1e-9)
