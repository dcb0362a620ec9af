"""Every target with what the release gives away of it, worst first."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from curator_gui.disclosure.standing import Standing
from curator_gui.gui import words
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.jobs import Job
from curator_gui.gui.models.targets import SECRET_ROLE, TARGET_ROLE, TargetModel, TargetRows, target_rows
from curator_gui.gui.naming import named

_FILTER_MS = 150
_WIDTHS = {
    TargetModel.RECORD: "9 999 999",
    TargetModel.SET: "99 999 of 99 999",
    TargetModel.PRIOR: "99 999 of 99 999",
    TargetModel.DISCLOSURE: "Disclosure ×",
    TargetModel.STANDING: "▲ within 10 % of the budget",
    TargetModel.STATUS: "removed, look-alikes remain",
}


class TargetsPage(QWidget):
    """The targets of the current prefix, worked out in a job, and only while the page is in sight."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("targets_page")
        self._controller = controller
        self._of: Standing | None = None
        self._job: Job | None = None
        self.model = TargetModel(self)
        self.view = named(CopyTable(self), "targets", self.tr("Targets, worst first"))
        self._filter = named(QLineEdit(self), "targets_filter", self.tr("Filter the targets"))
        self._only_over = named(QCheckBox(self.tr("Only over budget"), self), "targets_only_over")
        self._state = named(QLabel(self), "targets_state", self.tr("How many targets are listed"))
        self._late = QTimer(self, singleShot=True, interval=_FILTER_MS)
        self._set_up()
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Work the targets out anew where the prefix moved; a page out of sight waits until it is seen."""
        if self._given_up:
            self._job, self._of = None, None
        standing = self._controller.standing
        if standing is self._of and standing is not None:
            self._show_looked_at()
            return
        if standing is None or not self.isVisible():
            self._of = None
            if standing is None:
                self._controller.jobs.cancel("targets")
                self._take(None)
            return
        self._of = standing
        self._state.setText(self.tr("Listing the targets…"))
        self._job = self._controller.jobs.start(
            self.tr("Listing the targets"),
            lambda job: target_rows(standing, job),
            kind="targets",
            done=self._take,
            failed=self._controller.problem.emit,
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """A list that is still being worked out is given up; it is begun again when the page is seen."""
        super().hideEvent(event)
        if self._job is not None:
            self._controller.jobs.cancel("targets")
            self._job, self._of = None, None

    # --- setting up ---

    def _set_up(self) -> None:
        self.view.setModel(self.model)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(TargetModel.SECRET, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        for column, text in _WIDTHS.items():
            header.resizeSection(column, self.fontMetrics().horizontalAdvance(text) + 16)
        header.setSortIndicator(*TargetModel.SORTED)
        self.view.setSortingEnabled(True)
        self._filter.setPlaceholderText(self.tr("Record number or secret"))
        self._filter.setClearButtonEnabled(True)
        self._state.setTextFormat(Qt.TextFormat.PlainText)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._filter, 1)
        top.addWidget(self._only_over)
        top.addWidget(self._state, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 0)
        box.setSpacing(8)
        box.addLayout(top)
        box.addWidget(self.view, 1)

    def _connect(self) -> None:
        c = self._controller
        c.session_changed.connect(self.refresh)
        c.plan_changed.connect(self.refresh)
        c.selection_changed.connect(self.refresh)
        c.job_changed.connect(self._job_changed)
        self._filter.textEdited.connect(self._late.start)
        self._late.timeout.connect(self._filter_now)
        self._only_over.clicked.connect(self._filter_now)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._show_looked_at)
        self.view.chosen.connect(self._look_at)
        self.view.refused.connect(c.problem)

    def _job_changed(self) -> None:
        if self._given_up:
            self._show_state()

    # --- what the user does ---

    def _filter_now(self) -> None:
        self.model.set_filter(self._filter.text(), self._only_over.isChecked())
        self._show_state()
        self._show_looked_at()

    def _look_at(self, index: QModelIndex) -> None:
        target, secret = index.data(TARGET_ROLE), index.data(SECRET_ROLE)
        if target is not None:
            self._controller.select_target(target, secret)

    # --- what is shown ---

    @property
    def _given_up(self) -> bool:
        return self._job is not None and self._job.cancelled

    def _take(self, rows: TargetRows | None) -> None:
        self._job = None
        self.model.show(rows)
        self._show_state()
        self._show_looked_at()

    def _show_state(self) -> None:
        self._state.setText(self._state_text())

    def _state_text(self) -> str:
        session = self._controller.session
        if session is None:
            return self.tr("Open a table to list its targets.")
        if not session.protection.secrets:
            return self.tr("Say what must not be learned (Protection…); then the targets are listed.")
        if self._given_up:
            return self.tr("Listing was cancelled; show this tab again to list the targets.")
        if self._of is None:
            return self.tr("Scoring…")
        shown, total = self.model.rowCount(), self.model.total
        over = self.tr("{0} over budget").format(words.count(self.model.over))
        if shown == total:
            return f"{words.targets(total)}, {over}"
        return self.tr("{0} of {1} shown, {2}").format(words.count(shown), words.targets(total), over)

    def _show_looked_at(self) -> None:
        """Mark the target looked at, without asking for it again."""
        target = self._controller.target
        row = None if target is None else self.model.row_of(target)
        if row is None:
            self.view.clearSelection()
            return
        if self.view.currentIndex().data(TARGET_ROLE) == target and self.view.selectionModel().hasSelection():
            return
        flags = QItemSelectionModel.SelectionFlag
        index = self.model.index(row, 0)
        self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.view.scrollTo(index)
