"""What a curator is told of a protection that protects nobody or reads nothing."""

from __future__ import annotations

from curator_gui.core.column_type import ColumnType
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.preparation import Source
from curator_gui.core.protection import Protection, Secret, VisibleAttribute
from curator_gui.core.table import Column, Table
from curator_gui.disclosure.population import resolve
from curator_gui.disclosure.warnings import warnings

TEXT = ColumnType()
HIV = Secret("HIV", parse_predicate("dx = 'HIV'"))


def told(protection: Protection, day: ColumnType = TEXT, rows: int = 2) -> str:
    days = Column.of("day", ["1.2.2020", "3.2.2020"][:rows]).retyped(day)
    table = Table.of([days, Column.of("dx", ["HIV", "flu"][:rows])])
    return " ".join(warnings(resolve(Source(table), protection)))


def test_a_condition_that_makes_nobody_a_target_is_told() -> None:
    nobody = Protection(secrets=(HIV,), targets=parse_predicate("dx = 'plague'"))

    assert "No record is a target" in told(nobody)
    assert "target" not in told(Protection(secrets=(HIV,)))


def test_a_column_of_which_no_cell_is_read_is_told_where_it_matters() -> None:
    iso = ColumnType("date", format="%Y-%m-%d")
    visible = Protection(visible=(VisibleAttribute("day"),), secrets=(HIV,))

    assert "No cell of “day” can be read as a date" in told(visible, iso)
    assert "can be read" not in told(visible, ColumnType("date", format="%d.%m.%Y"))
    assert "can be read" not in told(Protection(secrets=(HIV,)), iso)


def test_a_table_without_records_is_told_once() -> None:
    assert told(Protection(secrets=(HIV,)), rows=0) == "The table has no records, so nothing was scored."
