"""The line at the foot of the window: the figures that always stand beside the disclosure, and the job."""

from __future__ import annotations

import math

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from curator_gui.disclosure.trajectory import PrefixScore
from curator_gui.gui import words
from curator_gui.gui.controller import Controller
from curator_gui.gui.naming import named

_SHOW_AFTER_MS = 300


class StatusLine(QStatusBar):
    """Records kept, prior exposure, targets over budget, smallest class, share alone; right of it the job.

    ``cancel_asked``: of whatever can be cancelled here, which a synthesis cannot.
    """

    cancel_asked = Signal()

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self._controller = controller
        self._figures = named(QLabel(self), "figures")
        self._figures.setAccessibleName(self.tr("Figures beside the disclosure"))
        self._job = named(QLabel(self), "job")
        self._bar = named(QProgressBar(self, maximum=1000, textVisible=False), "progress")
        self._bar.setAccessibleName(self.tr("Progress of the job"))
        self._bar.setFixedWidth(120)
        self._cancel = named(QPushButton(self.tr("Cancel"), self, flat=True), "cancel_job")
        self._cancel.setAccessibleName(self.tr("Cancel the job"))
        self._cancel.clicked.connect(self.cancel_asked)
        self._figures.setContentsMargins(8, 0, 8, 0)
        self._pool = named(QLabel(self), "pool")
        self._pool.setAccessibleName(self.tr("Privacy budget"))
        self._pool.hide()
        self.addWidget(self._figures, 1)
        for widget in (self._pool, self._job, self._bar, self._cancel):
            self.addPermanentWidget(widget)
        self._late = QTimer(self, singleShot=True, interval=_SHOW_AFTER_MS)
        self._late.timeout.connect(lambda: self._show_job(True))
        self._show_job(False)
        for signal in (controller.session_changed, controller.plan_changed, controller.trajectory_changed):
            signal.connect(self.refresh)
        controller.job_changed.connect(self.refresh_job)

    def refresh(self) -> None:
        """Read the figures of the position again."""
        self._figures.setText(" · ".join(self._sentences()))
        self._figures.setToolTip("\n".join(self._sentences()))

    def show_pool(self, words: str) -> None:
        """Show what is left of the privacy budget; "" where there is none."""
        self._pool.setText(words)
        self._pool.setVisible(bool(words))

    def refresh_job(self) -> None:
        """Show the job once it has lasted; a short one would only flicker."""
        running = self._controller.jobs.running
        if not running:
            self._late.stop()
            self._show_job(False)
            return
        job = running[-1]
        self._job.setText(job.name)
        self._job.setToolTip(job.phase)
        self._bar.setValue(round(1000 * job.fraction))
        self._bar.setMaximum(1000 if job.fraction else 0)
        if not self._bar.isHidden():
            self._show_job(True)
        elif not self._late.isActive():
            self._late.start()

    def _show_job(self, shown: bool) -> None:
        for widget in (self._job, self._bar):
            widget.setVisible(shown)
        self._cancel.setVisible(shown and bool(self._controller.cancellable))

    def _sentences(self) -> list[str]:
        session, trajectory = self._controller.session, self._controller.trajectory
        if session is None:
            return []
        total = session.table.rows
        if trajectory is None or session.position >= len(trajectory.prefixes):
            return [words.records(total)]
        score = trajectory.prefixes[session.position]
        return [
            self.tr("{0} of {1}").format(words.count(score.rows), words.records(total)),
            *self._beside(score),
        ]

    def _beside(self, score: PrefixScore) -> list[str]:
        prior, figures = self._controller.prior, score.figures
        found = []
        if prior is not None and prior.exposure:
            found.append(self.tr("prior exposure {0}").format(words.factor(math.log(prior.exposure))))
        found.append(self.tr("over budget {0}").format(words.count(score.over_budget)))
        if figures.smallest_class is not None:
            found.append(self.tr("smallest class {0}").format(words.count(figures.smallest_class)))
            found.append(self.tr("alone {0}").format(words.percent(figures.alone)))
        return found
