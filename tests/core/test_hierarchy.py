from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curator_gui.core.errors import ViewError
from curator_gui.core.hierarchy import (
    Hierarchy,
    HierarchyKind,
    Rung,
    check_coverage,
    hierarchy_from_json,
    hierarchy_to_json,
    propose_hierarchy,
)
from curator_gui.core.table import Column, ColumnType, Kind
from curator_gui.core.view import (
    PARTS,
    Bins,
    DatePart,
    Identity,
    Level,
    Mapping,
    Part,
    Prefix,
    Star,
    Width,
    coarsen,
    view_from_json,
)

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases" / "disclosure"


def ladder_of(text: str) -> Hierarchy:
    return hierarchy_from_json(json.loads(text, parse_float=Decimal), path="hierarchies.age")


def width(size: str | int, origin: str | int = 0) -> Width:
    return Width(Decimal(size), Decimal(origin))


def edges(*values: str | int) -> Bins:
    return Bins(tuple(Decimal(v) for v in values))


def labels(rung: Mapping | dict[str | None, str]) -> Mapping:
    return rung if isinstance(rung, Mapping) else Mapping(tuple(rung.items()))


def refused(kind: HierarchyKind, *levels: Rung) -> str:
    with pytest.raises(ViewError) as refusal:
        Hierarchy(kind, levels)
    return str(refusal.value)


# Levels


def test_level_0_is_the_value_itself_and_the_top_is_the_height():
    ladder = Hierarchy("prefix", (Prefix(3), Star()))

    assert ladder.height == 2
    assert ladder.view(0) == Identity()
    assert ladder.view(2) == Star()


@pytest.mark.parametrize("level", [-1, 3])
def test_there_is_no_level_outside_the_ladder(level: int):
    with pytest.raises(ViewError, match="its top is level 2"):
        Hierarchy("prefix", (Prefix(3), Star())).view(level)


def test_an_empty_ladder_is_refused():
    assert "at least one level" in refused("prefix")


def test_star_stands_only_on_top():
    assert "“*” is level 1 of 2" in refused("prefix", Star(), Prefix(1))
    assert "“*” is level 1 of 2" in refused("prefix", Star(), Star())


def test_a_level_of_another_kind_is_refused():
    assert "Level 1 does not belong in a ladder of kind bins" in refused("bins", Prefix(1))


@pytest.mark.parametrize(
    ("kind", "rung"),
    [("bins", width(5)), ("bins", edges(1, 2)), ("prefix", Prefix(2)), ("date", DatePart("month"))],
)
def test_a_level_that_repeats_the_one_below_is_refused(kind: HierarchyKind, rung: Rung):
    assert refused(kind, rung, rung) == "Level 2 repeats level 1; remove one of them."


def test_one_width_from_two_congruent_origins_is_a_repetition():
    assert "repeats" in refused("bins", width(10, 5), width(10, -15))


# Nesting of bins


def test_widths_nest_when_multiples_with_congruent_origins():
    assert Hierarchy("bins", (width("0.1"), width("0.5"), width(1, -2), Star())).height == 4
    assert Hierarchy("bins", (width(5, 3), width(10, -2), edges(8, 28))).height == 3
    assert Hierarchy("bins", (edges(1, 2, 3), edges(2))).height == 2


def test_a_width_that_is_no_multiple_is_refused_with_two_numbers():
    assert refused("bins", width(10), width(25)).startswith(
        "20 and 25 share [20, 30) at level 1 but differ at level 2"
    )


def test_an_origin_that_does_not_fit_is_refused_with_two_numbers():
    assert refused("bins", width(10), width(20, 5)).startswith("0 and 5 share [0, 10) at level 1")
    assert refused("bins", width(10), width(10, 5)).startswith("0 and 5 share [0, 10) at level 1")


