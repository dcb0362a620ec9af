"""Where the dots of a prior group stand, and how they are painted."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from curator_gui.gui.charts.group import Dot, Group, guess_words, key_words
from curator_gui.gui.charts.marks import draw_focus, elided, smaller, text_width
from curator_gui.gui.colour import blend
from curator_gui.gui.theme import Theme
from curator_gui.gui.words import records

_DOT = 5.0
_RING = 8.5
_PITCH = 24.0
_NUMBERED = 14
_ARROW = 40.0
_MARGIN = 8.0
_CENTRE = Qt.AlignmentFlag.AlignCenter


class DotsLayout:
    """Where the dots of a group stand in a width: one block, or two side by side with an arrow between."""

    def __init__(self, group: Group, width: float, font: QFont) -> None:
        self.group, self.font, self.small = group, font, smaller(font)
        self.line = QFontMetricsF(font).height()
        self.blocks = 2 if group.changes else 1
        gaps = 2 * _MARGIN + (self.blocks - 1) * _ARROW
        self.block = max((width - gaps) / self.blocks, _PITCH)
        self.numbered = len(group.dots) <= _NUMBERED and group.each == 1
        self.pitch = _PITCH + (QFontMetricsF(self.small).height() if self.numbered else 0)
        self.cell = self._cell()
        self.across = max(1, int(self.block / self.cell))
        self.down = math.ceil(len(group.dots) / self.across) if group.dots else 0
        self.top = 2 * self.line + 1.5 * _MARGIN
        self.width = width

    def _cell(self) -> float:
        """The room a dot takes sideways: its number must fit below it."""
        if not self.numbered:
            return _PITCH
        numbers = (str(dot.rows[0] + 1) for dot in self.group.dots)
        bold = QFont(self.small)
        bold.setBold(True)
        return max(_PITCH, *(text_width(number, bold) + _MARGIN / 2 for number in numbers))

    @property
    def height(self) -> float:
        """The height needed at this width."""
        lines = 3 if self.group.each > 1 else 2
        return self.top + self.down * self.pitch + lines * self.line + 2.5 * _MARGIN

    def left(self, block: int) -> float:
        return _MARGIN + block * (self.block + _ARROW)

    def at(self, block: int, i: int) -> QPointF:
        """The centre of dot i in block 0 (before) or 1 (after)."""
        row, column = divmod(i, self.across)
        return QPointF(
            self.left(block) + (column + 0.5) * self.cell, self.top + row * self.pitch + 0.5 * _PITCH
        )

    def index_at(self, place: QPointF) -> int | None:
        """The dot at a place, in either block."""
        for block in range(self.blocks):
            for i in range(len(self.group.dots)):
                away = place - self.at(block, i)
                if max(abs(away.x()), abs(away.y())) <= _PITCH / 2:
                    return i
        return None


class DotsPainting:
    """Paints a layout: ● with the secret, ○ without; ringed in the set; + joins, − leaves."""

    def __init__(self, layout: DotsLayout, theme: Theme, painter: QPainter) -> None:
        self.layout, self.theme, self.painter = layout, theme, painter

    def paint(self, focus: int | None = None) -> None:
        layout, group = self.layout, self.layout.group
        told = QCoreApplication.translate("dots", "Alike beforehand: {0}").format(guess_words(group.prior))
        self._write(_MARGIN, _MARGIN / 2, layout.width - 2 * _MARGIN, told, muted=True)
        for block in range(layout.blocks):
            self._block(block)
        if layout.blocks == 2:
            self._arrow()
        key_top = layout.height - layout.line - _MARGIN
        self._write(_MARGIN, key_top, layout.width - 2 * _MARGIN, key_words(group), muted=True)
        if group.each > 1:
            each = QCoreApplication.translate("dots", "A dot stands for up to {0}.").format(
                records(group.each)
            )
            self._write(_MARGIN, key_top - layout.line, layout.width - 2 * _MARGIN, each, muted=True)
        if focus is not None:
            draw_focus(self.painter, layout.at(layout.blocks - 1, focus), self.theme)

    def _write(
        self, left: float, top: float, width: float, text: str, *, muted: bool = False, bold: bool = False
    ) -> None:
        font = QFont(self.layout.font)
        font.setBold(bold)
        self.painter.setFont(font)
        self.painter.setPen(self.theme.muted if muted else self.theme.text)
        place = QRectF(left, top, width, self.layout.line)
        self.painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, elided(text, font, width))

    def _block(self, block: int) -> None:
        layout, group = self.layout, self.layout.group
        after = block == 1
        now, then = (
            QCoreApplication.translate("dots", "Now"),
            QCoreApplication.translate("dots", "After the step"),
        )
        left, width = layout.left(block), layout.block
        self._write(left, layout.line + _MARGIN, width, then if after else now, bold=True)
        for i, dot in enumerate(group.dots):
            self._dot(layout.at(block, i), dot, after=after)
        bottom = layout.top + layout.down * layout.pitch + _MARGIN / 2
        self._write(left, bottom, width, guess_words(group.after if after else group.before))

    def _dot(self, at: QPointF, dot: Dot, *, after: bool) -> None:
        inside = dot.after if after else dot.before
        moves = after and (dot.joins or dot.leaves)
        self._disc(at, dot, inside=inside)
        if inside or moves:
            style = Qt.PenStyle.SolidLine if inside else Qt.PenStyle.DotLine
            self.painter.setPen(QPen(self.theme.preview if moves else self.theme.within, 1.8, style))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawEllipse(at, _RING, _RING)
        if moves:
            self._sign(at + QPointF(_RING, -_RING), plus=dot.joins)
        if self.layout.numbered:
            self._number(at, dot)

    def _disc(self, at: QPointF, dot: Dot, *, inside: bool) -> None:
        colour = self.theme.secret if dot.secret else self.theme.plain
        if not inside:
            colour = blend(colour, self.theme.surface, 0.35)
        self.painter.setPen(QPen(colour, 1.6))
        self.painter.setBrush(colour if dot.secret else Qt.BrushStyle.NoBrush)
        self.painter.drawEllipse(at, _DOT, _DOT)

    def _sign(self, at: QPointF, *, plus: bool) -> None:
        half = 3.0
        self.painter.setPen(QPen(self.theme.preview_text, 1.8))
        self.painter.drawLine(at - QPointF(half, 0), at + QPointF(half, 0))
        if plus:
            self.painter.drawLine(at - QPointF(0, half), at + QPointF(0, half))

    def _number(self, at: QPointF, dot: Dot) -> None:
        """The record's number; the target's own in bold."""
        font = QFont(self.layout.small)
        font.setBold(dot.rows[0] == self.layout.group.target)
        self.painter.setFont(font)
        self.painter.setPen(self.theme.text if font.bold() else self.theme.muted)
        wide = self.layout.cell
        place = QRectF(at.x() - wide / 2, at.y() + _RING + 1, wide, QFontMetricsF(font).height())
        self.painter.drawText(place, _CENTRE, str(dot.rows[0] + 1))

    def _arrow(self) -> None:
        layout = self.layout
        y = layout.top + max(layout.down, 1) * layout.pitch / 2
        left = layout.left(1) - _ARROW + 4
        tip = QPointF(left + _ARROW - 16, y)
        self.painter.setPen(QPen(self.theme.axis, 1.8))
        self.painter.drawLine(QPointF(left, y), tip)
        self.painter.drawLine(tip, tip + QPointF(-5, -5))
        self.painter.drawLine(tip, tip + QPointF(-5, 5))
