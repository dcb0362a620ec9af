"""The table a session file speaks of: where it is, how it is read, and whether it is still the same."""

from __future__ import annotations

from pathlib import Path

from curator_gui.core.errors import CuratorError, FileError, InputError
from curator_gui.core.table import Table
from curator_gui.store.ordinary import is_there, shown
from curator_gui.store.readers import (
    Reader,
    TableRead,
    detect_dialect,
    detect_reader,
    read_table,
    reader_from_json,
)
from curator_gui.store.readers.library import sha256_of
from curator_gui.store.session_file import SessionRecord


def with_missing(table: Table, record: SessionRecord) -> Table:
    """Texts that mean missing in one column alone are missing there; InputError names the column."""
    try:
        return table.with_missing(record.missing)
    except InputError as error:
        raise error.at("columns") from None


def reader_of(record: SessionRecord, source_path: Path) -> Reader:
    """How the session reads its source; where the session does not say, as the file seems to be.

    Then no word but the empty text means missing: nobody has looked at what was proposed.
    """
    if record.source.reader is not None:
        return reader_from_json(record.source.reader, path="source.reader")
    if source_path.suffix.lower() in (".csv", ".tsv", ".txt", ".tab", ""):
        return detect_dialect(source_path)
    return detect_reader(source_path)


def require_unchanged(record: SessionRecord, read: TableRead, name: str) -> None:
    """InputError where what was read is not the source the session was saved with."""
    if record.source.sha256 not in (None, read.sha256):
        raise InputError(
            f"“{name}” has changed since this session was saved; name it as new data to "
            "score the plan afresh, or bring the old file back.",
            path="source.sha256",
        )
    if record.source.rows not in (None, read.rows):
        raise InputError(
            f"“{name}” has {read.rows} records and the session says {record.source.rows}; name it as new "
            "data to score the plan afresh, or correct the number.",
            path="source.rows",
        )


def fingerprint(session_path: Path, record: SessionRecord) -> str | None:
    """Of the session's own source: as saved, else of the file where it is still there."""
    if record.source.sha256 is not None:
        return record.source.sha256
    old = session_path.parent / record.source.path
    return sha256_of(old) if old.is_file() else None


def table_before(session_path: Path, record: SessionRecord) -> Table | None:
    """The session's own source under its types; None where it is gone or is another by now."""
    old = session_path.parent / record.source.path
    try:
        read = read_table(old, reader_of(record, old))
        if record.source.sha256 not in (None, read.sha256):
            return None
        table = with_missing(read.table, record)
        return table.retyped({n: t for n, t in record.types.items() if n in table})
    except (CuratorError, OSError):
        return None


def source_of(session_path: Path, record: SessionRecord) -> Path:
    """Where the source is; for a server's database the path is a name only."""
    reader = record.source.reader or {}
    if reader.get("kind") == "sql" and reader.get("url"):
        return Path(record.source.path)
    return _beside(session_path, record.source.path)


def _beside(session_path: Path, source: str) -> Path:
    path = Path(source)
    path = path if path.is_absolute() else session_path.parent / path
    if not is_there(path):
        raise FileError(
            f"The session's source “{shown(path)}” is not there; bring it back or name another file as its "
            "data.",
            path="source.path",
        )
    return path
