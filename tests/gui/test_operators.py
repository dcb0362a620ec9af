"""Steps of the curator's own, and ladders: filled in, scored or measured, then committed."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QTableView,
    QTableWidget,
)

from curator_gui.core.errors import InputError, ViewError
from curator_gui.core.operators import Delete, Generalize, Project, Replace, Select
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import Bins, DatePart, Level, Mapping, Star, Width
from curator_gui.core.view import Prefix as FirstCharacters
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.ladder import LadderDialog
from curator_gui.gui.dialogs.operators import OperatorDialog
from curator_gui.gui.level_figures import bins_typed, lengths_typed, level_figures, width_typed
from curator_gui.gui.models.groups import GroupsModel
from curator_gui.gui.operator_edits import as_ranges, rows_typed


@pytest.fixture
def controller(qtbot):
    controller = Controller()
    with qtbot.waitSignal(controller.session_changed):
        controller.open_sample()
    qtbot.waitUntil(lambda: controller.candidates_complete, timeout=20_000)
    yield controller
    controller.shutdown()


def opened(dialog, qtbot):
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def scored(dialog: OperatorDialog, qtbot) -> OperatorDialog:
    qtbot.waitUntil(lambda: dialog.strip.candidate is not None)
    return dialog


def click(qtbot, parent, kind, name) -> None:
    qtbot.mouseClick(parent.findChild(kind, name), Qt.MouseButton.LeftButton)


def choose(qtbot, combo: QComboBox, data: object) -> None:
    """Move to an entry with the keys, as a person would."""
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(max(combo.findData(data), combo.findText(str(data)))):
        qtbot.keyClick(combo, Qt.Key.Key_Down)


def listed(view: QListView) -> list[str]:
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


# --- steps of one's own ---


def test_ticked_columns_are_dropped(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "drop"), qtbot)
    columns = dialog.findChild(QListView, "columns_to_drop")
    assert not dialog.findChild(QPushButton, "commit_own").isEnabled()
    for name in ("cost", "ward"):
        columns.setCurrentIndex(columns.model().index(listed(columns).index(name), 0))
        qtbot.keyClick(columns, Qt.Key.Key_Space)

    click(qtbot, scored(dialog, qtbot), QPushButton, "commit_own")

    assert controller.session.plan == (Project(("ward", "cost")),)
    assert not dialog.isVisible()


def test_the_columns_to_drop_say_which_identify_and_which_hold_a_secret(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "drop"), qtbot)
    columns = dialog.findChild(QListView, "columns_to_drop")

    texts = listed(columns)

    assert "record_id · identifier" in texts
    assert "diagnosis · holds a secret" in texts
    assert "age · known beforehand" in texts
    assert "ward" in texts
    assert columns.sizeHintForRow(0) >= 24


def test_a_ticked_column_stays_ticked_while_the_list_is_filtered(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "drop", columns=("ward",)), qtbot)
    columns = dialog.findChild(QListView, "columns_to_drop")
    QAbstractItemModelTester(columns.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)

    qtbot.keyClicks(dialog.findChild(QLineEdit, "filter_columns"), "cos")

    assert listed(columns) == ["cost"]
    assert dialog.operator == Project(("ward",))


def test_a_step_shows_its_score_before_it_is_committed(controller, qtbot) -> None:
    dialog = scored(opened(OperatorDialog(controller, "drop", columns=("medication",)), qtbot), qtbot)

    head = dialog.findChild(QLabel, "score_head").text()

    assert dialog.strip.candidate.operator == Project(("medication",))
    assert "Disclosure ×" in head
    assert "utility" in head
    assert controller.session.plan == ()


def test_what_the_dialog_scores_is_what_is_computed_after_the_commit(controller, qtbot) -> None:
    where = parse_predicate("age < 30")
    dialog = scored(opened(OperatorDialog(controller, "delete", where=where), qtbot), qtbot)
    alpha = dialog.strip.candidate.alpha

    click(qtbot, dialog, QPushButton, "commit_own")
    qtbot.waitUntil(lambda: len(controller.trajectory.prefixes) == 2)

    assert controller.trajectory.last.alpha == alpha


def test_a_step_can_be_put_among_the_next_steps_and_previewed(controller, qtbot) -> None:
    dialog = scored(opened(OperatorDialog(controller, "drop", columns=("zip", "ward")), qtbot), qtbot)

    with qtbot.waitSignal(controller.preview_changed):
        click(qtbot, dialog, QPushButton, "add_own")

    assert controller.preview.operator == Project(("ward", "zip"))
    assert controller.is_own(controller.preview)


def test_typed_bins_generalize_a_number(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "generalize", columns=("age",)), qtbot)
    choose(qtbot, dialog.findChild(QComboBox, "view_way"), "bins")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "view_edges"), "18, 65")

    assert dialog.operator == Generalize("age", Bins((Decimal(18), Decimal(65))))
    assert dialog.findChild(QLabel, "view_figures").text().startswith("4 classes")


def test_edges_that_do_not_rise_are_refused_inline(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "generalize", columns=("age",)), qtbot)
    choose(qtbot, dialog.findChild(QComboBox, "view_way"), "bins")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "view_edges"), "65, 18")

    assert dialog.operator is None
    assert "must strictly increase" in dialog.findChild(QLabel, "view_figures").text()
    assert not dialog.findChild(QPushButton, "commit_own").isEnabled()


def test_selected_values_become_one_group(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "generalize", columns=("smoker",)), qtbot)
    choose(qtbot, dialog.findChild(QComboBox, "view_way"), "groups")
    dialog.findChild(QTableView, "value_groups").selectAll()
    qtbot.keyClicks(dialog.findChild(QLineEdit, "group_label"), "either")
    click(qtbot, dialog, QPushButton, "group_values")

    assert dict(dialog.operator.view.pairs) == {"no": "either", "yes": "either"}


def test_records_are_kept_by_a_condition(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "select", where=parse_predicate("consent = 'yes'")), qtbot)

    click(qtbot, scored(dialog, qtbot), QPushButton, "commit_own")

    assert controller.session.plan == (Select(parse_predicate("consent = 'yes'")),)


def test_typed_records_are_deleted_counting_from_one(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "delete-records"), qtbot)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "records_to_delete"), "3, 5-6")

    assert dialog.operator == Delete(None, (2, 4, 5))


def test_a_record_that_does_not_exist_is_refused_inline(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "delete-records"), qtbot)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "records_to_delete"), "5001")

    assert dialog.operator is None
    assert dialog.findChild(QLabel, "score_head").text().startswith("There is no record 5001")


def test_values_are_replaced_where_a_condition_holds(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "replace", columns=("ward",)), qtbot)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "replace_value"), "North 1")
    choose(qtbot, dialog.findChild(QComboBox, "test_column"), "sex")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "test_value"), "F")
    qtbot.waitUntil(lambda: dialog.operator is not None)

    assert dialog.operator == Replace("ward", "North 1", parse_predicate("sex = 'F'"))

    click(qtbot, dialog, QRadioButton, "replace_missing")
    assert dialog.operator.value is None


def test_cancelling_changes_nothing_and_leaves_no_job(controller, qtbot) -> None:
    dialog = opened(OperatorDialog(controller, "drop", columns=("zip",)), qtbot)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: not controller.jobs.running)
    assert controller.session.plan == ()
    assert controller.preview is None


@given(st.sets(st.integers(0, 60), min_size=1))
def test_rows_survive_being_written_as_ranges(rows: set[int]) -> None:
    assert rows_typed(as_ranges(sorted(rows)), 61) == tuple(sorted(rows))


@pytest.mark.parametrize("text", ["", "0", "7", "2-1", "a", "1.5", "-1"])
def test_other_texts_are_no_records(text: str) -> None:
    with pytest.raises(InputError):
        rows_typed(text, 6)


# --- views as typed ---


def test_views_are_read_as_typed() -> None:
    assert bins_typed(" 1.5; 3 ") == Bins((Decimal("1.5"), Decimal(3)))
    assert width_typed("10", "5") == Width(Decimal(10), Decimal(5))
    assert lengths_typed("1, 3, 2") == tuple(map(FirstCharacters, (3, 2, 1)))


@pytest.mark.parametrize("text", ["", "x", "1e3", "1,5 x"])
def test_texts_that_are_no_numbers_are_refused(text: str) -> None:
    with pytest.raises(ViewError):
        bins_typed(text)


def test_the_figures_of_a_level_are_its_classes_and_entropy() -> None:
    column = Column.of("n", ["1", "2", "11", "11"], ColumnType("integer"))

    figures = level_figures(Width(Decimal(10)), column, None)

    assert (figures.classes, figures.smallest, figures.kept) == (2, 2, pytest.approx(2 / 3))
    assert figures.examples == ("[0, 10)", "[10, 20)")
    assert level_figures(Star(), column, None).kept == 0


def test_the_groups_model_keeps_the_rules_of_item_models(qtbot) -> None:
    model = GroupsModel(Column.of("x", ["a", "b", None, "b"]))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.put([0, 1], 0, "letters")
    model.add_level()
    model.put([0], 1, "top")
    model.setData(model.index(2, 2), "none")
    model.remove_level()

    assert model.groups(0) == {"b": "letters", "a": "letters", None: "none"}


# --- ladders ---


def ladder_dialog(controller, qtbot, column: str, **files) -> LadderDialog:
    return opened(LadderDialog(controller, column, **files), qtbot)


def said(dialog: LadderDialog) -> str:
    return dialog.findChild(QLabel, "ladder_said").text()


@pytest.mark.parametrize("column", ["age", "zip", "admitted", "ward", "medication", "cost", "sex"])
def test_the_form_gives_back_the_ladder_it_was_given(controller, qtbot, column) -> None:
    dialog = ladder_dialog(controller, qtbot, column)
    ladder = controller.session.record.hierarchies.get(column)

    assert (dialog.ladder and dialog.ladder.levels) == (ladder and ladder.levels)


def test_a_level_is_added_measured_and_accepted(controller, qtbot) -> None:
    dialog = ladder_dialog(controller, qtbot, "age")
    click(qtbot, dialog, QPushButton, "add_bins_level")
    assert said(dialog) == "Type a width, such as 10."
    qtbot.keyClicks(dialog.findChildren(QLineEdit, "bins_text")[-1], "40")
    levels = dialog.findChild(QTableWidget, "ladder_levels")
    assert [levels.item(r, 0).text()[:8] for r in range(3)] == ["1: by 10", "2: by 20", "3: by 40"]

    with qtbot.waitSignal(controller.session_changed):
        click(qtbot, dialog, QPushButton, "accept_ladder")

    assert controller.session.record.hierarchies["age"].levels[2] == Width(Decimal(40))


def test_levels_that_do_not_nest_are_refused_with_a_witness(controller, qtbot) -> None:
    dialog = ladder_dialog(controller, qtbot, "age")
    text = dialog.findChildren(QLineEdit, "bins_text")[1]
    text.selectAll()
    qtbot.keyClicks(text, "15")

    assert "a ladder may only merge classes" in said(dialog)
    assert not dialog.findChild(QPushButton, "accept_ladder").isEnabled()


def test_parts_of_a_date_are_ticked(controller, qtbot) -> None:
    dialog = ladder_dialog(controller, qtbot, "admitted")
    for name in ("date_quarter", "date_star"):
        qtbot.keyClick(dialog.findChild(QCheckBox, name), Qt.Key.Key_Space)

    assert dialog.ladder.levels == (DatePart("month"), DatePart("year"))


def test_a_ladder_the_plan_uses_cannot_be_taken_away(controller, qtbot) -> None:
    controller.commit(Generalize("cost", Level(2)))
    dialog = ladder_dialog(controller, qtbot, "cost")
    choose(qtbot, dialog.findChild(QComboBox, "ladder_kind"), "none")

    click(qtbot, dialog, QPushButton, "accept_ladder")

    assert "cost" in said(dialog)
    assert dialog.isVisible()
    assert "cost" in controller.session.record.hierarchies


def test_an_exported_ladder_is_imported_again(controller, qtbot, tmp_path) -> None:
    path = tmp_path / "ward.csv"
    dialog = ladder_dialog(
        controller, qtbot, "ward", choose_to_open=lambda *_: path, choose_to_save=lambda *_: path
    )
    before = dialog.ladder

    click(qtbot, dialog, QPushButton, "export_ladder")
    assert said(dialog) == "Exported to ward.csv."
    dialog.show_ladder(None)
    click(qtbot, dialog, QPushButton, "import_ladder")

    assert [dict(m.pairs) for m in dialog.ladder.levels] == [dict(m.pairs) for m in before.levels]


def answer_coverage(button_text: str, seen: list[str]) -> None:
    """Press a button of the question once it is open."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.extend([box.text(), box.defaultButton().text().replace("&", "")])
        next(b for b in box.buttons() if b.text().replace("&", "") == button_text).click()

    QTimer.singleShot(0, press)


