"""Read-only lines of text as an item model: what a few small tables of the window show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from curator_gui.gui.models.targets import STANDING_ROLE
from curator_gui.gui.theme import Standing

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True)
class Cell:
    """A text, its tooltip, and the standing whose colour it is written in."""

    text: str
    tip: str = ""
    standing: Standing | None = None


Line = Sequence[Cell]


class LinesModel(QAbstractTableModel):
    """Lines under heads; the columns named in ``numeric`` are set to the right."""

    def __init__(
        self, heads: Sequence[str], numeric: Sequence[int] = (), parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._heads, self._numeric = tuple(heads), frozenset(numeric)
        self._lines: tuple[Line, ...] = ()

    def show(self, lines: Sequence[Line], heads: Sequence[str] | None = None) -> None:
        """Show other lines, each as long as the heads."""
        self.beginResetModel()
        self._lines = tuple(lines)
        self._heads = self._heads if heads is None else tuple(heads)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self._lines[index.row()][index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return cell.tip or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
        return cell.standing if role == STANDING_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self._numeric else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)
