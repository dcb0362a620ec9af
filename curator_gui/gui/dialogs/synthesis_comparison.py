"""The synthetic table beside the real one: for the curator's eyes, outside the guarantee."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui.charts.error_matrix import ErrorMatrix
from curator_gui.gui.charts.marginals import Marginals
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.words import percent
from curator_gui.synthesizing import Comparison


class ComparisonPage(QWidget):
    """``asked``: the comparison is wanted; it looks at the rows, so it is not made before."""

    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._warning = Sentence("comparison_warning", self)
        self._compare = named(QPushButton(self.tr("Compare with the real table"), self), "compare")
        self._matrix = named(ErrorMatrix(self), "error_matrix")
        self._column = named(QComboBox(self), "compared_column", self.tr("Column to compare"))
        self._marginals = named(Marginals(self), "marginals")
        self._said = named(QLabel(self, wordWrap=True), "pair_error")
        self._shown = QWidget(self)
        self._lay_out()
        self._compare.clicked.connect(self._ask)
        self._column.activated.connect(self._show_column)
        self._matrix.activated.connect(self._show_pair)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a comparison that was made."""
        self._comparison = comparison
        names = comparison.order.domain.names
        errors = comparison.errors()
        self._matrix.show_names(names)
        self._matrix.show_errors({(i, j): float(errors[i, j]) for i in range(len(names)) for j in range(i)})
        self._column.addItems(list(names))
        self._compare.hide()
        self._shown.show()
        self._show_column()

    def refuse(self, sentence: str) -> None:
        self._compare.setEnabled(True)
        self._warning.refuse(sentence)

    def _ask(self) -> None:
        self._compare.setEnabled(False)
        self.asked.emit()

    def _show_column(self) -> None:
        if self._comparison is None:
            return
        name = self._column.currentText()
        labels, real, synthetic = self._comparison.shares(name)
        self._marginals.show_shares(labels, real.tolist(), synthetic.tolist())
        self._said.setText(self._in_words((name,)))

    def _show_pair(self, row: int, column: int) -> None:
        if self._comparison is None:
            return
        names = self._comparison.order.domain.names
        self._column.setCurrentIndex(row)
        self._show_column()
        self._said.setText(self._in_words((names[column], names[row])))

    def _in_words(self, query: tuple[str, ...]) -> str:
        assert self._comparison is not None
        return self.tr("{0}: {1} of the synthetic records would have to change to match.").format(
            " × ".join(query), percent(self._comparison.error(query))
        )

    def _lay_out(self) -> None:
        self._warning.warn(
            self.tr(
                "● Internal: these figures come from the real rows and are outside the guarantee. Do not "
                "pass them on."
            )
        )
        map_area, bar_area = (named(QScrollArea(self), name) for name in ("error_area", "marginal_area"))
        map_area.setWidget(self._matrix)
        bar_area.setWidget(self._marginals)
        bar_area.setWidgetResizable(True)
        for area in (map_area, bar_area):
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setBackgroundRole(QPalette.ColorRole.Base)
        left = QVBoxLayout()
        left.addWidget(QLabel(self.tr("Error of each pair, in percent"), self))
        left.addWidget(map_area, 1)
        right = QVBoxLayout()
        right.addWidget(self._column)
        right.addWidget(bar_area, 1)
        sides = QHBoxLayout(self._shown)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(16)
        sides.addLayout(left, 1)
        sides.addLayout(right, 1)
        self._shown.hide()
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addWidget(self._warning)
        box.addWidget(self._compare, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self._shown, 1)
        box.addWidget(self._said)
        box.addStretch(0)
