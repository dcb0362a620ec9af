"""How far a synthetic table is from the real one on given marginals: looks at the rows, never private."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.synthesis.junction_tree import AttributeSet, cells

Codes = NDArray[np.integer[Any]]


class Marginals:
    """The counts of a coded table's marginals, each computed once. codes: [rows, d], below ``sizes``."""

    def __init__(self, codes: Codes, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self.rows = len(codes)
        self._columns = [np.ascontiguousarray(codes[:, a]) for a in range(len(sizes))]
        self._known: dict[AttributeSet, NDArray[np.int32]] = {}

    def counts(self, attributes: AttributeSet) -> NDArray[np.int32]:
        """[cells] how many rows lie in each cell, in C order."""
        known = self._known.get(attributes)
        if known is None:
            flat = np.zeros(self.rows, np.intp)
            for a in attributes:
                flat *= self.sizes[a]
                flat += self._columns[a]
            known = np.bincount(flat, minlength=cells(self.sizes, attributes)).astype(np.int32)
            self._known[attributes] = known
        return known


def marginal_error(real: Marginals, synthetic: Marginals, attributes: AttributeSet) -> float:
    """½‖p̂ − p‖₁ of the normalized marginals, in [0, 1]; a table without rows counts as all zeros."""
    p = real.counts(attributes) / max(real.rows, 1)
    q = synthetic.counts(attributes) / max(synthetic.rows, 1)
    return float(0.5 * np.abs(q - p).sum())


def mean_error(real: Marginals, synthetic: Marginals, queries: Iterable[AttributeSet]) -> float:
    """The mean of ``marginal_error`` over the queries; NaN over none."""
    errors = [marginal_error(real, synthetic, q) for q in queries]
    return float(np.mean(errors)) if errors else float("nan")
