"""What an observer knows, what must not be learned, of whom, and how much may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from curator_gui.core.predicate import Predicate
from curator_gui.core.view import Identity, View

ObserverKind = Literal[
    "release-only", "membership-aware", "plan-aware", "accumulating", "smoothed", "dependency-explicit"
]
OBSERVER_KINDS: tuple[ObserverKind, ...] = (
    "release-only",
    "membership-aware",
    "plan-aware",
    "accumulating",
    "smoothed",
    "dependency-explicit",
)
TOLERANCE = 1e-12
"""A disclosure within this of the budget τ still keeps it."""


@dataclass(frozen=True, slots=True)
class VisibleAttribute:
    """A column the observer knows of a person beforehand, through a view of the SOURCE value."""

    column: str
    view: View = field(default_factory=Identity)


@dataclass(frozen=True, slots=True)
class Secret:
    """A predicate over source rows; ``two_sided`` protects its complement too."""

    name: str
    where: Predicate
    two_sided: bool = False


@dataclass(frozen=True, slots=True)
class EachValue:
    """One secret for every distinct value of a column, named by it, in order of first appearance."""

    column: str
    two_sided: bool = False


@dataclass(frozen=True, slots=True)
class Observer:
    """Who reads the release. ``m`` counts the smoothed observer's pseudo-observations, above 0."""

    kind: ObserverKind = "release-only"
    m: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Protection:
    """``targets``: rows to protect, as a predicate, as row numbers from 0, or None for all of them.

    ``budget``: τ, the largest disclosure accepted, in natural-log units, at least 0.
    """

    visible: tuple[VisibleAttribute, ...] = ()
    secrets: tuple[Secret | EachValue, ...] = ()
    targets: Predicate | tuple[int, ...] | None = None
    budget: float = 0.0
    observer: Observer = Observer()

    @property
    def limit(self) -> float:
        """The budget with its tolerance: a disclosure is over budget when above this."""
        return self.budget + TOLERANCE
