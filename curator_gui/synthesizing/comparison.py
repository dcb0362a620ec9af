"""A synthetic table beside the real one: for the curator's eyes, outside the guarantee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.session import Session
from curator_gui.synthesis.quality import Marginals, marginal_error
from curator_gui.synthesizing.domains import code_labels
from curator_gui.synthesizing.order import Order
from curator_gui.synthesizing.run import Made
from curator_gui.synthesizing.source import encoded


@dataclass(frozen=True, eq=False)
class Comparison:
    """Both tables as codes of one domain. Whoever sees it sees what the ledger does not account for."""

    order: Order
    real: Marginals
    synthetic: Marginals

    def errors(self) -> NDArray[np.float64]:
        """[d, d] ½‖p̂ − p‖₁ of every pair of columns, of single columns on the diagonal; each in [0, 1]."""
        count = len(self.order.domain.names)
        out = np.zeros((count, count))
        for a in range(count):
            for b in range(a + 1):
                out[a, b] = out[b, a] = marginal_error(self.real, self.synthetic, (b, a) if a > b else (a,))
        return out

    def error(self, columns: Sequence[str]) -> float:
        """½‖p̂ − p‖₁ of one marginal."""
        return marginal_error(self.real, self.synthetic, self._numbered(columns))

    def shares(self, column: str) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
        """A column's labels, and their shares in the real and in the synthetic table."""
        (a,) = self._numbered([column])
        real, synthetic = (m.counts((a,)) / max(m.rows, 1) for m in (self.real, self.synthetic))
        return code_labels(self.order.domain.columns[a]), real, synthetic

    def _numbered(self, columns: Sequence[str]) -> tuple[int, ...]:
        return tuple(sorted(self.order.domain.names.index(n) for n in columns))


def compare(session: Session, made: Made) -> Comparison:
    """The table that was made beside the one it was made from."""
    order = made.order
    codes: NDArray[Any] = encoded(session, order.origin, order.domain, order.unit)
    sizes = order.domain.sizes
    return Comparison(order, Marginals(codes, sizes), Marginals(made.synthesis.codes, sizes))
