"""The ladder editor: quantiles, ends, imports of another column's ladder, and where a ladder comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTableView,
    QTableWidget,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from curator_gui.core.errors import ViewError
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import STAR, Bins, Mapping, Prefix, Star, Width
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.ladder import LadderDialog
from curator_gui.gui.level_figures import coded_ends_typed, level_figures, quantiles_typed

LEFT = Qt.MouseButton.LeftButton
INPUTS = Path(__file__).parents[2] / ".." / "shared" / "inputs"
Open = Callable[[str, str], LadderDialog]


@pytest.fixture
def editor(controller: Controller, qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., LadderDialog]]:
    """The editor of a column of a table; ``imports``: the file its import will find."""

    def make(table: Path | str, column: str, imports: Path | str = "") -> LadderDialog:
        with qtbot.waitSignal(controller.session_changed):
            controller.open_path(written(table, "table.csv", tmp_path))
        ladder = written(imports, "ladder.csv", tmp_path) if imports else tmp_path / "absent.csv"
        dialog = LadderDialog(
            controller, column, choose_to_open=lambda *_: ladder, choose_to_save=lambda *_: ladder
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitExposed(dialog)
        return dialog

    yield make
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, LadderDialog) and widget.isVisible():
            widget.reject()


def written(content: Path | str, name: str, folder: Path) -> Path:
    if isinstance(content, Path):
        if not content.exists():
            pytest.skip("the shared inputs are not here")
        return content
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def said(dialog: LadderDialog) -> str:
    return dialog.findChild(QLabel, "ladder_said").text()


def choose(qtbot: QtBot, box: QComboBox, value: str) -> None:
    target = box.findData(value)
    while box.currentIndex() != target:
        qtbot.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < target else Qt.Key.Key_Up)


def level(dialog: LadderDialog, number: int, way: str, qtbot: QtBot, **fields: str) -> None:
    """Fill in one level of bins."""
    choose(qtbot, dialog.findChildren(QComboBox, "bins_way")[number], way)
    for name, text in fields.items():
        field = dialog.findChildren(QLineEdit, f"bins_{name}")[number]
        field.selectAll()
        qtbot.keyClick(field, Qt.Key.Key_Delete)
        qtbot.keyClicks(field, text)


def levels_shown(dialog: LadderDialog) -> list[list[str]]:
    table = dialog.findChild(QTableWidget, "ladder_levels")
    return [[table.item(r, c).text() for c in range(4)] for r in range(table.rowCount())]


def answer(words: str, seen: list[str]) -> None:
    """Press a button of the question that comes."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.extend([box.text(), box.informativeText(), box.defaultButton().text().replace("&", "")])
        next(b for b in box.buttons() if b.text().replace("&", "") == words).click()

    QTimer.singleShot(0, press)


AGES = "age,n\n" + "".join(f"{a},x\n" for a in range(20, 60))


# --- numbers ---


def test_quantiles_become_edges(editor, qtbot: QtBot) -> None:
    dialog = editor(AGES, "age")
    for _ in dialog.ladder.levels[1:-1]:
        qtbot.mouseClick(remove_buttons(dialog)[-1], LEFT)

    level(dialog, 0, "quantiles", qtbot, text="4")

    assert dialog.ladder.levels == (Bins((Decimal(30), Decimal(40), Decimal(50))), Star())
    assert levels_shown(dialog)[0][1:3] == ["4", "10"]


def remove_buttons(dialog: LadderDialog) -> list[QToolButton]:
    return [b for b in dialog.findChildren(QToolButton, "remove_level") if b.isVisible()]


def test_top_and_bottom_are_one_class_each(editor, qtbot: QtBot) -> None:
    dialog = editor(AGES, "age")
    for _ in dialog.ladder.levels[1:-1]:
        qtbot.mouseClick(remove_buttons(dialog)[-1], LEFT)

    level(dialog, 0, "ends", qtbot, text="10", origin="25", end="50")

    assert dialog.ladder.levels[0] == Bins(tuple(map(Decimal, (25, 35, 45, 50))))
    assert "< 25" in levels_shown(dialog)[0][0] or levels_shown(dialog)[0][1] == "5"


