"""Types proposed from a column's distinct values."""

from __future__ import annotations

import pytest

from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.store.readers import ColumnProposal, missing_words, propose_types, unparsed


def proposals(cells: list[str | None], decimal: str = ".") -> ColumnProposal:
    return propose_types(Table.of([Column.of("x", cells)]), decimal)["x"]


def proposed(cells: list[str | None], decimal: str = ".") -> ColumnType:
    return proposals(cells, decimal).best


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-20", "0", None], "integer"),
        (["1.5", "-2", "0.25"], "decimal"),
        (["1.5", "1e-7"], "decimal"),
        (["+3", "-2"], "integer"),
        (["C50", "A01", "Z99"], "code"),
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
        (["1 Jan 2020", "31 Dec 2021"], "%d %b %Y"),
        (["01JAN2020", "31dec2021"], "%d%b%Y"),
        (["1/31/2020 12:05 AM"], "%m/%d/%Y %I:%M %p"),
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


def test_a_slip_among_dates_is_tolerated_and_listed() -> None:
    days = [f"2020-01-{n:02}" for n in range(1, 31)]
    found = proposals([*days, "not known"])

    assert found.best == ColumnType("date", format="%Y-%m-%d")
    assert found.proposals[0].exceptions == 1
    assert "but for 1 cell such as “not known”" in found.reason
    assert proposals([*days[:5], *"abcdef"]).best.kind == "text"


def test_a_day_that_is_none_is_a_slip_among_dates() -> None:
    assert proposals(["13.01.2020", "14.02.2020", "30.02.2020"]).best.format == "%d.%m.%Y"


@pytest.mark.parametrize("cells", [["20200131", "20200230", "x20200101"], ["13/2020", "14/2021", "15/2022"]])
def test_digits_and_other_pairs_are_no_dates_with_slips(cells: list[str]) -> None:
    assert not proposals(cells).best.is_date


def test_offsets_from_universal_time_are_read_past() -> None:
    cells = ["2020-01-31T23:30:00+01:00", "2020-06-30T10:00:00-0500", "2020-07-01T00:00:00Z"]
    column = Column.of("x", cells)

    best = propose_types(Table.of([column]))["x"].best

    assert best == ColumnType("datetime", format="%Y-%m-%dT%H:%M:%S%z")
    instants = column.retyped(best).dates.instants
    assert [str(i)[:13] for i in instants] == [
        "2020-01-31T23", "2020-06-30T10", "2020-07-01T00",
    ]  # fmt: skip
    assert propose_types(Table.of([Column.of("x", cells[2:])]))["x"].best.format == "%Y-%m-%dT%H:%M:%SZ"


def test_nothing_is_unparsed_in_text() -> None:
    assert unparsed(Column.of("x", ["a", "1"])) == ()


def test_every_format_that_reads_an_ambiguous_date_is_shown() -> None:
    found = proposals(["01/02/2020", "03/04/2020"])

    assert [p.type.format for p in found.proposals] == [None, "%d/%m/%Y", "%m/%d/%Y"]
    assert "2 date formats read every value" in found.reason


def test_two_digit_years_are_offered_and_never_taken_for_granted() -> None:
    found = proposals(["31.12.99", "01.01.05"])

    assert found.best.kind == "text"
    assert "%d.%m.%y" in [p.type.format for p in found.proposals]


@pytest.mark.parametrize(
    ("cells", "decimal", "type"),
    [
        (["1.250,50", "0,75", "12.000,00"], ",", ColumnType("decimal", ",", group=".")),
        (["1,250.50", "0.75"], ".", ColumnType("decimal", ".", group=",")),
        (["1,250", "12,000"], ".", ColumnType("integer", ".", group=",")),
        (["1 250", "12"], ".", ColumnType("integer", ".", group=" ")),
        (["1,5", "2,7"], ".", ColumnType("decimal", ",")),
        (["1e-7", "1E+3", "2.5"], ".", ColumnType("decimal", spellings=("exponent",))),
        (["+3", "-2", "0"], ".", ColumnType("integer", spellings=("plus",))),
        ([".5", "2.5"], ".", ColumnType("decimal", spellings=("bare",))),
    ],
)
def test_numbers_are_proposed_as_they_are_written(
    cells: list[str | None], decimal: str, type: ColumnType
) -> None:
    assert proposed(cells, decimal) == type
    assert Column.of("x", cells, type).numbers.valid.all()


def test_what_may_be_thousands_or_a_fraction_is_shown_both_ways() -> None:
    types = [p.type for p in proposals(["1,250", "12,000"]).proposals]

    assert ColumnType("integer", group=",") in types
    assert ColumnType("decimal", ",") in types


def test_text_is_always_among_the_proposals() -> None:
    for cells in (["1", "2"], ["2020-01-31"], ["007", "008"], ["a"] * 9, ["a", "b"]):
        assert ColumnType() in [p.type for p in proposals(list(cells)).proposals]


def test_a_code_may_be_treated_as_a_number() -> None:
    found = proposals(["02134", "90210"])

    assert [p.type.kind for p in found.proposals] == ["code", "integer", "text"]
    assert "all have 5 digits" in found.reason


def test_columns_of_no_value_and_of_one_are_told() -> None:
    assert proposals([None, None]).state == "no values"
    assert proposals([]).state == "no values"
    assert proposals(["A"] * 5).state == "one value"
    assert proposals(["A", "A", None]).state == ""


def test_exceptions_are_counted_in_rows() -> None:
    found = proposals([*map(str, range(38)), "x", "x"])

    assert found.proposals[0].exceptions == 2
    assert "“x”" in found.reason


def test_words_for_missing_are_proposed_where_all_else_is_typed() -> None:
    table = Table.of([Column.of("died", ["2020-01-31", "NA", "NULL"]), Column.of("n", ["1", "2", "NA"])])

    assert [(w.word, w.cells, w.columns, w.proposed) for w in missing_words(table)] == [
        ("NA", 2, ("died", "n"), True),
        ("NULL", 1, ("died",), True),
    ]


def test_a_word_that_stands_among_words_is_kept() -> None:
    table = Table.of([Column.of("country", ["NA", "DE", "FR"]), Column.of("n", ["1", "2", "NA"])])

    assert [w.proposed for w in missing_words(table)] == [False]
