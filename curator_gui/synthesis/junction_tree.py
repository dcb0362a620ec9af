"""Junction trees: the shape of a model that can hold given marginals, and how many cells that takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

AttributeSet = tuple[int, ...]
"""Attribute numbers from 0, strictly increasing."""


@dataclass(frozen=True)
class JunctionTree:
    """One rooted tree over all attributes; parts that share nothing are joined by empty separators.

    sizes: [d] how many values each attribute has.
    cliques: root first, every parent before its children.
    parents: for each clique the number of its parent; -1 for the root.
    """

    sizes: tuple[int, ...]
    cliques: tuple[AttributeSet, ...]
    parents: tuple[int, ...]

    @cached_property
    def separators(self) -> tuple[AttributeSet, ...]:
        """For each clique what it shares with its parent; empty for the root."""
        return tuple(
            () if p < 0 else tuple(a for a in clique if a in self.cliques[p])
            for clique, p in zip(self.cliques, self.parents, strict=True)
        )

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(c for c, p in enumerate(self.parents) if p == i) for i in range(len(self.cliques)))

    @cached_property
    def below(self) -> tuple[frozenset[int], ...]:
        """For each clique the attributes of it and of all cliques under it."""
        below = [set(c) for c in self.cliques]
        for i in range(len(self.cliques) - 1, 0, -1):
            below[self.parents[i]] |= below[i]
        return tuple(frozenset(b) for b in below)

    @property
    def cells(self) -> int:
        """How many numbers the model holds."""
        return sum(cells(self.sizes, c) for c in self.cliques)

    def home(self, attributes: Iterable[int]) -> int | None:
        """The smallest clique that holds all these attributes, or None."""
        wanted = set(attributes)
        fits = [i for i, c in enumerate(self.cliques) if wanted <= set(c)]
        return min(fits, key=lambda i: cells(self.sizes, self.cliques[i]), default=None)


def cells(sizes: Sequence[int], attributes: AttributeSet) -> int:
    """How many cells a marginal has."""
    return math.prod(sizes[a] for a in attributes)


def junction_tree(sizes: Sequence[int], sets: Iterable[AttributeSet]) -> JunctionTree:
    """A junction tree each of whose sets lies in a clique: greedy, of two heuristics the smaller."""
    return _rooted(tuple(sizes), _smaller_cliques(tuple(sizes), list(sets)))


def model_cells(sizes: Sequence[int], sets: Iterable[AttributeSet]) -> int:
    """The cells of ``junction_tree(sizes, sets)``, without building the tree."""
    return sum(cells(sizes, c) for c in _smaller_cliques(tuple(sizes), list(sets)))


def _smaller_cliques(sizes: tuple[int, ...], sets: list[AttributeSet]) -> list[AttributeSet]:
    found = [_eliminate(sizes, sets, score) for score in (_fill, _size)]
    return min(found, key=lambda cliques: sum(cells(sizes, c) for c in cliques))


_Score = Callable[[int, list[int], tuple[int, ...]], float]


def _eliminate(sizes: tuple[int, ...], sets: list[AttributeSet], score: _Score) -> list[AttributeSet]:
    """Eliminate the attribute of least score until none is left; the maximal cliques met on the way.

    Sets of attributes are bits of an integer: ``near[a]`` holds a's neighbours that are left.
    """
    near = [0] * len(sizes)
    for attributes in sets:
        mask = sum(1 << a for a in attributes)
        for a in attributes:
            near[a] |= mask & ~(1 << a)
    left = list(range(len(sizes)))
    scores = {a: score(a, near, sizes) for a in left}
    cliques: list[int] = []
    while left:
        a = min(left, key=lambda b: (scores[b], b))
        left.remove(a)
        clique = near[a] | 1 << a
        if not any(clique & other == clique for other in cliques):
            cliques.append(clique)
        touched = near[a]
        for b in _bits(near[a]):
            near[b] = (near[b] | near[a]) & ~(1 << b | 1 << a)
            touched |= near[b]
        for b in _bits(touched):
            scores[b] = score(b, near, sizes)
    return [tuple(_bits(c)) for c in cliques]


def _fill(a: int, near: list[int], sizes: tuple[int, ...]) -> float:
    """Min-fill: how many pairs of neighbours would have to be joined."""
    missing = sum((near[a] & ~near[b]).bit_count() - 1 for b in _bits(near[a]))
    return missing + _size(a, near, sizes) * 1e-6


def _size(a: int, near: list[int], sizes: tuple[int, ...]) -> float:
    """Min-size: the logarithm of the cells of the clique that eliminating it makes."""
    return math.log(sizes[a]) + sum(math.log(sizes[b]) for b in _bits(near[a]))


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits


def _rooted(sizes: tuple[int, ...], cliques: list[AttributeSet]) -> JunctionTree:
    """A maximum spanning tree over shared attributes (Prim's method), grown from the largest clique."""
    if not cliques:
        return JunctionTree(sizes, ((),), (-1,))
    members = [set(c) for c in cliques]
    root = max(range(len(cliques)), key=lambda i: cells(sizes, cliques[i]))
    order, place = [root], {root: 0}
    parents = [-1]
    best = {i: (len(members[i] & members[root]), root) for i in range(len(cliques)) if i != root}
    while best:
        i = max(best, key=lambda j: (best[j][0], -j))
        parents.append(place[best.pop(i)[1]])
        place[i] = len(order)
        order.append(i)
        for j, (shared, _) in best.items():
            if len(members[i] & members[j]) > shared:
                best[j] = (len(members[i] & members[j]), i)
    return JunctionTree(sizes, tuple(cliques[i] for i in order), tuple(parents))
