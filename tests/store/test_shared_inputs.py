"""The difficult files of the shared collection, opened as a curator would: detect, read, propose."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from curator_gui.core.table import Column, ColumnType
from curator_gui.session import Session
from curator_gui.store.readers import (
    CsvDialect,
    SheetReader,
    TableRead,
    alternatives,
    detect_dialect,
    detect_reader,
    propose_types,
    read_csv,
    read_table,
    unparsed,
)
from curator_gui.store.spelling import Labels
from curator_gui.store.writers import write_csv

INPUTS = Path(__file__).parents[2] / ".." / "shared" / "inputs"
pytestmark = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared files are not here")


def opened(name: str) -> tuple[CsvDialect, TableRead]:
    dialect = detect_dialect(INPUTS / name)
    return dialect, read_csv(INPUTS / name, dialect)


def kinds(dialect: CsvDialect, found: TableRead) -> dict[str, str]:
    return {name: p.best.kind for name, p in propose_types(found.table, dialect.decimal).items()}


def best_types(dialect: CsvDialect, found: TableRead) -> dict[str, ColumnType]:
    return {name: p.best for name, p in propose_types(found.table, dialect.decimal).items()}


def numbers(column: Column) -> list[Decimal]:
    read = column.numbers
    return [Decimal(int(read.scaled[c])).scaleb(-read.scale) for c in column.codes]


def cells(column: Column) -> list[str | None]:
    return [column.cell(row) for row in range(column.rows)]


def test_01_dirty_integers_are_listed_by_row() -> None:
    dialect, found = opened("01_dirty_ints.csv")
    types = best_types(dialect, found)

    assert (dialect.delimiter, dialect.newline) == (";", "\r\n")
    assert types["age"].kind == "integer"
    assert unparsed(found.table.retyped(types)["age"]) == ((1, "4e"), (3, "7f"))


def test_02_ragged_and_blank_lines_are_flagged() -> None:
    _, found = opened("02_ragged_blank_quoted.csv")

    assert found.rows == 6
    assert found.notes[0].startswith("3 rows shorter than the header (lines 2, 4, 5)")
    assert found.notes[1].startswith("2 blank lines skipped")
    assert cells(found.table["zip"])[4] == "81;;;925"
    assert cells(found.table["note"]) == [None, None, None, "d", "e", "g;gg;h"]


def test_04_the_byte_order_mark_is_not_in_the_first_name() -> None:
    dialect, found = opened("04_utf8_bom_semicolon.csv")

    assert (dialect.encoding, dialect.delimiter) == ("utf-8-sig", ";")
    assert found.table.names == ("id", "Größe", "Ort")
    assert cells(found.table["Ort"]) == ["Köln", "Würzburg"]


def test_05_utf_16_is_read_by_its_mark() -> None:
    dialect, found = opened("05_utf16le_bom.tsv")

    assert dialect.delimiter == "\t"
    assert (found.rows, found.table.names[0]) == (2, "id")


def test_07_codes_keep_their_zeros_through_a_file(tmp_path: Path) -> None:
    dialect, found = opened("07_leading_zero_codes.csv")
    assert kinds(dialect, found) == {
        "case": "integer", "zip": "code", "clinic_code": "code", "amount": "integer",
    }  # fmt: skip

    columns = [(c.codes, list(c.values)) for c in found.table.columns]
    write_csv(tmp_path / "out.csv", found.header, columns, dialect, missing_token="")

    assert (tmp_path / "out.csv").read_bytes() == (INPUTS / "07_leading_zero_codes.csv").read_bytes()


def test_08_compact_dates_are_dates() -> None:
    dialect, found = opened("08_compact_dates.csv")
    types = best_types(dialect, found)

    assert types["admitted"].format == "%Y%m%d"
    assert types["born"].format == "%d%m%Y"


def test_06_the_decimal_comma_and_the_points_between_thousands_are_read() -> None:
    session = Session.open_table(INPUTS / "06_decimal_comma_semicolon.csv")

    types = {name: type.kind for name, type in session.record.types.items()}
    assert types == {"when": "datetime", "temp": "decimal", "dose": "decimal"}
    assert session.table["dose"].type == ColumnType("decimal", ",", group=".")
    assert numbers(session.table["temp"]) == [Decimal("28.7"), Decimal("28.95"), Decimal("29.08")]
    assert numbers(session.table["dose"]) == [Decimal("1250.5"), Decimal("0.75"), Decimal(12000)]


def test_11_dates_with_words_for_missing() -> None:
    session = Session.open_table(INPUTS / "11_empty_dates.csv")
    told = CsvDialect()
    again = read_csv(INPUTS / "11_empty_dates.csv", told)

    assert session.reader.missing == ("", "NA", "NULL")
    assert any(
        "“NA” stands in 1 cell of “died_on”" in why for why in detect_reader(session.source_path).evidence
    )
    assert cells(session.table["died_on"]) == ["2020-01-31", None, "2021-07-04", None, None]
    assert session.table["died_on"].type.kind == "date"
    assert cells(again.table["died_on"]) == ["2020-01-31", None, "2021-07-04", "NA", "NULL"]
    assert cells(session.table["smoker"]).count(None) == 1


def test_12_all_seven_columns_are_kept() -> None:
    _, found = opened("12_duplicate_and_blank_headers.csv")

    assert found.table.names == ("id", "score", "score (2)", "column 4", "a b", "a-b", "a_b")
    assert found.header == ("id", "score", "score", "", "a b", "a-b", "a_b")
    assert len(found.notes) == 1


def test_13_a_header_alone_opens() -> None:
    dialect, found = opened("13_header_only.csv")

    assert (found.rows, found.table.names) == (0, ("age", "sex", "zip"))
    assert set(kinds(dialect, found).values()) == {"text"}


def test_14_one_record_opens() -> None:
    dialect, found = opened("14_one_record.csv")

    assert found.rows == 1
    assert kinds(dialect, found) == {"age": "integer", "sex": "text", "diag": "text"}


def test_24_newlines_and_quotes_in_cells() -> None:
    _, found = opened("24_newlines_and_quotes_in_cells.csv")

    assert cells(found.table["notes"]) == [
        "Line one \nline two ends.",
        'He said "yes", twice',
        'unquoted " mid',
    ]
    assert len(found.notes) == 1
    assert "line 5" in found.notes[0]


def test_16_and_19_small_tables_open_without_a_note() -> None:
    for name, rows in (("16_occupation.csv", 5), ("19_interval_levels_collapse.csv", 3)):
        _, found = opened(name)
        assert (found.rows, found.notes) == (rows, ())


def test_20_all_values_are_decimals_exponents_too(tmp_path: Path) -> None:
    session = Session.open_table(INPUTS / "20_negative_decimals.csv")

    assert session.record.types["x"] == ColumnType("decimal")
    assert session.record.types["y"] == ColumnType("decimal", spellings=("exponent",))
    assert all(session.table[n].numbers.valid.all() for n in ("x", "y"))
    assert numbers(session.table["y"])[2:] == [Decimal("1e-7"), Decimal(1000)]
    assert numbers(session.table["x"])[2] == 0

    released = session.release(tmp_path / "out.csv", keep_order=True)
    assert released.path.read_bytes() == (INPUTS / "20_negative_decimals.csv").read_bytes()


def test_22_formulas_are_text_and_neutralized_only_on_demand(tmp_path: Path) -> None:
    session = Session.open_table(INPUTS / "22_formula_cells.csv")
    session.set_role("id", "ordinary")
    session.set_role("comment", "ordinary")

    assert cells(session.table["comment"])[0] == "=1+1"
    assert session.table["delta"].type == ColumnType("integer", spellings=("plus",))
    assert session.formula_cells() == {"comment": 5}
    released = session.release(tmp_path / "out.csv", keep_order=True, for_spreadsheet=True)
    found = read_csv(released.path, CsvDialect()).table
    assert cells(found["comment"])[1] == "'+4930000000"
    assert cells(found["delta"]) == ["-5", "+3", "0", "-2", "1"]


def test_25_columns_of_nothing_and_of_one_value_are_told() -> None:
    dialect, found = opened("25_all_missing_column.csv")
    proposed = propose_types(found.table, dialect.decimal)

    assert list(found.table["empty"].values) == [None]
    assert [proposed[n].state for n in ("valid", "empty", "const")] == ["", "no values", "one value"]


def test_27_gb18030_is_proposed() -> None:
    dialect, found = opened("27_gb18030.csv")

    assert dialect.encoding == "gb18030"
    assert cells(found.table.columns[2]) == ["天津", "重庆", "𠮷野"]


def test_27_other_encodings_are_shown_with_their_first_rows() -> None:
    found = alternatives(INPUTS / "27_gb18030.csv")
    session = Session.open_table(INPUTS / "27_gb18030.csv")

    encodings = [g.reader.encoding for g in found if isinstance(g.reader, CsvDialect)]
    assert encodings[0] == "gb18030"
    assert "cp1252" in encodings
    assert all(g.first_rows is not None for g in found)
    assert session.record.source.reader is not None
    assert session.record.source.reader["encoding"] == "gb18030"


def test_30_numbers_that_stand_for_categories_open() -> None:
    dialect, found = opened("30_category_absent_from_data.csv")

    assert found.rows == 4
    assert propose_types(found.table, dialect.decimal)["ward"].state == "one value"


def test_31_none_is_a_word() -> None:
    dialect, found = opened("31_paper_example.csv")

    assert cells(found.table["med"]) == ["ART", "ART", "None", "None", "None"]
    assert kinds(dialect, found)["age"] == "integer"


@pytest.mark.parametrize(
    ("name", "rows"),
    [("32_refresh_v1.csv", 4), ("32_refresh_v2.csv", 6), ("34_generalising_can_hurt_some.csv", 8)],
)
def test_the_papers_tables_open_without_a_note(name: str, rows: int) -> None:
    _, found = opened(name)

    assert (found.rows, found.notes) == (rows, ())


def test_36_a_table_of_requests_opens() -> None:
    dialect, found = opened("36_budget_negotiation.csv")

    assert (found.rows, found.notes) == (5, ())
    assert kinds(dialect, found)["eps_requested"] == "decimal"


def test_37_labels_stand_beside_codes_and_codes_without_one_are_kept() -> None:
    path = INPUTS / "37_labelled.dta"
    found = read_table(path, detect_reader(path))

    assert cells(found.table["region"]) == ["North (1)", "South (2)", "3", "9"]
    assert cells(found.table["water"]) == ["Yes (1)", None, "No (2)", "Yes (1)"]
    assert "water" not in found.descriptions


@pytest.mark.parametrize(
    ("labels", "regions"), [("codes", ["1", "2", "3", "9"]), ("labels", ["North", "South", "3", "9"])]
)
def test_37_a_release_says_codes_or_labels(tmp_path: Path, labels: Labels, regions: list[str]) -> None:
    session = Session.open_table(INPUTS / "37_labelled.dta")
    session.set_role("hhid", "ordinary")

    released = session.release(tmp_path / "out.csv", keep_order=True, labels=labels)

    assert cells(read_csv(released.path, CsvDialect()).table["region"]) == regions


def test_39_the_header_block_is_joined_and_the_footer_left_out() -> None:
    path = INPUTS / "39_merged_header.xlsx"
    reader = detect_reader(path)
    session = Session.open_table(path)

    assert reader == SheetReader("excel", "Survey", (2, 3), 4, 1)
    names = ("Person / id", "Person / zip", "Visits / 2023", "Visits / 2024", "Note")
    assert session.table.names == names
    assert session.table.rows == 3
    assert cells(session.table["Person / zip"]) == ["02134", "00501", "90210"]
    assert session.record.types["Person / zip"].kind == "code"
    assert session.record.source.reader == reader.to_json()
    assert [g.reader.sheet for g in alternatives(path) if isinstance(g.reader, SheetReader)] == [
        "Survey",
        "Notes",
    ]
