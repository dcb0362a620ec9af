"""What one more operator does to everybody's compatibility set, at the price of what it touches.

An operator is reduced to *pieces*: parts of classes that lie in one class before and in one after. Only the
pieces of classes that the operator may change are looked at; everybody else keeps the evidence they had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix
from curator_gui.disclosure.classes import Classes, Reading, SeenColumn, classify, released_reading
from curator_gui.disclosure.evidence import (
    UNDEFINED,
    Rates,
    compare,
    first_of_largest,
    largest_of_each_secret,
    rates,
)
from curator_gui.disclosure.grouping import Coded, Groups, group_keys, refine, without_singles
from curator_gui.disclosure.population import count_holding
from curator_gui.disclosure.standing import Standing


class Removal:
    """The present rows that a row operator takes away, found only when asked for where their count suffices.

    classes: the classes that lose all their rows, where the operator takes whole classes or none; else None.
    """

    def __init__(
        self, find: Callable[[], NDArray[np.int64]], classes: NDArray[np.int64] | None, count: int | None
    ) -> None:
        self._find = find
        self.classes = classes
        self.count = len(self.rows) if count is None else count

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Row numbers, rising."""
        return self._find()


@dataclass(frozen=True, eq=False)
class Pieces:
    """Every piece of every class that an operator may change.

    before: [pieces] the class each lies in now; after: [pieces] dense ids of the classes they come to lie in;
    size, holding: [pieces], [secrets, pieces] rows counted both before and after; targets, first_target:
    [pieces] of all rows of the piece; released: [pieces] bool, whether its rows are still released after;
    whole: whether every class before is one piece.
    """

    before: NDArray[Any]
    after: NDArray[Any]
    afters: int
    size: NDArray[np.int64]
    holding: NDArray[np.int64]
    targets: NDArray[np.int64]
    first_target: NDArray[np.int64]
    released: NDArray[np.bool_]
    whole: bool


def pieces_of(standing: Standing, step: Step) -> Pieces:
    """The pieces of a step."""
    removed = step.removed
    if removed is not None and standing.reading.fate is None:
        return _shrunk(standing, removed)
    if removed is None:
        gone, new = _column_changes(standing, step)
        if not gone and not new:
            return _merged(standing, Groups(np.zeros(0, np.int64), np.zeros(0, np.int32), 0))
        if gone and not new:
            return _merged(standing, standing.without(gone))
        if len(gone) == len(new) == 1 and _coarser(standing.reading.columns[gone[0]], new[0]):
            groups = refine(standing.without(gone), [standing.classes.codes(new[0])])
            return _merged(standing, without_singles(groups)[0])
    return _compared(standing, classify(standing.population, step.reading()))


def _column_changes(standing: Standing, step: Step) -> tuple[list[int], list[SeenColumn]]:
    """The places of the columns an observer no longer sees so, and the columns seen anew."""
    if standing.population.observer.kind == "accumulating":
        columns = step.reading().columns
    else:  # without a look at the thousands of columns that stay the same values
        places, changed = step.prefix.changes_from(standing.prefix)
        fresh = [SeenColumn(s.column, (s.coarsening,)) for s in changed]
        kept = {c.key for c in fresh}
        gone = [i for i in places if standing.reading.columns[i].key not in kept]
        return gone, [c for c in fresh if standing.place(c) is None]
    seen = {c.key for c in columns}
    gone = [i for i, c in enumerate(standing.reading.columns) if c.key not in seen]
    return gone, [c for c in columns if standing.place(c) is None]


def _coarser(before: SeenColumn, after: SeenColumn) -> bool:
    """Whether equal codes before are equal codes after, value by value."""
    if before.column is not after.column:
        return False
    values = np.arange(len(before.column.values))
    old, new = _value_codes(before.joint, values), _value_codes(after.joint, values)
    image = np.zeros(before.joint.size, np.int64)
    image[old] = new
    return bool(np.array_equal(image[old], new))


def _value_codes(joint: Coded, values: NDArray[np.int64]) -> NDArray[Any]:
    return values if joint.lookup is None else joint.lookup


def _merged(standing: Standing, groups: Groups) -> Pieces:
    """Whole classes that come to share a class."""
    c = standing.classes
    at = np.arange(c.count) if groups.rows is None else groups.rows
    return Pieces(
        at,
        groups.ids,
        groups.count,
        c.size.take(at),
        c.holding.take(at, axis=1),
        c.targets.take(at),
        c.first_target.take(at),
        np.ones(len(at), np.bool_),
        whole=True,
    )


def _shrunk(standing: Standing, removed: Removal) -> Pieces:
    """Classes that lose rows, where nobody can tell that they did."""
    c = standing.classes
    if removed.classes is not None:
        at = removed.classes
        size, holding = np.zeros(len(at), np.int64), np.zeros((len(c.holding), len(at)), np.int64)
    else:
        at, size, holding = _without_rows(standing, removed.rows)
    return Pieces(
        at,
        np.arange(len(at)),
        len(at),
        size,
        holding,
        c.targets.take(at),
        c.first_target.take(at),
        np.ones(len(at), np.bool_),
        whole=True,
    )


