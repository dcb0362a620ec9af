"""A release: the curated table and its two manifests, verified from the bytes before anything is replaced.

The table goes to a temporary file, is synced and read back; its classes are computed again from what was read
and compared with those that were scored, and α with them. Only then are manifests and table put in place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curator_gui import __version__
from curator_gui.core.errors import FileError
from curator_gui.core.preparation import Prefix
from curator_gui.core.progress import Progress, silent
from curator_gui.core.view import describe_view
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import Trajectory
from curator_gui.store.files import (
    TemporaryFile,
    place_together,
    prepared_beside,
    temporary_beside,
    write_error,
)
from curator_gui.store.ordinary import is_there
from curator_gui.store.read_back import ReadBack
from curator_gui.store.readers import CsvDialect, Reader
from curator_gui.store.readers.library import sha256_of
from curator_gui.store.released_table import ReleasedTable
from curator_gui.store.session_file import number_to_json, plan_to_json
from curator_gui.store.spelling import Spelling
from curator_gui.store.writers import format_of

EXTERNAL_FORMAT = "curation-release/1"
SYNTHETIC_FORMAT = "curation-synthetic/1"
EXTERNAL_SUFFIX = ".manifest.json"
INTERNAL_SUFFIX = ".internal.json"
PLAIN = Spelling()
_SAME_BYTES = (
    "The released file is byte for byte the source file, so the hash in the manifest that goes with it is "
    "the source's own."
)


@dataclass(frozen=True)
class Released:
    """What was written. ``manifest`` is the internal one, that stays with the curator.

    warnings: sentences a curator should read before passing the table on.
    """

    path: Path
    sha256: str
    rows: int
    columns: tuple[str, ...]
    external_path: Path
    internal_path: Path | None
    manifest: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """What the curator decided about a release, for the record; told: warnings of the session."""

    reason: str | None
    kept_identifiers: tuple[str, ...]
    source_sha256: str
    told: tuple[str, ...] = ()


class Draft:
    """A table that is written and verified, and lacks only its name."""

    def __init__(
        self,
        path: Path,
        standing: Standing,
        out: ReleasedTable,
        table: TemporaryFile,
        *,
        reader: Reader,
        sha256: str,
    ) -> None:
        self.path = path
        self.sha256 = sha256
        self._standing = standing
        self._out = out
        self._table = table
        self._reader = reader

    def place(
        self,
        trajectory: Trajectory,
        choice: Choice,
        *,
        session_path: Path | None,
        session_text: str | None,
        require_replaceable: Callable[[Path], None],
    ) -> Released:
        """Put the manifests, the session file where its new text is given, and the table in place.

        All are written before the first is renamed, the table last: it is there only if all that records it
        is, and whatever stops this before leaves every old file as it was. The internal manifest goes beside
        the session, mode 0600. ``require_replaceable`` raises for a path that must not be replaced.
        """
        prefix, out = self._standing.prefix, self._out
        manifest = self._internal_manifest(trajectory, choice)
        external = external_path(self.path)
        internal = internal_path(session_path, self.path, self.sha256)
        for path in (external, internal):
            if path is not None:
                require_replaceable(path)
        with ExitStack() as written:

            def prepared(path: Path, text: str, mode: int = 0o600) -> TemporaryFile:
                return written.enter_context(prepared_beside(path, text.encode(), mode=mode))

            records = []
            if internal is not None:
                records.append(prepared(internal, _json(manifest)))
            public = external_manifest(prefix, self.path.name, self.sha256, out.neutralized)
            records.append(prepared(external, _json(public), 0o644))
            if session_path is not None and session_text is not None:
                records.append(prepared(session_path, session_text))
            _place(records, self._table, self.path)
        rows, told = len(out.order), tuple(manifest["warnings"])
        return Released(self.path, self.sha256, rows, prefix.columns, external, internal, manifest, told)

    def _internal_manifest(self, trajectory: Trajectory, choice: Choice) -> dict[str, Any]:
        same = (_SAME_BYTES,) if self.sha256 == choice.source_sha256 else ()
        return {
            **internal_manifest(
                self._standing,
                trajectory,
                sha256=self.sha256,
                choice=replace(choice, told=(*choice.told, *same)),
            ),
            "format_written": self._out.format,
            "reader": self._reader.to_json(),
            "neutralized_cells": self._out.neutralized,
            **({} if self._out.labels == "as shown" else {"value_labels": self._out.labels}),
        }


@contextmanager
def drafted(
    path: Path,
    standing: Standing,
    dialect: CsvDialect,
    *,
    names: Mapping[str, str],
    session_path: Path | None,
    keep_order: bool = False,
    spelling: Spelling = PLAIN,
    progress: Progress = silent,
) -> Iterator[Draft]:
    """Write a table and read it back; it is gone again unless it is put in place.

    FileError where it cannot be written or does not read back as scored, or where a manifest could not be
    written. The format is that of the path's suffix; ``dialect`` is for delimited text.
    Rows are sorted by their released values unless ``keep_order``: the source's order can give people away.
    ``names``: the header of each column.
    """
    _require_places(path, session_path)
    out = ReleasedTable.of(
        standing.prefix,
        format_of(path),
        dialect,
        names,
        spelling=spelling,
        keep_order=keep_order,
        progress=progress,
    )
    with temporary_beside(path) as table:
        reader, sha256 = out.write(table, path, progress)
        read_back = ReadBack(path.name, standing, out.order, out.spelled, sha256=sha256, progress=progress)
        read_back.check(table.path, reader)
        yield Draft(path, standing, out, table, reader=reader, sha256=sha256)


def _require_places(path: Path, session_path: Path | None) -> None:
    """What cannot be written is told before the long work."""
    try:
        path.name.encode()  # manifests and session say it, in UTF-8
    except UnicodeEncodeError as error:
        raise write_error(path, error) from None
    with temporary_beside(external_path(path)):
        pass
    internal = internal_path(session_path, path, "0" * 64)
    if internal is not None:
        try:
            with temporary_beside(internal):
                pass
        except FileError:
            raise FileError(
                f"The manifest that stays with you cannot be written beside the session “{session_path}”, so "
                "nothing was released; save the session in another folder or under a shorter name."
            ) from None


def _place(files: Sequence[TemporaryFile], table: TemporaryFile, path: Path) -> None:
    try:
        place_together(files, table)
    except OSError as error:
        raise write_error(path, error) from None


def external_manifest(
    prefix: Prefix, name: str, sha256: str, neutralized: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """What may leave the house with the table: nothing of the source, of α, of the plan or of the ladders."""
    ladders = prefix.source.hierarchies
    safe = {} if not neutralized else {"apostrophe_before_formulas_in": list(neutralized)}
    return {
        "format": EXTERNAL_FORMAT,
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
    choice: Choice,
) -> dict[str, Any]:
    """The curator's own record of a release: plan, trajectory, source, choices and warnings."""
    last = trajectory.last
    protection = standing.population.protection
    return {
        "format": "curation-internal/1",
        "program": f"Curator {__version__}",
        "released_sha256": sha256,
        "source": {"sha256": choice.source_sha256, "rows": standing.population.rows},
        "plan": plan_to_json(standing.prefix.plan),
        "observer": protection.observer.kind,
        "budget": protection.budget,
        "alphas": [number_to_json(a) for a in trajectory.alphas],
        "released_rows": last.rows,
        "released_columns": list(last.columns),
        "over_budget": last.over_budget,
        "over_budget_reason": choice.reason,
        "kept_identifiers": list(choice.kept_identifiers),
        "smallest_class": last.figures.smallest_class,
        "warnings": list(choice.told),
    }


