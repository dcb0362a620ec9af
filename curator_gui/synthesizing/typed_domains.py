"""Domains as they are typed in: listed values, or bins between two ends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from curator_gui.core.errors import InputError
from curator_gui.synthesis.domain import Categories, DateBins, NumberBins, Provenance, other_than


def typed_values(
    name: str,
    values: Iterable[str],
    *,
    missing: bool = True,
    closed: bool = False,
    provenance: Provenance = "typed",
) -> Categories:
    """Listed values; “other” is spelled so that it is none of them. closed: there is no “other”."""
    listed = tuple(dict.fromkeys(values))
    if closed:
        return Categories(name, listed, missing, None, provenance)
    return Categories(name, listed, missing, other_than(listed), provenance)


def typed_integers(name: str, low: int, high: int, *, missing: bool = False) -> NumberBins:
    """Every whole number from ``low`` to ``high``, and none but these."""
    if high < low:
        raise InputError(f"“{name}” needs a last number that is not below the first.")
    half = Decimal("0.5")
    edges = tuple(Decimal(n) - half for n in range(low, high + 2))
    return NumberBins(name, edges, 0, missing)


def typed_numbers(
    name: str, low: str, high: str, bins: int, *, decimals: int = 0, mark: str = ".", missing: bool = True
) -> NumberBins:
    """Bins of one width, up to rounding, from ``low`` to ``high``, both texts as typed, with a point."""
    first, last = typed_number(name, low), typed_number(name, high)
    if bins < 1 or not first < last:
        raise InputError(f"“{name}” needs bounds that increase and one or more bins.")
    unit = Decimal(1).scaleb(-decimals)
    inner = [(first + (last - first) * i / bins).quantize(unit) for i in range(1, bins)]
    return NumberBins(name, (first, *inner, last), decimals, missing, mark)


def typed_dates(
    name: str, first: date, last: date, bins: int, *, format: str = "%Y-%m-%d", missing: bool = True
) -> DateBins:
    """Bins of about as many days each, from one day to another."""
    days = last.toordinal() - first.toordinal()
    if bins < 1 or days < bins:
        raise InputError(f"“{name}” needs a last date after the first, and no more bins than days.")
    edges = tuple(date.fromordinal(first.toordinal() + days * i // bins) for i in range(bins + 1))
    return DateBins(name, edges, missing, format)


def typed_number(name: str, text: str) -> Decimal:
    """A bound as typed. InputError where it is none."""
    try:
        number = Decimal(text.strip())
    except ArithmeticError:
        raise InputError(f"“{text}” is no bound of “{name}”; type a number, with a point.") from None
    if not number.is_finite():
        raise InputError(f"“{text}” is no bound of “{name}”; type a finite number.")
    return number
