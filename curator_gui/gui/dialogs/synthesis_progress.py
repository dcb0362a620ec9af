"""A synthesis under way: rounds, what was measured, budget used, time left, and what a cancel costs."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui import budget_words
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_job import Charge, SynthesisJob
from curator_gui.gui.synthesis_words import stage_words
from curator_gui.gui.words import percent


class ProgressPage(QWidget):
    """``cancelled``: its user wants it to end. ``closed``: it ended without a table, and that was read."""

    cancelled = Signal()
    closed = Signal()

    def __init__(self, job: SynthesisJob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job = job
        self._title = named(QLabel(self), "synthesis_title")
        self._bar = named(QProgressBar(self, maximum=1000, textVisible=False), "synthesis_progress")
        self._bar.setAccessibleName(self.tr("How far the synthesis is"))
        self._used = named(QLabel(self), "budget_used")
        self._left = named(QLabel(self), "time_left")
        self._steps = named(QListWidget(self), "rounds", self.tr("What was measured"))
        self._steps.setItemDelegate(RoomyRows(self._steps))
        self._cost = Sentence("cancel_cost", self)
        self._wait = Sentence("still_running", self)
        self._cancel = named(QPushButton(self.tr("Cancel"), self), "cancel_synthesis")
        self._close = named(QPushButton(self.tr("Close"), self), "close_synthesis")
        self._cancel.clicked.connect(self.cancelled)
        self._close.clicked.connect(self.closed)
        self._close.hide()
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        """Read the job again."""
        job = self._job
        self._bar.setMaximum(1000 if job.done else 0)
        self._bar.setValue(round(1000 * job.done))
        self._used.setText(self.tr("Budget used: {0} of what is charged").format(percent(job.spent)))
        self._left.setText(self._time_left())
        lines = list(dict.fromkeys(map(stage_words, job.steps)))
        for line in lines[self._steps.count() :]:
            self._steps.addItem(line)
            self._steps.scrollToBottom()
        if job.outcome is not None:
            self._show_end()
        elif job.cancelling:
            self._title.setText(self.tr("Ending…"))
            self._cancel.setEnabled(False)
        else:
            self._title.setText(lines[-1] if lines else self.tr("Getting ready"))
            self._show_cost()

    def ask_to_wait(self) -> None:
        """It was to be closed while it runs, which must not cancel what is paid for."""
        self._wait.warn(self.tr("● It is still running: let it end, or cancel it first."))

    def _time_left(self) -> str:
        seconds = self._job.seconds_left
        if seconds is None:
            return ""
        if seconds < 60:
            return self.tr("about {0} s left").format(max(round(seconds), 1))
        return self.tr("about {0} min left").format(round(seconds / 60))

    def _show_cost(self) -> None:
        given = budget_words.epsilon(self._job.approved)
        match self._job.charge:
            case Charge.NOT_YET:
                self._cost.tell(self.tr("Nothing is charged yet: cancelling now costs nothing."))
            case Charge.MAYBE:
                self._cost.warn(self.tr("The charge is being made: cancelling may give nothing back."))
            case Charge.CHARGED:
                self._cost.warn(
                    self.tr(
                        "● The budget (ε {0}) is charged. Cancelling gives none of it back, and there "
                        "will be no table."
                    ).format(given)
                )

    def _show_end(self) -> None:
        outcome = self._job.outcome
        assert outcome is not None
        self._bar.hide()
        self._wait.clear()
        self._left.setText("")
        self._cancel.hide()
        self._close.show()
        self._close.setFocus()
        self._title.setText(self.tr("Cancelled") if outcome.cancelled else self.tr("There is no table"))
        if outcome.charged is None and outcome.cancelled:
            self._cost.tell(self.tr("Cancelled before the charge: nothing was spent."))
        else:
            self._cost.refuse(outcome.sentence)

    def _lay_out(self) -> None:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        figures = QHBoxLayout()
        figures.addWidget(self._used)
        figures.addStretch(1)
        figures.addWidget(self._left)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._close)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self._title)
        box.addWidget(self._bar)
        box.addLayout(figures)
        box.addWidget(self._steps, 1)
        box.addWidget(self._cost)
        box.addWidget(self._wait)
        box.addLayout(buttons)
