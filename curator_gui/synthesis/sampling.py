"""Rows from a model by rounding: counts of every clique's cells follow the model to within one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.table import code_dtype
from curator_gui.synthesis.beliefs import Model

Floats = NDArray[np.float64]
Codes = NDArray[np.unsignedinteger[Any]]


def draw_rows(model: Model, rows: int, random: np.random.Generator, check: Callable[[], None]) -> Codes:
    """[rows, d] codes. ``check`` is called at every clique, and may raise to end the drawing."""
    layout = model.layout
    sizes = layout.tree.sizes
    codes = np.zeros((len(sizes), rows), code_dtype(max(sizes)))
    for i, axes in enumerate(layout.axes):
        check()
        shared = axes[: len(layout.tree.separators[i])]
        rest = axes[len(shared) :]
        shared_cells = int(np.prod(layout.shape(shared), dtype=np.int64))
        table = model.conditionals[layout.starts[i] : layout.starts[i + 1]].reshape(shared_cells, -1)
        group = _flat(codes, shared, layout.shape(shared), rows)
        drawn = _draw(table, group, random)
        for a, part in zip(rest, np.unravel_index(drawn, layout.shape(rest)) if rest else (), strict=True):
            codes[a] = part
    return codes[:, random.permutation(rows)].T


def _flat(codes: Codes, shared: tuple[int, ...], shape: tuple[int, ...], rows: int) -> NDArray[np.intp]:
    """[rows] the cell of the separator each row lies in."""
    if not shared:
        return np.zeros(rows, np.intp)
    return np.asarray(np.ravel_multi_index([codes[a] for a in shared], shape), np.intp)


def _draw(table: Floats, group: NDArray[np.intp], random: np.random.Generator) -> NDArray[np.intp]:
    """[rows] a column of the table for every row: each group's shares in whole rows, shuffled."""
    totals = np.bincount(group, minlength=len(table))
    counts = rounded_shares(table, totals, random)
    columns = np.repeat(np.tile(np.arange(table.shape[1]), len(table)), counts.ravel())
    shuffled = random.permutation(len(group))
    order = shuffled[np.argsort(group[shuffled], kind="stable")]
    drawn = np.empty(len(group), np.intp)
    drawn[order] = columns
    return drawn


def rounded_shares(
    table: Floats, totals: NDArray[np.int64], random: np.random.Generator
) -> NDArray[np.int64]:
    """[groups, cells] whole numbers that sum to ``totals`` by row, each within one of total · share.

    Systematic rounding: a group's cumulated shares are cut at the whole numbers from a random start.
    """
    ends = np.cumsum(table, axis=1)
    ends *= (totals / ends[:, -1])[:, None]
    ends[:, -1] = totals
    cuts = np.floor(ends + random.random((len(table), 1))).astype(np.int64)
    cuts[:, -1] = totals
    np.minimum(cuts, totals[:, None], out=cuts)
    return np.diff(cuts, axis=1, prepend=0)
