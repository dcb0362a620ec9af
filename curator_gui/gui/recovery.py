"""The open session kept in the user's data folder while it has unsaved changes, for the case of a crash.

Each running window has a folder of its own with a lock that holds its process number; a folder whose process
is gone was left by a crash. A session file holds no rows of data; it is readable by its owner alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import uuid4

from PySide6.QtCore import QLockFile, QObject, QTimer

from curator_gui.core.errors import CuratorError
from curator_gui.core.progress import Progress, silent
from curator_gui.gui.controller import Controller
from curator_gui.session import SESSION_SUFFIX, Session
from curator_gui.store.files import write_atomically
from curator_gui.store.session_file import SessionRecord, read_session, write_session

_SOON_MS = 200
_SESSION = f"session{SESSION_SUFFIX}"
_LOCK = "lock"
_ORIGIN = "origin.json"
_KNOWN = f"known{SESSION_SUFFIX}"


@dataclass(frozen=True)
class Left:
    """A session left by a crash: the autosaved file, its own path if it was ever saved, and when."""

    path: Path
    original: Path | None
    at: datetime

    @property
    def source(self) -> Path:
        """The table, as it is found now. Raises CuratorError where the copy cannot be read."""
        return Path(read_session(self.path).source.path)

    def resumed(self, data: Path | None = None, progress: Progress = silent, **given: Any) -> Session:
        """The session, modified, under its own path; ``data`` and more as ``Session.load`` takes them.

        It knows what its file held when the crashed program read or saved it; where that is not kept, it
        takes any file for another one.
        """
        session = Session.load(self.path, data=data, progress=progress, **given)
        session.path = self.original
        session.saved_record = self._known() or replace(session.record, position=-1)
        return session

    def discard(self) -> None:
        rmtree(self.path.parent, ignore_errors=True)

    def _known(self) -> SessionRecord | None:
        try:
            return read_session(self.path.with_name(_KNOWN))
        except CuratorError:
            return None


class Autosave(QObject):
    """Writes the session some moments after each change, and removes it where nothing is unsaved."""

    def __init__(
        self, controller: Controller, folder: Path, parent: QObject | None = None, *, seconds: int = 3
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._folder = folder / uuid4().hex
        self._path = self._folder / _SESSION
        self._lock = QLockFile(str(self._folder / _LOCK))
        self._written: SessionRecord | None = None
        self._known: SessionRecord | None = None
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.save)
        self._regularly = QTimer(self, interval=1000 * seconds)
        self._regularly.timeout.connect(self.save)
        self._regularly.start()
        controller.plan_changed.connect(self._soon.start)
        controller.session_changed.connect(self._soon.start)

    @property
    def path(self) -> Path:
        return self._path

    def every(self, seconds: int) -> None:
        """Write what is unsaved at least this often."""
        self._regularly.setInterval(1000 * seconds)

    def save(self) -> None:
        """Write what is unsaved now; without unsaved changes, remove the file."""
        session = self._controller.session
        if session is None or not session.modified:
            self.remove()
        elif session.record is not self._written:
            self._write(session)

    def remove(self) -> None:
        """A clean exit, or nothing unsaved: leave nothing behind."""
        self._written = self._known = None
        self._lock.unlock()
        rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        self._soon.stop()
        self._regularly.stop()
        self.remove()

    def _write(self, session: Session) -> None:
        source = replace(
            session.record.source, path=str(session.source_path.resolve()), sha256=session.sha256
        )
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._lock.isLocked():
                self._lock.tryLock(0)
            write_session(self._path, replace(session.record, source=source))
            self._write_known(session)
            origin = {"session": str(session.path) if session.path else None}
            write_atomically(self._folder / _ORIGIN, json.dumps(origin).encode(), mode=0o600)
        except (CuratorError, OSError):
            return  # the work itself goes on; the next moment tries again
        self._written = session.record

    def _write_known(self, session: Session) -> None:
        """What the session's own file is known to hold, so that another's changes are noticed later."""
        if session.path is not None and session.saved_record is not self._known:
            write_session(self._folder / _KNOWN, session.saved_record)
            self._known = session.saved_record


def left_behind(folder: Path) -> list[Left]:
    """Sessions of processes that are gone, newest first."""
    if not folder.is_dir():
        return []
    gone = [f for f in folder.iterdir() if f.is_dir() and not _in_use(f)]
    found = [_left(f / _SESSION) for f in gone if (f / _SESSION).exists()]
    return sorted(found, key=lambda left: left.at, reverse=True)


def _in_use(folder: Path) -> bool:
    lock = QLockFile(str(folder / _LOCK))
    lock.setStaleLockTime(0)  # only a lock whose process is gone is stale
    free = lock.tryLock(0)
    lock.unlock()
    return not free


def _left(path: Path) -> Left:
    at = datetime.fromtimestamp(path.stat().st_mtime)
    try:
        original = json.loads(path.with_name(_ORIGIN).read_text())["session"]
    except (OSError, ValueError, KeyError, TypeError):
        original = None
    return Left(path, Path(original) if original else None, at)
