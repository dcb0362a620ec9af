"""Belief propagation on a junction tree: from log potentials to every marginal of the model.

A clique's cells are held as a matrix [cells of its separator, cells of the rest], so that a message is one
reduction along rows. The upward pass works with logarithms and leaves each clique as a conditional given its
separator; the downward pass then only multiplies probabilities, and nothing can underflow to 0/0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.synthesis.junction_tree import AttributeSet, JunctionTree, cells

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the cells of a junction tree's cliques lie in one flat vector, and in which order of axes.

    axes: for each clique its attributes, those of its separator (in the parent's order) first.
    starts: [cliques + 1] where each clique's cells begin.
    """

    tree: JunctionTree
    axes: tuple[AttributeSet, ...] = field(init=False)
    starts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        axes: list[AttributeSet] = []
        starts = [0]
        for clique, parent in zip(self.tree.cliques, self.tree.parents, strict=True):
            shared = tuple(a for a in axes[parent] if a in clique) if parent >= 0 else ()
            axes.append(shared + tuple(a for a in clique if a not in shared))
            starts.append(starts[-1] + cells(self.tree.sizes, clique))
        object.__setattr__(self, "axes", tuple(axes))
        object.__setattr__(self, "starts", tuple(starts))

    @cached_property
    def edges(self) -> tuple[_Edge, ...]:
        """One for each clique but the root, in the order of the cliques."""
        return tuple(_Edge.of(self, i) for i in range(1, len(self.axes)))

    def shape(self, attributes: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.tree.sizes[a] for a in attributes)

    def clique(self, vector: Floats, i: int) -> Floats:
        """A view of clique i's cells with one axis for each of ``axes[i]``."""
        return vector[self.starts[i] : self.starts[i + 1]].reshape(self.shape(self.axes[i]))

    def broadcastable(self, i: int, table: Floats, attributes: AttributeSet) -> Floats:
        """A table over increasing attributes, shaped to be added to clique i."""
        order = [a for a in self.axes[i] if a in attributes]
        shape = [self.tree.sizes[a] if a in attributes else 1 for a in self.axes[i]]
        return table.transpose([attributes.index(a) for a in order]).reshape(shape)

    def reduced(self, i: int, vector: Floats, attributes: AttributeSet) -> Floats:
        """Clique i's cells summed to a table over increasing attributes."""
        order = [a for a in self.axes[i] if a in attributes]
        away = tuple(k for k, a in enumerate(self.axes[i]) if a not in attributes)
        table = np.add.reduce(self.clique(vector, i), axis=away) if away else self.clique(vector, i)
        return np.asarray(table).transpose([order.index(a) for a in attributes])


