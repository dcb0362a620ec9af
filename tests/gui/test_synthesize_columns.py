"""Ordering a synthetic table: its columns and what they may hold."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QTreeWidget,
)
from pytestqt.qtbot import QtBot
from synthesis_clicks import KEY, child, click, text
from window_fixtures import Answers

from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Delete, Generalize
from curator_gui.core.view import Bins, Star, Width
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.declare_domain import DeclareDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.session import Session
from curator_gui.store.ledger import Ledger


def test_columns_show_where_their_domains_come_from(ordering: SynthesizeDialog) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")

    shown = {tree.topLevelItem(i).text(0): tree.topLevelItem(i).text(3) for i in range(3)}
    assert set(shown) == {"sex", "age", "smoker"}
    assert shown["sex"] == "● from the data"
    assert "outside the guarantee" in text(ordering, "domain_warning")


def test_a_declared_domain_replaces_the_proposed_one(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(0))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    values = dialog.findChild(QPlainTextEdit, "domain_values")
    assert values.toPlainText() == ""

    values.setPlainText("F\nM")
    click(qtbot, dialog, "accept_domain")

    assert tree.topLevelItem(0).text(1).startswith("2 values")
    assert tree.topLevelItem(0).text(3) == "declared"


def test_bounds_that_do_not_increase_are_refused_in_the_dialog(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    dialog.findChild(QLineEdit, "domain_low").setText("90")
    dialog.findChild(QLineEdit, "domain_high").setText("0")

    click(qtbot, dialog, "accept_domain")

    assert "bounds that increase" in text(dialog, "declare_problem")
    dialog.reject()


def test_a_closed_list_makes_nothing_but_its_values(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(0))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    dialog.findChild(QPlainTextEdit, "domain_values").setPlainText("F\nM")

    other = child(dialog, "domain_other")
    other.setFocus()
    qtbot.keyClick(other, KEY.Key_Space)
    click(qtbot, dialog, "accept_domain")

    assert tree.topLevelItem(0).text(1) == "2 values and no other"
    assert tree.topLevelItem(0).text(2) == "2"


def test_a_ladder_that_goes_on_without_end_asks_for_its_ends(
    controller: Controller, session: Session, budgets: Budgets, answers: Answers, qtbot: QtBot
) -> None:
    session.set_hierarchy("age", Hierarchy("bins", (Width(Decimal(10)), Star())))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    tree = dialog.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))
    click(qtbot, dialog, "declare_domain")
    declare = dialog.findChild(DeclareDialog)
    assert "begin and end" in text(declare, "ladder_words")

    qtbot.keyClicks(child(declare, "domain_low"), "0")
    qtbot.keyClicks(child(declare, "domain_high"), "90")
    click(qtbot, declare, "accept_domain")

    assert tree.topLevelItem(1).text(1) == "9 bins from 0 to 90"
    assert tree.topLevelItem(1).text(3) == "declared"
    dialog.reject()


def test_a_coarsened_column_is_declared_by_its_labels_and_not_by_numbers(
    controller: Controller, session: Session, budgets: Budgets, answers: Answers, qtbot: QtBot
) -> None:
    controller.commit(Generalize("age", Bins((Decimal(30), Decimal(60)))))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    tree = dialog.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))

    click(qtbot, dialog, "declare_domain")

    declare = dialog.findChild(DeclareDialog)
    listed = declare.findChild(QPlainTextEdit, "domain_values")
    assert listed.isVisible()
    assert listed.toPlainText().splitlines() == ["< 30", "[30, 60)", "≥ 60"]
    declare.reject()
    dialog.reject()


def test_a_data_dictionary_declares_many_columns_at_once(
    ordering: SynthesizeDialog, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    answers.open = tmp_path / "domain.json"

    click(qtbot, ordering, "data_dictionary")

    tree = ordering.findChild(QTreeWidget, "domains")
    assert [tree.topLevelItem(i).text(3) for i in range(3)] == ["data dictionary"] * 3
    assert not child(ordering, "domain_warning").isVisible()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "its JSON cannot be read"),
        ('{"age": {"edges": [9, 1]}}', "each above the one before"),
        ('{"height": 3}', "not among the columns here"),
    ],
)
def test_a_malformed_data_dictionary_is_told_and_changes_nothing(
    ordering: SynthesizeDialog, answers: Answers, qtbot: QtBot, content: str, sentence: str
) -> None:
    answers.open = answers.folder / "malformed.json"
    answers.open.write_text(content, encoding="utf-8")

    click(qtbot, ordering, "data_dictionary")

    assert sentence in text(ordering, "domain_problem")
    assert ordering.findChild(QTreeWidget, "domains").topLevelItem(0).text(3) == "● from the data"


def test_a_plan_that_deletes_by_number_is_told_and_the_source_offered(
    controller: Controller, budgets: Budgets, ledger: Ledger, answers: Answers, qtbot: QtBot
) -> None:
    controller.commit(Delete(None, (2,)))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()

    assert "deletes records by their number" in text(dialog, "domain_problem")
    assert not dialog.findChild(QRadioButton, "from_prepared").isEnabled()
    assert not child(dialog, "next").isEnabled()
    source = child(dialog, "from_source")
    source.setFocus()
    qtbot.keyClick(source, KEY.Key_Space)
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    dialog.reject()
