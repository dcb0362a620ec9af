"""Cells of two lines: a figure and, smaller below it, what it comes to."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from curator_gui.gui.models.candidates import LINES_ROLE, CandidateModel
from curator_gui.gui.step_labels import fitted
from curator_gui.gui.theme import Standing, theme_of

Index = QModelIndex | QPersistentModelIndex
_PAD = 8
_GAP = 1


class TwoLines(QStyledItemDelegate):
    """Paints the two lines of a cell; the disclosure in the colour of its standing.

    Fonts, their measures and the theme are asked for once a palette and font: a list is painted while threads
    compute, and every call into Qt may have to wait for the interpreter.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look: _Look | None = None

    def sizeHint(self, option: QStyleOptionViewItem, _: Index) -> QSize:
        return QSize(_PAD, self._look_of(option).row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        widget = option.widget
        style = widget.style() if isinstance(widget, QWidget) else QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, widget)
        look, area, column = self._look_of(option), option.rect, index.column()
        left, top, width = area.left() + _PAD, area.top() + _PAD // 2, area.width() - 2 * _PAD
        first, second, standing = index.data(LINES_ROLE)
        flags = look.right if column else look.left
        upper, lower = self._colours(look, option, column, standing)
        painter.setFont(look.font)
        painter.setPen(upper)
        shown = fitted(look.measure, width, *first)
        painter.drawText(QRect(left, top, width, look.height), flags, shown)
        painter.setFont(look.small)
        painter.setPen(lower)
        shown = fitted(look.small_measure, width, *second)
        painter.drawText(QRect(left, top + look.height + _GAP, width, look.small_height), flags, shown)

    def width_of(self, option: QStyleOptionViewItem, first: str, second: str) -> int:
        """The width at which neither line of a cell is cut."""
        look = self._look_of(option)
        wide = look.measure.horizontalAdvance(first)
        return max(wide, look.small_measure.horizontalAdvance(second)) + 2 * _PAD

    def _look_of(self, option: QStyleOptionViewItem) -> _Look:
        key = (option.palette.cacheKey(), option.font.key())
        if self._look is None or self._look.key != key:
            self._look = _Look(key, option)
        return self._look

    @staticmethod
    def _colours(
        look: _Look, option: QStyleOptionViewItem, column: int, standing: Standing
    ) -> tuple[QColor, QColor]:
        if option.state & QStyle.StateFlag.State_Selected:
            return look.chosen, look.chosen
        if column == CandidateModel.DISCLOSURE:
            return look.theme.words(standing), look.theme.muted
        return look.theme.text, look.theme.muted


class _Look:
    """Fonts and colours of the cells under one palette and font."""

    left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def __init__(self, key: tuple[int, str], option: QStyleOptionViewItem) -> None:
        self.key = key
        self.font, self.small = QFont(option.font), _small(option.font)
        self.measure, self.small_measure = QFontMetrics(self.font), QFontMetrics(self.small)
        self.height, self.small_height = self.measure.height(), self.small_measure.height() + 1
        self.row_height = self.height + self.small_height + _GAP + _PAD
        self.theme = theme_of(option.palette)
        self.chosen = option.palette.color(QPalette.ColorRole.HighlightedText)


def _small(font: QFont) -> QFont:
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(font.pointSizeF() * 0.88)
    small.setBold(False)
    return small
