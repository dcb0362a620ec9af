"""The plan's panel: positions, undone steps, saved steps."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QHeaderView, QLabel, QPushButton, QStyleOptionViewItem, QToolButton, QTreeView
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.core.operators import Project
from curator_gui.gui.controller import Controller
from curator_gui.gui.models.plan import PlanModel, PlanRow
from curator_gui.gui.panels.plan import PlanPanel


def labels(view: QTreeView) -> list[str]:
    model = view.model()
    return [str(model.index(r, PlanModel.STEP).data()) for r in range(model.rowCount())]


def test_the_model_keeps_its_promises_while_the_plan_grows_and_shrinks(qtbot: QtBot) -> None:
    model = PlanModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    for length in (0, 1, 4, 4, 2, 0):
        model.show(tuple(PlanRow(f"step {i}", None) for i in range(length)), max(length - 1, 0), 0.2)
        assert model.rowCount() == length
        assert model.rowCount(model.index(0, 0)) == 0


def test_a_click_on_a_step_stands_there_and_keeps_the_rest(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    panel.show()
    controller.open_sample("paper.curation.json")
    scored(controller)
    view = panel.findChild(QTreeView, "steps")

    place = view.visualRect(view.model().index(1, PlanModel.STEP)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert controller.session is not None
    assert controller.session.position == 1
    assert labels(view) == [
        "Source",
        "Drop diagnosis",
        "Generalize age: by 10",
        "Generalize zip: 3 characters",
    ]
    assert view.model().index(3, 1).data(Qt.ItemDataRole.FontRole).italic()


def test_enter_on_a_step_stands_there(controller: Controller, qtbot: QtBot, scored: Scored) -> None:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    controller.open_sample("paper.curation.json")
    scored(controller)
    view = panel.findChild(QTreeView, "steps")

    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Return)

    assert controller.session is not None
    assert controller.session.position == 2


def test_saved_steps_are_offered_while_the_plan_is_empty(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    controller.open_sample()
    scored(controller)

    button = panel.findChild(QPushButton, "apply_usual coarsening")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert controller.session is not None
    assert controller.session.position == 7
    assert button.isHidden()


def test_a_step_not_yet_scored_shows_that_it_is_awaited(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    controller.open_sample("paper.curation.json")
    scored(controller)
    view = panel.findChild(QTreeView, "steps")

    controller.commit(Project(("medication",)))

    assert view.model().index(4, PlanModel.DISCLOSURE).data() == "…"
    scored(controller)
    assert view.model().index(4, PlanModel.DISCLOSURE).data() == "▼ ×1"


def opened_paper(controller: Controller, qtbot: QtBot, scored: Scored) -> PlanPanel:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    panel.resize(300, 300)
    panel.show()
    controller.open_sample("paper.curation.json")
    scored(controller)
    return panel


def test_a_released_step_is_marked(
    controller: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    panel = opened_paper(controller, qtbot, scored)
    model = panel.findChild(QTreeView, "steps").model()
    key = panel.findChild(QLabel, "plan_key")
    assert key.isHidden()

    with qtbot.waitSignal(controller.released):
        controller.release(tmp_path / "out.csv", over_budget="a trial")
    scored(controller)

    assert [model.index(i, PlanModel.NUMBER).data() for i in range(4)] == ["0", "1", "2", "↗ 3"]
    assert "has left the house" in model.index(3, PlanModel.STEP).data(Qt.ItemDataRole.ToolTipRole)
    assert key.isVisible()


def test_saved_steps_can_follow_other_steps(controller: Controller, qtbot: QtBot, scored: Scored) -> None:
    panel = opened_paper(controller, qtbot, scored)
    view = panel.findChild(QTreeView, "steps")
    controller.go_to(1)
    controller.save_steps("first")
    controller.go_to(0)
    controller.commit(Project(("sex",)))
    button = panel.findChild(QToolButton, "saved_steps")
    assert button.isVisible()
    (action,) = button.menu().actions()
    assert action.text() == "first (1 step)"

    action.trigger()

    assert labels(view) == ["Source", "Drop sex", "Drop diagnosis"]


def test_a_name_without_room_is_said_more_shortly(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    view = opened_paper(controller, qtbot, scored).findChild(QTreeView, "steps")
    index = view.model().index(2, PlanModel.STEP)
    delegate, option, header = view.itemDelegate(), QStyleOptionViewItem(), view.header()
    header.setSectionResizeMode(PlanModel.STEP, QHeaderView.ResizeMode.Interactive)
    view.initViewItemOption(option)

    def painted(width: int) -> str:
        header.resizeSection(PlanModel.STEP, width)
        delegate.initStyleOption(option, index)
        return option.text

    measure = option.fontMetrics
    assert painted(400) == "Generalize age: by 10"
    assert painted(measure.horizontalAdvance("age: by 10") + 12) == "age: by 10"
    assert painted(measure.horizontalAdvance("age: by") + 12) == "age: by\u202810"
    qtbot.waitUntil(lambda: view.visualRect(index).height() >= 2 * measure.height())


def test_the_present_step_stays_in_sight_when_the_list_shrinks(
    controller: Controller, qtbot: QtBot, scored: Scored
) -> None:
    panel = PlanPanel(controller)
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    panel.show()
    controller.open_sample("paper.curation.json")
    scored(controller)
    view = panel.findChild(QTreeView, "steps")

    panel.resize(260, view.header().height() + 110)

    def whole_step_in_sight() -> bool:
        return view.viewport().rect().contains(view.visualRect(view.currentIndex()))

    assert view.currentIndex().row() == 3
    qtbot.waitUntil(lambda: view.viewport().height() < 100 and whole_step_in_sight())
