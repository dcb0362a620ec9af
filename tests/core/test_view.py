from __future__ import annotations

import json
import math
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.errors import ViewError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import (
    Bins,
    Coarsening,
    DatePart,
    Identity,
    Level,
    Mapping,
    Part,
    Prefix,
    Star,
    View,
    Width,
    coarsen,
    describe_view,
    view_from_json,
    view_to_json,
)

INTEGER, DECIMAL, DATE, TEXT = (ColumnType(k) for k in ("integer", "decimal", "date", "text"))  # type: ignore[arg-type]


def released(view: View, cells: list[str | None], type: ColumnType = TEXT, ladder: Hierarchy | None = None):
    """The released text of each cell."""
    column = Column.of("x", cells, type)
    result = coarsen(view, column, ladder)
    return [result.labels[result.codes[code]] for code in column.codes]


def parsed(text: str) -> object:
    return json.loads(text, parse_float=Decimal)


def view_of(text: str) -> View:
    return view_from_json(parsed(text), path="view")


def edges(*values: str | int) -> Bins:
    return Bins(tuple(Decimal(v) for v in values))


# Bins and widths


def test_bins_are_left_closed_with_open_tails():
    cells = ["19", "20", "29", "30", "49", "50"]

    labels = released(edges(20, 30, 50), cells, INTEGER)

    assert labels == ["< 20", "[20, 30)", "[20, 30)", "[30, 50)", "[30, 50)", "≥ 50"]


def test_one_edge_makes_two_bins():
    assert released(edges(40), ["39", "40"], INTEGER) == ["< 40", "≥ 40"]


def test_an_edge_between_two_whole_numbers_parts_them():
    labels = released(edges("-2.5", "2.5"), ["-3", "-2", "2", "3"], INTEGER)

    assert labels == ["< -2.5", "[-2.5, 2.5)", "[-2.5, 2.5)", "≥ 2.5"]


def test_cells_that_are_no_number_share_one_class_apart_from_missing():
    labels = released(edges(40), ["34", "4e", None, "3o", "", "nan"], INTEGER)

    assert labels == ["< 40", "not a number", None, "not a number", "not a number", "not a number"]


def test_widths_floor_below_the_origin_too():
    labels = released(Width(Decimal(10), Decimal(5)), ["-3", "4", "-5", "-6", "5", "14", "15"], INTEGER)

    assert labels == ["[-5, 5)", "[-5, 5)", "[-5, 5)", "[-15, -5)", "[5, 15)", "[5, 15)", "[15, 25)"]


def test_a_width_of_a_tenth_is_exact():
    labels = released(Width(Decimal("0.1")), ["0.3", "0.39", "0.29", "0.7", "0.6", "-0.05", "0.30"], DECIMAL)

    assert labels == [
        "[0.3, 0.4)", "[0.3, 0.4)", "[0.2, 0.3)", "[0.7, 0.8)", "[0.6, 0.7)", "[-0.1, 0)", "[0.3, 0.4)",
    ]  # fmt: skip


def test_two_spellings_of_one_number_share_a_bin_but_are_two_values_themselves():
    assert released(edges(1), ["1.0", "1"], DECIMAL) == ["≥ 1", "≥ 1"]
    assert released(Identity(), ["1.0", "1"], DECIMAL) == ["1.0", "1"]


def test_a_decimal_comma_is_read_and_labels_use_a_point():
    assert released(Width(Decimal("0.5")), ["0,7"], ColumnType("decimal", mark=",")) == ["[0.5, 1)"]


def test_labels_write_edges_in_plain_digits():
    assert released(edges("1E+3", "2.50E+3"), ["5", "1000", "9999"], INTEGER) == [
        "< 1000",
        "[1000, 2500)",
        "≥ 2500",
    ]


def test_numbers_of_forty_digits_fall_into_their_exact_bins():
    big = 10**40
    cells = [str(big - 1), str(big), str(-big)]

    assert released(edges(big), cells, INTEGER) == [f"< {big}", f"≥ {big}", f"< {big}"]
    assert released(Width(Decimal(big)), cells, INTEGER) == [
        f"[0, {big})",
        f"[{big}, {2 * big})",
        f"[-{big}, 0)",
    ]


