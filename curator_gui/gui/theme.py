"""Colours by role and by meaning, taken from the palette in force, with the contrast each one needs.

Meanings use the hues of Okabe and Ito ("Color Universal Design", 2008), shifted towards black or white just
as far as the surface asks for. A meaning is never colour alone: each has a mark and words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor, QPalette

from curator_gui.core.protection import TOLERANCE
from curator_gui.gui.colour import MARK_CONTRAST, TEXT_CONTRAST, blend, contrast, luminance, readable
from curator_gui.gui.words import NO_EVIDENCE, factor

NEAR = 0.9
"""A disclosure from this share of τ up to τ is near the budget."""

_VERMILION, _ORANGE, _PURPLE = "#d55e00", "#e69f00", "#cc79a7"
_BLUE, _SKY = "#0072b2", "#56b4e9"  # the second on dark surfaces


class Standing(Enum):
    """How a disclosure stands to the budget τ."""

    OVER = "over"
    NEAR = "near"
    WITHIN = "within"
    NO_EVIDENCE = "no evidence"


MARKS = {
    Standing.OVER: "▲",
    Standing.NEAR: "●",
    Standing.WITHIN: "▼",
    Standing.NO_EVIDENCE: "–",
}


def standing_of(alpha: float | None, budget: float) -> Standing:
    """Over, near (from 0.9 τ to τ) or within the budget τ; a disclosure of None has no evidence."""
    if alpha is None:
        return Standing.NO_EVIDENCE
    if alpha > budget + TOLERANCE:
        return Standing.OVER
    return Standing.NEAR if alpha >= NEAR * budget - TOLERANCE else Standing.WITHIN


def standing_words(standing: Standing) -> str:
    """The standing in words: "over budget"."""
    words = {
        Standing.OVER: QCoreApplication.translate("theme", "over budget"),
        Standing.NEAR: QCoreApplication.translate("theme", "within 10 % of the budget"),
        Standing.WITHIN: QCoreApplication.translate("theme", "within budget"),
        Standing.NO_EVIDENCE: QCoreApplication.translate("theme", "no evidence"),
    }
    return words[standing]


def marked(alpha: float | None, budget: float) -> str:
    """A disclosure as a ratio behind the mark of its standing; "–" where there is no evidence."""
    return NO_EVIDENCE if alpha is None else f"{MARKS[standing_of(alpha, budget)]} {factor(alpha)}"


@dataclass(frozen=True)
class Theme:
    """Colours on the surface of lists and charts (the palette's Base). Text and ``…_text`` reach 4.5:1 there
    and, for labels beside them, on the window; the marks and ``axis`` 3:1; ``grid`` and ``selection`` are
    there to be overlooked.

    secret and plain: records with and without the secret. preview: what is not committed.
    """

    dark: bool
    surface: QColor
    text: QColor
    muted: QColor
    axis: QColor
    grid: QColor
    selection: QColor
    selected_text: QColor
    over: QColor
    near: QColor
    within: QColor
    no_evidence: QColor
    over_text: QColor
    near_text: QColor
    within_text: QColor
    secret: QColor
    plain: QColor
    preview: QColor
    preview_text: QColor

    def mark(self, standing: Standing) -> QColor:
        """The colour of a mark or line, 3:1."""
        return {
            Standing.OVER: self.over,
            Standing.NEAR: self.near,
            Standing.WITHIN: self.within,
            Standing.NO_EVIDENCE: self.no_evidence,
        }[standing]

    def words(self, standing: Standing) -> QColor:
        """The colour of words, 4.5:1."""
        return {
            Standing.OVER: self.over_text,
            Standing.NEAR: self.near_text,
            Standing.WITHIN: self.within_text,
            Standing.NO_EVIDENCE: self.muted,
        }[standing]


def theme_of(palette: QPalette) -> Theme:
    """The colours for a widget's palette. Ask again at every paint: the system's scheme may have changed."""
    group = QPalette.ColorGroup.Active
    roles = (
        QPalette.ColorRole.Base,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.Highlight,
        QPalette.ColorRole.HighlightedText,
        QPalette.ColorRole.Window,
    )
    return _theme(*(palette.color(group, role).name() for role in roles))


@lru_cache(maxsize=8)
def _theme(base: str, ink: str, highlight: str, highlighted: str, around: str) -> Theme:
    surface, window = QColor(base), QColor(around)
    text = readable(QColor(ink), surface, TEXT_CONTRAST)

    dark = luminance(surface) < luminance(text)
    blue = _SKY if dark else _BLUE

    def mark(name: str) -> QColor:
        return readable(QColor(name), surface, MARK_CONTRAST)

    def words(name: str) -> QColor:
        on_surface = readable(QColor(name), surface, TEXT_CONTRAST)
        return readable(on_surface, window, TEXT_CONTRAST) if _alike(surface, window) else on_surface

    return Theme(
        dark=dark,
        surface=surface,
        text=text,
        muted=words(blend(text, surface, 0.4).name()),
        axis=readable(blend(text, surface, 0.55), surface, MARK_CONTRAST),
        grid=blend(text, surface, 0.88),
        selection=QColor(highlight),
        selected_text=readable(QColor(highlighted), QColor(highlight), TEXT_CONTRAST),
        over=mark(_VERMILION),
        near=mark(_ORANGE),
        within=mark(blue),
        no_evidence=readable(blend(text, surface, 0.5), surface, MARK_CONTRAST),
        over_text=words(_VERMILION),
        near_text=words(_ORANGE),
        within_text=words(blue),
        secret=text,
        plain=readable(blend(text, surface, 0.4), surface, MARK_CONTRAST),
        preview=mark(_PURPLE),
        preview_text=words(_PURPLE),
    )


def _alike(surface: QColor, window: QColor) -> bool:
    """Whether both are light or both dark; else no colour can be readable on both."""
    return contrast(surface, window) < 2
