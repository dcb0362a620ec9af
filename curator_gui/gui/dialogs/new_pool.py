"""The pool of a table: ε, δ with its rule, the declared size and the kind. None of them changes later."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.budget.pool import Kind
from curator_gui.gui.budget_words import delta
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.naming import named
from curator_gui.gui.words import count

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger

_FIELD = 120


class NewPoolPage(QWidget):
    """``refused`` carries one sentence."""

    refused = Signal(str)

    def __init__(self, budgets: Budgets, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budgets = budgets
        self._name = named(QLineEdit(name, self), "pool_name", self.tr("Name of the dataset"))
        self._epsilon = self._field("pool_epsilon", self.tr("ε of the whole dataset"))
        self._size = self._field("pool_size", self.tr("About how many rows"))
        self._delta = self._field("pool_delta", self.tr("δ of the pool"))
        self._most = self._field("pool_most", self.tr("The most ε of one operation"))
        self._rule = named(QLabel(self, wordWrap=True), "delta_rule")
        prudent = QPushButton(self, autoDefault=False)
        self._prudent = named(prudent, "prudent_delta", self.tr("Use the prudent δ"))
        self._rho = named(QRadioButton(self.tr("Adds up ρ (recommended)"), self), "kind_rho")
        self._plain = named(QRadioButton(self.tr("Adds up ε as written"), self), "kind_epsilon")
        self._create = named(QPushButton(self.tr("Create the pool"), self), "create_pool")
        self._others = named(QComboBox(self), "other_pools", self.tr("Pool of the dataset it came from"))
        self._attach = named(QPushButton(self.tr("Attach"), self, autoDefault=False), "attach_pool")
        self._attaching = self._attach_row()
        self._lay_out()
        self._connect()
        self._adapt()

    def refresh(self) -> None:
        """List the pools this table may be attached to."""
        account = self._budgets.account
        others = account.others if account else ()
        self._others.clear()
        for dataset in others:
            self._others.addItem(dataset.name or dataset.id, dataset.id)
        self._attaching.setVisible(bool(others))

    def begin(self) -> None:
        """Give the keyboard to the first field that must be filled in."""
        self._size.setFocus()

    def _field(self, name: str, accessible: str) -> QLineEdit:
        field = named(QLineEdit(self), name, accessible)
        field.setFixedWidth(_FIELD)
        return field

    def _attach_row(self) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(QLabel(self.tr("Or it is a changed version of"), row))
        line.addWidget(self._others, 1)
        line.addWidget(self._attach)
        return row

    def _lay_out(self) -> None:
        self._rho.setChecked(True)
        self._epsilon.setPlaceholderText(self.tr("such as 1"))
        self._most.setPlaceholderText(self.tr("no limit"))
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Name"), self._name)
        form.addRow(
            self.tr("Size"), self._beside(self._size, self.tr("rows, roughly: stated, never counted"))
        )
        form.addRow(self.tr("ε of all releases"), self._beside(self._epsilon, self._epsilon_words()))
        form.addRow(self.tr("δ"), self._beside(self._delta, self._prudent))
        form.addRow("", self._rule)
        form.addRow(
            self.tr("At most"), self._beside(self._most, self.tr("ε in one operation; empty: all there is"))
        )
        form.addRow(self.tr("Kind"), self._kinds())
        last = QHBoxLayout()
        last.addWidget(self._create)
        last.addWidget(QLabel(self.tr("ε, δ and kind can never be changed."), self))
        last.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(16)
        box.addLayout(form)
        box.addLayout(last)
        box.addWidget(self._attaching)
        box.addStretch(1)

    def _epsilon_words(self) -> str:
        return self.tr("0.1 hides well, 1 is usual, 10 says little")

    def _beside(self, field: QWidget, more: QWidget | str) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(field)
        line.addWidget(QLabel(more, self) if isinstance(more, str) else more)
        line.addStretch(1)
        return line

    def _kinds(self) -> QVBoxLayout:
        box = QVBoxLayout()
        box.setSpacing(4)
        box.addWidget(self._rho)
        box.addWidget(self._plain)
        self._rho.setToolTip(self.tr("Many releases from one pool get far less noise this way."))
        self._plain.setToolTip(self.tr("Easier to explain, and wasteful where there are many releases."))
        return box

    def _connect(self) -> None:
        for field in (self._epsilon, self._size, self._delta):
            field.textEdited.connect(self._adapt)
        self._prudent.clicked.connect(self._fill_in_delta)
        self._create.clicked.connect(self._create_pool)
        self._attach.clicked.connect(self._attach_pool)

    def _adapt(self) -> None:
        size = self._declared()
        self._prudent.setVisible(size is not None)
        if size is None:
            self._rule.setText(self.tr("δ must be below 1 / the size; state the size first."))
        else:
            self._rule.setText(
                self.tr(
                    "δ must be below 1 / {0} = {1}: at that, publishing one row whole would be allowed."
                ).format(count(size), delta(1 / size))
            )
            self._prudent.setText(self.tr("Use 1 / size² = {0}").format(delta(1 / size**2)))
        filled = size is not None and all(f.text().strip() for f in (self._epsilon, self._delta))
        self._create.setEnabled(filled)

    def _declared(self) -> int | None:
        text = "".join(self._size.text().split())
        return int(text) if text.isascii() and text.isdigit() and 0 < int(text) < 10**12 else None

    def _fill_in_delta(self) -> None:
        size = self._declared()
        if size is not None:
            self._delta.setText(f"{1 / size**2:.2g}")
            self._adapt()

    def _create_pool(self) -> None:
        size = self._declared()
        if size is None:
            return
        try:
            value = float(self._delta.text())
        except ValueError:
            self.refused.emit(
                self.tr("“{0}” is no δ; write a number such as 1e-9.").format(self._delta.text())
            )
            return
        terms = {
            "epsilon": self._epsilon.text(),
            "delta": value,
            "size": size,
            "per_operation": self._most.text().strip() or None,
            "kind": Kind.RHO if self._rho.isChecked() else Kind.EPSILON,
            "name": self._name.text().strip(),
        }
        self._budgets.write(self.tr("Creating the pool"), partial(_create, terms), self.refused.emit)

    def _attach_pool(self) -> None:
        pool = self._others.currentData()
        if pool:
            self._budgets.write(
                self.tr("Attaching the table"),
                lambda ledger, content: ledger.attach(pool, content),
                self.refused.emit,
            )


def _create(terms: dict[str, object], ledger: Ledger, content: bytes) -> None:
    ledger.create_pool(content, **terms)  # type: ignore[arg-type]
