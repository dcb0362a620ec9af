"""A target's prior group as dots, as plain values: the paper's figure before it is painted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from curator_gui.disclosure.explain import Look
from curator_gui.gui.words import count, guess, listed, percent, records, share_of

MOST_DOTS = 60
_NAMED = 12

Counts = tuple[int, int]
"""(with the secret, all)."""


@dataclass(frozen=True)
class Dot:
    """Records of one kind: with the secret or not, in the set before and after. rows: the first twelve of
    them, from 0; count: how many they are."""

    rows: tuple[int, ...]
    count: int
    secret: bool
    before: bool
    after: bool

    @property
    def joins(self) -> bool:
        return self.after and not self.before

    @property
    def leaves(self) -> bool:
        return self.before and not self.after


@dataclass(frozen=True)
class Group:
    """A prior group. each: the most records a dot stands for; prior, before, after: counts of the group and
    of the set before and after; changes: whether a step is previewed."""

    dots: tuple[Dot, ...]
    each: int
    secret: str
    target: int
    prior: Counts
    before: Counts
    after: Counts
    changes: bool

    @property
    def joined(self) -> tuple[int, ...]:
        """Who comes into the set: rows from 0, the first of many."""
        return tuple(row for dot in self.dots if dot.joins for row in dot.rows)

    @property
    def left(self) -> tuple[int, ...]:
        """Who leaves the set: rows from 0, the first of many."""
        return tuple(row for dot in self.dots if dot.leaves for row in dot.rows)


def group_of(seen: Look, *, changes: bool, most: int = MOST_DOTS) -> Group:
    """The dots of a look: those in the set both before and after first, then who leaves, who joins, the rest.

    Above ``most`` records a dot stands for several; the last of a kind may then stand for fewer.
    """
    each = max(1, math.ceil(len(seen.profile) / most))
    dots: list[Dot] = []
    for before, after, secret in product((True, False), repeat=3):
        mine = seen.profile[(seen.before == before) & (seen.after == after) & (seen.holds == secret)]
        for i in range(0, len(mine), each):
            rows = mine[i : i + each]
            dots.append(Dot(tuple(rows[:_NAMED].tolist()), len(rows), secret, before, after))
    everybody = np.ones(len(seen.profile), np.bool_)
    return Group(
        dots=tuple(dots),
        each=each,
        secret=seen.secret,
        target=seen.target,
        prior=_counts(seen, everybody),
        before=_counts(seen, seen.before),
        after=_counts(seen, seen.after),
        changes=changes,
    )


def _counts(seen: Look, those: NDArray[np.bool_]) -> Counts:
    return int(np.count_nonzero(seen.holds & those)), int(np.count_nonzero(those))


def dot_details(group: Group, dot: Dot) -> str:
    """Who a dot is, for its tooltip."""
    who = listed(dot.rows) if dot.count == len(dot.rows) else records(dot.count)
    has = (
        QCoreApplication.translate("dots", "with the secret “{0}”")
        if dot.secret
        else QCoreApplication.translate("dots", "without the secret “{0}”")
    )
    return f"{who[:1].upper()}{who[1:]}, {has.format(group.secret)}, {_place(group, dot)}"


def _place(group: Group, dot: Dot) -> str:
    if dot.joins:
        return QCoreApplication.translate("dots", "joins the set of record {0}").format(
            count(group.target + 1)
        )
    if dot.leaves:
        text = QCoreApplication.translate("dots", "leaves the set of record {0}")
        return text.format(count(group.target + 1))
    if dot.after:
        return QCoreApplication.translate("dots", "looks like record {0} in the release").format(
            count(group.target + 1)
        )
    return QCoreApplication.translate("dots", "can be told apart from record {0}").format(
        count(group.target + 1)
    )


def read_group(group: Group) -> str:
    """The figure in sentences."""
    k, n = group.prior
    has = QCoreApplication.translate("dots", "has") if k == 1 else QCoreApplication.translate("dots", "have")
    text = QCoreApplication.translate(
        "dots", "Of {0} that the observer cannot tell apart beforehand, {1} {2} the secret “{3}”."
    ).format(records(n), count(k), has, group.secret)
    now = QCoreApplication.translate("dots", "In the set of record {0}: {1} now").format(
        count(group.target + 1), share_of(*group.before)
    )
    if not group.changes:
        return f"{text} {now}."
    after = QCoreApplication.translate("dots", "{0} after the step").format(share_of(*group.after))
    return f"{text} {now}, {after}."


def guess_words(counts: Counts) -> str:
    """Under a figure: "2 of 2: certain", "2 of 3: 67 %"."""
    part, whole = counts
    if whole == 0:
        return QCoreApplication.translate("dots", "nobody left to compare with")
    likely = guess(part, whole) if part in (0, whole) else percent(part / whole)
    return f"{share_of(part, whole)}: {likely}"


def key_words(group: Group) -> str:
    """What the marks mean."""
    text = QCoreApplication.translate("dots", "● “{0}”   ○ without   ringed: like record {1}")
    return text.format(group.secret, count(group.target + 1))
