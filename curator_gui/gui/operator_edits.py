"""The forms of the curator's own operators, one a kind: what is filled in becomes an operator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError, PlanError
from curator_gui.core.operators import Delete, Generalize, Operator, Project, Replace, Select
from curator_gui.core.predicate import Predicate
from curator_gui.core.preparation import Prefix
from curator_gui.gui.conditions import common_values
from curator_gui.gui.models.ticked_columns import TickedColumns
from curator_gui.gui.naming import named
from curator_gui.gui.predicate_edit import PredicateEdit
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.view_edit import ViewEdit
from curator_gui.gui.words import count

_RANGE = re.compile(r"([0-9]+)(?:\s*[-–]\s*([0-9]+))?")
_MOST_RECORDS = 100_000


class OperatorEdit(QWidget):
    """A form. ``changed``: another operator, or none, is filled in."""

    changed = Signal()
    tells_why = False
    """Whether the form itself says why nothing is filled in."""

    def __init__(self, prefix: Prefix, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(8)

    @property
    def operator(self) -> Operator:
        """The operator filled in; InputError, in one sentence, while there is none."""
        raise NotImplementedError


class DropEdit(OperatorEdit):
    """Columns to drop, ticked in a list. marks: by column, what is worth knowing before it is dropped."""

    def __init__(
        self,
        prefix: Prefix,
        chosen: Sequence[str] = (),
        marks: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(prefix, parent)
        self._filter = named(QLineEdit(), "filter_columns", self.tr("Filter the columns"))
        self._filter.setPlaceholderText(self.tr("Filter…"))
        self._filter.setClearButtonEnabled(True)
        self._model = TickedColumns(prefix.columns, marks or {}, chosen, self)
        self._list = named(QListView(), "columns_to_drop", self.tr("Columns to drop"))
        self._list.setModel(self._model)
        self._list.setUniformItemSizes(True)
        self._list.setItemDelegate(RoomyRows(self._list))
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.box.addWidget(self._filter)
        self.box.addWidget(self._list, 1)
        self._filter.textChanged.connect(self._model.set_filter)
        self._model.ticked.connect(self.changed)

    @property
    def operator(self) -> Operator:
        chosen = self._model.chosen
        if not chosen:
            raise PlanError(self.tr("Tick the columns to drop."))
        return Project(chosen)


class GeneralizeEdit(OperatorEdit):
    """A column and the view to show it through."""

    def __init__(self, prefix: Prefix, column: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(prefix, parent)
        self._column = named(QComboBox(), "operator_column", self.tr("Column"))
        self._column.addItems(list(prefix.columns))
        if column is not None:
            self._column.setCurrentText(column)
        form = QFormLayout()
        form.addRow(self.tr("Column"), self._column)
        self.box.addLayout(form)
        self._view: ViewEdit | None = None
        self._show_column()
        self._column.activated.connect(self._column_chosen)

    @property
    def operator(self) -> Operator:
        if self._view is None:
            raise PlanError(self.tr("Every column was dropped already."))
        return Generalize(self._column.currentText(), self._view.view)

    def _column_chosen(self) -> None:
        self._show_column()
        self.changed.emit()

    def _show_column(self) -> None:
        if self._view is not None:
            self.box.removeWidget(self._view)
            self._view.hide()
            self._view.deleteLater()
            self._view = None
        name = self._column.currentText()
        if not name:
            return
        source = self._prefix.source
        self._view = ViewEdit(source.table[name], source.hierarchies.get(name))
        view = self._prefix.view_of(name)
        if view is not None:
            self._view.set_view(view)
        self._view.changed.connect(self.changed)
        self.box.addWidget(self._view, 1)


class WhereEdit(OperatorEdit):
    """Records to keep, or to delete, by a condition."""

    tells_why = True

    def __init__(
        self,
        prefix: Prefix,
        *,
        keep: bool,
        where: Predicate | None = None,
        first: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(prefix, parent)
        self._keep = keep
        words = self.tr("Keep the records where") if keep else self.tr("Delete the records where")
        self.box.addWidget(named(QLabel(words), "where_label"))
        self._where = PredicateEdit(prefix.source, prefix.present, first=first)
        if where is not None:
            self._where.set_predicate(where)
        self.box.addWidget(self._where, 1)
        self._where.changed.connect(self.changed)

    @property
    def operator(self) -> Operator:
        where = self._where.predicate
        if where is None:
            raise PlanError(self._where.problem)
        return Select(where) if self._keep else Delete(where)


class RecordsEdit(OperatorEdit):
    """Records to delete, by their numbers."""

    def __init__(self, prefix: Prefix, rows: Sequence[int] = (), parent: QWidget | None = None) -> None:
        super().__init__(prefix, parent)
        label = QLabel(self.tr("Delete these records, counted from 1"))
        self._records = named(QLineEdit(), "records_to_delete", self.tr("Records to delete"))
        self._records.setPlaceholderText("3, 5, 9-12")
        self._records.setText(as_ranges(rows))
        self.box.addWidget(label)
        self.box.addWidget(self._records)
        self.box.addStretch(1)
        self._records.textEdited.connect(lambda _: self.changed.emit())

    @property
    def operator(self) -> Operator:
        return Delete(None, rows_typed(self._records.text(), self._prefix.source.table.rows))


class ReplaceEdit(OperatorEdit):
    """A value, or missing, for one column in the records a condition is true of."""

    tells_why = True

    def __init__(
        self, prefix: Prefix, column: str | None = None, first: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(prefix, parent)
        self._column = named(QComboBox(), "operator_column", self.tr("Column"))
        self._column.addItems(list(prefix.columns))
        if column is not None:
            self._column.setCurrentText(column)
        self._missing = named(QRadioButton(self.tr("missing")), "replace_missing")
        self._given = named(QRadioButton(self.tr("this value")), "replace_given")
        self._missing.setChecked(True)
        self._value = named(QLineEdit(), "replace_value", self.tr("Value to put in"))
        self._where = PredicateEdit(prefix.source, prefix.present, first=first)
        self._lay_out()
        self._column.activated.connect(self._column_chosen)
        for button in (self._missing, self._given):
            button.clicked.connect(lambda _: self.changed.emit())
        self._value.textEdited.connect(self._value_edited)
        self._where.changed.connect(self.changed)
        self._complete()

    @property
    def operator(self) -> Operator:
        where = self._where.predicate
        if where is None:
            raise PlanError(self._where.problem)
        value = self._value.text() if self._given.isChecked() else None
        return Replace(self._column.currentText(), value, where)

    def _lay_out(self) -> None:
        by = QHBoxLayout()
        by.addWidget(self._missing)
        by.addWidget(self._given)
        by.addWidget(self._value, 1)
        form = QFormLayout()
        form.addRow(self.tr("Column"), self._column)
        form.addRow(self.tr("Replace by"), by)
        self.box.addLayout(form)
        self.box.addWidget(QLabel(self.tr("in the records where")))
        self.box.addWidget(self._where, 1)

    def _column_chosen(self) -> None:
        self._complete()
        self.changed.emit()

    def _complete(self) -> None:
        name = self._column.currentText()
        values = common_values(self._prefix.source.table[name]) if name else []
        completer = QCompleter(QStringListModel(values), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._value.setCompleter(completer)

    def _value_edited(self) -> None:
        self._given.setChecked(True)
        self.changed.emit()


def rows_typed(text: str, rows: int) -> tuple[int, ...]:
    """Rows, from 0, of records typed as "3, 5, 9-12", from 1; InputError for anything else."""
    found: set[int] = set()
    for part in filter(None, (p.strip() for p in re.split(r"[,;]", text))):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise InputError(f"“{part}” is no record number; write numbers such as 3, 5, 9-12.")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= rows:
            raise InputError(f"There is no record {part}; records are numbered 1 to {count(rows)}.")
        found.update(range(first - 1, last))
        if len(found) > _MOST_RECORDS:
            raise InputError(f"Name at most {count(_MOST_RECORDS)} records, or delete them by a condition.")
    if not found:
        raise InputError("Type the numbers of the records to delete, such as 3, 5, 9-12.")
    return tuple(sorted(found))


def as_ranges(rows: Sequence[int]) -> str:
    """Rows, from 0 and rising, as "3, 5, 9-12", from 1."""
    parts: list[list[int]] = []
    for row in rows:
        if parts and parts[-1][1] == row - 1:
            parts[-1][1] = row
        else:
            parts.append([row, row])
    return ", ".join(f"{a + 1}" if a == b else f"{a + 1}-{b + 1}" for a, b in parts)
