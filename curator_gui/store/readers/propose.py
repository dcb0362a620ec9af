"""Column types proposed from distinct values of a table read as text, with reasons; no cell is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from curator_gui.core.column_type import GROUPS, ColumnType, Spelling
from curator_gui.core.date_formats import date_pattern
from curator_gui.core.progress import Progress, silent
from curator_gui.core.readings import number_pattern
from curator_gui.core.table import Column, Table

_MOST_CATEGORIES = 50
_MOST_EXCEPTIONS = 0.05
_FEWEST_FOR_EXCEPTIONS = 10
_GLANCE = 200
_AT_ONCE = 1 << 13
_YEARS = frozenset(range(1800, 2200))
_DATE_FORMATS = (
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d",
    "%Y%m%d", "%d%m%Y", "%m%d%Y", "%d %b %Y", "%d-%b-%Y", "%d%b%Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y",
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M",
    "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %I:%M %p", "%Y/%m/%d %H:%M:%S",
    "%Y%m%d%H%M%S", "%d%b%Y:%H:%M:%S",
)  # fmt: skip
_ZONED_FORMATS = (
    "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S.%f%z",
)  # fmt: skip
_SHORT_YEARS = ("%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%y", "%y%m%d", "%d%m%y")

_DIGITS = re.compile(r"[0-9]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_LIKE_A_NUMBER = re.compile(r"[-+.,]?[0-9]")
_LOOKS_LIKE_ONE = re.compile(r"\s*[-+]?[.,]?[0-9][0-9.,' ’\u00a0\u202f]*(?:[eE][-+]?[0-9]+)?\s*")
_EXPONENT = re.compile(r"[0-9.,][eE][-+]?[0-9]")
_LIKE_A_DATE = re.compile(r"[0-9]{1,4}[-/. ]?[0-9A-Za-z]{1,9}[-/. ,].*|[A-Z][a-z]{2,8} [0-9]{1,2}, .*")
_LIKE_DIGITS = re.compile("%[Yymd]%[mdHY]")
_LETTERS_AND_DIGITS = re.compile(r"(?=.*[A-Z])(?=.*[0-9])[A-Z0-9.\-]{3,12}")

State = Literal["", "no values", "one value"]


@dataclass(frozen=True)
class TypeProposal:
    """A type a column may have. reason: one sentence. exceptions: rows whose cell the type does not read."""

    type: ColumnType
    reason: str
    exceptions: int = 0


@dataclass(frozen=True)
class ColumnProposal:
    """The types a column may have, the best first; plain text is always among them.

    state: whether the column has no values at all, or one and the same in every row.
    """

    column: str
    proposals: tuple[TypeProposal, ...]
    state: State = ""

    @property
    def best(self) -> ColumnType:
        return self.proposals[0].type

    @property
    def reason(self) -> str:
        return self.proposals[0].reason


def propose_types(table: Table, decimal: str = ".", progress: Progress = silent) -> dict[str, ColumnProposal]:
    """Types for every column, judged by its distinct values, missing aside. ``decimal``: the file's mark.

    Best is the first of these that holds; the others that hold follow it:

    - date or datetime: exactly one of the formats known reads every value, years 1800 to 2199, or all but as
      few as for numbers; where two do, all are shown and the column stays text, or a number or code if its
      values are digits alone;
    - code: digits alone and one of them starts with a zero, or capitals with digits, all of one length;
    - integer, decimal: all values parse, or all but at most 5 % of ten or more, or more than half do and each
      of the others starts like a number (a slip of the pen such as 4e). Marks between thousands, a leading +
      and exponents are accepted where some value has them, and said; what does not parse keeps its text;
    - category: at most 50 values, fewer than half as many as rows;
    - text.
    """
    proposals = {}
    for done, column in enumerate(table.columns):
        progress(done / len(table.columns), "Looking at the columns")
        proposals[column.name] = _proposed(column, decimal)
    return proposals


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


def _proposed(column: Column, mark: str) -> ColumnProposal:
    values = [v for v in column.values if v is not None]
    if not values:
        return ColumnProposal(column.name, (TypeProposal(ColumnType(), "No cell has a value."),), "no values")
    one = len(values) == 1 and not column.missing.any() and column.rows > 1
    text = TypeProposal(ColumnType(), "Its texts are kept as they are read.")
    short = [f for f in _SHORT_YEARS if _reads_all(f, values)]
    found = [*_typed(column, values, mark), text, *_short_dates(short)]
    return ColumnProposal(column.name, tuple(_each_once(found)), "one value" if one else "")


def _each_once(proposals: Sequence[TypeProposal]) -> list[TypeProposal]:
    first: dict[ColumnType, TypeProposal] = {}
    for proposal in proposals:
        first.setdefault(proposal.type, proposal)
    return list(first.values())


def _typed(column: Column, values: list[str], mark: str) -> list[TypeProposal]:
    dates = [f for f in _DATE_FORMATS if _reads_all(f, values)]
    dates = dates or [f for f in _ZONED_FORMATS if _reads_all(f, values)]
    digits = all(_DIGITS.fullmatch(v) for v in values)
    others = [*_code(values, digits), *_numbers(column, values, mark), *_by_count(len(values), column.rows)]
    by_format = list(_dates(dates))
    if len(dates) == 1:
        return [*by_format, *others]
    if dates and not digits:
        example = next(v for v in values)
        why = f"{len(dates)} date formats read every value, such as {example}: choose the one that is meant."
        return [TypeProposal(ColumnType(), why), *by_format]
    return [*(_dates_but_for_some(column, values) if not dates else ()), *others, *by_format]


def _dates(formats: Sequence[str]) -> Iterator[TypeProposal]:
    for format in formats:
        reason = f"Every value is a day of the calendar read as {format}"
        reason += "." if len(formats) == 1 else ", but other formats read them too."
        yield TypeProposal(_date_type(format), reason)


def _dates_but_for_some(column: Column, values: Sequence[str]) -> Iterator[TypeProposal]:
    """The one date format that reads all but a few, as for numbers; not of digits alone."""
    if not _LIKE_A_DATE.fullmatch(values[0]) and not _LIKE_A_DATE.fullmatch(values[-1]):
        return
    glance = values[:_GLANCE]
    read = {f: sum(map(_day_of(f), glance)) for f in _DATE_FORMATS if not _LIKE_DIGITS.search(f)}
    best = [f for f, count in read.items() if 2 * count > len(glance) and count == max(read.values())]
    if len(best) != 1 or not _few_or_slips(values, _day_of(best[0])):
        return
    type = _date_type(best[0])
    first = next(v for v in values if not _day_of(best[0])(v))
    exceptions = len(unparsed(column.retyped(type)))
    reason = f"A day of the calendar read as {best[0]}, but for {_cells(exceptions)} such as “{first}”."
    yield TypeProposal(type, reason, exceptions)


def _day_of(format: str) -> Callable[[str], bool]:
    """Whether a text is a day of the usual years in a format."""
    pattern = date_pattern(format)
    assert pattern is not None
    read = pattern.read
    return lambda value: (found := read(value)) is not None and found.year in _YEARS


def _short_dates(formats: Sequence[str]) -> Iterator[TypeProposal]:
    for format in formats:
        reason = f"Every value is a day read as {format}; two-digit years are taken as 1969 to 2068."
        yield TypeProposal(_date_type(format), reason)


def _date_type(format: str) -> ColumnType:
    return ColumnType("datetime" if re.search("%[HI]", format) else "date", format=format)


def _reads_all(format: str, values: Sequence[str]) -> bool:
    pattern = date_pattern(format)
    assert pattern is not None
    if any(pattern.read(value) is None for value in values[:_GLANCE]):
        return False
    for some in _pieces(values):
        years = pattern.years(some)
        if years is None or not years <= _YEARS:
            return False
    return True


def _code(values: list[str], digits: bool) -> Iterator[TypeProposal]:
    lengths = {len(v) for v in values}
    zero = next((v for v in values if len(v) > 1 and v[0] == "0"), None) if digits else None
    if zero is not None:
        as_number = f"Read as a number {zero} is {int(zero)}; the cell keeps its text."
        same = f" and all have {lengths.pop()} digits" if len(lengths) == 1 else ""
        yield TypeProposal(ColumnType("code"), f"Digits with leading zeros, such as {zero}{same}.")
        yield TypeProposal(ColumnType("integer"), as_number)
    elif len(lengths) == 1 and len(values) > 2 and all(_LETTERS_AND_DIGITS.fullmatch(v) for v in values):
        yield TypeProposal(ColumnType("code"), f"Capitals and digits, all of {lengths.pop()} characters.")


def _numbers(column: Column, values: list[str], mark: str) -> Iterator[TypeProposal]:
    """Of several number types that read all values the plainest first; with exceptions only one."""
    glance = values[:_GLANCE]
    if 2 * sum(_LOOKS_LIKE_ONE.fullmatch(v) is not None for v in glance) <= len(glance):
        return
    types = list(_number_types(values, mark))
    whole = [t for t in types if all(map(_reader(t), glance)) and _reads_lines(_lines_of(t), values)]
    integers = [replace(t, kind="decimal") for t in whole if t.kind == "integer"]
    for type in whole:
        if type in integers:  # every whole number is a decimal one too
            continue
        if "blanks" in type.spellings:
            yield TypeProposal(ColumnType(), "Texts with blanks around them; as numbers only if you say so.")
        yield TypeProposal(type, _number_reason(type))
    if whole:
        return
    for type in types:
        if not type.spellings and _mostly(values, _reader(type)):
            exceptions = len(unparsed(column.retyped(type)))
            first = next(v for v in values if not _reader(type)(v))
            reason = f"{_number_reason(type)[:-1]}, but for {_cells(exceptions)} such as “{first}”."
            yield TypeProposal(type, reason, exceptions)
            return


def _number_types(values: list[str], mark: str) -> Iterator[ColumnType]:
    """Number types worth trying: with the marks between thousands and the spellings that occur."""
    other = "," if mark == "." else "."
    seen: set[str] = set()
    for some in _pieces(values):
        seen.update("".join(some))
    groups = [g for g in GROUPS if g in seen]
    yield ColumnType("integer")
    yield ColumnType("decimal", mark)
    for group in groups:
        if group != mark:
            yield ColumnType("integer", mark, group=group)
            yield ColumnType("decimal", mark, group=group)
    if other in seen:
        yield ColumnType("decimal", other)
        if mark in seen:
            yield ColumnType("decimal", other, group=mark)
    for one in (mark, other) if other in seen else (mark,):
        needed = _spellings(values, seen, one)
        if needed:
            yield ColumnType("integer", one, spellings=needed)
            yield ColumnType("decimal", one, spellings=needed)


def _spellings(values: list[str], seen: set[str], mark: str) -> tuple[Spelling, ...]:
    tests: tuple[tuple[Spelling, str, Callable[[str], object]], ...] = (
        ("plus", "+", lambda v: v.lstrip().startswith("+")),
        ("exponent", "eE", _EXPONENT.search),
        ("bare", mark, lambda v: v.lstrip("+-").startswith(mark) or v.endswith(mark)),
        ("blanks", " \t\u00a0", lambda v: v != v.strip()),
    )
    return tuple(
        name for name, marks, holds in tests if not seen.isdisjoint(marks) and any(map(holds, values))
    )


def _reader(type: ColumnType) -> Callable[[str], bool]:
    """Whether a text is such a number, written without leading zeros."""
    fullmatch, zero = number_pattern(type).fullmatch, _LEADING_ZERO.match
    return lambda value: fullmatch(value) is not None and not zero(value)


def _lines_of(type: ColumnType) -> re.Pattern[str]:
    """Lines that ``_reader`` accepts, one and all: many times faster than asking for each."""
    return re.compile(rf"(?:(?!{_LEADING_ZERO.pattern}){number_pattern(type).pattern}\n)*+")


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _reads_lines(lines: re.Pattern[str], values: Sequence[str]) -> bool:
    for some in _pieces(values):
        text = "\n".join(some) + "\n"
        if text.count("\n") != len(some) or not lines.fullmatch(text):
            return False
    return True


def _pieces(values: Sequence[str]) -> Iterator[Sequence[str]]:
    """Some thousand values at a time: one call on millions would keep other threads from the interpreter."""
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))


def _number_reason(type: ColumnType) -> str:
    named = {"plus": "a leading +", "exponent": "exponents", "bare": "no digit beside the mark",
             "blanks": "blanks around them"}  # fmt: skip
    kind = "a whole number" if type.kind == "integer" else f"a number with the decimal mark “{type.mark}”"
    parts = [f"“{type.group}” between thousands"] if type.group else []
    parts += [named[s] for s in type.spellings]
    return f"Every value is {kind}" + (f", some with {' and '.join(parts)}." if parts else ".")


def _mostly(values: list[str], reads: Callable[[str], bool]) -> bool:
    glance = values[:_GLANCE]
    return 2 * sum(map(reads, glance)) > len(glance) and _few_or_slips(values, reads)


def _few_or_slips(values: Sequence[str], reads: Callable[[str], bool]) -> bool:
    others = [v for v in values if not reads(v)]
    few = len(values) >= _FEWEST_FOR_EXCEPTIONS and len(others) <= _MOST_EXCEPTIONS * len(values)
    slips = 2 * len(others) < len(values) and all(_LIKE_A_NUMBER.match(v) for v in others)
    return few or slips


def _by_count(distinct: int, rows: int) -> Iterator[TypeProposal]:
    if distinct <= _MOST_CATEGORIES and 2 * distinct < rows:
        yield TypeProposal(ColumnType("category"), f"{distinct} different values in {rows} rows.")
