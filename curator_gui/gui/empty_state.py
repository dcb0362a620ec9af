"""What the window shows before a table is open: what to do, and a sample to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from curator_gui.gui.naming import named

_WIDTH = 440


class EmptyState(QWidget):
    """Three ways to begin, and the files opened lately."""

    open_clicked = Signal()
    sample_clicked = Signal(str)
    recent_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty_state")
        self._recent = QVBoxLayout()
        self._recent_title = named(QLabel(self.tr("Opened lately"), self), "recent_title")
        self._opening = named(QLabel(self, alignment=Qt.AlignmentFlag.AlignHCenter), "opening")
        column = QWidget(self)
        column.setFixedWidth(_WIDTH)
        inner = QVBoxLayout(column)
        inner.setSpacing(8)
        for widget in self._words():
            inner.addWidget(widget)
        inner.addSpacing(8)
        for button in self._buttons():
            inner.addWidget(button)
        inner.addWidget(self._opening)
        inner.addSpacing(16)
        inner.addWidget(self._recent_title)
        inner.addLayout(self._recent)
        across = QHBoxLayout()  # an alignment would clip the wrapped words: it ignores heights for widths
        across.addStretch(1)
        across.addWidget(column)
        across.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addLayout(across)
        outer.addStretch(3)

    def refresh_opening(self, opening: str) -> None:
        """Say what is being opened; "" for nothing."""
        self._opening.setText(opening)

    def refresh(self, recent: Sequence[Path]) -> None:
        """Show the files opened lately."""
        while (item := self._recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for path in recent:
            self._recent.addWidget(self._recent_button(path))
        self._recent_title.setVisible(bool(recent))

    def _words(self) -> tuple[QLabel, ...]:
        said = self.tr("See what a table gives away before it leaves the house")
        title = QLabel(f"<span style='font-size: x-large'>{said}</span>", self)  # grows with the reading size
        title.setObjectName("empty_title")
        title.setWordWrap(True)
        what = QLabel(
            self.tr(
                "Open a table (CSV, Excel, Parquet, SPSS and others) or a saved session, or drop one here. "
                "Then say what an outsider knows and must not learn; every next step is scored before you "
                "commit it."
            ),
            self,
        )
        what.setObjectName("empty_words")
        what.setWordWrap(True)
        return title, what

    def _buttons(self) -> tuple[QPushButton, ...]:
        sample = self._button(self.tr("Open the sample: 5 000 records of a clinic"), "open_sample")
        sample.clicked.connect(lambda: self.sample_clicked.emit("clinic.curation.json"))
        file = self._button(self.tr("Open a table or session…"), "open_file")
        file.clicked.connect(self.open_clicked)
        paper = self._button(self.tr("Open the smallest example: eight records"), "open_paper")
        paper.clicked.connect(lambda: self.sample_clicked.emit("paper.curation.json"))
        return file, sample, paper

    def _button(self, label: str, name: str) -> QPushButton:
        button = named(QPushButton(label, self), name)
        button.setMinimumHeight(36)
        return button

    def _recent_button(self, path: Path) -> QPushButton:
        button = named(QPushButton(path.name, self, flat=True), f"recent_{path.name}")
        button.setToolTip(str(path))
        button.setAccessibleName(self.tr("Open {0} again").format(path.name))
        button.setStyleSheet("text-align: left; padding: 4px 8px")
        button.clicked.connect(lambda: self.recent_clicked.emit(path))
        return button
