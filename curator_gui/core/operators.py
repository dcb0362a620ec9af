"""The operators of a plan: frozen values, JSON both ways, each saying what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from curator_gui.core.errors import InputError, PlanError, PredicateError
from curator_gui.core.predicate import Predicate, parse_predicate
from curator_gui.core.table import quoted
from curator_gui.core.view import View, view_from_json, view_to_json

Changes = Literal["representation", "presence"]


@dataclass(frozen=True, slots=True)
class Project:
    """Drops columns."""

    drop: tuple[str, ...]
    changes: ClassVar[Changes] = "representation"


@dataclass(frozen=True, slots=True)
class Generalize:
    """Replaces one column's current view; the new one is computed from the source value."""

    column: str
    view: View
    changes: ClassVar[Changes] = "representation"


@dataclass(frozen=True, slots=True)
class Replace:
    """Gives one column another value (None: missing) in the rows for which a predicate is TRUE."""

    column: str
    value: str | None
    where: Predicate
    changes: ClassVar[Changes] = "representation"


@dataclass(frozen=True, slots=True)
class Select:
    """Keeps the rows for which a predicate is TRUE."""

    where: Predicate
    changes: ClassVar[Changes] = "presence"


@dataclass(frozen=True, slots=True)
class Delete:
    """Removes the rows for which a predicate is TRUE, or the named rows (numbered from 0)."""

    where: Predicate | None = None
    rows: tuple[int, ...] = ()
    changes: ClassVar[Changes] = "presence"


Operator = Project | Generalize | Replace | Select | Delete
Plan = tuple[Operator, ...]
"""The operators in order. A prefix of a plan is a plan; undo and redo are positions in it."""


def operator_to_json(operator: Operator) -> dict[str, Any]:
    """The operator as in a session file."""
    match operator:
        case Project(drop):
            return {"op": "project", "drop": list(drop)}
        case Generalize(column, view):
            return {"op": "generalize", "column": column, "view": view_to_json(view)}
        case Replace(column, value, where):
            return {"op": "replace", "column": column, "value": value, "where": where.text}
        case Select(where):
            return {"op": "select", "where": where.text}
        case Delete(None, rows):
            return {"op": "delete", "rows": list(rows)}
        case Delete(where):
            assert where is not None
            return {"op": "delete", "where": where.text}


def operator_from_json(data: object, *, path: str) -> Operator:
    """Read one operator; errors name the path within the file."""
    if not isinstance(data, Mapping):
        raise PlanError("An operator must be an object with “op”.", path=path)
    try:
        read = _READERS[data["op"]]
    except (KeyError, TypeError):
        message = f"An operator needs “op”, one of {quoted(tuple(_READERS))}."
        raise PlanError(message, path=path) from None
    return read(data, path)


def predicate_from_json(data: object, *, path: str) -> Predicate:
    """Read a WHERE expression given as text."""
    if not isinstance(data, str):
        raise PredicateError("A condition must be text, a SQL WHERE expression.", path=path)
    try:
        return parse_predicate(data)
    except PredicateError as error:
        raise error.at(path) from None


def _project(data: Mapping[str, Any], path: str) -> Project:
    _only(data, {"op", "drop"}, path)
    drop = data.get("drop")
    if not isinstance(drop, list) or not drop or not all(isinstance(c, str) for c in drop):
        raise PlanError("“drop” must list the names of one or more columns.", path=f"{path}.drop")
    return Project(tuple(drop))


def _generalize(data: Mapping[str, Any], path: str) -> Generalize:
    _only(data, {"op", "column", "view"}, path)
    return Generalize(_name(data, path), view_from_json(data.get("view"), path=f"{path}.view"))


def _replace(data: Mapping[str, Any], path: str) -> Replace:
    _only(data, {"op", "column", "value", "where"}, path)
    value = data.get("value")
    if "value" not in data or not (value is None or isinstance(value, str)):
        raise PlanError("“value” must be a text, or null for missing.", path=f"{path}.value")
    return Replace(_name(data, path), value, predicate_from_json(data.get("where"), path=f"{path}.where"))


def _select(data: Mapping[str, Any], path: str) -> Select:
    _only(data, {"op", "where"}, path)
    return Select(predicate_from_json(data.get("where"), path=f"{path}.where"))


def _delete(data: Mapping[str, Any], path: str) -> Delete:
    _only(data, {"op", "where", "rows"}, path)
    if ("where" in data) == ("rows" in data):
        raise PlanError("A delete needs either “where” or “rows”.", path=path)
    if "where" in data:
        return Delete(predicate_from_json(data["where"], path=f"{path}.where"))
    rows = row_numbers(data["rows"], f"{path}.rows")
    if not rows:
        raise PlanError("A delete names at least one row.", path=f"{path}.rows")
    return Delete(None, rows)


def row_numbers(data: object, path: str) -> tuple[int, ...]:
    """Row numbers from 0, as given, each once."""
    if not isinstance(data, list) or not all(type(r) is int and r >= 0 for r in data):
        raise InputError("Rows must be a list of row numbers, whole numbers from 0.", path=path)
    seen: set[int] = set()
    for place, row in enumerate(data):
        if row in seen:
            raise InputError(f"Row {row} is named twice; name it once.", path=f"{path}[{place}]")
        seen.add(row)
    return tuple(data)


_READERS: dict[str, Callable[[Mapping[str, Any], str], Operator]] = {
    "project": _project,
    "generalize": _generalize,
    "select": _select,
    "delete": _delete,
    "replace": _replace,
}


def _name(data: Mapping[str, Any], path: str) -> str:
    name = data.get("column")
    if not isinstance(name, str):
        raise PlanError("“column” must be the name of a column.", path=f"{path}.column")
    return name


def _only(data: Mapping[str, Any], allowed: set[str], path: str) -> None:
    unknown = [k for k in data if k not in allowed]
    if unknown:
        message = f"“{unknown[0]}” is not a key of “{data['op']}”; it takes {quoted(sorted(allowed))}."
        raise PlanError(message, path=f"{path}.{unknown[0]}")
