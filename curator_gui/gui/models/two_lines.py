"""Cells of two lines: a figure and, smaller below it, what it comes to."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from curator_gui.gui.models.candidates import SECOND_ROLE, STANDING_ROLE, CandidateModel
from curator_gui.gui.theme import Standing, theme_of

Index = QModelIndex | QPersistentModelIndex
_PAD = 8
_GAP = 1


class TwoLines(QStyledItemDelegate):
    """Paints ``DisplayRole`` above ``SECOND_ROLE``; the disclosure in the colour of its standing."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        lines = QFontMetrics(option.font).height() + QFontMetrics(_small(option.font)).height()
        first = QFontMetrics(option.font).horizontalAdvance(str(index.data() or ""))
        second = QFontMetrics(_small(option.font)).horizontalAdvance(str(index.data(SECOND_ROLE) or ""))
        return QSize(max(first, second) + 2 * _PAD, lines + _GAP + _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        first, option.text = option.text, ""
        widget = option.widget
        style = widget.style() if isinstance(widget, QWidget) else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        painter.save()
        self._write(painter, option, index, first)
        painter.restore()

    def _write(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, first: str) -> None:
        area = option.rect.adjusted(_PAD, _PAD // 2, -_PAD, -_PAD // 2)
        side = Qt.AlignmentFlag.AlignRight if index.column() else Qt.AlignmentFlag.AlignLeft
        upper, lower = self._colours(option, index)
        height, small = QFontMetrics(option.font).height(), _small(option.font)
        painter.setPen(upper)
        first_line = QRect(area.left(), area.top(), area.width(), height)
        _line(painter, first_line, option.font, side, first)
        painter.setPen(lower)
        second_line = first_line.translated(0, height + _GAP)
        _line(painter, second_line, small, side, str(index.data(SECOND_ROLE) or ""))

    def _colours(self, option: QStyleOptionViewItem, index: Index) -> tuple[QColor, QColor]:
        theme = theme_of(option.palette)
        if option.state & QStyle.StateFlag.State_Selected:
            chosen = option.palette.color(QPalette.ColorRole.HighlightedText)
            return chosen, chosen
        standing = index.data(STANDING_ROLE)
        coloured = isinstance(standing, Standing) and index.column() == CandidateModel.DISCLOSURE
        return (theme.words(standing) if coloured else theme.text), theme.muted


def _small(font: QFont) -> QFont:
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(font.pointSizeF() * 0.88)
    small.setBold(False)
    return small


def _line(painter: QPainter, area: QRect, font: QFont, side: Qt.AlignmentFlag, text: str) -> None:
    painter.setFont(font)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
