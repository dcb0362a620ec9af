"""Plan: the steps so far, where the curator stands, saved steps and other branches."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui import words
from curator_gui.gui.charts.marks import wrapped
from curator_gui.gui.controller import Controller
from curator_gui.gui.models.plan import LABELS_ROLE, STANDING_ROLE, PlanModel, PlanRow
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.step_labels import short_label
from curator_gui.gui.theme import Standing, theme_of
from curator_gui.session import Session
from curator_gui.store.session_file import SavedSteps

_MARGIN = 4
_LINE_SEPARATOR = "\u2028"  # as a delegate writes a line break


class StepColours(RoomyRows):
    """The disclosure in the colour of its standing; undone steps muted. A name that does not fit is said
    more shortly before it is cut."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.column() == PlanModel.STEP:
            option.text = self._name(option, index.data(LABELS_ROLE))
        colour = self._colour(option, index)
        if colour is not None:
            option.palette.setColor(QPalette.ColorRole.Text, colour)

    @staticmethod
    def _name(option: QStyleOptionViewItem, labels: tuple[str, ...]) -> str:
        """The name of a step on one line, or shorter, or on two."""
        view = option.widget
        room = view.columnWidth(PlanModel.STEP) - 2 * _MARGIN if isinstance(view, QTreeView) else 0
        measure = option.fontMetrics
        for label in labels:
            if measure.horizontalAdvance(label) <= room:
                return label
        lines = [wrapped(label, option.font, room) for label in labels]
        whole = [found for found in lines if not any("…" in line for line in found)]
        return _LINE_SEPARATOR.join((whole or lines[-1:])[0])

    def _colour(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QColor | None:
        model, theme = index.model(), theme_of(option.palette)
        standing = index.data(STANDING_ROLE)
        if index.column() == PlanModel.DISCLOSURE and isinstance(standing, Standing):
            return theme.words(standing)
        if isinstance(model, PlanModel) and index.row() > model.position:
            return theme.muted
        return theme.muted if index.column() == PlanModel.NUMBER else None


class StepView(QTreeView):
    """The steps, the present one in sight. ``chosen``: a row was clicked, or Enter was pressed on it."""

    chosen = Signal(int)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class PlanPanel(QWidget):
    """A click on a step stands there: undo and redo are positions, and nothing is lost."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan")
        self._controller = controller
        self._model = PlanModel(self)
        self._view = StepView(self)
        self._saved = QVBoxLayout()
        self._hint = QLabel(self)
        self._branches = QToolButton(self)
        self._branch_menu = QMenu(self)
        self._more = QToolButton(self)
        self._more_menu = QMenu(self)
        self._key = QLabel(self)
        self._set_up()
        self._lay_out()
        controller.session_changed.connect(self.refresh)
        controller.plan_changed.connect(self.refresh)
        controller.trajectory_changed.connect(self.refresh_scores)
        self.refresh()

    def refresh(self) -> None:
        """Read the plan, the saved steps and the branches again."""
        self.refresh_scores()
        self._refresh_saved()
        self._refresh_branches()

    def refresh_scores(self) -> None:
        """Read the steps and their scores again; the step stood at is selected."""
        session = self._controller.session
        if session is None:
            self._model.show((), 0, 0.0)
            return
        self._model.show(self._rows(session), session.position, session.protection.budget)
        self._view.setCurrentIndex(self._model.index(session.position, PlanModel.STEP))

    def _rows(self, session: Session) -> tuple[PlanRow, ...]:
        trajectory = self._controller.trajectory
        scores = trajectory.prefixes if trajectory else ()
        describe = self._controller.describe
        labels = [self.tr("Source"), *(describe(o) for o in session.plan)]
        shorter = [self.tr("Source"), *(short_label(o, describe) for o in session.plan)]
        return tuple(
            PlanRow(
                label, scores[i] if i < len(scores) else None, i in session.record.exposed, short=shorter[i]
            )
            for i, label in enumerate(labels)
        )

    def _set_up(self) -> None:
        view = self._view
        view.setObjectName("steps")
        view.setAccessibleName(self.tr("Steps of the plan"))
        view.setModel(self._model)
        view.setItemDelegate(StepColours(view))
        view.setRootIsDecorated(False)
        view.header().sectionResized.connect(lambda *_: view.scheduleDelayedItemsLayout())
        view.setAllColumnsShowFocus(True)
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = view.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(PlanModel.STEP, QHeaderView.ResizeMode.Stretch)
        view.clicked.connect(lambda index: self._controller.go_to(index.row()))
        view.chosen.connect(self._controller.go_to)
        self._hint.setWordWrap(True)
        self._hint.setObjectName("plan_hint")
        self._branches.setObjectName("branches")
        self._branches.setAccessibleName(self.tr("Other branches of the plan"))
        self._branches.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._branches.setMenu(self._branch_menu)
        self._more.setObjectName("saved_steps")
        self._more.setAccessibleName(self.tr("Apply saved steps after the present one"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setMenu(self._more_menu)
        self._more_menu.setToolTipsVisible(True)
        self._key.setObjectName("plan_key")
        self._key.setText(self.tr("{0} released before").format(words.RELEASED))

    def _lay_out(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        box.addWidget(self._view, 1)
        box.addWidget(self._key)
        box.addWidget(self._hint)
        box.addLayout(self._saved)
        line = QHBoxLayout()
        line.addWidget(self._branches)
        line.addWidget(self._more)
        line.addStretch(1)
        box.addLayout(line)

    def _refresh_saved(self) -> None:
        while (item := self._saved.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        session = self._controller.session
        saved = session.record.saved_steps if session else ()
        empty = session is not None and not session.plan
        for steps in saved if empty else ():
            button = QPushButton(self.tr("Apply “{0}”").format(steps.name), self)
            button.setObjectName(f"apply_{steps.name}")
            button.setAccessibleName(self.tr("Apply the saved steps “{0}”").format(steps.name))
            button.setToolTip("\n".join(self._controller.describe(o) for o in steps.steps))
            button.clicked.connect(lambda _=False, name=steps.name: self._apply(name))
            self._saved.addWidget(button)
        self._refresh_more(() if empty else saved)
        self._hint.setText(self._hint_for(empty, bool(saved)))
        self._hint.setVisible(bool(self._hint.text()))

    def _refresh_more(self, saved: Sequence[SavedSteps]) -> None:
        """Saved steps that go after those already taken."""
        self._more_menu.clear()
        for steps in saved:
            action = QAction(f"{steps.name} ({words.steps(len(steps.steps))})", self._more_menu)
            action.setToolTip("\n".join(self._controller.describe(o) for o in steps.steps))
            action.triggered.connect(lambda _=False, name=steps.name: self._apply(name))
            self._more_menu.addAction(action)
        self._more.setText(self.tr("Saved ({0})").format(len(saved)))
        self._more.setVisible(bool(saved))

    def _apply(self, name: str) -> None:
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)  # the button goes; the keyboard stays here
        self._controller.apply_saved(name)

    def _hint_for(self, empty: bool, saved: bool) -> str:
        if not empty:
            return ""
        if saved:
            return self.tr("Begin with steps saved earlier, or choose a next step.")
        return self.tr("No step yet. Choose a next step; every one can be undone.")

    def _refresh_branches(self) -> None:
        self._branch_menu.clear()
        session = self._controller.session
        branches = session.record.branches if session else ()
        for i, branch in enumerate(branches):
            action = QAction(f"{branch.name} ({words.steps(len(branch.plan))})", self._branch_menu)
            action.triggered.connect(lambda _=False, i=i: self._controller.apply_branch(i))
            self._branch_menu.addAction(action)
        self._branches.setText(self.tr("Branches ({0})").format(len(branches)))
        self._branches.setVisible(bool(branches))
        self._key.setVisible(session is not None and bool(session.record.exposed))
