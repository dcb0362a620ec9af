"""The difficult files of the shared collection, opened as a curator would: detect, read, propose."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_gui.core.table import Column, ColumnType
from curator_gui.store.readers import CsvDialect, TableRead, detect_dialect, propose_types, read_csv, unparsed
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


def test_11_dates_with_words_for_missing() -> None:
    dialect, found = opened("11_empty_dates.csv")
    told = CsvDialect(missing=("", "NA", "NULL"))
    again = read_csv(INPUTS / "11_empty_dates.csv", told)

    assert any("“NA”, “NULL”" in why for why in dialect.evidence)
    assert cells(found.table["died_on"]) == ["2020-01-31", None, "2021-07-04", "NA", "NULL"]
    assert cells(again.table["died_on"]) == ["2020-01-31", None, "2021-07-04", None, None]
    assert kinds(told, again)["died_on"] == "date"
    assert cells(found.table["smoker"]).count(None) == 1


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


def test_25_a_column_of_nothing_is_one_missing_value() -> None:
    _, found = opened("25_all_missing_column.csv")

    assert list(found.table["empty"].values) == [None]


def test_27_gb18030_is_proposed() -> None:
    dialect, found = opened("27_gb18030.csv")

    assert dialect.encoding == "gb18030"
    assert cells(found.table.columns[2]) == ["天津", "重庆", "𠮷野"]


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
