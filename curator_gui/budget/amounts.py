"""Privacy amounts as exact integers: ε in units of 1e-9, ρ in units of 1e-15.

Costs round up, limits and capacities round down, once, when an amount enters; from then on nothing rounds.
A float counts as the decimal it prints as, so that 0.1 is one tenth and ten of it are 1.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from curator_gui.core.errors import InputError
from curator_gui.core.zcdp import epsilon_of, rho_of

EPSILON = 10**9
"""Units in ε = 1."""
RHO = 10**15
"""Units in ρ = 1."""
LEAST_EPSILON = EPSILON // 10_000
MOST_EPSILON = 1000 * EPSILON

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,4})?", re.IGNORECASE | re.ASCII)
_LONGEST = 60

Number = str | int | float | Decimal


def epsilon_cost(value: Number) -> int:
    """A requested ε in units, rounded up. Raises InputError unless it lies in [0.0001, 1000]."""
    return math.ceil(_admitted(value) * EPSILON)


def epsilon_limit(value: Number) -> int:
    """A limit or capacity in units, rounded down. Raises InputError unless it lies in [0.0001, 1000]."""
    return math.floor(_admitted(value) * EPSILON)


def rho_capacity(epsilon: int, delta: float) -> int:
    """The ρ, in units and rounded down, that ``epsilon`` units allow at ``delta``.

    A mechanism granted this ρ keeps its (ε, δ), and the pool is debited this same integer: what is charged
    is what may be used, so neither side of the ledger needs a margin.
    """
    return math.floor(Fraction(rho_of(epsilon / EPSILON, delta)) * RHO)


def proven_loss(rho: int, delta: float) -> int:
    """The ε, in units and rounded up, that ``rho`` units prove at ``delta``."""
    return math.ceil(Fraction(epsilon_of(rho / RHO, delta)) * EPSILON)


def epsilon_within(rho: int, delta: float) -> int:
    """The largest ε, in units, that costs at most ``rho`` units at ``delta``; 0 where none does."""
    epsilon = proven_loss(rho, delta)
    while epsilon > 0 and rho_capacity(epsilon, delta) > rho:
        epsilon -= 1
    return epsilon


def epsilon_text(units: int) -> str:
    """Units as a decimal, exact: 300000000 is 0.3."""
    return _text(units, 9)


def rho_text(units: int) -> str:
    """Units as a decimal, exact."""
    return _text(units, 15)


def _text(units: int, places: int) -> str:
    whole, fraction = divmod(abs(units), 10**places)
    digits = f"{fraction:0{places}d}".rstrip("0")
    return ("-" if units < 0 else "") + (f"{whole}.{digits}" if digits else str(whole))


def _admitted(value: Number) -> Fraction:
    text = str(value).strip()
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        raise InputError(f"“{text[:_LONGEST]}” is not an ε; write a number such as 0.5, with a point.")
    number = Fraction(text)
    if number <= 0:
        raise InputError(f"ε is {text}; it must be above 0 (the least is {epsilon_text(LEAST_EPSILON)}).")
    if number * EPSILON < LEAST_EPSILON:
        raise InputError(f"ε is {text}; the least the ledger accounts for is {epsilon_text(LEAST_EPSILON)}.")
    if number * EPSILON > MOST_EPSILON:
        raise InputError(f"ε is {text}; above {epsilon_text(MOST_EPSILON)} nothing is protected.")
    return number
