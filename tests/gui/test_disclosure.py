"""The disclosure panel: chart, targets and numbers of one session, by real clicks and keys."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QTabWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from curator_gui.bundled import sample
from curator_gui.core.operators import Delete, Project
from curator_gui.core.protection import Observer, Protection
from curator_gui.disclosure.scoring import RemovedTargets
from curator_gui.disclosure.trajectory import evidence
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.models.targets import STANDING_ROLE, TARGET_ROLE, TargetModel, TargetRows, target_rows
from curator_gui.gui.models.trajectory import TrajectoryModel, series_of
from curator_gui.gui.panels.disclosure import DisclosurePanel
from curator_gui.gui.status import StatusLine
from curator_gui.gui.theme import Standing
from curator_gui.session import Session


class Files:
    """Answers every question for a file with one path, or with going back."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.proposed: list[Path] = []

    def file_to_write(self, parent: QWidget, title: str, kinds: str, proposed: Path) -> Path | None:
        self.proposed.append(proposed)
        return self.path


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Controller]:
    made = Controller()
    yield made
    made.shutdown()


def panel_on(qtbot: QtBot, controller: Controller, files: Files | None = None) -> DisclosurePanel:
    panel = DisclosurePanel(controller, files)
    qtbot.addWidget(panel)
    panel.resize(1000, 300)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def open_paper(qtbot: QtBot, controller: Controller) -> None:
    controller.open_sample("paper.curation.json")
    qtbot.waitUntil(lambda: controller.session is not None and controller.candidates_complete)


def show_tab(panel: DisclosurePanel, qtbot: QtBot, index: int) -> None:
    bar = panel.findChild(QTabWidget, "disclosure_tabs").tabBar()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())


def open_targets(qtbot: QtBot, controller: Controller) -> DisclosurePanel:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    show_tab(panel, qtbot, 1)
    qtbot.waitUntil(lambda: panel.targets.model.total == 8)
    return panel


def column(model: TargetModel | TrajectoryModel, which: int) -> list[str]:
    return [model.index(row, which).data() for row in range(model.rowCount())]


# --- the chart in the panel ---


def test_without_a_table_the_chart_says_what_to_do(qtbot: QtBot, controller: Controller) -> None:
    panel = panel_on(qtbot, controller)

    assert panel.chart.accessibleDescription().startswith("Open a table;")
    assert not panel.findChild(QToolButton, "export_chart").isEnabled()


