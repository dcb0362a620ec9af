"""Column types proposed from the distinct values of a table read as text. Proposals; no cell is changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.store.readers.dialect import CsvDialect

_MOST_CATEGORIES = 50
_MOST_EXCEPTIONS = 0.05
_FEWEST_FOR_EXCEPTIONS = 10
_YEARS = range(1800, 2200)

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_DIGITS = re.compile(r"[0-9]+")
_LIKE_A_NUMBER = re.compile(r"[-+.,]?[0-9]")


@dataclass(frozen=True)
class _DateFormat:
    """A strptime format and the pattern of texts it reads, its groups named Y, m and d."""

    type: ColumnType
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, format: str) -> _DateFormat:
        # Digits run together need two places each, or 2024115 would be read in two ways.
        digits = "{2}" if re.search("%[Ymd]%", format) else "{1,2}"
        pattern = format.replace(".", r"\.")
        pattern = pattern.replace("%Y", "(?P<Y>[0-9]{4})")
        pattern = pattern.replace("%m", f"(?P<m>[0-9]{digits})").replace("%d", f"(?P<d>[0-9]{digits})")
        pattern = pattern.replace("%H", "([01][0-9]|2[0-3])")
        pattern = pattern.replace("%M", "[0-5][0-9]").replace("%S", "[0-5][0-9]")
        kind = ColumnType("datetime" if "%H" in format else "date", format=format)
        return cls(kind, re.compile(pattern))

    def reads_all(self, values: Sequence[str]) -> bool:
        days: set[tuple[int, int, int]] = set()
        for value in values:
            match = self.pattern.fullmatch(value)
            if match is None:
                return False
            days.add((int(match["Y"]), int(match["m"]), int(match["d"])))
        return all(_is_day(*day) for day in days)


_DATE_FORMATS = tuple(
    _DateFormat.of(format)
    for format in (
        "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d",
        "%Y%m%d", "%d%m%Y", "%m%d%Y",
        "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M",
        "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M",
        "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M",
    )
)  # fmt: skip


def propose_types(table: Table, dialect: CsvDialect) -> dict[str, ColumnType]:
    """A type for every column, by the first rule that holds of its distinct values, missing aside.

    - date or datetime: exactly one of the formats known reads every value, years 1800 to 2199; a column
      that two formats read stays text, unless its values are digits alone, which are numbers then;
    - code: digits alone, and one of them starts with a zero;
    - integer, decimal: all values parse, or all but at most 5 % of ten or more, or more than half do and each
      of the others starts like a number (a slip of the pen such as 4e). What does not parse keeps its text
      and is listed by ``unparsed``;
    - category: at most 50 values, fewer than half as many as rows;
    - text.
    """
    return {column.name: _proposed(column, dialect.decimal) for column in table.columns}


def unparsed(column: Column) -> tuple[tuple[int, str], ...]:
    """The cells a number or date type does not read, as (row from 0, text), in the order of rows."""
    if column.type.is_number:
        valid = column.numbers.valid
    elif column.type.is_date:
        valid = column.dates.valid
    else:
        return ()
    rows = np.flatnonzero(~(valid | column.missing)[column.codes])
    return tuple((int(row), str(column.cell(int(row)))) for row in rows)


def _proposed(column: Column, mark: str) -> ColumnType:
    values = [v for v in column.values if v is not None]
    if not values:
        return ColumnType()
    numeric = all(_DIGITS.fullmatch(v) for v in values)
    formats = [f.type for f in _DATE_FORMATS if f.reads_all(values)]
    if len(formats) == 1:
        return formats[0]
    if formats and not numeric:
        return ColumnType()
    if numeric and any(v[0] == "0" and len(v) > 1 for v in values):
        return ColumnType("code")
    return _number(values, mark) or _by_count(len(values), column.rows)


def _number(values: list[str], mark: str) -> ColumnType | None:
    if _mostly(values, _INTEGER):
        return ColumnType("integer")
    if _mostly(values, re.compile(rf"-?(0|[1-9][0-9]*)({re.escape(mark)}[0-9]+)?")):
        return ColumnType("decimal", mark)
    return None


def _mostly(values: list[str], pattern: re.Pattern[str]) -> bool:
    others = [v for v in values if not pattern.fullmatch(v)]
    few = len(values) >= _FEWEST_FOR_EXCEPTIONS and len(others) <= _MOST_EXCEPTIONS * len(values)
    slips = 2 * len(others) < len(values) and all(_LIKE_A_NUMBER.match(v) for v in others)
    return few or slips


def _by_count(distinct: int, rows: int) -> ColumnType:
    few = distinct <= _MOST_CATEGORIES and 2 * distinct < rows
    return ColumnType("category" if few else "text")


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return year in _YEARS
