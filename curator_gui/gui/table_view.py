"""A table view that paints its cells itself, straight from the sheet: ten million rows in a few milliseconds.

Selection, keys, scrolling and what screen readers see are QTableView's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QItemSelectionRange, QLine, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QStaticText,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from curator_gui.disclosure.explain import Look
from curator_gui.gui.colour import faint
from curator_gui.gui.models.table import TableModel
from curator_gui.gui.naming import named
from curator_gui.gui.sheet import Sheet
from curator_gui.gui.theme import Theme, theme_of
from curator_gui.gui.words import count

PADDING = 8
STAYS, JOINS, LEAVES = "●", "+", "−"
_LONGEST = 200
_MOST_LINES = 20_000
_CONTROLS = dict.fromkeys(range(32), " ") | {ord("\n"): "⏎", ord("\t"): "⇥", 0x2028: "⏎", 0x2029: "⏎"}


Line = tuple[QStaticText, int]
"""A text laid out, with its width in pixels."""


@dataclass(frozen=True, eq=False)
class RowMarks:
    """The records that look like a target, now and after the preview, among those of its profile.

    profile: source rows from 0, rising; now, then: [profile] whether each looks like the target.
    """

    target: int
    profile: NDArray[np.int64]
    now: NDArray[np.bool_]
    then: NDArray[np.bool_]

    @classmethod
    def of_look(cls, look: Look) -> RowMarks:
        """The records of a look's set before and after."""
        return cls(look.target, look.profile, look.before, look.after)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """All marked rows."""
        return self.profile[self.now | self.then]

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """How many stay, join and leave."""
        groups = (self.now & self.then, self.then & ~self.now, self.now & ~self.then)
        stay, join, leave = (int(np.count_nonzero(g)) for g in groups)
        return stay, join, leave

    def of(self, rows: NDArray[np.int64]) -> list[str]:
        """For each row "", or a mark that says it stays in, joins or leaves the target's class."""
        at = np.minimum(np.searchsorted(self.profile, rows), len(self.profile) - 1)
        known = self.profile[at] == rows
        pairs = zip((known & self.now[at]).tolist(), (known & self.then[at]).tolist(), strict=True)
        return [STAYS if now and then else LEAVES if now else JOINS if then else "" for now, then in pairs]


