"""The protection is edited as a draft, warned about while it is, and taken whole or not at all."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QTabWidget,
    QTreeWidget,
)
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.core.predicate import parse_predicate
from curator_gui.core.protection import EachValue, Observer, Protection, Secret, VisibleAttribute
from curator_gui.core.view import Bins, Identity, Level, Prefix
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.protection import ProtectionDialog
from curator_gui.gui.dialogs.view_choices import read_bins, view_choices

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(controller: Controller, qtbot: QtBot, scored: Scored) -> ProtectionDialog:
    controller.open_sample()
    scored(controller)
    made = ProtectionDialog(controller)
    qtbot.addWidget(made)
    made.show()
    return made


def taken(controller: Controller) -> Protection:
    assert controller.session is not None
    return controller.session.protection


def page(dialog: ProtectionDialog, index: int) -> None:
    dialog.findChild(QTabWidget, "protection_pages").setCurrentIndex(index)


def tick(qtbot: QtBot, tree: QTreeWidget, row: int, column: int) -> None:
    """A click on the box of a cell."""
    cell = tree.visualRect(tree.model().index(row, column))
    qtbot.mouseClick(tree.viewport(), LEFT, pos=QPoint(cell.left() + 10, cell.center().y()))


def accept(qtbot: QtBot, dialog: ProtectionDialog) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, "accept_protection"), LEFT)


def test_nothing_edited_leaves_the_protection_as_it_was(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    before = taken(controller)

    accept(qtbot, dialog)

    assert taken(controller) == before
    assert dialog.isHidden()


def test_a_ticked_column_becomes_visible_at_the_chosen_precision(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    tree = dialog.findChild(QTreeWidget, "visible")
    tick(qtbot, tree, 2, 0)  # ward
    combo = dialog.findChild(QComboBox, "view_ward")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    accept(qtbot, dialog)

    assert VisibleAttribute("ward", Level(1)) in taken(controller).visible


def test_unticked_columns_are_as_they_are_and_identifiers_carry_their_mark(dialog: ProtectionDialog) -> None:
    tree = dialog.findChild(QTreeWidget, "visible")
    items = {i.text(0): i for i in tree.findItems("*", Qt.MatchFlag.MatchWildcard)}

    assert items["ward"].text(1) == "as it is"
    assert items["record_id"].text(2).startswith("# identifier")
    assert not items["ward"].text(2).startswith("#")


def test_missing_is_not_counted_among_the_different_values(
    dialog: ProtectionDialog, controller: Controller
) -> None:
    tree = dialog.findChild(QTreeWidget, "visible")
    column = next(c for c in controller.session.table.columns if c.missing.any())

    item = tree.findItems(column.name, Qt.MatchFlag.MatchExactly)[0]

    assert item.text(3) == str(len([v for v in column.values if v is not None]))


def test_a_secret_is_typed_as_a_condition(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 1)
    where = next(b for b in dialog.findChildren(QPushButton, "type_it_yourself") if b.isVisible())
    qtbot.mouseClick(where, LEFT)
    text = next(e for e in dialog.findChildren(QPlainTextEdit, "predicate_text") if e.isVisible())
    qtbot.keyClicks(text, "medication = 'ART'")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "secret_name"), "treated")
    qtbot.waitUntil(dialog.findChild(QPushButton, "add_secret").isEnabled)
    qtbot.mouseClick(dialog.findChild(QPushButton, "add_secret"), LEFT)
    accept(qtbot, dialog)

    assert Secret("treated", parse_predicate("medication = 'ART'")) in taken(controller).secrets


def test_every_value_of_a_column_is_secret_in_one_click(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 1)
    dialog.findChild(QComboBox, "each_column").setCurrentText("ward")
    qtbot.mouseClick(dialog.findChild(QPushButton, "add_each"), LEFT)
    accept(qtbot, dialog)

    assert EachValue("ward") in taken(controller).secrets


def test_a_secret_is_protected_on_both_sides_by_a_tick(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 1)
    tick(qtbot, dialog.findChild(QTreeWidget, "secrets"), 0, 3)
    accept(qtbot, dialog)

    assert taken(controller).secrets[0].two_sided


def test_a_secret_is_removed(dialog: ProtectionDialog, controller: Controller, qtbot: QtBot) -> None:
    page(dialog, 1)
    tree = dialog.findChild(QTreeWidget, "secrets")
    qtbot.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(tree.model().index(0, 0)).center())
    qtbot.mouseClick(dialog.findChild(QPushButton, "remove_secret"), LEFT)
    accept(qtbot, dialog)

    assert taken(controller).secrets == ()


def test_factor_and_logarithm_are_one_budget(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    factor, logarithm = (dialog.findChild(QLineEdit, n) for n in ("factor", "logarithm"))
    factor.selectAll()
    qtbot.keyClicks(factor, "×1.5")
    assert float(logarithm.text()) == pytest.approx(0.405465, abs=1e-5)

    logarithm.selectAll()
    qtbot.keyClicks(logarithm, "0.1")
    assert factor.text() == "×1.11"
    accept(qtbot, dialog)

    assert taken(controller).budget == 0.1


def test_a_budget_that_is_none_keeps_the_dialog_open(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    logarithm = dialog.findChild(QLineEdit, "logarithm")
    logarithm.selectAll()
    qtbot.keyClicks(logarithm, "plenty")
    accept(qtbot, dialog)

    problem = dialog.findChild(QLabel, "protection_problem")
    assert problem.isVisible()
    assert "plenty" in problem.text()
    assert taken(controller).budget == 0.2


def test_targets_are_narrowed_by_a_condition(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    radio = dialog.findChild(QRadioButton, "some_targets")
    radio.setFocus()
    qtbot.keyClick(radio, Qt.Key.Key_Space)
    typing = next(b for b in dialog.findChildren(QPushButton, "type_it_yourself") if b.isVisible())
    qtbot.mouseClick(typing, LEFT)
    text = next(e for e in dialog.findChildren(QPlainTextEdit, "predicate_text") if e.isVisible())
    qtbot.keyClicks(text, "age >= 60")
    accept(qtbot, dialog)

    assert taken(controller).targets == parse_predicate("age >= 60")


def test_the_smoothed_observer_asks_for_its_m(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    combo = dialog.findChild(QComboBox, "observer_kind")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_End)
    m = dialog.findChild(QDoubleSpinBox, "m")
    assert m.isVisible()
    m.selectAll()
    qtbot.keyClicks(m, "12")
    accept(qtbot, dialog)

    assert taken(controller).observer == Observer("smoothed", Decimal("12.0"))


def test_a_secret_that_is_visible_is_warned_about_at_once(dialog: ProtectionDialog, qtbot: QtBot) -> None:
    warnings = dialog.findChild(QLabel, "protection_warnings")
    tick(qtbot, dialog.findChild(QTreeWidget, "visible"), 7, 0)  # diagnosis

    qtbot.waitUntil(lambda: "gives the secret away" in " ".join(warnings.text().split()))


def test_cancelling_changes_nothing(dialog: ProtectionDialog, controller: Controller, qtbot: QtBot) -> None:
    before = taken(controller)
    tick(qtbot, dialog.findChild(QTreeWidget, "visible"), 2, 0)

    qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert taken(controller) == before


def test_views_to_choose_are_those_that_fit_the_column(controller: Controller, scored: Scored) -> None:
    controller.open_sample()
    scored(controller)
    assert controller.session is not None
    source = controller.session.source

    assert view_choices(source, "age") == [Identity(), Level(1), Level(2), Level(3)]
    assert Prefix(3) in view_choices(source, "zip")
    assert view_choices(source, "age", Bins((Decimal(40),)))[-1] == Bins((Decimal(40),))


def test_bins_are_read_as_people_write_them() -> None:
    assert read_bins("18, 40;65") == Bins((Decimal(18), Decimal(40), Decimal(65)))


def test_no_list_of_columns_begins_with_an_identifier(
    dialog: ProtectionDialog, controller: Controller
) -> None:
    assert controller.session is not None
    assert controller.session.record.roles["record_id"] == "identifier"

    begun = [c.currentText() for c in dialog.findChildren(QComboBox, "test_column")]
    begun.append(dialog.findChild(QComboBox, "each_column").currentText())

    assert len(begun) >= 2
    assert "record_id" not in begun


def test_how_many_secrets_a_column_makes_is_said_before_it_is_added(
    dialog: ProtectionDialog, qtbot: QtBot
) -> None:
    page(dialog, 1)
    combo = dialog.findChild(QComboBox, "each_column")
    combo.setFocus()
    while combo.currentText() != "diagnosis":
        qtbot.keyClick(combo, Qt.Key.Key_Down)

    assert dialog.findChild(QLabel, "each_count").text() == "9 secrets"


def test_a_condition_counts_its_records_while_it_is_composed(dialog: ProtectionDialog, qtbot: QtBot) -> None:
    page(dialog, 1)
    value = next(e for e in dialog.findChildren(QLineEdit, "test_value") if e.isVisible())
    column = next(c for c in dialog.findChildren(QComboBox, "test_column") if c.isVisible())
    column.setFocus()
    while column.currentText() != "diagnosis":
        qtbot.keyClick(column, Qt.Key.Key_Down)
    qtbot.keyClicks(value, "HIV")

    status = next(s for s in dialog.findChildren(QLabel, "predicate_status") if s.isVisible())
    qtbot.waitUntil(lambda: status.text().startswith("True of 408 of"))


def test_a_usual_budget_is_one_click_and_says_what_it_means(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    qtbot.mouseClick(dialog.findChild(QPushButton, "budget_×1.5"), LEFT)

    assert "20 in 100 may become right for 30 in 100" in dialog.findChild(QLabel, "budget_example").text()
    accept(qtbot, dialog)
    assert taken(controller).budget == pytest.approx(0.4055)


def test_a_table_nothing_is_said_of_is_offered_a_budget_to_start_with(
    controller: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,city\n34,Oslo\n35,Oslo\n36,Bergen\n")
    controller.open_path(path)
    scored(controller)
    dialog = ProtectionDialog(controller)
    qtbot.addWidget(dialog)

    assert dialog.findChild(QLineEdit, "factor").text() == "×1.22"


def test_the_budget_may_hold_for_every_table_that_leaves(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 2)
    combo = dialog.findChild(QComboBox, "budget_reading")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    accept(qtbot, dialog)

    assert controller.session is not None
    assert controller.session.record.reading == "every-exposed"
    assert controller.session.modified


def test_a_check_that_ends_after_the_dialog_tells_nobody(
    dialog: ProtectionDialog, controller: Controller, qtbot: QtBot
) -> None:
    page(dialog, 1)
    value = next(e for e in dialog.findChildren(QLineEdit, "test_value") if e.isVisible())
    qtbot.keyClicks(value, "1")
    accept(qtbot, dialog)

    dialog._edited()  # a count that was under way when it closed

    qtbot.wait(400)  # longer than a check waits for more typing
    assert all(job.kind != "check" for job in controller.jobs.running)
