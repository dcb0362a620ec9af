"""Dates are read in English whatever the language, and all at once as one by one."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.date_formats import date_pattern

FORMATS = (
    "%Y-%m-%d",
    "%d.%m.%Y %H:%M",
    "%Y%m%d",
    "%d%b%Y",
    "%B %d, %Y",
    "%m/%d/%Y %I:%M %p",
    "%Y-%m-%dT%H:%M:%S.%f",
)


@given(st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)), st.sampled_from(FORMATS))
def test_what_is_written_is_read(instant: datetime, format: str) -> None:
    pattern = date_pattern(format)
    text = instant.strftime(format)

    assert pattern is not None
    assert pattern.read(text) == datetime.strptime(text, format)
    assert pattern.years([text, text]) == {instant.year}


@pytest.mark.parametrize(
    "text", ["2021-02-29", "2021-13-01", "2021-01-32", "21-01-01", " 2021-01-01", "2021-01-01\n"]
)
def test_what_is_no_day_is_not_read(text: str) -> None:
    pattern = date_pattern("%Y-%m-%d")

    assert pattern is not None
    assert pattern.read(text) is None
    assert pattern.years(["2021-01-01", text]) is None


@pytest.mark.parametrize("format", ["%Y-%j", "%d.%m.", "%Y-%Y", "%b %B %Y"])
def test_other_directives_are_left_to_the_library(format: str) -> None:
    assert date_pattern(format) is None
