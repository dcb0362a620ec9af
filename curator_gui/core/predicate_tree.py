"""The small immutable tree a WHERE expression becomes. ``at`` counts characters of its text from 0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Sign = Literal["=", "<>", "<", "<=", ">", ">="]
Operation = Literal["+", "-", "*", "/"]
Function = Literal["LOWER", "UPPER", "SUBSTR", "LENGTH", "YEAR", "MONTH"]


@dataclass(frozen=True, slots=True)
class Name:
    """A column, read under its type."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class CellText:
    """CAST(column AS VARCHAR): the cell exactly as read."""

    column: Name
    at: int


@dataclass(frozen=True, slots=True)
class Text:
    """A literal in single quotes: a text, or a date where it stands beside one."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Number:
    value: Fraction
    at: int


@dataclass(frozen=True, slots=True)
class Instant:
    """A date literal, in microseconds since 1970. Only a checked tree holds them."""

    microseconds: int
    at: int


@dataclass(frozen=True, slots=True)
class Negative:
    operand: Scalar
    at: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operation: Operation
    left: Scalar
    right: Scalar
    at: int


@dataclass(frozen=True, slots=True)
class Call:
    """``limits`` are SUBSTR's first code point, from 1, and, where given, how many."""

    function: Function
    operand: Scalar
    limits: tuple[int, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Compare:
    sign: Sign
    left: Scalar
    right: Scalar


@dataclass(frozen=True, slots=True)
class Among:
    """IN. ``literals`` is not empty."""

    operand: Scalar
    literals: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """``pattern`` is a regular expression that must match the whole text."""

    operand: Scalar
    pattern: str


@dataclass(frozen=True, slots=True)
class IsNull:
    operand: Scalar


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class AllOf:
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    operands: tuple[Condition, ...]


Constant = Text | Number | Instant
Scalar = Name | CellText | Text | Number | Instant | Negative | Arithmetic | Call
Condition = Compare | Among | Like | IsNull | Not | AllOf | AnyOf
