"""Models of the import dialog: the first rows, the columns with their types, and what is irregular."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QGuiApplication

from curator_gui.core.column_type import ColumnType
from curator_gui.core.table import Table
from curator_gui.gui.dialogs.opening_draft import ColumnChoice, Oddity
from curator_gui.gui.dialogs.opening_words import reason_words, type_words
from curator_gui.gui.theme import theme_of
from curator_gui.gui.words import count

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_CHECK = Qt.ItemDataRole.CheckStateRole
OptionsRole = int(Qt.ItemDataRole.UserRole)
TypeRole = OptionsRole + 1
MissingRole = OptionsRole + 2
_LONGEST = 200
_MOST_ROWS = 100


class FirstRowsModel(QAbstractTableModel):
    """The first hundred records, names above them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = Table((), 0)

    def show(self, table: Table) -> None:
        """Show another table."""
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else min(self._table.rows, _MOST_ROWS)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self._table.columns[index.column()]
        cell = column.cell(index.row())
        if role == MissingRole:
            return cell is None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = Qt.AlignmentFlag.AlignRight if column.type.is_number else Qt.AlignmentFlag.AlignLeft
            return int(right | Qt.AlignmentFlag.AlignVCenter)
        if cell is None and role in (Qt.ItemDataRole.FontRole, Qt.ItemDataRole.ForegroundRole):
            return _unsaid(role)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tr("missing") if cell is None else cell[:_LONGEST].replace("\n", "⏎")
        return cell if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return self.data(self.index(0, section), role) if self.rowCount() else None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1)
        return self._table.columns[section].name[:_LONGEST] if 0 <= section < self.columnCount() else None


def _unsaid(role: int) -> QFont | QBrush:
    """How a word stands that is not in the file."""
    if role == Qt.ItemDataRole.ForegroundRole:
        return QBrush(theme_of(QGuiApplication.palette()).muted)
    font = QFont()
    font.setItalic(True)
    return font


class Choice(IntEnum):
    """What stands in each column of the list of columns."""

    NAME = 0
    TYPE = 1
    TEXT = 2
    IDENTIFIER = 3
    WHY = 4


class ColumnChoicesModel(QAbstractTableModel):
    """One row a column. Editing asks for a change and never makes it."""

    type_asked = Signal(str, object)
    identifier_asked = Signal(str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[ColumnChoice, ...] = ()

    def show(self, choices: Sequence[ColumnChoice]) -> None:
        """Show other choices; the list keeps its place where the columns are the same."""
        same = [c.name for c in choices] == [c.name for c in self._choices]
        if not same:
            self.beginResetModel()
        self._choices = tuple(choices)
        if not same:
            self.endResetModel()
        elif self._choices:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._choices) - 1, len(Choice) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._choices)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Choice)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        choice, field = self._choices[index.row()], Choice(index.column())
        if role == OptionsRole:
            return choice.options
        if role == TypeRole:
            return choice.type
        if role == _CHECK and field in (Choice.TEXT, Choice.IDENTIFIER):
            ticked = choice.type == ColumnType() if field is Choice.TEXT else choice.identifier
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._words(choice, field)
        return None

    def _words(self, choice: ColumnChoice, field: Choice) -> str | None:
        reason = reason_words(choice.reason, choice.type)
        words = {
            Choice.NAME: choice.name[:_LONGEST],
            Choice.TYPE: type_words(choice.type),
            Choice.WHY: " ".join(
                p for p in (self._identifying(choice), reason, self._exceptions(choice)) if p
            ),
        }
        return words.get(field)

    def _identifying(self, choice: ColumnChoice) -> str:
        if not choice.identifier:
            return ""
        return self.tr("Identifier: {0}").format(choice.identifier_reason or self.tr("you chose this."))

    def _exceptions(self, choice: ColumnChoice) -> str:
        if not choice.exceptions:
            return ""
        if choice.exceptions == 1:
            return self.tr("1 cell is not read so: see Exceptions.")
        return self.tr("{0} cells are not read so: see Exceptions.").format(count(choice.exceptions))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid():
            return False
        choice, field = self._choices[index.row()], Choice(index.column())
        if role == TypeRole and field is Choice.TYPE:
            self.type_asked.emit(choice.name, value)
        elif role == _CHECK and field is Choice.TEXT:
            back = choice.options[0] if choice.type == ColumnType() else ColumnType()
            self.type_asked.emit(choice.name, back)
        elif role == _CHECK and field is Choice.IDENTIFIER:
            self.identifier_asked.emit(choice.name, not choice.identifier)
        else:
            return False
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        if index.column() == Choice.TYPE:
            return flags | Qt.ItemFlag.ItemIsEditable
        if index.column() in (Choice.TEXT, Choice.IDENTIFIER):
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        words = (
            self.tr("Column"),
            self.tr("Read as"),
            self.tr("Text"),
            self.tr("Identifier"),
            self.tr("Why"),
        )
        return words[section] if 0 <= section < len(words) else None


class OdditiesModel(QAbstractTableModel):
    """Irregular lines and cells that do not parse."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._odd: tuple[Oddity, ...] = ()

    def show(self, odd: Sequence[Oddity]) -> None:
        """Show others."""
        self.beginResetModel()
        self._odd = tuple(odd)
        self.endResetModel()

    @property
    def shown(self) -> tuple[Oddity, ...]:
        """All of them."""
        return self._odd

    def at(self, row: int) -> Oddity:
        return self._odd[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._odd)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        odd = self._odd[index.row()]
        return (odd.where, odd.column, odd.text, odd.what)[index.column()]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        words = (self.tr("Where"), self.tr("Column"), self.tr("Text"), self.tr("What"))
        return words[section] if 0 <= section < len(words) else None
