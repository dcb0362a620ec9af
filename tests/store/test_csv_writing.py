"""What is written as delimited text is read back as the same table."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.core.errors import Cancelled, FileError
from curator_gui.core.table import Column
from curator_gui.store.readers import CsvDialect, read_csv
from curator_gui.store.readers.dialect import DELIMITERS, ENCODINGS
from curator_gui.store.writers import write_csv

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=12) | st.text(
    ',;\t|"\r\n a\ufeff', max_size=6
)


@st.composite
def dialects(draw: st.DrawFn) -> CsvDialect:
    """Every encoding, delimiter, quote and line end that is offered."""
    return CsvDialect(
        encoding=draw(st.sampled_from(ENCODINGS)),
        delimiter=draw(st.sampled_from(DELIMITERS)),
        quote=draw(st.sampled_from(['"', '"', "'", ""])),
        missing=draw(st.sampled_from([("",), ("NA",), ("", "NA", "∅"), ('"',)])),
        header=draw(st.booleans()),
        newline=draw(st.sampled_from(["\n", "\r\n"])),
    )


@settings(deadline=None)
@given(st.data(), dialects())
def test_any_table_of_text_survives_the_file(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, dialect: CsvDialect
) -> None:
    cell = st.none() | TEXTS.filter(lambda text: text not in dialect.missing)
    width = data.draw(st.integers(1, 3))
    cells = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8))
    names = data.draw(
        st.lists(TEXTS.filter(lambda text: text.strip() != ""), min_size=width, max_size=width, unique=True)
    )
    columns = [Column.of(n, c) for n, c in zip(names, zip(*cells, strict=True), strict=True)]
    path = tmp_path_factory.mktemp("written") / "table.csv"

    pairs = [(c.codes, list(c.values)) for c in columns]

    try:
        digest = write_csv(path, names, pairs, dialect, missing_token=dialect.missing[-1])
    except FileError:
        texts = [dialect.missing[-1], *names, *(c for row in cells for c in row if c is not None)]
        assert not dialect.quote or not all(map(spelled_in(dialect.encoding), texts))
        assert not path.exists()
        return

    found = read_csv(path, dialect)
    assert [[c.cell(r) for c in found.table.columns] for r in range(found.rows)] == cells
    assert not dialect.header or list(found.table.names) == names
    assert digest == found.sha256
    for written, column in zip(columns, found.table.columns, strict=True):
        assert column.codes.tolist() == written.codes.tolist()


def spelled_in(encoding: str) -> Callable[[str], bool]:
    return lambda text: text.encode(encoding, "replace").decode(encoding, "replace") == text


def test_a_character_that_comes_back_as_another_is_refused(tmp_path: Path) -> None:
    """The yen sign takes the place of the backslash in Shift-JIS."""
    with pytest.raises(FileError, match="does not exist in the encoding shift_jis"):
        write_csv(tmp_path / "t.csv", ["x"], one_column(["¥5"]), CsvDialect("shift_jis"), missing_token="")


def one_column(labels: list[str | None]) -> list[tuple[np.ndarray, list[str | None]]]:
    return [(np.arange(len(labels)), labels)]


def test_labels_are_quoted_only_where_they_must_be() -> None:
    file = io.BytesIO()

    digest = write_csv(
        file,
        ["a b", "c,d"],
        [(np.array([0, 1]), ['say "x"', None]), (np.array([1, 0]), ["two\nlines", "=1+1"])],
        CsvDialect(newline="\r\n"),
        missing_token="NA",
    )

    assert file.getvalue() == b'a b,"c,d"\r\n"say ""x""",=1+1\r\nNA,"two\nlines"\r\n'
    assert digest == hashlib.sha256(file.getvalue()).hexdigest()


@pytest.mark.parametrize("label", ["", "NA"])
def test_a_text_that_would_be_read_as_missing_is_refused(label: str) -> None:
    with pytest.raises(FileError, match=f"The text “{label}” in column “a” would be read back as missing"):
        write_csv(io.BytesIO(), ["a"], one_column([label]), CsvDialect(), missing_token="NA")


def test_a_label_not_in_use_is_not_judged() -> None:
    file = io.BytesIO()

    write_csv(file, ["a"], [(np.array([1]), ["", "x"])], CsvDialect(), missing_token="")

    assert file.getvalue() == b"a\nx\n"


def test_a_missing_cell_alone_in_its_line_is_no_blank_line() -> None:
    file = io.BytesIO()

    write_csv(file, ["a"], one_column(["x", None]), CsvDialect(), missing_token="")

    assert file.getvalue() == b'a\nx\n""\n'


def test_what_cannot_be_spelled_is_refused() -> None:
    with pytest.raises(FileError, match="does not exist in the encoding cp1252; write UTF-8"):
        write_csv(io.BytesIO(), ["a"], one_column(["上"]), CsvDialect("cp1252"), missing_token="")
    with pytest.raises(FileError, match="cannot be written without quotes"):
        write_csv(io.BytesIO(), ["a"], one_column(["x,y"]), CsvDialect(quote=""), missing_token="NA")
    with pytest.raises(FileError, match="holds a NUL"):
        write_csv(io.BytesIO(), ["a"], one_column(["x\0"]), CsvDialect(), missing_token="")


def test_a_missing_token_is_not_spelled_where_no_cell_is_missing() -> None:
    file = io.BytesIO()

    write_csv(file, ["a"], one_column(["x"]), CsvDialect(quote=""), missing_token="")

    assert file.getvalue() == b"a\nx\n"


def test_a_cancelled_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("old")

    def cancel(done: float, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_csv(path, ["a"], one_column(["x"]), CsvDialect(), missing_token="", progress=cancel)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="could not be written"):
        write_csv(tmp_path / "no" / "t.csv", ["a"], one_column(["x"]), CsvDialect(), missing_token="")
