"""Where a curator stands: one prefix, read by the observer, with everything its next step is scored from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix
from curator_gui.core.protection import Observer
from curator_gui.core.table import Table
from curator_gui.disclosure.classes import SeenColumn, classify, read
from curator_gui.disclosure.evidence import (
    UNDEFINED,
    Rates,
    Worst,
    lift_limit,
    logarithm,
    rates,
    worst_target,
)
from curator_gui.disclosure.grouping import Coded, Groups, agreeing, leave_one_out
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.utility import Usefulness


class Standing:
    """A prefix under a protection. ``exposed``: the earlier releases an accumulating observer heeds.

    lift: [classes] the largest lift over the secrets; best: the same where the class holds a target.
    """

    def __init__(
        self,
        population: Population,
        prefix: Prefix,
        exposed: Sequence[Prefix] = (),
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self.population = population
        self.prefix = prefix
        self.exposed = tuple(exposed)
        self.weights = weights or {}
        self.reading = read(prefix, population, exposed)
        self.classes = classify(population, self.reading)
        c = self.classes
        self.rates: Rates = rates(population, c.profile, c.size, c.holding)
        self.lift = self.rates.best()
        self.best: NDArray[np.float64] = self.lift
        if not c.targets.all():
            self.best = np.where(c.targets > 0, self.lift, UNDEFINED)
        self.limit = lift_limit(population.protection.limit)
        self._lock = Lock()
        self._without: dict[int, Groups] = {}
        self._pending: Iterator[tuple[int, Groups]] | None = None

    @cached_property
    def usefulness(self) -> Usefulness:
        return Usefulness(self.prefix, self.weights)

    @property
    def utility(self) -> float:
        return self.usefulness.utility

    @cached_property
    def worst(self) -> Worst | None:
        """The worst target; None where no target has evidence."""
        at = self.worst_classes
        return worst_target(self.rates.at(at), self.classes.first_target[at])

    @cached_property
    def worst_classes(self) -> NDArray[np.int64]:
        """The classes of targets with the largest lift (as float64), if any is defined."""
        top = self.best.max(initial=UNDEFINED)
        return np.flatnonzero(self.best == top) if top >= 0 else np.zeros(0, np.int64)

    @property
    def alpha(self) -> float | None:
        """The disclosure: the largest evidence; None where none is defined."""
        return logarithm(self.worst.lift) if self.worst else None

    @property
    def feasible(self) -> bool:
        return self.alpha is None or self.alpha <= self.population.protection.limit

    @cached_property
    def over_budget(self) -> int:
        """How many targets have some evidence above the budget."""
        return int(self.classes.targets[self.best > self.limit].sum())

    @cached_property
    def no_evidence(self) -> int:
        """How many targets have an empty compatibility set."""
        return int(self.classes.targets[self.classes.size == 0].sum())

    @cached_property
    def defined(self) -> int:
        """How many targets have evidence on some secret."""
        return int(self.classes.targets[self.best >= 0].sum())

    @cached_property
    def as_released(self) -> Standing:
        """The same prefix read from this release alone: what classes of survivors are counted from."""
        if self.population.observer.kind != "accumulating":
            return self
        release_only = replace(self.population.protection, observer=Observer())
        return Standing(replace(self.population, protection=release_only), self.prefix)

    @cached_property
    def uniform(self) -> frozenset[str]:
        """Columns whose source value is the same throughout every class; none where gone rows count too."""
        if self.population.observer.kind not in ("release-only", "smoothed"):
            return frozenset()
        source = self.prefix.source
        shown = [(s.name, s.coarsening) for s in self.prefix.shown if s.column is source.table[s.name]]
        visible = self.population.protection.visible
        seen = [*shown, *((v.column, source.coarsen(v.column, v.view)) for v in visible)]
        return frozenset(name for name, c in seen if len(c.labels) == len(source.table[name].values))

    @cached_property
    def sampled(self) -> Table:
        """One source row of each class, the uniform columns only."""
        table, at = self.prefix.source.table, self.classes.sample
        columns = tuple(c.at(at) for c in table.columns if c.name in self.uniform)
        return Table(columns, self.classes.count)

    @cached_property
    def _everyone(self) -> Groups:
        """The classes that column operators may merge, grouped by profile."""
        c = self.classes
        if c.present.all():
            return Groups(None, c.profile, self.population.profiles)
        here = np.flatnonzero(c.present)
        return Groups(here, c.profile[here], self.population.profiles)

    @cached_property
    def _codes(self) -> list[Coded]:
        return [self.classes.codes(column) for column in self.reading.columns]

    @cached_property
    def _places(self) -> dict[tuple[int, frozenset[int]], int]:
        return {c.key: i for i, c in enumerate(self.reading.columns)}

    def place(self, column: SeenColumn) -> int | None:
        """Where a column stands in this reading; None where it is not in it."""
        return self._places.get(column.key)

    def without(self, places: Sequence[int]) -> Groups:
        """The groups of two classes or more that agree on all but some columns."""
        if len(places) == 1:
            return self._without_one(places[0])
        return agreeing(self._everyone, [c for i, c in enumerate(self._codes) if i not in places])

    def _without_one(self, place: int) -> Groups:
        with self._lock:
            if self._pending is None:
                self._pending = leave_one_out(self._everyone, self._codes)
            while place not in self._without:
                found, groups = next(self._pending)
                self._without[found] = groups
            return self._without[place]
