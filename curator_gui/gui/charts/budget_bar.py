"""A pool as a bar: what is spent, what would be taken, what is left."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from curator_gui.gui.charts.marks import elided, hatch, text_width
from curator_gui.gui.colour import faint
from curator_gui.gui.theme import theme_of

_BAR = 12.0
_GAP = 6.0


@dataclass(frozen=True)
class PoolBar:
    """left and taken: shares of the whole, 0 to 1; taken is a part of what is left. words: said beside it."""

    name: str
    left: float
    taken: float
    words: str


class BudgetBar(QWidget):
    """Solid: left. Hatched: what would be taken. Empty: spent. The words say the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = PoolBar("", 0, 0, "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def bar(self) -> PoolBar:
        return self._bar

    def show_bar(self, bar: PoolBar) -> None:
        """Show another pool."""
        self._bar = bar
        self.setAccessibleName(f"{bar.name}: {bar.words}")
        self.setToolTip(f"{bar.name}: {bar.words}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, round(self.fontMetrics().height() + _GAP + _BAR + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_words(painter)
        self._paint_bar(painter)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        ink = self.palette().color(self.foregroundRole())
        line = QRectF(0, 0, self.width(), self.fontMetrics().height())
        painter.setPen(ink)
        said = min(text_width(self._bar.words, self.font()), line.width())
        painter.drawText(
            line, Qt.AlignmentFlag.AlignRight, elided(self._bar.words, self.font(), line.width())
        )
        name = elided(self._bar.name, self.font(), max(line.width() - said - 8, 0))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, name)

    def _paint_bar(self, painter: QPainter) -> None:
        theme, bar = theme_of(self.palette()), self._bar
        whole = QRectF(0.5, self.fontMetrics().height() + _GAP, self.width() - 1, _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.grid)
        painter.drawRoundedRect(whole, 3, 3)
        kept = QRectF(whole.left(), whole.top(), whole.width() * (bar.left - bar.taken), _BAR)
        painter.setBrush(theme.within)
        painter.drawRoundedRect(kept, 3, 3)
        if bar.taken > 0:
            width = max(whole.width() * bar.taken, 2.0)
            part = QRectF(kept.right(), whole.top(), width, _BAR)
            painter.fillRect(part, faint(theme.near, 0.3))
            hatch(painter, part, theme.near)
        painter.setPen(QPen(theme.axis, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(whole, 3, 3)
