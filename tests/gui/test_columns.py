"""The list of columns: what it says, how it is edited, what its menu does."""

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QMenu

from curator_gui.core.column_type import ColumnType
from curator_gui.core.operators import Generalize, Project
from curator_gui.core.table import Column
from curator_gui.core.view import Level
from curator_gui.gui.column_facts import ColumnFacts, facts_of
from curator_gui.gui.controller import Controller
from curator_gui.gui.counting import Counting
from curator_gui.gui.figures import figures_of
from curator_gui.gui.models.columns import ColumnsModel, FactsRole, Field, SortRole
from curator_gui.gui.panels.columns import ColumnsPanel

POPUP_NOISE = pytest.mark.qt_log_ignore("does not support (raise|grabbing|propagate)", extend=True)


@pytest.fixture
def controller(qtbot):
    controller = Controller()
    with qtbot.waitSignal(controller.session_changed):
        controller.open_sample()
    qtbot.waitUntil(lambda: controller.candidates_complete, timeout=20_000)
    yield controller
    controller.shutdown()


@pytest.fixture
def panel(controller, qtbot):
    panel = ColumnsPanel(controller)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def row_of(panel: ColumnsPanel, name: str) -> int:
    rows = range(panel.proxy.rowCount())
    return next(r for r in rows if panel.proxy.index(r, 0).data(FactsRole).name == name)


def text(panel: ColumnsPanel, name: str, field: Field) -> str:
    return panel.proxy.index(row_of(panel, name), field).data().replace("\u202f", " ")


def point(panel: ColumnsPanel, name: str, field: Field) -> QPoint:
    index = panel.proxy.index(row_of(panel, name), field)
    panel.view.scrollTo(index)
    return panel.view.visualRect(index).center()


def menu_of(panel: ColumnsPanel, name: str) -> QMenu:
    panel.view.customContextMenuRequested.emit(point(panel, name, Field.NAME))
    return panel.findChild(QMenu, "column_menu")


def trigger(menu: QMenu, words: str) -> None:
    next(a for a in menu.actions() if a.text() == words).trigger()
    menu.window().close()


def test_each_column_is_said_at_a_glance(panel) -> None:
    said = [text(panel, "age", field) for field in Field]
    assert said == ["age", "whole number", "as it is", "10 · 20 · *", "85", "0.5 %", "1", ""]


def test_roles_are_told_in_words(panel, controller) -> None:
    roles = {f.name: f.roles for f in facts_of(controller.session, controller.session.prefix) if f.roles}
    assert roles == {
        "record_id": "identifier",
        "age": "visible",
        "sex": "visible",
        "zip": "visible",
        "diagnosis": "secret",
    }


def test_the_current_view_follows_the_plan(panel, controller) -> None:
    controller.commit(Generalize("age", Level(2)))
    controller.commit(Project(("cost",)))

    assert text(panel, "age", Field.VIEW) == "by 20"
    assert text(panel, "cost", Field.VIEW) == "dropped"


def test_the_filter_shows_matching_columns_alone(panel, qtbot) -> None:
    qtbot.keyClicks(panel.findChild(QLineEdit, "filter_columns"), "AD")
    assert [panel.proxy.index(r, 0).data() for r in range(panel.proxy.rowCount())] == ["admitted"]


def test_clicking_a_header_sorts_by_numbers_as_numbers(panel, qtbot) -> None:
    header = panel.view.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(Field.DISTINCT) + 10, 8)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)

    keys = [panel.proxy.index(r, Field.DISTINCT).data(SortRole) for r in range(panel.proxy.rowCount())]
    assert keys == sorted(keys)


def test_a_weight_is_edited_in_place(panel, controller, qtbot) -> None:
    at = point(panel, "age", Field.WEIGHT)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    spin = panel.findChild(QDoubleSpinBox, "column_weight")
    spin.selectAll()
    with qtbot.waitSignal(controller.session_changed):
        qtbot.keyClicks(spin, "2.5")
        qtbot.keyClick(spin, Qt.Key.Key_Return)

    assert controller.session.record.weights["age"] == 2.5
    assert text(panel, "age", Field.WEIGHT) == "2.5"