def test_without_a_secret_the_chart_says_what_to_do(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    controller.set_protection(Protection())
    qtbot.waitUntil(lambda: controller.trajectory is not None)

    assert panel.chart.accessibleDescription().startswith("Say what must not be learned")


def test_the_chart_shows_the_trajectory_and_the_preview(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    controller.set_preview(next(c for c in controller.candidates if c.operator == Project(("medication",))))

    series = panel.chart.series
    assert [p.alpha for p in series.points] == list(controller.trajectory.alphas)
    assert (series.position, series.budget) == (3, controller.trajectory.budget)
    assert series.preview.label == "Drop medication"
    assert series.preview.axis_label == "− medication"
    assert [p.axis_label for p in series.points[::3]] == ["source", "zip: 3 characters"]
    assert series.preview.alpha == controller.preview.alpha


def test_clicking_a_point_stands_at_its_prefix(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    qtbot.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=panel.chart.painting().at(1).toPoint())

    assert controller.session.position == 1
    assert panel.chart.series.position == 1
    assert len(panel.chart.series.points) == 4


def test_the_toggles_show_each_secret_and_the_band(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    plain = panel.chart.grab().toImage()

    for name in ("chart_secrets", "chart_band"):
        box = panel.findChild(QCheckBox, name)
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        assert box.isChecked()
        assert panel.chart.grab().toImage() != plain


def test_while_a_new_step_is_scored_the_chart_stands_at_the_last_scored_one(
    qtbot: QtBot, controller: Controller
) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    controller.commit(Project(("medication",)))
    during = panel.chart.series
    qtbot.waitUntil(lambda: controller.trajectory.plan == controller.session.plan)

    assert (during.position, len(during.points)) == (3, 4)
    assert (panel.chart.series.position, len(panel.chart.series.points)) == (4, 5)


def test_the_figures_beside_are_in_sight_on_every_tab(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    for tab in range(3):
        show_tab(panel, qtbot, tab)
        label = panel.findChild(QLabel, "figures_beside")
        assert label.isVisible()
        assert "half of the targets up to ×1, nine in ten up to ×1.5" in label.text()
        assert "utility " in label.text()


def test_the_figures_of_the_status_bar_are_not_said_twice(qtbot: QtBot, controller: Controller) -> None:
    status = StatusLine(controller)
    qtbot.addWidget(status)
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    always = set(status.findChild(QLabel, "figures").text().split(" · "))
    beside = set(panel.findChild(QLabel, "figures_beside").text().split(" · "))

    assert always
    assert beside
    assert all(any(word in text for text in always) for word in ("over budget", "smallest class", "alone"))
    assert not any("over budget" in text or "smallest class" in text or "exposure" in text for text in beside)


def test_other_branches_are_grey_lines_on_demand(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    box = panel.findChild(QCheckBox, "chart_branches")
    assert box.isHidden()
    left = controller.trajectory.alphas
    controller.go_to(1)
    controller.commit(Project(("medication",)))
    qtbot.waitUntil(lambda: controller.candidates_complete)
    assert box.isVisible()

    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    qtbot.waitUntil(lambda: bool(panel.chart.series.branches))

    (line,) = panel.chart.series.branches
    assert (line.name, line.start, line.alphas) == ("before step 2 changed", 1, left[1:])
    assert panel.chart.series.slots == 4
    assert "other branch" in panel.chart.csv()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert panel.chart.series.branches == ()


def release(qtbot: QtBot, controller: Controller, path: Path) -> None:
    with qtbot.waitSignal(controller.released):
        controller.release(path, over_budget="a trial")
    qtbot.waitUntil(lambda: controller.candidates_complete)


def test_a_released_step_is_marked_in_the_chart_and_told_where_it_was_over_budget(
    qtbot: QtBot, controller: Controller, tmp_path: Path
) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    release(qtbot, controller, tmp_path / "out.csv")

    controller.commit(Project(("medication",)))
    qtbot.waitUntil(lambda: controller.candidates_complete)

    assert [p.exposed for p in panel.chart.series.points] == [False, False, False, True, False]
    painting = panel.chart.painting()
    assert "has left the house" in panel.chart.details_at(painting.at(3))
    assert panel.findChild(QLabel, "disclosure_note").text() == "↗ Released before, and over budget: step 3."
    controller.change_session(lambda s: s.set_reading("every-exposed"))
    qtbot.waitUntil(lambda: controller.candidates_complete)
    assert panel.findChild(QLabel, "disclosure_note").text().endswith("so the next one needs a reason.")


def test_targets_removed_between_releases_are_told_with_their_number(
    qtbot: QtBot, controller: Controller, tmp_path: Path
) -> None:
    open_paper(qtbot, controller)
    controller.set_observer(Observer("accumulating"))
    panel = panel_on(qtbot, controller)
    qtbot.waitUntil(lambda: controller.candidates_complete)
    release(qtbot, controller, tmp_path / "out.csv")
    note = panel.findChild(QLabel, "disclosure_note")
    assert note.isHidden()

    controller.commit(Delete(None, (0, 1)))
    qtbot.waitUntil(lambda: controller.candidates_complete)

    assert controller.removed_between == RemovedTargets(2, math.log(1.5))
    assert note.text().startswith("2 targets removed between releases, and so not counted")
    assert "×1.5 (0.405), ▲ over budget." in note.text()


@pytest.mark.parametrize(("tab", "proposed"), [(0, "disclosure.png"), (2, "disclosure.csv")])
def test_export_writes_the_file_asked_for(
    qtbot: QtBot, controller: Controller, tmp_path: Path, tab: int, proposed: str
) -> None:
    files = Files(tmp_path / "out.csv")
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller, files)
    show_tab(panel, qtbot, tab)

    with qtbot.waitSignal(controller.notice):
        qtbot.mouseClick(panel.findChild(QToolButton, "export_chart"), Qt.MouseButton.LeftButton)

    assert files.proposed[0].name == proposed
    assert files.path.read_text(encoding="utf-8").count("\n") == 5


def test_an_export_that_fails_says_why_in_one_sentence(
    qtbot: QtBot, controller: Controller, tmp_path: Path
) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller, Files(tmp_path / "chart.doc"))

    with qtbot.waitSignal(controller.problem) as problem:
        qtbot.mouseClick(panel.findChild(QToolButton, "export_chart"), Qt.MouseButton.LeftButton)

    assert ".png, .svg or .csv" in problem.args[0]


# --- the targets ---


def test_targets_are_listed_worst_first(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    model = panel.targets.model

    assert column(model, TargetModel.RECORD) == ["1", "2", "4", "5", "6", "7", "8", "3"]
    assert column(model, TargetModel.SET)[:2] == ["2 of 2", "2 of 2"]
    assert column(model, TargetModel.PRIOR)[:2] == ["2 of 3", "2 of 3"]
    assert column(model, TargetModel.DISCLOSURE) == ["×1.5", "×1.5", *["×1"] * 5, "↓"]
    assert column(model, TargetModel.STANDING)[0] == "▲ over budget"
    assert panel.findChild(QLabel, "targets_state").text() == "8 targets, 2 over budget"


def test_the_target_model_keeps_qts_rules(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    fail = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(panel.targets.model, fail)

    panel.targets.model.set_filter("HIV", True)
    panel.targets.model.sort(TargetModel.RECORD, Qt.SortOrder.DescendingOrder)
    panel.targets.model.show(None)

    assert tester.model() is panel.targets.model


def test_clicking_a_target_looks_at_it(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    view = panel.targets.view

    with qtbot.waitSignal(controller.selection_changed):
        place = view.visualRect(panel.targets.model.index(3, 1)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert controller.looked_at == (4, "HIV")


def test_enter_looks_at_the_current_target(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    view = panel.targets.view
    view.setFocus()

    qtbot.keyClick(view, Qt.Key.Key_Down)
    before = controller.target
    qtbot.keyClick(view, Qt.Key.Key_Return)

    assert before == 0
    assert controller.target == 1


def test_a_target_looked_at_from_elsewhere_is_selected_in_the_list(
    qtbot: QtBot, controller: Controller
) -> None:
    panel = open_targets(qtbot, controller)

    controller.select_target(2, "HIV")

    assert panel.targets.view.currentIndex().data(TARGET_ROLE) == 2


def test_the_filter_keeps_records_by_number_and_secrets_by_name(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    field = panel.findChild(QLineEdit, "targets_filter")
    model = panel.targets.model

    qtbot.keyClicks(field, "3")
    qtbot.waitUntil(lambda: column(model, TargetModel.RECORD) == ["3"])
    field.selectAll()
    qtbot.keyClicks(field, "hi")
    qtbot.waitUntil(lambda: model.rowCount() == 8)
    qtbot.keyClicks(field, "x")
    qtbot.waitUntil(lambda: model.rowCount() == 0)

    assert panel.findChild(QLabel, "targets_state").text() == "0 of 8 targets shown, 2 over budget"


def test_only_those_over_budget_are_kept_on_demand(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    box = panel.findChild(QCheckBox, "targets_only_over")

    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))

    assert column(panel.targets.model, TargetModel.RECORD) == ["1", "2"]


def test_clicking_a_head_sorts_by_it(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)
    header = panel.targets.view.horizontalHeader()

    place = QPoint(header.sectionPosition(TargetModel.RECORD) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert column(panel.targets.model, TargetModel.RECORD) == [str(i) for i in range(1, 9)]


def test_the_list_follows_the_plan(qtbot: QtBot, controller: Controller) -> None:
    panel = open_targets(qtbot, controller)

    controller.commit(Delete(None, (0, 1)))
    qtbot.waitUntil(lambda: panel.targets.model.total == 8)

    status = dict(
        zip(
            column(panel.targets.model, TargetModel.RECORD),
            column(panel.targets.model, TargetModel.STATUS),
            strict=True,
        )
    )
    assert status["1"] == "removed, no look-alikes"
    assert status["3"] == "in the release"


def test_targets_out_of_sight_are_not_worked_out(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    assert panel.targets.model.total == 0


@pytest.mark.parametrize("kind", ["release-only", "membership-aware", "plan-aware", "accumulating"])
def test_targets_agree_with_the_evidence_itself(kind: str) -> None:
    session = Session.load(sample("clinic.curation.json"))
    session.apply_saved(session.record.saved_steps[0].name)
    protection = session.protection
    session.set_protection(
        Protection(protection.visible, protection.secrets, None, protection.budget, Observer(kind))
    )
    standing = session.snapshot().standing()

    rows, found = target_rows(standing), evidence(standing)

    names = ("present", "lookalikes", "no_evidence")
    worst = np.where(np.isnan(found.e).all(axis=0), np.nan, np.fmax.reduce(found.e, axis=0))
    assert np.array_equal(rows.targets, found.targets)
    assert np.array_equal(rows.e, worst, equal_nan=True)
    assert np.array_equal(rows.n, found.n)
    assert np.array_equal(rows.k, found.k[rows.secret, np.arange(len(rows.k))])
    assert [names[s] for s in rows.status] == list(found.status)
    assert rows.over.sum() == standing.over_budget


def many(size: int) -> TargetRows:
    random = np.random.default_rng(3)
    n = random.integers(1, 50, size)
    k = random.integers(0, n + 1)
    with np.errstate(divide="ignore"):
        e = np.log(k / n / 0.3)
    return TargetRows(
        ("HIV",),
        0.2,
        np.arange(size),
        np.zeros(size, np.int64),
        e,
        k,
        n,
        k,
        n,
        np.zeros(size, np.int8),
        e > 0.2,
    )


def test_a_million_targets_are_listed_filtered_and_sorted(qtbot: QtBot) -> None:
    model = TargetModel()

    model.show(many(1_000_000))
    first = model.index(0, TargetModel.DISCLOSURE).data()
    model.set_filter("99999", True)

    assert first == "×3.33"
    assert 0 < model.rowCount() < 12
    assert all(r.replace("\u202f", "").startswith("99999") for r in column(model, TargetModel.RECORD))
    assert all(
        model.index(i, TargetModel.STANDING).data(STANDING_ROLE) is Standing.OVER
        for i in range(model.rowCount())
    )


def test_a_million_rows_are_not_selected_or_copied_but_a_few_are(qtbot: QtBot) -> None:
    model, view = TargetModel(), CopyTable()
    qtbot.addWidget(view)
    model.show(many(1_000_000))
    view.setModel(model)

    with qtbot.waitSignal(view.refused) as all_of_them:
        qtbot.keySequence(view, QKeySequence(QKeySequence.StandardKey.SelectAll))
    model.set_filter("99999", True)
    qtbot.keySequence(view, QKeySequence(QKeySequence.StandardKey.SelectAll))
    qtbot.keySequence(view, QKeySequence(QKeySequence.StandardKey.Copy))

    assert "too many to select" in all_of_them.args[0]
    assert QGuiApplication.clipboard().text().count("\n") == model.rowCount()


def test_a_listing_that_was_cancelled_says_so_and_begins_again_when_seen(
    qtbot: QtBot, controller: Controller
) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    show_tab(panel, qtbot, 1)
    controller.jobs.cancel("targets")
    state = panel.findChild(QLabel, "targets_state").text()
    show_tab(panel, qtbot, 0)
    show_tab(panel, qtbot, 1)

    assert state.startswith("Listing was cancelled;")
    qtbot.waitUntil(lambda: panel.targets.model.total == 8)


# --- the numbers ---


def test_the_numbers_are_those_of_the_trajectory(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)

    assert column(panel.model, 0) == ["0", "1", "2", "3"]
    assert column(panel.model, 2) == ["×1.5"] * 4
    assert panel.model.index(3, 3).data(Qt.ItemDataRole.ToolTipRole) == repr(math.log(1.5))
    assert panel.model.index(3, 0).data(Qt.ItemDataRole.FontRole).bold()
    assert panel.model.index(2, 0).data(Qt.ItemDataRole.FontRole) is None


def test_the_trajectory_model_keeps_qts_rules(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    model = TrajectoryModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show(controller.trajectory, 2, controller.describe)
    model.show(None, 0, controller.describe)

    assert tester.model() is model


def test_the_selected_rows_are_copied_as_tab_separated_text(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    show_tab(panel, qtbot, 2)
    flags = QItemSelectionModel.SelectionFlag
    panel.numbers.selectionModel().select(panel.model.index(1, 0), flags.Select | flags.Rows)

    qtbot.keySequence(panel.numbers, QKeySequence(QKeySequence.StandardKey.Copy))

    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert lines[0][:3] == ["Step", "What it does", "Disclosure"]
    assert [len(line) for line in lines] == [15, 15]
    assert lines[1][0] == "1"


def test_the_copy_button_copies_every_row_where_none_is_selected(
    qtbot: QtBot, controller: Controller
) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    show_tab(panel, qtbot, 2)

    qtbot.mouseClick(panel.findChild(QToolButton, "copy_numbers"), Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text().count("\n") == 4


def test_clicking_a_row_of_numbers_stands_at_its_prefix(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)
    panel = panel_on(qtbot, controller)
    show_tab(panel, qtbot, 2)

    place = panel.numbers.visualRect(panel.model.index(1, 1)).center()
    qtbot.mouseClick(panel.numbers.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert controller.session.position == 1


def test_a_series_ends_where_scoring_has_come_to(qtbot: QtBot, controller: Controller) -> None:
    open_paper(qtbot, controller)

    series = series_of(controller.trajectory, 9, None, controller.describe)

    assert series.position == 3