def is_release(path: Path) -> bool:
    """Whether a file is a curated release, unchanged since, by the manifest beside it."""
    manifest = _manifest_of(path) or {}
    try:
        return manifest.get("format") == EXTERNAL_FORMAT and manifest.get("sha256") == sha256_of(path)
    except (OSError, ValueError):
        return False


def require_absent(path: Path) -> None:
    """FileError where there is a file of this name."""
    if is_there(path) and path.is_file():  # what is no file is told when it is written
        raise FileError(f"“{path}” is there by now; say that it may be replaced, or choose another name.")


def require_own_manifest(path: Path) -> None:
    """FileError where the file that stands in the place of a table's manifest is no manifest of it."""
    manifest = external_path(path)
    try:
        there = manifest.is_file()
    except OSError:
        return  # why it is no name is told when it is written
    if there and _manifest_of(path) is None:
        raise FileError(
            f"“{manifest}”, where the table's manifest goes, is there already and is no manifest of "
            f"“{path.name}”; choose another name for the table, or move that file away."
        )


def _manifest_of(path: Path) -> Mapping[str, Any] | None:
    """What the manifest beside a curated or synthetic table says; None where none of its is there."""
    try:
        manifest = json.loads(external_path(path).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or manifest.get("format") not in (EXTERNAL_FORMAT, SYNTHETIC_FORMAT):
        return None
    return manifest if manifest.get("file") == path.name else None


def external_path(released: Path) -> Path:
    """Beside the released file."""
    return released.parent / (released.name + EXTERNAL_SUFFIX)


def internal_path(session_path: Path | None, released: Path, sha256: str) -> Path | None:
    """Beside the session, one file a release; None where the session was never saved."""
    if session_path is None:
        return None
    stem = session_path.name.removesuffix(".json").removesuffix(".curation")
    return session_path.with_name(f"{stem}.{released.stem}.{sha256[:8]}{INTERNAL_SUFFIX}")


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, default=float) + "\n"
