"""Labels as numbers and dates, but only where they read back as exactly the same text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Literal

from curator_gui.core.column_type import ColumnType

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")

Value = int | float | date | datetime | None
TypedKind = Literal["integer", "decimal", "date", "datetime"]


def typed_values(
    labels: Sequence[str | None], type: ColumnType, number_text: Callable[[float], str]
) -> tuple[TypedKind, list[Value]] | None:
    """The labels as values of one kind, None for missing; None where any would be spelled another way.

    number_text: how the format's reader spells a number.
    """
    present = [label for label in labels if label is not None]
    if not present:
        return None
    read: dict[TypedKind, Callable[[str], Value]] = {}
    if type.kind in ("integer", "decimal"):
        read = {"integer": _integer, "decimal": lambda text: _decimal(text, number_text)}
    elif type.kind in ("date", "datetime"):
        read = {"date": _date, "datetime": _instant}
    for kind, value_of in read.items():
        values = [None if label is None else value_of(label) for label in labels]
        if all(label is None or v is not None for label, v in zip(labels, values, strict=True)):
            return kind, values
    return None


def _integer(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) else None


def _decimal(text: str, number_text: Callable[[float], str]) -> float | None:
    if not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if number_text(value) == text else None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if _INSTANT.fullmatch(text) else None
    except ValueError:
        return None
