"""A class that a view makes, as a WHERE expression that holds for values not seen yet too."""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction

from curator_gui.core.decimals import number_text
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.predicate import quote_name, quote_text
from curator_gui.core.table import Column
from curator_gui.core.view import Bins, DatePart, Level, Prefix, Star, View, Width

_MONTHS_OF_A_QUARTER = 3


def class_condition(view: View, column: Column, ladder: Hierarchy | None, code: int) -> str | None:
    """An expression TRUE of the values that share a class with the value of this code.

    None where only a list of values says it. Cells that do not parse are not looked into: whoever uses the
    expression checks which rows it holds for.
    """
    if isinstance(view, Level):
        if view.level == 0 or ladder is None:
            return None
        view = ladder.view(view.level)
    value: str | None = column.values[code]
    if value is None:
        return f"{quote_name(column.name)} IS NULL"
    name = quote_name(column.name)
    match view:
        case Star():
            return f"{name} IS NOT NULL"
        case Prefix(length) if not (column.type.is_number or column.type.is_date):
            return f"SUBSTR({name}, 1, {length}) = {quote_text(value[:length])}"
        case Bins() if column.numbers.valid[code]:
            return _between(name, *_edges(view, _number(column, code)))
        case Width(width, origin) if column.numbers.valid[code]:
            step = math.floor((_number(column, code) - Fraction(origin)) / Fraction(width))
            low = origin + step * width
            return _between(name, number_text(low), number_text(low + width))
        case DatePart(part) if column.dates.valid[code]:
            return _dated(name, part, column, code)
    return None


def _number(column: Column, code: int) -> Fraction:
    return Fraction(int(column.numbers.scaled[code]), 10**column.numbers.scale)


def _edges(view: Bins, number: Fraction) -> tuple[str | None, str | None]:
    bin = bisect_right([Fraction(e) for e in view.edges], number)
    low = number_text(view.edges[bin - 1]) if bin else None
    return low, number_text(view.edges[bin]) if bin < len(view.edges) else None


def _between(name: str, low: str | None, high: str | None) -> str:
    parts = [f"{name} >= {low}"] if low is not None else []
    return " AND ".join([*parts, f"{name} < {high}"] if high is not None else parts)


def _dated(name: str, part: str, column: Column, code: int) -> str | None:
    instant = column.dates.instants[code]
    year = int(instant.astype("datetime64[Y]").astype(int)) + 1970
    month = int(instant.astype("datetime64[M]").astype(int)) % 12 + 1
    match part:
        case "year":
            return f"YEAR({name}) = {year}"
        case "decade":
            return f"YEAR({name}) BETWEEN {year - year % 10} AND {year - year % 10 + 9}"
        case "month":
            return f"YEAR({name}) = {year} AND MONTH({name}) = {month}"
        case "quarter":
            first = month - (month - 1) % _MONTHS_OF_A_QUARTER
            return f"YEAR({name}) = {year} AND MONTH({name}) BETWEEN {first} AND {first + 2}"
        case "day" if column.type.kind == "date":
            return f"{name} = {quote_text(str(instant.astype('datetime64[D]')))}"
    return None
