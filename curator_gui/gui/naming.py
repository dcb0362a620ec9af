"""Names of widgets: one for tests and style, one for those who hear the window read out."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

_W = TypeVar("_W", bound=QWidget)


def named(widget: _W, name: str, accessible: str = "") -> _W:
    """The widget, under its object name and, where its own text does not say it, its accessible name."""
    widget.setObjectName(name)
    if accessible:
        widget.setAccessibleName(accessible)
    return widget
