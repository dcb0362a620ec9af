"""Putting a column's values into groups by selecting them, at one level or at several."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.table import Column
from curator_gui.core.view import Mapping
from curator_gui.gui.level_figures import groups_in, mapping_of
from curator_gui.gui.models.groups import FIRST_LEVEL, GroupsModel, SortRole
from curator_gui.gui.naming import named


class _Entry(QLineEdit):
    """A field whose Return is its own, and does not press the dialog's button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class ValueGroups(QWidget):
    """Select values, name their group, press Group. ``several``: levels can be added and taken away."""

    changed = Signal()

    def __init__(self, column: Column, *, several: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column
        self.model = GroupsModel(column, parent=self)
        self._proxy = QSortFilterProxyModel(self)
        self._view = named(QTableView(), "value_groups", self.tr("Values and their groups"))
        self._filter = named(QLineEdit(), "filter_values", self.tr("Filter the values"))
        self._value = named(_Entry(), "new_value", self.tr("A value that no record has yet"))
        self._list = named(QPushButton(self.tr("List it"), autoDefault=False), "list_value")
        self._label = named(_Entry(), "group_label", self.tr("Name of the group"))
        self._group = named(QPushButton(self.tr("Group"), autoDefault=False), "group_values")
        self._ungroup = named(QPushButton(self.tr("Ungroup"), autoDefault=False), "ungroup_values")
        self._add = named(QPushButton(self.tr("Add a level"), autoDefault=False), "add_level")
        self._remove = named(QPushButton(self.tr("Remove the last"), autoDefault=False), "remove_level")
        self._set_up_view()
        self._lay_out(several)
        self._filter.textChanged.connect(self._proxy.setFilterFixedString)
        self._group.clicked.connect(self._group_clicked)
        self._label.returnPressed.connect(self._group_clicked)
        self._list.clicked.connect(self._list_clicked)
        self._value.returnPressed.connect(self._list_clicked)
        self._ungroup.clicked.connect(lambda: self._put(None))
        self._add.clicked.connect(self.model.add_level)
        self._remove.clicked.connect(self.model.remove_level)
        model = self.model
        for signal in (model.dataChanged, model.columnsInserted, model.columnsRemoved, model.rowsInserted):
            signal.connect(lambda *_: self.changed.emit())

    @property
    def mappings(self) -> tuple[Mapping, ...]:
        """One map a level, of every value."""
        return tuple(mapping_of(self.model.values, self.model.groups(i)) for i in range(self.model.levels))

    def show_mappings(self, mappings: tuple[Mapping, ...]) -> None:
        """Show other levels."""
        listed = [value for mapping in mappings for value, _ in mapping.pairs]
        self.model.show([groups_in(m) for m in mappings], listed)

    def _set_up_view(self) -> None:
        self._proxy.setSourceModel(self.model)
        self._proxy.setSortRole(SortRole)
        self._proxy.setFilterKeyColumn(-1)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._view.setModel(self._proxy)
        as_the_model_has_them = -1
        self._view.horizontalHeader().setSortIndicator(as_the_model_has_them, Qt.SortOrder.AscendingOrder)
        self._view.setSortingEnabled(True)
        self._view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._view.verticalHeader().hide()
        self._view.setShowGrid(False)
        self._view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._view.setMinimumHeight(120)

    def _lay_out(self, several: bool) -> None:
        self._filter.setPlaceholderText(self.tr("Filter…"))
        self._filter.setClearButtonEnabled(True)
        self._label.setPlaceholderText(self.tr("Name for the selected values"))
        self._value.setPlaceholderText(self.tr("A value that new data may bring"))
        above = QHBoxLayout()
        above.setSpacing(8)
        above.addWidget(self._filter, 1)
        above.addWidget(self._value, 1)
        above.addWidget(self._list)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self._label, 1)
        for button in (self._group, self._ungroup, self._add, self._remove):
            below.addWidget(button)
        for button in (self._add, self._remove):
            button.setVisible(several)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addLayout(above)
        box.addWidget(self._view, 1)
        box.addLayout(below)

    def _list_clicked(self) -> None:
        """List the value typed, or find it in the list; it is selected, ready for a group."""
        value = self._value.text()
        if not value:
            return
        self.model.add_value(value)
        self._filter.clear()
        place = self._proxy.mapFromSource(self.model.index(self.model.values.index(value), 0))
        self._view.selectRow(place.row())
        self._view.scrollTo(place)
        self._value.clear()

    def _group_clicked(self) -> None:
        if self._label.text():
            self._put(self._label.text())

    def _put(self, label: str | None) -> None:
        chosen = [self._proxy.mapToSource(i) for i in self._view.selectionModel().selectedRows()]
        self.model.put(sorted(i.row() for i in chosen), self._level(), label)

    def _level(self) -> int:
        """The level of the current cell; the first where the cursor stands on the value."""
        current: QModelIndex = self._view.currentIndex()
        return max(current.column() - FIRST_LEVEL, 0)
