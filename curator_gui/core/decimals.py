"""Exact decimals: integers of a power of ten, since ``Decimal`` arithmetic rounds to 28 digits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from curator_gui.core.errors import ViewError

MOST_DIGITS = 100


def places(*numbers: Decimal) -> int:
    """How many decimal places hold all the numbers exactly."""
    return max(0, *(-int(n.as_tuple().exponent) for n in numbers))


def scaled(number: Decimal, scale: int) -> int:
    """``number * 10**scale``, where that is whole. Decimal's own arithmetic would round to 28 digits."""
    return int(Fraction(number) * 10**scale)


def decimal_text(units: int, scale: int) -> str:
    """``units / 10**scale`` in plain digits without trailing zeros."""
    if scale == 0:
        return str(units)
    digits = str(abs(units)).zfill(scale + 1)
    text = f"{digits[:-scale]}.{digits[-scale:]}".rstrip("0").rstrip(".")
    return f"-{text}" if units < 0 else text


def number_text(number: Decimal) -> str:
    """The number in plain digits without trailing zeros; 1E+3 is 1000."""
    scale = places(number)
    return decimal_text(scaled(number, scale), scale)


def number_from_json(value: object) -> Decimal:
    """An int or Decimal as loaded from JSON; ViewError on anything else, such as true, 1e999 or NaN."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ViewError(f"{json_text(value)} is not a number.")
    if isinstance(value, int) and value.bit_length() > 4 * MOST_DIGITS:
        raise ViewError(f"A number here has at most {MOST_DIGITS} digits.")
    return Decimal(value)


def json_number(number: Decimal) -> int | Decimal:
    """An int where the number is whole."""
    return scaled(number, 0) if number == number.to_integral_value() else number


def require_plain(number: Decimal) -> None:
    """Refuse what is not a number, and exponents whose digits would not fit a line."""
    if not number.is_finite():
        raise ViewError(f"{number} is not a number.")
    if not is_plain(number):
        raise ViewError(f"A number here has at most {MOST_DIGITS} digits.")


def is_plain(number: Decimal) -> bool:
    """Whether it is a number that can be written in full in a few digits."""
    _, digits, exponent = number.as_tuple()
    return number.is_finite() and len(digits) <= MOST_DIGITS and abs(int(exponent)) <= MOST_DIGITS


def json_text(value: object) -> str:
    """What stands in a JSON file, in a few characters for a sentence."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return f"“{str(value)[:40]}”"
