"""Small worlds to hold the engine against the oracle: sessions, rows and candidate operators, all valid.

``cases()`` draws them, ``Case.write`` puts one into a folder as the command line reads it, ``differences``
says where two answers part.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import sql
from hypothesis import strategies as st
from oracle import Json, Row

Node = sql.Node
T = TypeVar("T")

NAMES = ("dx", "age", "days late", "order", "Zip_5", 'the "q"', "née")
MISSING_TOKENS = ([""], ["∅"], ["", "NA"])
WORDS = (
    "HIV",
    "Flu",
    "a",
    "A",
    "",
    " ",
    "null",
    "nan",
    "NA",
    "None",
    "*",
    "92617",
    "92614",
    "01",
    "1",
    "1.0",
    "é",
)
INTEGERS = ("-5", "-0", "0", "7", "07", "19", "20", "34", "1000000000000000000000")
DECIMALS = ("-0.25", "0", "0.3", "0.30", "1", "1.0", "2.5", "0.7", "10")
NO_NUMBERS = ("x", "+3", " 4", "1e2", "nan", "٣", "1,5")
DATES = ("2023-12-31", "2024-01-01", "2024-02-29", "2024-03-31", "2024-04-01", "2024-10-15")
NO_DATES = ("soon", "2024-02-30", "2024")
KINDS = ("text", "text", "text", "integer", "decimal", "date")
CELLS = {"text": WORDS, "integer": INTEGERS, "decimal": DECIMALS, "date": DATES}
BAD: dict[str, tuple[str, ...]] = {
    "text": (),
    "integer": (*NO_NUMBERS, "1.0"),
    "decimal": NO_NUMBERS,
    "date": NO_DATES,
}
LITERALS = ("-5", "-0.25", "0", "0.3", "1", "2.50", "7", "20", "33.5")
EDGES = (-5, 0, 0.3, 0.7, 1, 7, 20, 34.5)
LABELS = ("x", "y", "*", "0", "null")
BUDGETS = (
    0,
    0.1,
    0.3,
    1.0,
    5.0,
    math.log(4 / 3),
    math.log(1.5),
    math.log(2),
    math.log(3),
    math.log(2) - 5e-13,
)
SIGNS = ("=", "=", "<>", "<", "<=", ">", ">=")
PATTERNS = ("%", "_", "9%", "%a%", "H_V", "", "%1_", "NA")
ESCAPED = ("!%%", "a!_", "%!!", "!_%")
WIDTHS: tuple[tuple[float, ...], ...] = ((10, 20), (0.1, 0.5), (0.25,), (7, 21))
OBSERVERS = ("release-only", "membership-aware", "plan-aware", "accumulating", "smoothed")


@dataclass(frozen=True)
class Case:
    """A session as its file holds it, the source's rows, and operators to score from its position."""

    session: Json
    rows: list[Row]
    operators: list[Json]

    def write(self, folder: Path) -> Path:
        """Write session.json, source.csv and operators.json; returns the session's path."""
        missing = self.session["source"]["reader"]["missing"][0]
        with (folder / "source.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(self.rows[0])
            writer.writerows([missing if c is None else c for c in row.values()] for row in self.rows)
        (folder / "operators.json").write_text(json.dumps(self.operators), encoding="utf-8")
        path = folder / "session.json"
        path.write_text(json.dumps(self.session), encoding="utf-8")
        return path


@dataclass(frozen=True)
class Column:
    """What a strategy must know of a column: its JSON type, its distinct cells, its ladder."""

    name: str
    type: Json
    cells: tuple[str | None, ...]
    ladder: Json | None = None

    @property
    def kind(self) -> str:
        return sql.kind_of(self.type)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(c for c in self.cells if c is not None)

    @property
    def node(self) -> sql.Column:
        return sql.Column(self.name, self.type)


class Choice:
    """Draws from a handful of whole numbers, the cheapest thing to draw."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def number(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))

    def of(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def once_in(self, times: int) -> bool:
        return self.number(1, times) == times

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Between ``least`` and ``most`` different ones (as far as there are), in the order drawn."""
        left, found = list(options), []
        for _ in range(min(self.number(least, most), len(left))):
            found.append(left.pop(self.number(0, len(left) - 1)))
        return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A world of 1–14 rows and 2–5 columns with up to 4 steps and up to 5 candidates."""
    choice = Choice(draw)
    tokens = choice.of(MISSING_TOKENS)
    rows, columns = _table(choice, tokens)
    plan: list[Json] = []
    kept = [columns]
    for _ in range(choice.of((2, 3, 1, 4, 0))):
        plan.append(_operator(choice, kept[-1], columns, len(rows)))
        kept.append([c for c in kept[-1] if c.name not in plan[-1].get("drop", [])])
    session: Json = {
        "format": "curation-session/1",
        "source": {"path": "source.csv", "reader": _reader(tokens)},
        "columns": {c.name: c.type for c in columns},
        "hierarchies": {c.name: c.ladder for c in columns if c.ladder},
        "protection": _protection(choice, columns, len(rows)),
        "plan": plan,
        "exposed": sorted(choice.some(range(len(plan) + 1), 0, len(plan) + 1)),
    }
    at = len(plan)
    if choice.once_in(3):
        session["position"] = at = choice.number(0, len(plan))
    if choice.once_in(3):
        # The first column keeps its weight of 1, so that the sum is never 0.
        named = choice.some(columns[1:], 1, 3)
        session["utility"] = {"weights": {c.name: choice.of((0, 0.5, 1, 2.0)) for c in named}}
    following = [_operator(choice, kept[at], columns, len(rows)) for _ in range(choice.number(1, 5))]
    return Case(session, rows, following)


@st.composite
def tables(draw: st.DrawFn, tokens: list[str]) -> tuple[list[Row], list[Column]]:
    """Rows over few distinct cells a column, so that look-alikes occur; the columns with their ladders."""
    return _table(Choice(draw), tokens)


@st.composite
def predicates(draw: st.DrawFn, columns: list[Column]) -> Node:
    """A tree over the columns that renders to WHERE text and evaluates in three-valued logic."""
    return _predicate(Choice(draw), columns)


def _reader(tokens: list[str]) -> Json:
    return {
        "kind": "csv",
        "encoding": "utf-8",
        "delimiter": ",",
        "quote": '"',
        "decimal": ".",
        "missing": tokens,
    }


def _table(choice: Choice, tokens: list[str]) -> tuple[list[Row], list[Column]]:
    names = choice.some(NAMES, 2, 5)
    count = choice.of((8, 5, 12, 6, 10, 14, 3, 9, 7, 4, 11, 13, 2, 1))
    columns = []
    cells: dict[str, list[str | None]] = {}
    for name in names:
        kind = choice.of(KINDS)
        pool = [
            *choice.some(CELLS[kind], 1 + choice.once_in(2), 3),
            *(choice.some(BAD[kind], 1, 2) if choice.once_in(4) else []),
        ]
        usable = [None if c in tokens else c for c in pool] + [None] * choice.once_in(3)
        cells[name] = [choice.of(usable) for _ in range(count)]
        type: Json = {"type": kind} | ({"format": "%Y-%m-%d"} if kind == "date" else {})
        column = Column(name, type, tuple(dict.fromkeys(cells[name])))
        columns.append(replace(column, ladder=None if choice.once_in(4) else _ladder(choice, column)))
    return [{name: cells[name][u] for name in names} for u in range(count)], columns


def _ladder(choice: Choice, column: Column) -> Json:
    """A nested ladder that fits the column."""
    kinds = {"number": ("width", "edges"), "date": ("date",), "text": ()}[column.kind]
    star: list[Any] = choice.of(([], ["*"]))
    kind = choice.of((*kinds, "prefix", "table"))
    if kind == "width":
        widths = choice.of(WIDTHS)
        origin = choice.of((0, 5, -0.5))
        return {"kind": "bins", "levels": [*({"width": w, "origin": origin} for w in widths), *star]}
    if kind == "edges":
        fine = sorted(choice.some(EDGES, 2, 5))
        rungs = [fine, sorted(choice.some(fine, 1, len(fine) - 1))]
        return {"kind": "bins", "levels": [*({"edges": edges} for edges in rungs), *star]}
    if kind == "date":
        left_out = choice.of(("month", "quarter", "year", "none"))
        return {"kind": "date", "levels": [r for r in ("month", "quarter", "year") if r != left_out] + star}
    if kind == "prefix":
        return {"kind": "prefix", "levels": sorted(choice.some((1, 2, 3, 4), 1, 3), reverse=True) + star}
    return {"kind": "table", "levels": _table_rungs(choice, column)}


def _table_rungs(choice: Choice, column: Column) -> list[list[list[str | None]]]:
    """Every value listed at every rung; missing listed nowhere, at the last of two, or at every one."""
    nulls = choice.number(0, 2) if column.texts else 2
    listed: list[str | None] = [*column.texts, *([None] if nulls == 2 else [])]
    first = {c: choice.of(LABELS) for c in listed}
    rungs: list[list[list[str | None]]] = [[[c, label] for c, label in first.items()]]
    if choice.once_in(2):
        coarser = {label: choice.of(LABELS[:3]) for label in sorted(set(first.values()))}
        rungs.append([[c, coarser[label]] for c, label in first.items()])
        if nulls == 1:
            rungs[-1].append([None, choice.of(LABELS)])
    return rungs


def _view(choice: Choice, column: Column) -> Json:
    """A view of the column that refuses none of its cells."""
    kinds = (
        ["itself", "prefix", "map"]
        + ["level"] * 4 * bool(column.ladder)
        + ["bins"] * 2 * (column.kind == "number")
    )
    kind = choice.of(kinds)
    if kind == "level" and column.ladder:
        return {"level": choice.number(0, len(column.ladder["levels"]))}
    if kind == "bins":
        return {"bins": sorted(choice.some(EDGES, 1, 4))}
    if kind == "prefix":
        return {"prefix": choice.number(1, 4)}
    if kind == "map":
        extra: tuple[str | None, ...] = choice.of(((), (None,), ("never seen",))) if column.texts else (None,)
        return {"map": [[cell, choice.of(LABELS)] for cell in (*column.texts, *extra)]}
    return {}


def _operator(choice: Choice, kept: list[Column], columns: list[Column], rows: int) -> Json:
    """An operator valid where ``kept`` columns are left; predicates read all ``columns``."""
    changes = ("generalize", "generalize", "generalize", "project", "project") if kept else ()
    change = choice.of((*changes, "delete rows", "delete", "select"))
    if change == "project":
        most = len(kept) if choice.once_in(8) else 1
        return {"op": "project", "drop": [c.name for c in choice.some(kept, 1, most)]}
    if change == "generalize":
        column = choice.of(kept)
        return {"op": "generalize", "column": column.name, "view": _view(choice, column)}
    if change == "delete rows":
        return {"op": "delete", "rows": choice.some(range(rows), 1, 3)}
    return {"op": change, "where": _predicate(choice, columns).sql()}


def _protection(choice: Choice, columns: list[Column], rows: int) -> Json:
    """Q, secrets, targets, budget and observer."""
    observer: Json = {"kind": choice.of(OBSERVERS)}
    if observer["kind"] == "smoothed":
        observer["m"] = choice.of((1, 2, 0.5, 0.1, 3))
    targets: Any = None
    if choice.once_in(2):
        targets = sorted(choice.some(range(rows), 0, rows))
        targets = _predicate(choice, columns).sql() if choice.once_in(3) else targets
    return {
        "visible": [_visible(choice, c) for c in choice.some(columns, 0, choice.of((1, 2)))],
        "secrets": _secrets(choice, columns),
        "targets": targets,
        "budget": choice.of(BUDGETS),
        "observer": observer,
    }


def _visible(choice: Choice, column: Column) -> Json:
    """A column of Q, its view sometimes left out where it is the value itself."""
    view = _view(choice, column)
    return (
        {"column": column.name} if not view and choice.once_in(2) else {"column": column.name, "view": view}
    )


def _secrets(choice: Choice, columns: list[Column]) -> list[Json]:
    """One to three entries, at most one of them a secret for each value of a column."""
    entries: list[Json] = [
        {"name": f"secret {i}", "where": _secret(choice, columns).sql(), "two_sided": choice.once_in(2)}
        for i in range(choice.number(1, 3))
    ]
    if choice.once_in(3):
        each = {"column": choice.of(columns).name, "each": True, "two_sided": choice.once_in(2)}
        entries[choice.number(0, len(entries) - 1)] = each
    return entries


def _secret(choice: Choice, columns: list[Column]) -> Node:
    """Mostly what a secret is: one value that some rows have and others have not."""
    divided = [c for c in columns if c.kind == "text" and c.texts and len(c.cells) > 1]
    if not divided or choice.once_in(4):
        return _predicate(choice, columns)
    column = choice.of(divided)
    return sql.Compare(column.node, "=", sql.Text(choice.of(column.texts)))


def _predicate(choice: Choice, columns: list[Column], depth: int = 2) -> Node:
    shape = choice.of(("leaf", "leaf", "AND", "OR", "NOT")) if depth else "leaf"
    if shape == "NOT":
        return sql.Not(_predicate(choice, columns, depth - 1))
    if shape != "leaf":
        return sql.Junction(
            _predicate(choice, columns, depth - 1), shape, _predicate(choice, columns, depth - 1)
        )
    if choice.once_in(20):
        return sql.Compare(sql.Number("1"), "=", sql.Number(choice.of("01")))
    column = choice.of(columns)
    if choice.once_in(8):
        return sql.IsNull(column.node, choice.once_in(2))
    alike = [c for c in columns if c.kind == column.kind]
    return {"text": _of_texts, "number": _of_numbers, "date": _of_dates}[column.kind](choice, column, alike)


def _against(choice: Choice, left: Node, right: Callable[[], Node]) -> Node:
    """A comparison, IN or BETWEEN of ``left`` with draws of ``right``."""
    shape = choice.of(("sign", "sign", "in", "between"))
    if shape == "in":
        return sql.In(left, tuple(right() for _ in range(choice.number(1, 3))), choice.once_in(2))
    if shape == "between":
        return sql.Between(left, right(), right(), choice.once_in(2))
    return sql.Compare(left, choice.of(SIGNS), right())


def _of_texts(choice: Choice, column: Column, alike: list[Column]) -> Node:
    node = column.node
    shape = choice.of(("plain", "plain", "plain", "column", "piece", "fold", "length", "like"))
    if shape == "column":
        return sql.Compare(node, choice.of(SIGNS), choice.of(alike).node)
    if shape == "length":
        return sql.Compare(sql.Call("LENGTH", (node,)), choice.of(SIGNS), sql.Number(choice.of("0123")))
    if shape == "like":
        if choice.once_in(3):
            return sql.Like(node, sql.Text(choice.of(ESCAPED)), sql.Text("!"), choice.once_in(2))
        return sql.Like(node, sql.Text(choice.of(PATTERNS)), None, choice.once_in(2))
    left: Node = node
    if shape == "piece":
        numbers = [sql.Number(choice.of("123")) for _ in range(choice.number(1, 2))]
        left = sql.Call("SUBSTR", (node, *numbers))
    if shape == "fold":
        left = sql.Call(choice.of(("LOWER", "UPPER")), (node,))
    return _against(choice, left, lambda: sql.Text(choice.of((*column.texts * 3, *WORDS))))


def _of_numbers(choice: Choice, column: Column, alike: list[Column]) -> Node:
    node = column.node
    shape = choice.of(("plain", "plain", "column", "sum", "cast"))
    # What CAST gives for a cell that is no number is not settled, so such columns are left out.
    if shape == "cast" and all(sql.reading(text, column.type) is not None for text in column.texts):
        return _against(choice, sql.Cell(node), lambda: sql.Text(choice.of((*column.texts, *DECIMALS))))
    if shape == "column":
        return sql.Compare(node, choice.of(SIGNS), choice.of(alike).node)
    left: Node = node
    if shape == "sum":
        right: Node = choice.of(alike).node if choice.once_in(2) else sql.Number(choice.of(LITERALS))
        left = sql.Arithmetic(node, choice.of("+-*/"), right)
    return _against(choice, left, lambda: sql.Number(choice.of(LITERALS)))


def _of_dates(choice: Choice, column: Column, alike: list[Column]) -> Node:
    shape = choice.of(("plain", "plain", "column", "YEAR", "MONTH"))
    if shape == "column":
        return sql.Compare(column.node, choice.of(SIGNS), choice.of(alike).node)
    if shape == "plain":
        return _against(choice, column.node, lambda: sql.Date(choice.of(DATES)))
    part = sql.Call(shape, (column.node,))
    numbers = {"YEAR": ("2023", "2024"), "MONTH": ("1", "4", "12")}[shape]
    return _against(choice, part, lambda: sql.Number(choice.of(numbers)))


def differences(got: Any, want: Any, tolerance: float = 1e-9) -> list[str]:
    """Where ``got`` parts from ``want``: one line a field. Fields that ``want`` lacks are not looked at.

    Numbers agree within the tolerance, all else exactly; evidence and priors are compared by (secret,
    target), columns as a set.
    """
    return list(_differences(got, want, tolerance, "$"))


def _differences(got: Any, want: Any, tolerance: float, path: str) -> Sequence[str]:
    got, want = _keyed(got, path), _keyed(want, path)
    number = isinstance(want, int | float) and not isinstance(want, bool)
    if number and isinstance(got, int | float) and not isinstance(got, bool):
        return [] if abs(got - want) <= tolerance else [f"{path}: got {got!r}, want {want!r}"]
    if type(got) is not type(want) or (isinstance(want, list) and len(got) != len(want)):
        return [f"{path}: got {got!r}, want {want!r}"]
    if isinstance(want, list):
        pairs = [(f"{path}[{i}]", g, w) for i, (g, w) in enumerate(zip(got, want, strict=True))]
    elif isinstance(want, dict):
        absent = [f"{path}: no {key}" for key in want if key not in got]
        pairs = [(f"{path}.{key}", got[key], w) for key, w in want.items() if key in got]
        return absent + [line for at, g, w in pairs for line in _differences(g, w, tolerance, at)]
    else:
        return [] if got == want else [f"{path}: got {got!r}, want {want!r}"]
    return [line for at, g, w in pairs for line in _differences(g, w, tolerance, at)]


def _keyed(value: Any, path: str) -> Any:
    """Lists without an order of their own, in a form that has none."""
    if path.endswith(".columns") and isinstance(value, list):
        return sorted(value)
    if path.endswith((".evidence", ".prior")) and isinstance(value, list):
        if value and isinstance(value[0], dict):
            return {"entries": len(value)} | {f"{e['secret']}, {e['target']}": e for e in value}
        return value or {"entries": 0}
    return value
