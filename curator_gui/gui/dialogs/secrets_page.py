"""What must not be learned: conditions composed or typed, or every value of a column at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGroupBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Source
from curator_gui.core.protection import EachValue, Secret
from curator_gui.gui import words
from curator_gui.gui.naming import named
from curator_gui.gui.predicate_edit import PredicateEdit
from curator_gui.gui.rows import RoomyRows

Entry = Secret | EachValue


class SecretsPage(QWidget):
    """The secrets in a list, an editor below it. ``edited`` follows every change.

    first: the column that the lists of columns begin with.
    """

    edited = Signal()
    refused = Signal(str)

    def __init__(
        self, source: Source, secrets: tuple[Entry, ...], first: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._source = source
        self._secrets: list[Entry] = list(secrets)
        self._list = self._secret_list()
        self._name = named(QLineEdit(self), "secret_name", self.tr("Name of the secret"))
        self._name.setPlaceholderText(self.tr("Name, such as HIV"))
        self._where = named(
            PredicateEdit(source, first=first), "secret_where", self.tr("Condition of the secret")
        )
        self._add = named(QPushButton(self.tr("Add secret"), self), "add_secret")
        self._update = named(QPushButton(self.tr("Change selected"), self), "update_secret")
        self._remove = named(QPushButton(self.tr("Remove"), self), "remove_secret")
        self._column = named(QComboBox(self), "each_column", self.tr("Column whose every value is secret"))
        self._column.addItems(source.table.names)
        self._column.setCurrentText(first)
        self._count = named(QLabel(self), "each_count")
        self._each = named(QPushButton(self.tr("Add every value"), self), "add_each")
        self._lay_out()
        self._connect()
        self._show()

    @property
    def secrets(self) -> tuple[Entry, ...]:
        return tuple(self._secrets)

    def _secret_list(self) -> QTreeWidget:
        tree = named(QTreeWidget(self), "secrets", self.tr("Secrets"))
        tree.setRootIsDecorated(False)
        tree.setItemDelegate(RoomyRows(tree))
        tree.setHeaderLabels(
            [self.tr("Secret"), self.tr("Condition"), self.tr("Records"), self.tr("Both sides")]
        )
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        head = tree.headerItem()
        head.setToolTip(3, self.tr("Tick to protect the opposite too: being ruled out can be a disclosure"))
        return tree

    def _lay_out(self) -> None:
        each = QHBoxLayout()
        each.addWidget(QLabel(self.tr("Every value of"), self))
        each.addWidget(self._column)
        each.addWidget(self._count)
        each.addWidget(self._each)
        each.addStretch(1)
        each.addWidget(self._remove)
        editor = QGroupBox(self.tr("A secret by a condition"), self)
        inside = QVBoxLayout(editor)
        line = QHBoxLayout()
        line.addWidget(self._name, 1)
        line.addWidget(self._update)
        line.addWidget(self._add)
        inside.addWidget(self._where)
        inside.addLayout(line)
        box = QVBoxLayout(self)
        box.addWidget(self._list, 1)
        box.addLayout(each)
        box.addWidget(editor)

    def _connect(self) -> None:
        self._add.clicked.connect(lambda: self._take(None))
        self._update.clicked.connect(lambda: self._take(self._selected()))
        self._remove.clicked.connect(self._remove_selected)
        self._each.clicked.connect(self._add_each)
        self._column.activated.connect(self._show_buttons)
        self._list.itemChanged.connect(self._ticked)
        self._list.itemClicked.connect(lambda _: self._edit_selected())
        self._where.changed.connect(self._show_buttons)
        self._name.textEdited.connect(self._show_buttons)

    def _show(self) -> None:
        self._list.clear()
        for entry in self._secrets:
            self._list.addTopLevelItem(self._row(entry))
        self._show_buttons()

    def _row(self, entry: Entry) -> QTreeWidgetItem:
        if isinstance(entry, EachValue):
            texts = [
                self.tr("every value of {0}").format(entry.column),
                "",
                self.tr("{0} values").format(words.count(self._values_of(entry.column))),
            ]
        else:
            held = int(np.count_nonzero(self._source.holds(entry.where)))
            total = self._source.table.rows
            texts = [entry.name, entry.where.text, words.share_of(held, total)]
        item = QTreeWidgetItem([*texts, ""])
        item.setToolTip(1, texts[1])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(3, Qt.CheckState.Checked if entry.two_sided else Qt.CheckState.Unchecked)
        return item

    def _show_buttons(self) -> None:
        complete = bool(self._where.predicate)
        entry = self._entry_selected()
        self._add.setEnabled(complete)
        self._update.setEnabled(complete and isinstance(entry, Secret))
        self._remove.setEnabled(entry is not None)
        if column := self._column.currentText():
            self._count.setText(self.tr("{0} secrets").format(words.count(self._values_of(column))))

    def _values_of(self, name: str) -> int:
        column = self._source.table[name]
        return len(column.values) - int(np.count_nonzero(column.missing))

    def _selected(self) -> int | None:
        item = self._list.currentItem()
        return None if item is None else self._list.indexOfTopLevelItem(item)

    def _entry_selected(self) -> Entry | None:
        at = self._selected()
        return None if at is None else self._secrets[at]

    # --- what the user does ---

    def _take(self, at: int | None) -> None:
        where = self._where.predicate
        if where is None:
            self.refused.emit(self._where.problem)
            return
        secret = Secret(self._name.text().strip() or self._usual_name(where.text), where)
        if at is None:
            self._secrets.append(secret)
        else:
            self._secrets[at] = replace(secret, two_sided=self._secrets[at].two_sided)
        self._changed()

    @staticmethod
    def _usual_name(text: str) -> str:
        return text if len(text) <= 40 else f"{text[:39]}…"

    def _add_each(self) -> None:
        try:
            self._source.table[self._column.currentText()]
        except InputError as error:
            self.refused.emit(str(error))
            return
        self._secrets.append(EachValue(self._column.currentText()))
        self._changed()

    def _remove_selected(self) -> None:
        at = self._selected()
        if at is not None:
            del self._secrets[at]
            self._changed()

    def _edit_selected(self) -> None:
        entry = self._entry_selected()
        if isinstance(entry, Secret):
            self._name.setText(entry.name)
            self._where.set_predicate(entry.where)
        self._show_buttons()

    def _ticked(self, item: QTreeWidgetItem, column: int) -> None:
        at = self._list.indexOfTopLevelItem(item)
        ticked = item.checkState(3) is Qt.CheckState.Checked
        if column == 3 and 0 <= at < len(self._secrets) and ticked != self._secrets[at].two_sided:
            self._secrets[at] = replace(self._secrets[at], two_sided=ticked)
            self.edited.emit()

    def _changed(self) -> None:
        self._show()
        self._name.clear()
        self._where.set_predicate(None)
        self.edited.emit()