class RecordHeader(QHeaderView):
    """Record numbers from 1, the target's in bold, with the marks of its class."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        named(self, "record_numbers", self.tr("Record numbers"))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.marks: RowMarks | None = None

    def sizeHint(self) -> QSize:
        model = self.model()
        sheet = model.sheet if isinstance(model, TableModel) else None
        highest = max(sheet.columns[0].source.rows, 1) if sheet and sheet.columns else 1
        digits = self.fontMetrics().horizontalAdvance(count(highest))
        return QSize(digits + 3 * PADDING + self.fontMetrics().horizontalAdvance("●"), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        model, theme = self.model(), theme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.surface)
        sheet = model.sheet if isinstance(model, TableModel) else None
        if sheet is not None and sheet.height:
            self._paint(painter, theme, sheet, event.rect())
        painter.setPen(theme.grid)
        painter.drawLine(self.width() - 1, event.rect().top(), self.width() - 1, event.rect().bottom())
        painter.end()

    def _paint(self, painter: QPainter, theme: Theme, sheet: Sheet, area: QRect) -> None:
        first, last = visible_span(self, area.top(), area.bottom(), sheet.height)
        rows = sheet.rows_at(first, last)
        marks = self.marks.of(rows) if self.marks else [""] * len(rows)
        target = self.marks.target if self.marks else None
        plain, bold = self.font(), QFont(self.font())
        bold.setBold(True)
        height, width = self.defaultSectionSize(), self.width()
        for at, (row, mark) in enumerate(zip(rows.tolist(), marks, strict=True)):
            top = self.sectionViewportPosition(first + at)
            painter.setFont(bold if row == target else plain)
            painter.setPen(theme.text if mark or row == target else theme.muted)
            text = QRect(0, top, width - PADDING, height)
            painter.drawText(
                text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count(row + 1)
            )
            if mark:
                side = QRect(PADDING, top, width, height)
                painter.drawText(side, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, mark)


def visible_span(header: QHeaderView, start: int, end: int, sections: int) -> tuple[int, int]:
    """The sections from pixel ``start`` to ``end`` of a header, as first and one past the last."""
    first = header.logicalIndexAt(start)
    last = header.logicalIndexAt(end)
    return max(first, 0), sections if last < 0 else last + 1


class TableView(QTableView):
    """Shows a ``TableModel``."""

    copy_asked = Signal()
    """The selection is to be copied."""
    chosen = Signal(int)
    """A record, by its source row, was double-clicked or opened with Return."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "table", self.tr("Table"))
        self._records = RecordHeader(self)
        self.setVerticalHeader(self._records)
        self._records.setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self._lines: dict[tuple[str, int, bool], Line] = {}
        self.doubleClicked.connect(self._open)

    # --- what it shows ---

    @property
    def marks(self) -> RowMarks | None:
        return self._records.marks

    def set_marks(self, marks: RowMarks | None) -> None:
        """Mark the records of a target's class."""
        self._records.marks = marks
        self._records.viewport().update()
        self.viewport().update()

    @property
    def sheet(self) -> Sheet | None:
        model = self.model()
        return model.sheet if isinstance(model, TableModel) else None

    def show_cell(self, position: int, column: int) -> None:
        """Make a cell the current one and bring it into sight."""
        index = self.model().index(position, column)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def selection_ranges(self) -> list[QItemSelectionRange]:
        """The rectangles that are selected."""
        selection = self.selectionModel().selection()
        return [selection.at(i) for i in range(selection.count())]

    def selected_rows(self) -> NDArray[np.int64]:
        """The source rows of the selected cells, sorted, each once."""
        sheet = self.sheet
        ranges = self.selection_ranges()
        if sheet is None or not ranges:
            return np.array([], np.int64)
        parts = [sheet.rows_at(r.top(), r.bottom() + 1) for r in ranges]
        return np.unique(np.concatenate(parts))

    def selected_span(self) -> tuple[list[int], list[int]]:
        """The positions and, in the order on screen, the columns that hold a selected cell."""
        ranges = self.selection_ranges()
        rows = sorted({p for r in ranges for p in range(r.top(), r.bottom() + 1)})
        columns = {c for r in ranges for c in range(r.left(), r.right() + 1)}
        return rows, sorted(columns, key=self.horizontalHeader().visualIndex)

    # --- keys ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, _: str) -> None:
        """Letters look for nothing: Qt would ask for every cell of a million records. Ctrl+F finds."""

    def _open(self, index: QModelIndex) -> None:
        if self.sheet is not None and index.isValid():
            self.chosen.emit(int(self.sheet.rows_at(index.row(), index.row() + 1)[0]))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._lines.clear()
            self._records.setDefaultSectionSize(self.fontMetrics().height() + 8)
        super().changeEvent(event)

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme = theme_of(self.palette())
        painter.fillRect(event.rect(), theme.surface)
        sheet = self.sheet
        if sheet is not None and sheet.height and sheet.columns:
            _Page(self, painter, theme, sheet, event.rect()).paint()
        painter.end()

    def line(self, text: str, width: int, font: QFont) -> Line:
        """The text laid out on one line, cut with an ellipsis where it is too wide; remembered."""
        key = (text, width, font.italic())
        found = self._lines.get(key)
        if found is None:
            if len(self._lines) > _MOST_LINES:
                self._lines.clear()
            found = self._lines[key] = _laid_out(text, width, font)
        return found


def _laid_out(text: str, width: int, font: QFont) -> Line:
    metrics = QFontMetrics(font)
    plain = text[:_LONGEST].translate(_CONTROLS)
    shown = metrics.elidedText(plain, Qt.TextElideMode.ElideRight, width)
    laid_out = QStaticText(shown)
    laid_out.setTextFormat(Qt.TextFormat.PlainText)
    laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    laid_out.prepare(font=font)
    return laid_out, metrics.horizontalAdvance(shown)


