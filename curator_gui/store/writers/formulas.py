"""Cells that a spreadsheet program would run as a formula, and how they are kept from it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator_gui.core.column_type import ColumnType
from curator_gui.core.readings import number_pattern

_STARTS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MINUS_NUMBER = re.compile(r"-[0-9][0-9.,]*")


def runs(text: str) -> bool:
    """Whether a spreadsheet would, or after one apostrophe less would, take the text for a formula."""
    return _STARTS.match(text) is not None and not _MINUS_NUMBER.fullmatch(text) and text != "-"


def formula_labels(labels: Sequence[str | None], type: ColumnType) -> list[bool]:
    """[labels] which ones to neutralize: not what is a number in a number column."""
    number = number_pattern(type).fullmatch if type.is_number else None
    return [label is not None and runs(label) and not (number and number(label)) for label in labels]


def neutral(text: str) -> str:
    """The text behind an apostrophe, which spreadsheets take for “what follows is text”."""
    return f"'{text}"
