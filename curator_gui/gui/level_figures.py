"""What a view does to a column's values, and views from what a person typed. No Qt here."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping as Pairs
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.decimals import decimal_text
from curator_gui.core.errors import ViewError
from curator_gui.core.hierarchy import Hierarchy, Rung
from curator_gui.core.table import Column
from curator_gui.core.view import Bins, Mapping, Prefix, View, Width, coarsen, require_fit

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_MOST_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """Of one view: its classes, the records of the smallest, the share of entropy kept, some labels."""

    classes: int
    smallest: int
    kept: float
    examples: tuple[str, ...]


def level_figures(view: View, column: Column, ladder: Hierarchy | None) -> LevelFigures:
    """Evaluate a view on a column; ViewError, with the witness, where it does not fit."""
    require_fit(view, column)
    coarsening = coarsen(view, column, ladder)
    counts = np.bincount(coarsening.codes, column.counts, len(coarsening.labels))
    before, after = _entropy(column.counts), _entropy(counts)
    most = np.argsort(-counts, kind="stable").tolist()
    examples = [x for x in (coarsening.labels[i] for i in most[: _MOST_EXAMPLES + 1]) if x is not None]
    used = counts[counts > 0]
    smallest = int(used.min()) if len(used) else 0
    kept = after / before if before else 1.0
    return LevelFigures(len(used), smallest, kept, tuple(examples[:_MOST_EXAMPLES]))


def _entropy(counts: NDArray[Any]) -> float:
    shares = np.asarray(counts[counts > 0], np.float64)
    shares /= shares.sum() if len(shares) else 1.0
    return float(-(shares * np.log(shares)).sum()) + 0.0


def number(text: str) -> Decimal:
    """A number as typed; ViewError where it is none."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ViewError(f"“{text.strip()}” is not a number; write one such as 10 or 0.5.")
    return Decimal(text.strip())


def numbers(text: str) -> tuple[Decimal, ...]:
    """Numbers parted by commas, semicolons or blanks."""
    return tuple(number(part) for part in re.split(r"[,;\s]+", text.strip()) if part)


def bins_typed(text: str) -> Bins:
    """Bins from edges as typed: "18, 40, 65"."""
    edges = numbers(text)
    if not edges:
        raise ViewError("Type the edges of the bins, such as 18, 40, 65.")
    return Bins(edges)


def width_typed(text: str, origin: str = "") -> Width:
    """Equal widths from a width and an origin as typed; no origin is 0."""
    if not text.strip():
        raise ViewError("Type a width, such as 10.")
    return Width(number(text), number(origin) if origin.strip() else Decimal(0))


def lengths_typed(text: str) -> tuple[Prefix, ...]:
    """Prefixes from lengths as typed, the longest first whatever the order: "3, 1"."""
    lengths = numbers(text)
    if any(n != n.to_integral_value() for n in lengths):
        raise ViewError("The number of characters is a whole number.")
    return tuple(Prefix(int(n)) for n in sorted(set(lengths), reverse=True))


def mapping_of(column: Column, groups: Pairs[str | None, str]) -> Mapping:
    """A map of every value of a column: to its group, or to itself; missing only where it has a group."""
    pairs = [(v, groups.get(v, v)) for v in column.values if v is not None]
    known = {v for v in column.values if v is not None}
    elsewhere = [(v, g) for v, g in groups.items() if v not in known]
    return Mapping((*pairs, *elsewhere))


def groups_in(mapping: Mapping) -> dict[str | None, str]:
    """The values a map puts under another label than their own."""
    return {value: label for value, label in mapping.pairs if value != label}


def completed(ladder: Hierarchy, column: Column) -> Hierarchy:
    """The ladder with every value it leaves out standing for itself at each of its levels."""
    values = [v for v in column.values if v is not None]
    levels: list[Rung] = []
    for rung in ladder.levels:
        if isinstance(rung, Mapping):
            listed = {value for value, _ in rung.pairs}
            levels.append(Mapping((*rung.pairs, *((v, v) for v in values if v not in listed))))
        else:
            levels.append(rung)
    return Hierarchy(ladder.kind, tuple(levels), ladder.provenance)


def uncovered(ladder: Hierarchy, column: Column) -> Sequence[str]:
    """The values of the column that some level leaves out, in order."""
    maps = [{v for v, _ in rung.pairs} for rung in ladder.levels if isinstance(rung, Mapping)]
    return [v for v in column.values if v is not None and any(v not in listed for listed in maps)]


# Numbers over their range


@dataclass(frozen=True, slots=True)
class Spread:
    """The numbers of a column in bars of equal width, heights from 0 to 1, from ``low`` to ``high``."""

    low: float
    high: float
    low_text: str
    high_text: str
    bars: tuple[float, ...]

    def place(self, number: float) -> float:
        """Where a number stands, 0 at the low end, 1 at the high one."""
        return (number - self.low) / (self.high - self.low) if self.high > self.low else 0.5


_BARS = 60
_MOST_CUTS = 200


def spread_of(column: Column) -> Spread | None:
    """The spread of a number column; None where it has no number."""
    numbers = column.numbers
    if not numbers.valid.any():
        return None
    units = numbers.scaled[numbers.valid]
    values = units.astype(np.float64) / 10.0**numbers.scale
    heights = np.histogram(values, _BARS, weights=column.counts[numbers.valid])[0]
    low, high = (decimal_text(int(u), numbers.scale) for u in (units.min(), units.max()))
    return Spread(values.min(), values.max(), low, high, tuple((heights / heights.max()).tolist()))


def cuts_of(view: View, spread: Spread) -> tuple[float, ...]:
    """Where a view cuts the range; none where they would be too many to tell apart."""
    if isinstance(view, Bins):
        return tuple(float(e) for e in view.edges if spread.low < e <= spread.high)
    if not isinstance(view, Width):
        return ()
    width, origin = float(view.width), float(view.origin)
    first = math.floor((spread.low - origin) / width) + 1
    last = math.floor((spread.high - origin) / width)
    return tuple(origin + k * width for k in range(first, last + 1)) if last - first < _MOST_CUTS else ()
