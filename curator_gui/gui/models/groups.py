"""Distinct values with their records and the label of their group at each level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from curator_gui.core.table import Column
from curator_gui.gui.words import count

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
FIRST_LEVEL = 2
SortRole = int(Qt.ItemDataRole.UserRole)


class GroupsModel(QAbstractTableModel):
    """Value, records, then one editable column a level. A value without a group keeps its own text.

    Values that no record has can stand among them: those that new data may bring.
    """

    def __init__(self, column: Column, levels: int = 1, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._column = column
        order = np.argsort(-column.counts, kind="stable").tolist()
        self._values: list[str | None] = [column.values[i] for i in order]
        self._counts: list[int] = column.counts[order].tolist()
        self._groups: list[dict[str | None, str]] = [{} for _ in range(levels)]

    @property
    def values(self) -> tuple[str | None, ...]:
        """The column's, the most frequent first, then those that no record has."""
        return tuple(self._values)

    @property
    def levels(self) -> int:
        return len(self._groups)

    def groups(self, level: int) -> dict[str | None, str]:
        """The values put into a group at a level, from 0; missing (None) only where it was."""
        return dict(self._groups[level])

    def show(self, groups: list[dict[str | None, str]], values: Sequence[str | None] = ()) -> None:
        """Replace all levels; ``values`` are listed too, whether a record has them or not."""
        self.beginResetModel()
        seen = len(self._column.values)
        known = set(self._values[:seen])
        more = [v for v in dict.fromkeys(values) if v not in known]
        self._values[seen:], self._counts[seen:] = more, [0] * len(more)
        self._groups = [dict(g) for g in groups] or [{}]
        self.endResetModel()

    def add_value(self, value: str) -> bool:
        """List a value that no record has; whether it was not there before."""
        if value in self._values:
            return False
        row = len(self._values)
        self.beginInsertRows(QModelIndex(), row, row)
        self._values.append(value)
        self._counts.append(0)
        self.endInsertRows()
        return True

    def add_level(self) -> None:
        """A level above the last, beginning as it is."""
        last = self.columnCount()
        self.beginInsertColumns(QModelIndex(), last, last)
        self._groups.append(dict(self._groups[-1]))
        self.endInsertColumns()

    def remove_level(self) -> None:
        """Take the last level away, if there are two or more."""
        if len(self._groups) > 1:
            last = self.columnCount() - 1
            self.beginRemoveColumns(QModelIndex(), last, last)
            self._groups.pop()
            self.endRemoveColumns()

    def put(self, rows: list[int], level: int, label: str | None) -> None:
        """Put values into a group at a level, and above where they moved with it; None: out of it."""
        for row in rows:
            value = self._values[row]
            old = self._groups[level].get(value)
            for groups in self._groups[level:]:
                if groups is self._groups[level] or groups.get(value) == old:
                    if label is None:
                        groups.pop(value, None)
                    else:
                        groups[value] = label
        if rows:
            last = self.index(max(rows), self.columnCount() - 1)
            self.dataChanged.emit(self.index(min(rows), FIRST_LEVEL), last)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._values)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else FIRST_LEVEL + len(self._groups)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == SortRole and column == 1:
            return self._counts[row]
        if role == Qt.ItemDataRole.TextAlignmentRole and column == 1:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, SortRole):
            return None
        if column == 0:
            return self._named(self._values[row])
        if column == 1:
            return count(self._counts[row])
        value = self._values[row]
        own = value if role != Qt.ItemDataRole.DisplayRole else self._named(value)
        return self._groups[column - FIRST_LEVEL].get(value, own)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or index.column() < FIRST_LEVEL:
            return False
        text = str(value)
        own = text == (self._values[index.row()] or "")
        self.put([index.row()], index.column() - FIRST_LEVEL, None if own else text)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() >= FIRST_LEVEL else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        if section >= FIRST_LEVEL:
            only = len(self._groups) == 1
            return self.tr("Group") if only else self.tr("Level {0}").format(section - FIRST_LEVEL + 1)
        return (self.tr("Value"), self.tr("Records"))[section] if section >= 0 else None

    def _named(self, value: str | None) -> str:
        if value is None:
            return self.tr("missing")
        return value or self.tr("empty text")