def test_a_new_edge_is_refused_with_two_numbers():
    assert refused("bins", edges(10, 30), edges(20)).startswith("10 and 20 share [10, 30) at level 1")
    assert refused("bins", edges(10), edges(5)).startswith("4 and 5 share < 10 at level 1")
    assert refused("bins", width(5), edges(10, 12)).startswith("10 and 12 share [10, 15) at level 1")


def test_a_width_above_edges_never_nests():
    assert "differ at level 2" in refused("bins", edges(0, 10, 20), width(10))


RUNGS = st.one_of(
    st.builds(width, st.integers(1, 12), st.integers(-4, 4)),
    st.lists(st.integers(-12, 12), min_size=1, max_size=4, unique=True).map(lambda e: edges(*sorted(e))),
)


@given(RUNGS, RUNGS)
def test_bins_are_accepted_exactly_when_every_number_nests(lower: Width | Bins, upper: Width | Bins):
    column = Column.of("x", [str(n) for n in range(-200, 200)], ColumnType("integer"))
    below, above = coarsen(lower, column, None), coarsen(upper, column, None)
    assume(not (below.refines(above) and above.refines(below)))

    try:
        Hierarchy("bins", (lower, upper))
    except ViewError as refusal:
        one, other = str(refusal).split(" share ")[0].split(" and ")
        pair = Column.of("x", [one, other], ColumnType("integer"))
        assert len(coarsen(lower, pair, None).labels) == 1
        assert len(coarsen(upper, pair, None).labels) == 2
    else:
        assert below.refines(above)


# Nesting of the other kinds


def test_a_prefix_of_a_billion_characters_is_refused_in_one_short_sentence():
    assert len(refused("prefix", Prefix(10**9), Prefix(2 * 10**9))) < 300


def test_prefixes_must_shorten():
    assert refused("prefix", Prefix(1), Prefix(3)).startswith("00 and 01 share 0 at level 1")


@given(st.lists(st.dates(), min_size=2, max_size=40))
def test_date_parts_that_are_accepted_nest_for_all_dates(dates: list[date]):
    column = Column.of("x", [d.isoformat() for d in dates], ColumnType("date"))
    for lower, upper in permutations(PARTS, 2):
        if accepted(lower, upper):
            assert coarsen(DatePart(lower), column, None).refines(coarsen(DatePart(upper), column, None))


def accepted(lower: Part, upper: Part) -> bool:
    try:
        Hierarchy("date", (DatePart(lower), DatePart(upper)))
    except ViewError:
        return False
    return True


def test_weeks_nest_in_nothing_but_star_and_the_rest_in_what_is_longer():
    calendar: list[Part] = ["day", "month", "quarter", "year", "decade"]

    nested = {pair for pair in permutations(PARTS, 2) if accepted(*pair)}

    assert nested == {(a, b) for i, a in enumerate(calendar) for b in calendar[i + 1 :]} | {("day", "week")}
    assert Hierarchy("date", (DatePart("week"), Star())).height == 2


def test_a_date_ladder_is_refused_with_two_dates():
    assert refused("date", DatePart("week"), DatePart("month")).startswith(
        "2024-01-31 and 2024-02-01 share 2024-W05 at level 1 but differ at level 2"
    )


def test_a_table_that_does_not_nest_is_refused_with_two_values():
    lower = labels({"1": "[0,5[", "5": "[5,10[", "7": "[5,10["})
    upper = labels({"1": "[0,10[", "5": "[0,10[", "7": "[5,15["})

    assert refused("table", lower, upper).startswith("5 and 7 share [5,10[ at level 1 but differ at level 2")


def test_a_value_labelled_at_one_level_only_is_refused():
    assert refused("table", labels({"a": "x"}), labels({"a": "x", "b": "x"})).startswith(
        "b has a label at only one of levels 1 and 2"
    )


