"""Whether a session file is still what its session takes it for, when several programs have it open."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from curator_gui.core.errors import CuratorError
from curator_gui.session import Session
from curator_gui.store.ordinary import same_file
from curator_gui.store.session_file import SessionRecord, read_session, session_text


def changed_by_others(session: Session, path: Path) -> bool:
    """Whether the session's own file at ``path`` differs from what was read or last saved.

    Releases do not count: those that others recorded are kept by every save. A file that is gone has nothing
    to lose; one that cannot be read any more was changed.
    """
    if session.path is None or not same_file(session.path, path):
        return False
    try:
        return _fingerprint(read_session(path)) != _fingerprint(session.saved_record)
    except CuratorError:
        return True


def _fingerprint(record: SessionRecord) -> str:
    own = replace(record, releases=(), synthetic=(), exposed=(), last_scored=None)
    return sha256(session_text(own).encode()).hexdigest()