def test_an_edge_beyond_every_int64_leaves_small_numbers_below_it():
    assert (
        released(edges("-1e90", "1e90"), ["-5", "999999999999999999"], INTEGER)
        == [f"[-1{'0' * 90}, 1{'0' * 90})"] * 2
    )


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=3)
WIDE = st.integers(-(10**25), 10**25).map(Decimal)


@given(
    st.lists(NUMBERS | WIDE, min_size=1, max_size=20),
    st.lists(NUMBERS | WIDE, min_size=1, max_size=6, unique=True),
)
def test_bins_count_the_edges_at_most_each_number(numbers: list[Decimal], cuts: list[Decimal]):
    view = Bins(tuple(sorted(cuts)))
    column = Column.of("x", [format(n, "f") for n in numbers], DECIMAL)

    result = coarsen(view, column, None)

    expected = [sum(Fraction(e) <= Fraction(v) for e in view.edges) for v in column.values]
    assert same_partition(result.codes.tolist(), expected)


WIDTHS = (NUMBERS | WIDE).map(abs).filter(bool)


@given(st.lists(NUMBERS | WIDE, min_size=1, max_size=20), WIDTHS, NUMBERS | WIDE)
def test_widths_floor_as_fractions_do(numbers: list[Decimal], width: Decimal, origin: Decimal):
    column = Column.of("x", [format(n, "f") for n in numbers], DECIMAL)

    result = coarsen(Width(width, origin), column, None)

    bins = [math.floor((Fraction(v) - Fraction(origin)) / Fraction(width)) for v in column.values]
    assert same_partition(result.codes.tolist(), bins)
    for code, bin in zip(result.codes, bins, strict=True):
        low = str(result.labels[code])[1:-1].split(", ")[0]
        assert Fraction(low) == Fraction(origin) + bin * Fraction(width)


def same_partition(codes: list[int], keys: list[int]) -> bool:
    first: dict[int, int] = {}
    return codes == [first.setdefault(k, len(first)) for k in keys]


def test_bins_on_a_text_column_are_refused():
    with pytest.raises(ViewError, match="Column “x” is read as text, but “bins at 40” needs numbers"):
        released(edges(40), ["34"])


# Prefixes, maps and *


def test_a_prefix_counts_code_points_and_leaves_missing_missing():
    assert released(Prefix(2), ["abc", "ab", "é́x", "", None]) == ["ab", "ab", "é́x"[:2], "", None]


def test_a_prefix_reads_the_text_of_a_number():
    assert released(Prefix(1), ["34", "4e", "3o"], INTEGER) == ["3", "4", "3"]


def test_a_map_may_name_missing():
    named = Mapping((("clerk", "support"), (None, "support")))
    unnamed = Mapping((("clerk", "support"),))

    assert released(named, ["clerk", None]) == ["support", "support"]
    assert released(unnamed, ["clerk", None]) == ["support", None]


def test_a_map_compares_the_text_of_a_number():
    with pytest.raises(ViewError, match=r"1 of 2 values has no entry: “1\.0” \(2 records\)"):
        released(Mapping((("1", "one"),)), ["1", "1.0", "1.0"], DECIMAL)


def test_a_map_that_leaves_out_many_values_names_the_first():
    with pytest.raises(ViewError, match=r"4 of 5 values have no entry: .*“d” \(1 record\) and 1 more"):
        released(Mapping((("a", "x"),)), ["a", "b", "c", "d", "e", None])


def test_star_takes_every_value_but_missing():
    assert released(Star(), ["1", "x", None, "*"], INTEGER) == ["*", "*", None, "*"]


# Dates


@pytest.mark.parametrize(
    ("part", "label"),
    [
        ("day", "2024-03-31"),
        ("week", "2024-W13"),
        ("month", "2024-03"),
        ("quarter", "2024-Q1"),
        ("year", "2024"),
        ("decade", "2020s"),
    ],
)
def test_dates_are_labelled_by_their_part(part: Part, label: str):
    assert released(DatePart(part), ["2024-03-31"], DATE) == [label]


def test_a_week_belongs_to_its_iso_year():
    assert released(DatePart("week"), ["2024-12-30", "2025-01-05", "2023-01-01"], DATE) == [
        "2025-W01",
        "2025-W01",
        "2022-W52",
    ]


