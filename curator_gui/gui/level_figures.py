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


def quantiles_typed(text: str, column: Column) -> Bins:
    """Bins of about as many records each: ``text`` says how many bins. Fewer where values repeat."""
    groups = _whole(text, "Type how many groups, such as 4.")
    if groups < 2:
        raise ViewError("Quantiles need two groups or more; all values as one are “*”.")
    numbers = column.numbers
    order = np.argsort(numbers.scaled[numbers.valid], kind="stable")
    units = numbers.scaled[numbers.valid][order]
    before = np.cumsum(column.counts[numbers.valid][order]) - column.counts[numbers.valid][order]
    total = int(column.counts[numbers.valid].sum())
    places = np.searchsorted(before, [total * k / groups for k in range(1, groups)])
    edges = sorted({int(units[p]) for p in places if 0 < p < len(units)})
    if not edges:
        raise ViewError(f"“{column.name}” has too few different numbers for {groups} groups.")
    return Bins(tuple(Decimal(decimal_text(e, numbers.scale)) for e in edges))


_MOST_EDGES = 1000


def coded_ends_typed(text: str, low: str, high: str) -> Bins:
    """Bottom and top coding: all below ``low`` one bin, all from ``high`` on one, widths of ``text`` between.

    No width: one bin between; no low or no high: that end is left open by one edge.
    """
    if not low.strip() or not high.strip():
        ends = [number(end) for end in (low, high) if end.strip()]
        if not ends:
            raise ViewError("Type below which number, and from which on, values are one class.")
        return Bins(tuple(ends))
    bottom, top = number(low), number(high)
    if bottom >= top:
        raise ViewError(f"The bottom, {low.strip()}, must be below the top, {high.strip()}.")
    if not text.strip():
        return Bins((bottom, top))
    width = number(text)
    if width <= 0 or (top - bottom) / width > _MOST_EDGES:
        raise ViewError(f"The width must be above 0 and give at most {_MOST_EDGES} bins.")
    steps = math.ceil((top - bottom) / width)
    return Bins((*(bottom + k * width for k in range(steps)), top))


def _whole(text: str, otherwise: str) -> int:
    if not text.strip():
        raise ViewError(otherwise)
    typed = number(text)
    if typed != typed.to_integral_value():
        raise ViewError(otherwise)
    return int(typed)


def lengths_typed(text: str) -> tuple[Prefix, ...]:
    """Prefixes from lengths as typed, the longest first whatever the order: "3, 1"."""
    lengths = numbers(text)
    if any(n != n.to_integral_value() for n in lengths):
        raise ViewError("The number of characters is a whole number.")
    return tuple(Prefix(int(n)) for n in sorted(set(lengths), reverse=True))


def mapping_of(values: Sequence[str | None], groups: Pairs[str | None, str]) -> Mapping:
    """A map of every value: to its group, or to itself; missing only where it has a group."""
    pairs = [(v, groups.get(v, v)) for v in values if v is not None]
    missing = groups.get(None)
    return Mapping((*pairs, *(() if missing is None else ((None, missing),))))


def groups_in(mapping: Mapping) -> dict[str | None, str]:
    """The values a map puts under another label than their own."""
    return {value: label for value, label in mapping.pairs if value != label}


def completed(ladder: Hierarchy, column: Column, label: str | None = None) -> Hierarchy:
    """The ladder with every value it leaves out standing for itself, or under ``label``, at each level."""
    values = [v for v in column.values if v is not None]
    levels: list[Rung] = []
    for rung in ladder.levels:
        if isinstance(rung, Mapping):
            listed = {value for value, _ in rung.pairs}
            levels.append(Mapping((*rung.pairs, *((v, label or v) for v in values if v not in listed))))
        else:
            levels.append(rung)
    return Hierarchy(ladder.kind, tuple(levels), ladder.provenance)


def uncovered(ladder: Hierarchy, column: Column) -> Sequence[str]:
    """The values of the column that some level leaves out, in order."""
    maps = [{v for v, _ in rung.pairs} for rung in ladder.levels if isinstance(rung, Mapping)]
    return [v for v in column.values if v is not None and any(v not in listed for listed in maps)]


def fitting(ladder: Hierarchy, columns: Sequence[Column]) -> str | None:
    """The column whose values the ladder covers best, if it covers more than half of them."""
    best, covered = None, 0.5
    for column in columns:
        values = sum(v is not None for v in column.values)
        share = 1 - len(uncovered(ladder, column)) / values if values else 0.0
        if share > covered:
            best, covered = column.name, share
    return best


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
