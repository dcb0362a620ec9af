"""Small worlds to hold the engine against the oracle: sessions, rows and candidate operators, all valid.

``cases()`` draws them, ``Case.write`` puts one into a folder as the command line reads it, ``differences``
says where two answers part.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sql
from hypothesis import strategies as st
from oracle import Json, Row

Draw = st.DrawFn
Node = sql.Node

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
BAD = {"text": (), "integer": (*NO_NUMBERS, "1.0"), "decimal": NO_NUMBERS, "date": NO_DATES}
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


@st.composite
def cases(draw: Draw) -> Case:
    """A world of 1–14 rows and 2–5 columns with up to 4 steps and up to 5 candidates."""
    tokens = draw(st.sampled_from(MISSING_TOKENS))
    rows, columns = draw(tables(tokens))
    plan, kept = [], [columns]
    for _ in range(draw(st.integers(0, 4))):
        plan.append(draw(operators(kept[-1], columns, len(rows))))
        kept.append(_left(kept[-1], plan[-1]))
    position = draw(st.none() | st.integers(0, len(plan)))
    at = len(plan) if position is None else position
    session: Json = {
        "format": "curation-session/1",
        "source": {"path": "source.csv", "reader": _reader(tokens)},
        "columns": {c.name: c.type for c in columns},
        "hierarchies": {c.name: c.ladder for c in columns if c.ladder},
        "protection": draw(protections(columns, len(rows))),
        "plan": plan,
        "exposed": sorted(draw(st.sets(st.integers(0, len(plan))))),
    }
    if position is not None:
        session["position"] = position
    if draw(st.booleans()):
        session["utility"] = {"weights": draw(weights(columns))}
    following = draw(st.lists(operators(kept[at], columns, len(rows)), min_size=1, max_size=5))
    return Case(session, rows, following)


def _reader(tokens: list[str]) -> Json:
    return {
        "kind": "csv",
        "encoding": "utf-8",
        "delimiter": ",",
        "quote": '"',
        "decimal": ".",
        "missing": tokens,
    }


def _left(kept: list[Column], operator: Json) -> list[Column]:
    dropped = operator.get("drop", [])
    return [c for c in kept if c.name not in dropped]


@st.composite
def tables(draw: Draw, tokens: list[str]) -> tuple[list[Row], list[Column]]:
    """Rows over few distinct cells a column, so that look-alikes occur; the columns with their ladders."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    count = draw(st.integers(1, 14))
    types, cells = {}, {}
    for name in names:
        kind = draw(st.sampled_from(KINDS))
        types[name] = {"type": kind} | ({"format": "%Y-%m-%d"} if kind == "date" else {})
        pool = draw(st.lists(st.sampled_from(CELLS[kind]), min_size=1, max_size=3, unique=True))
        if BAD[kind] and draw(st.integers(0, 3)) == 0:
            pool += draw(st.lists(st.sampled_from(BAD[kind]), min_size=1, max_size=2, unique=True))
        usable = [None if c in tokens else c for c in pool]
        usable += [None] * draw(st.integers(0, 1))
        cells[name] = draw(st.lists(st.sampled_from(usable), min_size=count, max_size=count))
    rows = [{name: cells[name][u] for name in names} for u in range(count)]
    columns = [Column(n, types[n], tuple(dict.fromkeys(cells[n]))) for n in names]
    return rows, [Column(c.name, c.type, c.cells, draw(st.none() | ladders(c))) for c in columns]


def ladders(column: Column) -> st.SearchStrategy[Json]:
    """A nested ladder that fits the column."""
    kinds = [prefix_ladders(), table_ladders(column)]
    if column.kind == "number":
        kinds += [width_ladders(), edge_ladders()]
    if column.kind == "date":
        rungs = ["month", "quarter", "year", "*"]
        kinds.append(_some_of(rungs).map(lambda levels: {"kind": "date", "levels": levels}))
    return st.one_of(kinds)


def _some_of(rungs: list[str]) -> st.SearchStrategy[list[str]]:
    chosen = st.sets(st.sampled_from(rungs), min_size=1)
    return chosen.map(lambda wanted: [r for r in rungs if r in wanted])


STAR: st.SearchStrategy[list[Any]] = st.sampled_from([[], ["*"]])


@st.composite
def width_ladders(draw: Draw) -> Json:
    """Widths that each divide the next, one origin."""
    choices: list[list[float]] = [[10, 20], [0.1, 0.5], [0.25], [7, 21]]
    widths, origin = draw(st.sampled_from(choices)), draw(st.sampled_from([0, 5, -0.5]))
    return {"kind": "bins", "levels": [{"width": w, "origin": origin} for w in widths] + draw(STAR)}


@st.composite
def edge_ladders(draw: Draw) -> Json:
    """Edges, then some of them."""
    fine: set[float] = draw(st.sets(st.sampled_from(EDGES), min_size=1, max_size=5))
    coarse = draw(st.sets(st.sampled_from(sorted(fine)), min_size=1))
    rungs = [fine, coarse] if coarse < fine else [fine]
    return {"kind": "bins", "levels": [{"bins": sorted(edges)} for edges in rungs] + draw(STAR)}


