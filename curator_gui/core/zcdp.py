"""Between zero-concentrated differential privacy (ρ) and (ε, δ): the tight conversion over all Rényi orders.

Source: Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020), Corollary 13.
A ρ-zCDP mechanism is (ε, δ)-DP if, for some order α > 1,

    log δ ≥ (α − 1)(αρ − ε) − log(α − 1) + α log(1 − 1/α).

Solved for ε or for ρ, any one α gives a true statement, so an α that is a little off costs tightness, never
privacy. The right side is convex in α; where its derivative is 0 it collapses to (α − 1)²ρ + log α = log 1/δ,
whose left side grows with α: the best order is one bisection, and nothing can diverge.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from curator_gui.core.errors import InputError

_SLACK_RHO = 4e-13
_SLACK_EPSILON = 1e-13  # smaller, so that ε → ρ → ε never comes back above where it began
_HALVINGS = 60
_LOG_ORDERS = (-25.0, 35.0)  # log(α − 1): far beyond the best order of any (ε, δ) admitted


def rho_of(epsilon: float, delta: float) -> float:
    """The largest ρ whose release is (ε, δ)-DP, rounded down: a capacity.

    Relative error below 1e-12 for ε in [1e-4, 1000] and δ in [1e-15, 0.1]; never above the true value.
    Raises InputError for an ε that is not positive and finite or a δ outside (0, 1).
    """
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise InputError(f"ε is {epsilon:g}; give a positive, finite number.")
    wanted = _log_inverse(delta)

    def grown(x: float) -> float:
        return x * x * (epsilon + math.log1p(1 / x)) / (2 * x + 1) + math.log1p(x)

    x = _where(grown, wanted)
    return (epsilon - _excess(x, wanted)) / (x + 1) * (1 - _SLACK_RHO)


def epsilon_of(rho: float, delta: float) -> float:
    """The smallest ε for which a ρ-zCDP release is (ε, δ)-DP, rounded up: a loss. 0 for ρ = 0.

    ``epsilon_of(rho_of(e, d), d)`` is at most e and within 2e-12 of it (of max(e, 1)).
    Raises InputError for a ρ that is negative or not finite or a δ outside (0, 1).
    """
    if not (math.isfinite(rho) and rho >= 0):
        raise InputError(f"ρ is {rho:g}; give a finite number, 0 or above.")
    wanted = _log_inverse(delta)
    if rho == 0:
        return 0.0
    x = _where(lambda x: x * x * rho + math.log1p(x), wanted)
    return max(0.0, ((x + 1) * rho + _excess(x, wanted)) * (1 + _SLACK_EPSILON))


def _log_inverse(delta: float) -> float:
    if not 0 < delta < 1:
        raise InputError(f"δ is {delta:g}; give a number between 0 and 1, below 1 / the size of the table.")
    return -math.log(delta)


def _excess(x: float, wanted: float) -> float:
    """What (ε, δ) adds to the Rényi divergence αρ at order α = 1 + x, for log 1/δ = ``wanted``."""
    return (wanted - math.log1p(x) - x * math.log1p(1 / x)) / x


def _where(grown: Callable[[float], float], wanted: float) -> float:
    """The x at which an increasing function reaches ``wanted``, bisecting on log x."""
    low, high = _LOG_ORDERS
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if grown(math.exp(middle)) < wanted:
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2)