def test_missing_may_be_named_first_at_a_higher_level():
    ladder = Hierarchy("table", (labels({"a": "x"}), labels({"a": "*", None: "*"})))

    assert coarsen(Level(2), Column.of("x", ["a", None]), ladder).labels == ("*",)


def test_missing_that_shares_a_class_cannot_leave_it_at_star():
    assert refused("table", labels({"a": "x", None: "x"}), Star()).startswith(
        "a and missing share x at level 1"
    )


@given(
    st.dictionaries(
        st.none() | st.sampled_from("abcdef"), st.tuples(st.sampled_from("xyz"), st.sampled_from("uv"))
    )
)
def test_tables_are_accepted_exactly_when_every_value_nests(table: dict[str | None, tuple[str, str]]):
    lower, upper = (labels({v: row[k] for v, row in table.items()}) for k in (0, 1))
    column = Column.of("x", list(table))
    nests = coarsen(lower, column, None).refines(coarsen(upper, column, None))

    try:
        Hierarchy("table", (lower, upper))
    except ViewError:
        assert not nests
    else:
        assert nests


# JSON


@pytest.mark.parametrize(
    "ladder",
    [
        Hierarchy("bins", (width("0.1"), width("0.5", "-1.5"), edges(-1, 0), Star())),
        Hierarchy("prefix", (Prefix(3), Prefix(1), Star()), "proposed-from-data"),
        Hierarchy("date", (DatePart("day"), DatePart("week"), Star())),
        Hierarchy("table", (labels({"a": "x", None: "x"}), labels({"a": "*", None: "*"})), "imported"),
    ],
)
def test_a_ladder_survives_json(ladder: Hierarchy):
    assert hierarchy_from_json(hierarchy_to_json(ladder), path="h") == ladder


def test_an_origin_defaults_to_0_and_provenance_to_typed():
    ladder = ladder_of('{"kind": "bins", "levels": [{"width": 0.1}, "*"]}')

    assert ladder == Hierarchy("bins", (width("0.1"), Star()), "typed")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", ": A ladder has a kind and levels"),
        ('{"kind": "bins"}', ": A ladder has a kind and levels"),
        ('{"kind": "bin", "levels": []}', ".kind: “bin” is none of"),
        ('{"kind": ["bins"], "levels": []}', ".kind: a list is none of"),
        ('{"kind": "bins", "levels": [], "step": 1}', ": A ladder has no “step”"),
        ('{"kind": "bins", "levels": ["*"], "provenance": "found"}', ".provenance: “found” is none of"),
        ('{"kind": "bins", "levels": {}}', ": This must be a list of levels"),
        (
            '{"kind": "bins", "levels": [{"width": 5}, {"width": 0}]}',
            ".levels[1]: A bin width is more than 0",
        ),
        ('{"kind": "bins", "levels": [{"width": true}]}', ".levels[0]: true is not a number"),
        ('{"kind": "bins", "levels": [{"width": 5, "edges": [1]}]}', ".levels[0]: A level of bins is"),
        ('{"kind": "bins", "levels": [5]}', ".levels[0]: A level of bins is"),
        ('{"kind": "bins", "levels": [{"width": 10}, {"width": 15}]}', ": 10 and 15 share [10, 20)"),
        ('{"kind": "prefix", "levels": ["3"]}', ".levels[0]: “3” is not a whole number"),
        ('{"kind": "date", "levels": ["fortnight"]}', ".levels[0]: “fortnight” is none of"),
        ('{"kind": "table", "levels": [[["a", 1]]]}', ".levels[0]: Each entry of a map is"),
    ],
)
def test_a_ladder_that_is_none_is_refused_with_its_path(text: str, message: str):
    with pytest.raises(ViewError) as refusal:
        ladder_of(text)

    assert str(refusal.value).startswith("hierarchies.age" + message)


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
def test_every_ladder_and_view_of_the_shared_cases_loads():
    files = sorted(CASES.glob("*/session.json"))
    for file in files:
        session = json.loads(file.read_text("utf-8"), parse_float=Decimal)
        for name, ladder in session["hierarchies"].items():
            hierarchy_from_json(ladder, path=name)
        for step in session["plan"]:
            view_from_json(step.get("view"), path="plan")
    assert len(files) > 50


