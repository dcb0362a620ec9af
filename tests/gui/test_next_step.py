"""Next steps: their order, their verdicts, and that the list keeps its place while scores stream in."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QStyleOptionViewItem, QTreeView
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.core.operators import Delete, Project
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.transition import ClassChanges
from curator_gui.gui.candidate_words import change, verdict
from curator_gui.gui.controller import Controller
from curator_gui.gui.models.candidates import (
    CANDIDATE_ROLE,
    LINES_ROLE,
    SECOND_ROLE,
    CandidateModel,
)
from curator_gui.gui.models.ranking import Rank, pareto_front, ranked
from curator_gui.gui.panels.next_step import NextStepPanel
from curator_gui.gui.step_labels import fitted


def made(name: str, alpha: float | None, utility: float, budget: float = 0.2, **others: object) -> Candidate:
    usual = Candidate(
        operator=Project((name,)),
        alpha_before=1.0,
        alpha=alpha,
        feasible=alpha is None or alpha <= budget,
        max_delta=None,
        min_delta=None,
        worse=0,
        better=0,
        same=0,
        lost=0,
        affected=0,
        over_budget=0,
        rows_removed=0,
        does_no_privacy_work=False,
        classes=ClassChanges(0, 0, 0, 0, 0, 0),
        worst=None,
        utility=utility,
        utility_change=utility - 1,
        why="",
    )
    return replace(usual, **others)  # type: ignore[arg-type]


SOME = (
    made("a", 1.0, 0.9),
    made("b", 0.1, 0.3),
    made("c", 0.15, 0.5),
    made("d", 0.5, 0.4),
    made("e", None, 0.1),
)


def names(order: list[int]) -> str:
    return "".join(SOME[i].operator.drop[0] for i in order)  # type: ignore[union-attr]


def test_least_disclosure_comes_first_and_no_evidence_before_all() -> None:
    assert names(ranked(SOME, Rank.DISCLOSURE)) == "ebcda"


def test_the_most_useful_within_the_budget_come_before_all_over_it() -> None:
    assert names(ranked(SOME, Rank.UTILITY)) == "cbead"


def test_the_best_trade_offs_are_those_no_other_beats() -> None:
    assert pareto_front(SOME) == {0, 1, 2, 4}
    assert names(ranked(SOME, Rank.PARETO)) == "ebcad"


@pytest.mark.parametrize(
    ("candidate", "words"),
    [
        (made("a", 0.1, 1), "within budget"),
        (made("a", 0.19, 1), "within 10 % of the budget"),
        (made("a", 1.0, 1), "over budget"),
        (made("a", 0.5, 1), "improves, still above"),
        (made("a", 1.0, 1, does_no_privacy_work=True), "does no privacy work"),
        (made("a", None, 1), "no evidence"),
    ],
)
def test_verdicts_are_in_words(candidate: Candidate, words: str) -> None:
    assert verdict(candidate, 0.2) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [(0.405, 0.405, "no change"), (1.0, 0.0, "÷2.72"), (0.0, 1.0, "×2.72"), (None, 1.0, "–")],
)
def test_a_change_is_a_ratio(before: float | None, after: float, words: str) -> None:
    assert change(before, after) == words


def test_the_model_keeps_its_promises_while_scores_stream_in(qtbot: QtBot) -> None:
    model = CandidateModel(str)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    for end in range(len(SOME) + 1):
        model.show(SOME[:end], 0.2)
        assert model.rowCount() == end
    model.set_rank(Rank.PARETO)
    model.show(SOME[:2], 0.3)
    assert model.rowCount() == 2
    assert model.columnCount(model.index(0, 0)) == 0


def test_of_ten_thousand_steps_the_first_are_rows_and_more_follow_at_the_end(qtbot: QtBot) -> None:
    model = CandidateModel(str)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    many = tuple(made(f"c{i:05}", 2.0 - i / 10_000, 0.5) for i in range(10_000))
    model.show(many[:5000], 0.2)
    held = QPersistentModelIndex(model.index(3, 0))
    chosen = model.candidate(held)

    model.show(many, 0.2)

    assert model.rowCount() < 1000
    assert model.candidate(model.index(0, 0)) is many[-1]
    assert not held.isValid()
    assert model.candidate(model.index(model.row_of(chosen), 0)) is chosen
    before = model.rowCount()
    model.fetchMore(QModelIndex())
    assert model.rowCount() > before


def test_the_step_that_drops_the_identifiers_comes_first_in_every_order() -> None:
    model = CandidateModel(str)
    last = max(SOME, key=lambda c: c.alpha or 0.0)
    model.show(SOME, 0.2, identifying=frozenset([last.operator]))

    for rank in Rank:
        model.set_rank(rank)

        assert model.candidate(model.index(0, 0)) is last
    assert "identifiers" in model.index(0, 0).data(SECOND_ROLE)


def test_without_a_secret_steps_are_said_not_to_be_scored() -> None:
    model = CandidateModel(str)
    model.show(SOME, 0.2, scored=False)

    first, second, _ = model.index(0, CandidateModel.TARGETS).data(LINES_ROLE)

    assert "worse" not in first[0]
    assert "better" not in second[0]
    assert "not scored" in model.index(0, 0).data(SECOND_ROLE)


@pytest.fixture
def panel(controller: Controller, qtbot: QtBot, scored: Scored) -> NextStepPanel:
    made_panel = NextStepPanel(controller)
    qtbot.addWidget(made_panel)
    made_panel.resize(420, 300)
    made_panel.show()
    controller.open_sample()
    scored(controller)
    return made_panel


def view_of(panel: NextStepPanel) -> QTreeView:
    return panel.findChild(QTreeView, "candidates")


def shown(panel: NextStepPanel) -> list[str]:
    model = view_of(panel).model()
    return [str(model.index(r, 0).data()) for r in range(model.rowCount())]


def test_typing_into_the_filter_narrows_the_list(panel: NextStepPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.findChild(QLineEdit, "filter"), "AGE")

    assert shown(panel)
    assert all("age" in label.lower() for label in shown(panel))


def test_arrow_keys_preview_and_enter_commits(
    panel: NextStepPanel, controller: Controller, qtbot: QtBot
) -> None:
    view = view_of(panel)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    preview = controller.preview
    assert preview is not None
    assert view.currentIndex().data(CANDIDATE_ROLE) is preview

    qtbot.keyClick(view, Qt.Key.Key_Return)

    assert controller.session is not None
    assert controller.session.plan == (preview.operator,)


def test_hovering_previews_and_leaving_returns_to_the_chosen_row(
    panel: NextStepPanel, controller: Controller, qtbot: QtBot
) -> None:
    view = view_of(panel)
    first, second = (view.visualRect(view.model().index(r, 0)).center() for r in (0, 1))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=first)
    chosen = controller.preview

    view.entered.emit(view.indexAt(second))
    qtbot.waitUntil(lambda: controller.preview is not chosen)
    assert controller.preview is view.indexAt(second).data(CANDIDATE_ROLE)
    view.left.emit()  # type: ignore[attr-defined]

    assert controller.preview is chosen


def test_the_order_is_the_users_choice(controller: Controller, qtbot: QtBot) -> None:
    panel = NextStepPanel(controller)
    qtbot.addWidget(panel)
    panel.show()
    controller._candidates = SOME
    controller.candidates_changed.emit()
    combo = panel.findChild(QComboBox, "rank")
    assert shown(panel) == ["Drop e", "Drop b", "Drop c", "Drop d", "Drop a"]

    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)  # closed: the next entry is activated

    assert shown(panel) == ["Drop c", "Drop b", "Drop e", "Drop a", "Drop d"]


def test_the_list_keeps_selection_and_scroll_while_it_grows(qtbot: QtBot, controller: Controller) -> None:
    panel = NextStepPanel(controller)
    qtbot.addWidget(panel)
    panel.resize(420, 300)
    panel.show()
    many = tuple(made(f"c{i:03}", 2.0 - i / 100, 0.5) for i in range(60))
    controller._candidates = many[:30]
    controller.candidates_changed.emit()
    view = view_of(panel)
    view.setCurrentIndex(view.model().index(15, 0))
    view.verticalScrollBar().setValue(200)
    chosen, top = view.currentIndex().data(), view.indexAt(view.rect().topLeft()).data()

    controller._candidates = many  # better ones come in above
    controller.candidates_changed.emit()

    assert view.currentIndex().data() == chosen
    assert view.indexAt(view.rect().topLeft()).data() == top


def test_the_button_says_what_it_commits(panel: NextStepPanel, controller: Controller) -> None:
    candidate = next(c for c in controller.candidates if c.operator == Project(("medication",)))

    controller.set_preview(candidate)

    button = panel.findChild(QPushButton, "commit")
    assert button.isEnabled()
    assert button.text() == "Commit: Drop medication"


def test_a_row_speaks_its_verdict(panel: NextStepPanel) -> None:
    model = view_of(panel).model()
    index = next(i for r in range(model.rowCount()) if (i := model.index(r, 0)).data() == "Drop medication")

    assert "over budget" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert index.data(SECOND_ROLE)


def test_a_useless_deletion_says_so(panel: NextStepPanel, controller: Controller, qtbot: QtBot) -> None:
    controller.score_own(Delete(None, (0,)))
    qtbot.waitUntil(lambda: controller.preview is not None)

    row = shown(panel).index("Delete record 1")
    second = view_of(panel).model().index(row, 0).data(SECOND_ROLE)
    assert second.startswith("your own · ")


def row_saying(panel: NextStepPanel, label: str) -> QModelIndex:
    model = view_of(panel).model()
    return next(i for r in range(model.rowCount()) if (i := model.index(r, 0)).data().startswith(label))


def test_a_step_that_loses_targets_says_how_many_and_that_absence_can_tell(panel: NextStepPanel) -> None:
    step = row_saying(panel, "Delete 408 records")
    lost = step.data(CANDIDATE_ROLE).lost

    assert lost > 0
    assert f"{lost} lost" in step.siblingAtColumn(CandidateModel.TARGETS).data(SECOND_ROLE)
    assert "absence can tell" in step.data(SECOND_ROLE)
    assert "absence itself can tell something" in step.data(Qt.ItemDataRole.ToolTipRole)


def test_a_narrow_list_gives_the_room_to_the_names_and_keeps_the_counts(panel: NextStepPanel) -> None:
    view = view_of(panel)
    panel.resize(900, 300)
    assert not view.isColumnHidden(CandidateModel.TARGETS)

    panel.resize(330, 300)

    assert view.isColumnHidden(CandidateModel.TARGETS)
    assert view.isColumnHidden(CandidateModel.UTILITY)
    step = row_saying(panel, "Delete 408 records")
    assert f"{step.data(CANDIDATE_ROLE).lost} lost" in step.data(SECOND_ROLE)


def test_a_figure_is_never_cut(panel: NextStepPanel) -> None:
    view = view_of(panel)
    panel.resize(900, 300)

    option = QStyleOptionViewItem()
    view.initViewItemOption(option)
    for row in range(view.model().rowCount()):
        for column in range(1, view.model().columnCount()):
            first, second, _ = view.model().index(row, column).data(LINES_ROLE)
            wide = view.itemDelegate().width_of(option, first[0], second[0])
            assert wide <= view.columnWidth(column)


def test_names_that_do_not_fit_are_said_more_shortly() -> None:
    measure = QFontMetrics(QGuiApplication.font())
    long, short = "Generalize medication: 7 labels", "medication: 7 labels"

    assert fitted(measure, 10_000, long, short) == long
    assert fitted(measure, measure.horizontalAdvance(short), long, short) == short
    cut = fitted(measure, measure.horizontalAdvance("medic…abels"), long, short)
    assert cut.startswith("me")
    assert cut.endswith("ls")


def test_the_filter_finds_verdicts_too(panel: NextStepPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.findChild(QLineEdit, "filter"), "within")

    assert shown(panel) == ["Delete 408 records"]


def test_ordered_by_two_steps_the_list_names_the_second_one(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    panel = NextStepPanel(controller)
    qtbot.addWidget(panel)
    panel.resize(700, 300)
    panel.show()
    controller.open_sample("paper.curation.json")
    scored(controller)
    delete = Delete(None, (2,))
    controller.score_own(delete)
    qtbot.waitUntil(lambda: controller.preview is not None)
    combo = panel.findChild(QComboBox, "rank")
    combo.setFocus()

    qtbot.keyClick(combo, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: controller.further.then(delete) is not None and not controller.further.looking)

    deleted, dropped = row_saying(panel, "Delete record 3"), row_saying(panel, "Drop sex")
    assert controller.further.then(delete).alpha == pytest.approx(math.log(1.5))
    assert "then" not in deleted.data(SECOND_ROLE)  # nobody is left to be mistaken for
    assert dropped.data(SECOND_ROLE).startswith("then Drop medication: ▼ ×1")
    assert dropped.row() < deleted.row()
    assert "one step further" in dropped.data(Qt.ItemDataRole.ToolTipRole)
    assert controller.commit(Project(("sex",)))
    assert controller.further.then(delete) is None


def test_scoring_that_was_stopped_offers_to_go_on(
    panel: NextStepPanel, controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    controller.commit(Project(("medication",)))
    qtbot.waitUntil(lambda: bool(controller.jobs.running))
    controller.cancel_job()
    button = panel.findChild(QPushButton, "score_again")
    assert button.isVisible()

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    scored(controller)

    assert button.isHidden()
    assert shown(panel)
