"""What a condition's parts are in one table: text with text, number with number, date with date."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, NoReturn

from curator_gui.core.errors import PredicateError
from curator_gui.core.predicate_tree import (
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Call,
    CellText,
    Compare,
    Condition,
    Constant,
    Instant,
    IsNull,
    Like,
    Name,
    Negative,
    Not,
    Number,
    Scalar,
    Text,
)
from curator_gui.core.predicate_words import shown
from curator_gui.core.table import Column, Table, quoted

Reading = Literal["text", "number", "date", "datetime"]

_CALLED = {"text": "text", "number": "a number", "date": "a date", "datetime": "a date with a time"}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")
_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


def checked(condition: Condition, table: Table) -> Condition:
    """The condition with its date literals read.

    Raises:
        PredicateError: an unknown column, a date literal that is none, or parts that cannot be compared.
    """
    match condition:
        case AllOf(operands):
            return AllOf(tuple(checked(c, table) for c in operands))
        case AnyOf(operands):
            return AnyOf(tuple(checked(c, table) for c in operands))
        case Not(operand):
            return Not(checked(operand, table))
        case IsNull(tested):
            reading_of(tested, table)
            return condition
        case Like(tested):
            _require("text", tested, table, "LIKE")
            return condition
        case Compare(sign, left, right):
            return Compare(sign, *_alike(left, right, table))
        case Among(tested, literals):
            return _checked_list(condition, reading_of(tested, table), literals)


def reading_of(scalar: Scalar, table: Table) -> Reading:
    """What a scalar's values are; raises PredicateError where its parts do not fit."""
    match scalar:
        case Name():
            return reading_of_column(_column(scalar, table))
        case CellText(column):
            _column(column, table)
            return "text"
        case Text():
            return "text"
        case Number():
            return "number"
        case Instant():
            return "datetime"
        case Negative(operand):
            return _require("number", operand, table, "minus")
        case Arithmetic(operation, left, right):
            _require("number", left, table, operation)
            return _require("number", right, table, operation)
        case Call("YEAR" | "MONTH" as function, operand):
            _require("date", operand, table, function)
            return "number"
        case Call(function, operand):
            _require("text", operand, table, function)
            return "number" if function == "LENGTH" else "text"


def reading_of_column(column: Column) -> Reading:
    match column.type.kind:
        case "integer" | "decimal":
            return "number"
        case "date" | "datetime" as kind:
            return kind
        case _:
            return "text"


def _column(name: Name, table: Table) -> Column:
    if name.name not in table:
        known = quoted(table.names) if table.names else "no columns"
        raise PredicateError(
            f"There is no column {shown(name.name)} (position {name.at}); the table has {known}.",
            position=name.at,
        )
    return table[name.name]


def _require(wanted: Reading, scalar: Scalar, table: Table, what: str) -> Reading:
    reading = reading_of(scalar, table)
    if reading == wanted or (wanted == "date" and reading == "datetime"):
        return reading
    advice = "write CAST(column AS VARCHAR) to take its text" if wanted == "text" else "use another column"
    raise PredicateError(
        f"{what} needs {_CALLED[wanted]}, but {_called(scalar)} (position {scalar.at}) "
        f"is {_CALLED[reading]}; {advice}.",
        position=scalar.at,
    )


def _alike(left: Scalar, right: Scalar, table: Table) -> tuple[Scalar, Scalar]:
    """Both sides of a comparison, a text literal beside a date read as one."""
    left_reading, right_reading = reading_of(left, table), reading_of(right, table)
    if isinstance(right, Text | Number):
        return left, _literal(right, left_reading)
    if isinstance(left, Text | Number):
        return _literal(left, right_reading), right
    if left_reading != right_reading and not {left_reading, right_reading} <= {"date", "datetime"}:
        _refuse(left, left_reading, right, right_reading)
    return left, right


def _checked_list(condition: Among, reading: Reading, literals: tuple[Constant, ...]) -> Among:
    if reading == "text" and all(isinstance(x, Text) for x in literals):
        return condition
    return replace(condition, literals=tuple(_literal(x, reading) for x in literals))


def _literal(literal: Constant, reading: Reading) -> Constant:
    match literal, reading:
        case (Text(), "date" | "datetime"):
            return Instant(_microseconds(literal, reading), literal.at)
        case (Text(), "text") | (Number(), "number"):
            return literal
        case (Text(text, at), _):
            message = f"{shown(text)} (position {at}) is text, but it is compared with {_CALLED[reading]}"
            raise PredicateError(f"{message}; write a number without quotes.", position=at)
        case _:
            message = f"The number at position {literal.at} is compared with {_CALLED[reading]}"
            raise PredicateError(f"{message}; put it in single quotes.", position=literal.at)


def _microseconds(literal: Text, reading: Reading) -> int:
    formats = [(_DATE, "%Y-%m-%d")]
    if reading == "datetime":
        formats.append((_DATETIME, "%Y-%m-%d %H:%M:%S"))
    for pattern, layout in formats:
        if pattern.fullmatch(literal.text):
            try:
                return (datetime.strptime(literal.text, layout) - _EPOCH) // _MICROSECOND
            except ValueError:
                break
    raise PredicateError(
        f"{shown(literal.text)} (position {literal.at}) is not {_CALLED[reading]}; write it as '2024-01-31'"
        f"{' or ' + repr('2024-01-31 08:30:00') if reading == 'datetime' else ''}.",
        position=literal.at,
    )


def _refuse(left: Scalar, left_reading: Reading, right: Scalar, right_reading: Reading) -> NoReturn:
    raise PredicateError(
        f"{_called(right)} (position {right.at}) is {_CALLED[right_reading]}, but it is compared with "
        f"{_called(left)}, which is {_CALLED[left_reading]}; compare values of one kind.",
        position=right.at,
    )


def _called(scalar: Scalar) -> str:
    match scalar:
        case Name(name):
            return shown(name)
        case Text(text):
            return shown(text)
        case Number():
            return "the number"
        case _:
            return "the expression"