def test_datetimes_are_read_by_the_columns_format():
    type = ColumnType("datetime", format="%d.%m.%Y %H:%M")

    labels = released(DatePart("day"), ["31.03.2024 23:59", "01.04.2024 00:00"], type)

    assert labels == [
        "2024-03-31",
        "2024-04-01",
    ]


def test_cells_that_are_no_date_share_one_class_apart_from_missing():
    assert released(DatePart("year"), ["2024-01-01", "soon", None, "2024-02-30"], DATE) == [
        "2024",
        "not a date",
        None,
        "not a date",
    ]


def test_a_date_part_on_a_number_column_is_refused():
    with pytest.raises(ViewError, match="“month” needs dates"):
        released(DatePart("month"), ["34"], INTEGER)


@given(
    st.lists(st.dates(), min_size=1), st.sampled_from(["day", "week", "month", "quarter", "year", "decade"])
)
def test_two_dates_share_a_part_exactly_when_the_calendar_says_so(dates: list[date], part: Part):
    def key(d: date) -> object:
        quarter = (d.year, (d.month - 1) // 3)
        monday = d.toordinal() - d.weekday()
        return {"day": d, "week": monday, "month": (d.year, d.month), "quarter": quarter, "year": d.year,
                "decade": d.year // 10}[part]  # fmt: skip

    labels = released(DatePart(part), [d.isoformat() for d in dates], DATE)

    pairs = {(key(d), label) for d, label in zip(dates, labels, strict=True)}
    assert len(pairs) == len({k for k, _ in pairs}) == len({label for _, label in pairs})


def test_every_day_of_four_centuries_reads_as_isocalendar_does():
    days = [date(1799, 1, 1) + timedelta(days=9 * k) for k in range(16_000)]

    labels = released(DatePart("week"), [d.isoformat() for d in days], DATE)

    assert labels == [f"{d.isocalendar()[0]:04}-W{d.isocalendar()[1]:02}" for d in days]


# Levels


def test_level_0_is_the_value_and_level_k_the_ladders_kth():
    ladder = Hierarchy("prefix", (Prefix(3), Prefix(1), Star()))

    assert released(Level(0), ["92501"], TEXT, ladder) == ["92501"]
    assert released(Level(2), ["92501"], TEXT, ladder) == ["9"]


def test_a_level_beyond_the_top_is_refused():
    with pytest.raises(ViewError, match="The ladder has no level 3; its top is level 2"):
        released(Level(3), ["92501"], TEXT, Hierarchy("prefix", (Prefix(3), Star())))


def test_a_level_without_a_ladder_is_refused():
    with pytest.raises(ViewError, match="Column “x” has no ladder"):
        released(Level(1), ["a"])


# Coarsenings


CELLS = st.lists(
    st.none() | st.text(max_size=3) | st.sampled_from(["not a number", "*", "[0, 5)", "7", "-3"])
)


@given(CELLS, st.sampled_from([Identity(), Prefix(1), Star(), edges(0, 5), Width(Decimal(5))]))
def test_classes_are_numbered_by_first_appearance_and_no_two_share_a_label(
    cells: list[str | None], view: View
):
    column = Column.of("x", cells, INTEGER)

    result = coarsen(view, column, None)

    assert result.codes.dtype == np.int32
    assert same_partition(result.codes.tolist(), result.codes.tolist())
    assert len(set(result.labels)) == len(result.labels) == len(set(result.codes.tolist()))


def test_finer_classes_refine_coarser_ones_and_not_the_reverse():
    column = Column.of("x", ["5", "7", "12", None], INTEGER)
    fine, coarse = (coarsen(Width(Decimal(w)), column, None) for w in (5, 10))

    assert fine.refines(coarse)
    assert fine.refines(fine)
    assert not coarsen(Star(), column, None).refines(fine)


def test_crossing_classes_refine_neither_way():
    one, other = (Coarsening(np.array(c, np.int32), ("a", "b")) for c in ([0, 0, 1], [0, 1, 1]))

    assert not one.refines(other)
    assert not other.refines(one)


def test_an_empty_column_has_no_classes():
    for view in (Identity(), Star(), edges(1), Width(Decimal(1)), Prefix(1), Mapping(())):
        assert coarsen(view, Column.of("x", [], INTEGER), None).labels == ()


# JSON


@pytest.mark.parametrize("text", ["null", "{}"])
def test_no_view_is_the_value_itself(text: str):
    assert view_of(text) == Identity()


def test_numbers_in_json_keep_their_digits():
    assert view_of('{"bins": [0.1, 1, 2.50]}') == edges("0.1", "1", "2.5")


def test_level_0_stays_a_level():
    assert view_of('{"level": 0}') == Level(0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"bin": [1]}', "view: A view has no “bin”"),
        ('{"level": 1, "prefix": 2}', "view: A view is {} or has one of level, bins, prefix, map"),
        ("[]", "view: A view is {} or has one of"),
        ('{"level": true}', "view.level: true is not a whole number"),
        ('{"level": 1.0}', "view.level: “1.0” is not a whole number"),
        ('{"level": -1}', "view.level: A level is 0 or more, not -1"),
        ('{"bins": 3}', "view.bins: This must be a list of edges"),
        ('{"bins": []}', "view.bins: Bins need at least one edge"),
        ('{"bins": [2, 1]}', "view.bins: Bin edges must strictly increase, but 1 follows 2"),
        ('{"bins": [1, 1.0]}', "view.bins: Bin edges must strictly increase, but 1 follows 1"),
        ('{"bins": [false]}', "view.bins: false is not a number"),
        ('{"bins": ["1"]}', "view.bins: “1” is not a number"),
        ('{"bins": [NaN]}', "view.bins: “nan” is not a number"),
        ('{"bins": [1e999999]}', "view.bins: A number here has at most 100 digits"),
        ('{"bins": [0e-999999]}', "view.bins: A number here has at most 100 digits"),
        ('{"prefix": 0}', "view.prefix: A prefix has at least 1 character, not 0"),
        ('{"map": [["a", "x"], ["a", "y"]]}', "view.map: “a” is mapped twice"),
        ('{"map": [[null, "x"], [null, "y"]]}', "view.map: the missing value is mapped twice"),
        ('{"map": [[1, "x"]]}', "view.map: Each entry of a map is"),
        ('{"map": [["a", null]]}', "view.map: Each entry of a map is"),
    ],
)
def test_a_view_that_is_none_is_refused_with_its_path(text: str, message: str):
    with pytest.raises(ViewError) as refusal:
        view_of(text)

    assert str(refusal.value).startswith(message)


