"""The pairs of columns a user cares about, chosen in a triangle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from curator_gui.gui.charts.triangle import Pair, Triangle
from curator_gui.gui.theme import Theme
from curator_gui.gui.words import count


class InterestMatrix(Triangle):
    """A filled cell with a tick is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen: frozenset[Pair] = frozenset()
        self._cells: Callable[[Sequence[str]], int] = len
        self.setAccessibleName(self.tr("Pairs of columns; Space chooses one"))

    def show_chosen(self, chosen: Collection[Pair], cells: Callable[[Sequence[str]], int]) -> None:
        """chosen: (row, column) pairs; cells: how many cells a query has."""
        self._chosen, self._cells = frozenset(chosen), cells
        self.say_cell()
        self.update()

    def is_chosen(self, pair: Pair) -> bool:
        return pair in self._chosen

    def paint_cell(self, painter: QPainter, area: QRectF, pair: Pair, theme: Theme) -> None:
        chosen = pair in self._chosen
        painter.setPen(QPen(theme.within if chosen else theme.axis, 1))
        painter.setBrush(theme.within if chosen else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 3, 3)
        if chosen:
            painter.setPen(QPen(theme.surface, 2.4))
            corners = [(0.25, 0.52), (0.44, 0.72), (0.77, 0.3)]
            side, start = area.width(), area.topLeft()
            painter.drawPolyline([start + QPointF(x * side, y * side) for x, y in corners])

    def cell_in_words(self, pair: Pair) -> str:
        query = (self.names[pair[1]], self.names[pair[0]])
        said = self.tr("{0}: {1} cells").format(" × ".join(query), count(self._cells(query)))
        return self.tr("{0}, chosen").format(said) if pair in self._chosen else said
