"""Numbers as people read them."""

import math

import pytest

from curator_gui.gui import words


@pytest.mark.parametrize(
    ("alpha", "shown"),
    [
        (math.log(1.5), "×1.5"),
        (math.log(2 / 3), "×0.667"),
        (0.0, "×1"),
        (0.0004, "×1.0004"),
        (-0.0004, "×0.9996"),
        (1e-9, "×1"),
        (math.log(1234), "×1\u202f234"),
        (math.log(123456), "×123\u202f456"),
        (None, "–"),
        (math.nan, "–"),
        (-math.inf, "↓"),
        (math.inf, "×∞"),
        (50.0, "×10^21"),
    ],
)
def test_a_disclosure_reads_as_a_factor(alpha: float | None, shown: str) -> None:
    assert words.factor(alpha) == shown


@pytest.mark.parametrize(
    ("alpha", "shown"),
    [
        (0.4054651, "0.405"),
        (-0.4054651, "−0.405"),
        (-0.0, "0.000"),
        (-0.0001, "0.000"),
        (None, "–"),
        (-math.inf, "↓"),
    ],
)
def test_the_logarithm_has_three_decimals_and_a_true_minus(alpha: float | None, shown: str) -> None:
    assert words.logarithm(alpha) == shown


def test_both_readings_stand_side_by_side() -> None:
    assert words.disclosure(math.log(1.5)) == "×1.5 (0.405)"
    assert words.disclosure(None) == "–"
    assert words.disclosure(-math.inf) == "↓"


def test_the_full_value_loses_no_digit() -> None:
    assert float(words.full(math.log(1.5))) == math.log(1.5)
    assert words.disclosure_in_words(math.log(1.5)) == f"×1.5 ({math.log(1.5)!r})"
    assert words.disclosure_in_words(None) == "no evidence"
    assert "ruled out" in words.disclosure_in_words(-math.inf)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (983, "983"),
        (4983, "4\u202f983"),
        (12345, "12\u202f345"),
        (1_000_000, "1\u202f000\u202f000"),
    ],
)
def test_counts_are_grouped_in_threes(number: int, shown: str) -> None:
    assert words.count(number) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0\u202f%"),
        (1, "100\u202f%"),
        (0.5, "50\u202f%"),
        (0.0312, "3.1\u202f%"),
        (0.03, "3\u202f%"),
        (0.00001, "<0.1\u202f%"),
        (0.9999, ">99\u202f%"),
        (None, "–"),
    ],
)
def test_a_percentage_never_rounds_to_all_or_nothing(share: float | None, shown: str) -> None:
    assert words.percent(share) == shown


def test_a_change_has_its_sign() -> None:
    assert words.percent_points(-0.031) == "−3.1\u202f%"
    assert words.percent_points(0.02) == "+2\u202f%"
    assert words.percent_points(0) == "0\u202f%"


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [(2, 3, "2 in 3"), (3, 3, "certain"), (0, 3, "ruled out"), (0, 0, "–")],
)
def test_a_guess_is_said_in_words(part: int, whole: int, shown: str) -> None:
    assert words.guess(part, whole) == shown


def test_records_are_counted_from_one() -> None:
    assert words.record(0) == "record 1"
    assert words.listed((0,)) == "record 1"
    assert words.listed((0, 2)) == "records 1 and 3"
    assert words.listed((0, 1, 2, 6), most=3) == "records 1, 2, 3 and 1 more"
    assert words.listed(()) == "no records"


def test_one_and_none_have_words_of_their_own() -> None:
    assert words.records(1) == "1 record"
    assert words.targets(0) == "no targets"
    assert words.targets(1) == "1 target"
    assert words.targets(17) == "17 targets"
    assert words.share_of(2, 3) == "2 of 3"
