"""Dates read by a strptime format, in English whatever the computer's language, and faster than strptime."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_NUMBER_OF = {name[:length]: n for n, name in enumerate(_MONTHS, 1) for length in (3, len(name))}
_SHORT = "|".join(m[:3] for m in _MONTHS)
_LONG = "|".join(_MONTHS)
DIRECTIVES = "YymbBdHIMSfpz"
"""What may follow the % of a date format."""
_DIRECTIVE = re.compile(r"%(.)", re.DOTALL)
_PIVOT = 69  # as in POSIX: two-digit years are those of 1969 to 2068


@dataclass(frozen=True)
class DatePattern:
    """The texts of one format."""

    pattern: re.Pattern[str]

    def years(self, texts: Sequence[str]) -> set[int] | None:
        """The years that occur where every text is read, else None. Many times faster than one by one."""
        joined = "\n".join(texts) + "\n"
        found = self._lines.findall(joined)
        if len(found) != len(texts) or joined.count("\n") != len(texts):
            return None
        names = sorted(self.pattern.groupindex, key=self.pattern.groupindex.__getitem__)
        parts: dict[str, Sequence[str]] = dict(
            zip(names, zip(*found, strict=True) if len(names) > 1 else [found], strict=True)
        )
        days = [n for n in names if n in "YymbBd"]
        times = [n for n in names if n in "HIMSfp"]
        # Each part of a time has its own bounds, whatever the others are.
        if any(_instant({"Y": "2000", name: part}) is None for name in times for part in set(parts[name])):
            return None
        years = {_year_of(tuple(days), day) for day in _distinct(parts, days)}
        return None if None in years else {year for year in years if year is not None}

    @cached_property
    def _lines(self) -> re.Pattern[str]:
        return re.compile(f"^{self.pattern.pattern}$", re.MULTILINE)

    def read(self, text: str) -> datetime | None:
        """The instant the text spells, None where it is none or no day of the calendar."""
        match = self.pattern.fullmatch(text)
        if match is None:
            return None
        return _instant(match.groupdict())


@lru_cache(maxsize=1 << 16)
def _year_of(names: tuple[str, ...], day: tuple[str, ...]) -> int | None:
    """The year of a day of the calendar; the same days come again with every few thousand values."""
    instant = _instant(dict(zip(names, day, strict=True)))
    return None if instant is None else instant.year


def _distinct(parts: dict[str, Sequence[str]], names: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(*(parts[n] for n in names), strict=True)) if names else set()


@cache
def date_pattern(format: str) -> DatePattern | None:
    """The pattern of a format; None where it uses a directive other than Y y m b B d H I M S f p z.

    An offset from universal time, z, is read past: day and hour are those of the place it was written at.

    Day, month and hour have one digit or two, but two where directives stand without a mark between them.
    """
    digits = "{2}" if re.search(r"%[Yymd]%[mdH]|%[HM]%[MS]", format) else "{1,2}"
    two = f"[0-9]{digits}"
    known = {
        "Y": "(?P<Y>[0-9]{4})", "y": "(?P<y>[0-9]{2})", "m": f"(?P<m>{two})", "d": f"(?P<d>{two})",
        "b": f"(?P<b>(?i:{_SHORT}))", "B": f"(?P<b>(?i:{_LONG}))", "H": f"(?P<H>{two})", "I": f"(?P<I>{two})",
        "z": "(?P<z>Z|[-+][0-9]{2}:?[0-9]{2})",
        "M": "(?P<M>[0-9]{2})", "S": "(?P<S>[0-9]{2})", "f": "(?P<f>[0-9]{1,6})", "p": "(?P<p>(?i:am|pm))",
        "%": "%",
    }  # fmt: skip
    pieces, position, used = [], 0, set()
    for found in _DIRECTIVE.finditer(format):
        if found[1] not in known or found[1] in used:
            return None
        used.add(found[1])
        pieces += [re.escape(format[position : found.start()]), known[found[1]]]
        position = found.end()
    if not (used & {"Y", "y"}) or {"b", "B"} <= used:
        return None
    return DatePattern(re.compile("".join(pieces) + re.escape(format[position:])))


def unknown_directives(format: str) -> tuple[str, ...]:
    """The directives of a format that no date is read by, as they stand in it."""
    return tuple(f"%{found[1]}" for found in _DIRECTIVE.finditer(format) if found[1] not in DIRECTIVES + "%")


def _year(part: dict[str, str | None]) -> int:
    if part.get("Y"):
        return int(part["Y"] or 0)
    short = int(part["y"] or 0)
    return short + (2000 if short < _PIVOT else 1900)


def _month(part: dict[str, str | None]) -> int:
    name = part.get("b")
    return _NUMBER_OF[name.lower()] if name else int(part.get("m") or 1)


def _hour(part: dict[str, str | None]) -> int:
    if not part.get("I"):
        return int(part.get("H") or 0)
    hour = int(part["I"] or 0)
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + (12 if (part.get("p") or "").lower() == "pm" else 0)


def _below_hours(part: dict[str, str | None]) -> tuple[int, int, int]:
    return int(part.get("M") or 0), int(part.get("S") or 0), int((part.get("f") or "").ljust(6, "0"))


def _instant(part: dict[str, str | None]) -> datetime | None:
    try:
        return datetime(_year(part), _month(part), int(part.get("d") or 1), _hour(part), *_below_hours(part))
    except ValueError:
        return None
