"""A vertical axis for disclosure: logarithms laid out evenly, labelled as factors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_MANTISSAS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))
_STRIDES = (100, 50, 20, 10, 5, 3, 2)
_STEPS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_MOST_TICKS = 40
_MOST_LABELS = 8
_SMALLEST_SPAN = math.log(1.2)


@dataclass(frozen=True)
class Scale:
    """Maps evidence from ``low`` to ``high`` (natural logarithms) to pixels from ``bottom`` up to ``top``."""

    low: float
    high: float
    bottom: float
    top: float

    def y(self, alpha: float) -> float:
        """The height of a value in pixels; values off the scale are put at its ends."""
        share = (min(max(alpha, self.low), self.high) - self.low) / (self.high - self.low)
        return self.bottom + share * (self.top - self.bottom)

    def ticks(self, apart: float) -> list[float]:
        """Logarithms of round factors at least ``apart`` pixels from each other; as many as fit, about 8."""
        apart = max(apart, abs(self.bottom - self.top) / _MOST_LABELS)
        best: list[float] = []
        for factors in _families(math.exp(self.low), math.exp(min(self.high, 600.0))):
            found = [math.log(f) for f in factors]
            heights = [self.y(a) for a in found]
            if any(abs(b - a) < apart for a, b in pairwise(heights)):
                continue
            if len(found) > len(best):
                best = found
        return best


def scale_for(values: Iterable[float | None], budget: float, bottom: float, top: float) -> Scale:
    """A scale that holds ×1, the budget and every finite value, with some air above."""
    finite = [v for v in values if v is not None and math.isfinite(v)]
    low, high = min(0.0, *finite, 0.0), max(budget, *finite, 0.0)
    high = max(high, low + _SMALLEST_SPAN)
    return Scale(low, high + 0.12 * (high - low), bottom, top)


def _families(low: float, high: float) -> Iterator[list[float]]:
    """Sets of round factors within [low, high], coarse ones first."""
    tiny = 1e-9 * high
    lowest, highest = math.floor(math.log10(low)), math.floor(math.log10(high) + 1e-9)
    for stride in _STRIDES:
        yield [10.0**d for d in range(0, highest + 1, stride)]
    for mantissas in _MANTISSAS:
        factors = [m * 10.0**d for d in range(lowest, highest + 1) for m in mantissas]
        yield [f for f in factors if low - tiny <= f <= high + tiny]
    for step in _STEPS:
        first, last = math.ceil((low - tiny) / step), math.floor((high + tiny) / step)
        if last - first <= _MOST_TICKS:
            yield [k * step for k in range(max(first, 1), last + 1)]