@st.composite
def prefix_ladders(draw: Draw) -> Json:
    """Fewer and fewer characters."""
    lengths = draw(st.sets(st.integers(1, 5), min_size=1, max_size=3))
    return {"kind": "prefix", "levels": sorted(lengths, reverse=True) + draw(STAR)}


@st.composite
def table_ladders(draw: Draw, column: Column) -> Json:
    """Every value listed at every rung; missing listed nowhere, at the top, or everywhere."""
    nulls = draw(st.integers(0, 2)) if column.texts else 2
    listed: list[str | None] = [*column.texts, *([None] if nulls == 2 else [])]
    first = {c: draw(st.sampled_from(LABELS)) for c in listed}
    levels = [[[c, label] for c, label in first.items()]]
    if draw(st.booleans()):
        coarser = {label: draw(st.sampled_from(LABELS)) for label in sorted(set(first.values()))}
        levels.append([[c, coarser[label]] for c, label in first.items()])
        if nulls == 1:
            levels[-1].append([None, draw(st.sampled_from(LABELS))])
    return {"kind": "table", "levels": levels}


def views(column: Column) -> st.SearchStrategy[Json]:
    """A view of the column that refuses none of its cells."""
    kinds: list[st.SearchStrategy[Json]] = [
        st.just({}),
        st.integers(1, 4).map(lambda n: {"prefix": n}),
        maps(column),
    ]
    if column.ladder:
        rungs = len(column.ladder["levels"])
        kinds += [st.integers(0, rungs).map(lambda k: {"level": k})] * 2
    if column.kind == "number":
        edges = st.sets(st.sampled_from(EDGES), min_size=1, max_size=4)
        kinds.append(edges.map(lambda wanted: {"bins": sorted(wanted)}))
    return st.one_of(kinds)


@st.composite
def maps(draw: Draw, column: Column) -> Json:
    """Every cell to a label; missing and a value that does not occur are named sometimes."""
    extra: list[str | None] = draw(st.sampled_from([[], [None], ["never seen"]])) if column.texts else [None]
    return {"map": [[cell, draw(st.sampled_from(LABELS))] for cell in [*column.texts, *extra]]}


@st.composite
def operators(draw: Draw, kept: list[Column], columns: list[Column], rows: int) -> Json:
    """An operator valid where ``kept`` columns are left; predicates read all ``columns``."""
    changes = ["project", "generalize", "generalize"] if kept else []
    change = draw(st.sampled_from([*changes, "select", "delete", "delete rows"]))
    if change == "project":
        most = draw(st.sampled_from([1, len(kept)]))
        names = st.sampled_from([c.name for c in kept])
        return {"op": "project", "drop": draw(st.lists(names, min_size=1, max_size=most, unique=True))}
    if change == "generalize":
        column = draw(st.sampled_from(kept))
        return {"op": "generalize", "column": column.name, "view": draw(views(column))}
    if change == "delete rows":
        named = st.lists(st.integers(0, rows - 1), min_size=1, max_size=3, unique=True)
        return {"op": "delete", "rows": draw(named)}
    return {"op": change, "where": draw(texts_of(columns))}


@st.composite
def protections(draw: Draw, columns: list[Column], rows: int) -> Json:
    """Q, secrets, targets, budget and observer."""
    visible = draw(st.lists(st.sampled_from(columns), max_size=2, unique_by=lambda c: c.name))
    targets: Any = st.lists(st.integers(0, rows - 1), unique=True).map(sorted) | predicates(columns).map(
        Node.sql
    )
    observer: Json = {"kind": draw(st.sampled_from(OBSERVERS))}
    if observer["kind"] == "smoothed":
        observer["m"] = draw(st.sampled_from([1, 2, 0.5, 0.1, 3]))
    return {
        "visible": [draw(visibles(c)) for c in visible],
        "secrets": draw(secret_lists(columns)),
        "targets": draw(st.none() | targets),
        "budget": draw(st.sampled_from(BUDGETS)),
        "observer": observer,
    }


@st.composite
def visibles(draw: Draw, column: Column) -> Json:
    """A column of Q, its view left out where it is the value itself."""
    view, left_out = draw(views(column)), draw(st.booleans())
    return {"column": column.name} if not view and left_out else {"column": column.name, "view": view}


@st.composite
def secret_lists(draw: Draw, columns: list[Column]) -> list[Json]:
    """One to three entries, at most one of them a secret for each value of a column."""
    entries: list[Json] = [
        {"name": f"secret {i}", "where": draw(texts_of(columns)), "two_sided": draw(st.booleans())}
        for i in range(draw(st.integers(1, 3)))
    ]
    if draw(st.integers(0, 3)) == 0:
        each = {"column": draw(st.sampled_from(columns)).name, "each": True, "two_sided": draw(st.booleans())}
        entries[draw(st.integers(0, len(entries) - 1))] = each
    return entries


