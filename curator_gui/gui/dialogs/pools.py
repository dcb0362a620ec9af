"""Pools: for the owner of a dataset. The ledger, the pool of this table, and who may spend how much of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui.budgets import Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.new_pool import NewPoolPage
from curator_gui.gui.dialogs.shares import SharesPage
from curator_gui.gui.ledger_file import ask_ledger_file
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence

Browse = Callable[[QWidget, str], Path | None]


class PoolsDialog(QDialog):
    """Three states of one page: no ledger yet, no pool for this table yet, a pool and its shares."""

    def __init__(
        self,
        controller: Controller,
        budgets: Budgets,
        parent: QWidget | None = None,
        *,
        browse: Browse = ask_ledger_file,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pools_dialog")
        self.setWindowTitle(self.tr("Privacy budget of this table"))
        assert controller.session is not None
        self._budgets, self._browse = budgets, browse
        self._place = named(QLineEdit(budgets.url, self), "ledger_place", self.tr("Where the ledger is"))
        self._choose = named(QPushButton(self.tr("Browse…"), self, autoDefault=False), "browse_ledger")
        self._who = named(QLabel(self, wordWrap=True), "ledger_who")
        self._create = named(QPushButton(self.tr("Create the ledger"), self), "create_ledger")
        self._use = named(QPushButton(self.tr("Use this ledger"), self, autoDefault=False), "use_ledger")
        self._said = named(QLabel(self, wordWrap=True), "pools_said")
        self._problem = Sentence("pools_problem", self)
        self._new = NewPoolPage(budgets, controller.session.source_path.stem, self)
        self._shares = SharesPage(budgets, self)
        self._pages = named(QStackedWidget(self), "pools_pages")
        self._lay_out()
        self._connect()
        self.refresh()
        if budgets.account is None:
            budgets.read(self._problem.refuse)

    def refresh(self) -> None:
        """Show the state the ledger is in."""
        budgets, account = self._budgets, self._budgets.account
        self._place.setText(budgets.url)
        self._create.setVisible(not budgets.exists)
        self._use.setVisible(False)
        self._who.setVisible(account is None)
        self._said.setText(self._state_in_words())
        self._said.setVisible(bool(self._said.text()))
        if account is None:
            self._pages.setCurrentIndex(0)
        elif account.dataset is None:
            self._new.refresh()
            if self._pages.currentWidget() is not self._new:
                self._pages.setCurrentWidget(self._new)
                self._new.begin()
        else:
            self._shares.refresh()
            self._pages.setCurrentWidget(self._shares)

    def _state_in_words(self) -> str:
        budgets, account = self._budgets, self._budgets.account
        if not budgets.exists:
            return self.tr(
                "Every synthetic table discloses a little about everyone in its source. A ledger keeps the "
                "sum, so that all of them stay below what you decide here. There is none at this place yet."
            )
        if account is None:
            return budgets.problem or self.tr("Reading the ledger…")
        if account.dataset is None:
            return self.tr(
                "This table has no pool in the ledger yet. A pool is never refilled and never reset."
            )
        return ""

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.addWidget(self._place, 1)
        place.addWidget(self._choose)
        place.addWidget(self._use)
        place.addWidget(self._create)
        form = QFormLayout()
        form.addRow(self.tr("Ledger"), place)
        self._pages.addWidget(QWidget(self))
        self._pages.addWidget(self._new)
        self._pages.addWidget(self._shares)
        buttons = QDialogButtonBox(self)
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        named(close, "close_pools")
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addLayout(form)
        self._who.setText(
            self.tr(
                "A file serves one account on this computer. People who share a budget need one ledger they "
                "all reach: the address of a PostgreSQL server, postgresql://…"
            )
        )
        for widget in (self._said, self._who, self._pages, self._problem, buttons):
            box.addWidget(widget, 1 if widget is self._pages else 0)
        self.resize(640, 560)

    def _connect(self) -> None:
        self._create.clicked.connect(self._create_ledger)
        self._choose.clicked.connect(self._browse_place)
        self._use.clicked.connect(self._use_place)
        self._place.textEdited.connect(self._place_edited)
        for page in (self._new, self._shares):
            page.refused.connect(self._problem.refuse)
        self._budgets.changed.connect(self._read_again)

    def _read_again(self) -> None:
        self._problem.clear()
        self.refresh()

    def _place_edited(self, text: str) -> None:
        self._use.setVisible(text.strip() != self._budgets.url)

    def _browse_place(self) -> None:
        path = self._browse(self, self._budgets.url)
        if path is not None and str(path) != self._budgets.url:
            self._budgets.choose(str(path))
            self._budgets.read(self._problem.refuse)

    def _use_place(self) -> None:
        self._budgets.choose(self._place.text().strip())
        self._budgets.read(self._problem.refuse)

    def _create_ledger(self) -> None:
        if self._place.text().strip() != self._budgets.url:
            self._budgets.choose(self._place.text().strip())
        self._budgets.create_ledger(self._problem.refuse)
