"""Budget: what is left of the dataset's pool and of one's own, the proven loss, and what was spent when."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.budget.amounts import epsilon_text
from curator_gui.budget.pool import Kind
from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Account, Budgets
from curator_gui.gui.charts.budget_bar import BudgetBar
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.models.pools import history_lines, history_model
from curator_gui.gui.naming import named
from curator_gui.gui.pool_bars import dataset_bar, left_in_words, my_bar, note_on
from curator_gui.gui.words import count


class BudgetPanel(QWidget):
    """Reads the ledger when it is first seen. ``pools_asked`` and ``synthesis_asked`` follow its buttons."""

    pools_asked = Signal()
    synthesis_asked = Signal()

    def __init__(self, controller: Controller, budgets: Budgets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("budget")
        self._controller, self._budgets = controller, budgets
        self._dataset = named(BudgetBar(self), "dataset_bar")
        self._mine = named(BudgetBar(self), "my_bar")
        self._facts = self._label("budget_facts")
        self._hint = self._label("budget_hint")
        self._model = history_model()
        self._history = named(CopyTable(self), "history", self.tr("What happened to the pool, latest first"))
        self._pages = named(QStackedWidget(self), "budget_pages")
        self._pools = named(QPushButton(self.tr("Pools…"), self), "pools")
        self._first_pools = named(QPushButton(self.tr("Set up the budget…"), self), "first_pools")
        self._practise = named(
            QPushButton(self.tr("Set up a practice budget for the sample"), self), "first_practice"
        )
        self._note = self._label("budget_note")
        self._synthesize = named(QPushButton(self.tr("Synthesize…"), self), "panel_synthesize")
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Show the account as it was last read, or what to do where there is none."""
        account = self._budgets.account
        if account is None or account.dataset is None:
            self._hint.setText(self._what_to_do(account))
            self._first_pools.setVisible(self._controller.session is not None)
            self._practise.setVisible(self._budgets.is_sample)
            self._pages.setCurrentIndex(0)
            return
        self._pages.setCurrentIndex(1)
        self._dataset.show_bar(dataset_bar(account))
        self._mine.show_bar(my_bar(account))
        for bar in (self._dataset, self._mine):
            bar.setToolTip(f"{bar.toolTip()}\n{left_in_words(account.dataset.pool)}")
        self._facts.setText(self._facts_of(account))
        self._note.setText(note_on(account, self._budgets.practice_ledger))
        self._note.setVisible(bool(self._note.text()))
        self._model.show(history_lines(account.dataset.pool, account.history))
        self._history.resizeColumnsToContents()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read_once()

    def _read_once(self) -> None:
        budgets = self._budgets
        if self.isVisible() and budgets.account is None and not budgets.problem and budgets.exists:
            budgets.read()

    def _what_to_do(self, account: Account | None) -> str:
        if self._controller.session is None:
            return self.tr("Open a table to see its privacy budget.")
        if self._budgets.problem:
            return self._budgets.problem
        if not self._budgets.exists:
            return self.tr(
                "Synthetic tables are paid for from a privacy budget, which a ledger keeps. There is no "
                "ledger yet; set one up to begin."
            )
        if account is None:
            return self.tr("Reading the ledger…")
        return self.tr(
            "This table has no pool in the ledger. Its owner sets one up: how much all its synthetic tables "
            "together may ever disclose."
        )

    def _facts_of(self, account: Account) -> str:
        assert account.dataset is not None
        dataset, pool = account.dataset, account.dataset.pool
        kind = self.tr("ρ-pool") if pool.kind is Kind.RHO else self.tr("ε-pool")
        lines = [
            self.tr("<b>Proven loss so far: ε {0}</b> of {1} at δ {2}").format(
                budget_words.epsilon(dataset.proven_loss),
                budget_words.epsilon(pool.epsilon),
                budget_words.delta(pool.delta),
            ),
            self.tr("{0}; declared size {1}; at most ε {2} an operation").format(
                kind, count(dataset.size), budget_words.epsilon(pool.epsilon_left(pool.per_operation))
            ),
            self._my_limits(account),
        ]
        self._facts.setToolTip(self.tr("Proven loss ε {0}").format(epsilon_text(dataset.proven_loss)))
        return "<br>".join(lines)

    def _my_limits(self, account: Account) -> str:
        assert account.dataset is not None
        if account.mine is None:
            return self.tr("{0} has no share of this pool; its owner grants one under Pools….").format(
                account.user
            )
        most = account.dataset.pool.epsilon_left(account.mine.balance.per_request)
        return self.tr("{0}: at most ε {1} a request").format(account.user, budget_words.epsilon(most))

    def _label(self, name: str) -> QLabel:
        label = named(QLabel(self), name)
        label.setWordWrap(True)
        return label

    def _lay_out(self) -> None:
        self._history.setModel(self._model)
        self._history.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._history.horizontalHeader().setStretchLastSection(True)
        self._pages.addWidget(self._empty_page())
        self._pages.addWidget(self._account_page())
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.addWidget(self._pages)

    def _empty_page(self) -> QWidget:
        page = QWidget(self)
        box = QVBoxLayout(page)
        box.setSpacing(8)
        box.addWidget(self._hint)
        line = QHBoxLayout()
        line.addWidget(self._practise)
        line.addWidget(self._first_pools)
        line.addStretch(1)
        box.addLayout(line)
        box.addStretch(1)
        return page

    def _account_page(self) -> QWidget:
        page = QWidget(self)
        read = QWidget(page)
        words = QVBoxLayout(read)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(8)
        for widget in (self._dataset, self._mine, self._facts, self._note):
            words.addWidget(widget)
        words.addStretch(1)
        area = named(QScrollArea(page), "budget_area")
        area.setWidget(read)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(area, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self._pools)
        buttons.addWidget(self._synthesize)
        buttons.addStretch(1)
        left.addLayout(buttons)
        line = QHBoxLayout(page)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(16)
        line.addLayout(left, 2)
        line.addWidget(self._history, 3)
        return page

    def _connect(self) -> None:
        self._pools.clicked.connect(self.pools_asked)
        self._first_pools.clicked.connect(self.pools_asked)
        self._practise.clicked.connect(lambda: self._budgets.practise(self._hint.setText))
        self._synthesize.clicked.connect(self.synthesis_asked)
        self._budgets.changed.connect(self.refresh)
        self._controller.session_changed.connect(self._read_once)
