"""Evaluates a checked condition: on distinct values for one column, on rows only where more are involved."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.exact import COMPARISONS, Integers, Rationals
from curator_gui.core.predicate_tree import (
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Call,
    CellText,
    Compare,
    Condition,
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
from curator_gui.core.table import Column, Table, as_objects

Over = frozenset[str]
"""The columns a result depends on: none, it has length 1; one, its distinct values; more, the rows."""

_FALSE, _UNKNOWN, _TRUE = -1, 0, 1  # so that AND is the smaller, OR the larger, NOT the negative
_DAY_ONE = 1970
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


@dataclass(frozen=True, eq=False)
class _Truth:
    over: Over
    states: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class _Texts:
    """``texts`` object: str, or None for NULL."""

    over: Over
    texts: NDArray[np.object_]

    @property
    def valid(self) -> NDArray[np.bool_]:
        return np.fromiter((t is not None for t in self.texts), np.bool_, len(self.texts))


@dataclass(frozen=True, eq=False)
class _Amounts:
    """Numbers, or dates as microseconds since 1970. ``valid`` is False for NULL."""

    over: Over
    values: Rationals
    valid: NDArray[np.bool_]


def evaluated(condition: Condition, table: Table) -> NDArray[np.int8]:
    """[rows] 1 where a checked condition is TRUE, 0 where FALSE, -1 where UNKNOWN."""
    truth = _Evaluation(table).truth(condition)
    states = np.where(truth.states == _TRUE, 1, -1 - truth.states).astype(np.int8)
    if len(truth.over) == 1:
        (name,) = truth.over
        return states.take(table[name].codes)
    return np.array(np.broadcast_to(states, table.rows))


class _Evaluation:
    """One condition on one table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def truth(self, condition: Condition) -> _Truth:
        match condition:
            case AllOf(operands):
                return self._joined([self.truth(c) for c in operands], np.minimum)
            case AnyOf(operands):
                return self._joined([self.truth(c) for c in operands], np.maximum)
            case Not(operand):
                inner = self.truth(operand)
                return _Truth(inner.over, -inner.states)
            case IsNull(tested):
                value = self._value(tested)
                return _decided(value.over, ~value.valid, None)
            case Like(tested, pattern):
                matches = re.compile(pattern, re.DOTALL).fullmatch
                return _per_text(self._texts(tested), lambda text: matches(text) is not None)
            case Among():
                return self._among(condition)
            case Compare():
                return self._compared(condition)

    def _joined(self, truths: Sequence[_Truth], join: Callable[..., Any]) -> _Truth:
        """Those over the same columns first, so that a long chain stays on distinct values."""
        together: dict[Over, NDArray[np.int8]] = {}
        for truth in truths:
            before = together.get(truth.over)
            together[truth.over] = truth.states if before is None else join(before, truth.states)
        over: Over = frozenset().union(*together)
        return _Truth(over, reduce(join, (_spread(s, o, over, self._table) for o, s in together.items())))

    def _among(self, condition: Among) -> _Truth:
        value = self._value(condition.operand)
        if isinstance(value, _Texts):
            texts = {x.text for x in condition.literals if isinstance(x, Text)}
            return _per_text(value, texts.__contains__)
        return _decided(value.over, value.values.among(map(_fraction, condition.literals)), value.valid)

    def _compared(self, condition: Compare) -> _Truth:
        left, right = self._value(condition.left), self._value(condition.right)
        if isinstance(left, _Texts) and isinstance(right, _Texts):
            if not right.over or left.over == right.over or not left.over:
                return _compared_texts(left, condition.sign, right)
            left, right = _ranked(left, right)
        left, right = self._over_both(_amounts(left), _amounts(right))
        return _decided(
            left.over, left.values.compare(condition.sign, right.values), left.valid & right.valid
        )

    def _value(self, scalar: Scalar) -> _Texts | _Amounts:
        match scalar:
            case Name(name):
                return _column_values(self._table[name])
            case CellText(column):
                return _Texts(frozenset([column.name]), self._table[column.name].values)
            case Text(text):
                return _Texts(frozenset(), as_objects([text]))
            case Number() | Instant():
                return _Amounts(frozenset(), Rationals.constant(_fraction(scalar)), np.ones(1, np.bool_))
            case Negative(operand):
                amounts = _amounts(self._value(operand))
                return _Amounts(amounts.over, -amounts.values, amounts.valid)
            case Arithmetic():
                return self._calculated(scalar)
            case Call(function="YEAR" | "MONTH"):
                return _calendar(scalar.function, _amounts(self._value(scalar.operand)))
            case Call():
                return _text_function(scalar, self._texts(scalar.operand))

    def _texts(self, scalar: Scalar) -> _Texts:
        value = self._value(scalar)
        if not isinstance(value, _Texts):
            raise TypeError("The condition was not checked.")
        return value

    def _calculated(self, scalar: Arithmetic) -> _Amounts:
        left, right = self._over_both(_amounts(self._value(scalar.left)), _amounts(self._value(scalar.right)))
        valid = left.valid & right.valid
        if scalar.operation == "/":
            valid = valid & (right.values.numerator != 0)
        return _Amounts(left.over, _OPERATIONS[scalar.operation](left.values, right.values), valid)

    def _over_both(self, left: _Amounts, right: _Amounts) -> tuple[_Amounts, _Amounts]:
        over = left.over | right.over
        return self._lifted(left, over), self._lifted(right, over)

    def _lifted(self, amounts: _Amounts, over: Over) -> _Amounts:
        def spread(array: NDArray[Any]) -> NDArray[Any]:
            return _spread(array, amounts.over, over, self._table)

        return _Amounts(over, amounts.values.map(spread), spread(amounts.valid))


