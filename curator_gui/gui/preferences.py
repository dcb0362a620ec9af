"""What a user prefers, kept in the settings from one run to the next. Nothing secret is among it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, get_args

from PySide6.QtCore import QSettings

from curator_gui.gui.appearance import Scheme

SIZES = (100, 110, 125, 150, 175, 200)
"""Reading sizes, in percent of the system's."""
AUTOSAVE_S = (1, 60)
RECENT = (0, 20)
_GROUP = "preferences"


@dataclass(frozen=True, slots=True)
class Preferences:
    """percent: the reading size. observer: the kind a new table begins with. autosave: seconds between
    copies. recent: how many files are remembered.
    """

    scheme: Scheme = "system"
    percent: int = 100
    observer: str = "release-only"
    autosave: int = 3
    recent: int = 8


def preferences_of(settings: QSettings) -> Preferences:
    """Those stored; the usual one wherever nothing usable is stored."""
    stored = Preferences(
        scheme=_text(settings, "scheme"),
        percent=_number(settings, "percent"),
        observer=_text(settings, "observer"),
        autosave=_number(settings, "autosave"),
        recent=_number(settings, "recent"),
    )
    usual = Preferences()
    return Preferences(
        stored.scheme if stored.scheme in get_args(Scheme) else usual.scheme,
        min(max(stored.percent, SIZES[0]), SIZES[-1]),
        stored.observer,
        min(max(stored.autosave, AUTOSAVE_S[0]), AUTOSAVE_S[1]),
        min(max(stored.recent, RECENT[0]), RECENT[1]),
    )


def prefer(settings: QSettings, preferences: Preferences) -> None:
    """Store them."""
    for field in fields(preferences):
        settings.setValue(f"{_GROUP}/{field.name}", getattr(preferences, field.name))


def _text(settings: QSettings, name: str) -> Any:
    return str(settings.value(f"{_GROUP}/{name}", getattr(Preferences(), name)))


def _number(settings: QSettings, name: str) -> int:
    usual = getattr(Preferences(), name)
    try:
        return int(str(settings.value(f"{_GROUP}/{name}", usual)))
    except ValueError:
        return int(usual)