@POPUP_NOISE
def test_a_type_is_chosen_from_a_list_in_place(panel, controller, qtbot) -> None:
    panel.view.setCurrentIndex(panel.proxy.index(row_of(panel, "smoker"), Field.TYPE))
    qtbot.keyClick(panel.view, Qt.Key.Key_F2)
    combo = panel.findChild(QComboBox, "column_kind")
    with qtbot.waitSignal(controller.session_changed):
        qtbot.keyClick(combo.view(), Qt.Key.Key_Home)
        qtbot.keyClick(combo.view(), Qt.Key.Key_Return)

    assert controller.session.table["smoker"].type.kind == "text"


def test_a_type_the_ladder_forbids_is_refused_in_a_sentence(panel, controller, qtbot) -> None:
    index = panel.model.index([c.name for c in controller.session.table.columns].index("age"), Field.TYPE)
    with qtbot.waitSignal(controller.problem) as refused:
        panel.model.setData(index, "text")

    assert "age" in refused.args[0]
    assert controller.session.table["age"].type.kind == "integer"


@POPUP_NOISE
def test_the_menu_previews_dropping_a_column(panel, controller, qtbot) -> None:
    with qtbot.waitSignal(controller.preview_changed):
        trigger(menu_of(panel, "medication"), "Drop this column")

    assert controller.preview.operator == Project(("medication",))


@POPUP_NOISE
def test_the_menu_previews_a_level_of_the_ladder(panel, controller, qtbot) -> None:
    levels = next(a.menu() for a in menu_of(panel, "zip").actions() if a.text() == "Generalize")
    with qtbot.waitSignal(controller.preview_changed):
        trigger(levels, "1: 3 characters")
    panel.findChild(QMenu, "column_menu").close()

    assert controller.preview.operator == Generalize("zip", Level(1))


@POPUP_NOISE
@pytest.mark.parametrize(
    "given",
    [
        ("Visible to the observer", "ward", "visible"),
        ("Visible to the observer", "sex", ""),
        ("Identifies a person", "cost", "identifier"),
        ("Protect every value", "smoker", "secret"),
    ],
)
def test_the_menu_gives_and_takes_roles(panel, controller, qtbot, given) -> None:
    words, column, roles = given
    with qtbot.waitSignal(controller.session_changed):
        trigger(menu_of(panel, column), words)

    facts = facts_of(controller.session, controller.session.prefix)
    assert next(f.roles for f in facts if f.name == column) == roles


@POPUP_NOISE
def test_a_dropped_column_cannot_be_dropped_again(panel, controller, qtbot) -> None:
    controller.commit(Project(("cost",)))
    menu = menu_of(panel, "cost")
    drop = next(a for a in menu.actions() if a.text() == "Drop this column")
    menu.close()

    assert not drop.isEnabled()


def test_large_columns_are_counted_in_a_thread_and_arrive(controller, qtbot) -> None:
    codes = np.zeros(300_000, np.uint8)
    codes[:3] = 1
    column = Column("x", codes, np.array(["a", None], object))
    counting = Counting.of(controller)

    with qtbot.waitSignal(counting.counted):
        assert counting.source(column) is None

    assert counting.source(column) == figures_of(column)
    assert Counting.of(controller) is counting


def fact(name: str) -> ColumnFacts:
    return ColumnFacts(name, "integer", False, False, False, "", "", "10 · *", 1.0)


def test_the_model_keeps_the_rules_of_item_models(qtbot) -> None:
    model = ColumnsModel(figures_of)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    columns = [Column.of(n, ["1", "2", None], ColumnType("integer")) for n in "abc"]

    model.show(columns, [fact(n) for n in "abc"])
    model.show(columns, [fact(n) for n in "abc"])
    model.show(columns[:1], [fact("a")])

    assert model.rowCount() == 1
    assert model.rowCount(model.index(0, 0)) == 0


def test_five_thousand_columns_are_shown_in_a_moment(controller, qtbot) -> None:
    panel = ColumnsPanel(controller)
    qtbot.addWidget(panel)
    panel.show()
    names = [f"column {i}" for i in range(5000)]
    columns = [Column.of(n, ["1", "2", None], ColumnType("integer")) for n in names]
    started = time.perf_counter()

    panel.model.show(columns, [fact(n) for n in names])
    panel.view.scrollToBottom()
    panel.grab()

    assert time.perf_counter() - started < 2
