"""Irregular lines and cells that do not parse, and what may be done about the cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPushButton, QTableView, QVBoxLayout, QWidget

from curator_gui.core.table import quoted
from curator_gui.gui.dialogs.opening_draft import Oddity
from curator_gui.gui.models.opening import OdditiesModel
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows

_MOST_MEASURED = 24  # rows
_WHAT = 3


class OddCells(QWidget):
    """``missing_asked`` and ``text_asked`` carry the exceptions selected; all of them where none is."""

    missing_asked = Signal(object)
    text_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = OdditiesModel(self)
        self._view = named(QTableView(self), "oddities", self.tr("Exceptions by line"))
        self._missing = named(
            QPushButton(self.tr("These texts mean missing"), self, autoDefault=False), "exceptions_missing"
        )
        self._text = named(
            QPushButton(self.tr("Read these columns as text"), self, autoDefault=False), "exceptions_text"
        )
        self._lay_out()
        self._missing.clicked.connect(lambda: self.missing_asked.emit(self.chosen))
        self._text.clicked.connect(lambda: self.text_asked.emit(self.chosen))
        self._view.selectionModel().selectionChanged.connect(self._show_buttons)
        self._show_buttons()

    def _lay_out(self) -> None:
        view = self._view
        view.setModel(self._model)
        view.setWordWrap(False)
        view.setShowGrid(False)
        view.setItemDelegate(RoomyRows(view))
        view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(24)
        header = view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(_MOST_MEASURED)
        header.setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.Stretch)
        buttons = QHBoxLayout()
        buttons.addWidget(self._missing)
        buttons.addWidget(self._text)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        box.addWidget(view, 1)
        box.addLayout(buttons)

    def show_odd(self, odd: Sequence[Oddity]) -> None:
        """List other exceptions."""
        if odd is not self._model.shown:
            self._model.show(odd)
            self._view.resizeColumnsToContents()
            self._show_buttons()

    @property
    def chosen(self) -> list[Oddity]:
        """The cells among the selected exceptions; among all of them where none is selected."""
        rows = [index.row() for index in self._view.selectionModel().selectedRows()]
        odd = [self._model.at(row) for row in rows] or self._model.shown
        return [one for one in odd if one.column]

    def _show_buttons(self) -> None:
        cells = self.chosen
        some = bool(self._view.selectionModel().selectedRows())
        self._missing.setText(
            self.tr("The selected texts mean missing") if some else self.tr("These texts mean missing")
        )
        for button in (self._missing, self._text):
            button.setEnabled(bool(cells))
        texts = list(dict.fromkeys(f"{cell.column}: {cell.text}" for cell in cells))
        self._missing.setToolTip(
            self.tr("Each in its own column: {0}").format(quoted(texts)) if texts else ""
        )
