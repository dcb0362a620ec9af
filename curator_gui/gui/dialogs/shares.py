"""The users of a pool: what each may spend in all and at a time, and what is left of it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.charts.budget_bar import BudgetBar
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.models.pools import user_lines, users_model
from curator_gui.gui.naming import named
from curator_gui.gui.pool_bars import dataset_bar

_FIELD = 96


class SharesPage(QWidget):
    """``refused`` carries one sentence."""

    refused = Signal(str)

    def __init__(self, budgets: Budgets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budgets = budgets
        self._bar = named(BudgetBar(self), "pool_bar")
        self._terms = named(QLabel(self, wordWrap=True), "pool_terms")
        self._model = users_model()
        self._users = named(CopyTable(self), "pool_users", self.tr("Users of the pool and their limits"))
        self._user = named(QLineEdit(self), "grant_user", self.tr("User"))
        self._total = named(QLineEdit(self), "grant_total", self.tr("ε in all"))
        self._most = named(QLineEdit(self), "grant_most", self.tr("The most ε of a request"))
        self._grant = named(QPushButton(self.tr("Set the share"), self), "grant")
        self._lay_out()
        self._users.chosen.connect(self._fill_in)
        self._grant.clicked.connect(self._set_share)
        for field in (self._user, self._total):
            field.textEdited.connect(self._adapt)

    def refresh(self) -> None:
        """Read the pool and its users again."""
        account = self._budgets.account
        if account is None or account.dataset is None:
            return
        pool = account.dataset.pool
        self._bar.show_bar(dataset_bar(account))
        self._terms.setText(
            self.tr("Adds up {0}; δ {1}; at most ε {2} in one operation. Pool {3}.").format(
                "ρ" if pool.kind == "rho" else "ε",
                budget_words.delta(pool.delta),
                budget_words.epsilon(pool.epsilon_left(pool.per_operation)),
                account.dataset.id,
            )
        )
        self._model.show(user_lines(pool, account.users))
        self._user.setText(self._user.text() or account.user)
        self._adapt()

    def _lay_out(self) -> None:
        self._users.setModel(self._model)
        self._users.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for field in (self._total, self._most):
            field.setFixedWidth(_FIELD)
        self._most.setPlaceholderText(self.tr("the total"))
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._user, 1)
        for label, field in ((self.tr("ε in all"), self._total), (self.tr("a request at most"), self._most)):
            line.addWidget(QLabel(label, self))
            line.addWidget(field)
        line.addWidget(self._grant)
        form = QFormLayout()
        form.addRow(self.tr("Share of"), line)
        later = QLabel(self.tr("A share may be lowered later, never raised."), self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for widget in (self._bar, self._terms, self._users):
            box.addWidget(widget, 1 if widget is self._users else 0)
        box.addLayout(form)
        box.addWidget(later)

    def _adapt(self) -> None:
        self._grant.setEnabled(all(f.text().strip() for f in (self._user, self._total)))

    def _fill_in(self, index: QModelIndex) -> None:
        at = index.row()
        fields = ((self._user, 0), (self._total, 2), (self._most, 3))
        for field, column in fields:
            field.setText(str(self._model.index(at, column).data()))
        self._adapt()

    def _set_share(self) -> None:
        account = self._budgets.account
        if account is None or account.dataset is None:
            return
        id, user, total = account.dataset.id, self._user.text().strip(), self._total.text().strip()
        most = self._most.text().strip() or total
        self._budgets.write(
            self.tr("Setting the share"),
            lambda ledger, _: ledger.grant(id, user, per_request=most, total=total),
            self.refused.emit,
        )
