"""How much to ask for, how it is shared, and what error to expect of that: before anything is spent."""

from __future__ import annotations

from PySide6.QtCore import QRegularExpression, Qt, QTimer, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from curator_gui.budget.amounts import EPSILON, epsilon_cost
from curator_gui.core.errors import InputError
from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Account, Budgets
from curator_gui.gui.charts.budget_bar import BudgetBar
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.models.interest import errors_model, moved_heads, moved_lines
from curator_gui.gui.naming import named
from curator_gui.gui.pool_bars import dataset_bar, my_bar, note_on
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_draft import SynthesisDraft, Workload
from curator_gui.gui.words import count, percent
from curator_gui.synthesis import Mechanism
from curator_gui.synthesis.request import DEDICATED
from curator_gui.synthesizing import moved_errors

_SOON_MS = 80
_FIELD = 96
_WHOLE = "[1-9][0-9]{0,7}"  # Qt's own validator of whole numbers lets “0,17” through, in groups of no size


class BudgetPage(QWidget):
    """``edited``: the draft changed. ``pools_asked``: there is no pool to ask."""

    edited = Signal()
    pools_asked = Signal()

    def __init__(self, draft: SynthesisDraft, budgets: Budgets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft, self._budgets = draft, budgets
        self._dataset = named(BudgetBar(self), "ask_dataset_bar")
        self._mine = named(BudgetBar(self), "ask_my_bar")
        self._no_pool = Sentence("no_pool", self)
        self._pools = named(QPushButton(self.tr("Set up the budget…"), self, autoDefault=False), "ask_pools")
        self._practise = named(
            QPushButton(self.tr("Set up a practice budget for the sample"), self, autoDefault=False),
            "ask_practice",
        )
        self._note = named(QLabel(self, wordWrap=True), "ask_note")
        self._epsilon = named(QLineEdit(self), "ask_epsilon", self.tr("ε to ask for"))
        self._priority = named(QSlider(Qt.Orientation.Horizontal, self), "priority")
        self._priority.setAccessibleName(self.tr("Priority of your queries, in percent of the budget"))
        self._share = named(QLabel(self), "priority_words")
        self._mechanism = named(QComboBox(self), "mechanism", self.tr("Mechanism"))
        self._workload = named(QComboBox(self), "workload", self.tr("What the rest of the budget is for"))
        self._rows = named(QLineEdit(self), "synthetic_rows", self.tr("Records to make"))
        self._model = errors_model()
        self._errors = named(CopyTable(self), "expected_errors", self.tr("Expected error of each query"))
        self._over_errors = QLabel(self.tr("Expected error of your queries, from the noise alone"), self)
        self._no_queries = named(QLabel(self, wordWrap=True), "no_queries_chosen")
        self._size = named(QLabel(self, wordWrap=True), "model_size")
        self._problem = Sentence("budget_problem", self)
        self._drowned = Sentence("drowned_queries", self)
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.refresh)
        self._set_up()
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Work the expected errors out again."""
        self._soon.stop()
        self._set_up_workload()
        account = self._budgets.account
        self._show_account(account)
        self._adapt()
        self._size.setText("")
        self._problem.clear()
        self._drowned.clear()
        try:
            self._show_errors(account)
        except InputError as error:
            self._model.show(())
            self._problem.refuse(error.message)

    def _adapt(self) -> None:
        """Priority and errors are of interest where queries were chosen."""
        draft, beta = self._draft, self._draft.priority
        chosen = bool(draft.usable_queries)
        said = self.tr("{0} for your queries, {1} for all the rest").format(percent(beta), percent(1 - beta))
        self._share.setText(said if chosen else self.tr("no query chosen: all of it for the rest"))
        self._workload.setEnabled(draft.mechanism != "independent")
        self._priority.setEnabled(chosen and draft.mechanism in DEDICATED)
        for widget in (self._over_errors, self._errors, self._size):
            widget.setVisible(chosen)
        self._no_queries.setVisible(not chosen)

    def _show_errors(self, account: Account | None) -> None:
        draft = self._draft
        order = draft.order(draft.epsilon or "1")
        self._size.setText(
            self.tr("The model holds {0} cells for your queries; {1} are the most.").format(
                count(draft.model_size()), count(order.model_limit)
            )
        )
        if account is None or account.dataset is None or not draft.epsilon:
            self._model.show(())
            return
        asked = epsilon_cost(draft.epsilon)
        budgets = [asked // 2, asked, asked * 2]
        moves = moved_errors(
            order,
            account.dataset.pool.delta,
            epsilons=[units / EPSILON for units in budgets],
            priorities=[draft.priority],
            declared_rows=account.dataset.size,
        )
        half, now, double = (budget_words.epsilon(units) for units in budgets)
        self._model.show(moved_lines([m.errors for m in moves]), moved_heads(now, half, double))
        if draft.mechanism == "cusyn-aim" and any(e.rows is None for e in moves[1].errors):
            self._drowned.tell(
                self.tr(
                    "“Like the rest”: at ε {0} noise would drown the query, so it gets no share of its own. "
                    "More ε, fewer queries or coarser columns help."
                ).format(now)
            )
        self._errors.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _show_account(self, account: Account | None) -> None:
        has_pool = account is not None and account.dataset is not None
        for widget in (self._dataset, self._mine):
            widget.setVisible(has_pool)
        self._pools.setVisible(not has_pool)
        self._practise.setVisible(not has_pool and self._budgets.is_sample)
        self._note.setText(
            note_on(account, self._budgets.practice_ledger) if account is not None and has_pool else ""
        )
        self._note.setVisible(bool(self._note.text()))
        if account is not None and has_pool:
            self._no_pool.clear()
            self._dataset.show_bar(dataset_bar(account))
            self._mine.show_bar(my_bar(account))
        else:
            self._no_pool.warn(self._why_no_pool())

    def _why_no_pool(self) -> str:
        if self._budgets.problem:
            return self._budgets.problem
        if self._budgets.exists and self._budgets.account is None:
            return self.tr("Reading the ledger…")
        return self.tr("This table has no privacy budget yet, so nothing can be asked for.")

    def _set_up(self) -> None:
        draft = self._draft
        self._epsilon.setText(draft.epsilon)
        self._epsilon.setPlaceholderText(self.tr("such as 0.3"))
        self._priority.setRange(0, 100)
        self._priority.setPageStep(10)
        self._priority.setValue(round(100 * draft.priority))
        self._rows.setPlaceholderText(self.tr("as measured"))
        self._rows.setToolTip(
            self.tr("Empty: as many as the noisy total says. Never filled in from the source.")
        )
        self._rows.setValidator(QRegularExpressionValidator(QRegularExpression(_WHOLE), self))
        names: tuple[tuple[Mechanism, str], ...] = (
            ("cusyn-aim", self.tr("Customized (recommended)")),
            ("cusyn-mwem", self.tr("Customized, in fewer rounds")),
            ("aim", self.tr("General, your queries only weigh as much as others")),
            ("independent", self.tr("Each column by itself")),
        )
        for mechanism, name in names:
            self._mechanism.addItem(name, mechanism)
        self._mechanism.setCurrentIndex(max(self._mechanism.findData(draft.mechanism), 0))
        self._set_up_workload()
        self._no_queries.setText(
            self.tr("With a query chosen on page 2, the error to expect of it is shown here for each ε.")
        )
        self._no_queries.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._errors.setModel(self._model)
        self._errors.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _set_up_workload(self) -> None:
        draft = self._draft
        choices: tuple[tuple[Workload, str, bool], ...] = (
            ("pairs", self.tr("All pairs of columns (recommended)"), True),
            ("plan", self.tr("Pairs of the columns in my plan"), bool(draft.queries_of_the_plan())),
            ("queries", self.tr("My queries again"), bool(draft.usable_queries)),
        )
        self._workload.clear()
        for workload, name, offered in choices:
            if offered:
                self._workload.addItem(name, workload)
        self._workload.setCurrentIndex(max(self._workload.findData(draft.workload), 0))
        draft.workload = self._workload.currentData()
        self._workload.setToolTip(
            self.tr("Which joint counts the rounds try to get right, with what the queries leave over")
        )

    def _lay_out(self) -> None:
        for field in (self._epsilon, self._rows):
            field.setFixedWidth(_FIELD)
        asking = QHBoxLayout()
        asking.setSpacing(8)
        asking.addWidget(self._epsilon)
        asking.addWidget(QLabel(self.tr("of privacy budget"), self))
        asking.addStretch(1)
        share = QHBoxLayout()
        share.setSpacing(8)
        share.addWidget(self._priority, 1)
        share.addWidget(self._share)
        making = QHBoxLayout()
        making.setSpacing(8)
        making.addWidget(self._rows)
        making.addWidget(QLabel(self.tr("records"), self))
        making.addStretch(1)
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Ask for ε"), asking)
        form.addRow(self.tr("Priority"), share)
        form.addRow(self.tr("The rest is for"), self._workload)
        form.addRow(self.tr("Mechanism"), self._mechanism)
        form.addRow(self.tr("Make"), making)
        pools = QHBoxLayout()
        pools.addWidget(self._practise)
        pools.addWidget(self._pools)
        pools.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        bars = QHBoxLayout()
        bars.setSpacing(16)
        bars.addWidget(self._dataset)
        bars.addWidget(self._mine)
        box.addLayout(bars)
        box.addWidget(self._note)
        box.addWidget(self._no_pool)
        box.addLayout(pools)
        box.addLayout(form)
        box.addWidget(self._over_errors)
        box.addWidget(self._errors, 1)
        box.addWidget(self._no_queries, 1)
        box.addWidget(self._drowned)
        box.addWidget(self._size)
        box.addWidget(self._problem)

    def _connect(self) -> None:
        self._epsilon.textEdited.connect(self._changed)
        self._rows.textEdited.connect(self._changed)
        self._priority.valueChanged.connect(self._changed)
        self._mechanism.activated.connect(self._changed)
        self._workload.activated.connect(self._changed)
        self._pools.clicked.connect(self.pools_asked)
        self._practise.clicked.connect(lambda: self._budgets.practise(self._no_pool.refuse))
        self._budgets.changed.connect(self._account_changed)

    def _account_changed(self) -> None:
        """A practice budget is there to be spent, so an amount is proposed; of a real one never."""
        if self._budgets.practising and self._budgets.account is not None and not self._draft.epsilon:
            self._epsilon.setText("1")
            self._changed()
        self.refresh()

    def _changed(self) -> None:
        draft = self._draft
        draft.epsilon = self._epsilon.text().strip()
        draft.priority = self._priority.value() / 100
        draft.rows = int(self._rows.text()) if self._rows.text() else None
        draft.mechanism = self._mechanism.currentData()
        draft.workload = self._workload.currentData()
        self._adapt()
        self._soon.start()
        self.edited.emit()
