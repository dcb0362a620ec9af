"""What a column's cells look like at a glance: distinct and missing values, a tiny histogram. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Column

MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one column: how many records, distinct values (missing not counted) and missing cells.

    bars: heights from 0 to 1. By value where the column has an order, else the most frequent first.
    """

    records: int
    distinct: int
    missing: int
    bars: tuple[float, ...]

    @property
    def missing_share(self) -> float:
        return self.missing / self.records if self.records else 0.0


def figures_of(column: Column) -> Figures:
    """The figures of a source column, from the counts of its distinct values."""
    missing = int(column.counts[column.missing].sum())
    distinct = len(column.values) - int(np.count_nonzero(column.missing))
    return Figures(column.rows, distinct, missing, _bars(column))


def figures_shown(shown: Shown, prefix: Prefix) -> Figures:
    """The figures of a column as prepared, over the records still present."""
    codes = shown.column.codes[prefix.present] if prefix.rows < shown.column.rows else shown.column.codes
    by_value = np.bincount(codes, minlength=len(shown.column.values))
    counts = np.bincount(shown.coarsening.codes, by_value, len(shown.coarsening.labels)).astype(np.int64)
    is_missing = np.fromiter((label is None for label in shown.coarsening.labels), np.bool_, len(counts))
    kept = counts[~is_missing]
    order = _class_order(shown)[~is_missing]
    in_order = kept[np.argsort(order, kind="stable")] if _has_order(shown.column) else -np.sort(-kept)
    in_order = in_order[in_order > 0]
    return Figures(prefix.rows, len(in_order), int(counts[is_missing].sum()), _heights(in_order))


def ranks(column: Column) -> NDArray[np.int64]:
    """[distinct] each value's place in the column's order: by number or date, else by code point.

    Values that do not read come after those that do, by code point; missing comes last.
    """
    texts = np.array(["" if v is None else v for v in column.values], object)
    read: NDArray[np.bool_] = np.zeros(len(texts), np.bool_)
    keys: NDArray[Any] = np.zeros(len(texts), np.int64)
    if column.type.is_number:
        read, keys = column.numbers.valid, column.numbers.scaled
    elif column.type.is_date:
        read, keys = column.dates.valid, column.dates.instants.astype(np.int64)
    order = np.flatnonzero(read)[np.argsort(keys[read], kind="stable")]
    rest = np.flatnonzero(~read & ~column.missing)
    by_text = rest[np.argsort(texts[rest], kind="stable")] if len(rest) else rest
    out = np.empty(len(texts), np.int64)
    out[np.concatenate([order, by_text, np.flatnonzero(column.missing)])] = np.arange(len(texts))
    return out


def _class_order(shown: Shown) -> NDArray[np.int64]:
    """[classes] the place of each class's first value."""
    first = np.full(len(shown.coarsening.labels), np.iinfo(np.int64).max)
    if _has_order(shown.column):
        np.minimum.at(first, shown.coarsening.codes, ranks(shown.column))
    return first


def _has_order(column: Column) -> bool:
    return column.type.is_number or column.type.is_date


def _bars(column: Column) -> tuple[float, ...]:
    if not _has_order(column):
        kept = column.counts[~column.missing]
        most = np.partition(kept, len(kept) - MOST_BARS)[-MOST_BARS:] if len(kept) > MOST_BARS else kept
        return _heights(-np.sort(-most))
    if column.type.is_number:
        valid, keys = column.numbers.valid, column.numbers.scaled.astype(np.float64)
    else:
        valid, keys = column.dates.valid, column.dates.instants.astype(np.int64).astype(np.float64)
    if not valid.any():
        return ()
    bins = min(MOST_BARS, int(np.count_nonzero(valid)))
    return _heights(np.histogram(keys[valid], bins, weights=column.counts[valid])[0])


def _heights(counts: NDArray[Any]) -> tuple[float, ...]:
    """Bars at most ``MOST_BARS``, neighbours added together, the highest of them 1."""
    if not len(counts) or not counts.max():
        return ()
    if len(counts) > MOST_BARS:
        starts = np.linspace(0, len(counts), MOST_BARS, endpoint=False).astype(np.int64)
        counts = np.add.reduceat(counts, starts)
    return tuple((counts / counts.max()).tolist())
