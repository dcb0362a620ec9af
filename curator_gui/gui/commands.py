"""Find a command by its words (Ctrl+K)."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QVBoxLayout, QWidget

from curator_gui.gui.naming import named

_ACTION_ROLE = Qt.ItemDataRole.UserRole + 1


class CommandSearch(QDialog):
    """Every command of the window in one list; Enter runs the chosen one."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("command_search")
        self.setWindowTitle(self.tr("Find a command"))
        self._model = QStandardItemModel(self)
        for action in sorted(actions, key=lambda a: a.isCheckable()):
            self._model.appendRow(_item(action))
        self._matching = QSortFilterProxyModel(self)
        self._matching.setSourceModel(self._model)
        self._matching.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._edit = named(QLineEdit(self), "command_words", self.tr("Words of the command"))
        self._edit.setPlaceholderText(self.tr("Type a few letters of what you want to do"))
        self._list = named(QListView(self), "command_list", self.tr("Matching commands"))
        self._list.setModel(self._matching)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setUniformItemSizes(True)
        box = QVBoxLayout(self)
        box.addWidget(self._edit)
        box.addWidget(self._list)
        self.resize(460, 380)
        self._edit.textEdited.connect(self._filter)
        self._edit.installEventFilter(self)
        self._list.clicked.connect(self._run)
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down | Qt.Key.Key_Up:
                    self._move(1 if event.key() == Qt.Key.Key_Down else -1)
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._run(self._list.currentIndex())
                    return True
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        self._matching.setFilterFixedString(text)
        self._list.setCurrentIndex(self._matching.index(0, 0))

    def _move(self, by: int) -> None:
        row = self._list.currentIndex().row() + by
        if 0 <= row < self._matching.rowCount():
            self._list.setCurrentIndex(self._matching.index(row, 0))

    def _run(self, index: QModelIndex) -> None:
        action = index.data(_ACTION_ROLE)
        if isinstance(action, QAction) and action.isEnabled():
            self.accept()
            action.trigger()


def _item(action: QAction) -> QStandardItem:
    keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
    label = action.text().replace("&", "").rstrip("…")
    if action.isCheckable():
        label = QCoreApplication.translate("commands", "Show or hide: {0}").format(label)
    item = QStandardItem(f"{label}    {keys}" if keys else label)
    item.setData(action, _ACTION_ROLE)
    item.setEnabled(action.isEnabled())
    item.setEditable(False)
    return item
