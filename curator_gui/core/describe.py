"""Operators in words, for screens and documents."""

from __future__ import annotations

from collections.abc import Mapping

from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Delete, Generalize, Operator, Project, Replace, Select
from curator_gui.core.view import describe_view

_MOST_ROWS = 3
_MOST_TEXT = 60


def describe_operator(operator: Operator, ladders: Mapping[str, Hierarchy]) -> str:
    """A label such as "Drop med" or "Delete record 3"; records are counted from 1."""
    match operator:
        case Project(drop):
            return f"Drop {', '.join(drop)}"
        case Generalize(column, view):
            return f"Generalize {column}: {describe_view(view, ladders.get(column))}"
        case Replace(column, value, where):
            given = "missing" if value is None else f"“{value}”"
            return f"Replace {column} by {given} where {_short(where.text)}"
        case Select(where):
            return f"Keep records where {_short(where.text)}"
        case Delete(None, rows):
            return f"Delete {_records(rows)}"
        case Delete(where):
            assert where is not None
            return f"Delete records where {_short(where.text)}"


def _records(rows: tuple[int, ...]) -> str:
    if len(rows) > _MOST_ROWS:
        return f"{len(rows)} records"
    names = ", ".join(str(r + 1) for r in rows)
    return f"record {names}" if len(rows) == 1 else f"records {names}"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"
