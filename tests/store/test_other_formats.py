"""Workbooks, Parquet, SPSS, Stata, SAS and databases: what a person sees there is what is read."""

from __future__ import annotations

import sqlite3
import struct
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table as OdfTable
from odf.table import TableCell, TableRow
from odf.text import P

from curator_gui.core.errors import FileError, InputError
from curator_gui.store.readers import (
    ArrowReader,
    Credentials,
    Guess,
    SheetReader,
    SqlReader,
    StatisticsReader,
    TableRead,
    alternatives,
    detect_reader,
    estimate,
    preview,
    propose_sheet,
    propose_types,
    read_table,
    reader_from_json,
    sheet_rows,
)


def opened(path: Path) -> TableRead:
    reader = detect_reader(path)
    assert reader_from_json(reader.to_json(), path="reader") == reader
    return read_table(path, reader)


def rows(found: TableRead) -> list[list[str | None]]:
    return [[c.cell(r) for c in found.table.columns] for r in range(found.rows)]


def workbook(path: Path, *lines: list[Any], **formats: str) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in lines:
        sheet.append(line)
    for cell, format in formats.items():
        sheet[cell].number_format = format
    book.save(path)
    return path


def test_cells_of_a_workbook_are_read_as_they_are_seen(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "t.xlsx",
        ["zip", "when", "at", "share", "ok", "n", "text"],
        [2134, datetime(2020, 1, 31), datetime(2020, 1, 31, 9, 5), 0.1 + 0.2, True, 3.0, "a+b"],
        [90210, datetime(2021, 2, 1), datetime(2020, 1, 31, 23, 0), 1e-7, False, -2, " 007 "],
        A2="00000",
        A3="00000",
        B2="dd.mm.yy",
        B3="dd.mm.yy",
        C2="yyyy-mm-dd hh:mm",
        C3="yyyy-mm-dd hh:mm",
    )

    assert rows(opened(path)) == [
        ["02134", "2020-01-31", "2020-01-31 09:05:00", "0.3", "TRUE", "3", "a+b"],
        ["90210", "2021-02-01", "2020-01-31 23:00:00", "0.0000001", "FALSE", "-2", " 007 "],
    ]


def test_times_and_durations_are_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", ["at", "n"], [time(9, 30), 1], [time(23, 59, 1), 2])

    assert [r[0] for r in rows(opened(path))] == ["09:30:00", "23:59:01"]


def test_a_formula_shows_its_stored_value_and_one_without_is_told(tmp_path: Path) -> None:
    found = opened(workbook(tmp_path / "t.xlsx", ["a", "b"], [1, "=A2+1"], [2, 5]))

    assert rows(found) == [["1", None], ["2", "5"]]
    assert "1 formulas, such as the one in B2, have no stored value" in found.notes[0]


