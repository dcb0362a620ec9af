"""What an operator being edited would do, scored as it is edited."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from curator_gui.core.operators import Operator
from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui.controller import Controller
from curator_gui.gui.naming import named
from curator_gui.gui.theme import MARKS, standing_of, standing_words, theme_of
from curator_gui.gui.words import count, disclosure, percent_points, records

_WAIT_MS = 200


class ScoreStrip(QFrame):
    """Scores one operator at a time, after the position of the plan. ``scored``: a score or refusal is in."""

    scored = Signal()

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "score_strip")
        self._controller = controller
        self._operator: Operator | None = None
        self.candidate: Candidate | None = None
        self.refusal = ""
        self._kind = f"draft {id(self)}"
        self._head = named(QLabel(wordWrap=True), "score_head")
        self._why = named(QLabel(wordWrap=True), "score_why")
        self._why.setMinimumHeight(2 * self.fontMetrics().height())
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 8)
        box.setSpacing(4)
        box.addWidget(self._head)
        box.addWidget(self._why)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._start)

    def score(self, operator: Operator) -> None:
        """Score another operator; what is shown is of the last one until then."""
        self._operator, self.candidate, self.refusal = operator, None, self.tr("Scoring…")
        self._show()
        self._timer.start()

    def say(self, sentence: str) -> None:
        """Say why there is nothing to score."""
        self._timer.stop()
        self._operator, self.candidate, self.refusal = None, None, sentence
        self._show()
        self.scored.emit()

    def stop(self) -> None:
        """Score nothing more; what still runs is dropped."""
        self._timer.stop()
        self._operator = None
        self._controller.jobs.cancel(self._kind)

    def _start(self) -> None:
        session, operator = self._controller.session, self._operator
        if session is None or operator is None:
            return
        scoring, plan = session.scoring, session.current_plan

        def done(candidate: Candidate) -> None:
            if operator is self._operator:
                self.candidate = candidate
                self._show()
                self.scored.emit()

        def failed(sentence: str) -> None:
            if operator is self._operator:
                self.refusal = sentence
                self._show()
                self.scored.emit()

        self._controller.jobs.start(
            self.tr("Scoring your step"),
            lambda _: scoring.candidate(plan, operator),
            kind=self._kind,
            done=done,
            failed=failed,
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()

    def _show(self) -> None:
        candidate = self.candidate
        if candidate is None:
            self._head.setText(self.refusal)
            self._why.setText("")
            self._colour(None)
            return
        self._head.setText(self._head_words(candidate))
        self._why.setText(candidate.why)
        self._colour(candidate)

    def _head_words(self, candidate: Candidate) -> str:
        budget = self._controller.session.protection.budget if self._controller.session else 0.0
        standing = standing_of(candidate.alpha, budget)
        parts = [
            f"{MARKS[standing]} "
            + self.tr("Disclosure {0}, now {1}: {2}").format(
                disclosure(candidate.alpha), disclosure(candidate.alpha_before), standing_words(standing)
            ),
            self.tr("{0} worse, {1} better, {2} the same").format(
                count(candidate.worse), count(candidate.better), count(candidate.same)
            ),
            self.tr("utility {0}").format(percent_points(candidate.utility_change)),
        ]
        if candidate.rows_removed:
            parts.append(self.tr("{0} removed").format(records(candidate.rows_removed)))
        if candidate.does_no_privacy_work:
            parts.append(self.tr("does no privacy work"))
        return "  ·  ".join(parts)

    def _colour(self, candidate: Candidate | None) -> None:
        theme = theme_of(self.palette())
        palette = QPalette(self.palette())
        colour = theme.text
        if candidate is not None and self._controller.session is not None:
            colour = theme.words(standing_of(candidate.alpha, self._controller.session.protection.budget))
        palette.setColor(QPalette.ColorRole.WindowText, colour)
        self._head.setPalette(palette)
