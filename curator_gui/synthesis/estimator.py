"""The distribution of greatest entropy that fits noisy marginals by least squares.

With measured interactions ȳ_s of weight W_s and total N, the model p minimizes

    ½·Σ_s W_s·‖N·C_s p − ȳ_s‖² − λ·K·H(p),

C_s p being p's interaction and K = N/σ (σ the finest noise), by which λ is a share of the noise whatever the
budget. Its Lagrange dual has no constraints and is smooth (Boyd and Vandenberghe, "Convex optimization",
§5.7): with p ∝ exp(Σ_s C_sᵀθ_s) minimize

    log Z(θ) − Σ_s θ_s·ȳ_s/N + ½·Σ_s λK/(W_s·N²)·‖θ_s‖²,

by L-BFGS. Its gradient is the misfit C_s p − ȳ_s/N, plus what λ allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from curator_gui.synthesis.beliefs import Layout, Model, calibrate
from curator_gui.synthesis.interactions import Interaction, MergedMeasurements, centring_terms
from curator_gui.synthesis.junction_tree import AttributeSet, cells
from curator_gui.synthesis.lbfgs import minimize

Floats = NDArray[np.float64]

LAMBDA = 1e-3

_SPARSE_CELLS = 4096


@dataclass(frozen=True)
class Effort:
    """When a fit stops: where no misfit is more than this share of its noise, or after so many iterations."""

    misfit: float
    iterations: int


LOOSE = Effort(misfit=0.1, iterations=30)
CONVERGED = Effort(misfit=1e-3, iterations=400)


class Estimator:
    """Fits a model to measurements again and again, each time from where the last fit ended."""

    def __init__(self, check: Callable[[], None]) -> None:
        """``check`` is called at every step of a fit, and may raise to end it."""
        self._check = check
        self._parameters: dict[AttributeSet, Floats] = {}
        self._problem: _Features | None = None

    def fit(self, layout: Layout, merged: MergedMeasurements, effort: Effort) -> Model:
        """The model on this tree, which must hold every measured set in a clique."""
        interactions = merged.interactions
        if not interactions:
            return Model.uniform(layout)
        features = self._features(layout, tuple(i.attributes for i in interactions))
        total = max(merged.total or 0.0, 1.0)
        dual = _Dual(features, interactions, total, self._check)
        start = np.concatenate(
            [self._parameters.get(i.attributes, _first_guess(i, total)) for i in interactions]
        )
        theta = dual.minimize(start, effort)
        ends = np.cumsum([len(i.values) for i in interactions])[:-1]
        parts = np.split(theta, ends)
        self._parameters = {i.attributes: t for i, t in zip(interactions, parts, strict=True)}
        return features.model(theta)

    def _features(self, layout: Layout, sets: tuple[AttributeSet, ...]) -> _Features:
        if self._problem is None or self._problem.layout is not layout or self._problem.sets != sets:
            self._problem = _Features(layout, sets)
        return self._problem


def _first_guess(interaction: Interaction, total: float) -> Floats:
    """Where a fit begins: independent attributes, each with the shares that were measured."""
    count = len(interaction.values)
    if len(interaction.attributes) > 1:
        return np.zeros(count)
    noise = 1 / np.sqrt(interaction.weight)
    logs = np.log(np.maximum(interaction.values + total / count, noise) / total)
    return np.asarray(logs - logs.mean())


class _Features:
    """The linear maps between clique cells and interactions, there and back."""

    def __init__(self, layout: Layout, sets: tuple[AttributeSet, ...]) -> None:
        self.layout = layout
        self.sets = sets
        self._marginals = _Marginalization(layout, sets)
        self._centring, self.offset = _centring(layout.tree.sizes, sets)
        self._spreading = self._centring.T.tocsr()

    def of(self, clique_cells: Floats) -> Floats:
        """The interactions of calibrated clique marginals."""
        return np.asarray(self._centring @ self._marginals.of(clique_cells) + self.offset)

    def potentials(self, theta: Floats) -> Floats:
        return self._marginals.spread(np.asarray(self._spreading @ theta))

    def model(self, theta: Floats) -> Model:
        _, marginals, conditionals = calibrate(self.layout, self.potentials(theta))
        return Model(self.layout, marginals, conditionals)


class _Marginalization:
    """Clique cells summed to many sets: by one sparse product where cliques are small, else one by one."""

    def __init__(self, layout: Layout, sets: tuple[AttributeSet, ...]) -> None:
        self._layout = layout
        tree = layout.tree
        starts = np.cumsum([0] + [cells(tree.sizes, s) for s in sets])
        homes = [tree.home(s) for s in sets]
        rows: list[NDArray[Any]] = [np.empty(0, np.int64)]
        columns: list[NDArray[Any]] = [np.empty(0, np.int64)]
        self._large: list[tuple[int, AttributeSet, slice]] = []
        for s, home, start, end in zip(sets, homes, starts[:-1], starts[1:], strict=True):
            if home is None:
                raise ValueError(f"no clique holds {s}")
            if layout.starts[home + 1] - layout.starts[home] > _SPARSE_CELLS:
                self._large.append((home, s, slice(int(start), int(end))))
                continue
            codes = np.arange(start, end).reshape(layout.shape(s))
            spread = np.broadcast_to(layout.broadcastable(home, codes, s), layout.shape(layout.axes[home]))
            rows.append(spread.ravel())
            columns.append(np.arange(layout.starts[home], layout.starts[home + 1]))
        row, column = np.concatenate(rows), np.concatenate(columns)
        shape = (int(starts[-1]), layout.starts[-1])
        self._sums = csr_array((np.ones(len(row)), (row, column)), shape=shape)
        self._spreads = self._sums.T.tocsr()

    def of(self, clique_cells: Floats) -> Floats:
        tables = np.asarray(self._sums @ clique_cells)
        for home, s, where in self._large:
            tables[where] = self._layout.reduced(home, clique_cells, s).ravel()
        return tables

    def spread(self, tables: Floats) -> Floats:
        clique_cells = np.asarray(self._spreads @ tables)
        for home, s, where in self._large:
            table = tables[where].reshape(self._layout.shape(s))
            target = self._layout.clique(clique_cells, home)
            target += self._layout.broadcastable(home, table, s)
        return clique_cells


class _Dual:
    """The function that L-BFGS minimizes."""

    def __init__(
        self,
        features: _Features,
        interactions: Sequence[Interaction],
        total: float,
        check: Callable[[], None],
    ) -> None:
        self._features = features
        self._check = check
        self._target = np.concatenate([i.values for i in interactions]) / total
        weights = np.repeat([i.weight for i in interactions], [len(i.values) for i in interactions])
        self._noise = 1 / (np.sqrt(weights) * total)
        self._ridge = LAMBDA * self._noise**2 / self._noise.min()

    def minimize(self, start: Floats, effort: Effort) -> Floats:
        return minimize(self, start, effort.misfit * self._noise, effort.iterations)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        self._check()
        features = self._features
        log_normalizer, marginals, _ = calibrate(features.layout, features.potentials(theta))
        gap = features.of(marginals) - self._target
        value = log_normalizer + theta @ (features.offset - self._target + 0.5 * self._ridge * theta)
        return float(value), gap + self._ridge * theta


def _centring(sizes: tuple[int, ...], sets: tuple[AttributeSet, ...]) -> tuple[csr_array, Floats]:
    """Centring of all sets' tables as one sparse matrix and, for the total of 1, an offset."""
    starts = dict(zip(sets, np.cumsum([0] + [cells(sizes, s) for s in sets]), strict=False))
    end = sum(cells(sizes, s) for s in sets)
    offset = np.zeros(end)
    rows, columns, values = [], [], []
    for s in sets:
        count = cells(sizes, s)
        own = slice(starts[s], starts[s] + count)
        for lower, factor in centring_terms(sizes, s):
            if not lower:
                offset[own] += factor
                continue
            codes = np.arange(cells(sizes, lower)).reshape([sizes[a] for a in lower])
            shape = [sizes[a] if a in lower else 1 for a in s]
            spread = np.broadcast_to(codes.reshape(shape), [sizes[a] for a in s])
            rows.append(np.arange(own.start, own.stop))
            columns.append(starts[lower] + spread.ravel())
            values.append(np.full(count, factor))
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return csr_array(entries, shape=(end, end)), offset
