"""A release: the curated table and its two manifests, verified from the bytes before anything is replaced.

The table goes to a temporary file, is synced and read back; its classes are computed again from what was read
and compared with those that were scored, and α with them. Only then is it renamed into place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui import __version__
from curator_gui.core.errors import FileError
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import Column, ColumnType, Table, as_objects, code_dtype
from curator_gui.core.view import Identity, coarsen, describe_view
from curator_gui.disclosure.classes import Reading, SeenColumn, classify, released_reading
from curator_gui.disclosure.evidence import rates, worst_target
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import Trajectory
from curator_gui.disclosure.warnings import warnings
from curator_gui.store.files import temporary_beside, write_atomically, write_error
from curator_gui.store.readers import CsvDialect, Reader, read_table
from curator_gui.store.readers.library import sha256_of
from curator_gui.store.session_file import number_to_json, plan_to_json
from curator_gui.store.spelling import Spelling
from curator_gui.store.writers import OutColumn, format_of, formula_labels, neutral, write_table

EXTERNAL_SUFFIX = ".manifest.json"
INTERNAL_SUFFIX = ".internal.json"
_READ_BACK = 0.5
PLAIN = Spelling()


@dataclass(frozen=True)
class Released:
    """What was written. ``manifest`` is the internal one, that stays with the curator."""

    path: Path
    sha256: str
    rows: int
    columns: tuple[str, ...]
    external_path: Path
    internal_path: Path | None
    manifest: Mapping[str, Any]


def write_release(
    path: Path,
    standing: Standing,
    trajectory: Trajectory,
    dialect: CsvDialect,
    *,
    names: Mapping[str, str],
    reason: str | None,
    kept_identifiers: tuple[str, ...],
    source_sha256: str,
    session_path: Path | None,
    keep_order: bool = False,
    spelling: Spelling = PLAIN,
    progress: Progress = silent,
) -> Released:
    """Write and verify a release. FileError where it cannot be written or does not read back as scored.

    The format is that of the path's suffix; ``dialect`` is for delimited text.
    Rows are sorted by their released values unless ``keep_order``: the source's order can give people away.
    ``names``: the header of each column. The internal manifest goes beside the session, mode 0600.
    """
    prefix = standing.prefix
    format = format_of(path)
    if dialect.encoding in ("utf-8", "utf-8-sig"):
        dialect = replace(dialect, encoding="utf-8-sig" if spelling.byte_order_mark else "utf-8")
    order = np.flatnonzero(prefix.present)
    if not keep_order:
        order = order[_sorted_by_released_values(prefix, order)]
    delimited = format in ("csv", "tsv")
    spelled = [spelling.of(s, delimited=delimited) for s in prefix.shown]
    neutralized = spelling.neutralized(prefix.shown, order) if spelling.for_spreadsheet and delimited else {}
    columns = [
        OutColumn(names[s.name], s.coarsening.codes[s.column.codes[order]], texts, s.column.type)
        for s, texts in zip(prefix.shown, spelled, strict=True)
    ]
    columns = (
        [replace(c, name=_neutral_name(c.name)) for c in columns] if spelling.for_spreadsheet else columns
    )
    with temporary_beside(path) as temporary:
        try:
            reader = write_table(
                temporary.path,
                format,
                columns,
                dialect,
                progress=lambda done, what: progress(done * _READ_BACK, what),
            )
            sha256 = sha256_of(temporary.path)
            verify = _Verification(standing, order, reader, spelled, sha256=sha256, progress=progress)
            temporary.commit(mode=0o644, before_rename=verify)
        except OSError as error:
            raise write_error(path, error) from None
    external = path.with_name(path.name + EXTERNAL_SUFFIX)
    write_atomically(external, _json(external_manifest(prefix, path.name, sha256, neutralized)))
    internal = internal_path(session_path, path, sha256)
    manifest = internal_manifest(
        standing,
        trajectory,
        sha256=sha256,
        source_sha256=source_sha256,
        reason=reason,
        kept_identifiers=kept_identifiers,
    )
    manifest |= {"format_written": format, "reader": reader.to_json(), "neutralized_cells": neutralized}
    if spelling.labels != "as shown":
        manifest["value_labels"] = spelling.labels
    if internal is not None:
        write_atomically(internal, _json(manifest), mode=0o600)
    return Released(path, sha256, len(order), prefix.columns, external, internal, manifest)


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


class _Verification:
    """Reads the file back and holds it against what was scored."""

    def __init__(
        self,
        standing: Standing,
        order: NDArray[np.int64],
        reader: Reader,
        spelled: Sequence[Sequence[str | None]],
        *,
        sha256: str,
        progress: Progress,
    ) -> None:
        self._standing = standing
        self._order = order
        self._reader = reader
        self._spelled = spelled
        self._sha256 = sha256
        self._progress = progress

    def __call__(self, written: Path) -> None:
        try:
            read = read_table(
                written,
                self._reader,
                lambda done, what: self._progress(_READ_BACK * (1 + done), what),
            )
        except FileError:
            raise _changed(written) from None
        if read.sha256 != self._sha256 or read.rows != len(self._order):
            raise _changed(written)
        if len(read.table.columns) != len(self._standing.prefix.shown):
            raise _changed(written)
        self._compare_classes(written, read.table)

    def _compare_classes(self, written: Path, table: Table) -> None:
        standing = self._standing
        parts = zip(standing.prefix.shown, self._spelled, table.columns, strict=True)
        columns = [self._as_read(shown, texts, cells) for shown, texts, cells in parts]
        seen = tuple(SeenColumn(c, (coarsen(Identity(), c, None),)) for c in columns)
        from_file = classify(standing.population, Reading(seen, standing.prefix.present, None))
        scored = classify(standing.population, released_reading(standing.prefix))
        if from_file.count != scored.count or not _one_to_one(from_file.of_row, scored.of_row, scored.count):
            raise _changed(written)
        found = rates(standing.population, from_file.profile, from_file.size, from_file.holding)
        expected = rates(standing.population, scored.profile, scored.size, scored.holding)
        worst = worst_target(found, from_file.first_target)
        if worst != worst_target(expected, scored.first_target):
            raise _changed(written)

    def _as_read(self, shown: Shown, texts: Sequence[str | None], cells: Column) -> Column:
        """The column with the present rows as the file has them and the others as they would be shown."""
        labels: dict[str | None, int] = {text: i for i, text in enumerate(texts)}
        lookup = np.fromiter(
            (labels.setdefault(v, len(labels)) for v in cells.values), np.int64, len(cells.values)
        )
        codes = shown.coarsening.codes[shown.column.codes].astype(np.int64)
        if not np.array_equal(codes[self._order], lookup[cells.codes]):
            raise _changed(Path(shown.name))
        codes[self._order] = lookup[cells.codes]
        return Column(shown.name, codes.astype(code_dtype(len(labels))), as_objects(list(labels)))


def _one_to_one(left: NDArray[np.int32], right: NDArray[np.int32], count: int) -> bool:
    """Whether two numberings of the same rows make the same classes."""
    image = np.zeros(count, np.int32)
    image[left] = right
    back = np.zeros(count, np.int32)
    back[right] = left
    return bool(np.array_equal(image[left], right) and np.array_equal(back[right], left))


def _changed(path: Path) -> FileError:
    return FileError(
        f"“{path.name}” did not read back as it was scored, so nothing was released and the old file stays; "
        "check the disk and release again."
    )


def external_manifest(
    prefix: Prefix, name: str, sha256: str, neutralized: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """What may leave the house with the table: nothing of the source, of α, of the plan or of the ladders."""
    ladders = prefix.source.hierarchies
    safe = {} if not neutralized else {"apostrophe_before_formulas_in": list(neutralized)}
    return {
        "format": "curation-release/1",
        "program": f"Curator {__version__}",
        "file": name,
        "sha256": sha256,
        "columns": [
            {"name": s.name, "view": describe_view(s.view, ladders.get(s.name))} for s in prefix.shown
        ],
        **safe,
    }


def internal_manifest(
    standing: Standing,
    trajectory: Trajectory,
    *,
    sha256: str,
    source_sha256: str,
    reason: str | None,
    kept_identifiers: tuple[str, ...],
) -> dict[str, Any]:
    """The curator's own record of a release: plan, trajectory, source, choices and warnings."""
    last = trajectory.last
    protection = standing.population.protection
    return {
        "format": "curation-internal/1",
        "program": f"Curator {__version__}",
        "released_sha256": sha256,
        "source": {"sha256": source_sha256, "rows": standing.population.rows},
        "plan": plan_to_json(standing.prefix.plan),
        "observer": protection.observer.kind,
        "budget": protection.budget,
        "alphas": [number_to_json(a) for a in trajectory.alphas],
        "released_rows": last.rows,
        "released_columns": list(last.columns),
        "over_budget": last.over_budget,
        "over_budget_reason": reason,
        "kept_identifiers": list(kept_identifiers),
        "smallest_class": last.figures.smallest_class,
        "warnings": warnings(standing.population),
    }


def internal_path(session_path: Path | None, released: Path, sha256: str) -> Path | None:
    """Beside the session, one file a release; None where the session was never saved."""
    if session_path is None:
        return None
    stem = session_path.name.removesuffix(".json").removesuffix(".curation")
    return session_path.with_name(f"{stem}.{released.stem}.{sha256[:8]}{INTERNAL_SUFFIX}")


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1, default=float) + "\n").encode()
