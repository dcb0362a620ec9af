"""Noisy marginals taken apart into interactions, and all that is known of each merged by inverse variance.

The table of a marginal is the sum, over the subsets of its attributes, of interactions: the part that varies
in all attributes of the subset and averages to 0 along each. Those of one marginal carry independent noise;
on the subset u the squared error of a marginal m with noise σ weighs 1/(σ²·cells(m without u)). So fitting
many overlapping marginals by least squares is fitting each interaction once, to its weighted mean: the same
optimum with fewer, uncorrelated numbers. The decomposition is that of the analysis of variance; Xiao et al.,
"An optimal and scalable matrix mechanism for noisy marginals" (2023), use it to choose what to measure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from curator_gui.synthesis.junction_tree import AttributeSet, cells

Floats = NDArray[np.float64]

_LARGEST_ORDER = 6
"""Larger marginals are kept whole, but for their total: they have too many subsets."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """A noisy marginal. values: [cells] int64, in C order of the attributes; sigma: the noise's scale."""

    attributes: AttributeSet
    values: NDArray[np.int64]
    sigma: float


@dataclass(frozen=True, eq=False)
class Interaction:
    """What is known of one term. values: [cells] its mean; weight: its inverse variance before centring."""

    attributes: AttributeSet
    values: Floats
    weight: float


class MergedMeasurements:
    """The interactions of all measurements so far, and their total."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self._known: dict[AttributeSet, Interaction] = {}

    def add(self, measurement: Measurement) -> None:
        attributes = measurement.attributes
        table = measurement.values.astype(np.float64).reshape([self.sizes[a] for a in attributes])
        for subset in subsets(attributes):
            away = tuple(k for k, a in enumerate(attributes) if a not in subset)
            part = table.sum(axis=away)
            summed = table.size // max(part.size, 1)
            self._merge(subset, centred(part, subset).ravel(), 1 / (measurement.sigma**2 * summed))

    def _merge(self, attributes: AttributeSet, values: Floats, weight: float) -> None:
        old = self._known.get(attributes)
        if old is not None:
            together = old.weight + weight
            values = (old.values * old.weight + values * weight) / together
            weight = together
        self._known[attributes] = Interaction(attributes, values, weight)

    @property
    def total(self) -> float | None:
        """The inverse-variance mean of the measurements' totals; None before the first."""
        total = self._known.get(())
        return None if total is None else float(total.values[0])

    @property
    def interactions(self) -> list[Interaction]:
        """All but the total, in the order in which they were first seen."""
        return [i for s, i in self._known.items() if s]


def subsets(attributes: AttributeSet) -> Iterator[AttributeSet]:
    """The sets an attribute set is taken apart into: all subsets, or for large ones itself and the total."""
    if len(attributes) > _LARGEST_ORDER:
        yield from ((), attributes)
        return
    for order in range(len(attributes) + 1):
        yield from combinations(attributes, order)


def centred(table: Floats, attributes: AttributeSet) -> Floats:
    """The table less its means along each axis; a whole one less its mean; the total as it is."""
    if len(attributes) > _LARGEST_ORDER:
        return np.asarray(table - table.mean())
    for axis in range(table.ndim):
        table = table - table.mean(axis=axis, keepdims=True)
    return np.asarray(table)


def centring_terms(sizes: tuple[int, ...], attributes: AttributeSet) -> list[tuple[AttributeSet, float]]:
    """Centring by lower marginals of the same distribution: a factor for each subset's marginal."""
    total = cells(sizes, attributes)
    if len(attributes) > _LARGEST_ORDER:
        return [(attributes, 1.0), ((), -1.0 / total)]
    return [
        (s, math.copysign(1.0, (-1) ** (len(attributes) - len(s))) * cells(sizes, s) / total)
        for s in subsets(attributes)
    ]
