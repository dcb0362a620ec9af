"""Texts that mean missing in one column alone: kept in the session file, used again on refresh."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator_gui.core.column_type import ColumnType
from curator_gui.core.errors import InputError
from curator_gui.core.table import Column
from curator_gui.session import Session
from curator_gui.store.session_file import session_to_json

ROWS = "age,word\n34,none\nnone,4e\n36,none\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    source = tmp_path / "t.csv"
    source.write_text(ROWS)
    return Session.open_table(source, missing={"age": ("none",)})


def test_the_text_is_missing_there_and_kept_elsewhere(session: Session) -> None:
    assert [session.table["age"].cell(row) for row in range(3)] == ["34", None, "36"]
    assert [session.table["word"].cell(row) for row in range(3)] == ["none", "4e", "none"]


def test_the_type_is_proposed_without_it(session: Session) -> None:
    assert session.table["age"].type == ColumnType("integer")


def test_a_saved_session_reads_it_so_again(session: Session, tmp_path: Path) -> None:
    session.save(tmp_path / "s.curation.json")
    (tmp_path / "new.csv").write_text("age,word\nnone,none\n35,x\n")

    again = Session.load(tmp_path / "s.curation.json")
    refreshed = Session.load(tmp_path / "s.curation.json", data=tmp_path / "new.csv")

    assert again.record.missing == {"age": ("none",)}
    assert again.table["age"].cell(1) is None
    assert (refreshed.table["age"].cell(0), refreshed.table["word"].cell(0)) == (None, "none")


def test_a_column_without_such_texts_is_written_as_before(session: Session) -> None:
    columns = session_to_json(session.record)["columns"]

    assert columns["age"]["missing"] == ["none"]
    assert "missing" not in columns["word"]


@pytest.mark.parametrize(
    ("missing", "path"), [("none", "columns.age.missing"), ([1], "columns.age.missing[0]")]
)
def test_anything_but_a_list_of_texts_is_refused_where_it_stands(
    session: Session, tmp_path: Path, missing: object, path: str
) -> None:
    file = tmp_path / "s.curation.json"
    session.save(file)
    data = json.loads(file.read_text())
    data["columns"]["age"]["missing"] = missing
    file.write_text(json.dumps(data))

    with pytest.raises(InputError) as refused:
        Session.load(file)

    assert refused.value.path == path


def test_values_keep_the_order_of_their_first_appearance() -> None:
    column = Column.of("x", ["a", "?", "b", None, "?", "a"]).with_missing({"?"})

    assert column.values.tolist() == ["a", None, "b"]
    assert column.codes.tolist() == [0, 1, 2, 1, 1, 0]
