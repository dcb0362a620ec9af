"""Columns with a tick each, as an item model: thousands of them are a list of names and a set."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LONGEST = 200


class TickedColumns(QAbstractListModel):
    """One row a column, with its mark behind the name; ``ticked`` follows every tick.

    marks: by column, what is worth knowing of it.
    """

    ticked = Signal()

    def __init__(
        self,
        names: Sequence[str],
        marks: Mapping[str, str],
        chosen: Collection[str] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._names, self._marks = tuple(names), marks
        self._chosen = set(chosen) & set(names)
        self._listed: tuple[str, ...] = self._names

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ticked columns, in their order; those the filter leaves out too."""
        return tuple(n for n in self._names if n in self._chosen)

    def set_filter(self, text: str) -> None:
        """List only the columns with this in their name or mark."""
        self.beginResetModel()
        self._listed = tuple(n for n in self._names if text.casefold() in self._words(n).casefold())
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        name = self._listed[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if name in self._chosen else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._words(name)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.CheckStateRole:
            return False
        name = self._listed[index.row()]
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._chosen.add(name)
        else:
            self._chosen.discard(name)
        self.dataChanged.emit(index, index)
        self.ticked.emit()
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.isValid() else flags

    def _words(self, name: str) -> str:
        mark, name = self._marks.get(name), name[:_LONGEST]
        return f"{name} · {mark}" if mark else name
