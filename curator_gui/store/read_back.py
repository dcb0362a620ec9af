"""A written table is read back: is it what was scored?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import FileError
from curator_gui.core.preparation import Shown
from curator_gui.core.progress import Progress
from curator_gui.core.table import Column, Table, as_objects, code_dtype
from curator_gui.core.view import Identity, coarsen
from curator_gui.disclosure.classes import Reading, SeenColumn, classify, released_reading
from curator_gui.disclosure.evidence import rates, worst_target
from curator_gui.disclosure.standing import Standing
from curator_gui.store.readers import Reader, read_table

WRITTEN = 0.5
"""The share of the work that is done when the file is written and not yet read back."""


class ReadBack:
    """Reads a written file back and holds it against what was scored.

    name: what the file will be called. order: the rows written. spelled: for each shown column, the texts of
    its classes. sha256: of the bytes written.
    """

    def __init__(
        self,
        name: str,
        standing: Standing,
        order: NDArray[np.int64],
        spelled: Sequence[Sequence[str | None]],
        *,
        sha256: str,
        progress: Progress,
    ) -> None:
        self._name = name
        self._standing = standing
        self._order = order
        self._spelled = spelled
        self._sha256 = sha256
        self._progress = progress

    def check(self, written: Path, reader: Reader) -> None:
        """FileError where anything differs: bytes, rows, columns, cells, classes, or the worst target."""
        try:
            read = read_table(
                written,
                reader,
                lambda done, what: self._progress(WRITTEN + (1 - WRITTEN) * done, what),
            )
        except FileError:
            raise self._changed() from None
        if read.sha256 != self._sha256 or read.rows != len(self._order):
            raise self._changed()
        if len(read.table.columns) != len(self._standing.prefix.shown):
            raise self._changed()
        self._compare_classes(read.table)

    def _compare_classes(self, table: Table) -> None:
        standing = self._standing
        parts = zip(standing.prefix.shown, self._spelled, table.columns, strict=True)
        columns = [self._as_read(shown, texts, cells) for shown, texts, cells in parts]
        seen = tuple(SeenColumn(c, (coarsen(Identity(), c, None),)) for c in columns)
        from_file = classify(standing.population, Reading(seen, standing.prefix.present, None))
        scored = classify(standing.population, released_reading(standing.prefix))
        if from_file.count != scored.count or not _one_to_one(from_file.of_row, scored.of_row, scored.count):
            raise self._changed()
        found = rates(standing.population, from_file.profile, from_file.size, from_file.holding)
        expected = rates(standing.population, scored.profile, scored.size, scored.holding)
        worst = worst_target(found, from_file.first_target)
        if worst != worst_target(expected, scored.first_target):
            raise self._changed()

    def _as_read(self, shown: Shown, texts: Sequence[str | None], cells: Column) -> Column:
        """The column with the present rows as the file has them and the others as they would be shown."""
        self._progress(1.0, "Comparing the file")
        labels: dict[str | None, int] = {text: i for i, text in enumerate(texts)}
        lookup = np.fromiter(
            (labels.setdefault(v, len(labels)) for v in cells.values), np.int64, len(cells.values)
        )
        codes = shown.coarsening.codes[shown.column.codes].astype(np.int64)
        if not np.array_equal(codes[self._order], lookup[cells.codes]):
            raise self._changed()
        codes[self._order] = lookup[cells.codes]
        return Column(shown.name, codes.astype(code_dtype(len(labels))), as_objects(list(labels)))

    def _changed(self) -> FileError:
        return FileError(
            f"“{self._name}” did not read back as it was scored, so nothing was released and the old file "
            "stays; check the disk and release again."
        )


def _one_to_one(left: NDArray[np.int32], right: NDArray[np.int32], count: int) -> bool:
    """Whether two numberings of the same rows make the same classes."""
    image = np.zeros(count, np.int32)
    image[left] = right
    back = np.zeros(count, np.int32)
    back[right] = left
    return bool(np.array_equal(image[left], right) and np.array_equal(back[right], left))
