"""Types proposed from a column's distinct values."""

from __future__ import annotations

import pytest

from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.store.readers import CsvDialect, propose_types, unparsed


def proposed(cells: list[str | None], decimal: str = ".") -> ColumnType:
    return propose_types(Table.of([Column.of("x", cells)]), CsvDialect(decimal=decimal))["x"]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-20", "0", None], "integer"),
        (["1.5", "-2", "0.25"], "decimal"),
        (["1.5", "1e-7"], "text"),
        (["02134", "90210"], "code"),
        (["007", "12"], "code"),
        (["92612", "91711"], "integer"),
        (["F", "M"] * 3, "category"),
        (["F", "M"], "text"),
        ([f"name {i}" for i in range(60)] * 3, "text"),
        ([None, None], "text"),
        ([], "text"),
        (["2020-01-31", "nan"], "text"),
        ([" 1", "2"], "text"),
    ],
)
def test_the_kind_follows_from_the_distinct_values(cells: list[str | None], kind: str) -> None:
    assert proposed(cells).kind == kind


@pytest.mark.parametrize(
    ("cells", "format"),
    [
        (["2020-01-31", None], "%Y-%m-%d"),
        (["31.01.2020", "1.2.2020"], "%d.%m.%Y"),
        (["31/01/2020", "01/02/2020"], "%d/%m/%Y"),
        (["01/31/2020", "01/02/2020"], "%m/%d/%Y"),
        (["20240320", "20231231"], "%Y%m%d"),
        (["05112025", "13022019"], "%d%m%Y"),
        (["2019-06-12 09:54:17"], "%Y-%m-%d %H:%M:%S"),
        (["2019-06-12T09:54"], "%Y-%m-%dT%H:%M"),
    ],
)
def test_a_date_format_is_proposed_when_it_alone_reads_all(cells: list[str | None], format: str) -> None:
    type = proposed(cells)

    column = Column.of("x", cells, type)
    assert type.format == format
    assert type.is_date
    assert (column.dates.valid | column.missing).all()


def test_a_date_that_two_formats_read_stays_text() -> None:
    assert proposed(["01/02/2020", "03/04/2020"] * 5).kind == "text"


@pytest.mark.parametrize("cell", ["2021-02-29", "1020-01-01"])
def test_a_day_that_is_not_or_is_long_past_proves_no_date(cell: str) -> None:
    assert proposed(["2020-02-29", cell]).kind == "text"


def test_the_decimal_mark_is_the_dialects() -> None:
    assert proposed(["1,5", "2"], decimal=",") == ColumnType("decimal", ",")
    assert proposed(["1,5", "2,5", "a", "b"]).kind == "text"


def test_a_few_exceptions_among_many_numbers_are_tolerated_and_listed() -> None:
    cells: list[str | None] = [*map(str, range(38)), "unknown", "x", None]

    type = proposed(cells)

    assert type.kind == "integer"
    assert unparsed(Column.of("x", cells, type)) == ((38, "unknown"), (39, "x"))
    assert proposed([*cells, "y"]).kind == "text"


def test_slips_of_the_pen_are_tolerated_in_a_short_column() -> None:
    assert proposed(["34", "4e", "66", "7f", "45"]).kind == "integer"
    assert proposed(["34", "no", "66", "45"]).kind == "text"
    assert proposed(["1a", "2b", "3", "4"]).kind == "text"


def test_nothing_is_unparsed_in_text() -> None:
    assert unparsed(Column.of("x", ["a", "1"])) == ()