def test_a_bottom_above_the_top_is_refused_in_a_sentence(editor, qtbot: QtBot) -> None:
    dialog = editor(AGES, "age")

    level(dialog, 0, "ends", qtbot, text="10", origin="50", end="25")

    assert said(dialog) == "The bottom, 50, must be below the top, 25."
    assert not dialog.findChild(QPushButton, "accept_ladder").isEnabled()


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=60), st.integers(2, 6))
def test_quantiles_never_make_more_groups_than_asked(cells: list[int], groups: int) -> None:
    column = Column.of("n", [str(c) for c in cells], ColumnType("integer"))
    try:
        bins = quantiles_typed(str(groups), column)
    except ViewError:
        assert 2 * max(column.counts) >= len(cells) / groups
        return

    assert 2 <= level_figures(bins, column, None).classes <= groups


@pytest.mark.parametrize(
    ("width", "low", "high", "edges"),
    [
        ("", "20", "90", (20, 90)),
        ("", "20", "", (20,)),
        ("", "", "90", (90,)),
        ("40", "20", "90", (20, 60, 90)),
    ],
)
def test_ends_may_be_typed_in_part(width: str, low: str, high: str, edges: tuple[int, ...]) -> None:
    assert coded_ends_typed(width, low, high) == Bins(tuple(map(Decimal, edges)))


def test_a_ladder_is_a_definition_whatever_values_are_there(editor, qtbot: QtBot) -> None:
    dialog = editor(INPUTS / "19_interval_levels_collapse.csv", "age")
    for _ in range(len(remove_buttons(dialog)), 3):
        qtbot.mouseClick(dialog.findChild(QPushButton, "add_bins_level"), LEFT)
    for number, width in enumerate(("5", "10", "20")):
        level(dialog, number, "width", qtbot, text=width)

    assert dialog.ladder.levels == (*(Width(Decimal(w)) for w in (5, 10, 20)), Star())
    assert len(levels_shown(dialog)) == 4


# --- codes and origins ---


def test_codes_are_proposed_prefixes_that_need_no_click(editor) -> None:
    dialog = editor(INPUTS / "07_leading_zero_codes.csv", "zip")

    assert dialog.ladder.levels == (*(Prefix(n) for n in (4, 3, 2, 1)), Star())
    assert dialog.ladder.provenance == "proposed-from-data"


def test_an_edited_ladder_says_that_it_was_typed(editor, qtbot: QtBot) -> None:
    dialog = editor(INPUTS / "07_leading_zero_codes.csv", "zip")
    lengths = dialog.findChild(QLineEdit, "prefix_lengths")
    lengths.selectAll()
    qtbot.keyClicks(lengths, "3")

    assert dialog.ladder.levels == (Prefix(3), Star())
    assert dialog.ladder.provenance == "typed"


def origin(dialog: LadderDialog) -> str:
    return dialog.findChild(QLabel, "ladder_origin").text()


def test_where_a_ladder_comes_from_is_shown(editor, qtbot: QtBot) -> None:
    dialog = editor(INPUTS / "07_leading_zero_codes.csv", "zip")
    assert origin(dialog) == "proposed from the data"

    qtbot.keyClicks(dialog.findChild(QLineEdit, "prefix_lengths"), ", 0")
    assert origin(dialog) == "none"
    qtbot.keyClick(dialog.findChild(QLineEdit, "prefix_lengths"), Qt.Key.Key_Backspace)
    qtbot.keyClick(dialog.findChild(QLineEdit, "prefix_lengths"), Qt.Key.Key_Backspace)
    qtbot.keyClick(dialog.findChild(QLineEdit, "prefix_lengths"), Qt.Key.Key_Backspace)
    assert origin(dialog) == "proposed from the data"


# --- groups ---


def group_values(dialog: LadderDialog, label: str, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.findChild(QLineEdit, "group_label"), label)
    qtbot.mouseClick(dialog.findChild(QPushButton, "group_values"), LEFT)


def test_a_value_that_no_record_has_yet_can_be_listed_and_grouped(editor, qtbot: QtBot) -> None:
    dialog = editor("job\nnurse\nmedic\nclerk\n", "job")

    qtbot.keyClicks(dialog.findChild(QLineEdit, "new_value"), "midwife")
    qtbot.keyClick(dialog.findChild(QLineEdit, "new_value"), Qt.Key.Key_Return)
    group_values(dialog, "health", qtbot)

    first = dialog.ladder.levels[0]
    assert dict(first.pairs) == {"nurse": "nurse", "medic": "medic", "clerk": "clerk", "midwife": "health"}
    assert dialog.isVisible()