@st.composite
def weights(draw: Draw, columns: list[Column]) -> dict[str, float]:
    """Weights of some columns; their sum over all columns is never 0."""
    names = st.sampled_from([c.name for c in columns[1:]])
    return draw(st.dictionaries(names, st.sampled_from([0, 0.5, 1, 2.0])))


def predicates(columns: list[Column]) -> st.SearchStrategy[Node]:
    """Trees over the columns that render to WHERE text and evaluate in three-valued logic."""
    leaves = st.sampled_from(columns).flatmap(lambda c: comparisons(c, columns))
    return st.recursive(leaves, _compounds, max_leaves=3)


def texts_of(columns: list[Column]) -> st.SearchStrategy[str]:
    """WHERE texts over the columns."""
    return predicates(columns).map(lambda tree: tree.sql())


def _compounds(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    words = st.sampled_from(["AND", "OR"])
    return st.builds(sql.Not, inner) | st.builds(sql.Junction, inner, words, inner)


SIGNS = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])


def comparisons(column: Column, columns: list[Column]) -> st.SearchStrategy[Node]:
    """One predicate that reads the column."""
    null = st.builds(sql.IsNull, st.just(column.node), st.booleans())
    never = st.builds(
        sql.Compare,
        st.just(sql.Number("1")),
        st.just("="),
        st.sampled_from([sql.Number("0"), sql.Number("1")]),
    )
    by_kind = {"text": _of_texts, "number": _of_numbers, "date": _of_dates}[column.kind]
    return st.one_of(by_kind(column, columns), by_kind(column, columns), null, never)


def _against(left: st.SearchStrategy[Node], right: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(right, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(sql.Compare, left, SIGNS, right),
        st.builds(sql.In, left, several, st.booleans()),
        st.builds(sql.Between, left, right, right, st.booleans()),
    )


def _of_texts(column: Column, columns: list[Column]) -> st.SearchStrategy[Node]:
    node = column.node
    words = st.sampled_from([*column.texts, *WORDS]).map(sql.Text)
    others = st.sampled_from([c.node for c in columns if c.kind == "text"])
    start = st.integers(1, 3).map(lambda n: sql.Number(str(n)))
    pieces = st.builds(
        lambda *arguments: sql.Call("SUBSTR", (node, *arguments)),
        start,
        st.integers(1, 3).map(lambda n: sql.Number(str(n))),
    )
    folded = st.sampled_from([sql.Call("LOWER", (node,)), sql.Call("UPPER", (node,))])
    length = st.builds(sql.Compare, st.just(sql.Call("LENGTH", (node,))), SIGNS, start)
    return st.one_of(
        _against(st.just(node), words | others), _against(pieces | folded, words), length, likes(node)
    )


def likes(node: Node) -> st.SearchStrategy[Node]:
    """Patterns with and without an escape."""
    plain = st.sampled_from(["%", "_", "9%", "%a%", "H_V", "", "%1_", "NA"])
    escaped = st.sampled_from(["!%%", "a!_", "%!!", "!_%"])
    return st.one_of(
        st.builds(sql.Like, st.just(node), plain.map(sql.Text), st.none(), st.booleans()),
        st.builds(sql.Like, st.just(node), escaped.map(sql.Text), st.just(sql.Text("!")), st.booleans()),
    )


def _of_numbers(column: Column, columns: list[Column]) -> st.SearchStrategy[Node]:
    literals: st.SearchStrategy[Node] = st.sampled_from(LITERALS).map(sql.Number)
    others: st.SearchStrategy[Node] = st.sampled_from([c.node for c in columns if c.kind == "number"])
    sums = st.builds(sql.Arithmetic, st.just(column.node), st.sampled_from("+-*/"), literals | others)
    found = [_against(st.just(column.node), literals | others), _against(sums, literals)]
    if all(sql.reading(text, column.type) is not None for text in column.texts):
        found.append(
            _against(st.just(sql.Cell(column.node)), st.sampled_from([*INTEGERS, *DECIMALS]).map(sql.Text))
        )
    return st.one_of(found)


def _of_dates(column: Column, columns: list[Column]) -> st.SearchStrategy[Node]:
    literals: st.SearchStrategy[Node] = st.sampled_from(DATES).map(sql.Date)
    others: st.SearchStrategy[Node] = st.sampled_from([c.node for c in columns if c.kind == "date"])
    parts = st.sampled_from([("YEAR", "2023"), ("YEAR", "2024"), ("MONTH", "1"), ("MONTH", "4")])
    part = st.builds(
        lambda wanted, sign: sql.Compare(sql.Call(wanted[0], (column.node,)), sign, sql.Number(wanted[1])),
        parts,
        SIGNS,
    )
    return st.one_of(
        _against(st.just(column.node), literals),
        st.builds(sql.Compare, st.just(column.node), SIGNS, others),
        part,
    )


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
