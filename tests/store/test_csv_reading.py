"""Delimited files of every irregular sort, read cell by cell and in blocks."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.core.errors import Cancelled, FileError
from curator_gui.core.table import Table
from curator_gui.store.readers import CsvDialect, TableRead, first_rows, read_csv
from curator_gui.store.readers.records import Grammar
from curator_gui.store.readers.regular import regular_block

SHARED = Path(__file__).parents[2] / ".." / "shared"


def read(tmp_path: Path, data: bytes | str, **dialect: object) -> TableRead:
    path = tmp_path / "table.csv"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_csv(path, CsvDialect(**dialect))  # type: ignore[arg-type]


def rows(table: Table) -> list[list[str | None]]:
    return [[c.cell(r) for c in table.columns] for r in range(table.rows)]


def test_words_that_mean_missing_elsewhere_stay_text(tmp_path: Path) -> None:
    words = ["NA", "null", "nan", "None", " ", "007", "1.0", "-", "TRUE"]

    found = read(tmp_path, "a,b\n" + "".join(f"{w},x\n" for w in words))

    assert [r[0] for r in rows(found.table)] == words
    assert {c.type.kind for c in found.table.columns} == {"text"}


def test_a_missing_token_counts_after_unquoting(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b\n"",1\n,2\n"NA",3\nNA,4\n', missing=("", "NA"))

    assert [r[0] for r in rows(found.table)] == [None] * 4
    assert list(found.table["a"].values) == [None]


def test_an_empty_cell_is_text_where_the_token_is_another(tmp_path: Path) -> None:
    found = read(tmp_path, 'g,d\n∅,1\n"",2\n,3\n', missing=("∅",))

    assert [r[0] for r in rows(found.table)] == [None, "", ""]


def test_values_are_coded_in_order_of_first_appearance_across_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curator_gui.store.readers.csv._BLOCK", 16)

    found = read(tmp_path, "a,b\n" + "".join(f"{v},a long value {v % 3}\n" for v in (5, 3, 5, 9, 3, 1, 9)))

    assert list(found.table["a"].values) == ["5", "3", "9", "1"]
    assert found.table["a"].codes.tolist() == [0, 1, 0, 2, 1, 3, 2]
    assert list(found.table["b"].values) == ["a long value 2", "a long value 0", "a long value 1"]
    assert found.table["a"].codes.dtype == "uint8"


def test_short_rows_are_padded_with_missing_even_where_empty_is_text(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b,c\n1\n1,2,3\n1,\n", missing=("NA",))

    assert rows(found.table) == [["1", None, None], ["1", "2", "3"], ["1", "", None]]
    assert found.notes == ("2 rows shorter than the header (lines 2, 4): the cells not there are missing.",)


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    found = read(tmp_path, "\na,b\r\n\r\n1,2\n\n")

    assert rows(found.table) == [["1", "2"]]
    assert found.notes == ("3 blank lines skipped (lines 1, 3, 5).",)


def test_a_blank_line_is_a_record_in_a_table_of_one_column(tmp_path: Path) -> None:
    found = read(tmp_path, 'a\n1\n\n""\n2\n', missing=("NA",))

    assert rows(found.table) == [["1"], [""], [""], ["2"]]
    assert found.notes == ("1 empty line (line 3) read as a record, as the table has one column.",)


def test_empty_cells_beyond_the_header_are_left_out_and_noted(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b\n1,2,\n3,4,,\n")

    assert rows(found.table) == [["1", "2"], ["3", "4"]]
    assert found.notes == ("2 rows with empty cells beyond the header (lines 2, 3): these were left out.",)


def test_text_beyond_the_header_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"^Line 4 of “table.csv” has 3 cells where the table has 2"):
        read(tmp_path, 'a,b\n"x\ny",2\n1,2,3\n')


def test_a_stray_quote_is_kept_and_reported_once(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b\n5" pipe,6" pipe\n"q" r,x\n')

    assert rows(found.table) == [['5" pipe', '6" pipe'], ["q r", "x"]]
    assert len(found.notes) == 1
    assert "2 rows with a quote" in found.notes[0]


def test_a_quote_never_closed_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="starts at line 3 is never closed"):
        read(tmp_path, 'a,b\n1,2\n3,"4\n5,6\n')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_end_ends_a_record_and_the_last_may_be_absent(tmp_path: Path, end: str, last: bool) -> None:
    found = read(tmp_path, f"a,b{end}1,2{end}3,4" + end * last)

    assert rows(found.table) == [["1", "2"], ["3", "4"]]
    assert found.notes == ()


def test_line_ends_may_be_mixed_and_stand_in_quoted_cells(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b\r\n"1\r\n1",2\n3,"4\n"\r5,"\r"\n')

    assert rows(found.table) == [["1\r\n1", "2"], ["3", "4\n"], ["5", "\r"]]


def test_blank_and_repeated_names_are_renamed_and_noted(tmp_path: Path) -> None:
    found = read(tmp_path, "score,score,,score (2),score\n1,2,3,4,5\n")

    assert found.table.names == ("score", "score (3)", "column 3", "score (2)", "score (4)")
    assert found.header == ("score", "score", "", "score (2)", "score")
    assert found.notes == (
        "Blank or repeated column names were read as “score (3)”, “column 3”, “score (4)”.",
    )


def test_a_file_without_a_header_names_columns_by_their_place(tmp_path: Path) -> None:
    found = read(tmp_path, "1,2\n3,4\n", header=False)

    assert found.table.names == ("column 1", "column 2")
    assert rows(found.table) == [["1", "2"], ["3", "4"]]
    assert first_rows(tmp_path / "table.csv", CsvDialect(header=False), 1).rows == 1


def test_a_header_alone_is_a_table_of_no_rows(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b")

    assert (found.table.names, found.rows) == (("a", "b"), 0)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "cp1252"])
def test_text_survives_its_encoding_without_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    text = "Größe,b\nKöln,é\n" if encoding == "cp1252" else "大小,b\n上海,𠀀\n"
    mark = b"\xef\xbb\xbf" if encoding == "utf-8" else b""

    found = read(tmp_path, mark + text.encode(encoding), encoding=encoding)

    assert [list(found.table.names), *rows(found.table)] == [r.split(",") for r in text.split()]


def test_a_mark_inside_the_file_is_text(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b\n\ufeffx,\ufeff\n")

    assert rows(found.table) == [["\ufeffx", "\ufeff"]]


def test_a_cell_longer_than_a_block_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator_gui.store.readers.csv._BLOCK", 64)
    cell = "two\nlines, " * 300

    found = read(tmp_path, f'a,b\n1,"{cell}"\n2,{"y" * 500}\n')

    assert rows(found.table) == [["1", cell], ["2", "y" * 500]]


def test_the_fingerprint_is_of_the_bytes(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfa,b\r\n1,2\r\n"

    assert read(tmp_path, data).sha256 == hashlib.sha256(data).hexdigest()


def test_an_undecodable_byte_is_named_by_line_and_offset(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"line 3 \(byte 9\) does not decode; choose another encoding"):
        read(tmp_path, b"a,b\n1,2\n3\xe9,4\n")


@pytest.mark.parametrize("data", [b"PK\x03\x04\x00\x00", b"a,b\n1,\x00\n"])
def test_a_binary_file_is_no_text_table(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FileError, match="is not a text table"):
        read(tmp_path, data)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FileError, match="is empty"):
        read(tmp_path, data)
    with pytest.raises(FileError, match="is empty"):
        first_rows(tmp_path / "table.csv", CsvDialect(), 5)


def test_no_file_and_a_folder_are_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="There is no file"):
        read_csv(tmp_path / "none.csv", CsvDialect())
    with pytest.raises(FileError, match="is a folder"):
        read_csv(tmp_path, CsvDialect())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read anything")
def test_a_file_one_may_not_read_is_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)

    with pytest.raises(FileError, match="not permitted to read"):
        read_csv(path, CsvDialect())


def test_first_rows_are_those_of_the_whole_table(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b\n"x\ny",1\n\nz\n3,4\n')

    few = first_rows(tmp_path / "table.csv", CsvDialect(), 2)

    assert rows(few) == rows(found.table)[:2]


def test_first_rows_do_not_reach_what_is_wrong_further_down(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n1,2,3\n")

    assert first_rows(tmp_path / "table.csv", CsvDialect(), 1).rows == 1


def test_progress_rises_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator_gui.store.readers.csv._BLOCK", 64)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 100)
    seen: list[float] = []

    read_csv(path, CsvDialect(), progress=lambda done, what: seen.append(done))

    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1)
    assert len(seen) > 5


@pytest.mark.parametrize("at", [0.0, 0.75])
def test_cancelling_leaves_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: float) -> None:
    monkeypatch.setattr("curator_gui.store.readers.csv._BLOCK", 1024)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 10_000)
    before = threading.active_count()

    def cancel(done: float, what: str) -> None:
        if done >= at:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_csv(path, CsvDialect(), progress=cancel)
    assert threading.active_count() == before


PIECES = st.sampled_from(
    ["a", "bb", "é", ",", ",", '"', '"', '""', "\n", "\n", "\r\n", "\r", " ", "12345678"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_the_strict_reading_is_the_one_of_the_csv_module(text: str) -> None:
    if text.count('"') % 2:
        text += '"'
    try:
        expected = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error:
        return

    found = list(Grammar(",", '"').records(text, 1, final=True))

    if sum(r.end for r in found[-1:]) == len(text):  # else a quote is never closed
        assert [[] if r.blank else r.cells for r in found] == expected


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.integers(1, 3))
def test_a_block_held_for_regular_has_the_cells_of_the_strict_reading(text: str, columns: int) -> None:
    data = text.encode()
    block = regular_block(data, ",", '"', columns)
    if block is None:
        return

    records = list(Grammar(",", '"').records(data[: block.length].decode(), 1, final=True))

    for column in range(columns):
        starts, lengths = block.cells(column)
        cells = [data[s : s + n].decode().replace('""', '"') for s, n in zip(starts, lengths, strict=True)]
        assert cells == [r.cells[column] for r in records]
    assert all(len(r.cells) == columns and not r.blank and not r.stray for r in records)


@settings(deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["a", '"b"', '"x,""y"""', '"\n"', "", "é" * 9, "z" * 200]), min_size=2, max_size=2
        ),
        max_size=12,
    ),
    st.sampled_from([7, 50, 1 << 20]),
)
def test_the_size_of_a_block_does_not_change_the_table(
    tmp_path_factory: pytest.TempPathFactory, cells: list[list[str]], size: int
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "table.csv"
    path.write_text("p,q\n" + "\n".join(map(",".join, cells)), newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_gui.store.readers.csv._BLOCK", size)

        found = read_csv(path, CsvDialect(missing=("NA",)))

    with path.open(newline="") as file:
        assert rows(found.table) == list(csv.reader(file))[1:]


@settings(deadline=None)
@given(
    st.lists(PIECES, max_size=60).map("".join),
    st.sampled_from(["p", "p,q", "p,q,r"]),
    st.sampled_from([("",), ("NA",), ()]),
    st.sampled_from([7, 1 << 20]),
)
def test_irregular_files_have_the_cells_of_the_strict_reading(
    tmp_path_factory: pytest.TempPathFactory, text: str, header: str, missing: tuple[str, ...], size: int
) -> None:
    path = tmp_path_factory.mktemp("irregular") / "table.csv"
    path.write_text(f"{header}\n{text}", newline="")
    width = header.count(",") + 1
    records = list(Grammar(",", '"').records(text, 2, final=True))
    kept = [r for r in records if width == 1 or not r.blank]
    closed = sum(r.end for r in records[-1:]) == len(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_gui.store.readers.csv._BLOCK", size)

        if not closed or any(any(r.cells[width:]) for r in kept):
            with pytest.raises(FileError):
                read_csv(path, CsvDialect(missing=missing))
            return
        found = read_csv(path, CsvDialect(missing=missing))

    fitted = [(r.cells + [None] * width)[:width] for r in kept]
    assert rows(found.table) == [[None if c in missing else c for c in row] for row in fitted]
    short = [r.line for r in kept if len(r.cells) < width]
    assert any("shorter" in note for note in found.notes) == bool(short)
    assert not short or f"{short[0]}" in next(note for note in found.notes if "shorter" in note)


def test_a_mix_shared_by_different_cells_still_tells_them_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    monkeypatch.setattr("curator_gui.store.readers.coding._MULTIPLIER", np.uint64(0))
    cells = ["aaaaaaaaZ", "bbbbbbbbZ", "aaaaaaaaZ", "bbbbbbbbY"]

    found = read(tmp_path, "a,b\n" + "".join(f"{c},1\n" for c in cells))

    assert [r[0] for r in rows(found.table)] == cells


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared files are not here")
def test_quoted_empty_cells_of_the_shared_case_are_text() -> None:
    path = SHARED / "cases" / "disclosure" / "edge-missing-vs-words-prefix-Q" / "source.csv"

    found = read_csv(path, CsvDialect(missing=("∅",)))

    assert rows(found.table)[:3] == [[None, "HIV"], ["", "HIV"], ["", "HIV"]]
    assert found.notes == ()
