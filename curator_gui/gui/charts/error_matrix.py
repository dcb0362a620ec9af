"""How far a synthetic table is from the real one, pair by pair, as shades of a triangle."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from curator_gui.gui.charts.triangle import Pair, Triangle
from curator_gui.gui.colour import TEXT_CONTRAST, blend, readable
from curator_gui.gui.theme import Theme
from curator_gui.gui.words import percent

_DARKEST = 0.5
"""An error of a half and more has the full colour."""


class ErrorMatrix(Triangle):
    """The shade grows with the root of the error; the figure in the cell is the error in percent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._errors: dict[Pair, float] = {}
        self.setAccessibleName(self.tr("Error of each pair of columns"))

    def show_errors(self, errors: Mapping[Pair, float]) -> None:
        """errors: ½‖p̂ − p‖₁ of (row, column) pairs, 0 to 1."""
        self._errors = dict(errors)
        self.say_cell()
        self.update()

    def paint_cell(self, painter: QPainter, area: QRectF, pair: Pair, theme: Theme) -> None:
        error = self._errors.get(pair, 0.0)
        shade = blend(theme.surface, theme.over, min(error / _DARKEST, 1.0) ** 0.5)
        painter.setPen(QPen(theme.grid, 1))
        painter.setBrush(shade)
        painter.drawRoundedRect(area, 3, 3)
        font = painter.font()
        plain = type(font)(font)
        font.setPixelSize(10)
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(readable(theme.text, shade, TEXT_CONTRAST))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"{100 * error:.0f}")
        painter.setFont(plain)

    def cell_in_words(self, pair: Pair) -> str:
        name = f"{self.names[pair[1]]} × {self.names[pair[0]]}"
        return self.tr("{0}: {1} of the records would have to change").format(
            name, percent(self._errors.get(pair, 0.0))
        )
