"""Files opened lately, newest first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

_KEY = "recent"
_MOST = 8


def recent_files(settings: QSettings) -> list[Path]:
    """Those still there."""
    return [p for p in map(Path, _stored(settings)) if p.is_file()]


def remember(settings: QSettings, path: Path) -> None:
    """Put a file first in the list."""
    name = str(path.resolve())
    settings.setValue(_KEY, [name, *(n for n in _stored(settings) if n != name)][:_MOST])


def forget_all(settings: QSettings) -> None:
    settings.remove(_KEY)


def _stored(settings: QSettings) -> list[str]:
    stored = settings.value(_KEY, [])
    if isinstance(stored, str):  # a list of one comes back as its text
        return [stored]
    return [str(n) for n in stored] if isinstance(stored, list) else []
