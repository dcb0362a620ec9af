"""Conditions a person composes by choosing, as WHERE expressions and back. No Qt here."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.column_type import ColumnType
from curator_gui.core.decimals import decimal_text
from curator_gui.core.errors import PredicateError
from curator_gui.core.predicate import Predicate, parse_predicate, quote_name, quote_text
from curator_gui.core.predicate_tree import (
    AllOf,
    Among,
    AnyOf,
    CellText,
    Compare,
    Condition,
    IsNull,
    Name,
    Not,
    Number,
    Sign,
    Text,
)
from curator_gui.core.preparation import Source
from curator_gui.core.table import Column, Table

Relation = Literal["=", "<>", "<", "<=", ">", ">=", "in", "contains", "starts", "missing", "present"]
Joined = Literal["AND", "OR"]

_ORDERED: tuple[Relation, ...] = ("=", "<>", "<", "<=", ">", ">=", "in", "missing", "present")
_TEXTUAL: tuple[Relation, ...] = ("=", "<>", "in", "contains", "starts", "missing", "present")
_SIGNS: tuple[Sign, ...] = ("=", "<>", "<", "<=", ">", ">=")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Test:
    """One line of a composed condition; ``value`` is as typed, several separated by commas for "in"."""

    column: str
    relation: Relation
    value: str = ""

    __test__ = False


@dataclass(frozen=True, slots=True)
class Matches:
    """How many of the records present a condition is true of."""

    records: int
    present: int


def relations_of(column: Column) -> tuple[Relation, ...]:
    """The relations that make sense for a column, in the order to offer them."""
    return _ORDERED if column.type.is_number or column.type.is_date else _TEXTUAL


def needs_value(relation: Relation) -> bool:
    """Whether a relation compares with a value at all."""
    return relation not in ("missing", "present")


def expression(tests: Sequence[Test], joined: Joined, table: Table) -> str:
    """The WHERE expression of these tests; "" where there is none."""
    return f" {joined} ".join(_one(test, table[test.column]) for test in tests)


def common_values(column: Column, most: int = 1000) -> list[str]:
    """The most frequent values that are not missing, in the order of their frequency."""
    order = np.argsort(-column.counts, kind="stable")[: most + 1]
    return [column.values[code] for code in order.tolist() if column.values[code] is not None][:most]


def matches(where: Predicate, source: Source, present: NDArray[np.bool_] | None) -> Matches:
    """Count the records for which a condition is TRUE; PredicateError where it does not fit the table."""
    holds = source.holds(where)
    if present is None:
        return Matches(int(np.count_nonzero(holds)), source.table.rows)
    return Matches(int(np.count_nonzero(holds & present)), int(np.count_nonzero(present)))


def read(text: str, table: Table) -> Predicate:
    """The predicate of an expression that fits the table; PredicateError with its position else."""
    where = parse_predicate(text)
    where.check(table)
    return where


def joined_values(values: Sequence[str]) -> str:
    """Several values as one editable text."""
    return ", ".join('"' + v.replace('"', '""') + '"' if _needs_quotes(v) else v for v in values)


def separate_values(text: str) -> list[str]:
    """The values of an editable text; a value with a comma stands in double quotes."""
    try:
        return next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise PredicateError("A double quote is not closed in the list of values.") from None


def _needs_quotes(value: str) -> bool:
    return value != value.strip() or not value or any(c in value for c in ',"\r\n')


def _one(test: Test, column: Column) -> str:
    name = test.column if _reads_as_name(test.column) else quote_name(test.column)
    match test.relation:
        case "missing":
            return f"CAST({name} AS VARCHAR) IS NULL" if _is_read(column) else f"{name} IS NULL"
        case "present":
            return f"CAST({name} AS VARCHAR) IS NOT NULL" if _is_read(column) else f"{name} IS NOT NULL"
        case "in":
            values = separate_values(test.value)
            if not values:
                raise PredicateError(f"Give one or more values for “{test.column}”.")
            return f"{name} IN ({', '.join(_literal(v, column) for v in values)})"
        case "contains":
            return f"{name} LIKE {_pattern(test.value, '%')}"
        case "starts":
            return f"{name} LIKE {_pattern(test.value, '')}"
        case sign:
            return f"{name} {sign} {_literal(test.value, column)}"


def _is_read(column: Column) -> bool:
    """Whether a cell that does not parse is NULL though it is not missing."""
    return column.type.is_number or column.type.is_date


def _reads_as_name(name: str) -> bool:
    try:
        return parse_predicate(f"{name} IS NULL").columns == {name}
    except PredicateError:
        return False


def _literal(value: str, column: Column) -> str:
    if column.type.is_number:
        plain = _plain_number(value.strip(), column.type)
        if plain is not None:
            return plain
        raise PredicateError(
            f"“{column.name}” holds numbers; "
            + (f"“{value}” is none." if value else "give one to compare with.")
        )
    return quote_text(_iso(value, column) if column.type.is_date else value)


def _plain_number(value: str, type: ColumnType) -> str | None:
    """A number as expressions write it, from one spelled as in the column, or plainly."""
    read = Column.of("", [value], type).numbers
    if read.valid[0]:
        return decimal_text(int(read.scaled[0]), read.scale)
    return value if _NUMBER.fullmatch(value) else None


def _iso(value: str, column: Column) -> str:
    """A date as expressions write it, where the value is spelled as in the column."""
    for code in np.flatnonzero(column.values == value).tolist():
        if column.dates.valid[code]:
            day = column.dates.instants[code]
            text = str(day.astype("datetime64[s]")).replace("T", " ")
            return text.removesuffix(" 00:00:00")
    return value


def _pattern(value: str, before: str) -> str:
    if not re.search(r"[%_!]", value):
        return quote_text(f"{before}{value}%")
    escaped = re.sub(r"([%_!])", r"!\1", value)
    return f"{quote_text(f'{before}{escaped}%')} ESCAPE '!'"


# Back again


def chosen_tests(where: Predicate, table: Table) -> tuple[tuple[Test, ...], Joined] | None:
    """The tests that compose to an expression with this meaning; None where choosing cannot say it."""
    joined: Joined = "OR" if isinstance(where.condition, AnyOf) else "AND"
    operands: Sequence[Condition] = (where.condition,)
    if isinstance(where.condition, AllOf | AnyOf):
        operands = where.condition.operands
    tests = [t for operand in operands for t in _tests(operand, table)]
    found = tuple(t for t in tests if t is not None)
    return (found, joined) if len(found) == len(tests) else None


def _tests(condition: Condition, table: Table) -> Iterator[Test | None]:
    match condition:
        case Compare(sign, Name(name), (Text() | Number()) as literal) if sign in _SIGNS and name in table:
            yield Test(name, sign, _typed(literal, table[name]))
        case Among(Name(name), literals) if name in table:
            texts = [_typed(x, table[name]) for x in literals if isinstance(x, Text | Number)]
            yield Test(name, "in", joined_values(texts))
        case IsNull(CellText(Name(name))) if name in table:
            yield Test(name, "missing")
        case Not(IsNull(CellText(Name(name)))) if name in table:
            yield Test(name, "present")
        case IsNull(Name(name)) if name in table and not _is_read(table[name]):
            yield Test(name, "missing")
        case Not(IsNull(Name(name))) if name in table and not _is_read(table[name]):
            yield Test(name, "present")
        case _:
            yield None


def _typed(literal: Text | Number, column: Column) -> str:
    if isinstance(literal, Text):
        return literal.text
    return _digits(literal.value).replace(".", column.type.mark)


def _digits(value: Fraction) -> str:
    """A fraction that was written with digits, in digits."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    units = int(value * 10**places)
    if not places:
        return str(units)
    digits = str(abs(units)).zfill(places + 1)
    return f"{'-' if units < 0 else ''}{digits[:-places]}.{digits[-places:]}"