VIEWS = st.one_of(
    st.just(Identity()),
    st.integers(0, 9).map(Level),
    st.integers(1, 9).map(Prefix),
    st.lists(NUMBERS, min_size=1, unique=True).map(lambda e: Bins(tuple(sorted(e)))),
    st.dictionaries(st.none() | st.text(), st.text()).map(lambda d: Mapping(tuple(d.items()))),
)


@given(VIEWS)
def test_a_view_survives_json(view: View):
    again = view_from_json(view_to_json(view), path="view")

    assert again == view
    assert hash(again) == hash(view)


def test_a_ladders_own_level_is_no_view_in_json():
    with pytest.raises(ViewError, match="“month” is saved as a level of a ladder"):
        view_to_json(DatePart("month"))


# Words


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Identity(), "as it is"),
        (Level(0), "as it is"),
        (Width(Decimal(10)), "by 10"),
        (Width(Decimal(10), Decimal(5)), "by 10 from 5"),
        (Prefix(1), "1 character"),
        (Prefix(3), "3 characters"),
        (DatePart("month"), "month"),
        (edges(20, 30, 40), "bins at 20, 30, 40"),
        (edges(*range(9)), "bins at 0, 1, 2, 3, 4, 5, 6, 7, …"),
        (Mapping((("a", "x"), ("b", "x"), ("c", "y"))), "2 labels"),
        (Star(), "*"),
    ],
)
def test_a_view_is_described_in_a_few_words(view: View, words: str):
    assert describe_view(view, None) == words


def test_a_level_is_described_with_its_place_in_the_ladder():
    ladder = Hierarchy("bins", (Width(Decimal(10)), Width(Decimal(20)), Star()))

    assert describe_view(Level(2), ladder) == "level 2 of 3: by 20"