@dataclass(frozen=True)
class _Edge:
    """A clique, its parent, and the shapes in which they exchange messages."""

    child: slice
    matrix: tuple[int, int]
    parent: slice
    parent_shape: tuple[int, ...]
    message_shape: tuple[int, ...]
    summed: tuple[int, ...]

    @classmethod
    def of(cls, layout: Layout, i: int) -> _Edge:
        tree, parent = layout.tree, layout.tree.parents[i]
        shared = tree.separators[i]
        shared_cells = cells(tree.sizes, shared)
        axes = layout.axes[parent]
        return cls(
            slice(layout.starts[i], layout.starts[i + 1]),
            (shared_cells, (layout.starts[i + 1] - layout.starts[i]) // shared_cells),
            slice(layout.starts[parent], layout.starts[parent + 1]),
            layout.shape(axes),
            tuple(tree.sizes[a] if a in shared else 1 for a in axes),
            tuple(k for k, a in enumerate(axes) if a not in shared),
        )


def calibrate(layout: Layout, log_potentials: Floats) -> tuple[float, Floats, Floats]:
    """(log of the normalizer, marginals, conditionals given separators), the last two flat as the input."""
    work = log_potentials.copy()
    for edge in reversed(layout.edges):
        table = work[edge.child].reshape(edge.matrix)
        message = _normalize_rows(table)
        parent = work[edge.parent].reshape(edge.parent_shape)
        parent += message.reshape(edge.message_shape)
    root = work[: layout.starts[1]].reshape(1, -1)
    log_normalizer = float(_normalize_rows(root)[0])
    marginals = work.copy()
    for edge in layout.edges:
        above = np.add.reduce(marginals[edge.parent].reshape(edge.parent_shape), axis=edge.summed)
        below = marginals[edge.child].reshape(edge.matrix)
        below *= np.asarray(above).reshape(-1, 1)
    return log_normalizer, marginals, work


def _normalize_rows(table: Floats) -> Floats:
    """In place exp(table) with rows summing to 1; returns the logarithms of what the rows summed to."""
    peak = np.maximum.reduce(table, axis=1, keepdims=True)
    np.subtract(table, peak, out=table)
    np.exp(table, out=table)
    total = np.add.reduce(table, axis=1, keepdims=True)
    table /= total
    return (peak + np.log(total)).ravel()


@dataclass(frozen=True, eq=False)
class Model:
    """A calibrated model: a probability distribution over all attributes.

    marginals: the cliques' probabilities, flat. conditionals: each clique given its separator, flat.
    """

    layout: Layout
    marginals: Floats
    conditionals: Floats

    @classmethod
    def uniform(cls, layout: Layout) -> Model:
        _, marginals, conditionals = calibrate(layout, np.zeros(layout.starts[-1]))
        return cls(layout, marginals, conditionals)

    def marginal(self, attributes: AttributeSet) -> Floats:
        """The probabilities of any attribute set, one axis an attribute; exact, by elimination."""
        return self.all_marginals([attributes])[0]

    def all_marginals(self, wanted: Sequence[AttributeSet]) -> list[Floats]:
        """Many marginals, sharing the work that they have in common."""
        elimination = _Elimination(self)
        return [elimination.marginal(s) for s in wanted]


_Factor = tuple[Floats, AttributeSet]


class _Elimination:
    """Sums out what is not asked for, from the leaves to the highest clique that matters, and remembers."""

    def __init__(self, model: Model) -> None:
        self._layout = model.layout
        self._model = model
        self._known: dict[tuple[int, frozenset[int]], _Factor] = {}

    def marginal(self, attributes: AttributeSet) -> Floats:
        home = self._layout.tree.home(attributes)
        if home is not None:
            return self._layout.reduced(home, self._model.marginals, attributes)
        wanted = frozenset(attributes)
        top = self._top(wanted)
        table = self._layout.clique(self._model.marginals, top)
        return self._gather(top, (table, self._layout.axes[top]), wanted, attributes)[0]

    def _top(self, wanted: frozenset[int]) -> int:
        """The lowest clique under which, itself included, everything wanted lies."""
        tree, i = self._layout.tree, 0
        while True:
            lower = [c for c in tree.children[i] if wanted <= tree.below[c]]
            if not lower:
                return i
            i = lower[0]

    def _given_separator(self, i: int, wanted: frozenset[int]) -> _Factor:
        """P(wanted | separator of i), wanted lying below i and outside the separator."""
        if (i, wanted) not in self._known:
            table = self._layout.clique(self._model.conditionals, i)
            shared = self._layout.tree.separators[i]
            out = shared + tuple(sorted(wanted))
            self._known[i, wanted] = self._gather(i, (table, self._layout.axes[i]), wanted, out)
        return self._known[i, wanted]

    def _gather(self, i: int, own: _Factor, wanted: frozenset[int], out: AttributeSet) -> _Factor:
        """Multiply what the children say of the wanted into clique i's own table; sum the rest away."""
        tree = self._layout.tree
        missing = wanted - set(tree.cliques[i])
        parts = []
        for c in tree.children[i]:
            asked = missing & tree.below[c]
            if asked:
                parts.append(self._given_separator(c, frozenset(asked)))
                missing -= asked
        factor = own
        for k, part in enumerate(parts):
            needed = set(out).union(*(p[1] for p in parts[k + 1 :]))
            factor = _product(
                factor, part, tuple(a for a in dict.fromkeys(factor[1] + part[1]) if a in needed)
            )
        return factor if factor[1] == out else _product(factor, (np.ones(()), ()), out)


def _product(left: _Factor, right: _Factor, out: AttributeSet) -> _Factor:
    """Σ left·right over the attributes that are not in ``out``."""
    label = {a: k for k, a in enumerate(dict.fromkeys(left[1] + right[1]))}
    operands: list[Any] = [left[0], [label[a] for a in left[1]], right[0], [label[a] for a in right[1]]]
    large = left[0].size > 10_000
    return np.asarray(np.einsum(*operands, [label[a] for a in out], optimize=large)), out
