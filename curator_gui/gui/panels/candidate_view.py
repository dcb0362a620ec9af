"""The list of next steps: figures in narrow columns, all other room for the names."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from curator_gui.core.operators import Operator
from curator_gui.gui.models.candidates import CandidateModel
from curator_gui.gui.models.two_lines import TwoLines

_NAME = 12
"""The width, in heights of a line, below which a name gets the room of a column of figures."""
_FIGURES = (CandidateModel.DISCLOSURE, CandidateModel.UTILITY, CandidateModel.TARGETS)


class CandidateView(QTreeView):
    """``committed``: Enter was pressed on a row; ``left``: the mouse left the rows.

    narrowed(bool): there is no room for the column of targets, so their counts go under the names.
    """

    committed = Signal()
    left = Signal()
    narrowed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates")
        self.setAccessibleName(self.tr("Next steps"))
        self._lines = TwoLines(self)
        self._wide: dict[int, int] = {}
        self._measured: set[Operator] = set()
        self.setItemDelegate(self._lines)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)

    def set_up(self, model: CandidateModel) -> None:
        """Show the candidates of ``model``: the names take what the figures leave."""
        self._candidates = model
        model.modelReset.connect(self._forget_widths)
        self.setModel(model)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(CandidateModel.ACTION, QHeaderView.ResizeMode.Stretch)
        self.fit()

    def fit(self) -> None:
        """Figures as wide as they are; in a narrow list utility, then the targets, make way for the names."""
        self._measure()
        wide = self._wide
        for section, width in wide.items():
            if self.header().sectionSize(section) != width:
                self.header().resizeSection(section, width)
        room = self.viewport().width() - _NAME * self.fontMetrics().height() - sum(wide.values())
        no_utility = room < 0
        no_targets = room + wide[CandidateModel.UTILITY] < 0
        self.setColumnHidden(CandidateModel.UTILITY, no_utility)
        self.setColumnHidden(CandidateModel.TARGETS, no_targets)
        self.narrowed.emit(no_targets)

    def _forget_widths(self) -> None:
        self._wide.clear()
        self._measured.clear()

    def _measure(self) -> None:
        """Widen the figures by the rows that came in since; each is measured once."""
        option, model = QStyleOptionViewItem(), self._candidates
        self.initViewItemOption(option)
        new = [c for c in model.listed if c.operator not in self._measured]
        for section in _FIGURES:
            cells = {(first[0], second[0]) for first, second in (model.lines(c, section) for c in new)}
            least = self._wide.get(section) or self.header().sectionSizeHint(section)
            self._wide[section] = max(least, *(self._lines.width_of(option, *cell) for cell in cells), 0)
        self._measured.update(c.operator for c in new)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.committed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.model() is not None and event.size().width() != event.oldSize().width():
            self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()
