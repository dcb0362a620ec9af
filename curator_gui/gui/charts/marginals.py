"""A column's values in the real and in the synthetic table, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from curator_gui.gui.charts.marks import elided, hatch, text_width
from curator_gui.gui.colour import faint
from curator_gui.gui.theme import theme_of
from curator_gui.gui.words import percent

_BAR = 9
_GAP = 10
_LABEL = 110
_FIGURE = 100


class Marginals(QWidget):
    """Two bars a value: solid is real, hatched is synthetic."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[str, float, float]] = []
        self.setAccessibleName(self.tr("Shares of a column's values, real and synthetic"))

    @property
    def lines(self) -> list[tuple[str, float, float]]:
        """(label, real share, synthetic share) of each value."""
        return self._lines

    def show_shares(self, labels: Sequence[str], real: Sequence[float], synthetic: Sequence[float]) -> None:
        """Show another column; shares are from 0 to 1."""
        self._lines = list(zip(labels, real, synthetic, strict=True))
        self.setMinimumHeight(self.sizeHint().height())
        said = self.tr("{0}: real {1}, synthetic {2}")
        self.setAccessibleDescription(
            "; ".join(said.format(n, percent(r), percent(s)) for n, r, s in self._lines[:40])
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 28 + len(self._lines) * (2 * _BAR + _GAP) + 8)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter, theme = QPainter(self), theme_of(self.palette())
        painter.fillRect(self.rect(), theme.surface)
        self._paint_legend(painter)
        most = max((max(r, s) for _, r, s in self._lines), default=0) or 1.0
        room = max(self.width() - _LABEL - _FIGURE - 24, 20)
        for i, (label, real, synthetic) in enumerate(self._lines):
            top = 28 + i * (2 * _BAR + _GAP)
            painter.setPen(theme.text)
            place = QRectF(8, top, _LABEL - 8, 2 * _BAR)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, right, elided(label, painter.font(), place.width()))
            for j, share in enumerate((real, synthetic)):
                area = QRectF(_LABEL + 8, top + j * _BAR, max(room * share / most, 1), _BAR - 1)
                self._paint_bar(painter, area, synthetic=bool(j))
            painter.setPen(theme.muted)
            figures = QRectF(_LABEL + 16 + room * max(real, synthetic) / most, top, _FIGURE, 2 * _BAR)
            painter.drawText(
                figures,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                f"{percent(real)} → {percent(synthetic)}",
            )
        painter.end()

    def _paint_bar(self, painter: QPainter, area: QRectF, *, synthetic: bool) -> None:
        theme = theme_of(self.palette())
        if not synthetic:
            painter.fillRect(area, theme.plain)
            return
        painter.fillRect(area, faint(theme.within, 0.3))
        hatch(painter, area, theme.within)

    def _paint_legend(self, painter: QPainter) -> None:
        theme, x = theme_of(self.palette()), float(_LABEL + 8)
        for synthetic, word in ((False, self.tr("real")), (True, self.tr("synthetic"))):
            self._paint_bar(painter, QRectF(x, 10, 16, _BAR - 1), synthetic=synthetic)
            painter.setPen(theme.text)
            width = text_width(word, painter.font())
            painter.drawText(QRectF(x + 22, 4, width + 4, 20), Qt.AlignmentFlag.AlignVCenter, word)
            x += 22 + width + 24
