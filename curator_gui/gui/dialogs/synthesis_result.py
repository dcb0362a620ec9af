"""A synthetic table that was paid for: its records, the errors to expect, the comparison, the export."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui import budget_words
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.synthesis_comparison import ComparisonPage
from curator_gui.gui.models.interest import error_lines, errors_model
from curator_gui.gui.models.synthetic_table import SyntheticTableModel
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_words import others_in_words
from curator_gui.gui.words import records
from curator_gui.synthesizing import Made


class ResultPage(QWidget):
    """``export_asked`` and ``closed`` follow its buttons."""

    export_asked = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.comparison = ComparisonPage(self)
        self._summary = named(QLabel(self, wordWrap=True), "synthetic_summary")
        self._others = named(QLabel(self, wordWrap=True), "made_others")
        self._table = named(QTableView(self), "synthetic_table", self.tr("Synthetic records"))
        self._model = SyntheticTableModel(self)
        self._errors_model = errors_model()
        self._errors = named(CopyTable(self), "made_errors", self.tr("Expected error of each query"))
        self._warnings = named(QLabel(self, wordWrap=True), "made_warnings")
        self._tabs = named(QTabWidget(self), "result_tabs", self.tr("The synthetic table"))
        self._said = Sentence("export_said", self)
        self._close = named(QPushButton(self.tr("Close"), self, autoDefault=False), "close_result")
        self._anyway = named(
            QPushButton(self.tr("Close and lose the table"), self, autoDefault=False), "lose_table"
        )
        self._export = named(QPushButton(self.tr("Export…"), self, default=True), "export_synthetic")
        self._lay_out()
        self._export.clicked.connect(self.export_asked)
        self._close.clicked.connect(self.closed)

    @property
    def anyway(self) -> QPushButton:
        """The button that closes without an export."""
        return self._anyway

    def show_made(self, made: Made) -> None:
        """Show a table that was made."""
        decision = made.decision
        self._summary.setText(
            self.tr(
                "<b>{0}</b> in {1} columns. ε {2} at δ {3} was charged to {4} (entry {5}). Not exported yet."
            ).format(
                records(made.table.rows),
                len(made.table.columns),
                budget_words.epsilon(decision.approved),
                budget_words.delta(decision.delta),
                decision.user,
                decision.entry,
            )
        )
        self._others.setText(others_in_words(made.order.domain.columns, made.table))
        self._others.setVisible(bool(self._others.text()))
        self._model.show(made.table)
        self._errors_model.show(error_lines(made.errors))
        self._warnings.setText("\n".join(f"• {sentence}" for sentence in made.warnings))
        self._export.setFocus()

    def exporting(self) -> None:
        self._export.setEnabled(False)
        self._said.tell(self.tr("Exporting…"))

    def exported(self, sentence: str, *, problems: bool = False) -> None:
        """It was written; it may be written again elsewhere."""
        self._export.setEnabled(True)
        self._anyway.hide()
        self._summary.setText(self._summary.text().replace(self.tr("Not exported yet."), ""))
        sentence = f"{sentence} {self._others.text()}".rstrip()
        self._others.hide()
        if problems:
            self._said.warn(sentence)
        else:
            self._said.tell(sentence)
        self._close.setFocus()

    def not_exported(self, sentence: str) -> None:
        """It was not written; the table is still here."""
        self._export.setEnabled(True)
        self._said.refuse(sentence)

    def ask_to_stay(self) -> None:
        """It was not exported, and would be lost."""
        self._said.warn(
            self.tr("● This table is not exported. Closing loses it, and what was charged stays charged.")
        )
        self._anyway.show()
        self._export.setFocus()

    def _lay_out(self) -> None:
        self._table.setModel(self._model)
        self._table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self._table.setTabKeyNavigation(False)
        self._table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self._errors.setModel(self._errors_model)
        header = self._errors.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        errors = QWidget(self)
        beneath = QVBoxLayout(errors)
        beneath.setSpacing(8)
        beneath.addWidget(self._errors, 1)
        beneath.addWidget(self._warnings)
        self._tabs.addTab(self._table, self.tr("Records"))
        self._tabs.addTab(errors, self.tr("Expected errors"))
        self._tabs.addTab(self.comparison, self.tr("Beside the real table"))
        self._anyway.hide()
        buttons = QHBoxLayout()
        buttons.addWidget(self._anyway)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        buttons.addWidget(self._export)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self._summary)
        box.addWidget(self._others)
        box.addWidget(self._tabs, 1)
        box.addWidget(self._said)
        box.addLayout(buttons)
