"""The table: what it shows before, after and in between, and how one moves in it."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QPushButton, QToolButton

from curator_gui.core.operators import Delete, Generalize, Project, Replace
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.preparation import Source
from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.core.view import Bins, Identity
from curator_gui.core.view import Prefix as FirstCharacters
from curator_gui.gui.controller import Controller
from curator_gui.gui.figures import figures_of, figures_shown, ranks
from curator_gui.gui.models.table import SourceRowRole, TableModel
from curator_gui.gui.panels.table import TablePanel
from curator_gui.gui.sheet import difference_sheet, prepared_sheet, source_sheet
from curator_gui.gui.table_view import RowMarks

SOURCE = Source(
    Table.of(
        [
            Column.of("age", ["30", "9", None, "100", "x", "9"], ColumnType("integer")),
            Column.of("drug", ["ART", "art\tb", "", "Met", "Met", None]),
        ]
    )
)
PLAN = (
    Delete(None, (1,)),
    Generalize("drug", FirstCharacters(1)),
    Replace("age", "0", parse_predicate("age = 100")),
)
HERE = SOURCE.prefixes(PLAN)[-1]


def everything(sheet) -> list[list[str | None]]:
    rows = sheet.rows_at(0, sheet.height)
    return [sheet.texts(c, rows) for c in range(len(sheet.columns))]


# --- sheets ---


def test_before_shows_the_source() -> None:
    assert everything(source_sheet(HERE))[0] == ["30", "9", None, "100", "x", "9"]


def test_after_shows_the_present_rows_through_their_views() -> None:
    assert everything(prepared_sheet(HERE)) == [["30", None, "0", "x", "9"], ["A", "", "M", "M", None]]


def test_a_difference_shows_every_change_and_removed_row() -> None:
    sheet = difference_sheet(HERE)
    rows = sheet.rows_at(0, sheet.height)

    assert [i for i, change in enumerate(sheet.changes(0, rows)) if change] == [3]
    assert sheet.changes(1, rows)[3] == ("Met", "M")
    assert sheet.removed_at(rows) == [False, True, False, False, False, False]


def test_a_dropped_column_stays_in_the_difference_alone() -> None:
    prefix = SOURCE.prefixes((Project(("age",)),))[-1]

    assert [c.name for c in prepared_sheet(prefix).columns] == ["drug"]
    assert difference_sheet(prefix).is_dropped(0)


def test_numbers_sort_by_value_with_unreadable_ones_and_missing_last() -> None:
    column = source_sheet(HERE).sorted_by(0)

    assert everything(column)[0] == ["9", "9", "30", "100", "x", None]


def test_falling_order_keeps_missing_last_and_ties_in_the_order_of_the_source() -> None:
    sheet = source_sheet(HERE).sorted_by(0, descending=True)

    assert everything(sheet)[0] == ["x", "100", "30", "9", "9", None]
    assert sheet.rows_at(3, 5).tolist() == [1, 5]


def test_sorting_by_nothing_restores_the_order_of_the_source() -> None:
    assert prepared_sheet(HERE).sorted_by(0).sorted_by(None).rows.tolist() == [0, 2, 3, 4, 5]


CELLS = st.lists(st.sampled_from(["a", "ab", "B", "10", "9", None]), min_size=1, max_size=12)


@given(CELLS, st.sampled_from(["a", "b", "1", "zz"]), st.integers(0, 11), st.booleans())
def test_finding_forwards_visits_every_cell_that_holds_the_text_and_no_other(
    cells: list[str | None], needle: str, start: int, forwards: bool
) -> None:
    sheet = source_sheet(Source(Table.of([Column.of("x", cells)])).prefix_0())
    expected = {i for i, c in enumerate(cells) if c is not None and needle in c.casefold()}
    search, at, found = sheet.search(needle), (start % len(cells), 0), []
    for _ in expected:
        at = search.next(*at, forwards=forwards)
        found.append(at[0])

    assert len(found) == len(set(found))
    assert set(found) == expected
    assert bool(expected) or search.next(*at, forwards=forwards) is None


@given(CELLS)
def test_ranks_are_an_order_of_the_distinct_values(cells: list[str | None]) -> None:
    column = Column.of("x", cells, ColumnType("integer"))
    assert sorted(ranks(column).tolist()) == list(range(len(column.values)))


def test_figures_count_distinct_and_missing_values() -> None:
    figures = figures_of(SOURCE.table["age"])
    assert (figures.records, figures.distinct, figures.missing, max(figures.bars)) == (6, 4, 1, 1.0)


def test_figures_of_a_prepared_column_leave_removed_rows_out() -> None:
    figures = figures_shown(HERE.shown[1], HERE)
    assert (figures.records, figures.distinct, figures.missing) == (5, 3, 1)


def test_bars_of_bins_stand_in_the_order_of_the_numbers() -> None:
    cells = ["90"] * 2 + ["5"] * 4 + ["50"]
    source = Source(Table.of([Column.of("n", cells, ColumnType("integer"))]))
    prefix = source.prefixes((Generalize("n", Bins((Decimal(10), Decimal(60)))),))[-1]

    assert figures_shown(prefix.shown[0], prefix).bars == (1.0, 0.25, 0.5)


# --- the model ---


@pytest.mark.parametrize("sheet_of", [source_sheet, prepared_sheet, difference_sheet])
def test_the_model_keeps_the_rules_of_item_models(qtbot, sheet_of) -> None:
    model = TableModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show(sheet_of(HERE))
    model.show(sheet_of(HERE).sorted_by(0))

    child = model.index(0, 0)
    assert (model.rowCount(child), model.columnCount(child)) == (0, 0)
    assert model.rowCount(QModelIndex()) == sheet_of(HERE).height


def test_the_model_says_in_words_what_became_of_a_cell() -> None:
    model = TableModel()
    model.show(difference_sheet(HERE))
    spoken = Qt.ItemDataRole.AccessibleTextRole

    assert model.index(3, 0).data() == "100 → 0"
    assert model.index(1, 1).data(spoken) == "art\tb (record 2 was removed)"
    assert model.index(2, 0).data(spoken) == "missing"


# --- the panel ---


@pytest.fixture
def controller(qtbot):
    controller = Controller()
    with qtbot.waitSignal(controller.session_changed):
        controller.open_sample("paper.curation.json")
    qtbot.waitUntil(lambda: controller.candidates_complete)
    yield controller
    controller.shutdown()


@pytest.fixture
def panel(controller, qtbot):
    panel = TablePanel(controller)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def click(qtbot, panel, kind, name) -> None:
    qtbot.mouseClick(panel.findChild(kind, name), Qt.MouseButton.LeftButton)


def caption(panel) -> str:
    return panel.findChild(QLabel, "table_caption").line.replace("\u202f", " ")


def click_cell(qtbot, panel, row: int, column: int) -> None:
    at = panel.view.visualRect(panel.model.index(row, column)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def click_header(qtbot, panel, column: int) -> None:
    header = panel.view.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(column) + 20, 10)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_the_segments_switch_what_is_shown(panel, controller, qtbot) -> None:
    assert caption(panel) == "After 3 steps: 8 of 8 records, 4 of 5 columns"

    click(qtbot, panel, QToolButton, "table_before")

    table = controller.session.table
    assert panel.model.sheet.kind == "before"
    assert caption(panel) == f"The source as opened: {table.rows} records, {len(table.columns)} columns"


def test_a_previewed_step_is_applied_and_named(panel, controller, qtbot) -> None:
    drop = next(c for c in controller.candidates if isinstance(c.operator, Project))
    width = panel.model.columnCount()

    controller.set_preview(drop)

    assert panel.model.columnCount() == width - 1
    label = controller.describe(drop.operator)
    assert caption(panel).startswith(f"Preview: {label} · ")
    heading = panel.findChild(QLabel, "table_caption")
    assert f"After 3 steps and the preview of “{label}”" in heading.toolTip()


def test_a_previewed_column_is_brought_into_sight_and_marked(panel, controller, qtbot) -> None:
    panel.resize(240, 400)
    header = panel.view.horizontalHeader()
    last = panel.model.sheet.columns[-1].name
    assert header.sectionViewportPosition(panel.model.columnCount() - 1) > panel.view.viewport().width()
    click(qtbot, panel, QToolButton, "table_difference")

    controller.score_own(Project((last,)))
    qtbot.waitUntil(lambda: controller.preview is not None)

    names = [c.name for c in panel.model.sheet.columns]
    left = header.sectionViewportPosition(names.index(last))
    assert 0 <= left < panel.view.viewport().width()
    assert header.previewed == {last}
    controller.set_preview(None)
    assert not header.previewed


def test_a_third_click_on_a_header_restores_the_order(panel, qtbot) -> None:
    def order() -> list[int]:
        return [panel.model.index(r, 0).data(SourceRowRole) for r in range(panel.model.rowCount())]

    first = order()
    click_header(qtbot, panel, 1)
    rising = order()
    click_header(qtbot, panel, 1)
    falling = order()
    click_header(qtbot, panel, 1)

    assert order() == first
    assert sorted(rising) == sorted(falling) == first
    assert rising != falling


def test_find_goes_from_cell_to_cell_and_says_when_there_is_none(panel, qtbot) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.keyClick(panel.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    text = panel.findChild(QLineEdit, "find_text")
    assert text.isVisible()

    needle = panel.model.index(2, 1).data()
    qtbot.keyClicks(text, needle)
    qtbot.keyClick(text, Qt.Key.Key_Return)
    assert needle.casefold() in panel.view.currentIndex().data().casefold()

    text.selectAll()
    qtbot.keyClicks(text, "no such value")
    qtbot.keyClick(text, Qt.Key.Key_Return)
    assert panel.findChild(QLabel, "find_said").text() == "Not found"

    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert not text.isVisible()


def test_the_selection_is_copied_as_tab_separated_values(panel, qtbot) -> None:
    click_cell(qtbot, panel, 0, 0)
    at = panel.view.visualRect(panel.model.index(1, 1)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, at)

    qtbot.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    cells = [[panel.model.index(r, c).data() for c in range(2)] for r in range(2)]
    assert QGuiApplication.clipboard().text() == "\n".join("\t".join(line) for line in cells)


def test_cells_with_tabs_or_quotes_are_quoted_when_copied() -> None:
    assert list(source_sheet(HERE).lines([1, 5], [0, 1])) == ['9\t"art\tb"', "9\t"]


def test_the_records_that_look_like_the_target_are_marked(panel, controller, qtbot) -> None:
    look = controller.look()
    legend = panel.findChild(QLabel, "table_legend")

    assert legend.isVisible()
    assert f"record {look.target + 1}" in legend.line
    assert panel.view.marks.rows.tolist() == look.profile[look.before].tolist()


def test_marks_tell_who_stays_joins_and_leaves() -> None:
    profile = np.array([1, 3, 5, 7])
    marks = RowMarks(1, profile, np.array([1, 1, 0, 0], bool), np.array([1, 0, 1, 0], bool))

    assert marks.of(np.arange(9)) == ["", "●", "", "−", "", "+", "", "", ""]
    assert marks.counts == (1, 1, 1)


def test_next_marked_goes_to_a_marked_record(panel, controller, qtbot) -> None:
    click(qtbot, panel, QPushButton, "next_marked")

    row = panel.view.currentIndex().data(SourceRowRole)
    assert row in panel.view.marks.rows


def test_return_looks_at_the_record_under_the_cursor(panel, controller, qtbot) -> None:
    click_cell(qtbot, panel, 1, 0)

    with qtbot.waitSignal(controller.selection_changed):
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)

    assert controller.target == 1


@pytest.mark.qt_log_ignore("does not support (raise|grabbing|propagate)", extend=True)
def test_the_menu_of_a_cell_previews_deleting_its_record(panel, controller, qtbot) -> None:
    at = panel.view.visualRect(panel.model.index(0, 0)).center()
    panel.view.customContextMenuRequested.emit(at)
    menu = panel.findChild(QMenu, "cell_menu")
    delete = next(a for a in menu.actions() if a.text() == "Delete record 1")

    with qtbot.waitSignal(controller.preview_changed):
        delete.trigger()
    menu.close()

    assert controller.preview.operator == Delete(None, (0,))


def test_closing_the_session_empties_the_table(panel, controller) -> None:
    controller.close_session()
    assert (panel.model.rowCount(), panel.model.columnCount()) == (0, 0)


def test_a_hidden_panel_is_read_when_it_is_shown(controller, qtbot) -> None:
    panel = TablePanel(controller)
    qtbot.addWidget(panel)
    assert panel.model.rowCount() == 0

    panel.show()

    assert panel.model.rowCount() == controller.session.table.rows


@pytest.mark.parametrize("kind", ["before", "after", "difference"])
def test_every_reading_paints(panel, controller, kind, qtbot) -> None:
    controller.commit(Delete(None, (0,)))
    panel.show_kind(kind)
    panel.view.selectAll()

    image = panel.grab().toImage()

    assert not image.isNull()
    assert panel.model.sheet.kind == kind


def test_view_of_identity_is_no_change() -> None:
    prefix = SOURCE.prefixes((Generalize("drug", Identity()),))[-1]
    rows = np.arange(6)
    assert difference_sheet(prefix).changes(1, rows) == [None] * 6
