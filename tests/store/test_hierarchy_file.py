from __future__ import annotations

import stat
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.errors import FileError, InputError, ViewError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import PARTS, Bins, DatePart, Level, Mapping, Part, Prefix, Star, Width, coarsen
from curator_gui.store.hierarchy_file import read_hierarchy, write_hierarchy

SHARED = Path(__file__).parents[2] / ".." / "shared"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared files are not here")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ladder.csv"


def read(file: Path, text: str, column: Column | None = None) -> Hierarchy:
    file.write_bytes(text.encode())
    return read_hierarchy(file, column)


def refused(file: Path, text: str, column: Column | None = None) -> str:
    with pytest.raises(InputError) as refusal:
        read(file, text, column)
    return str(refusal.value)


def test_each_field_after_the_value_is_a_level(file: Path):
    ladder = read(file, "baker;food;*\nnurse;health;*\n")

    assert ladder == Hierarchy(
        "table", (Mapping((("baker", "food"), ("nurse", "health"))), Star()), provenance="imported"
    )


@pytest.mark.parametrize(
    "text",
    ["a,x,*\nb,y,*", "a;x;*\r\nb;y;*\r\n", "\ufeffa;x;*\nb;y;*\n", '"a";"x";*\n"b";y;"*"\n'],
    ids=["commas", "CRLF", "BOM", "quotes"],
)
def test_delimiters_line_ends_and_quotes_are_recognised(file: Path, text: str):
    assert read(file, text) == read(file, "a;x;*\nb;y;*\n")


def test_commas_inside_labels_do_not_part_a_semicolon_file(file: Path):
    assert read(file, "5;[5,10[;*\n").levels[0] == Mapping((("5", "[5,10["),))


def test_a_last_level_that_is_not_all_star_stays_a_table(file: Path):
    assert read(file, "a;*\nb;other\n").height == 1
    assert isinstance(read(file, "a;*\nb;other\n").levels[0], Mapping)


def test_an_empty_first_field_is_missing_and_a_quoted_one_the_empty_text(file: Path):
    ladder = read(file, ';unknown;*\n"";blank;*\na;x;*\n')

    assert ladder.levels[0] == Mapping(((None, "unknown"), ("", "blank"), ("a", "x")))
    assert ladder.levels[1] == Mapping(((None, "*"), ("", "*"), ("a", "*")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“ladder.csv” is empty"),
        ("a\nb\n", "“ladder.csv” has no level"),
        ("a;x;*\nb;x\n", "“ladder.csv”, line 2: 2 fields where line 1 has 3"),
        ("a;x;*\n\nb;x;*\n", "“ladder.csv”, line 2: the line is blank"),
        ("a;x;*\n\n", "“ladder.csv”, line 2: the line is blank"),
        ("\na;x\n", "“ladder.csv”, line 1: the line is blank"),
        ("a;x\nb;x\na;y\n", "“ladder.csv”, line 3: “a” stands in line 1 already"),
        (";x\n;y\n", "“ladder.csv”, line 2: the missing value stands in line 1 already"),
        ("a;x;*\nb;;*\n", "“ladder.csv”, line 2: “b” has no label at level 1"),
        ('"a\nb";x\n"c;x\n', "“ladder.csv”, line 3: a quoted field is not closed"),
        ('"a"b;x\n', "“ladder.csv”, line 1: a quoted field is not closed or is followed by text"),
    ],
)
def test_a_broken_file_is_refused_with_the_line(file: Path, text: str, message: str):
    assert refused(file, text).startswith(message)


def test_other_encodings_are_refused(file: Path):
    file.write_bytes("a;x\n".encode("utf-16"))

    with pytest.raises(FileError, match=r"ladder\.csv” is not UTF-8 text"):
        read_hierarchy(file, None)


def test_an_absent_file_is_refused(tmp_path: Path):
    with pytest.raises(FileError, match="There is no file"):
        read_hierarchy(tmp_path / "none.csv", None)


@needs_shared
@pytest.mark.parametrize(
    "file", sorted((SHARED / "data").glob("adult_hierarchy_*.csv")), ids=lambda f: f.stem
)
def test_the_adult_ladders_are_read_and_end_in_star(file: Path):
    ladder = read_hierarchy(file, None)

    assert ladder.levels[-1] == Star()


@needs_shared
def test_a_missing_leaf_is_named_with_its_records():
    column = Column.of("occupation", ["baker", "butcher", "nurse", "surgeon", "tailor"])

    with pytest.raises(ViewError, match=r"1 of 5 values has no entry: “tailor” \(1 record\)"):
        read_hierarchy(SHARED / "inputs" / "16_occupation_hierarchy_missing_leaf.csv", column)
    with pytest.raises(ViewError, match="0 of 5 values matched; this looks like a ladder for another column"):
        read_hierarchy(SHARED / "inputs" / "16_workclass_hierarchy_wrong.csv", column)


