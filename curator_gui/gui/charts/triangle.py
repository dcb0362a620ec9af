"""Pairs of columns as the cells of a triangle, walked by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from curator_gui.gui.charts.marks import elided, text_width
from curator_gui.gui.theme import Theme, theme_of

CELL = 26
_AIR = 8
_WIDEST = 140  # names of rows longer than this are shortened; beside the cells they stand whole
_BOLD = 1.12  # how much wider a bold name is, at most

Pair = tuple[int, int]


class Triangle(QWidget):
    """A row for each column but the first; names stand before the rows and, as heads, above the cells.

    ``activated(row, column)``: a cell was clicked, or Enter or Space pressed on it; column < row.
    Subclasses paint a cell and say it in words.
    """

    activated = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self.found = ""
        self._cursor: Pair | None = None
        self._hovered: Pair | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # --- what subclasses say ---

    def paint_cell(self, painter: QPainter, area: QRectF, pair: Pair, theme: Theme) -> None:
        raise NotImplementedError

    def cell_in_words(self, pair: Pair) -> str:
        raise NotImplementedError

    # --- what is shown ---

    def show_names(self, names: Sequence[str]) -> None:
        """Show the pairs of other columns."""
        self.names = tuple(names)
        self._cursor = (1, 0) if len(self.names) > 1 else None
        self.setMinimumSize(self.sizeHint())
        self.resize(self.sizeHint())
        self.update()

    def set_off(self, text: str) -> None:
        """Set off the columns whose names contain the text; the cursor goes to the first of them."""
        self.found = text.casefold()
        hits = [i for i, name in enumerate(self.names) if text and self.found in name.casefold()]
        if hits:
            self.place = (max(hits[0], 1), 0)
        self.update()

    @property
    def place(self) -> Pair | None:
        """The keyboard's place."""
        return self._cursor

    @place.setter
    def place(self, pair: Pair) -> None:
        self._cursor = pair
        self.say_cell()
        self.update()

    def say_cell(self) -> None:
        """Tell those who hear the window what the cursor is on."""
        if self._cursor is not None:
            self.setAccessibleDescription(self.cell_in_words(self._cursor))
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def sizeHint(self) -> QSize:
        longest = max((text_width(n, self.font()) + i * CELL for i, n in enumerate(self.names)), default=0)
        return QSize(self._before() + round(longest) + 3 * _AIR, max(len(self.names), 1) * CELL + 2 * _AIR)

    # --- geometry ---

    def _before(self) -> int:
        """Where the cells begin: behind the names of the rows."""
        widest = max((text_width(name, self.font()) for name in self.names[1:]), default=0.0)
        return min(round(widest * _BOLD), _WIDEST) + 2 * _AIR

    def area_of(self, pair: Pair) -> QRectF:
        """Where a cell is painted."""
        row, column = pair
        return QRectF(self._before() + column * CELL + 2, _AIR + row * CELL + 2, CELL - 4, CELL - 4)

    def pair_at(self, at: QPoint) -> Pair | None:
        """The cell under a point."""
        row, column = (at.y() - _AIR) // CELL, (at.x() - self._before()) // CELL
        return (row, column) if 0 <= column < row < len(self.names) else None

    # --- painting ---

    def paintEvent(self, _: QPaintEvent) -> None:
        painter, theme = QPainter(self), theme_of(self.palette())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.surface)
        pointed = self._cursor if self.hasFocus() else self._hovered
        for row, name in enumerate(self.names):
            for column in range(row):
                self.paint_cell(painter, self.area_of((row, column)), (row, column), theme)
            self._paint_name(painter, row, name, theme, pointed)
        if pointed is not None:
            painter.setPen(QPen(theme.text, 2 if self.hasFocus() else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.area_of(pointed).adjusted(-1, -1, 1, 1), 4, 4)
        painter.end()

    def _paint_name(self, painter: QPainter, row: int, name: str, theme: Theme, pointed: Pair | None) -> None:
        font = painter.font()
        font.setBold(pointed is not None and row in pointed)
        font.setUnderline(bool(self.found) and self.found in name.casefold())
        painter.setFont(font)
        dimmed = bool(self.found) and self.found not in name.casefold()
        painter.setPen(theme.muted if dimmed else theme.text)
        top, start = _AIR + row * CELL, self._before()
        head = QRectF(start + row * CELL + 4, top, self.width(), CELL)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        if row > 0:
            before = QRectF(_AIR, top, start - 2 * _AIR, CELL)
            short = elided(name, font, before.width())
            painter.drawText(before, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, short)

    # --- mouse and keys ---

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self.pair_at(event.position().toPoint())
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pair = self.pair_at(event.position().toPoint())
        if pair is not None and event.button() == Qt.MouseButton.LeftButton:
            self.place = pair
            self.activated.emit(*pair)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if self._cursor is None:
            super().keyPressEvent(event)
        elif step is not None:
            self._walk(*step)
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activated.emit(*self._cursor)
        else:
            super().keyPressEvent(event)

    def _walk(self, down: int, right: int) -> None:
        assert self._cursor is not None
        row, column = self._cursor[0] + down, self._cursor[1] + right
        if 0 < row < len(self.names):
            self.place = (row, min(max(column, 0), row - 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.say_cell()
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            pair = self.pair_at(event.pos())
            QToolTip.showText(event.globalPos(), self.cell_in_words(pair) if pair else "", self)
            return True
        return super().event(event)
