"""What is written in any format is read back as the same texts, and nothing is run by a spreadsheet."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.column_type import ColumnType
from curator_gui.core.errors import Cancelled, FileError, InputError
from curator_gui.core.operators import Generalize, Project
from curator_gui.core.protection import Protection
from curator_gui.core.table import Column
from curator_gui.core.view import Prefix
from curator_gui.session import Session
from curator_gui.store.readers import (
    CsvDialect,
    StatisticsReader,
    TableRead,
    ValueLabel,
    detect_reader,
    read_table,
)
from curator_gui.store.writers import Format, OutColumn, format_of, write_table
from curator_gui.store.writers.stata import variable_names

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8)
ODD = st.sampled_from(
    ["=1+1", "+49 30", "-5", "007", "1.0", "1E+3", "-0.0", "0.1", "2020-01-31", "2020-01-31 09:05:00", "TRUE",
     "1900-01-01", "_x000D_", "_x005F_", "a\rb", "a\r\nb", " a ", "NaN", "'=x", "99999999999999999999",
     "1e400"]
)  # fmt: skip
CELLS = st.none() | TEXTS | ODD


def rows(found: TableRead) -> list[list[str | None]]:
    return [[c.cell(r) for c in found.table.columns] for r in range(found.rows)]


@given(st.data(), st.sampled_from(["csv", "tsv", "parquet", "excel", "stata"]))
def test_any_table_of_text_survives_every_format(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, format: Format
) -> None:
    width = data.draw(st.integers(1, 3))
    cells = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6))
    names = data.draw(st.lists(TEXTS, min_size=width, max_size=width))
    columns = [Column.of(f"c{i}", column) for i, column in enumerate(zip(*cells, strict=True))]
    kinds = st.sampled_from(["text", "integer", "decimal", "date", "datetime"])
    out = [
        OutColumn(n, c.codes, list(c.values), ColumnType(data.draw(kinds)))
        for n, c in zip(names, columns, strict=True)
    ]
    path = tmp_path_factory.mktemp("written") / "table"

    try:
        reader = write_table(path, format, out, CsvDialect(missing=("", "NA", "∅")))
    except FileError:
        assert format in ("excel", "stata")  # which have no empty text, and sheets no control characters
        return
    except InputError:
        assert {"", "NA", "∅"} <= {cell for row in cells for cell in row}
        return

    assert rows(read_table(path, reader)) == cells


def test_numbers_and_dates_are_such_where_they_read_back_exactly(tmp_path: Path) -> None:
    cells = {
        "n": ["1", "-2"],
        "x": ["0.5", "3"],
        "d": ["2020-01-31", None],
        "zip": ["02134", "90210"],
        "y": ["1.50", "2"],
    }
    kinds = {"n": "integer", "x": "decimal", "d": "date", "zip": "code", "y": "decimal"}
    out = []
    for name, column in cells.items():
        coded = Column.of(name, column)
        out.append(OutColumn(name, coded.codes, list(coded.values), ColumnType(kinds[name])))  # type: ignore[arg-type]

    write_table(tmp_path / "p", "parquet", out, CsvDialect())
    write_table(tmp_path / "e.xlsx", "excel", out, CsvDialect())

    types = [str(f.type) for f in pyarrow.parquet.read_schema(tmp_path / "p")]
    assert types == ["int64", "double", "date32[day]", "string", "string"]
    sheet = openpyxl.load_workbook(tmp_path / "e.xlsx").active
    assert sheet is not None
    assert [c.data_type for c in sheet[2]] == ["n", "n", "d", "s", "s"]


def test_a_cancelled_workbook_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    column = Column.of("a", ["x"])

    def cancel(done: float, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_table(
            tmp_path / "t",
            "excel",
            [OutColumn("a", column.codes, list(column.values))],
            CsvDialect(),
            progress=cancel,
        )
    assert list(tmp_path.iterdir()) == []


def test_a_row_of_missing_cells_alone_is_no_blank_row_of_a_sheet(tmp_path: Path) -> None:
    column = Column.of("a", ["x", None])

    reader = write_table(
        tmp_path / "t", "excel", [OutColumn("a", column.codes, list(column.values))], CsvDialect()
    )

    assert rows(read_table(tmp_path / "t", reader)) == [["x"], [None]]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.csv", "csv"),
        ("a.TSV", "tsv"),
        ("a.parquet", "parquet"),
        ("a.xlsx", "excel"),
        ("a.DTA", "stata"),
        ("a", "csv"),
    ],
)
def test_the_suffix_says_the_format(name: str, format: Format) -> None:
    assert format_of(Path(name)) == format


def test_a_format_that_is_only_read_is_refused() -> None:
    with pytest.raises(FileError, match="read and not written"):
        format_of(Path("a.sav"))


FORMULAS = (
    "id,comment,delta\n1,=1+1,-5\n2,+4930000000,+3\n3,@SUM(A1:A2),0\n4,=cmd|'/C calc'!A0,-2\n5,\t=2+2,1\n"
)


def session_on(path: Path, **choices: object) -> Session:
    session = Session.open_table(path, **choices)  # type: ignore[arg-type]
    session.set_protection(Protection(budget=5.0))
    for name in session.table.names:
        session.set_role(name, "ordinary")
    return session


def test_formulas_are_counted_and_neutralized_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(FORMULAS)
    session = session_on(path)
    session.save(tmp_path / "s.curation.json")

    exact = session.release(tmp_path / "exact.csv", keep_order=True)
    safe = session.release(tmp_path / "safe.csv", keep_order=True, for_spreadsheet=True)

    assert session.formula_cells() == {"comment": 5}
    assert exact.path.read_text() == FORMULAS
    assert safe.path.read_text().splitlines()[1:3] == ["1,'=1+1,-5", "2,'+4930000000,+3"]
    assert safe.manifest["neutralized_cells"] == {"comment": 5}
    assert json.loads(safe.external_path.read_text())["apostrophe_before_formulas_in"] == ["comment"]
    assert "apostrophe_before_formulas_in" not in json.loads(exact.external_path.read_text())


def test_neutralizing_never_makes_two_values_one(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n=x,1\n'=x,2\n''=x,3\n")

    released = session_on(path).release(tmp_path / "out.csv", keep_order=True, for_spreadsheet=True)

    assert released.path.read_text() == "a,b\n'=x,1\n''=x,2\n'''=x,3\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".xlsx", ".dta"])
def test_untouched_cells_survive_a_release_in_every_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(
        b"zip;on;x;amount;note\r\n02134;31.01.2020;1,50;1.250,50;=a\r\n90210;01.02.2020;-0,0;3;\r\n00501;01.02.2021;2;4;b\r\n"
    )
    session = session_on(path)
    session.commit(Generalize("zip", Prefix(3)))
    session.commit(Project(("note",)))

    released = session.release(tmp_path / f"out{suffix}", keep_order=True)

    found = read_table(released.path, detect_reader(released.path))
    assert found.header == ("zip", "on", "x", "amount")
    assert rows(found) == [
        ["021", "31.01.2020", "1,50", "1.250,50"],
        ["902", "01.02.2020", "-0,0", "3"],
        ["005", "01.02.2021", "2", "4"],
    ]
    if suffix == ".csv":
        assert released.path.read_bytes().splitlines(keepends=True)[1] == b"021;31.01.2020;1,50;1.250,50\r\n"


def test_titles_above_a_table_are_not_released_and_no_row_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Wards of the year\n\nid,ward,n\n1,A,3\n2,B,4\n3,A,5\n")
    session = session_on(path)
    session.save(tmp_path / "s.curation.json")

    released = session.release(tmp_path / "out.csv", keep_order=True)

    assert session.reader.to_json()["first_line"] == 3
    assert released.path.read_text() == "id,ward,n\n1,A,3\n2,B,4\n3,A,5\n"
    assert Session.load(tmp_path / "s.curation.json").table.rows == 3


def test_repeated_and_blank_headers_are_written_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,score,score,,a b\n1,10,20,x,1\n2,11,21,y,4\n")
    session = session_on(path)

    for suffix in (".csv", ".parquet"):
        released = session.release(tmp_path / f"out{suffix}", keep_order=True)
        assert read_table(released.path, detect_reader(released.path)).header == (
            "id",
            "score",
            "score",
            "",
            "a b",
        )
    assert session.release(tmp_path / "out.xlsx").rows == 2


@pytest.mark.parametrize(
    ("labels", "first"),
    [("as shown", "North (1)"), ("codes", "1"), ("labels", "North"), ("both", "North (1)")],
)
def test_a_labelled_source_is_released_by_code_or_label(tmp_path: Path, labels: str, first: str) -> None:
    import pandas as pd
    import pyreadstat

    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"region": [1.0, 2.0, 3.0]}),
        str(path),
        variable_value_labels={"region": {1: "North", 2: "South"}},
    )
    session = session_on(path)

    released = session.release(tmp_path / "out.csv", keep_order=True, labels=labels)  # type: ignore[arg-type]

    assert released.path.read_text().splitlines()[1] == first
    assert released.path.read_text().splitlines()[3] == "3"


STATA = Path(__file__).parents[2] / ".." / "shared" / "inputs" / "37_labelled.dta"


@pytest.mark.skipif(not STATA.exists(), reason="the shared inputs are not here")
@pytest.mark.parametrize(
    ("labels", "read_as"), [("as shown", "both"), ("labels", "labels"), ("codes", "codes")]
)
def test_codes_and_labels_of_a_stata_file_survive_one(tmp_path: Path, labels: str, read_as: str) -> None:
    released = session_on(STATA).release(tmp_path / "out.dta", keep_order=True, labels=labels)  # type: ignore[arg-type]

    found = read_table(released.path, StatisticsReader("stata", read_as))  # type: ignore[arg-type]
    assert rows(found) == rows(read_table(STATA, StatisticsReader("stata", read_as)))  # type: ignore[arg-type]
    codes = read_table(released.path, StatisticsReader("stata", "codes"))
    if labels != "codes":
        assert rows(codes) == rows(read_table(STATA, StatisticsReader("stata", "codes")))
    assert json.loads(released.external_path.read_text())["columns"][0]["name"] == found.header[0]


@pytest.mark.parametrize(
    ("names", "allowed"),
    [
        (["a b", "a-b", "a_b"], ["a_b", "a_b_2", "a_b_3"]),
        (["", "2020", "if", "str12"], ["column_1", "_2020", "_if", "_str12"]),
        (["Größe", "x" * 40, "x" * 41], ["Größe", "x" * 32, "x" * 30 + "_2"]),
    ],
)
def test_names_are_such_as_stata_allows(names: list[str], allowed: list[str]) -> None:
    assert variable_names(names) == allowed


def test_kinds_of_missing_keep_their_labels(tmp_path: Path) -> None:
    column = Column.of("q", ["yes (1)", "refused (.a)", ".b", None, "7"])
    known = {"yes (1)": ValueLabel("1", "yes"), "refused (.a)": ValueLabel(".a", "refused")}
    out = OutColumn("q", column.codes, list(column.values), value_labels=known)

    reader = write_table(tmp_path / "t.dta", "stata", [out], CsvDialect())

    assert rows(read_table(tmp_path / "t.dta", reader)) == [[v] for v in column.values]


def test_a_code_that_can_have_no_label_is_written_as_it_is_shown(tmp_path: Path) -> None:
    column = Column.of("q", ["half (0.5)", "1"])
    known = {"half (0.5)": ValueLabel("0.5", "half")}
    out = OutColumn("q", column.codes, list(column.values), value_labels=known)

    reader = write_table(tmp_path / "t.dta", "stata", [out], CsvDialect())

    assert rows(read_table(tmp_path / "t.dta", reader)) == [["half (0.5)"], ["1"]]


def test_a_byte_order_mark_is_written_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfid;Ort\r\n1;K\xc3\xb6ln\r\n2;Ulm\r\n")
    session = session_on(path)

    assert session.release(tmp_path / "a.csv").path.read_bytes().startswith(b"id;Ort")
    assert (
        session.release(tmp_path / "b.csv", byte_order_mark=True)
        .path.read_bytes()
        .startswith(b"\xef\xbb\xbfid")
    )


def test_the_reader_chosen_is_saved_and_used_on_refresh(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,age\nanna,34\nben,NA\n")
    reader = CsvDialect(missing=("", "NA"))
    session = Session.open_table(
        path, reader=reader, types={"age": ColumnType("category")}, roles={"name": "ordinary"}
    )
    session.save(tmp_path / "s.curation.json")
    path.with_name("new.csv").write_text("name,age\nanna,NA\nben,NA\ncarl,1\n")

    again = Session.load(tmp_path / "s.curation.json", data=tmp_path / "new.csv")

    assert again.reader == reader
    assert again.table["age"].type == ColumnType("category")
    assert [again.table["age"].cell(r) for r in range(3)] == [None, None, "1"]
    assert again.record.roles["name"] == "ordinary"


def test_identifiers_are_proposed_on_opening_and_block_a_release(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,age\n1,34\n2,35\n")
    session = Session.open_table(path)
    session.set_protection(Protection(budget=5.0))

    assert session.record.roles == {"id": "identifier"}
    assert "“id” is proposed as an identifier" in session.notes[-1]
    with pytest.raises(InputError, match="identifier “id” would still be released"):
        session.release(tmp_path / "out.csv")


def test_how_numbers_are_spelled_survives_the_session_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dose;y\n1.250,50;1e-7\n0,75;+3\n")
    session = Session.open_table(path)
    session.save(tmp_path / "s.curation.json")

    again = Session.load(tmp_path / "s.curation.json")

    assert session.record.types["dose"] == ColumnType("decimal", ",", group=".")
    assert set(session.record.types["y"].spellings) == {"plus", "exponent"}
    assert again.record.types == session.record.types


def test_missing_cells_that_delimited_text_writes_like_others_name_column_and_format(tmp_path: Path) -> None:
    both = Column.of("both", ["", None, "a"])
    out = [OutColumn("both", both.codes, list(both.values))]

    with pytest.raises(FileError, match=r"The missing cells of “both” .* “both” holds too; write \.parquet"):
        write_table(tmp_path / "t", "csv", out, CsvDialect())

    reader = write_table(tmp_path / "t", "parquet", out, CsvDialect())
    assert rows(read_table(tmp_path / "t", reader)) == [[""], [None], ["a"]]