class _Page:
    """One painting of the visible cells."""

    def __init__(self, view: TableView, painter: QPainter, theme: Theme, sheet: Sheet, area: QRect) -> None:
        self.view, self.painter, self.theme, self.sheet, self.area = view, painter, theme, sheet, area
        rows, columns = view.verticalHeader(), view.horizontalHeader()
        self.first, self.last = visible_span(rows, area.top(), area.bottom(), sheet.height)
        left, right = columns.visualIndexAt(area.left()), columns.visualIndexAt(area.right())
        visual = range(max(left, 0), columns.count() if right < 0 else right + 1)
        self.columns = [c for c in map(columns.logicalIndex, visual) if not columns.isSectionHidden(c)]
        self.height = rows.defaultSectionSize()
        self.top = rows.sectionViewportPosition(self.first)
        self.rows = sheet.rows_at(self.first, self.last)
        self.removed = sheet.removed_at(self.rows)
        self.baseline = (self.height - view.fontMetrics().height()) // 2
        # One font a style, told apart by identity.
        self.plain, self.faded, self.gone, self.italic = (QFont(view.font()) for _ in range(4))
        self.normal = self.plain
        self.italic.setItalic(True)
        self.missing, self.empty = view.tr("missing"), view.tr("empty")

    def paint(self) -> None:
        self._paint_marks()
        self._paint_selection()
        for column in self.columns:
            self._paint_column(column)
        self._paint_lines()
        self._paint_current()

    def _y(self, at: int) -> int:
        return self.top + at * self.height

    def _paint_marks(self) -> None:
        marks = self.view.marks
        if marks is None:
            return
        tint = faint(self.theme.selection, 0.10)
        for at, mark in enumerate(marks.of(self.rows)):
            if mark:
                self.painter.fillRect(self.area.left(), self._y(at), self.area.width(), self.height, tint)

    def _paint_selection(self) -> None:
        tint = faint(self.theme.selection, 0.28)
        for chosen in self.view.selection_ranges():
            first, last = max(chosen.top(), self.first), min(chosen.bottom() + 1, self.last)
            if first >= last:
                continue
            y, height = self._y(first - self.first), (last - first) * self.height
            for column in self.columns:
                if chosen.left() <= column <= chosen.right():
                    x, width = self._x(column)
                    self.painter.fillRect(x, y, width, height, tint)

    def _x(self, column: int) -> tuple[int, int]:
        return self.view.columnViewportPosition(column), self.view.columnWidth(column)

    def _paint_column(self, column: int) -> None:
        sheet, (x, width) = self.sheet, self._x(column)
        texts = sheet.texts(column, self.rows)
        self.normal = self.faded if sheet.is_dropped(column) else self.plain
        tinted = []
        if sheet.kind == "difference":
            for at, change in enumerate(sheet.changes(column, self.rows)):
                if change is not None:
                    texts[at] = f"{self._named(change[0])} → {self._named(change[1])}"
                    tinted.append(at)
        for at in tinted:
            self.painter.fillRect(x, self._y(at), width, self.height, faint(self.theme.preview, 0.16))
        self._paint_texts(texts, self.removed, x + PADDING, width - 2 * PADDING, self._is_number(column))

    def _paint_texts(
        self, texts: list[str | None], gone: list[bool], x: int, width: int, right: bool
    ) -> None:
        """The pen is changed only where a cell is unlike the one above it."""
        painter, line, theme = self.painter, self.view.line, self.theme
        y, last, strikes = self.top + self.baseline, None, list[QLine]()
        for text, is_gone in zip(texts, gone, strict=True):
            font = self.gone if is_gone else self.normal if text else self.italic
            if font is not last:
                painter.setFont(font)
                painter.setPen(theme.text if font is self.plain else theme.muted)
                last = font
            laid_out, needed = line(text or self._named(text), width, font)
            left = x + width - needed if right else x
            painter.drawStaticText(left, y, laid_out)
            if is_gone:
                middle = y + self.height // 2 - self.baseline
                strikes.append(QLine(left, middle, left + needed, middle))
            y += self.height
        painter.setPen(theme.muted)
        painter.drawLines(strikes)

    def _named(self, text: str | None) -> str:
        return self.missing if text is None else text or self.empty

    def _is_number(self, column: int) -> bool:
        return self.sheet.columns[column].source.type.is_number

    def _paint_lines(self) -> None:
        area, end = self.area, self._y(len(self.rows)) - 1
        right = min(area.right(), self.view.horizontalHeader().length() - self.view.horizontalOffset() - 1)
        lines = [
            QLine(area.left(), y, right, y) for y in range(self.top + self.height - 1, end + 1, self.height)
        ]
        for column in self.columns:
            x, width = self._x(column)
            lines.append(QLine(x + width - 1, area.top(), x + width - 1, min(area.bottom(), end)))
        self.painter.setPen(self.theme.grid)
        self.painter.drawLines(lines)

    def _paint_current(self) -> None:
        current = self.view.currentIndex()
        if not current.isValid() or not self.first <= current.row() < self.last:
            return
        x, width = self._x(current.column())
        colour = QColor(self.theme.selection) if self.view.hasFocus() else self.theme.axis
        self.painter.setPen(QPen(colour, 2 if self.view.hasFocus() else 1))
        self.painter.drawRect(x, self._y(current.row() - self.first), width - 2, self.height - 2)
