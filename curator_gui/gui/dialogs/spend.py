"""Spending privacy budget cannot be undone, so one screen shows all of it, and its default is not to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.budget.amounts import epsilon_text
from curator_gui.budget.pool import Bound, Kind
from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Account
from curator_gui.gui.charts.budget_bar import BudgetBar
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.models.lines import Cell, Line, LinesModel
from curator_gui.gui.models.pools import left_cell
from curator_gui.gui.naming import named
from curator_gui.gui.pool_bars import dataset_bar, left_in_words, my_bar
from curator_gui.gui.theme import Standing, theme_of
from curator_gui.synthesizing import Preview

_FOUR = (Bound.PER_OPERATION, Bound.PER_REQUEST, Bound.DATASET, Bound.USER)


class SpendDialog(QDialog):
    """Accepted: its user wants exactly what ``shown.decision`` approves to be spent."""

    def __init__(self, account: Account, shown: Preview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("spend")
        self.setWindowTitle(self.tr("Spend privacy budget"))
        self._account, self._shown = account, shown
        decision = shown.decision
        self._asked = self._amount("requested", decision.requested)
        self._given = self._amount("approved", decision.approved)
        self._verdict = named(QLabel(self, wordWrap=True), "verdict")
        self._limits = named(
            CopyTable(self), "limits", self.tr("The four limits; the one that binds is marked")
        )
        self._dataset = named(BudgetBar(self), "dataset_after")
        self._mine = named(BudgetBar(self), "mine_after")
        self._loss = named(QLabel(self, wordWrap=True), "proven_loss")
        self._warnings = named(QLabel(self, wordWrap=True), "spend_warnings")
        self._note = named(QLabel(left_in_words(shown.dataset.pool), self, wordWrap=True), "left_words")
        self._final = named(QLabel(self, wordWrap=True), "irreversible")
        self._keep = named(QPushButton(self.tr("Do not spend"), self, default=True), "do_not_spend")
        self._spend = named(QPushButton(self, autoDefault=False), "spend_now")
        self._fill_in()
        self._lay_out()
        self._keep.clicked.connect(self.reject)
        self._spend.clicked.connect(self.accept)
        self._keep.setFocus()

    def accept(self) -> None:
        """Once, however often and fast the button is clicked."""
        if self._spend.isEnabled():
            self._spend.setEnabled(False)
            super().accept()

    def _amount(self, name: str, units: int) -> QLabel:
        label = named(QLabel(f"<b>ε {budget_words.epsilon(units)}</b>", self), name)
        label.setToolTip(f"ε {epsilon_text(units)}")
        return label

    def _fill_in(self) -> None:
        decision, account = self._shown.decision, self._account
        self._show_verdict()
        self._model = LinesModel((self.tr("Limit"), "ε", ""), numeric=(1,))
        self._model.show([self._limit_line(bound) for bound in _FOUR])
        self._limits.setModel(self._model)
        taken = self._taken()
        self._dataset.show_bar(dataset_bar(account, taken))
        self._mine.show_bar(my_bar(account, taken))
        before = self._shown.dataset.proven_loss
        self._loss.setText(
            self.tr("Proven loss of everything so far: ε {0}; with this <b>ε {1}</b>, at δ {2}.").format(
                budget_words.epsilon(before),
                budget_words.epsilon(decision.proven_loss),
                budget_words.delta(decision.delta),
            )
        )
        self._warnings.setText("\n".join(f"• {sentence}" for sentence in self._shown.warnings))
        if decision.refused:
            self._loss.setText(
                self.tr("Proven loss of everything so far: ε {0}, at δ {1}.").format(
                    budget_words.epsilon(before), budget_words.delta(decision.delta)
                )
            )
            self._final.setText(self.tr("Nothing can be spent on this request."))
            self._keep.setText(self.tr("Close"))
            self._spend.hide()
            return
        self._final.setText(
            self.tr(
                "<b>This cannot be undone.</b> From the next click on the budget is spent: cancelling later, "
                "an error or a crash gives nothing back."
            )
        )
        given = budget_words.epsilon(decision.approved)
        less = decision.bound is not Bound.NONE
        accept = self.tr("Accept less and spend ε {0}") if less else self.tr("Spend ε {0}")
        self._spend.setText(accept.format(given))

    def _show_verdict(self) -> None:
        decision = self._shown.decision
        standing = Standing.OVER if decision.refused else Standing.NEAR
        mark = "▲" if decision.refused else "●"
        if decision.bound is Bound.NONE:
            standing, mark = Standing.WITHIN, "▼"
        colour = theme_of(self.palette()).words(standing).name()
        self._verdict.setTextFormat(Qt.TextFormat.RichText)
        self._verdict.setText(f"<span style='color:{colour}'>{mark} {self._in_words()}</span>")
        self._verdict.setToolTip(decision.sentence())

    def _in_words(self) -> str:
        """The decision in rounded numbers; the exact ones are in the tooltip."""
        decision = self._shown.decision
        asked, given = budget_words.epsilon(decision.requested), budget_words.epsilon(decision.approved)
        if decision.bound is Bound.NONE:
            return self.tr("All of it would be approved; no limit binds.")
        why = budget_words.reason(decision.bound, decision.user, decision.limit or 0)
        if decision.refused:
            return self.tr("ε {0} is refused: {1}.").format(asked, why)
        return self.tr("Only ε {0} of {1} would be approved: {2}.").format(given, asked, why)

    def _limit_line(self, bound: Bound) -> Line:
        account, decision = self._account, self._shown.decision
        dataset, mine = self._shown.dataset, account.mine
        amounts = {
            Bound.PER_OPERATION: dataset.pool.per_operation,
            Bound.PER_REQUEST: mine.balance.per_request if mine else 0,
            Bound.DATASET: dataset.balance.left,
            Bound.USER: mine.balance.left if mine else 0,
        }
        binds = decision.bound is bound
        standing = (Standing.OVER if decision.refused else Standing.NEAR) if binds else None
        amount = left_cell(dataset.pool, amounts[bound])
        return (
            Cell(budget_words.limit_name(bound, decision.user), "", standing),
            Cell(amount.text, amount.tip, standing),
            Cell(
                (self.tr("▲ binds") if decision.refused else self.tr("● binds")) if binds else "",
                "",
                standing,
            ),
        )

    def _taken(self) -> int:
        """What would be debited, in account units."""
        decision = self._shown.decision
        return decision.rho if self._shown.dataset.pool.kind is Kind.RHO else decision.approved

    def _lay_out(self) -> None:
        decision = self._shown.decision
        form = QFormLayout()
        form.setVerticalSpacing(4)
        form.addRow(self.tr("Requested"), self._asked)
        form.addRow(self.tr("Would be approved"), self._given)
        charged = named(QLabel(f"<b>{decision.user}</b>", self), "charged_to")
        form.addRow(self.tr("Charged to"), charged)
        header = self._limits.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        rows = len(_FOUR) * self._limits.verticalHeader().defaultSectionSize()
        self._limits.setFixedHeight(rows + header.sizeHint().height() + 4)
        buttons = QHBoxLayout()
        buttons.addWidget(self._spend)
        buttons.addStretch(1)
        buttons.addWidget(self._keep)
        box = QVBoxLayout(self)
        box.setSpacing(12)
        box.addLayout(form)
        for widget in (
            self._verdict,
            self._limits,
            self._dataset,
            self._mine,
            self._note,
            self._loss,
            self._warnings,
        ):
            box.addWidget(widget)
        box.addStretch(1)
        box.addWidget(self._final)
        box.addLayout(buttons)
        self.resize(560, 560)
