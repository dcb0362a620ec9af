"""Exact typed readings of distinct cells: common spellings through NumPy at once, the rest one by one.

What is done at once is done for some thousand values at a time: a longer call would keep every other thread,
the window's too, from the interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.column_type import ColumnType
from curator_gui.core.date_formats import date_pattern

_AT_ONCE = 1 << 13  # values; a call of a few milliseconds
_LONGEST = 4000  # digits; Python itself refuses to read much longer integers
_INT64_DIGITS = 18
_FRACTION = re.compile(r"\.([0-9]+)")
_ISO = {
    "%Y-%m-%d": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "%Y-%m-%d %H:%M:%S": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"),
}

Objects = NDArray[np.object_]
Valid = NDArray[np.bool_]


def read_numbers(values: Objects, type: ColumnType) -> tuple[NDArray[Any], int, Valid]:
    """(scaled, scale, valid): value i is scaled[i] / 10**scale; Python ints where int64 overflows."""
    if not type.is_number:
        return np.zeros(len(values), np.int64), 0, np.zeros(len(values), np.bool_)
    plain = _are_plain(values, _plain_number(type))
    numbers, places = _plain_numbers(values[plain], type)
    others = _one_by_one(values, np.flatnonzero(~plain), type)
    scale = max((-power for _, _, power in others), default=0)
    scale = max(scale, places)
    exact = [digits * 10 ** (power + scale) for _, digits, power in others]
    factor = 10 ** (scale - places)
    largest = max(int(np.abs(numbers).max(initial=0)) * factor, max(map(abs, exact), default=0))
    kind = np.int64 if largest < 10**_INT64_DIGITS else object
    scaled, valid = np.zeros(len(values), kind), plain
    scaled[plain] = numbers.astype(kind) * factor
    at = [place for place, _, _ in others]
    scaled[at], valid[at] = exact, True
    return scaled, scale, valid


@cache
def _plain_number(type: ColumnType) -> re.Pattern[str]:
    """Short numbers, without marks between thousands or an exponent."""
    if type.kind == "integer":
        return re.compile(r"-?[0-9]{1,18}")
    return re.compile(rf"-?[0-9]{{1,9}}(?:{re.escape(type.mark)}[0-9]{{1,6}})?")


def _are_plain(values: Objects, pattern: re.Pattern[str]) -> Valid:
    """[values] True where the pattern matches: whole pieces at once, or one by one where one does not."""
    lines = re.compile(rf"(?:{pattern.pattern}\n)*+")
    plain = np.zeros(len(values), np.bool_)
    for start, some in _pieces(values):
        text = "\n".join(["" if v is None else v for v in some]) + "\n"
        plain[start : start + len(some)] = (
            True
            if lines.fullmatch(text) and text.count("\n") == len(some)
            else [v is not None and pattern.fullmatch(v) is not None for v in some]
        )
    return plain


def _plain_numbers(values: Objects, type: ColumnType) -> tuple[NDArray[np.int64], int]:
    """Numbers, all of them plain, and their decimal places: the number i is the first [i] / 10**places."""
    whole = type.kind == "integer"
    parts: list[NDArray[Any]] = [np.zeros(0, np.int64 if whole else np.float64)]
    places = 0
    for _, some in _pieces(values):
        text = "\n".join(some).replace(type.mark, ".")
        if not whole:
            places = max(len(f.rstrip("0")) for f in {places * "1", *_FRACTION.findall(text)})
        parts.append(np.fromstring(text, parts[0].dtype, sep="\n"))
    numbers = np.concatenate(parts)
    # At most 15 digits: the nearest double times a power of ten is within half of the integer it stands for.
    return (numbers if whole else np.rint(numbers * 10.0**places).astype(np.int64)), places


def _pieces(values: Objects) -> Iterator[tuple[int, Objects]]:
    for start in range(0, len(values), _AT_ONCE):
        yield start, values[start : start + _AT_ONCE]


def number_pattern(type: ColumnType) -> re.Pattern[str]:
    """Texts that are numbers under the type: groups sign, whole, fraction, exponent."""
    accepted = type.spellings
    whole, fraction = "[0-9]+", ""
    if type.group:
        whole = rf"[0-9]{{1,3}}(?:{re.escape(type.group)}[0-9]{{3}})+|[0-9]+"
    if type.kind == "decimal":
        mark = re.escape(type.mark)
        fraction = rf"(?:{mark}(?P<fraction>[0-9]+))?"
        if "bare" in accepted:
            whole, fraction = rf"{whole}|(?={mark}[0-9])", rf"(?:{mark}(?P<fraction>[0-9]*))?"
    exponent = r"(?:[eE](?P<exponent>[-+]?[0-9]{1,3}))?" if "exponent" in accepted and fraction else ""
    sign = "[-+]?" if "plus" in accepted else "-?"
    blank = r"[ \t\u00a0]*" if "blanks" in accepted else ""
    return re.compile(f"{blank}(?P<sign>{sign})(?P<whole>{whole}){fraction}{exponent}{blank}")


def _one_by_one(values: Objects, places: NDArray[Any], type: ColumnType) -> list[tuple[int, int, int]]:
    """(place, digits, power of ten) of every number among the values at some places."""
    pattern = number_pattern(type)
    parts = []
    for place in places.tolist():
        value = values[place]
        match = pattern.fullmatch(value) if value is not None and len(value) <= _LONGEST else None
        if match:
            parts.append((place, *_digits_and_power(match.groupdict(), type.group)))
    return parts


def _digits_and_power(part: dict[str, str | None], group: str) -> tuple[int, int]:
    whole = part["whole"] or "0"
    if group:
        whole = whole.replace(group, "")
    fraction = (part.get("fraction") or "").rstrip("0")
    digits = int(whole + fraction)
    power = int(part.get("exponent") or 0) - len(fraction) if digits else 0
    return (-digits if part["sign"] == "-" else digits), power


def read_dates(values: Objects, type: ColumnType) -> tuple[NDArray[np.datetime64], Valid]:
    """(instants, valid), datetime64[us]."""
    instants = np.zeros(len(values), "datetime64[us]")
    valid = np.zeros(len(values), np.bool_)
    if not type.is_date:
        return instants, valid
    pattern = type.format or ("%Y-%m-%d" if type.kind == "date" else "%Y-%m-%d %H:%M:%S")
    iso = _ISO.get(pattern)
    rest = np.flatnonzero([v is not None for v in values])
    if iso is not None:
        plain = np.array([i for i in rest if iso.fullmatch(values[i])], np.int64)
        try:
            for some in np.split(plain, range(_AT_ONCE, len(plain), _AT_ONCE)):
                instants[some] = np.array(values[some], "datetime64[us]")
            valid[plain] = True
            rest = np.setdiff1d(rest, plain)
        except ValueError:  # one of them is no day of the calendar: find out which
            pass
    known = date_pattern(pattern)
    for i in rest:
        read = _strptime(values[i], pattern) if known is None else known.read(values[i])
        if read is not None:
            instants[i] = np.datetime64(read.replace(tzinfo=None))
            valid[i] = True
    return instants, valid


def _strptime(text: str, format: str) -> datetime | None:
    try:
        return datetime.strptime(text, format)
    except ValueError:
        return None
