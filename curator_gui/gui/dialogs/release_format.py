"""The format of a release: its kind by the file's suffix, and how its cells are spelled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QWidget

from curator_gui.core.errors import InputError
from curator_gui.gui import words
from curator_gui.gui.dialogs.opening_words import delimiter_words, encoding_words
from curator_gui.gui.naming import named
from curator_gui.session import Session
from curator_gui.store.writers import Format, format_of, formula_labels

_SUFFIXES: dict[Format, str] = {
    "csv": ".csv", "tsv": ".tsv", "parquet": ".parquet", "excel": ".xlsx", "stata": ".dta",
}  # fmt: skip


class FormatChoice(QWidget):
    """``suffix_chosen`` carries the suffix of the format chosen."""

    suffix_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dialect = session.dialect
        like_source = self.tr("CSV, as the source: {0}, {1}").format(
            encoding_words(dialect.encoding), delimiter_words(dialect.delimiter)
        )
        self._format = named(QComboBox(self), "release_format", self.tr("Format"))
        for label, suffix in (
            (like_source, ".csv"),
            (self.tr("TSV, parted by tabs"), ".tsv"),
            ("Parquet", ".parquet"),
            (self.tr("Excel workbook"), ".xlsx"),
            ("Stata", ".dta"),
        ):
            self._format.addItem(label, suffix)
        self._safe = named(QCheckBox(self._formula_words(session)), "for_spreadsheet")
        self._safe.setToolTip(
            self.tr(
                "Texts that a spreadsheet would run as a formula get an apostrophe; numbers stay as they are."
            )
        )
        self._mark = named(QCheckBox(self.tr("Excel-friendly (byte order mark)")), "byte_order_mark")
        self._labels = named(QComboBox(self), "release_labels", self.tr("Labelled values"))
        for label, value in (
            (self.tr("as shown"), "as shown"),
            (self.tr("codes"), "codes"),
            (self.tr("labels"), "labels"),
            (self.tr("labels with codes"), "both"),
        ):
            self._labels.addItem(label, value)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("Format"), self._format)
        if session.value_labels:
            form.addRow(self.tr("Labelled values"), self._labels)
        else:
            self._labels.hide()
        form.addRow("", self._safe)
        form.addRow("", self._mark)
        self._format.activated.connect(self._chosen)

    @property
    def spelling(self) -> dict[str, Any]:
        """What ``Session.release`` is told."""
        text = self._safe.isEnabled()
        return {
            "for_spreadsheet": text and self._safe.isChecked(),
            "byte_order_mark": text and self._mark.isChecked(),
            "labels": self._labels.currentData(),
        }

    def follow(self, path: Path) -> None:
        """Show the format that a file's name asks for."""
        try:
            suffix = _SUFFIXES[format_of(path)]
        except InputError:
            return
        self._format.setCurrentIndex(self._format.findData(suffix))
        self._adapt()

    def _chosen(self) -> None:
        self._adapt()
        self.suffix_chosen.emit(self._format.currentData())

    def _adapt(self) -> None:
        text = self._format.currentData() in (".csv", ".tsv")
        self._safe.setEnabled(text)
        self._mark.setEnabled(text)

    def _formula_words(self, session: Session) -> str:
        """The tick, with how many texts it bears on."""
        found = sum(
            sum(formula_labels(shown.coarsening.labels, session.table[shown.name].type))
            for shown in session.prefix.shown
        )
        said = self.tr("For spreadsheet use: formulas are neutralized")
        return f"{said} ({words.count(found)})" if found else said
