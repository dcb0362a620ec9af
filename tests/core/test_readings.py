"""Readings of a column's distinct values: many at once give what one by one gives, and are made once."""

from __future__ import annotations

import numpy as np
import pytest

from curator_gui.core.predicate import column_in
from curator_gui.core.table import Column, ColumnType

MANY = 20_000  # more than are read in one call


@pytest.mark.parametrize(("kind", "fraction"), [("integer", ""), ("decimal", ".25")])
def test_a_long_column_is_read_as_a_short_one_is(kind: str, fraction: str) -> None:
    cells = [f"{i}{fraction if i == MANY - 1 else ''}" for i in range(MANY)]

    numbers = Column.of("x", cells, ColumnType(kind)).numbers  # type: ignore[arg-type]

    assert numbers.valid.all()
    assert numbers.scaled[: MANY - 1].tolist() == [i * 10**numbers.scale for i in range(MANY - 1)]
    assert numbers.scaled[-1] == (MANY - 1) * 100 + 25 if fraction else MANY - 1


def test_one_odd_cell_at_the_end_of_a_long_column_is_the_only_one_not_read() -> None:
    column = Column.of("x", [*map(str, range(MANY)), "4e"], ColumnType("integer"))

    assert np.flatnonzero(~column.numbers.valid).tolist() == [MANY]


def test_readings_are_shared_by_columns_with_the_same_values() -> None:
    text = Column.of("x", ["1", "2", "1"])
    column = text.retyped(ColumnType("integer"))

    assert text.retyped(ColumnType("integer")).numbers is column.numbers
    assert column.at(np.array([2])).numbers is column.numbers
    assert text.retyped(ColumnType("decimal")).numbers is not column.numbers


def test_a_value_with_another_spelling_in_the_column_is_named_by_its_text() -> None:
    column = Column.of("x", ["7", "07", "8"], ColumnType("integer"))

    assert column_in(column, [2]) == '"x" = 8'
    assert column_in(column, [0]) == "CAST(\"x\" AS VARCHAR) = '7'"
    assert column_in(column, [0, 1]) == "CAST(\"x\" AS VARCHAR) IN ('7', '07')"
