"""A synthetic table as an item model over codes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from curator_gui.core.table import Table
from curator_gui.gui.words import count

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class SyntheticTableModel(QAbstractTableModel):
    """Its cells as text, records counted from 1; a missing cell is empty and says so when read out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None

    def show(self, table: Table | None) -> None:
        """Show another table."""
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._table is None else self._table.rows

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._table is None else len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._table is None or not index.isValid():
            return None
        column = self._table.columns[index.column()]
        value = column.values[int(column.codes[index.row()])]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return value
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.tr("missing") if value is None else value
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column.type.is_number else Qt.AlignmentFlag.AlignLeft
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if self._table is None or role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return count(section + 1)
        return self._table.columns[section].name if section < len(self._table.columns) else None
