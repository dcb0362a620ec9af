"""Records as dots, ● with the secret and ○ without, ringed where they look like the target in the release."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from curator_gui.gui.charts.dots_painting import DotsLayout, DotsPainting
from curator_gui.gui.charts.group import Dot, Group, dot_details, read_group
from curator_gui.gui.theme import theme_of


class DotsFigure(QWidget):
    """The prior group before and after a step. Click a dot, or move to it with the arrows and press Enter."""

    rows_clicked = Signal(object)
    """The rows (from 0) that the dot stands for, at most twelve."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group: Group | None = None
        self._focus: int | None = None
        self.setObjectName("dots_figure")
        self.setAccessibleName(self.tr("Records that look like the target"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def group(self) -> Group | None:
        return self._group

    def show_group(self, group: Group | None) -> None:
        """Show a prior group, or nothing."""
        self._group, self._focus = group, None
        self.setAccessibleDescription("" if group is None else read_group(group))
        self._fit()
        self.update()

    def dots_layout(self) -> DotsLayout | None:
        """The group laid out in the present width."""
        return None if self._group is None else DotsLayout(self._group, self.width(), self.font())

    def _fit(self) -> None:
        self.setFixedHeight(self.heightForWidth(self.width()))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return 0 if self._group is None else math.ceil(DotsLayout(self._group, width, self.font()).height)

    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(max(self.width(), 280)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def paintEvent(self, _: QPaintEvent) -> None:
        layout = self.dots_layout()
        if layout is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = theme_of(self.palette())
        painter.setPen(theme.grid)
        painter.setBrush(theme.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        DotsPainting(layout, theme, painter).paint(self._focus)
        painter.end()

    # --- pointer and keys ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        dot = self._dot_at(event.position())
        if dot is not None and event.button() == Qt.MouseButton.LeftButton:
            self.rows_clicked.emit(dot.rows)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._dot_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.details_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def details_at(self, place: QPointF) -> str:
        """What the tooltip says at a place; empty beside the dots."""
        dot = self._dot_at(place)
        return "" if dot is None or self._group is None else dot_details(self._group, dot)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        group = self._group
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if group is None or not group.dots:
            super().keyPressEvent(event)
        elif key in moves:
            at = (self._focus or 0) + moves[key]
            self._go(min(max(at, 0), len(group.dots) - 1))
        elif self._focus is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.rows_clicked.emit(group.dots[self._focus].rows)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._group is not None and self._group.dots and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._go(0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focus = None
        self.update()

    def _go(self, index: int) -> None:
        assert self._group is not None
        self._focus = index
        details = dot_details(self._group, self._group.dots[index])
        self.setAccessibleDescription(f"{details}. {read_group(self._group)}")
        self.update()

    def _dot_at(self, place: QPointF) -> Dot | None:
        layout = self.dots_layout()
        index = None if layout is None else layout.index_at(place)
        return None if layout is None or index is None else layout.group.dots[index]
