"""Light or dark, and how large everything is read: palettes with the contrast they need, applied live.

A platform that knows colour schemes is asked for one; beside that the palettes here are set, since plain X
servers know none. Fusion draws the frames of fields and ticks in ``Window`` darkened, which is invisible on a
dark surface; the palettes of those classes have a ``Window`` from which the frame contrasts enough.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from curator_gui.gui.colour import MARK_CONTRAST, TEXT_CONTRAST, blend, contrast, luminance, readable

Scheme = Literal["system", "light", "dark"]

_FIELD = (1.4 / 1.1, MARK_CONTRAST + 0.2)
FRAMED = {
    "QCheckBox": _FIELD,
    "QRadioButton": (1.5, MARK_CONTRAST + 2),  # its thin ring is smoothed and so paler
    "QLineEdit": _FIELD,
    "QAbstractSpinBox": _FIELD,
    "QPlainTextEdit": _FIELD,
    "QTextBrowser": _FIELD,
    "QTreeView": _FIELD,
    "QListView": _FIELD,
}
"""Classes whose frame or tick is drawn from ``Window``: how much darker than it, and the contrast it gets."""

_Role, _Group = QPalette.ColorRole, QPalette.ColorGroup
_GROUPS = (_Group.Active, _Group.Inactive, _Group.Disabled)
_HINTS = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
_COLOURS: dict[str, dict[QPalette.ColorRole, str]] = {
    "light": {
        _Role.Window: "#efefef",
        _Role.WindowText: "#1a1a1a",
        _Role.Base: "#ffffff",
        _Role.AlternateBase: "#f5f5f5",
        _Role.Text: "#1a1a1a",
        _Role.Button: "#efefef",
        _Role.ButtonText: "#1a1a1a",
        _Role.BrightText: "#ffffff",
        _Role.Highlight: "#0f6cbd",
        _Role.HighlightedText: "#ffffff",
        _Role.Accent: "#0f6cbd",
        _Role.ToolTipBase: "#ffffff",
        _Role.ToolTipText: "#1a1a1a",
        _Role.Link: "#0b5394",
        _Role.LinkVisited: "#6a3d9a",
    },
    "dark": {
        _Role.Window: "#2b2d30",
        _Role.WindowText: "#e8e8e8",
        _Role.Base: "#1e1f22",
        _Role.AlternateBase: "#26282b",
        _Role.Text: "#e8e8e8",
        _Role.Button: "#2b2d30",
        _Role.ButtonText: "#e8e8e8",
        _Role.BrightText: "#ffffff",
        _Role.Highlight: "#1f5f99",
        _Role.HighlightedText: "#ffffff",
        _Role.Accent: "#4aa3df",
        _Role.ToolTipBase: "#3a3d41",
        _Role.ToolTipText: "#f0f0f0",
        _Role.Link: "#7ab8f5",
        _Role.LinkVisited: "#c5a3f0",
    },
}
_SHADES = {_Role.Light: 150, _Role.Midlight: 125, _Role.Mid: 66, _Role.Dark: 50, _Role.Shadow: 30}


class Appearance(QObject):
    """The scheme and reading size of the application. ``show`` may be called as often as it is changed."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self._points = application.font().pointSizeF()
        self._scheme: Scheme = "system"
        self._showing = False
        application.styleHints().colorSchemeChanged.connect(self._system_changed)

    @classmethod
    def of(cls, application: QApplication) -> Appearance:
        """The one of this application, made when first asked for."""
        return application.findChild(cls) or cls(application)

    def show(self, scheme: Scheme, percent: int) -> None:
        """Show everything in a scheme, with letters of ``percent`` of the system's size."""
        self._scheme = scheme
        font = self._application.font()
        size = self._points * percent / 100
        if font.pointSizeF() != size:
            font.setPointSizeF(size)
            self._application.setFont(font)
        self._paint()

    def _paint(self) -> None:
        self._showing = True
        self._application.styleHints().setColorScheme(_HINTS[self._scheme])
        self._application.setPalette(QPalette())
        chosen = self._application.palette() if self._scheme == "system" else palette_of(self._scheme)
        mended = readable_palette(chosen)
        self._application.setPalette(mended)
        for name, (darkened, ratio) in FRAMED.items():
            self._application.setPalette(framed(mended, darkened, ratio), name)  # type: ignore[arg-type]  # bytes, say the stubs
        self._showing = False

    def _system_changed(self) -> None:
        if self._scheme == "system" and not self._showing:
            self._paint()


def palette_of(scheme: Scheme) -> QPalette:
    """The palette of the light or the dark scheme."""
    colours = _COLOURS[scheme]
    palette = QPalette()
    for role, name in colours.items():
        palette.setColor(role, QColor(name))
    button = colours[_Role.Button]
    for role, percent in _SHADES.items():
        palette.setColor(role, QColor(button).lighter(percent))
    faded = blend(QColor(colours[_Role.Text]), QColor(colours[_Role.Window]), 0.5)
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(_Group.Disabled, role, faded)
    palette.setColor(_Group.Disabled, _Role.Highlight, QColor(colours[_Role.Highlight]))
    return palette


def readable_palette(palette: QPalette) -> QPalette:
    """The palette, shifted only where its texts would not reach 4.5:1. Disabled text may be fainter."""
    mended = QPalette(palette)
    for group in _GROUPS[:2]:
        for ink, ground in (
            (_Role.WindowText, _Role.Window),
            (_Role.Text, _Role.Base),
            (_Role.ButtonText, _Role.Button),
            (_Role.ToolTipText, _Role.ToolTipBase),
            (_Role.Link, _Role.Base),
            (_Role.LinkVisited, _Role.Base),
        ):
            shifted = readable(mended.color(group, ink), mended.color(group, ground), TEXT_CONTRAST)
            mended.setColor(group, ink, shifted)
    for group in _GROUPS:
        _mend_highlight(mended, group)
        text, base = mended.color(_Group.Active, _Role.Text), mended.color(_Group.Active, _Role.Base)
        faint = readable(blend(text, base, 0.4), base, TEXT_CONTRAST)
        mended.setColor(group, _Role.PlaceholderText, faint)
    return mended


def framed(palette: QPalette, darkened: float, ratio: float) -> QPalette:
    """The palette for ``FRAMED`` classes: a ``Window`` from which the frame reaches the ratio on ``Base``."""
    made = QPalette(palette)
    for group in _GROUPS:
        base = palette.color(group, _Role.Base)
        text = palette.color(_Group.Active, _Role.Text)
        frame = readable(blend(text, base, 0.6), base, ratio)
        made.setColor(group, _Role.Window, frame.lighter(round(100 * darkened)))
    return made


def _mend_highlight(palette: QPalette, group: QPalette.ColorGroup) -> None:
    """Chosen text keeps its colour; its ground gives way."""
    ink, ground = palette.color(group, _Role.HighlightedText), palette.color(group, _Role.Highlight)
    end = QColor("black") if luminance(ink) > luminance(ground) else QColor("white")
    for step in range(51):
        shifted = blend(ground, end, step / 50)
        if contrast(ink, shifted) >= TEXT_CONTRAST:
            palette.setColor(group, _Role.Highlight, shifted)
            return
