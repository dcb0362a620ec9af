"""The columns of a table about to be opened: what each is read as, and why; one click back to text."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from curator_gui.gui.dialogs.opening_words import type_words
from curator_gui.gui.models.opening import Choice, ColumnChoicesModel, OptionsRole, TypeRole
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows

Index = QModelIndex | QPersistentModelIndex


class _TypeChoice(QStyledItemDelegate):
    """A list of the types a column may have, open at the first click."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002
        box = named(QComboBox(parent), "column_type", self.tr("Read as"))
        for type in index.data(OptionsRole):
            box.addItem(type_words(type), type)
        box.activated.connect(lambda _: self._picked(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def _picked(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            options = list(index.data(OptionsRole))
            editor.setCurrentIndex(options.index(index.data(TypeRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QComboBox):
            options = index.data(OptionsRole)
            if options[editor.currentIndex()] != index.data(TypeRole):
                model.setData(index, options[editor.currentIndex()], TypeRole)


class ColumnChoices(QTableView):
    """The list of columns."""

    def __init__(self, model: ColumnChoicesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "column_choices", self.tr("Columns and what they are read as"))
        self.setModel(model)
        self.setItemDelegate(RoomyRows(self))
        self.setItemDelegateForColumn(Choice.TYPE, _TypeChoice(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(28)
        self.verticalHeader().setDefaultSectionSize(28)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setWordWrap(False)  # the whole reason is in the tooltip
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(Choice.WHY, QHeaderView.ResizeMode.Stretch)
        for field, width in ((Choice.NAME, 120), (Choice.TYPE, 168), (Choice.TEXT, 44)):
            header.resizeSection(field, width)
        header.resizeSection(Choice.IDENTIFIER, 72)
