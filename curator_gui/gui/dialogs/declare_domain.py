"""What a column may hold, typed in: listed values, or bins of numbers or dates between two ends."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.core.table import ColumnType
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.synthesis.domain import Categories, ColumnDomain, DateBins, NumberBins
from curator_gui.synthesizing import typed_dates, typed_numbers, typed_values

_VALUES, _NUMBERS, _DATES = range(3)


class DeclareDialog(QDialog):
    """``declared`` carries the domain. What was proposed from the data is not filled in: it must be known."""

    declared = Signal(object)

    def __init__(self, domain: ColumnDomain, type: ColumnType, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("declare")
        self.setWindowTitle(self.tr("What “{0}” may hold").format(domain.name))
        self._name, self._type = domain.name, type
        self._kind = named(QComboBox(self), "domain_kind", self.tr("Kind of domain"))
        self._values = named(QPlainTextEdit(self), "domain_values", self.tr("Values, one a line"))
        self._low = named(QLineEdit(self), "domain_low", self.tr("From"))
        self._high = named(QLineEdit(self), "domain_high", self.tr("To"))
        self._bins = named(QSpinBox(self), "domain_bins", self.tr("Number of bins"))
        self._decimals = named(QSpinBox(self), "domain_decimals", self.tr("Decimals"))
        self._missing = named(QCheckBox(self.tr("It may be missing"), self), "domain_missing")
        self._problem = Sentence("declare_problem", self)
        self._pages = QStackedWidget(self)
        self._lay_out()
        self._fill_in(domain)

    def accept(self) -> None:
        """Hand over the domain, or say what is wrong with it."""
        try:
            domain = self._domain()
        except InputError as error:
            self._problem.refuse(error.message)
            return
        self.declared.emit(domain)
        super().accept()

    def _lay_out(self) -> None:
        for label in (self.tr("Listed values"), self.tr("Numbers in bins"), self.tr("Dates in bins")):
            self._kind.addItem(label)
        self._kind.activated.connect(self._adapt)
        self._values.setPlaceholderText(self.tr("One value a line; all others become “other”"))
        self._bins.setRange(1, 1000)
        self._bins.setValue(10)
        self._decimals.setRange(0, 15)
        ends = QWidget(self)
        form = QFormLayout(ends)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("From"), self._low)
        form.addRow(self.tr("To"), self._high)
        form.addRow(self.tr("Bins"), self._bins)
        form.addRow(self.tr("Decimals"), self._decimals)
        self._ends = form
        self._pages.addWidget(self._values)
        self._pages.addWidget(ends)
        buttons = QDialogButtonBox(self)
        declare = buttons.addButton(self.tr("Declare"), QDialogButtonBox.ButtonRole.AcceptRole)
        back = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        named(declare, "accept_domain")
        named(back, "cancel_domain")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        for widget in (self._kind, self._pages, self._missing, self._problem, buttons):
            box.addWidget(widget)
        self.resize(400, 360)

    def _fill_in(self, domain: ColumnDomain) -> None:
        kind = _NUMBERS if self._type.is_number else _DATES if self._type.is_date else _VALUES
        known = domain.provenance != "proposed-from-data"
        self._missing.setChecked(bool(getattr(domain, "missing", False)))
        self._decimals.setValue(0 if self._type.kind == "integer" else 2)
        match domain:
            case Categories(values=values) if known:
                kind = _VALUES
                self._values.setPlainText("\n".join(values))
            case NumberBins(edges=edges) | DateBins(edges=edges) if known:
                kind = _NUMBERS if isinstance(domain, NumberBins) else _DATES
                self._low.setText(str(edges[0]))
                self._high.setText(str(edges[-1]))
                self._bins.setValue(len(edges) - 1)
        self._kind.setCurrentIndex(kind)
        self._adapt()

    def _adapt(self) -> None:
        kind = self._kind.currentIndex()
        self._pages.setCurrentIndex(0 if kind == _VALUES else 1)
        self._ends.setRowVisible(self._decimals, kind == _NUMBERS)
        for field in (self._low, self._high):
            field.setPlaceholderText(self.tr("such as 2024-01-31") if kind == _DATES else "")

    def _domain(self) -> ColumnDomain:
        missing = self._missing.isChecked()
        match self._kind.currentIndex():
            case 0:
                lines = [line.strip() for line in self._values.toPlainText().splitlines()]
                values = [line for line in lines if line]
                if not values:
                    raise InputError(self.tr("List at least one value, one a line."))
                return typed_values(self._name, values, missing=missing)
            case 1:
                return typed_numbers(
                    self._name,
                    self._low.text(),
                    self._high.text(),
                    self._bins.value(),
                    decimals=self._decimals.value(),
                    mark=self._type.mark,
                    missing=missing,
                )
        first, last = (self._day(field.text()) for field in (self._low, self._high))
        return typed_dates(
            self._name,
            first,
            last,
            self._bins.value(),
            format=self._type.format or "%Y-%m-%d",
            missing=missing,
        )

    def _day(self, text: str) -> date:
        try:
            return date.fromisoformat(text.strip())
        except ValueError:
            raise InputError(
                self.tr(
                    "“{0}” is no date; write the year, the month and the day, such as 2024-01-31."
                ).format(text)
            ) from None
