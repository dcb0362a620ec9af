"""Rows of texts, as they come, coded into columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np

from curator_gui.core.table import Column, Table, as_objects, code_dtype

Cells = Sequence[str | None]


class RowCoding:
    """Codes rows one by one; cells beyond ``width`` are left out, those not there are missing.

    missing: texts that mean missing.
    """

    def __init__(self, width: int, missing: Iterable[str]) -> None:
        self._index: list[dict[str | None, int]] = [{} for _ in range(width)]
        self._codes = [array("I") for _ in range(width)]
        self._missing = frozenset(missing)
        self.rows = 0

    def add(self, row: Cells) -> None:
        for place, (index, codes) in enumerate(zip(self._index, self._codes, strict=True)):
            text = row[place] if place < len(row) else None
            if text in self._missing:
                text = None
            codes.append(index.setdefault(text, len(index)))
        self.rows += 1

    def table(self, names: Sequence[str]) -> Table:
        columns = []
        for name, index, codes in zip(names, self._index, self._codes, strict=True):
            numbers = np.frombuffer(codes, np.uint32).astype(code_dtype(len(index))) if len(codes) else None
            empty = np.zeros(0, np.uint8)
            columns.append(Column(name, empty if numbers is None else numbers, as_objects(list(index))))
        return Table(tuple(columns), self.rows)
