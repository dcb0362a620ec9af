"""A histogram of a column's numbers with the cuts of a view drawn over it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from curator_gui.core.table import Column
from curator_gui.core.view import View
from curator_gui.gui.level_figures import Spread, cuts_of, spread_of
from curator_gui.gui.naming import named
from curator_gui.gui.theme import Theme, theme_of

_PADDING = 8


class Histogram(QWidget):
    """Bars over the range of a number column; ``show_cuts`` draws where a view cuts it."""

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "histogram", self.tr("Histogram of {0}").format(column.name))
        self._spread: Spread | None = spread_of(column)
        self._cuts: tuple[float, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(320, 96)

    def show_cuts(self, view: View | None) -> None:
        """Draw the cuts of a view; None for none."""
        self._cuts = cuts_of(view, self._spread) if view is not None and self._spread else ()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter, theme = QPainter(self), theme_of(self.palette())
        painter.fillRect(self.rect(), theme.surface)
        if self._spread is not None:
            self._paint(painter, theme, self._spread)
        painter.end()

    def _paint(self, painter: QPainter, theme: Theme, spread: Spread) -> None:
        label = self.fontMetrics().height()
        area = QRectF(self.rect()).adjusted(_PADDING, _PADDING, -_PADDING, -label - 6)
        width = area.width() / len(spread.bars)
        for i, share in enumerate(spread.bars):
            height = share * area.height()
            bar = QRectF(area.left() + i * width, area.bottom() - height, max(width - 1, 1), height)
            painter.fillRect(bar, theme.axis)
        painter.setPen(theme.muted)
        below = self.rect().adjusted(_PADDING, 0, -_PADDING, -2)
        painter.drawText(
            below, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom), spread.low_text
        )
        painter.drawText(
            below, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), spread.high_text
        )
        painter.setPen(QPen(theme.within, 1.5))
        for cut in self._cuts:
            x = area.left() + spread.place(cut) * area.width()
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