def test_blank_rows_are_skipped_and_merged_cells_filled(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (["ward", "n"], ["North", 1], [None, 2], [None, None], ["South", 3]):
        sheet.append(line)
    sheet.merge_cells("A2:A3")
    book.save(path)

    found = opened(path)

    assert rows(found) == [["North", "1"], ["North", "2"], ["South", "3"]]
    assert found.notes == (
        "1 blank row skipped (row 4).",
        "1 merged cells among the data were read in every row and column they cover.",
    )


def test_titles_and_footers_are_told_apart_from_the_table(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "t.xlsx",
        ["Visits of the year"],
        [],
        ["ward", "sex", "n"],
        ["A", "f", 1],
        ["B", "m", 2],
        ["Total", None, 3],
        ["Source: the register"],
    )

    reader = detect_reader(path)

    assert isinstance(reader, SheetReader)
    assert (reader.header, reader.first_row, reader.footer_rows) == ((3, 3), 4, 2)
    assert rows(read_table(path, reader)) == [["A", "f", "1"], ["B", "m", "2"]]


def test_what_follows_a_blank_row_is_a_footer_even_below_two_columns(tmp_path: Path) -> None:
    lines: list[list[Any]] = [["id", "v"], [1, 2], [3, 4], []]
    path = workbook(tmp_path / "t.xlsx", *lines, ["Notes:"], ["1) values rounded"], ["Total", 6])

    reader = detect_reader(path)

    assert isinstance(reader, SheetReader)
    assert reader.footer_rows == 3
    assert rows(read_table(path, reader)) == [["1", "2"], ["3", "4"]]


def test_records_after_a_blank_row_are_no_footer(tmp_path: Path) -> None:
    for last in ([3, None, 4], [3]):
        reader = detect_reader(workbook(tmp_path / "t.xlsx", ["id", "v", "w"], [1, 2, 3], [], last))

        assert isinstance(reader, SheetReader)
        assert reader.footer_rows == 0


def test_an_empty_sheet_is_passed_over(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx")
    book = openpyxl.load_workbook(path)
    for line in (["id", "a"], [1, 2]):
        book.create_sheet("data").append(line) if "data" not in book.sheetnames else book["data"].append(line)
    book.save(path)

    assert rows(opened(path)) == [["1", "2"]]


def test_errors_of_formulas_are_proposed_as_missing(tmp_path: Path) -> None:
    found = opened(workbook(tmp_path / "t.xlsx", ["id", "v"], [1, "#DIV/0!"], [2, "#N/A"], [3, 5]))

    assert rows(found) == [["1", None], ["2", None], ["3", "5"]]


def test_a_sheet_of_numbers_alone_has_no_header(tmp_path: Path) -> None:
    found = opened(workbook(tmp_path / "t.xlsx", [1, 2], [3, 4]))

    assert found.header == ()
    assert found.table.names == ("column 1", "column 2")


def test_every_sheet_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    for name in ("One", "Two"):
        book.create_sheet(name).append(["a", "b"])
        book[name].append([name, 1])
    del book["Sheet"]
    book.save(path)

    found = alternatives(path)

    assert [g.reader.sheet for g in found if isinstance(g.reader, SheetReader)] == ["One", "Two"]
    assert [g.first_rows.columns[0].cell(0) for g in found if g.first_rows] == ["One", "Two"]
    assert sheet_rows(path, "Two") == [["a", "b"], ["Two", "1"]]
    assert propose_sheet(path, "Two").sheet == "Two"
    assert preview(path, SheetReader(sheet="Three")).problem == (
        f"“{path.name}” has no sheet “Three”; it has “One”, “Two”."
    )


def test_the_same_reader_fits_a_longer_sheet(tmp_path: Path) -> None:
    lines: list[list[Any]] = [["a", "b", "c"], [1, 2, 3], ["Source: x"]]
    reader = detect_reader(workbook(tmp_path / "t.xlsx", *lines))

    longer = workbook(tmp_path / "u.xlsx", lines[0], lines[1], [4, 5, 6], lines[2])

    assert rows(read_table(longer, reader)) == [["1", "2", "3"], ["4", "5", "6"]]


def ods_cell(text: str, repeated: int = 1, **attributes: Any) -> TableCell:
    cell = (
        TableCell(numbercolumnsrepeated=repeated, **attributes) if repeated > 1 else TableCell(**attributes)
    )
    if text:
        cell.addElement(P(text=text))
    return cell


def test_an_open_document_sheet_is_read_as_it_is_seen(tmp_path: Path) -> None:
    document = OpenDocumentSpreadsheet()
    sheet = OdfTable(name="Data")
    for cells in (
        [
            ods_cell("zip", valuetype="string"),
            ods_cell("when", valuetype="string"),
            ods_cell("x", valuetype="string"),
        ],
        [
            ods_cell("02134", valuetype="float", value="2134"),
            ods_cell("31.01.20", valuetype="date", datevalue="2020-01-31"),
            ods_cell("3.14", valuetype="float", value="3.14159"),
        ],
        [
            ods_cell("90210", valuetype="float", value="90210"),
            ods_cell("01.02.20", valuetype="date", datevalue="2020-02-01T10:30:00"),
            ods_cell("", 1000),
        ],
    ):
        row = TableRow()
        for cell in cells:
            row.addElement(cell)
        sheet.addElement(row)
    sheet.addElement(TableRow(numberrowsrepeated=1_000_000))
    document.spreadsheet.addElement(sheet)
    document.save(str(tmp_path / "t.ods"))

    assert rows(opened(tmp_path / "t.ods")) == [
        ["02134", "2020-01-31", "3.14159"],
        ["90210", "2020-02-01 10:30:00", None],
    ]


def test_parquet_values_have_one_plain_spelling(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = pa.table(
        {
            "zip": ["02134", None, ""],
            "n": pa.array([3, None, -1], pa.int8()),
            "x": [0.1, 3.0, float("nan")],
            "f": pa.array([0.1, None, 2.5], pa.float32()),
            "ok": [True, False, None],
            "on": [date(2020, 1, 31), None, date(1, 1, 1)],
            "at": pa.array([datetime(2020, 1, 31, 9, 5), None, datetime(2021, 1, 1)], pa.timestamp("ns")),
            "cat": pa.array(["b", "a", "b"]).dictionary_encode(),
            "list": [[1, 2], None, []],
        }
    )
    pyarrow.parquet.write_table(table, path)

    assert rows(read_table(path, ArrowReader())) == [
        ["02134", "3", "0.1", "0.1", "true", "2020-01-31", "2020-01-31 09:05:00", "b", "[1, 2]"],
        [None, None, "3", None, "false", None, None, "a", None],
        ["", "-1", "NaN", "2.5", None, "0001-01-01", "2021-01-01 00:00:00", "b", "[]"],
    ]


def test_no_two_values_of_a_parquet_file_have_one_spelling(tmp_path: Path) -> None:
    blobs = [b"\xff", b"ff", b"0xff", b"a\0"]
    waits = [1_000_000, 1_200_000, 1_300_000, 0]
    table = pa.table({"blob": blobs, "wait": pa.array(waits, pa.duration("us"))})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")

    found = opened(tmp_path / "t.parquet").table

    assert list(found["blob"].values) == ["0xff", "ff", "0x30786666", "0x6100"]
    assert list(found["wait"].values) == ["00:00:01", "00:00:01.200000", "00:00:01.300000", "00:00:00"]


def test_instants_with_a_zone_are_dates_and_times(tmp_path: Path) -> None:
    instants = pa.array(
        [datetime(2020, 1, 31, 23, 30), datetime(2020, 6, 30)], pa.timestamp("us", "Europe/Berlin")
    )
    pyarrow.parquet.write_table(pa.table({"at": instants}), tmp_path / "t.parquet")

    found = opened(tmp_path / "t.parquet")

    assert rows(found) == [["2020-02-01 00:30:00+01:00"], ["2020-06-30 02:00:00+02:00"]]
    assert propose_types(found.table)["at"].best.kind == "datetime"


def test_arrow_files_and_streams_are_read(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", None, "y"]})
    pyarrow.feather.write_feather(table, tmp_path / "t.feather")
    with pa.OSFile(str(tmp_path / "t.arrows"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)

    for name in ("t.feather", "t.arrows"):
        assert rows(opened(tmp_path / name)) == [["x"], [None], ["y"]]


def test_codes_are_numbered_in_order_of_first_appearance(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"a": ["x", None, "y", "x"]}), path)

    column = read_table(path, ArrowReader()).table["a"]

    assert (column.codes.tolist(), list(column.values)) == ([0, 1, 2, 0], ["x", None, "y"])


LABELLED = pd.DataFrame({"region": [1.0, 2.0, 3.0, 9.0, np.nan], "name": ["a", "", "c", "d", "e"]})


def spss(path: Path) -> Path:
    pyreadstat.write_sav(
        LABELLED,
        str(path),
        variable_value_labels={"region": {1: "North", 2: "South", 9: "refused"}},
        missing_ranges={"region": [9]},
        column_labels=["Region of residence", ""],
    )
    return path


def test_labels_stand_beside_codes_and_no_code_is_renumbered(tmp_path: Path) -> None:
    path = spss(tmp_path / "t.sav")

    found = opened(path)

    assert [r[0] for r in rows(found)] == ["North (1)", "South (2)", "3", "refused (9)", None]
    assert found.value_labels["region"]["North (1)"].code == "1"
    assert found.descriptions == {"region": "Region of residence"}
    assert found.notes == ("Values declared missing occur in region: kept as values of their own.",)


@pytest.mark.parametrize(
    ("reader", "cells"),
    [
        (StatisticsReader("spss", "codes"), ["1", "2", "3", "9", None]),
        (StatisticsReader("spss", "labels"), ["North", "South", "3", "refused", None]),
        (StatisticsReader("spss", "both", "missing"), ["North (1)", "South (2)", "3", None, None]),
    ],
)
def test_codes_labels_and_declared_missing_are_a_choice(
    tmp_path: Path, reader: StatisticsReader, cells: list[str | None]
) -> None:
    assert [r[0] for r in rows(read_table(spss(tmp_path / "t.sav"), reader))] == cells


def test_kinds_of_missing_of_stata_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    frame = pd.DataFrame({"x": [1, "a", 2], "s": ["a", "b", "c"]})
    pyreadstat.write_dta(
        frame, str(path), missing_user_values={"x": ["a"]}, variable_value_labels={"x": {"a": "refused"}}
    )

    assert rows(opened(path)) == [["1", "a"], ["refused (.a)", "b"], ["2", "c"]]
    assert rows(read_table(path, StatisticsReader("stata", "codes")))[1] == [".a", "b"]
    assert rows(read_table(path, StatisticsReader("stata", user_missing="missing")))[1] == [None, "b"]


def test_a_sas_transport_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.xpt"
    pyreadstat.write_xport(pd.DataFrame({"A": [1.0, 2.5], "B": ["x", "y"]}), str(path), file_format_version=5)

    assert rows(opened(path)) == [["1", "x"], ["2.5", "y"]]


def database(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (zip TEXT, n INTEGER, x REAL)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", [("02134", 1, 0.5), (None, 2, None)])
    connection.close()
    return path


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_missing_dates_and_times_are_missing(tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame({"at": [datetime(2020, 1, 31, 9, 5), None], "on": [None, date(2020, 2, 1)]})
    getattr(pyreadstat, f"write_{suffix}")(frame, str(tmp_path / f"t.{suffix}"))

    assert rows(opened(tmp_path / f"t.{suffix}")) == [["2020-01-31 09:05:00", None], [None, "2020-02-01"]]


def test_a_portable_file_of_spss_is_read(tmp_path: Path) -> None:
    pyreadstat.write_por(pd.DataFrame({"AGE": [34.0, -1.5, None]}), str(tmp_path / "t.por"))

    assert rows(opened(tmp_path / "t.por")) == [["34"], ["-1.5"], [None]]


def test_a_table_of_a_database_is_read(tmp_path: Path) -> None:
    found = opened(database(tmp_path / "t.db"))

    assert found.header == ("zip", "n", "x")
    assert rows(found) == [["02134", "1", "0.5"], [None, "2", None]]


def test_a_table_with_rows_is_proposed_before_an_empty_one(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.executescript("create table a(x); create table b(x); insert into b values (1.5)")
    connection.close()

    assert [g.reader.table for g in alternatives(tmp_path / "t.db") if isinstance(g.reader, SqlReader)] == [
        "b",
        "a",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html><body><table><tr><td>1</td></tr></table></body></html>", "a web page or XML"),
        (b'[{"id": 1, "a": 2},\n {"id": 2, "a": 3}]', "JSON"),
        (b"%PDF-1.7\n1 0 obj", "a PDF"),
        (b"\x1f\x8b\x08\0\0\0", "compressed; unpack it first"),
    ],
)
def test_other_kinds_of_text_are_told_from_tables(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)

    with pytest.raises(FileError, match=words):
        detect_reader(tmp_path / "t.csv")


def test_a_bracket_in_a_header_is_no_web_page(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("<18,{x},[y]\n1,2,3\n")

    assert opened(tmp_path / "t.csv").header == ("<18", "{x}", "[y]")


def test_the_end_mark_of_old_programs_is_no_record(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"id,a\r\n1,x\r\n\x1a")

    assert rows(opened(tmp_path / "t.csv")) == [["1", "x"]]


def test_a_query_is_read_and_its_hash_is_of_what_came(tmp_path: Path) -> None:
    path = database(tmp_path / "t.db")
    reader = SqlReader(query="SELECT zip, n FROM people WHERE n < 2")

    first, again = read_table(path, reader), read_table(path, reader)

    assert rows(first) == [["02134", "1"]]
    assert first.sha256 == again.sha256


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE people",
        "SELECT 1; SELECT 2",
        "DELETE FROM people",
        "UPDATE people SET n = 1",
        "not SQL (",
        "",
    ],
)
def test_a_query_that_is_not_one_select_is_refused(tmp_path: Path, query: str) -> None:
    path = database(tmp_path / "t.db")

    with pytest.raises(InputError):
        read_table(path, SqlReader(query=query))
    assert len(rows(read_table(path, SqlReader(table="people")))) == 2


def test_credentials_are_refused_in_the_address_and_shown_nowhere() -> None:
    with pytest.raises(InputError, match="holds no user or password") as error:
        SqlReader(url="postgresql://me:secret@host/db", table="t")
    assert "secret" not in str(error.value)
    assert "secret" not in repr(Credentials("me", "secret"))


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "pdf"},
        {"kind": "excel", "header": [2, 1]},
        {"kind": "excel", "header": [1, 3], "first_row": 2},
        {"kind": "excel", "colour": "red"},
        {"kind": "parquet", "missing": "NA"},
        {"kind": "spss", "labels": "none"},
        {"kind": "sql", "table": "t", "query": "SELECT 1"},
        [],
    ],
)
def test_a_reader_that_cannot_be_is_refused_with_its_place(data: object) -> None:
    with pytest.raises(InputError) as error:
        reader_from_json(data, path="source.reader")
    assert (error.value.path or "").startswith("source.reader")


def test_a_table_that_would_not_fit_is_refused_with_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{i},text {i}\n" for i in range(5000)))
    reader = detect_reader(path)

    with pytest.raises(FileError, match=r"would need about .* of memory for about 5,001 rows, and 0.0 MB"):
        read_table(path, reader, memory=1000)
    assert estimate(path, reader).rows == 5001


def test_a_damaged_file_is_one_clear_sentence(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "t.xlsx", ["a"], [1]).read_bytes()
    for name, content in {
        "cut.xlsx": whole[: len(whole) // 2],
        "odd.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "odd.parquet": b"PAR1" + bytes(50) + b"PAR1",
        "odd.dta": b"<stata_dta><header><release>118</release>",
        "odd.sav": b"$FL2" + struct.pack("<i", 2) * 60,
        "odd.arrow": b"ARROW1\0\0" + bytes(30),
        "odd.db": b"SQLite format 3\0" + bytes(200),
    }.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(FileError, match="could not be read"):
            opened(path)


def test_a_guess_tells_why_it_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2,3\n")

    found = alternatives(path)[0]

    assert isinstance(found, Guess)
    assert found.first_rows is None
    assert "Line 2" in (found.problem or "")


def test_a_file_on_which_the_library_crashes_is_refused() -> None:
    with pytest.raises(FileError, match="is damaged and cannot be read"):
        read_table(Path(__file__).with_name("damaged.sav"), StatisticsReader("spss"))