@needs_shared
def test_a_ladder_that_does_not_nest_is_refused_with_its_witness():
    with pytest.raises(ViewError, match=r"5 and 7 share \[5,10\[ at level 1 but differ at level 2"):
        read_hierarchy(SHARED / "inputs" / "17_hierarchy_not_nested.csv", None)


# Writing


def same_on(column: Column, one: Hierarchy, other: Hierarchy) -> bool:
    pairs = [[coarsen(Level(k), column, h) for h in (one, other)] for k in range(1, one.height + 1)]
    return one.height == other.height and all(
        a.labels == b.labels and a.codes.tolist() == b.codes.tolist() for a, b in pairs
    )


LABELS = st.text(max_size=3) | st.sampled_from(["*", ";", ",", '"', "a;b", "\ufeffa", "a\r\nb", " "])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Column, Hierarchy]:
    """A column and a table of two levels for it, with values that no record has, and perhaps missing."""
    values = draw(st.lists(LABELS, min_size=1, max_size=6, unique=True))
    lower = {v: draw(LABELS) for v in [*values, *draw(st.lists(LABELS, max_size=3))]}
    upper = {label: draw(LABELS) for label in lower.values()}
    first: list[tuple[str | None, str]] = list(lower.items())
    second: list[tuple[str | None, str]] = [(v, upper[label]) for v, label in lower.items()]
    if draw(st.booleans()):
        first.append((None, lower[values[0]]))
        second.append((None, upper[lower[values[0]]]))
    ladder = Hierarchy("table", (Mapping(tuple(first)), Mapping(tuple(second))))
    return Column.of("x", [*values, None]), ladder


@given(tables())
def test_any_table_ladder_survives_its_file(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[Column, Hierarchy]
):
    column, ladder = drawn
    file = tmp_path_factory.getbasetemp() / "table.csv"

    write_hierarchy(file, ladder, column)
    found = read_hierarchy(file, column)

    assert same_on(column, found, ladder)
    for old, new in zip(ladder.levels, found.levels, strict=True):
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            assert dict(new.pairs) == dict(old.pairs)


@given(
    st.lists(st.none() | st.dates().map(str) | st.just("no day"), min_size=1).filter(any),
    st.sets(st.sampled_from(["day", "month", "quarter", "year", "decade"]), min_size=1),
)
def test_any_date_ladder_survives_its_file(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str | None], parts: set[Part]
):
    file = tmp_path_factory.getbasetemp() / "dates.csv"
    column = Column.of("x", cells, ColumnType("date", format="%Y-%m-%d"))
    ladder = Hierarchy("date", (*(DatePart(p) for p in PARTS if p in parts), Star()))

    write_hierarchy(file, ladder, column)

    assert same_on(column, read_hierarchy(file, column), ladder)


LADDERS = [
    Hierarchy("bins", (Width(Decimal(5)), Width(Decimal(10)), Bins((Decimal(0), Decimal(40))), Star())),
    Hierarchy("prefix", (Prefix(3), Prefix(1), Star())),
    Hierarchy("prefix", (Prefix(3), Prefix(1))),
]


@given(
    st.lists(st.none() | st.text(max_size=4) | st.integers(-50, 50).map(str), min_size=1).filter(any),
    st.sampled_from(LADDERS),
)
def test_a_written_ladder_reads_back_as_the_same_classes(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str | None], ladder: Hierarchy
):
    file = tmp_path_factory.getbasetemp() / "round.csv"
    column = Column.of("x", cells, ColumnType("integer"))

    write_hierarchy(file, ladder, column)

    assert same_on(column, read_hierarchy(file, column), ladder)


def test_missing_named_only_above_reads_back(file: Path):
    ladder = Hierarchy("table", (Mapping((("a", "x"),)), Mapping((("a", "*"), (None, "*")))))
    column = Column.of("x", ["a", None])

    write_hierarchy(file, ladder, column)

    assert file.read_text() == "a;x;*\n;;*\n"
    assert read_hierarchy(file, column).levels == ladder.levels


def test_values_that_only_the_table_lists_are_kept(file: Path):
    ladder = read(file, "a;x;*\nb;y;*\n")

    write_hierarchy(file, ladder, Column.of("x", ["b"]))

    assert file.read_text() == "b;y;*\na;x;*\n"


def test_the_file_is_the_owners_alone_and_nothing_is_left_beside_it(file: Path):
    write_hierarchy(file, Hierarchy("prefix", (Prefix(1), Star())), Column.of("x", ["ab"]))

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_ladder_that_does_not_fit_leaves_the_old_file(file: Path):
    file.write_text("old")

    with pytest.raises(ViewError, match="no entry"):
        write_hierarchy(file, Hierarchy("table", (Mapping((("a", "x"),)),)), Column.of("x", ["b"]))

    assert file.read_text() == "old"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(FileError, match="its folder does not exist"):
        write_hierarchy(
            tmp_path / "no" / "x.csv", Hierarchy("prefix", (Prefix(1), Star())), Column.of("x", ["ab"])
        )