def test_values_are_found_by_typing_and_grouped_by_selecting(editor, qtbot: QtBot) -> None:
    dialog = editor("job\nnurse\nmedic\nclerk\nnurse aid\n", "job")

    qtbot.keyClicks(dialog.findChild(QLineEdit, "filter_values"), "NURSE")
    values = dialog.findChild(QTableView, "value_groups")
    assert values.model().rowCount() == 2
    values.setFocus()
    qtbot.keyClick(values, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    group_values(dialog, "care", qtbot)

    first = dialog.ladder.levels[0]
    assert [v for v, label in first.pairs if label == "care"] == ["nurse", "nurse aid"]


def test_a_ladder_keeps_what_it_says_of_values_that_no_record_has(editor, qtbot: QtBot) -> None:
    dialog = editor("job\nnurse\nmedic\n", "job", "nurse;care;*\nmedic;care;*\nclerk;clerk;*\n")
    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)
    assert origin(dialog) == "imported from a file"

    dialog.findChild(QTableView, "value_groups").selectRow(0)
    group_values(dialog, "health", qtbot)

    assert dict(dialog.ladder.levels[0].pairs) == {"nurse": "health", "medic": "care", "clerk": "clerk"}
    assert origin(dialog) == "typed here"


# --- exports ---


def test_a_ladder_is_never_exported_over_the_source(editor, controller, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = editor(TWO, "job", "unused")
    source = controller.session.source_path
    dialog._choose_to_save = lambda *_: source

    qtbot.mouseClick(dialog.findChild(QPushButton, "export_ladder"), LEFT)

    assert "is the source table;" in said(dialog)
    assert source.read_text() == TWO


# --- imports ---


def test_a_value_without_a_line_is_named_with_its_records(editor, controller, qtbot: QtBot) -> None:
    leaf = INPUTS / "16_occupation_hierarchy_missing_leaf.csv"
    dialog = editor(INPUTS / "16_occupation.csv", "occupation", leaf)
    before, seen = controller.session.record.hierarchies["occupation"], []
    answer("Put them under “*”", seen)

    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)

    assert f"“{leaf.name}” has no line for 1 of the 5 values of “occupation”." in seen
    assert "“tailor” (1 record)" in seen[1]
    assert seen[2] == "Cancel"
    first = dialog.ladder.levels[0]
    assert isinstance(first, Mapping)
    assert dict(first.pairs)["tailor"] == STAR
    assert controller.session.record.hierarchies["occupation"] == before

    with qtbot.waitSignal(controller.session_changed):
        qtbot.mouseClick(dialog.findChild(QPushButton, "accept_ladder"), LEFT)
    assert controller.session.record.hierarchies["occupation"].provenance == "imported"


def test_a_ladder_that_fits_no_column_says_so_and_nothing_is_replaced(editor, qtbot: QtBot) -> None:
    dialog = editor(INPUTS / "16_occupation.csv", "occupation", INPUTS / "16_workclass_hierarchy_wrong.csv")
    before, seen = dialog.ladder, []
    answer("Cancel", seen)

    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)

    assert seen[0].startswith("0 of 5 values of “occupation” matched")
    assert seen[1:] == ["It fits no column of this table.", "Cancel"]
    assert dialog.ladder == before


TWO = "job,ward\nnurse,N1\nmedic,N2\nclerk,S1\n"
WARDS = "N1;North;*\nN2;North;*\nS1;South;*\n"


def test_the_column_that_a_ladder_fits_is_named(editor, qtbot: QtBot) -> None:
    dialog = editor(TWO, "job", WARDS)
    seen: list[str] = []
    answer("Cancel", seen)

    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)

    assert seen[1:] == ["It fits “ward”.", "Cancel"]


def test_the_ladder_of_another_column_can_be_edited_there(editor, controller, qtbot: QtBot) -> None:
    dialog = editor(TWO, "job", WARDS)
    answer("Edit “ward” with it", [])

    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)
    other = next(w for w in QApplication.topLevelWidgets() if isinstance(w, LadderDialog) and w.isVisible())

    assert not dialog.isVisible()
    assert other.windowTitle() == "Ladder of “ward”"
    assert dict(other.ladder.levels[0].pairs)["N2"] == "North"
    assert controller.session.record.hierarchies["ward"] != other.ladder
    other.reject()


def test_a_ladder_that_parts_what_it_merged_is_refused_with_the_witness(editor, qtbot: QtBot) -> None:
    dialog = editor(AGES, "age", INPUTS / "17_hierarchy_not_nested.csv")

    qtbot.mouseClick(dialog.findChild(QPushButton, "import_ladder"), LEFT)

    assert "5 and 7 share [5,10[ at level 1 but differ at level 2" in said(dialog)
