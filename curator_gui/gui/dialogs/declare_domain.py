"""What a column may hold, typed in: listed values, or bins or its ladder between two ends."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import InputError
from curator_gui.core.table import ColumnType
from curator_gui.core.view import Prefix, describe_view
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.synthesis.domain import Categories, ColumnDomain, DateBins, NumberBins
from curator_gui.synthesizing import OpenLadder, typed_dates, typed_numbers, typed_values

_VALUES, _NUMBERS, _DATES, _LADDER = range(4)


class DeclareDialog(QDialog):
    """``declared`` carries the domain. What was proposed from the data is not filled in: it must be known.

    type: how the column's cells are read as they are shown. ladder: what two ends make a domain of, if any.
    """

    declared = Signal(object)

    def __init__(
        self,
        domain: ColumnDomain,
        type: ColumnType,
        ladder: OpenLadder | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("declare")
        self.setWindowTitle(self.tr("What “{0}” may hold").format(domain.name))
        self._name, self._type, self._ladder = domain.name, type, ladder
        self._kind = named(QComboBox(self), "domain_kind", self.tr("Kind of domain"))
        self._values = named(QPlainTextEdit(self), "domain_values", self.tr("Values, one a line"))
        self._low = named(QLineEdit(self), "domain_low", self.tr("From"))
        self._high = named(QLineEdit(self), "domain_high", self.tr("To"))
        self._bins = named(QSpinBox(self), "domain_bins", self.tr("Number of bins"))
        self._decimals = named(QSpinBox(self), "domain_decimals", self.tr("Decimals"))
        self._missing = named(QCheckBox(self.tr("It may be missing"), self), "domain_missing")
        words = self.tr("Values outside the list count as “other”, which synthetic records may hold too")
        self._other = named(QCheckBox(words, self), "domain_other")
        self._said = named(QLabel(self, wordWrap=True), "ladder_words")
        self._problem = Sentence("declare_problem", self)
        self._pages = QStackedWidget(self)
        self._said.setText(self._ladder_words())
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
        kinds = [self.tr("Listed values"), self.tr("Numbers in bins"), self.tr("Dates in bins")]
        if self._ladder is not None:
            kinds.append(self._ladder_kind(self._ladder))
        self._kind.addItems(kinds)
        self._kind.activated.connect(self._adapt)
        self._values.setPlaceholderText(self.tr("One value a line"))
        self._other.setChecked(True)
        self._other.setToolTip(
            self.tr(
                "Otherwise only listed values are made; what is not listed counts as missing, or the first"
            )
        )
        self._bins.setRange(1, 1000)
        self._bins.setValue(10)
        self._decimals.setRange(0, 15)
        ends = QWidget(self)
        form = QFormLayout(ends)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self._said)
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
        for widget in (self._kind, self._pages, self._other, self._missing, self._problem, buttons):
            box.addWidget(widget)
        self.resize(400, 360)

    def _fill_in(self, domain: ColumnDomain) -> None:
        kind = _NUMBERS if self._type.is_number else _DATES if self._type.is_date else _VALUES
        kind = _LADDER if self._ladder is not None else kind
        known = domain.provenance != "proposed-from-data"
        self._missing.setChecked(bool(getattr(domain, "missing", False)))
        self._decimals.setValue(0 if self._type.kind == "integer" else 2)
        match domain:
            case Categories(values=values) if known:
                kind = _VALUES
                self._values.setPlainText("\n".join(values))
                self._other.setChecked(domain.other is not None)
            case NumberBins(edges=edges) | DateBins(edges=edges) if known:
                if self._ladder is None:
                    kind = _NUMBERS if isinstance(domain, NumberBins) else _DATES
                self._low.setText(str(edges[0]))
                self._high.setText(str(edges[-1]))
                self._bins.setValue(len(edges) - 1)
        self._kind.setCurrentIndex(kind)
        self._adapt()

    def _adapt(self) -> None:
        kind = self._kind.currentIndex()
        self._pages.setCurrentIndex(0 if kind == _VALUES else 1)
        self._other.setVisible(kind == _VALUES)
        self._ends.setRowVisible(self._said, kind == _LADDER)
        self._ends.setRowVisible(self._bins, kind in (_NUMBERS, _DATES))
        self._ends.setRowVisible(self._decimals, kind == _NUMBERS)
        dates = kind == _DATES or (kind == _LADDER and self._source_type.is_date)
        for field in (self._low, self._high):
            field.setPlaceholderText(self.tr("such as 2024-01-31") if dates else "")

    @property
    def _source_type(self) -> ColumnType:
        return self._type if self._ladder is None else self._ladder.column.type

    def _ladder_kind(self, ladder: OpenLadder) -> str:
        if ladder.as_is and isinstance(ladder.view, Prefix):
            return self.tr("Codes between two ends")
        return self.tr("Its ladder between two ends: {0}").format(describe_view(ladder.view, None))

    def _ladder_words(self) -> str:
        """What the ladder says, and whether it was made from the data."""
        if self._ladder is None:
            return ""
        if isinstance(self._ladder.view, Prefix):
            return self.tr("All codes from the first to the last, such as 92600 and 92799.")
        said = self.tr("The classes are those of its ladder; say only where they begin and end.")
        if self._ladder.provenance == "proposed-from-data":
            said += " " + self.tr(
                "● The ladder itself was proposed from the data and stays outside the guarantee; edit it, or "
                "type bins of your own."
            )
        return said

    def _domain(self) -> ColumnDomain:
        missing = self._missing.isChecked()
        match self._kind.currentIndex():
            case 0:
                lines = [line.strip() for line in self._values.toPlainText().splitlines()]
                values = [line for line in lines if line]
                if not values:
                    raise InputError(self.tr("List at least one value, one a line."))
                closed = not self._other.isChecked()
                return typed_values(self._name, values, missing=missing, closed=closed)
            case 3 if self._ladder is not None:
                return self._ladder.between(self._low.text(), self._high.text(), missing=missing)
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
