"""The queries a user cares about: pairs in a triangle, larger ones by their names."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.gui.charts.interest_matrix import InterestMatrix
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.domain_words import query_name
from curator_gui.gui.models.interest import chosen_model
from curator_gui.gui.models.lines import Cell
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_draft import SynthesisDraft, read_query
from curator_gui.gui.words import count

_MOST_PAIRS = 500


class QueriesPage(QWidget):
    """``edited``: the draft's queries changed."""

    edited = Signal()

    def __init__(self, draft: SynthesisDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._matrix = named(InterestMatrix(self), "interest_matrix")
        self._search = named(QLineEdit(self), "find_column", self.tr("Find a column"))
        self._plan = named(
            QPushButton(self.tr("The columns of my plan"), self, autoDefault=False), "plan_queries"
        )
        self._model = chosen_model()
        self._list = named(CopyTable(self), "chosen_queries", self.tr("Queries you care about"))
        self._remove = named(QPushButton(self.tr("Remove"), self, autoDefault=False), "remove_queries")
        self._names = named(QLineEdit(self), "query_names", self.tr("Columns of a query, commas between"))
        self._add = named(QPushButton(self.tr("Add"), self, autoDefault=False), "add_query")
        self._said = named(QLabel(self, wordWrap=True), "queries_said")
        self._how = named(QLabel(self, wordWrap=True), "queries_how")
        self._none = named(QLabel(self, wordWrap=True), "no_queries")
        self._problem = Sentence("queries_problem", self)
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Show the draft's columns and queries again."""
        if self._matrix.names != self._draft.columns:
            self._matrix.show_names(self._draft.columns)
        self._show_queries()

    def _show_queries(self) -> None:
        draft, names = self._draft, self._draft.columns
        queries = draft.usable_queries
        pairs = [(names.index(q[1]), names.index(q[0])) for q in queries if len(q) == 2]
        self._matrix.show_chosen(pairs, draft.cells)
        self._model.show([(Cell(query_name(q)), Cell(count(draft.cells(q)))) for q in queries])
        self._remove.setEnabled(bool(queries))
        self._list.setVisible(bool(queries))
        self._none.setVisible(not queries)
        self._said.setText(self._how_many(len(queries)))

    def _how_many(self, queries: int) -> str:
        if queries == 0:
            return self.tr(
                "The tables you will count most. They are measured first, on a share of their own."
            )
        if queries == 1:
            return self.tr("1 query, measured first.")
        return self.tr("{0} queries, measured first.").format(count(queries))

    def _lay_out(self) -> None:
        self._search.setPlaceholderText(self.tr("Find a column…"))
        self._search.setClearButtonEnabled(True)
        self._names.setPlaceholderText(self.tr("Three or more: age, sex, zip"))
        self._list.setModel(self._model)
        self._how.setText(
            self.tr(
                "Click a box to ask for the table of these two columns; none chosen is fine: all pairs are "
                "then treated alike."
            )
        )
        self._none.setText(self.tr("None chosen yet."))
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        header = self._list.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        area = named(QScrollArea(self), "matrix_area")
        area.setWidget(self._matrix)
        area.setBackgroundRole(QPalette.ColorRole.Base)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self._search, 1)
        top.addWidget(self._plan)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addLayout(top)
        left.addWidget(area, 1)
        adding = QHBoxLayout()
        adding.addWidget(self._names, 1)
        adding.addWidget(self._add)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._said)
        right.addWidget(self._list, 1)
        right.addWidget(self._none, 1)
        right.addWidget(self._remove, 0, Qt.AlignmentFlag.AlignLeft)
        right.addLayout(adding)
        sides = QHBoxLayout()
        sides.setSpacing(16)
        sides.addLayout(left, 3)
        sides.addLayout(right, 2)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self._how)
        box.addLayout(sides, 1)
        box.addWidget(self._problem)

    def _connect(self) -> None:
        self._matrix.activated.connect(self._toggle)
        self._search.textEdited.connect(self._matrix.set_off)
        self._search.returnPressed.connect(self._matrix.setFocus)
        self._plan.clicked.connect(self._add_plan)
        self._remove.clicked.connect(self._remove_chosen)
        self._names.returnPressed.connect(self._add_named)
        self._add.clicked.connect(self._add_named)

    def _toggle(self, row: int, column: int) -> None:
        names = self._draft.columns
        self._draft.toggle((names[column], names[row]))
        self._changed()

    def _add_plan(self) -> None:
        queries = self._draft.queries_of_the_plan()
        if not queries:
            self._problem.tell(self.tr("Neither the plan nor the protection names two of these columns."))
        elif len(queries) > _MOST_PAIRS:
            self._problem.refuse(
                self.tr("The plan names {0} pairs, too many to be of special interest.").format(
                    count(len(queries))
                )
            )
        else:
            self._draft.add_queries(queries)
            self._changed()

    def _remove_chosen(self) -> None:
        queries = self._draft.usable_queries
        rows = sorted({i.row() for i in self._list.selectionModel().selectedRows()})
        for row in rows or [len(queries) - 1]:
            self._draft.queries.remove(queries[row])
        self._changed()

    def _add_named(self) -> None:
        try:
            self._draft.add_queries([read_query(self._names.text())])
        except InputError as error:
            self._problem.refuse(error.message)
            return
        self._names.clear()
        self._changed()

    def _changed(self) -> None:
        self._problem.clear()
        self._show_queries()
        self.edited.emit()
