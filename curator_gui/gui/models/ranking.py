"""The orders the next steps can stand in. No Qt here."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from enum import IntEnum
from typing import Any

from curator_gui.core.operators import Operator
from curator_gui.disclosure.candidates import Candidate


class Rank(IntEnum):
    """The orders of the list."""

    DISCLOSURE = 0
    UTILITY = 1
    PARETO = 2
    TWO_STEPS = 3


Then = Callable[[Operator], Candidate | None]
"""The best step after a next step; None where there is none, or where nobody looked for it."""


def nothing(_: Operator) -> Candidate | None:
    return None


def level(alpha: float | None) -> float:
    """A disclosure to sort by: no evidence below everything."""
    return -math.inf if alpha is None else alpha


def pareto_front(candidates: Sequence[Candidate]) -> set[int]:
    """The places of those that no other one beats in disclosure without losing utility, or the reverse."""
    front: set[int] = set()
    best = -math.inf
    places = sorted(
        range(len(candidates)), key=lambda i: (level(candidates[i].alpha), -candidates[i].utility)
    )
    for i in places:
        if candidates[i].utility > best:
            best = candidates[i].utility
            front.add(i)
    return front


def ranked(
    candidates: Sequence[Candidate],
    rank: Rank,
    then: Then = nothing,
    before_all: Collection[Operator] = (),
) -> list[int]:
    """The places of the candidates in an order. Equal ones keep the order they came in.

    before_all: steps that come first in every order.
    """
    front = pareto_front(candidates) if rank is Rank.PARETO else set()

    def key(i: int) -> tuple[Any, ...]:
        candidate = candidates[i]
        if rank is Rank.UTILITY:
            return not candidate.feasible, -candidate.utility, level(candidate.alpha)
        if rank is Rank.TWO_STEPS:
            candidate = reached(candidate, then(candidate.operator))
        return i not in front and rank is Rank.PARETO, level(candidate.alpha), -candidate.utility

    places = sorted(range(len(candidates)), key=key)
    return sorted(places, key=lambda i: candidates[i].operator not in before_all) if before_all else places


def reached(candidate: Candidate, then: Candidate | None) -> Candidate:
    """The better end of a step alone and of the step with the best one after it."""
    if then is None or level(candidate.alpha) <= level(then.alpha):
        return candidate
    return then