@pytest.fixture
def partial_ladder(tmp_path: Path) -> Path:
    path = tmp_path / "half.csv"
    path.write_text("North 1;North\nNorth 2;North\nSouth 1;South\n", encoding="utf-8")
    return path


def test_values_an_import_leaves_out_are_shown_and_nothing_is_replaced(
    controller, qtbot, partial_ladder
) -> None:
    dialog = ladder_dialog(controller, qtbot, "ward", choose_to_open=lambda *_: partial_ladder)
    before, seen = dialog.ladder, []
    answer_coverage("Cancel", seen)

    click(qtbot, dialog, QPushButton, "import_ladder")

    assert seen == ["“half.csv” has no line for 1 of the 4 values of “ward”.", "Cancel"]
    assert dialog.ladder == before


def test_values_an_import_leaves_out_can_be_kept_as_they_are(controller, qtbot, partial_ladder) -> None:
    dialog = ladder_dialog(controller, qtbot, "ward", choose_to_open=lambda *_: partial_ladder)
    answer_coverage("Keep them as they are", [])

    click(qtbot, dialog, QPushButton, "import_ladder")

    level = dialog.ladder.levels[0]
    assert isinstance(level, Mapping)
    assert dict(level.pairs)["South 2"] == "South 2"


def test_a_file_that_is_no_ladder_is_refused_in_a_sentence(controller, qtbot, tmp_path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("a;b\nc\n", encoding="utf-8")
    dialog = ladder_dialog(controller, qtbot, "ward", choose_to_open=lambda *_: path)
    before = dialog.ladder

    click(qtbot, dialog, QPushButton, "import_ladder")

    assert said(dialog).startswith("“bad.csv”, line 2")
    assert dialog.ladder == before
