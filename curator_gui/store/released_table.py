"""The table of a release: which rows in which order, and how its cells are spelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix
from curator_gui.core.progress import Progress
from curator_gui.core.table import ColumnType, code_dtype
from curator_gui.store.files import TemporaryFile, write_error
from curator_gui.store.read_back import WRITTEN
from curator_gui.store.readers import CsvDialect, Reader
from curator_gui.store.readers.library import sha256_of
from curator_gui.store.spelling import Labels, Spelling
from curator_gui.store.writers import Format, OutColumn, formula_labels, neutral, write_table


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """What is written. spelled: for each column, the texts of its classes. neutralized: cells, by column."""

    format: Format
    dialect: CsvDialect
    order: NDArray[np.int64]
    columns: Sequence[OutColumn]
    spelled: Sequence[Sequence[str | None]]
    neutralized: Mapping[str, int]
    labels: Labels

    @classmethod
    def of(
        cls,
        prefix: Prefix,
        format: Format,
        dialect: CsvDialect,
        names: Mapping[str, str],
        *,
        spelling: Spelling,
        keep_order: bool,
    ) -> ReleasedTable:
        if dialect.encoding in ("utf-8", "utf-8-sig"):
            dialect = replace(dialect, encoding="utf-8-sig" if spelling.byte_order_mark else "utf-8")
        order = np.flatnonzero(prefix.present)
        if not keep_order:
            order = order[_sorted_by_released_values(prefix, order)]
        delimited = format in ("csv", "tsv")
        spelled = [spelling.of(s, delimited=delimited) for s in prefix.shown]
        safe = spelling.for_spreadsheet
        neutralized = spelling.neutralized(prefix.shown, order) if safe and delimited else {}
        columns = [
            OutColumn(
                _neutral_name(names[s.name]) if safe else names[s.name],
                s.coarsening.codes[s.column.codes[order]],
                texts,
                s.column.type,
                spelling.labelled(s),
            )
            for s, texts in zip(prefix.shown, spelled, strict=True)
        ]
        return cls(format, dialect, order, columns, spelled, neutralized, spelling.labels)

    def write(self, table: TemporaryFile, path: Path, progress: Progress) -> tuple[Reader, str]:
        """Write what will be at ``path``; how it is read back, and the hash of what was written."""
        try:
            reader = write_table(
                table.path,
                self.format,
                self.columns,
                self.dialect,
                progress=lambda done, what: progress(done * WRITTEN, what),
            )
            sha256 = sha256_of(table.path)
            table.prepare(mode=0o644)
        except OSError as error:
            raise write_error(path, error) from None
        return reader, sha256


def _neutral_name(name: str) -> str:
    return neutral(name) if formula_labels([name], ColumnType())[0] else name


def _sorted_by_released_values(prefix: Prefix, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order of the rows by their released texts, missing first, column by column."""
    keys = []
    for shown in prefix.shown:
        labels = shown.coarsening.labels
        by_text = sorted(range(len(labels)), key=lambda i: (labels[i] is not None, labels[i] or ""))
        rank = np.empty(len(labels), code_dtype(len(labels)))
        rank[by_text] = np.arange(len(labels))
        keys.append(rank[shown.coarsening.codes][shown.column.codes[rows]])
    return np.lexsort(keys[::-1]) if keys else np.arange(len(rows))
