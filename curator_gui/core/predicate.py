"""SQL WHERE expressions over a table's cells, with SQL's three-valued logic and exact numbers.

Text compares by code point, numbers and dates by value. A missing cell and a cell that does not parse under
its column's type are NULL; CAST(column AS VARCHAR) gives any cell's text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.predicate_syntax import names_in, read_condition
from curator_gui.core.predicate_tree import Condition
from curator_gui.core.predicate_types import checked
from curator_gui.core.predicate_values import evaluated
from curator_gui.core.predicate_words import MOST_DIGITS
from curator_gui.core.table import Column, Table


@dataclass(frozen=True)
class Predicate:
    """A parsed expression, equal to another with the same text. Made by ``parse_predicate``."""

    text: str
    columns: frozenset[str] = field(compare=False)
    condition: Condition = field(compare=False, repr=False)

    def check(self, table: Table) -> None:
        """Refuse a table the expression does not fit.

        Raises:
            PredicateError: with the position of an unknown column, of a date literal that is none, or of
                a part that cannot be compared with its neighbour.
        """
        checked(self.condition, table)

    def evaluate(self, table: Table) -> NDArray[np.int8]:
        """[rows] 1 where TRUE, 0 where FALSE, -1 where UNKNOWN. Raises as ``check`` does."""
        return evaluated(checked(self.condition, table), table)

    def holds(self, table: Table) -> NDArray[np.bool_]:
        """[rows] True exactly where the expression is TRUE. Raises as ``check`` does."""
        return np.equal(self.evaluate(table), 1)


def parse_predicate(text: str) -> Predicate:
    """Read a WHERE expression.

    Raises:
        PredicateError: with the position, in characters from 0, of the first thing refused.
    """
    condition = read_condition(text)
    return Predicate(text, names_in(condition), condition)


def quote_name(name: str) -> str:
    """A column name as an expression writes it."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(value: str) -> str:
    """A text as an expression writes it."""
    return "'" + value.replace("'", "''") + "'"


def column_in(column: Column, codes: Collection[int]) -> str:
    """An expression that is TRUE exactly where the column's cell is one of these distinct values.

    codes: places in ``column.values``. It is TRUE nowhere where there are none.
    """
    chosen = sorted(set(codes))
    name = quote_name(column.name)
    exact_text = name if _is_text(column) else f"CAST({name} AS VARCHAR)"
    present = [code for code in chosen if column.values[code] is not None]
    parts = []
    if present:
        literals = _value_literals(column, present)
        parts.append(
            _is_one_of(name, literals) if literals else _is_one_of(exact_text, _texts(column, present))
        )
    if len(present) < len(chosen):
        parts.append(f"{exact_text} IS NULL")
    if not parts:
        return "1 = 0"
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


def _is_text(column: Column) -> bool:
    return not (column.type.is_number or column.type.is_date)


def _is_one_of(operand: str, literals: Sequence[str]) -> str:
    return f"{operand} = {literals[0]}" if len(literals) == 1 else f"{operand} IN ({', '.join(literals)})"


def _texts(column: Column, codes: Sequence[int]) -> list[str]:
    return [quote_text(column.values[code]) for code in codes]


def _value_literals(column: Column, codes: Sequence[int]) -> list[str]:
    """Literals by value, where each of these values has exactly one spelling in the column; else none."""
    if column.type.is_number:
        readings, valid = column.numbers.scaled, column.numbers.valid
    elif column.type.kind == "date":
        readings, valid = column.dates.instants, column.dates.valid
    else:
        return []
    if not valid[codes].all():
        return []
    found = [readings[code : code + 1].tolist()[0] for code in codes]
    if np.count_nonzero(np.isin(readings[valid], readings[codes])) > len(set(found)):
        return []  # some of these values have another spelling too
    if column.type.is_number:
        literals = [_decimal(value, column.numbers.scale) for value in found]
        return literals if all(len(x) <= MOST_DIGITS for x in literals) else []
    # A date literal is a day: a cell whose format reads more than that keeps its text.
    days = readings.astype("datetime64[D]")
    return [] if (days != readings).any() else [quote_text(str(days[code])) for code in codes]


def _decimal(scaled: int, scale: int) -> str:
    digits = str(abs(scaled)).rjust(scale + 1, "0")
    whole, fraction = digits[: len(digits) - scale], digits[len(digits) - scale :].rstrip("0")
    return f"{'-' if scaled < 0 else ''}{whole}{'.' + fraction if fraction else ''}"
