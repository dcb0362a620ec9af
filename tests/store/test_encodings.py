"""The encoding of a text is judged by how common its characters would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_gui.core.errors import FileError
from curator_gui.store.readers import CsvDialect, alternatives, detect_dialect, read_csv

SENTENCES = {
    "cp1252": ("name;ort\nMüller;Köln\nJosé;Málaga\nFrançois;Orléans\n", "cp1252"),
    "gb18030": ("编号,姓名,城市\n1,张伟,北京\n2,王芳,上海\n3,李娜,广州\n", "gb18030"),
    "shift_jis": ("番号,氏名,都市\n1,田中さくら,東京\n2,鈴木タロウ,大阪\n", "shift_jis"),
    "cp932": ("番号,氏名,都市\n1,髙橋さくら,東京①\n2,鈴木タロウ,大阪\n", "cp932"),
    "utf-16-le": ("id\tname\n1\tŁukasz\n2\tAnna\n", "utf-16-le"),
    "cp1251": ("имя;город\nАнна;Москва\nПётр;Казань\n", "cp1251"),
    "euc-kr": ("번호,이름,도시\n1,김민수,서울\n2,이영희,부산\n", "euc-kr"),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_text_is_read_in_its_encoding(tmp_path: Path, name: str) -> None:
    text, encoding = SENTENCES[name]
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))

    dialect = detect_dialect(path)
    found = read_csv(path, dialect).table

    assert dialect.encoding == encoding
    assert [",;\t"[i] for i in range(3) if ",;\t"[i] in text.splitlines()[0]] == [dialect.delimiter]
    assert found.columns[1].cell(0) == text.splitlines()[1].split(dialect.delimiter)[1]


def test_other_encodings_are_shown_with_their_first_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(SENTENCES["gb18030"][0].encode("gb18030"))

    found = alternatives(path)

    readings = {g.reader.encoding: g.first_rows for g in found if isinstance(g.reader, CsvDialect)}
    assert len(readings) > 1
    assert all(table is not None for table in readings.values())
    assert "common Chinese ones as GB18030" in found[0].evidence[0] or "GB18030" in found[0].evidence[0]


def test_stray_nul_bytes_are_left_out_and_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"name,age\nan\0na,34\nben,45\nca\0r\0l,56\n")

    dialect = detect_dialect(path)
    found = read_csv(path, dialect)

    assert dialect.nul == "drop"
    assert [found.table["name"].cell(r) for r in range(3)] == ["anna", "ben", "carl"]
    assert found.notes == ("NUL bytes left out of 2 lines (lines 2, 4).",)
    assert [(i.count, i.lines) for i in found.irregular] == [(2, (2, 4))]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("id,age\n1,34\n2,45\n", True),
        ("1,34\n2,45\n3,46\n", False),
        ("anna,34\nben,45\n", False),
        ("name,2019,2020\nanna,1,2\n", True),
        ("a,b\nc,d\n", True),
        ("2020-01-31,x\n2020-02-01,y\n", False),
        ("age\n", True),
    ],
)
def test_a_first_line_of_values_is_no_header(tmp_path: Path, text: str, header: bool) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)

    assert detect_dialect(path).header is header


@pytest.mark.parametrize(
    ("written", "named"),
    [("utf-8", "utf-16"), ("utf-8", "utf-16-le"), ("utf-8", "utf-16-be"), ("utf-16-be", "utf-16-le")],
)
@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a,b\n11,22\n3,4\n"])
def test_a_text_that_is_not_in_the_utf_16_named_is_refused(
    tmp_path: Path, written: str, named: str, text: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(written))

    with pytest.raises(
        FileError, match=r"is not in the encoding utf-16.*choose another encoding, such as UTF-8"
    ):
        read_csv(path, CsvDialect(encoding=named))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a,b", "a,b\r\n"])
def test_a_text_in_the_utf_16_named_is_read(tmp_path: Path, encoding: str, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))

    assert read_csv(path, CsvDialect(encoding=encoding)).table.names == ("a", "b")
