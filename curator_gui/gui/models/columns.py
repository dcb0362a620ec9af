"""The columns of the source as a list: roles, type, view, ladder, distinct, missing, weight, histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from curator_gui.core.table import Column
from curator_gui.gui.column_facts import ColumnFacts, kind_words
from curator_gui.gui.figures import Figures
from curator_gui.gui.words import NO_EVIDENCE, count, percent

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LONGEST = 200  # to lay out a name of millions of characters takes seconds

FactsRole = int(Qt.ItemDataRole.UserRole)
FiguresRole = FactsRole + 1
SortRole = FactsRole + 2


class Field(IntEnum):
    """What stands in each column of the list."""

    NAME = 0
    TYPE = 1
    VIEW = 2
    LADDER = 3
    DISTINCT = 4
    MISSING = 5
    WEIGHT = 6
    VALUES = 7


_NUMERIC = (Field.DISTINCT, Field.MISSING, Field.WEIGHT)
_EDITABLE = (Field.TYPE, Field.WEIGHT)


class ColumnsModel(QAbstractTableModel):
    """One row a source column. Editing asks for a change and never makes it: the session decides."""

    kind_asked = Signal(str, str)
    """A column's name and the kind asked for."""
    weight_asked = Signal(str, float)

    def __init__(self, figures: Callable[[Column], Figures | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figures = figures
        self._columns: tuple[Column, ...] = ()
        self._facts: tuple[ColumnFacts, ...] = ()

    def show(self, columns: Sequence[Column], facts: Sequence[ColumnFacts]) -> None:
        """Show columns with their facts; where only facts moved, the list keeps its place."""
        same = [c.name for c in columns] == [c.name for c in self._columns]
        if not same:
            self.beginResetModel()
        self._columns, self._facts = tuple(columns), tuple(facts)
        if not same:
            self.endResetModel()
        elif self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._columns) - 1, len(Field) - 1))

    def figures_arrived(self) -> None:
        """Figures that were asked for have been counted."""
        if self._columns:
            last = self.index(len(self._columns) - 1, Field.VALUES)
            self.dataChanged.emit(self.index(0, Field.DISTINCT), last)

    def facts(self, row: int) -> ColumnFacts:
        return self._facts[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Field)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        facts, field = self._facts[index.row()], Field(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(index.row(), field)
            case Qt.ItemDataRole.EditRole:
                return self._edited(facts, field)
            case Qt.ItemDataRole.ToolTipRole:
                return (
                    facts.sentence
                    if field in (Field.NAME, Field.VIEW, Field.VALUES)
                    else self._text(index.row(), field)
                )
            case Qt.ItemDataRole.AccessibleTextRole:
                return facts.sentence if field == Field.NAME else self._text(index.row(), field)
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if field in _NUMERIC else Qt.AlignmentFlag.AlignLeft
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == FactsRole:
            return facts
        if role == FiguresRole:
            return self._figures(self._columns[index.row()])
        return self._sort_key(index.row(), field) if role == SortRole else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another kind or weight. The list is read again when the session has changed."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        facts = self._facts[index.row()]
        if index.column() == Field.TYPE and value != facts.kind:
            self.kind_asked.emit(facts.name, value)
        elif index.column() == Field.WEIGHT and float(value) != facts.weight:
            self.weight_asked.emit(facts.name, float(value))
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() in _EDITABLE else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical or not 0 <= section < len(Field):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers()[Field(section)]
        if role == Qt.ItemDataRole.ToolTipRole and section == Field.WEIGHT:
            return self.tr("How much this column counts in the utility")
        return None

    def _headers(self) -> dict[Field, str]:
        return {
            Field.NAME: self.tr("Column"),
            Field.TYPE: self.tr("Type"),
            Field.VIEW: self.tr("Shown as"),
            Field.LADDER: self.tr("Ladder"),
            Field.DISTINCT: self.tr("Distinct"),
            Field.MISSING: self.tr("Missing"),
            Field.WEIGHT: self.tr("Weight"),
            Field.VALUES: self.tr("Values"),
        }

    def _text(self, row: int, field: Field) -> str:
        facts = self._facts[row]
        match field:
            case Field.NAME:
                return facts.name[:_LONGEST]
            case Field.TYPE:
                return kind_words(facts.kind)
            case Field.VIEW:
                return facts.brief_view or facts.view_words
            case Field.LADDER:
                return facts.ladder or NO_EVIDENCE
            case Field.WEIGHT:
                return f"{facts.weight:g}"
            case Field.VALUES:
                return ""
        figures = self._figures(self._columns[row])
        if figures is None:
            return "…"
        return count(figures.distinct) if field == Field.DISTINCT else percent(figures.missing_share)

    def _edited(self, facts: ColumnFacts, field: Field) -> object:
        if field == Field.TYPE:
            return facts.kind
        return facts.weight if field == Field.WEIGHT else facts.name

    def _sort_key(self, row: int, field: Field) -> object:
        facts = self._facts[row]
        if field in (Field.DISTINCT, Field.MISSING):
            figures = self._figures(self._columns[row])
            if figures is None:
                return -1.0
            return float(figures.distinct) if field == Field.DISTINCT else figures.missing_share
        return facts.weight if field == Field.WEIGHT else self._text(row, field).casefold()
