"""The table as an item model over codes: what screen readers, tests and the clipboard read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from curator_gui.gui.column_facts import ColumnFacts
from curator_gui.gui.sheet import Sheet
from curator_gui.gui.words import count

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LONGEST_TIP = 400

SourceRowRole = int(Qt.ItemDataRole.UserRole)
"""The row of the source, from 0."""


class TableModel(QAbstractTableModel):
    """The cells of a sheet. Rows are positions on screen; vertical headers count records from 1."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet: Sheet | None = None
        self._facts: Mapping[str, ColumnFacts] = {}

    @property
    def sheet(self) -> Sheet | None:
        return self._sheet

    def facts(self, column: int) -> ColumnFacts | None:
        """What is known of the column at a place."""
        return self._facts.get(self._sheet.columns[column].name) if self._sheet else None

    def show(self, sheet: Sheet | None, facts: Sequence[ColumnFacts] = ()) -> None:
        """Show another sheet, or nothing."""
        self.beginResetModel()
        self._sheet = sheet
        self._facts = {f.name: f for f in facts}
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._sheet is None else self._sheet.height

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._sheet is None else len(self._sheet.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        sheet = self._sheet
        if sheet is None or not index.isValid():
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(sheet, index)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(sheet, index)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(sheet, index.column())
        return self._row(sheet, index) if role == SourceRowRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        sheet = self._sheet
        if sheet is None or section < 0:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self._column_header(sheet, section, role) if section < len(sheet.columns) else None
        if role != Qt.ItemDataRole.DisplayRole or section >= sheet.height:
            return None
        return count(int(sheet.rows_at(section, section + 1)[0]) + 1)

    def _column_header(self, sheet: Sheet, section: int, role: int) -> str | None:
        if role == Qt.ItemDataRole.DisplayRole:
            return sheet.columns[section].name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            facts = self.facts(section)
            return facts.sentence if facts else sheet.columns[section].name
        return None

    def _row(self, sheet: Sheet, index: Index) -> int:
        return int(sheet.rows_at(index.row(), index.row() + 1)[0])

    def _text(self, sheet: Sheet, index: Index) -> str | None:
        rows = np.array([self._row(sheet, index)])
        change = sheet.changes(index.column(), rows)[0]
        if change is None:
            return sheet.texts(index.column(), rows)[0]
        return f"{self._named(change[0])} → {self._named(change[1])}"

    def _spoken(self, sheet: Sheet, index: Index) -> str:
        """The cell in words, with what became of it."""
        row = self._row(sheet, index)
        text = self._text(sheet, index)
        said = self._named(text)[:_LONGEST_TIP]
        if sheet.removed_at(np.array([row]))[0]:
            return self.tr("{0} (record {1} was removed)").format(said, count(row + 1))
        if sheet.is_dropped(index.column()):
            return self.tr("{0} (column dropped)").format(said)
        return said

    def _named(self, text: str | None) -> str:
        if text is None:
            return self.tr("missing")
        return text or self.tr("empty text")


def _alignment(sheet: Sheet, column: int) -> int:
    right = sheet.columns[column].source.type.is_number
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
