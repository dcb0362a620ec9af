"""Marks and little texts that several charts draw."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from curator_gui.gui.theme import Standing, Theme

RADIUS = 5.0
RING = 9.5
_TRIANGLE = 1.2


def draw_mark(
    painter: QPainter,
    at: QPointF,
    standing: Standing,
    colour: QColor,
    surface: QColor,
    *,
    hollow: bool = False,
) -> None:
    """▲ over, ● near, ▼ within, – no evidence; ``hollow``: not committed, outlined on the surface colour."""
    pen = QPen(colour, 2.0 if hollow else 1.0)
    if hollow:
        pen.setStyle(Qt.PenStyle.SolidLine)
    painter.setPen(pen)
    painter.setBrush(QBrush(surface if hollow else colour))
    match standing:
        case Standing.OVER:
            painter.drawPolygon(_triangle(at, up=True))
        case Standing.WITHIN:
            painter.drawPolygon(_triangle(at, up=False))
        case Standing.NEAR:
            painter.drawEllipse(at, RADIUS, RADIUS)
        case Standing.NO_EVIDENCE:
            painter.setPen(QPen(colour, 2.0))
            painter.drawLine(at - QPointF(RADIUS, 0), at + QPointF(RADIUS, 0))


def draw_arrow_down(painter: QPainter, at: QPointF, colour: QColor) -> None:
    """↓ whose tip is at the point: a value that fell without a bound."""
    painter.setPen(QPen(colour, 2.0))
    painter.drawLine(at - QPointF(0, 2.4 * RADIUS), at)
    painter.drawLine(at, at + QPointF(-RADIUS, -RADIUS))
    painter.drawLine(at, at + QPointF(RADIUS, -RADIUS))


def draw_ring(painter: QPainter, at: QPointF, colour: QColor, radius: float = RING) -> None:
    """A ring around a mark."""
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, radius, radius)


def draw_focus(painter: QPainter, at: QPointF, theme: Theme) -> None:
    """The keyboard's place among the marks."""
    pen = QPen(theme.text, 1.2, Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = RING + 3
    painter.drawRoundedRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half), 4, 4)


def hatch(painter: QPainter, area: QRectF, colour: QColor) -> None:
    """Slanted lines across an area, clipped to it; drawn as lines, so that every format shows them alike."""
    painter.save()
    painter.setClipRect(area)
    painter.setPen(QPen(colour, 1.0))
    gap = 7.0
    start = math.floor((area.left() - area.height()) / gap) * gap
    x = start
    while x < area.right():
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x + area.height(), area.top()))
        x += gap
    painter.restore()


def budget_pen(theme: Theme) -> QPen:
    """The line of τ: neither the colour of what is over it nor a line of the data."""
    return QPen(theme.text, 2.0, Qt.PenStyle.DashDotLine)


def smaller(font: QFont, share: float = 0.88) -> QFont:
    """The font for labels beside marks."""
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(max(font.pointSizeF() * share, 7.0))
    else:
        small.setPixelSize(max(round(font.pixelSize() * share), 9))
    return small


def elided(text: str, font: QFont, width: float) -> str:
    """The text, shortened with … to a width in pixels."""
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


def wrapped(text: str, font: QFont, width: float, lines: int = 2) -> list[str]:
    """The text in at most so many lines of a width in pixels, broken between words, shortened."""
    measure, words = QFontMetricsF(font), text.replace("− ", "−\u00a0").split(" ")
    found: list[str] = []
    while words and len(found) < lines - 1:
        line = words.pop(0)
        while words and measure.horizontalAdvance(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        found.append(measure.elidedText(line, Qt.TextElideMode.ElideRight, width))
    if words:
        found.append(measure.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width))
    return found


def text_width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def _triangle(at: QPointF, *, up: bool) -> QPolygonF:
    side = RADIUS * _TRIANGLE
    sign = -1 if up else 1
    return QPolygonF(
        [
            at + QPointF(0, sign * side),
            at + QPointF(side, -sign * side * 0.8),
            at + QPointF(-side, -sign * side * 0.8),
        ]
    )
