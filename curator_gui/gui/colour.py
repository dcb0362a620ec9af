"""Colour arithmetic: contrast as the web guidelines define it, and colours shifted until they reach it."""

from __future__ import annotations

import math

from PySide6.QtGui import QColor

TEXT_CONTRAST = 4.5
MARK_CONTRAST = 3.0
_STEPS = 50


def readable(colour: QColor, surface: QColor, ratio: float) -> QColor:
    """The colour, shifted towards black or white only as far as the contrast to the surface asks for."""
    end = QColor("black") if luminance(surface) > _EVEN else QColor("white")
    for step in range(_STEPS + 1):
        shifted = blend(colour, end, step / _STEPS)
        if contrast(shifted, surface) >= ratio:
            return shifted
    return end


_EVEN = math.sqrt(1.05 * 0.05) - 0.05
"""The luminance from which black contrasts more than white does."""


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: QColor) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance", sRGB)."""
    red, green, blue = (_linear(v) for v in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)


def blend(colour: QColor, other: QColor, share: float) -> QColor:
    """The colour with a ``share`` of the other one, rounded to 8 bits a channel."""
    mixed = (
        round(a + (b - a) * share)
        for a, b in (
            (colour.red(), other.red()),
            (colour.green(), other.green()),
            (colour.blue(), other.blue()),
        )
    )
    return QColor(*mixed)


def faint(colour: QColor, opacity: float) -> QColor:
    """The colour, see-through, for areas behind marks."""
    pale = QColor(colour)
    pale.setAlphaF(opacity)
    return pale
