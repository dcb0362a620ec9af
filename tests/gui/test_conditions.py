"""Values typed into a condition, spelled as their column spells them."""

from __future__ import annotations

import pytest

from curator_gui.core.column_type import ColumnType, Kind
from curator_gui.core.errors import PredicateError
from curator_gui.core.table import Column, Table
from curator_gui.gui.column_actions import typed
from curator_gui.gui.conditions import Test as Chosen
from curator_gui.gui.conditions import expression

GERMAN = ColumnType("decimal", ",", group=".")


def condition(type: ColumnType, value: str) -> str:
    table = Table.of([Column.of("pay", ["1"], type)])
    return expression([Chosen("pay", ">", value)], "AND", table)


@pytest.mark.parametrize(
    ("type", "value", "number"),
    [
        (GERMAN, "1.234,5", "1234.5"),
        (GERMAN, "1.234", "1234"),
        (GERMAN, "-1.234.567", "-1234567"),
        (GERMAN, "12,50", "12.5"),
        (GERMAN, "1.5", "1.5"),
        (ColumnType("integer", group=","), " 12,000 ", "12000"),
        (ColumnType("integer"), "12", "12"),
        (ColumnType("integer"), "12.5", "12.5"),
        (ColumnType("decimal", spellings=("plus", "exponent", "bare")), "+1.5E+3", "1500"),
    ],
)
def test_a_number_is_read_as_the_column_reads_it(type: ColumnType, value: str, number: str) -> None:
    assert condition(type, value) == f"pay > {number}"


@pytest.mark.parametrize("value", ["1.23.4", "a", "", "1,2,3"])
def test_what_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(PredicateError, match="holds numbers"):
        condition(GERMAN, value)


@pytest.mark.parametrize(
    ("cells", "old", "kind", "new"),
    [
        (["1.234,5"], GERMAN, "integer", ColumnType("integer", ",", group=".")),
        (["1.234,5"], GERMAN, "decimal", GERMAN),
        (["1,234", "12"], ColumnType(), "integer", ColumnType("integer", ".", group=",")),
        (["1,234", "12"], ColumnType(), "decimal", ColumnType("decimal", ".", group=",")),
        (["31.01.2020", "13.02.2021"], ColumnType(), "date", ColumnType("date", format="%d.%m.%Y")),
        (["a"], ColumnType(), "date", ColumnType("date")),
        (["a"], ColumnType(), "code", ColumnType("code")),
    ],
)
def test_another_kind_keeps_or_finds_how_its_values_are_spelled(
    cells: list[str | None], old: ColumnType, kind: Kind, new: ColumnType
) -> None:
    assert typed(Column.of("x", cells, old), kind) == new