# Coverage


def test_values_without_an_entry_are_named_with_their_records():
    ladder = Hierarchy("table", (labels({"baker": "food", "nurse": "health"}), Star()))
    check_coverage(ladder, Column.of("job", ["baker", None]))

    with pytest.raises(ViewError, match=r"1 of 3 values has no entry: “tailor” \(1 record\)"):
        check_coverage(ladder, Column.of("job", ["baker", "nurse", "nurse", "tailor", None]))


def test_a_ladder_that_matches_nothing_looks_like_another_columns():
    with pytest.raises(ViewError, match="0 of 2 values matched; this looks like a ladder for another column"):
        check_coverage(Hierarchy("table", (labels({"private": "x"}), Star())), Column.of("job", ["a", "b"]))


def test_a_ladder_of_bins_does_not_cover_text():
    with pytest.raises(ViewError, match="is read as text"):
        check_coverage(Hierarchy("bins", (width(5), Star())), Column.of("job", ["1"]))


# Proposals


def proposed(cells: list[str], kind: Kind) -> tuple[Rung, ...]:
    ladder = propose_hierarchy(Column.of("x", [*cells, None], ColumnType(kind)))
    assert ladder is not None
    assert ladder.provenance == "proposed-from-data"
    return ladder.levels


def test_ages_are_proposed_by_5_10_and_20():
    assert proposed([str(n) for n in range(17, 91)], "integer") == (width(5), width(10), width(20), Star())


def test_decimals_are_proposed_by_widths_of_their_scale():
    cells = [f"{n / 100:.2f}" for n in range(100)]

    assert proposed(cells, "decimal") == (width("0.05"), width("0.1"), width("0.2"), Star())


def test_two_numbers_side_by_side_are_proposed_star_alone():
    assert proposed(["0", "1"], "integer") == (Star(),)
    assert proposed(["x"], "integer") == (Star(),)


def test_codes_are_proposed_by_shorter_prefixes():
    assert proposed(["92501", "02139"], "code") == (Prefix(4), Prefix(3), Prefix(2), Prefix(1), Star())
    assert proposed(["92501", "02139"], "text") == proposed(["92501", "02139"], "code")
    assert proposed(["A"], "code") == (Star(),)


def test_dates_are_proposed_by_month_quarter_and_year():
    assert proposed(["2024-01-01"], "date") == (
        DatePart("month"),
        DatePart("quarter"),
        DatePart("year"),
        Star(),
    )


def test_datetimes_are_proposed_by_day_first():
    assert proposed(["2024-01-01 10:00:00"], "datetime")[:2] == (DatePart("day"), DatePart("month"))


def test_categories_are_proposed_star_and_free_text_nothing():
    assert proposed(["a", "bc"], "category") == (Star(),)
    assert propose_hierarchy(Column.of("x", [f"name {n}" for n in range(500)])) is None
    assert propose_hierarchy(Column.of("x", [None, None])) is None


@given(
    st.lists(st.integers(-(10**20), 10**20) | st.integers(-50, 50), min_size=1),
    st.integers(0, 4),
)
def test_a_proposal_always_nests_and_fits(numbers: list[int], scale: int):
    cells = [format(Decimal(n).scaleb(-scale), "f") for n in numbers]
    column = Column.of("x", cells, ColumnType("decimal"))

    ladder = propose_hierarchy(column)

    assert ladder is not None
    check_coverage(ladder, column)
    results = [coarsen(Level(k), column, ladder) for k in range(ladder.height + 1)]
    assert all(fine.refines(coarse) for fine, coarse in pairwise(results))
    assert len(results[-1].labels) == 1
