"""Synthesize…: what, which queries, how much. Three steps, then the spending screen. Nothing here spends."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.gui.asking import Asking
from curator_gui.gui.budgets import Account, Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesize_budget import BudgetPage
from curator_gui.gui.dialogs.synthesize_columns import ColumnsPage
from curator_gui.gui.dialogs.synthesize_queries import QueriesPage
from curator_gui.gui.jobs import Job
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_draft import SynthesisDraft, proposed_domains
from curator_gui.gui.synthesis_job import SynthesisJob
from curator_gui.synthesis.domain import ColumnDomain
from curator_gui.synthesizing import Order, Preview, preview, require_per_row

_LAST = 2


class SynthesizeDialog(QDialog):
    """``started`` carries the ``SynthesisJob`` once its user chose to spend. Works on a copy of the session:
    what is ordered does not move with the plan."""

    started = Signal(object)
    pools_asked = Signal()

    def __init__(
        self, controller: Controller, budgets: Budgets, asking: Asking, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("synthesize_dialog")
        self.setWindowTitle(self.tr("Synthesize"))
        assert controller.session is not None
        self._controller, self._budgets, self._asking = controller, budgets, asking
        self._draft = SynthesisDraft(copy(controller.session))
        self._columns = ColumnsPage(self._draft, self._browse_dictionary, self)
        self._queries = QueriesPage(self._draft, self)
        self._budget = BudgetPage(self._draft, budgets, self)
        self._pages = named(QStackedWidget(self), "synthesize_pages")
        self._steps = QButtonGroup(self)
        self._waiting = named(QLabel(self), "synthesize_waiting")
        self._problem = Sentence("synthesize_problem", self)
        self._back = named(QPushButton(self.tr("Back"), self, autoDefault=False), "back")
        self._next = named(QPushButton(self.tr("Next"), self, default=True), "next")
        self._cancel = named(QPushButton(self.tr("Cancel"), self, autoDefault=False), "cancel_synthesize")
        self._lay_out()
        self._connect()
        self._begin()

    def reject(self) -> None:
        for kind in ("domains", "preview"):
            self._controller.jobs.cancel(kind)
        super().reject()

    # --- setting up ---

    def _lay_out(self) -> None:
        steps = QHBoxLayout()
        steps.setSpacing(8)
        for i, label in enumerate((self.tr("1  Columns"), self.tr("2  Queries"), self.tr("3  Budget"))):
            button = named(QPushButton(label, self, autoDefault=False), f"step_{i}")
            button.setCheckable(True)
            self._steps.addButton(button, i)
            steps.addWidget(button, 1)
        for page in (self._columns, self._queries, self._budget):
            self._pages.addWidget(page)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self._cancel)
        last.addWidget(self._waiting, 1)
        last.addWidget(self._back)
        last.addWidget(self._next)
        box = QVBoxLayout(self)
        box.setSpacing(16)
        box.addLayout(steps)
        box.addWidget(self._pages, 1)
        box.addWidget(self._problem)
        box.addLayout(last)
        self.resize(820, 620)

    def _connect(self) -> None:
        self._steps.idClicked.connect(self._go_to)
        self._back.clicked.connect(lambda: self._go_to(self._pages.currentIndex() - 1))
        self._next.clicked.connect(self._go_on)
        self._cancel.clicked.connect(self.reject)
        self._columns.origin_chosen.connect(self._find_domains)
        self._budget.pools_asked.connect(self.pools_asked)
        for page in (self._columns, self._queries, self._budget):
            page.edited.connect(self._adapt)
        self._budgets.changed.connect(self._adapt)

    def _begin(self) -> None:
        try:
            require_per_row(self._draft.session.current_plan)
        except InputError:
            self._adapt()
        else:
            self._find_domains()
        self._budgets.read()
        self._go_to(0)

    def _find_domains(self) -> None:
        session, origin = self._draft.session, self._draft.origin
        self._controller.jobs.start(
            self.tr("Looking up domains"),
            lambda job: proposed_domains(session, origin, job),
            kind="domains",
            done=self._take_domains,
            failed=self._problem.refuse,
        )
        self._wait(self.tr("Looking up what the columns may hold…"))

    def _take_domains(self, found: Mapping[str, ColumnDomain]) -> None:
        self._draft.domains = dict(found)
        self._wait("")
        self._columns.refresh()

    # --- going on ---

    def _go_to(self, step: int) -> None:
        step = min(max(step, 0), _LAST)
        self._pages.setCurrentIndex(step)
        self._steps.button(step).setChecked(True)
        self._problem.clear()
        if step == 1:
            self._queries.refresh()
        elif step == _LAST:
            self._budget.refresh()
        self._adapt()

    def _go_on(self) -> None:
        step = self._pages.currentIndex()
        if step < _LAST:
            self._go_to(step + 1)
        else:
            self._preview()

    def _adapt(self) -> None:
        step, ready = self._pages.currentIndex(), bool(self._draft.columns)
        self._back.setEnabled(step > 0)
        self._next.setText(self.tr("Look at the spending…") if step == _LAST else self.tr("Next"))
        account = self._budgets.account
        payable = account is not None and account.dataset is not None and bool(self._draft.epsilon)
        self._next.setEnabled(ready and (step < _LAST or payable) and not self._waiting.text())
        for i in (1, _LAST):
            self._steps.button(i).setEnabled(ready)
        for i, button in enumerate(self._steps.buttons()):
            font = button.font()
            font.setBold(i == step)
            button.setFont(font)

    def _wait(self, what: str) -> None:
        self._waiting.setText(what)
        self._adapt()

    def _preview(self) -> None:
        try:
            order = self._draft.order()
        except InputError as error:
            self._problem.refuse(error.message)
            return
        session, budgets = self._draft.session, self._budgets

        def work(_: Job) -> tuple[Account, Preview]:
            account, ledger = budgets.account_of(session), budgets.ledger
            assert ledger is not None
            return account, preview(session, ledger, order, accept_less=True, content=account.content)

        def failed(sentence: str) -> None:
            self._wait("")
            self._problem.refuse(sentence)

        self._problem.clear()
        self._wait(self.tr("Asking the ledger…"))
        self._controller.jobs.start(
            self.tr("Asking the ledger"),
            work,
            kind="preview",
            done=lambda found: self._show_spending(order, *found),
            failed=failed,
        )

    def _show_spending(self, order: Order, account: Account, shown: Preview) -> None:
        self._wait("")
        dialog = SpendDialog(account, shown, self)
        dialog.accepted.connect(lambda: self._spend(order, shown))
        dialog.rejected.connect(self.activateWindow)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _spend(self, order: Order, shown: Preview) -> None:
        ledger = self._budgets.ledger
        assert ledger is not None
        job = SynthesisJob(self._controller.jobs, self._draft.session, ledger, order, shown)
        self.started.emit(job)
        job.start()
        self.accept()

    def _browse_dictionary(self, parent: QWidget) -> Path | None:
        kinds = self.tr("Data dictionaries (*.json *.csv *.tsv)")
        folder = self._draft.session.source_path.parent
        return self._asking.file_to_open(parent, self.tr("Data dictionary"), kinds, folder)