def _spread(array: NDArray[Any], over: Over, wider: Over, table: Table) -> NDArray[Any]:
    """From one column's distinct values to rows where the wider result is on rows; length 1 stays."""
    if len(array) == 1 or len(over) != 1 or len(wider) == 1:
        return array
    (name,) = over
    return array.take(table[name].codes)


def _decided(over: Over, holds: NDArray[np.bool_], valid: NDArray[np.bool_] | None) -> _Truth:
    states = holds.astype(np.int8) * np.int8(2) - np.int8(1)
    return _Truth(over, states if valid is None else states * valid)


def _per_text(texts: _Texts, holds: Callable[[str], bool]) -> _Truth:
    states = (_UNKNOWN if t is None else _TRUE if holds(t) else _FALSE for t in texts.texts)
    return _Truth(texts.over, np.fromiter(states, np.int8, len(texts.texts)))


def _compared_texts(left: _Texts, sign: str, right: _Texts) -> _Truth:
    compare = COMPARISONS[sign]
    if not right.over:
        constant = right.texts[0]
        return _per_text(left, lambda text: compare(text, constant))
    if not left.over:
        constant = left.texts[0]
        return _per_text(right, lambda text: compare(constant, text))
    pairs = zip(left.texts, right.texts, strict=True)
    states = (_UNKNOWN if a is None or b is None else _TRUE if compare(a, b) else _FALSE for a, b in pairs)
    return _Truth(left.over, np.fromiter(states, np.int8, len(left.texts)))


def _ranked(left: _Texts, right: _Texts) -> tuple[_Amounts, _Amounts]:
    """The texts of two columns as their places in one order by code point."""
    known = {t for texts in (left, right) for t in texts.texts if t is not None}
    place = {text: i for i, text in enumerate(sorted(known))}
    return tuple(  # type: ignore[return-value]
        _Amounts(t.over, Rationals(_places(t.texts, place), np.ones(1, np.int64)), t.valid)
        for t in (left, right)
    )


def _places(texts: Iterable[str | None], place: dict[str, int]) -> Integers:
    return np.array([-1 if t is None else place[t] for t in texts], np.int64)


def _column_values(column: Column) -> _Texts | _Amounts:
    over = frozenset([column.name])
    if column.type.is_number:
        numbers = column.numbers
        scale = Rationals.constant(10**numbers.scale).numerator
        return _Amounts(over, Rationals(numbers.scaled, scale), numbers.valid)
    if column.type.is_date:
        dates = column.dates
        moments = dates.instants.astype("datetime64[us]").astype(np.int64)
        return _Amounts(over, Rationals(moments, np.ones(1, np.int64)), dates.valid)
    return _Texts(over, column.values)


def _amounts(value: _Texts | _Amounts) -> _Amounts:
    if not isinstance(value, _Amounts):
        raise TypeError("The condition was not checked.")
    return value


def _fraction(literal: Text | Number | Instant) -> Fraction:
    match literal:
        case Number(value):
            return value
        case Instant(microseconds):
            return Fraction(microseconds)
    raise TypeError("The condition was not checked.")


def _calendar(function: str, dates: _Amounts) -> _Amounts:
    months = dates.values.numerator.astype("datetime64[us]").astype("datetime64[M]").astype(np.int64)
    part = months // 12 + _DAY_ONE if function == "YEAR" else months % 12 + 1
    return _Amounts(dates.over, Rationals(part, np.ones(1, np.int64)), dates.valid)


def _text_function(call: Call, texts: _Texts) -> _Texts | _Amounts:
    if call.function == "LENGTH":
        lengths = np.array([0 if t is None else len(t) for t in texts.texts], np.int64)
        return _Amounts(texts.over, Rationals(lengths, np.ones(1, np.int64)), texts.valid)
    change = _change_of(call)
    return _Texts(texts.over, as_objects([None if t is None else change(t) for t in texts.texts]))


def _change_of(call: Call) -> Callable[[str], str]:
    if call.function == "LOWER":
        return str.lower
    if call.function == "UPPER":
        return str.upper
    start = call.limits[0] - 1
    end = start + call.limits[1] if len(call.limits) == 2 else None
    return lambda text: text[start:end]
