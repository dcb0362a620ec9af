"""Files opened lately, newest first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from curator_gui.gui.preferences import preferences_of

_KEY = "recent"


def recent_files(settings: QSettings) -> list[Path]:
    """Those still there, as many as the user wants to be remembered."""
    most = preferences_of(settings).recent
    return [p for p in map(Path, _stored(settings)[:most]) if p.is_file()]


def remember(settings: QSettings, path: Path) -> None:
    """Put a file first in the list."""
    name = str(path.resolve())
    _store(settings, [name, *(n for n in _stored(settings) if n != name)])


def forget_older(settings: QSettings) -> None:
    """Keep no more than the user wants to be remembered."""
    _store(settings, _stored(settings))


def forget_all(settings: QSettings) -> None:
    settings.remove(_KEY)


def _store(settings: QSettings, names: list[str]) -> None:
    settings.setValue(_KEY, names[: preferences_of(settings).recent])


def _stored(settings: QSettings) -> list[str]:
    stored = settings.value(_KEY, [])
    if isinstance(stored, str):  # a list of one comes back as its text
        return [stored]
    return [str(n) for n in stored] if isinstance(stored, list) else []
