"""A table of read-only rows whose selection can be copied into a spreadsheet."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from curator_gui.gui.models.targets import STANDING_ROLE
from curator_gui.gui.theme import Standing, theme_of
from curator_gui.gui.words import THIN, count

MOST_COPIED = 50_000
_ROOM = 8
_EN = "\u2002"


class StandingCells(QStyledItemDelegate):
    """Cells with air at both sides; words in the colour of the standing under ``STANDING_ROLE``, if any."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return f"{_EN}{super().displayText(value, locale)}{_EN}"

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        standing = index.data(STANDING_ROLE)
        if isinstance(standing, Standing):
            option.palette.setColor(QPalette.ColorRole.Text, theme_of(option.palette).words(standing))


class CopyTable(QTableView):
    """Whole rows are selected; Ctrl+C copies them with their heads, separated by tabs."""

    refused = Signal(str)
    """Why nothing was copied, in one sentence."""
    chosen = Signal(QModelIndex)
    """A row was clicked, or Enter pressed on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(StandingCells(self))
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        height = self.fontMetrics().height() + _ROOM
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.clicked.connect(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, _: str) -> None:
        """Letters look for nothing: Qt would ask for every cell there is, and the window stand still."""

    def selectAll(self) -> None:
        """All rows, or a refusal: Qt takes a minute to select a million."""
        rows = self.model().rowCount()
        if rows > MOST_COPIED:
            text = self.tr("{0} rows are too many to select; filter them to at most {1} first.")
            self.refused.emit(text.format(count(rows), count(MOST_COPIED)))
        else:
            super().selectAll()

    def copy(self) -> None:
        """Copy the selected rows, or all of them where none is selected."""
        rows = self._selected() or range(self.model().rowCount())
        if len(rows) > MOST_COPIED:
            text = self.tr("{0} rows are too many to copy; select at most {1} of them.")
            self.refused.emit(text.format(count(len(rows)), count(MOST_COPIED)))
            return
        lines = [self._heads(), *(self._line(row) for row in rows)]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _selected(self) -> list[int]:
        found: list[int] = []
        for area in self.selectionModel().selection().toList():
            found.extend(range(area.top(), area.bottom() + 1))
        return sorted(set(found))

    def _heads(self) -> str:
        model = self.model()
        columns = range(model.columnCount())
        return "\t".join(_cell(model.headerData(c, Qt.Orientation.Horizontal)) for c in columns)

    def _line(self, row: int) -> str:
        model = self.model()
        return "\t".join(_cell(model.index(row, c).data()) for c in range(model.columnCount()))


def _cell(value: object) -> str:
    """Text without tabs and line ends, and numbers without the space that groups their digits."""
    text = "" if value is None else str(value)
    return " ".join(text.replace(THIN, "").split())
