"""The pool of a table: ε, δ with its rule, the declared size and the kind. None of them changes later."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.budget.pool import Kind
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
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
        self._rule = Sentence("delta_rule", self)
        prudent = QPushButton(self, autoDefault=False)
        self._prudent = named(prudent, "prudent_delta", self.tr("Use the prudent δ"))
        self._rho = named(QRadioButton(self.tr("Adds up ρ (recommended)"), self), "kind_rho")
        self._plain = named(QRadioButton(self.tr("Adds up ε as written"), self), "kind_epsilon")
        self._create = named(QPushButton(self.tr("Create the pool"), self), "create_pool")
        self._missing = named(QLabel(self, wordWrap=True), "pool_missing")
        self._proposes = True
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
        form.addRow(
            self.tr("ε of all releases"), self._over(self._beside(self._epsilon), self._epsilon_words())
        )
        delta = self._beside(self._delta, self._prudent)
        form.addRow(self.tr("δ"), self._over(delta, self._delta_words(), self._rule))
        form.addRow(
            self.tr("At most"), self._beside(self._most, self.tr("ε in one operation; empty: all there is"))
        )
        form.addRow(self.tr("Kind"), self._kinds())
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self._create)
        last.addWidget(self._missing, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(16)
        box.addLayout(form)
        box.addLayout(last)
        box.addWidget(self._attaching)
        box.addStretch(1)
        self._order_tabs()

    def _order_tabs(self) -> None:
        """From top to bottom, as it is read; by default Tab follows the order of construction."""
        order = (
            *(self._name, self._size, self._epsilon, self._delta, self._prudent, self._most),
            *(self._rho, self._plain, self._create, self._others, self._attach),
        )
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _epsilon_words(self) -> QLabel:
        return QLabel(
            self.tr(
                "How much all synthetic tables together may disclose about one person: at 0.1 hardly "
                "anything, at 1 (usual) no odds change more than 2.7 times, at 10 the guarantee says little."
            ),
            self,
            wordWrap=True,
        )

    def _delta_words(self) -> QLabel:
        return QLabel(
            self.tr(
                "The chance that the guarantee fails altogether; take less than one in the number of records."
            ),
            self,
            wordWrap=True,
        )

    def _beside(self, field: QWidget, *more: QWidget | str) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(field)
        for part in more:
            line.addWidget(QLabel(part, self) if isinstance(part, str) else part)
        line.addStretch(1)
        return line

    def _over(self, field: QLayout, *words: QLabel) -> QVBoxLayout:
        """A field and the sentences about it beneath."""
        box = QVBoxLayout()
        box.setSpacing(4)
        box.addLayout(field)
        for sentence in words:
            box.addWidget(sentence)
        return box

    def _kinds(self) -> QVBoxLayout:
        box = QVBoxLayout()
        box.setSpacing(4)
        box.addWidget(self._rho)
        box.addWidget(self._plain)
        why = self.tr(
            "Take ρ, the sum in which several tables need far less noise; take ε only where somebody must be "
            "able to add the amounts up by hand."
        )
        box.addWidget(QLabel(why, self, wordWrap=True))
        return box

    def _connect(self) -> None:
        self._size.textEdited.connect(self._size_edited)
        self._delta.textEdited.connect(self._delta_edited)
        self._epsilon.textEdited.connect(self._adapt)
        self._prudent.clicked.connect(self._fill_in_delta)
        self._create.clicked.connect(self._create_pool)
        self._attach.clicked.connect(self._attach_pool)

    def _size_edited(self) -> None:
        if self._proposes:
            self._delta.setText(self._prudent_text())
        self._adapt()

    def _delta_edited(self, typed: str) -> None:
        """What its user wrote stays when the size changes; an emptied field is filled in again."""
        self._proposes = not typed.strip()
        self._adapt()

    def _fill_in_delta(self) -> None:
        self._proposes = True
        self._size_edited()

    def _adapt(self) -> None:
        prudent = self._prudent_text()
        self._prudent.setText(self.tr("Use 1 / size² = {0}").format(prudent))
        self._prudent.setVisible(bool(prudent) and prudent != self._delta.text().strip())
        self._show_rule()
        missing = self._what_is_missing()
        self._missing.setText(missing or self.tr("ε, δ and kind can never be changed."))
        self._create.setEnabled(not missing)

    def _show_rule(self) -> None:
        size, value = self._declared(), self._delta_value()
        if size is None or value is None or 0 < value < 1 / size:
            self._rule.clear()
        else:
            self._rule.warn(
                self.tr(
                    "● δ must lie above 0 and below 1 / {0} = {1}: at that, publishing one row whole would "
                    "be allowed."
                ).format(count(size), delta_text(1 / size))
            )

    def _what_is_missing(self) -> str:
        """What keeps the pool from being created, "" where nothing does."""
        if not self._size.text().strip():
            return self.tr("Still missing: the size.")
        if self._declared() is None:
            return self.tr("The size is no whole number of rows, such as 5000.")
        if not self._epsilon.text().strip():
            return self.tr("Still missing: ε of all releases.")
        if not self._delta.text().strip():
            return self.tr("Still missing: δ.")
        return ""

    def _declared(self) -> int | None:
        text = "".join(self._size.text().split())
        return int(text) if text.isascii() and text.isdigit() and 0 < int(text) < 10**12 else None

    def _delta_value(self) -> float | None:
        try:
            return float(self._delta.text())
        except ValueError:
            return None

    def _prudent_text(self) -> str:
        size = self._declared()
        return delta_text(1 / size**2) if size is not None else ""

    def _create_pool(self) -> None:
        size, value = self._declared(), self._delta_value()
        if size is None:
            return
        if value is None:
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


def delta_text(value: float) -> str:
    """δ as it is typed, in two figures: 4e-8."""
    figures, _, power = f"{value:.1e}".partition("e")
    return f"{figures.removesuffix('.0')}e{int(power)}"


def _create(terms: dict[str, object], ledger: Ledger, content: bytes) -> None:
    ledger.create_pool(content, **terms)  # type: ignore[arg-type]
