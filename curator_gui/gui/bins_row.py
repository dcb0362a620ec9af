"""One level of bins as it is filled in: equal widths, widths between two ends, quantiles, or edges."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from curator_gui.core.decimals import number_text
from curator_gui.core.hierarchy import Rung
from curator_gui.core.table import Column
from curator_gui.core.view import Bins, Width
from curator_gui.gui.level_figures import bins_typed, coded_ends_typed, quantiles_typed, width_typed
from curator_gui.gui.naming import named


class BinsRow(QWidget):
    """``rung`` is the level. Quantiles are taken from the column once: what is kept are their edges."""

    edited = Signal()
    removed = Signal(object)

    def __init__(self, rung: Rung, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column
        self._way = named(QComboBox(), "bins_way", self.tr("Kind of bins"))
        for words, way in (
            (self.tr("Equal width"), "width"),
            (self.tr("Edges"), "edges"),
            (self.tr("Quantiles"), "quantiles"),
            (self.tr("Top and bottom"), "ends"),
        ):
            self._way.addItem(words, way)
        self._text = named(QLineEdit(), "bins_text", self.tr("Width, edges or number of groups"))
        self._from = QLabel(self.tr("from"))
        self._origin = named(QLineEdit(), "bins_origin", self.tr("Where a bin begins"))
        self._to = QLabel(self.tr("to"))
        self._end = named(QLineEdit(), "bins_end", self.tr("From where on all are one class"))
        self._made = named(QLabel(), "bins_made", self.tr("The edges"))
        for field in (self._origin, self._end):
            field.setMaximumWidth(80)
        remove = named(QToolButton(), "remove_level", self.tr("Remove this level"))
        remove.setText("×")
        remove.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._way)
        row.addWidget(self._text, 1)
        for widget in (self._from, self._origin, self._to, self._end, self._made, remove):
            row.addWidget(widget)
        self._show(rung)
        self._way.activated.connect(self._way_chosen)
        for field in (self._text, self._origin, self._end):
            field.textEdited.connect(lambda _: self.edited.emit())
        remove.clicked.connect(lambda: self.removed.emit(self))

    @property
    def rung(self) -> Rung:
        """The level; ViewError where the numbers are none."""
        text = self._text.text()
        match self._way.currentData():
            case "edges":
                return bins_typed(text)
            case "quantiles":
                return quantiles_typed(text, self._column)
            case "ends":
                return coded_ends_typed(text, self._origin.text(), self._end.text())
        return width_typed(text, self._origin.text())

    def _show(self, rung: Rung) -> None:
        if isinstance(rung, Bins):
            self._way.setCurrentIndex(1)
            self._text.setText(", ".join(map(number_text, rung.edges)))
        elif isinstance(rung, Width):
            self._text.setText(number_text(rung.width))
            self._origin.setText(number_text(rung.origin) if rung.origin else "")
        self._adapt()

    def _way_chosen(self) -> None:
        self._adapt()
        self.edited.emit()

    def _adapt(self) -> None:
        way = self._way.currentData()
        hints = {"width": "10", "edges": "18, 40, 65", "quantiles": "4", "ends": "10"}
        self._text.setPlaceholderText(hints[way])
        self._origin.setPlaceholderText("20" if way == "ends" else "0")
        self._end.setPlaceholderText("90")
        self._made.setVisible(way in ("quantiles", "ends"))
        self._made.setText(
            {"quantiles": self.tr("groups"), "ends": self.tr("in one class each")}.get(way, "")
        )
        for widget in (self._from, self._origin):
            widget.setVisible(way in ("width", "ends"))
        for widget in (self._to, self._end):
            widget.setVisible(way == "ends")
        self._from.setText(self.tr("below") if way == "ends" else self.tr("from"))
        self._to.setText(self.tr("and from"))
