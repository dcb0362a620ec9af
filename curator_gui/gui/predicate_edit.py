"""A WHERE expression composed by choosing or typed, with a live count of the records it is true of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError, PredicateError
from curator_gui.core.predicate import Predicate
from curator_gui.core.preparation import Source
from curator_gui.core.table import Table
from curator_gui.gui.conditions import (
    Joined,
    Relation,
    Test,
    chosen_tests,
    common_values,
    expression,
    matches,
    needs_value,
    read,
    relations_of,
)
from curator_gui.gui.naming import named
from curator_gui.gui.words import count, records

_WAIT_MS = 150


class TestRow(QWidget):
    """One test: column, relation and value."""

    __test__ = False
    edited = Signal()
    removed = Signal(object)

    def __init__(self, table: Table, test: Test, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._column = named(_combo(), "test_column", self.tr("Column"))
        self._column.addItems(list(table.names))
        self._relation = named(_combo(), "test_relation", self.tr("Comparison"))
        self._value = named(QLineEdit(), "test_value", self.tr("Value"))
        self._remove = named(QToolButton(autoRaise=True), "remove_test", self.tr("Remove this condition"))
        self._remove.setText("×")
        self._remove.setToolTip(self.tr("Remove this condition"))
        self._lay_out()
        self._column.activated.connect(self._column_chosen)
        self._relation.activated.connect(self._relation_chosen)
        self._value.textEdited.connect(lambda _: self.edited.emit())
        self._remove.clicked.connect(lambda: self.removed.emit(self))
        self._show(test)

    @property
    def test(self) -> Test:
        relation: Relation = self._relation.currentData()
        return Test(self._column.currentText(), relation, self._value.text() if needs_value(relation) else "")

    def focus_value(self) -> None:
        """Put the cursor where the value goes."""
        self._value.setFocus()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._column, 3)
        row.addWidget(self._relation, 2)
        row.addWidget(self._value, 4)
        row.addWidget(self._remove)

    def _show(self, test: Test) -> None:
        self._column.setCurrentText(test.column)
        self._offer_relations(test.relation)
        self._value.setText(test.value)

    def _offer_relations(self, chosen: Relation) -> None:
        column = self._table[self._column.currentText()]
        words = self._words()
        self._relation.clear()
        for relation in relations_of(column):
            self._relation.addItem(words[relation], relation)
        self._relation.setCurrentIndex(max(self._relation.findData(chosen), 0))
        completer = QCompleter(QStringListModel(common_values(column)), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.activated.connect(lambda _: self.edited.emit())
        self._completer = completer
        self._adapt_value()

    def _words(self) -> dict[Relation, str]:
        return {
            "=": self.tr("is"),
            "<>": self.tr("is not"),
            "<": self.tr("is less than"),
            "<=": self.tr("is at most"),
            ">": self.tr("is more than"),
            ">=": self.tr("is at least"),
            "in": self.tr("is one of"),
            "contains": self.tr("contains"),
            "starts": self.tr("starts with"),
            "missing": self.tr("is missing"),
            "present": self.tr("is not missing"),
        }

    def _adapt_value(self) -> None:
        relation: Relation = self._relation.currentData()
        self._value.setVisible(needs_value(relation))
        several = relation == "in"
        self._value.setPlaceholderText(self.tr("value, value, …") if several else self.tr("value"))
        self._value.setCompleter(None if several else self._completer)  # type: ignore[arg-type]

    def _column_chosen(self) -> None:
        self._offer_relations(self._relation.currentData())
        self._value.clear()
        self.edited.emit()

    def _relation_chosen(self) -> None:
        self._adapt_value()
        self.edited.emit()


class Builder(QWidget):
    """Tests under one another, all or any of which must hold."""

    edited = Signal()

    def __init__(self, table: Table, first: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._first = table, first
        self._joined = named(_combo(), "tests_joined", self.tr("How the conditions are joined"))
        self._joined.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._joined.addItem(self.tr("All of these hold"), "AND")
        self._joined.addItem(self.tr("Any of these holds"), "OR")
        self._joined.activated.connect(lambda _: self.edited.emit())
        self._add = named(QPushButton(self.tr("Add a condition"), autoDefault=False), "add_test")
        self._add.clicked.connect(self._add_clicked)
        self._rows: list[TestRow] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        self._box.addWidget(self._joined, 0, Qt.AlignmentFlag.AlignLeft)
        self._box.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self._box.addStretch(1)
        self.show_tests(self.nothing, "AND")

    @property
    def nothing(self) -> tuple[Test, ...]:
        """One test, not filled in."""
        return (Test(self._first, "="),) if self._first else ()

    @property
    def text(self) -> str:
        """The expression composed; PredicateError where a value does not fit its column."""
        joined: Joined = self._joined.currentData()
        return expression([row.test for row in self._rows], joined, self._table)

    @property
    def is_blank(self) -> bool:
        """Nothing has been chosen yet."""
        return all(needs_value(row.test.relation) and not row.test.value for row in self._rows)

    def show_tests(self, tests: tuple[Test, ...], joined: Joined) -> None:
        """Replace what is composed."""
        for row in tuple(self._rows):
            self._drop(row)
        self._joined.setCurrentIndex(self._joined.findData(joined))
        for test in tests:
            self._append(test)

    def _append(self, test: Test) -> TestRow:
        row = TestRow(self._table, test, self)
        row.edited.connect(self.edited)
        row.removed.connect(self._removed)
        self._rows.append(row)
        self._box.insertWidget(len(self._rows), row)
        row.show()
        self._joined.setVisible(len(self._rows) > 1)
        return row

    def _add_clicked(self) -> None:
        column = self._rows[-1].test.column if self._rows else self._first
        self._append(Test(column, "=")).focus_value()
        self.edited.emit()

    def _removed(self, row: TestRow) -> None:
        self._drop(row)
        self.edited.emit()

    def _drop(self, row: TestRow) -> None:
        self._rows.remove(row)
        self._box.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._joined.setVisible(len(self._rows) > 1)


class PredicateEdit(QWidget):
    """A predicate over the source, composed by choosing or typed as a WHERE expression.

    source: what it is evaluated on. present: [rows] the records counted out of; None for all of them.
    first: the column the first test begins with; by default the table's first.
    ``changed`` comes after the count was brought up to date.
    """

    changed = Signal()

    def __init__(
        self,
        source: Source,
        present: NDArray[np.bool_] | None = None,
        parent: QWidget | None = None,
        *,
        first: str = "",
    ) -> None:
        super().__init__(parent)
        self._source, self._present = source, present
        self._predicate: Predicate | None = None
        self._problem = ""
        self._builder = Builder(source.table, first or next(iter(source.table.names), ""))
        self._typed = self._typed_edit()
        self._typing = named(QPushButton(autoDefault=False), "type_it_yourself")
        self._typing.setCheckable(True)
        self._status = named(QLabel(wordWrap=True), "predicate_status")
        self._pages = QStackedWidget()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._timer.timeout.connect(self._evaluate)
        self._builder.edited.connect(self._timer.start)
        self._typed.textChanged.connect(self._timer.start)
        self._typing.clicked.connect(self._switch)
        self._evaluate()

    @property
    def predicate(self) -> Predicate | None:
        """The predicate as edited; None while there is none or it does not fit."""
        if self._timer.isActive():
            self._evaluate()
        return self._predicate

    @property
    def problem(self) -> str:
        """Why there is no predicate, in one sentence; "" where there is one."""
        if self._timer.isActive():
            self._evaluate()
        return self._problem

    def set_predicate(self, where: Predicate | None) -> None:
        """Show a predicate: by its tests where choosing can say it, else as text."""
        simple = chosen_tests(where, self._source.table) if where else (self._builder.nothing, "AND")
        self._typing.setChecked(simple is None)
        if simple is not None:
            self._builder.show_tests(*simple)
        self._typed.setPlainText(where.text if where else "")
        self._show_page()
        self._evaluate()

    def _typed_edit(self) -> QPlainTextEdit:
        edit = QPlainTextEdit(tabChangesFocus=True)
        named(edit, "predicate_text", self.tr("Condition as a WHERE expression"))
        edit.setPlaceholderText(self.tr("diagnosis = 'HIV' AND age >= 40"))
        edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        edit.setMinimumHeight(64)
        return edit

    def _lay_out(self) -> None:
        self._pages.addWidget(self._builder)
        self._pages.addWidget(self._typed)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self._pages, 1)
        below = QHBoxLayout()
        below.addWidget(self._status, 1)
        below.addWidget(self._typing, 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(below)
        self._show_page()

    def _switch(self, typing: bool) -> None:
        if typing:
            self._take_text_of_builder()
        else:
            self._take_tests_of_text()
        self._show_page()
        self._evaluate()

    def _take_text_of_builder(self) -> None:
        if not self._builder.is_blank:
            try:
                self._typed.setPlainText(self._builder.text)
            except InputError:
                return

    def _take_tests_of_text(self) -> None:
        where = self.predicate
        simple = chosen_tests(where, self._source.table) if where else None
        if simple is not None:
            self._builder.show_tests(*simple)
        elif self._typed.toPlainText().strip():
            self._typing.setChecked(True)
            self._say(
                self.tr("This expression says more than can be chosen from lists; keep typing it."), None
            )

    def _show_page(self) -> None:
        typing = self._typing.isChecked()
        self._pages.setCurrentIndex(1 if typing else 0)
        self._typing.setText(self.tr("Choose from lists") if typing else self.tr("Type it yourself"))

    def _evaluate(self) -> None:
        self._timer.stop()
        self._predicate, self._problem = None, ""
        try:
            self._count()
        except PredicateError as error:
            self._problem = error.message
            self._say(error.message, error.position)
        self.changed.emit()

    def _count(self) -> None:
        typing = self._typing.isChecked()
        blank = not self._typed.toPlainText().strip() if typing else self._builder.is_blank
        if blank:
            self._problem = self.tr("No condition is given yet.")
            self._say(self._problem, None)
            return
        where = read(self._typed.toPlainText() if typing else self._builder.text, self._source.table)
        found = matches(where, self._source, self._present)
        self._predicate = where
        self._say(self.tr("True of {0} of {1}").format(count(found.records), records(found.present)), None)

    def _say(self, sentence: str, position: int | None) -> None:
        self._status.setText(sentence)
        self._typed.setExtraSelections([] if position is None else [self._wave(position)])

    def _wave(self, position: int) -> QTextEdit.ExtraSelection:
        """Underlines the word at a position of the typed expression."""
        cursor = QTextCursor(self._typed.document())
        cursor.setPosition(min(position, max(len(self._typed.toPlainText()) - 1, 0)))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
        if not cursor.hasSelection():
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        style.setUnderlineColor(self.palette().highlight().color())
        mark.cursor, mark.format = cursor, style
        return mark


def _combo() -> QComboBox:
    combo = QComboBox()
    combo.setMinimumContentsLength(8)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return combo
