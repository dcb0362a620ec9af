"""Next step: what could be done from here, scored before it is done."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui import words
from curator_gui.gui.controller import Controller
from curator_gui.gui.models.candidates import CANDIDATE_ROLE, CandidateModel
from curator_gui.gui.models.ranking import Rank
from curator_gui.gui.naming import named
from curator_gui.gui.panels.candidate_view import CandidateView
from curator_gui.gui.step_labels import fitted, short_label
from curator_gui.session import Session

_HOVER_MS = 120
_LEAST_LABEL = 120


class NextStepPanel(QWidget):
    """Candidates in a chosen order. The row selected or hovered is previewed everywhere."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("next_step")
        self._controller = controller
        self._model = CandidateModel(controller.describe, controller.further.then, self)
        self._view = CandidateView(self)
        self._rank = QComboBox(self)
        self._filter = QLineEdit(self)
        self._commit = QPushButton(self.tr("Select a step to see what it does"), self)
        self._own = QToolButton(self)
        self._empty = QLabel(self)
        self._again = named(QPushButton(self.tr("Score again"), self), "score_again")
        self._hovered = QPersistentModelIndex()
        self._hover = QTimer(self, singleShot=True, interval=_HOVER_MS)
        self._view.set_up(self._model)
        self._set_up_controls()
        self._lay_out()
        self._connect()
        self.refresh()

    @property
    def own_button(self) -> QToolButton:
        """Where the actions for steps of the curator's own go."""
        return self._own

    def refresh(self) -> None:
        """Read the candidates again; selection and scroll stay where they are while the list grows."""
        session = self._controller.session
        self._show_candidates(session)
        self._view.fit()
        self._look_further()
        self._show_state()

    def _show_candidates(self, session: Session | None) -> None:
        controller, bar = self._controller, self._view.verticalScrollBar()
        at_top = bar.value() == 0
        top = QPersistentModelIndex(self._view.indexAt(QPoint(4, 4)))
        self._model.show(
            controller.candidates,
            session.protection.budget if session else 0.0,
            controller.own_here,
            identifying=frozenset(controller.identifying),
            scored=bool(session and session.protection.secrets),
        )
        if not at_top and top.isValid():
            self._view.scrollTo(self._model.index(top.row(), 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def refresh_further(self) -> None:
        """Read the second steps again."""
        self._model.refresh_ranks()

    def refresh_preview(self) -> None:
        """Show what would be committed, and select it if it was previewed from elsewhere."""
        preview = self._controller.preview
        self._commit.setEnabled(preview is not None)
        if preview is None:
            self._commit.setText(self.tr("Select a step to see what it does"))
            self._commit.setToolTip(self.tr("Put the previewed step into the plan (Ctrl+Enter)"))
        else:
            self._commit.setText(self.tr("Commit: {0}").format(self._short(preview)))
            self._commit.setToolTip(self._commit_tip(preview))
            if not self._hovered.isValid():
                self._select(preview)

    def focus_filter(self) -> None:
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- setting up ---

    def _set_up_controls(self) -> None:
        self._rank.setObjectName("rank")
        self._rank.setAccessibleName(self.tr("Order of the next steps"))
        self._rank.addItems(
            [
                self.tr("Least disclosure"),
                self.tr("Most useful within budget"),
                self.tr("Best trade-offs first"),
                self.tr("Least after two steps"),
            ]
        )
        further = self.tr("Looks one step further: which step, with the best one after it, leads lowest")
        self._rank.setItemData(Rank.TWO_STEPS, further, Qt.ItemDataRole.ToolTipRole)
        self._filter.setObjectName("filter")
        self._filter.setAccessibleName(self.tr("Filter the next steps"))
        self._filter.setPlaceholderText(self.tr("Filter: age, delete, within…"))
        self._filter.setToolTip(self.tr("Part of a step, of a column's name or of a verdict"))
        self._filter.setClearButtonEnabled(True)
        self._commit.setObjectName("commit")
        self._commit.setAccessibleName(self.tr("Commit the previewed step"))
        self._commit.setToolTip(self.tr("Put the previewed step into the plan (Ctrl+Enter)"))
        self._own.setObjectName("own_step")
        self._own.setText(self.tr("Your own step"))
        self._own.setAccessibleName(self.tr("Write a step of your own"))
        self._own.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._empty.setObjectName("candidates_state")
        self._empty.setWordWrap(True)
        self._empty.setAccessibleName(self.tr("State of the list"))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._rank)
        top.addWidget(self._filter, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self._own)
        bottom.addWidget(self._commit, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        box.addLayout(top)
        box.addWidget(self._view, 1)
        box.addWidget(self._empty)
        box.addWidget(self._again)
        box.addLayout(bottom)

    def _connect(self) -> None:
        self._rank.activated.connect(self._rank_chosen)
        self._filter.textEdited.connect(self._filter_edited)
        self._again.clicked.connect(self._controller.score_again)
        self._commit.clicked.connect(self._controller.commit_preview)
        self._view.committed.connect(self._controller.commit_preview)
        self._view.selectionModel().currentRowChanged.connect(self._row_chosen)
        self._view.clicked.connect(self._row_chosen)
        self._view.entered.connect(self._row_entered)
        self._view.left.connect(self._mouse_left)
        self._hover.timeout.connect(self._preview_hovered)
        self._view.narrowed.connect(self._model.set_compact)
        self._controller.candidates_changed.connect(self.refresh)
        self._controller.further.looked.connect(self.refresh_further)
        self._controller.job_changed.connect(self._show_state)
        self._controller.session_changed.connect(self.refresh)
        self._controller.preview_changed.connect(self.refresh_preview)

    # --- what the user does ---

    def _rank_chosen(self, rank: int) -> None:
        self._model.set_rank(Rank(rank))
        self._view.scrollToTop()
        self._look_further()

    def _look_further(self) -> None:
        """What two steps reach is worked out where the list is ordered by it, once the first are there."""
        if self._rank.currentIndex() == Rank.TWO_STEPS:
            self._controller.further.look()

    def _filter_edited(self, text: str) -> None:
        self._model.set_filter(text)
        if self._controller.preview is not None:
            self._select(self._controller.preview)

    def _row_chosen(self, index: QModelIndex) -> None:
        self._stop_hovering()
        candidate = index.data(CANDIDATE_ROLE)
        if isinstance(candidate, Candidate):
            self._controller.set_preview(candidate)

    def _row_entered(self, index: QModelIndex) -> None:
        self._hovered = QPersistentModelIndex(index)
        self._hover.start()

    def _preview_hovered(self) -> None:
        candidate = self._hovered.data(CANDIDATE_ROLE) if self._hovered.isValid() else None
        if isinstance(candidate, Candidate):
            self._controller.set_preview(candidate)

    def _mouse_left(self) -> None:
        hovering = self._hovered.isValid()
        self._stop_hovering()
        if hovering:
            chosen = self._view.currentIndex().data(CANDIDATE_ROLE)
            self._controller.set_preview(chosen if isinstance(chosen, Candidate) else None)

    def _stop_hovering(self) -> None:
        self._hover.stop()
        self._hovered = QPersistentModelIndex()

    # --- what is shown ---

    def _select(self, candidate: Candidate) -> None:
        row = self._model.row_of(candidate)
        if row is None:
            return
        index = self._model.index(row, 0)
        if index.isValid() and index.row() != self._view.currentIndex().row():
            flags = QItemSelectionModel.SelectionFlag
            self._view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def _show_state(self) -> None:
        self._empty.setText(self._state())
        self._empty.setVisible(bool(self._empty.text()))
        self._again.setVisible(self._controller.scoring_stopped)

    def _state(self) -> str:
        session, controller = self._controller.session, self._controller
        if session is None:
            return self.tr("Open a table to see what could be done next.")
        if not session.protection.secrets:
            return self.tr("Say what must not be learned (Protection…); then the next steps are scored.")
        if not controller.candidates_complete:
            if controller.scoring_stopped:
                return self.tr("Scoring was stopped; nothing further is suggested.")
            scored = len(controller.candidates)
            return (
                self.tr("Scoring… {0} so far").format(words.count(scored)) if scored else self.tr("Scoring…")
            )
        if self._rank.currentIndex() == Rank.TWO_STEPS and controller.further.looking:
            return self.tr("Looking one step further…")
        return "" if controller.candidates else self.tr("There is no further step to suggest from here.")

    def _short(self, candidate: Candidate) -> str:
        """The step's name as long as the button has room for it."""
        describe = self._controller.describe
        labels = (describe(candidate.operator), short_label(candidate.operator, describe))
        room = self._commit.width() - self.fontMetrics().horizontalAdvance(self.tr("Commit: {0}")) - 16
        return fitted(self.fontMetrics(), max(room, _LEAST_LABEL), *labels)

    def _commit_tip(self, candidate: Candidate) -> str:
        label = self._controller.describe(candidate.operator)
        return self.tr("{0}\nPut this step into the plan (Ctrl+Enter)").format(label)
