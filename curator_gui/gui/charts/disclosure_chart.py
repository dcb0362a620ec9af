"""The disclosure of every prefix as a step line against the budget, with the candidate under the cursor."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from curator_gui.gui.charts.disclosure_painting import DisclosurePainting, Shown
from curator_gui.gui.charts.series import DisclosureSeries, point_details, read_out, series_csv
from curator_gui.gui.theme import theme_of


class DisclosureChart(QWidget):
    """α against the steps. Click a point, or move to it with ← → and press Enter, to stand at that prefix."""

    prefix_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series: DisclosureSeries | None = None
        self._shown = Shown()
        self._empty = self.tr("No disclosure to show yet.")
        self.setObjectName("disclosure_chart")
        self.setAccessibleName(self.tr("Disclosure after each step"))
        self.setWindowTitle(self.tr("Disclosure after each step"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # --- what it shows ---

    @property
    def series(self) -> DisclosureSeries | None:
        return self._series

    def show_series(self, series: DisclosureSeries | None, empty: str = "") -> None:
        """Show a series; where there is none, the sentence ``empty``."""
        self._series = series if series is not None and series.points else None
        self._empty = empty or self._empty
        points = 0 if self._series is None else len(self._series.points)
        if self._shown.focus is not None and self._shown.focus >= points:
            self._shown = replace(self._shown, focus=points - 1 if points else None)
        self.setAccessibleDescription(self._empty if self._series is None else read_out(self._series))
        self.update()

    def show_secrets(self, shown: bool) -> None:
        """One line a secret, or none."""
        self._show(secrets=shown)

    def show_band(self, shown: bool) -> None:
        """The band from the median to the 90th percentile, or none."""
        self._show(band=shown)

    def _show(self, **changed: object) -> None:
        self._shown = replace(self._shown, **changed)  # type: ignore[arg-type]
        self.update()

    # --- how it is painted ---

    def painting(self) -> DisclosurePainting | None:
        """The series laid out for the present size and palette."""
        return self._painting(self.size())

    def _painting(self, size: QSize) -> DisclosurePainting | None:
        if self._series is None:
            return None
        area = QRectF(0, 0, size.width(), size.height())
        return DisclosurePainting(self._series, area, self.font(), theme_of(self.palette()), self._shown)

    def paint_on(self, painter: QPainter, size: QSize) -> None:
        painting = self._painting(size)
        if painting is not None:
            painting.paint(painter)
            return
        painter.setPen(theme_of(self.palette()).muted)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(QRectF(24, 0, size.width() - 48, size.height()), flags, self._empty)

    def surface(self) -> QColor:
        return theme_of(self.palette()).surface

    def csv(self) -> str:
        return "" if self._series is None else series_csv(self._series)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.surface())
        painter.setFont(self.font())
        self.paint_on(painter, self.size())
        painter.end()

    def sizeHint(self) -> QSize:
        return QSize(640, 220)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 130)

    # --- pointer and keys ---

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._index_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self._is_prefix(index):
            self._show(focus=index)
            self.prefix_clicked.emit(index)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.details_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def details_at(self, place: QPointF) -> str:
        """What the tooltip says at a place; empty where nothing stands."""
        index, series = self._index_at(place), self._series
        if index is None or series is None:
            return ""
        texts = [point_details(series, index)] if self._is_prefix(index) else []
        if series.preview is not None and index == series.position + 1:
            texts.insert(0, point_details(series, None))
        return "\n\n".join(texts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._series is None:
            super().keyPressEvent(event)
            return
        last, here = len(self._series.points) - 1, self._focused()
        moves = {
            Qt.Key.Key_Left: max(here - 1, 0),
            Qt.Key.Key_Right: min(here + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in moves:
            self._focus(moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.prefix_clicked.emit(here)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._series is not None and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._focus(self._focused())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show(focus=None)

    def _focused(self) -> int:
        assert self._series is not None
        return self._series.position if self._shown.focus is None else self._shown.focus

    def _focus(self, index: int) -> None:
        """Move the keyboard's place; it is read out, the whole chart after it."""
        assert self._series is not None
        self._show(focus=index)
        details = point_details(self._series, index).replace("\n", ". ")
        self.setAccessibleDescription(f"{details}. {read_out(self._series)}")

    def _hover(self, index: int | None) -> None:
        if index != self._shown.hovered:
            self._show(hovered=index)
            over_point = self._is_prefix(index)
            self.setCursor(Qt.CursorShape.PointingHandCursor if over_point else Qt.CursorShape.ArrowCursor)

    def _is_prefix(self, index: int | None) -> bool:
        return index is not None and self._series is not None and index < len(self._series.points)

    def _index_at(self, place: QPointF) -> int | None:
        painting = self.painting()
        return None if painting is None else painting.index_at(place)