def _without_rows(
    standing: Standing, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The classes that lose some of these rows, with n and k of what is left of them."""
    c = standing.classes
    rows = rows[standing.reading.counted.take(rows)]
    of_removed = c.of_row.take(rows)
    touched = np.zeros(c.count, np.bool_)
    touched[of_removed] = True
    at = np.flatnonzero(touched)
    place = np.empty(c.count, np.int32)
    place[at] = np.arange(len(at), dtype=np.int32)
    place = place.take(of_removed)
    holding = c.holding.take(at, axis=1)
    for s, secret in enumerate(standing.population.secrets):
        holding[s] -= np.bincount(place[secret.holds.take(rows)], minlength=len(at))
    return at, c.size.take(at) - np.bincount(place, minlength=len(at)), holding


def _compared(standing: Standing, after: Classes) -> Pieces:
    """The general case: the common refinement of the classes before and after, row by row."""
    before = standing.classes
    keys = before.of_row.astype(np.uint64) * np.uint64(after.count) + after.of_row.astype(np.uint64)
    of_row, count = group_keys(keys, max(before.count * after.count, 1))
    sample = np.zeros(count, np.int64)
    sample[of_row] = np.arange(len(of_row))
    both = before.reading.counted & after.reading.counted
    targets = np.flatnonzero(standing.population.target)
    first_target = np.full(count, len(of_row), np.int64)
    first_target[of_row[targets[::-1]]] = targets[::-1]
    return Pieces(
        before.of_row[sample],
        after.of_row[sample],
        after.count,
        np.bincount(of_row[both], minlength=count).astype(np.int64),
        count_holding(standing.population.secrets, of_row, count, both),
        np.bincount(of_row[targets], minlength=count).astype(np.int64),
        first_target,
        after.present[after.of_row[sample]],
        whole=False,
    )


@dataclass(frozen=True, eq=False)
class WorstAfter:
    """The worst target after an operator. Counts are (with the secret, all).

    gathered: the classes before that make up its class after, where whole ones do; else None.
    """

    target: int
    secret: int
    lift: float
    before: tuple[int, int] = (0, 0)
    after: tuple[int, int] = (0, 0)
    joined: tuple[int, int] = (0, 0)
    left: tuple[int, int] = (0, 0)
    gathered: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class ClassChanges:
    """How many classes there are, and what becomes of them."""

    before: int
    after: int
    merged: int
    split: int
    shrunk: int
    emptied: int


@dataclass(frozen=True, eq=False)
class Transition:
    """What an operator does, in lifts (e^evidence). max_ratio, min_ratio: e^δ, None where δ is undefined."""

    worst: WorstAfter | None
    over_budget: int
    max_ratio: float | None
    min_ratio: float | None
    worse: int
    better: int
    same: int
    lost: int
    affected: int
    affects_over_budget: bool
    classes: ClassChanges


@dataclass(frozen=True, eq=False)
class Step:
    """One operator more. ``prefix``: its columns are those after it; removed: None for a column operator;
    reading: gives the observer's, after it."""

    prefix: Prefix
    removed: Removal | None
    reading: Callable[[], Reading]


def weigh(standing: Standing, step: Step) -> Transition:
    """Compare everybody's evidence before and after a step."""
    pieces = pieces_of(standing, step)
    now = _rates_after(standing, pieces)
    best = np.where(pieces.targets > 0, now.rates.best().take(pieces.after), UNDEFINED)
    over = standing.best.take(pieces.before) > standing.limit
    size_before, size_after = standing.classes.size.take(pieces.before), now.size.take(pieces.after)
    affected = (size_before != pieces.size) | (size_after != pieces.size)
    return Transition(
        worst=_worst(standing, pieces, now, best),
        over_budget=standing.over_budget
        - int(pieces.targets @ over)
        + int(pieces.targets @ (best > standing.limit)),
        lost=int(pieces.targets @ ((size_before > 0) & (size_after == 0))),
        affected=int(pieces.targets @ affected),
        affects_over_budget=bool((affected & over & (pieces.targets > 0)).any()),
        classes=_class_changes(standing, pieces, step),
        **_changes(standing, pieces, now, best),
    )


@dataclass(frozen=True, eq=False)
class _After:
    """The classes that the pieces come to lie in."""

    size: NDArray[np.int64]
    holding: NDArray[np.int64]
    rates: Rates


def _rates_after(standing: Standing, pieces: Pieces) -> _After:
    size, holding = pieces.size, pieces.holding
    profile = standing.classes.profile.take(pieces.before)
    if pieces.afters < len(pieces.after) or not pieces.whole:
        size = np.bincount(pieces.after, weights=size, minlength=pieces.afters).astype(np.int64)
        together = np.zeros((len(holding), pieces.afters), np.int64)
        for s, held in enumerate(holding):
            together[s] = np.bincount(pieces.after, weights=held, minlength=pieces.afters)
        of_after = np.zeros(pieces.afters, np.int32)
        of_after[pieces.after] = profile
        profile, holding = of_after, together
    return _After(size, holding, rates(standing.population, profile, size, holding))


def _changes(standing: Standing, pieces: Pieces, now: _After, best: NDArray[np.float64]) -> dict[str, Any]:
    """Counts of targets by the sign of δ, and its extremes; everybody not touched has a δ of 0."""
    before = standing.best.take(pieces.before)
    known = (before >= 0) & (best >= 0)
    untouched = standing.defined - int(pieces.targets @ (before >= 0))
    targets, sets = pieces.targets, (pieces.before, pieces.after)
    if not known.all():
        targets, sets = targets[known], (pieces.before[known], pieces.after[known])
    change = compare(standing.rates, sets[0], now.rates, sets[1])
    rises, falls = change.rises.any(axis=0), change.falls.any(axis=0)
    worse, better = int(targets @ rises), int(targets @ (falls & ~rises))
    some = len(targets) > 0
    highest, lowest = change.highest, change.lowest
    if untouched:
        highest, lowest = max(highest, 1.0), min(lowest, 1.0)
    return {
        "max_ratio": highest if some or untouched else None,
        "min_ratio": lowest if some or untouched else None,
        "worse": worse,
        "better": better,
        "same": int(targets.sum()) - worse - better + untouched,
    }


def _class_changes(standing: Standing, pieces: Pieces, step: Step) -> ClassChanges:
    if standing.as_released is not standing:
        standing = standing.as_released
        pieces = pieces_of(standing, replace(step, reading=lambda: released_reading(step.prefix)))
    c = standing.classes
    if pieces.whole:
        local, place = pieces.before, np.arange(len(pieces.before))
    else:
        local, place = np.unique(pieces.before, return_inverse=True)
    old_size = np.where(c.present[local], c.size[local], 0)
    stays = pieces.released & c.present[pieces.before] & (pieces.size > 0)
    kept = np.bincount(place[stays], weights=pieces.size[stays], minlength=len(local))
    parts = np.bincount(place[stays], minlength=len(local))
    filled = np.bincount(pieces.after[stays], minlength=pieces.afters)
    return ClassChanges(
        before=c.occupied,
        after=c.occupied - int(np.count_nonzero(old_size)) + int(np.count_nonzero(filled)),
        merged=int(np.count_nonzero(filled > 1)),
        split=int(np.count_nonzero(parts > 1)),
        shrunk=int(np.count_nonzero((kept > 0) & (kept < old_size))),
        emptied=int(np.count_nonzero((kept == 0) & (old_size > 0))),
    )


def _worst(standing: Standing, pieces: Pieces, now: _After, best: NDArray[np.float64]) -> WorstAfter | None:
    """The worst target after, among those touched and those not."""
    c = standing.classes
    touched = np.zeros(c.count, np.bool_)
    touched[pieces.before] = True
    outside = _best_outside(standing, touched)
    lift = max(float(best.max(initial=UNDEFINED)), outside)
    if lift < 0:
        return None
    rest = _classes_at(standing, touched, lift) if outside == lift else np.zeros(0, np.int64)
    here = np.flatnonzero(best == lift)
    moved = largest_of_each_secret(now.rates, lift, pieces.first_target[here], pieces.after[here])
    stayed = largest_of_each_secret(standing.rates, lift, c.first_target[rest], rest)
    worst = first_of_largest([*moved, *stayed])
    s = worst.secret
    if any(worst is one for one in stayed):
        at = int(rest[worst.place])
        unchanged = int(c.holding[s, at]), int(c.size[at])
        return WorstAfter(worst.target, s, lift, unchanged, unchanged, (0, 0), (0, 0))
    return _worst_piece(standing, pieces, now, int(here[worst.place]), WorstAfter(worst.target, s, lift))


def _worst_piece(
    standing: Standing, pieces: Pieces, now: _After, piece: int, worst: WorstAfter
) -> WorstAfter:
    """The worst target with what becomes of the set of its piece."""
    c, s = standing.classes, worst.secret
    was, is_now = int(pieces.before[piece]), int(pieces.after[piece])
    before = int(c.holding[s, was]), int(c.size[was])
    after = int(now.holding[s, is_now]), int(now.size[is_now])
    stays = int(pieces.holding[s, piece]), int(pieces.size[piece])
    joined = after[0] - stays[0], after[1] - stays[1]
    left = before[0] - stays[0], before[1] - stays[1]
    gathered = pieces.before[pieces.after == is_now] if pieces.whole else None
    return replace(worst, before=before, after=after, joined=joined, left=left, gathered=gathered)


def _best_outside(standing: Standing, touched: NDArray[np.bool_]) -> float:
    """The largest lift among targets that the operator does not touch."""
    if not touched[standing.worst_classes].all():
        return float(standing.best[standing.worst_classes[0]])
    return float(np.where(touched, UNDEFINED, standing.best).max(initial=UNDEFINED))


def _classes_at(standing: Standing, touched: NDArray[np.bool_], lift: float) -> NDArray[np.int64]:
    top = standing.worst_classes
    if len(top) and float(standing.best[top[0]]) == lift:
        return top[~touched[top]]
    return np.flatnonzero((standing.best == lift) & ~touched)
