"""A spelling in a session file, and the one proposed for a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_gui.core.errors import FileError, InputError
from curator_gui.store.readers import CsvDialect, detect_dialect, read_csv

READER = {
    "kind": "csv", "encoding": "utf-8", "delimiter": ",", "quote": '"', "decimal": ".", "missing": [""],
}  # fmt: skip


def detected(tmp_path: Path, data: bytes) -> CsvDialect:
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    return detect_dialect(path)


def test_the_default_is_the_reader_of_a_session_file() -> None:
    assert CsvDialect().to_json() == READER


@pytest.mark.parametrize(
    "dialect", [CsvDialect(), CsvDialect("cp1252", ";", "", ",", ("", "NA"), header=False, newline="\r\n")]
)
def test_a_dialect_survives_json(dialect: CsvDialect) -> None:
    assert CsvDialect.from_json(dialect.to_json(), path="source.reader") == dialect


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"sep": ","}, "source.reader.sep"),
        ({"kind": "excel"}, "source.reader.kind"),
        ({"encoding": "rot13"}, "source.reader.encoding"),
        ({"encoding": "no such"}, "source.reader.encoding"),
        ({"delimiter": ",,"}, "source.reader.delimiter"),
        ({"delimiter": 1}, "source.reader.delimiter"),
        ({"quote": ","}, "source.reader.quote"),
        ({"decimal": "x"}, "source.reader.decimal"),
        ({"missing": "NA"}, "source.reader.missing"),
        ({"missing": [1]}, "source.reader.missing"),
        ({"header": "yes"}, "source.reader.header"),
        ({"newline": "x"}, "source.reader.newline"),
    ],
)
def test_a_wrong_setting_is_named_by_its_path(change: dict[str, object], path: str) -> None:
    with pytest.raises(InputError) as caught:
        CsvDialect.from_json({**READER, **change}, path="source.reader")
    assert caught.value.path == path


def test_a_reader_that_is_no_object_is_refused() -> None:
    with pytest.raises(InputError, match=r"^source\.reader: A reader must be an object"):
        CsvDialect.from_json([], path="source.reader")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_among_others_in_cells(tmp_path: Path, delimiter: str) -> None:
    other = "," if delimiter != "," else ";"
    data = f'a{delimiter}b\n"x{delimiter}y"{delimiter}1{other}5\nz{delimiter}2{other}5\n'

    found = detected(tmp_path, data.encode())

    assert found.delimiter == delimiter
    assert any("the first line has 2 cells" in why for why in found.evidence)


def test_one_column_is_said_to_be_one(tmp_path: Path) -> None:
    found = detected(tmp_path, b"a\n1\n2\n")

    assert found.delimiter == ","
    assert "No delimiter separates the first line; the table has one column." in found.evidence


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"a,b\n1,2\n", "utf-8"),
        ("a,é\n".encode(), "utf-8"),
        (b"\xef\xbb\xbfa,b\n", "utf-8-sig"),
        ("a,b\n".encode("utf-16"), "utf-16"),
        ("Größe,Ort\n1,Köln\n".encode("cp1252"), "cp1252"),
        ("编号,姓名\n1,王\n".encode("gb18030"), "gb18030"),
        ("Straße,Größe\n1,Köln\n2,Würzburg\n".encode("cp850"), "cp850"),
        ("n,ville\n1,Genève\n2,Saint-Étienne\n3,Zürich\n".encode("mac-roman"), "mac-roman"),
        ("id,miasto\n1,Łódź\n2,Kraków\n3,Gdańsk\n4,Wrocław\n".encode("cp1250"), "cp1250"),
        ("id,όνομα\n1,Αθήνα\n2,Θεσσαλονίκη\n3,Πάτρα\n".encode("cp1253"), "cp1253"),
        ("id,שם\n1,ירושלים\n2,חיפה\n3,תל אביב\n".encode("cp1255"), "cp1255"),
        ("id,şehir\n1,İstanbul\n2,Iğdır\n3,Muş\n".encode("cp1254"), "cp1254"),
        ("id,staður\n1,Þórshöfn\n2,Garðabær\n3,Ísafjörður\n".encode("cp1252"), "cp1252"),
        ("ид;город\n1;Москва\n2;Санкт-Петербург\n3;Казань\n".encode("cp1251"), "cp1251"),
        (b"a,\x81\x8d\x9d,\n", "iso-8859-1"),
    ],
)
def test_the_encoding_is_proposed_with_a_reason(tmp_path: Path, data: bytes, encoding: str) -> None:
    found = detected(tmp_path, data)

    assert found.encoding == encoding
    assert found.evidence


def test_a_decimal_comma_is_found(tmp_path: Path) -> None:
    assert detected(tmp_path, b"a;b\n1,5;x\n2,25;y\n").decimal == ","
    assert detected(tmp_path, b"a;b\n1.5;x\n2,25;y\n").decimal == "."


def test_one_column_of_numbers_with_commas_is_one_column(tmp_path: Path) -> None:
    found = detected(tmp_path, b"value\n1,5\n\n22,25\n3\n")

    assert (found.delimiter, found.decimal) == (";", ",")


def test_words_for_missing_are_named_not_taken(tmp_path: Path) -> None:
    found = detected(tmp_path, b"a,b\nNA,1\nNULL,2\n")

    assert found.missing == ("",)
    assert any("“NA”, “NULL”" in why for why in found.evidence)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not a text table"):
        detected(tmp_path, b"PK\x03\x04\x00")


def test_an_empty_file_is_a_matter_for_the_reading(tmp_path: Path) -> None:
    assert detected(tmp_path, b"") == CsvDialect()


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("sep=;\n", 2),
        ("# exported on 1 May\n# by the register\n", 3),
        ("Wards of the year;;\n;;\n", 3),
        ("Wards of the year\n\n", 3),
        ("", 1),
        ("\n\n", 1),
    ],
)
def test_titles_and_comments_above_the_table_are_left_out(tmp_path: Path, above: str, line: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(above + "id;ward;zip\n1;A;02134\n2;B;00501\n3;;90210\n")

    found = detect_dialect(path)
    table = read_csv(path, found)

    assert (found.delimiter, found.first_line) == (";", line)
    assert any(f"begins in line {line}" in why for why in found.evidence) == (line > 1)
    assert table.header == ("id", "ward", "zip")
    assert [table.table["zip"].cell(r) for r in range(table.rows)] == ["02134", "00501", "90210"]
    assert CsvDialect.from_json(found.to_json(), path="reader") == found


@pytest.mark.parametrize(
    "text",
    [
        "remark\nwell, then\nno, never\nyes, of course\n",
        "id,a,b\n1,,\n2,x,y\n3,x,y\n4,x,y\n",
        "value\n1,5\n2,5\n3,5\n",
        "a\n1\n2\n3\n",
    ],
)
def test_a_header_is_never_taken_for_a_title(tmp_path: Path, text: str) -> None:
    assert detected(tmp_path, text.encode()).first_line == 1


def test_line_numbers_of_findings_count_from_the_top_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A title\n\nid,a,b\n1,2,3\n4\n5,6,7\n8,9,0\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n5,5,5\n6,6,6\n")

    assert read_csv(path, detect_dialect(path)).notes[0].startswith("1 row shorter than the header (line 5)")


def test_single_quotes_are_told_where_they_alone_make_the_lines_agree(tmp_path: Path) -> None:
    assert detected(tmp_path, b"id,name\n1,'Smith, John'\n2,'Doe, Jane'\n").quote == "'"
    assert detected(tmp_path, b"id,name\n1,'t Hooft\n2,O'Brien, Jr\n").quote == '"'
    assert detected(tmp_path, b"id,name\n1,'x'\n2,'y'\n").quote == '"'
