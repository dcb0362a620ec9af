"""Which columns an outsider knows of a person beforehand, each through a view."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QInputDialog,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Source
from curator_gui.core.protection import VisibleAttribute
from curator_gui.core.table import Column
from curator_gui.core.view import Identity, View
from curator_gui.gui import words
from curator_gui.gui.column_facts import kind_words
from curator_gui.gui.dialogs.view_choices import read_bins, view_choices, view_words
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.theme import theme_of

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MOST_FITTED = 100
_AT_A_TIME = 500


class VisiblePage(QWidget):
    """A tick a column; a ticked one gets a list of views. ``edited`` follows every change.

    identifiers: columns that name a person: marked, and muted, for they should not be released at all.
    """

    edited = Signal()
    refused = Signal(str)

    def __init__(
        self,
        source: Source,
        visible: tuple[VisibleAttribute, ...],
        identifiers: Collection[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._source = source
        self._views: dict[str, View] = {v.column: v.view for v in visible}
        self._tree = named(QTreeWidget(self), "visible", self.tr("Columns an outsider knows"))
        self._tree.setRootIsDecorated(False)
        self._tree.setItemDelegate(RoomyRows(self._tree))
        self._tree.setHeaderLabels(
            [self.tr("Column"), self.tr("Known as"), self.tr("Type"), self.tr("Different values")]
        )
        self._tree.setUniformRowHeights(True)
        self._muted = QBrush(theme_of(self.palette()).muted)
        self._identifiers = frozenset(identifiers)
        self._fill()
        header = self._tree.header()
        header.setStretchLastSection(False)
        header.setResizeContentsPrecision(_MOST_FITTED)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        words_above = QLabel(
            self.tr("Tick what an outsider may know of a person before any release, and how precisely.")
        )
        words_above.setWordWrap(True)
        box = QVBoxLayout(self)
        box.addWidget(words_above)
        box.addWidget(self._tree)
        self._tree.itemChanged.connect(self._ticked)

    @property
    def visible(self) -> tuple[VisibleAttribute, ...]:
        """The ticked columns in the order of the table."""
        return tuple(
            VisibleAttribute(n, self._views[n]) for n in self._source.table.names if n in self._views
        )

    def _fill(self) -> None:
        """Put in the next rows: thousands at once would keep the window waiting."""
        start = self._tree.topLevelItemCount()
        columns = self._source.table.columns[start : start + _AT_A_TIME]
        rows = [self._row(column, column.name in self._identifiers) for column in columns]
        with QSignalBlocker(self._tree):
            self._tree.addTopLevelItems(rows)
        for column, item in zip(columns, rows, strict=True):
            if column.name in self._views:
                self._show_view(item)
        if start + len(columns) < len(self._source.table.columns):
            QTimer.singleShot(0, self, self._fill)

    def _row(self, column: Column, is_identifier: bool) -> QTreeWidgetItem:
        kind = kind_words(column.type.kind)
        kind = self.tr("# identifier, {0}").format(kind) if is_identifier else kind
        distinct = len(column.values) - int(np.count_nonzero(column.missing))
        item = QTreeWidgetItem([column.name, self.tr("as it is"), kind, words.count(distinct)])
        item.setCheckState(
            0, Qt.CheckState.Checked if column.name in self._views else Qt.CheckState.Unchecked
        )
        item.setForeground(1, self._muted)
        item.setTextAlignment(3, _RIGHT)
        if is_identifier:
            for place in (0, 2, 3):
                item.setForeground(place, self._muted)
        return item

    def _ticked(self, item: QTreeWidgetItem, column: int) -> None:
        name = item.text(0)
        ticked = item.checkState(0) is Qt.CheckState.Checked
        if column or ticked == (name in self._views):
            return
        if ticked:
            self._views[name] = Identity()
        else:
            del self._views[name]
        self._show_view(item)
        self.edited.emit()

    def _show_view(self, item: QTreeWidgetItem) -> None:
        """A list of views in the rows that are ticked only: a table may have hundreds of columns."""
        name = item.text(0)
        if name not in self._views:
            self._tree.removeItemWidget(item, 1)
            item.setText(1, self.tr("as it is"))
            return
        item.setText(1, "")
        choices = view_choices(self._source, name, self._views[name])
        combo = named(
            QComboBox(self._tree), f"view_{name}", self.tr("How precisely “{0}” is known").format(name)
        )
        combo.addItems([view_words(self._source, name, v) for v in choices])
        combo.setCurrentIndex(choices.index(self._views[name]))
        if self._source.table[name].type.is_number:
            combo.addItem(self.tr("bins at…"))
        combo.activated.connect(lambda i: self._chosen(item, choices, i))
        self._tree.setItemWidget(item, 1, combo)

    def _chosen(self, item: QTreeWidgetItem, choices: list[View], i: int) -> None:
        if i < len(choices):
            self._views[item.text(0)] = choices[i]
            self.edited.emit()
        else:
            self._ask_for_bins(item)

    def _ask_for_bins(self, item: QTreeWidgetItem) -> None:
        asked = QInputDialog(self)
        asked.setWindowTitle(self.tr("Bins of “{0}”").format(item.text(0)))
        asked.setLabelText(self.tr("Edges, such as 18, 40, 65; each begins a bin"))
        asked.textValueSelected.connect(lambda text: self._bins_given(item, text))
        asked.finished.connect(lambda _: self._show_view(item))
        asked.finished.connect(asked.deleteLater)
        asked.open()

    def _bins_given(self, item: QTreeWidgetItem, text: str) -> None:
        try:
            self._views[item.text(0)] = read_bins(text)
        except InputError as error:
            self.refused.emit(str(error))
            return
        self.edited.emit()
