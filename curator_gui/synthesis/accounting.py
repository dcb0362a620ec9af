"""Zero-concentrated differential privacy (zCDP): what a step costs, and the filter that pays for it.

Amounts that are compared are integers of 1e-15 ρ; costs are rounded up. ``core.zcdp`` converts ρ and (ε, δ);
here is the third direction, δ for given ρ and ε, from the same bound: Canonne, Kamath and Steinke, "The
Discrete Gaussian for Differential Privacy" (2020), Corollary 13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from curator_gui.core.errors import CuratorError, InputError

RHO_UNITS = 10**15
"""How many integer units one ρ has."""

_GRID = [i / 2 for i in range(-60, 101)]  # log(α − 1): every optimum for ε, ρ in [1e-9, 1e9] lies well inside
_GOLDEN = (math.sqrt(5) - 1) / 2
_REFINEMENTS = 50


class FilterError(CuratorError):
    """A step would have cost more than is left. A defect of a mechanism, never a matter of its input."""


def delta_from_rho(rho: float, epsilon: float) -> float:
    """The smallest δ the same bound gives for ρ-zCDP at ε ≥ 0; at most 1."""
    _require_positive("ρ", rho)

    def log_delta(t: float) -> float:
        excess = math.exp(t)
        return excess * ((1 + excess) * rho - epsilon) + _log_factor(t)

    return min(1.0, math.exp(min(0.0, _minimum(log_delta))))


def marginal_cost(sigma: float, bound: int = 1) -> int:
    """Units of ρ for one marginal measured with σ: bound²/(2σ²), rounded up."""
    over, under = sigma.as_integer_ratio()
    return _ceil_ratio(RHO_UNITS * (bound * under) ** 2, 2 * over**2)


def selection_cost(epsilon: float, bound: int = 1) -> int:
    """Units of ρ for one selection with ε: bound²·ε²/8, rounded up (Cesar and Rogers 2021, bounded range)."""
    over, under = epsilon.as_integer_ratio()
    return _ceil_ratio(RHO_UNITS * (bound * over) ** 2, 8 * under**2)


def sigma_for(units: int, bound: int = 1) -> float:
    """The smallest σ, up to 1e-12 of itself, whose marginal costs at most this many units (> 0)."""
    sigma = bound / math.sqrt(2 * units / RHO_UNITS)
    while marginal_cost(sigma, bound) > units:
        sigma *= 1 + 1e-13
    return sigma


def selection_epsilon_for(units: int, bound: int = 1) -> float:
    """The largest ε, up to 1e-12 of itself, whose selection costs at most this many units (> 0)."""
    epsilon = math.sqrt(8 * units / RHO_UNITS) / bound
    while selection_cost(epsilon, bound) > units:
        epsilon *= 1 - 1e-13
    return epsilon


def rho_units(rho: float) -> int:
    """ρ as a limit in units, rounded down."""
    _require_positive("ρ", rho)
    return math.floor(Fraction(rho) * RHO_UNITS)


class Filter:
    """A running ρ filter: a step is taken only if what is spent and its cost stay within the limit.

    Adaptive steps under such a filter are ρ-zCDP together (Feldman and Zrnic 2021; Whitehouse et al. 2023).
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0

    @property
    def left(self) -> int:
        return self.limit - self.spent

    def allows(self, cost: int) -> bool:
        return cost >= 0 and self.spent + cost <= self.limit

    def charge(self, cost: int) -> None:
        """Spend, before the noise is drawn. Raises FilterError and spends nothing where it does not allow."""
        if not self.allows(cost):
            raise FilterError(
                f"A step of the synthesis costs {cost / RHO_UNITS:.3g} ρ where {self.left / RHO_UNITS:.3g}"
                " is left; it was not taken, please report this."
            )
        self.spent += cost


def _log_factor(t: float) -> float:
    """α·log(1 − 1/α) − log(α − 1) at α = 1 + exp(t), where log(1 − 1/α) = −log(1 + exp(−t))."""
    log_ratio = -math.log1p(math.exp(-t)) if t > 0 else t - math.log1p(math.exp(t))
    return (1 + math.exp(t)) * log_ratio - t


def _minimum(loss: Callable[[float], float]) -> float:
    """The least value over t = log(α − 1): a grid brackets it, golden-section search refines it."""
    values = [loss(t) for t in _GRID]
    best = min(range(len(values)), key=values.__getitem__)
    low, high = _GRID[max(best - 1, 0)], _GRID[min(best + 1, len(_GRID) - 1)]
    for _ in range(_REFINEMENTS):
        left, right = high - (high - low) * _GOLDEN, low + (high - low) * _GOLDEN
        low, high = (low, right) if loss(left) < loss(right) else (left, high)
    return min(values[best], loss((low + high) / 2))


def _ceil_ratio(over: int, under: int) -> int:
    return -(-over // under)


def _require_positive(name: str, value: float) -> None:
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"{name} is {value}; give a finite number above 0.")
