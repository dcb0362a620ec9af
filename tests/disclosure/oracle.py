"""What a release discloses, worked out by brute force from the written definitions alone.

Sets of row numbers, fractions, loops over everything; the logarithm comes last. It shares no code with the
product: it is what the product is held against. ``score`` and ``candidates`` return what the command line
prints as JSON (without labels and sentences); infinite is "inf" or "-inf", undefined is None.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

import sql

Json = dict[str, Any]
Row = dict[str, str | None]
Rows = frozenset[int]
Rate = Fraction | float | None
"""A ratio of rates: a Fraction, ``math.inf``, or None where undefined."""
Ratios = dict[tuple[int, int], Rate]
"""By (secret's index, target)."""

TOLERANCE = 1e-12
MISSING = ("missing",)


def score(session: Json, rows: Sequence[Row]) -> Json:
    """The trajectory, as ``score --json --evidence`` prints it."""
    world = World(session, rows)
    prefixes = [_prefix(world, i) for i in range(len(world.states))]
    return {
        "format": "curation-score/1",
        "budget": world.budget,
        "feasible": prefixes[-1]["feasible"],
        "prior": [
            {"secret": s, "target": t, "K": len(world.profile(t) & holds), "N": len(world.profile(t))}
            for s, holds in world.secrets
            for t in world.targets
        ],
        "prefixes": prefixes,
    }


def candidates(session: Json, rows: Sequence[Row], operators: Sequence[Json]) -> list[Json]:
    """Each operator as the next one after the session's position, as ``candidates --json`` prints it."""
    world = World(session, rows)
    position = session.get("position")
    at = len(session["plan"]) if position is None else position
    return [_candidate(world, at, operator) for operator in operators]


@dataclass(frozen=True, eq=False)
class State:
    """The table after a prefix: survivors, the kept columns' views, and which step removed each other row.

    shown: [source rows] π(u), the kept columns through their views.
    """

    rows: Rows
    views: Json
    removed: dict[int, int]
    shown: list[tuple[Hashable, ...]]


class World:
    """A session over its rows: targets, secrets, profiles and the state after every prefix."""

    def __init__(self, session: Json, rows: Sequence[Row]) -> None:
        self.session, self.rows = session, rows
        mark = session["source"].get("reader", {}).get("decimal", ".")
        names = list(rows[0]) if rows else list(session.get("columns", {}))
        self.types = {n: {"mark": mark, **session.get("columns", {}).get(n, {})} for n in names}
        protection = session["protection"]
        self.budget = protection["budget"]
        self.observer = protection.get("observer") or {"kind": "release-only"}
        self.exposed = [i for i in session.get("exposed", []) if i > 0]
        self.all = frozenset(range(len(rows)))
        self.secrets = [pair for entry in protection["secrets"] for pair in self._secrets(entry)]
        wanted = protection.get("targets")
        if wanted is None:
            self.targets = sorted(self.all)
        else:
            self.targets = sorted(self.where(wanted) if isinstance(wanted, str) else set(wanted))
        self.profiles = [
            tuple(self.seen(v["column"], v.get("view"), row) for v in protection["visible"]) for row in rows
        ]
        self.profile_of = [
            frozenset(u for u in self.all if self.profiles[u] == self.profiles[t]) for t in sorted(self.all)
        ]
        self.states = [self.state(self.all, dict.fromkeys(names), {})]
        for operator in session["plan"]:
            self.states.append(self.after(self.states[-1], operator, len(self.states)))

    def where(self, text: str) -> Rows:
        """The rows for which the predicate is TRUE."""
        tree = sql.parse(text, self.types)
        return frozenset(u for u in self.all if tree.value(self.rows[u]) is True)

    def _secrets(self, entry: Json) -> list[tuple[str, Rows]]:
        if entry.get("each"):
            cells = [row[entry["column"]] for row in self.rows]
            found = [
                (text, frozenset(u for u in self.all if cells[u] == text))
                for text in dict.fromkeys(cells)
                if text is not None
            ]
        else:
            found = [(entry["name"], self.where(entry["where"]))]
        if not entry.get("two_sided"):
            return found
        return [side for name, rows in found for side in ((name, rows), (f"not {name}", self.all - rows))]

    def state(self, rows: Rows, views: Json, removed: dict[int, int]) -> State:
        """A state with every row's representation worked out."""
        shown = [tuple(self.seen(name, view, row) for name, view in views.items()) for row in self.rows]
        return State(rows, views, removed, shown)

    def after(self, state: State, operator: Json, step: int) -> State:
        """The state after one more operator, the ``step``-th."""
        views = dict(state.views)
        if operator["op"] == "project":
            for name in operator["drop"]:
                del views[name]
            return self.state(state.rows, views, state.removed)
        if operator["op"] == "generalize":
            if operator["column"] not in views:
                raise ValueError(f"{operator['column']} is already dropped")
            views[operator["column"]] = operator.get("view")
            return self.state(state.rows, views, state.removed)
        named = frozenset(operator["rows"]) if "rows" in operator else self.where(operator["where"])
        if not named <= self.all:
            raise ValueError("a row that does not exist")
        rows = state.rows & named if operator["op"] == "select" else state.rows - named
        gone = dict.fromkeys(state.rows - rows, step)
        return self.state(rows, views, state.removed | gone)

    def seen(self, column: str, view: Json | None, row: Row) -> Hashable:
        """One source value through a view."""
        cell, type = row[column], self.types[column]
        if not view or view.get("level") == 0:
            return MISSING if cell is None else ("text", cell)
        if "level" in view:
            ladder = self.session["hierarchies"][column]
            return _rung(ladder["levels"][view["level"] - 1], cell, type)
        if "bins" in view:
            return _rung({"edges": view["bins"]}, cell, type)
        return _rung(view["prefix"] if "prefix" in view else view["map"], cell, type)

    def profile(self, t: int) -> Rows:
        """R_Q(t)."""
        return self.profile_of[t]

    def classes(self, state: State) -> set[Rows]:
        """Survivors by profile and representation."""
        return {self.lookalikes(state, u) for u in state.rows}

    def lookalikes(self, state: State, t: int) -> Rows:
        """C(t) of the release-only observer."""
        return frozenset(u for u in state.rows & self.profile(t) if state.shown[u] == state.shown[t])

    def compatible(self, past: Sequence[State], t: int) -> Rows:
        """C(t) of the session's observer at the last of the states ``past``."""
        state, kind = past[-1], self.observer["kind"]
        if kind == "accumulating":
            found = self.lookalikes(state, t)
            for i in self.exposed:
                if i < len(past):
                    found &= self.lookalikes(past[i], t)
            return found
        if kind == "membership-aware" and t not in state.rows:
            return self.profile(t) - state.rows
        if kind == "plan-aware" and t not in state.rows:
            step = state.removed[t]
            return frozenset(u for u in self.profile(t) - state.rows if state.removed[u] == step)
        return self.lookalikes(state, t)

    def raised(self, holds: Rows, t: int, found: Rows) -> Rate:
        """exp of the evidence: the observer's rate after over the prior; 1 where the prior is 0."""
        k, n = len(found & holds), len(found)
        profile = self.profile(t)
        prior = Fraction(len(profile & holds), len(profile))
        smoothed = self.observer["kind"] == "smoothed"
        if not found and not smoothed:
            return None
        if prior == 0 or not found:
            return Fraction(1)
        pseudo = exact(self.observer["m"]) if smoothed else Fraction(0)
        return (k + pseudo * prior) / (n + pseudo) / prior

    def over(self, ratios: Ratios) -> set[int]:
        """The targets with some evidence above the budget."""
        return {t for (_, t), r in ratios.items() if r is not None and log(r) > self.budget + TOLERANCE}

    def ratios(self, sets: dict[int, Rows]) -> Ratios:
        """exp of the evidence about every secret and target."""
        return {
            (s, t): self.raised(holds, t, sets[t])
            for s, (_, holds) in enumerate(self.secrets)
            for t in self.targets
        }

    def utility(self, state: State) -> float:
        """U of the table after a prefix."""
        if not state.rows:
            return 0.0
        weights = self.session.get("utility", {}).get("weights", {})
        kept, total, weight = state.views, 0.0, 0.0
        for name in self.types:
            w = float(weights.get(name, 1))
            weight += w
            if name in kept:
                source = _entropy([self.seen(name, None, self.rows[u]) for u in state.rows])
                released = _entropy([self.seen(name, kept[name], self.rows[u]) for u in state.rows])
                total += w * (released / source if source else 1.0)
        return len(state.rows) / len(self.rows) * total / weight


def exact(number: Any) -> Fraction:
    """The number as its decimal digits say it: 0.1 is a tenth."""
    return Fraction(str(number))


def log(ratio: Fraction | float) -> float:
    """Natural logarithm of a ratio in [0, inf]."""
    if ratio in (0, math.inf):
        return -math.inf if ratio == 0 else math.inf
    return math.log(ratio)


def _json(value: Rate) -> float | str | None:
    if value is None:
        return None
    number = log(value)
    return number if math.isfinite(number) else ("inf" if number > 0 else "-inf")


def _rung(rung: Any, cell: str | None, type: Json) -> Hashable:
    """One value through a rung of a ladder, or the like part of a view."""
    if isinstance(rung, list):
        table = dict(rung)
        if cell is None and None not in table:
            return MISSING
        return ("text", table[cell])
    if cell is None:
        return MISSING
    if rung == "*":
        return ("*",)
    if isinstance(rung, int):
        return ("text", cell[:rung])
    value = sql.reading(cell, type)
    if isinstance(rung, str):
        return _RUNGS_OF_DATES[rung](value) if isinstance(value, datetime) else ("not a date",)
    if not isinstance(value, Fraction):
        return ("not a number",)
    if "width" in rung:
        return ("bin", math.floor((value - exact(rung.get("origin", 0))) / exact(rung["width"])))
    return ("bin", sum(exact(edge) <= value for edge in rung["edges"]))


_RUNGS_OF_DATES: dict[str, Callable[[datetime], Hashable]] = {
    "month": lambda d: (d.year, d.month),
    "quarter": lambda d: (d.year, (d.month + 2) // 3),
    "year": lambda d: (d.year,),
}


def _entropy(values: Sequence[Hashable]) -> float:
    counts = Counter(values).values()
    return 0.0 if len(counts) < 2 else -sum(c / len(values) * math.log(c / len(values)) for c in counts)


def _worst(world: World, ratios: Ratios) -> tuple[int, int] | None:
    """(secret's index, target) of the largest ratio; ties to the smallest row, then the first secret."""
    worst: tuple[int, int] | None = None
    largest: Rate = None
    for t in world.targets:
        for s in range(len(world.secrets)):
            ratio = ratios[s, t]
            if ratio is not None and (largest is None or ratio > largest):
                worst, largest = (s, t), ratio
    return worst


def _feasible(world: World, ratios: Ratios, worst: tuple[int, int] | None) -> bool:
    ratio = ratios[worst] if worst else None
    return ratio is None or log(ratio) <= world.budget + TOLERANCE


def _pair(rows: Rows, holds: Rows) -> list[int]:
    return [len(rows & holds), len(rows)]


def _prefix(world: World, i: int) -> Json:
    past = world.states[: i + 1]
    state = past[-1]
    sets = {t: world.compatible(past, t) for t in world.targets}
    ratios = world.ratios(sets)
    worst = _worst(world, ratios)
    named = None
    if worst:
        (secret, holds), t = world.secrets[worst[0]], worst[1]
        k, n, K, N = *_pair(sets[t], holds), *_pair(world.profile(t), holds)
        named = {"target": t, "secret": secret, "k": k, "n": n, "K": K, "N": N}
    return {
        "i": i,
        "rows": len(state.rows),
        "columns": list(state.views),
        "alpha": _json(ratios[worst]) if worst else None,
        "feasible": _feasible(world, ratios, worst),
        "over_budget": len(world.over(ratios)),
        "no_evidence": sum(not sets[t] for t in world.targets),
        "worst": named,
        "utility": world.utility(state),
        "evidence": [
            {
                "secret": secret,
                "target": t,
                "k": len(sets[t] & holds),
                "n": len(sets[t]),
                "status": _status(world, state, t),
                "e": _json(ratios[s, t]),
            }
            for s, (secret, holds) in enumerate(world.secrets)
            for t in world.targets
        ],
    }


def _status(world: World, state: State, t: int) -> str:
    if t in state.rows:
        return "present"
    return "lookalikes" if world.lookalikes(state, t) else "no_evidence"


def _change(before: Rate, after: Rate) -> Rate:
    """exp of δ."""
    if before is None or after is None:
        return None
    if before == after:
        return Fraction(1)
    return math.inf if before == 0 else after / before


def _candidate(world: World, at: int, operator: Json) -> Json:
    past = world.states[: at + 1]
    now, then = past[-1], world.after(past[-1], operator, at + 1)
    before = {t: world.compatible(past, t) for t in world.targets}
    after = {t: world.compatible([*past, then], t) for t in world.targets}
    ratios, ratios_after = world.ratios(before), world.ratios(after)
    worst = _worst(world, ratios_after)
    changes = {pair: _change(ratios[pair], ratios_after[pair]) for pair in ratios}
    defined = [c for c in changes.values() if c is not None]
    by_target = [[changes[s, t] for s in range(len(world.secrets))] for t in world.targets]
    known = [[c for c in row if c is not None] for row in by_target]
    over = world.over(ratios)
    useless = operator["op"] in ("select", "delete") and all(before[t] == after[t] for t in over)
    return {
        "operator": operator,
        "alpha": _json(ratios_after[worst]) if worst else None,
        "feasible": _feasible(world, ratios_after, worst),
        "max_delta": _json(max(defined, default=None)),
        "min_delta": _json(min(defined, default=None)),
        "worse": sum(any(c > 1 for c in row) for row in known),
        "better": sum(any(c < 1 for c in row) and not any(c > 1 for c in row) for row in known),
        "same": sum(bool(row) and all(c == 1 for c in row) for row in known),
        "lost": sum(bool(before[t]) and not after[t] for t in world.targets),
        "affected": sum(before[t] != after[t] for t in world.targets),
        "over_budget": len(world.over(ratios_after)),
        "rows_removed": len(now.rows) - len(then.rows),
        "does_no_privacy_work": bool(over) and useless,
        "classes": _classes(world.classes(now), world.classes(then), then.rows),
        "worst": _worst_after(world, worst, ratios_after, before, after),
        "utility": world.utility(then),
        "utility_change": world.utility(then) - world.utility(now),
    }


def _worst_after(
    world: World,
    worst: tuple[int, int] | None,
    ratios: Ratios,
    before: dict[int, Rows],
    after: dict[int, Rows],
) -> Json | None:
    if worst is None:
        return None
    (secret, holds), t = world.secrets[worst[0]], worst[1]
    return {
        "target": t,
        "secret": secret,
        "e": _json(ratios[worst]),
        "prior": _pair(world.profile(t), holds),
        "before": _pair(before[t], holds),
        "after": _pair(after[t], holds),
        "joined": _pair(after[t] - before[t], holds),
        "left": _pair(before[t] - after[t], holds),
    }


def _classes(old: set[Rows], new: set[Rows], left: Rows) -> dict[str, int]:
    return {
        "before": len(old),
        "after": len(new),
        "merged": sum(sum(bool(c & o) for o in old) > 1 for c in new),
        "split": sum(sum(bool(c & n) for n in new) > 1 for c in old),
        "shrunk": sum(bool(c & left) and not c <= left for c in old),
        "emptied": sum(not c & left for c in old),
    }
