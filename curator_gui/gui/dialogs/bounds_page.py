"""Whom to protect, how much may be learned, and by whom."""

from __future__ import annotations

import math
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.core.predicate import Predicate
from curator_gui.core.preparation import Source
from curator_gui.core.protection import Observer, Protection
from curator_gui.gui import words
from curator_gui.gui.budget_field import budget_text, read_budget
from curator_gui.gui.naming import named
from curator_gui.gui.observers import CHOICES, observer_name, observer_of, observer_sentence
from curator_gui.gui.predicate_edit import PredicateEdit
from curator_gui.store.session_file import Reading

_USUAL = (1.1, 1.22, 1.5, 2.0)
Targets = Predicate | tuple[int, ...] | None


class BoundsPage(QWidget):
    """Targets, the budget τ as a factor and as a logarithm bound to each other, the tables it holds for, and
    the observer. first: the column that a condition begins with."""

    edited = Signal()

    def __init__(
        self,
        source: Source,
        protection: Protection,
        reading: Reading,
        first: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._listed = protection.targets if isinstance(protection.targets, tuple) else None
        self._all = named(QRadioButton(self.tr("All records"), self), "all_targets")
        self._some = named(QRadioButton(self.tr("Only records for which this holds"), self), "some_targets")
        self._rows = named(QRadioButton(self), "listed_targets", self.tr("The records listed in the session"))
        self._where = named(
            PredicateEdit(source, first=first), "targets_where", self.tr("Condition of the targets")
        )
        self._factor = named(QLineEdit(self), "factor", self.tr("Budget as a factor"))
        self._logarithm = named(QLineEdit(self), "logarithm", self.tr("Budget as a logarithm"))
        self._example = named(QLabel(self), "budget_example")
        self._usual = [self._usual_budget(factor) for factor in _USUAL]
        self._reading = named(QComboBox(self), "budget_reading", self.tr("For which tables the budget holds"))
        self._observer = named(QComboBox(self), "observer_kind", self.tr("Observer"))
        self._m = named(QDoubleSpinBox(self), "m", self.tr("Pseudo-observations m of the observer"))
        self._knows = named(QLabel(self), "observer_knows")
        self._set_up(protection, reading)
        self._lay_out()
        self._connect()
        self._adapt()

    @property
    def targets(self) -> Targets:
        """All (None), the listed rows, or a condition. InputError where the condition is missing."""
        if self._rows.isChecked():
            return self._listed
        if self._all.isChecked():
            return None
        if self._where.predicate is None:
            raise InputError(self._where.problem)
        return self._where.predicate

    @property
    def budget(self) -> float:
        """τ. InputError where the field holds no budget."""
        return read_budget(self._logarithm.text())

    @property
    def observer(self) -> Observer:
        return observer_of(CHOICES[self._observer.currentIndex()], Decimal(str(self._m.value())))

    @property
    def reading(self) -> Reading:
        """For which tables the budget holds."""
        chosen: Reading = self._reading.currentData()
        return chosen

    def _usual_budget(self, factor: float) -> QPushButton:
        label = f"×{words.figures(factor)}"
        button = named(QPushButton(label, self, autoDefault=False), f"budget_{label}")
        button.setAccessibleName(self.tr("Budget {0}").format(label))
        button.clicked.connect(lambda: self._take_budget(math.log(factor)))
        return button

    def _take_budget(self, budget: float) -> None:
        self._show_budget(float(f"{budget:.4f}"))
        self.edited.emit()

    def _set_up(self, protection: Protection, reading: Reading) -> None:
        some = isinstance(protection.targets, Predicate)
        self._some.setChecked(some)
        self._rows.setChecked(self._listed is not None)
        self._all.setChecked(not some and self._listed is None)
        self._rows.setVisible(self._listed is not None)
        self._rows.setText(
            self.tr("The {0} listed in the session").format(words.records(len(self._listed or ())))
        )
        if isinstance(protection.targets, Predicate):
            self._where.set_predicate(protection.targets)
        self._show_budget(protection.budget)
        self._reading.addItem(self.tr("The table that is released"), "endpoint")
        self._reading.addItem(self.tr("Every table that leaves, earlier ones too"), "every-exposed")
        self._reading.setCurrentIndex(self._reading.findData(reading))
        for kind in CHOICES:
            self._observer.addItem(observer_name(kind), kind)
        self._observer.setCurrentIndex(max(self._observer.findData(protection.observer.kind), 0))
        self._m.setRange(0.01, 1_000_000)
        self._m.setValue(float(protection.observer.m or 1))
        self._knows.setWordWrap(True)
        self._example.setWordWrap(True)

    def _show_budget(self, budget: float) -> None:
        self._factor.setText(f"×{words.figures(math.exp(budget))}")
        self._logarithm.setText(repr(budget) if float(budget_text(budget)) != budget else budget_text(budget))
        self._example.setText(self._example_for(budget))

    def _lay_out(self) -> None:
        who = QVBoxLayout()
        for widget in (self._all, self._rows, self._some, self._where):
            who.addWidget(widget)
        much = QHBoxLayout()
        much.setSpacing(8)
        much.addWidget(self._factor)
        much.addWidget(QLabel(self.tr("the same as logarithm"), self))
        much.addWidget(self._logarithm)
        much.addStretch(1)
        for edit in (self._factor, self._logarithm):
            edit.setFixedWidth(edit.fontMetrics().horizontalAdvance("×0.000000") + 24)
        usual = QHBoxLayout()
        usual.setSpacing(8)
        usual.addWidget(QLabel(self.tr("Usual ones"), self))
        for button in self._usual:
            usual.addWidget(button)
        usual.addStretch(1)
        reads = QHBoxLayout()
        self._m_label = QLabel(self.tr("m"), self)
        reads.addWidget(self._observer)
        reads.addWidget(self._m_label)
        reads.addWidget(self._m)
        reads.addStretch(1)
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Protect"), who)
        form.addRow(self.tr("Budget τ"), much)
        form.addRow("", self._example)
        form.addRow("", usual)
        held = QHBoxLayout()
        held.addWidget(self._reading)
        held.addStretch(1)
        form.addRow(self.tr("Holds for"), held)
        form.addRow(self.tr("Observer"), reads)
        form.addRow("", self._knows)
        box = QVBoxLayout(self)
        box.addLayout(form)
        box.addStretch(1)

    def _connect(self) -> None:
        for radio in (self._all, self._some, self._rows):
            radio.clicked.connect(self._changed)
        self._where.changed.connect(self.edited)
        self._factor.textEdited.connect(lambda text: self._typed(f"×{text.lstrip('×xX* ')}", self._logarithm))
        self._logarithm.textEdited.connect(lambda text: self._typed(text, self._factor))
        self._observer.activated.connect(self._changed)
        self._reading.activated.connect(self._changed)
        self._m.valueChanged.connect(self.edited)

    def _typed(self, text: str, other: QLineEdit) -> None:
        """What is typed into one field shows in the other."""
        try:
            budget = read_budget(text)
        except InputError as error:
            self._example.setText(str(error))
            if other is self._logarithm:
                other.setText("")
            self.edited.emit()
            return
        is_factor = other is self._factor
        other.setText(f"×{words.figures(math.exp(budget))}" if is_factor else repr(budget))
        self._example.setText(self._example_for(budget))
        self.edited.emit()

    def _example_for(self, budget: float) -> str:
        if budget == 0:
            return self.tr(
                "×1 accepts no gain at all, which hardly any table keeps; ×1.22 is a sensible start."
            )
        return self.tr(
            "{0}: a best guess that was right for 20 in 100 may become right for {1} in 100, and no more."
        ).format(words.factor(budget), words.figures(min(20 * math.exp(budget), 100)))

    def _changed(self) -> None:
        self._adapt()
        self.edited.emit()

    def _adapt(self) -> None:
        kind = CHOICES[self._observer.currentIndex()]
        self._where.setVisible(self._some.isChecked())
        for widget in (self._m, self._m_label):
            widget.setVisible(kind == "smoothed")
        self._knows.setText(observer_sentence(kind))
