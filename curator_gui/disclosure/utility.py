"""What a release is still good for: U = |S|/|R| · Σ w·r / Σ w over the source's columns.

r is the Shannon entropy of a released column over the surviving rows relative to that of its source values
over the same rows; 0 for a dropped column, 1 for a kept one whose denominator is 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Table

MOST_WEIGHT = 1e12
"""Sums of as many weights as a table has columns stay far below the largest float64."""


def check_weights(table: Table, weights: Mapping[str, float]) -> None:
    """InputError for a weight not from 0 to ``MOST_WEIGHT``, of an unknown column, or where all are 0."""
    for name, weight in weights.items():
        table[name]
        if not 0 <= weight <= MOST_WEIGHT:
            message = f"The weight of “{name}” is {weight}; use a number from 0 to {MOST_WEIGHT:.0e}."
            raise InputError(message, path="utility.weights")
    if table.columns and not any(weights.get(name, 1.0) for name in table.names):
        message = "All weights are 0; give at least one column a weight above 0."
        raise InputError(message, path="utility.weights")


class Removed(Protocol):
    """Rows taken away: how many, and which."""

    count: int

    @property
    def rows(self) -> NDArray[np.int64]: ...


class Usefulness:
    """The utility of a prefix, and quickly that of prefixes one operator longer.

    Counts of values are kept and corrected, never sums of logarithms, so that a preview and the same prefix
    computed afresh agree to the last bit.
    """

    def __init__(self, prefix: Prefix, weights: Mapping[str, float]) -> None:
        self._prefix = prefix
        self._counts: dict[str, NDArray[np.int64]] = {}
        self._kept: dict[Shown, float] = {}
        names = prefix.source.table.names
        self._place = {name: i for i, name in enumerate(names)}
        self._weight = np.array([weights.get(name, 1.0) for name in names], np.float64)
        self._all_weight = float(self._weight.sum())
        self._shares = np.zeros(len(names))
        for shown in prefix.shown if prefix.rows else ():
            self._shares[self._place[shown.name]] = self._share(shown, None)
        self.utility = self.after(prefix, None)

    def after(self, prefix: Prefix, removed: Removed | None) -> float:
        """U of this prefix, or of one operator more; ``removed``: what a row operator took away."""
        table = prefix.source.table
        rows = self._prefix.rows - (0 if removed is None else removed.count)
        if not rows or not table.columns:
            return 0.0
        weighted = self._shares_after(prefix, removed) * self._weight
        useful = float(weighted.sum()) / self._all_weight
        return rows / table.rows * useful

    def _shares_after(self, prefix: Prefix, removed: Removed | None) -> NDArray[np.float64]:
        """[columns] r. Of thousands of columns only those that a step changes are computed."""
        if removed is not None:
            shares = np.zeros(len(self._place))
            changed = list(prefix.shown)
        else:
            gone, changed = prefix.changes_from(self._prefix)
            shares = self._shares.copy()
            shares[[self._place[self._prefix.shown[i].name] for i in gone]] = 0.0
        for shown in changed:
            shares[self._place[shown.name]] = self._share(shown, removed)
        return shares

    def _share(self, shown: Shown, removed: Removed | None) -> float:
        source = self._prefix.source.table[shown.name]
        if shown.column is source and len(shown.coarsening.labels) == len(source.values):
            return 1.0
        if removed is None and shown in self._kept:
            return self._kept[shown]
        before = self._count(shown.name)
        if removed is not None:
            before = before - np.bincount(source.codes[removed.rows], minlength=len(before))
        cells = before if shown.column is source else self._replaced(shown, removed)
        released = np.bincount(shown.coarsening.codes, weights=cells, minlength=len(shown.coarsening.labels))
        whole = entropy(before)
        share = entropy(released) / whole if whole > 0 else 1.0
        if removed is None:
            self._kept[shown] = share
        return share

    def _count(self, name: str) -> NDArray[np.int64]:
        if name not in self._counts:
            column = self._prefix.source.table[name]
            cells = column.codes[self._prefix.present]
            self._counts[name] = np.bincount(cells, minlength=len(column.values)).astype(np.int64)
        return self._counts[name]

    def _replaced(self, shown: Shown, removed: Removed | None) -> NDArray[np.int64]:
        present = self._prefix.present
        if removed is not None:
            present = present.copy()
            present[removed.rows] = False
        return np.bincount(shown.column.codes[present], minlength=len(shown.column.values)).astype(np.int64)


def entropy(counts: NDArray[Any]) -> float:
    """Shannon entropy, in nats, of a distribution given by counts."""
    some = counts[counts > 0].astype(np.float64)
    if len(some) < 2:
        return 0.0
    total = float(some.sum())
    return math.log(total) - float((some * np.log(some)).sum()) / total
