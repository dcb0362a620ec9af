"""Exact rational arithmetic on arrays: int64 while the results fit, Python's integers from there on."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]
"""int64, or object holding Python's integers."""

_INT64_MOST = 2**63 - 1
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, eq=False)
class Rationals:
    """Value i is numerator[i] / denominator[i]. The denominator is positive and may have length 1 for all."""

    numerator: Integers
    denominator: Integers

    @classmethod
    def constant(cls, value: Fraction | int) -> Rationals:
        return cls(integers([value.numerator]), integers([value.denominator]))

    def map(self, change: Callable[[Integers], Integers]) -> Rationals:
        """Both parts moved to other places alike."""
        return Rationals(change(self.numerator), change(self.denominator))

    def __neg__(self) -> Rationals:
        return Rationals(-self.numerator, self.denominator)

    def __add__(self, other: Rationals) -> Rationals:
        left, right, denominator = self._common(other)
        return Rationals(_sum(left, right), denominator)

    def __sub__(self, other: Rationals) -> Rationals:
        return self + -other

    def __mul__(self, other: Rationals) -> Rationals:
        return Rationals(
            _product(self.numerator, other.numerator), _product(self.denominator, other.denominator)
        )

    def __truediv__(self, other: Rationals) -> Rationals:
        """Where ``other`` is zero the value means nothing; the caller masks it."""
        divisor = np.where(other.numerator == 0, 1, other.numerator)
        sign = np.where(divisor < 0, -1, 1)
        return Rationals(
            _product(_product(self.numerator, other.denominator), sign),
            _product(self.denominator, _product(divisor, sign)),
        )

    def compare(self, sign: str, other: Rationals) -> NDArray[np.bool_]:
        """[broadcast] whether the comparison holds, by exact value."""
        left, right, _ = self._common(other)
        return np.asarray(COMPARISONS[sign](left, right), np.bool_)

    def among(self, values: Iterable[Fraction]) -> NDArray[np.bool_]:
        """[values] whether each is one of the given."""
        if len(self.denominator) == 1:
            wanted = [v * int(self.denominator[0]) for v in values]
            whole = [int(v) for v in wanted if v.denominator == 1]
            return _members(self.numerator, whole)
        pairs = {(v.numerator, v.denominator) for v in values}
        common = np.gcd(self.numerator, self.denominator)
        reduced = zip((self.numerator // common).tolist(), (self.denominator // common).tolist(), strict=True)
        return np.fromiter((pair in pairs for pair in reduced), np.bool_, len(self.numerator))

    def _common(self, other: Rationals) -> tuple[Integers, Integers, Integers]:
        """Both numerators over one denominator."""
        mine, theirs = self.denominator, other.denominator
        if len(mine) == len(theirs) == 1 and mine[0] == theirs[0]:
            return self.numerator, other.numerator, mine
        return _product(self.numerator, theirs), _product(other.numerator, mine), _product(mine, theirs)


def integers(values: list[int]) -> Integers:
    """int64 where all fit, else object; never -2**63, so that a sign can always change."""
    if all(-_INT64_MOST <= v <= _INT64_MOST for v in values):
        return np.array(values, np.int64)
    return np.array(values, object)


def _product(left: Integers, right: Integers) -> Integers:
    if len(right) == 1 and right[0] == 1:
        return left
    if _is_small(left, right) and _largest(left) * _largest(right) <= _INT64_MOST:
        return np.multiply(left, right)
    exact: Integers = np.multiply(left.astype(object), right.astype(object))
    return exact


def _sum(left: Integers, right: Integers) -> Integers:
    if _is_small(left, right) and _largest(left) + _largest(right) <= _INT64_MOST:
        return np.add(left, right)
    exact: Integers = np.add(left.astype(object), right.astype(object))
    return exact


def _is_small(left: Integers, right: Integers) -> bool:
    return object not in (left.dtype, right.dtype)


def _largest(values: Integers) -> int:
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def _members(numbers: Integers, wanted: list[int]) -> NDArray[np.bool_]:
    if numbers.dtype != object:
        fitting = [v for v in wanted if -_INT64_MOST <= v <= _INT64_MOST]
        return np.isin(numbers, np.array(fitting, np.int64))
    chosen = set(wanted)
    return np.fromiter((n in chosen for n in numbers.tolist()), np.bool_, len(numbers))
