"""Ordering a synthetic table: how much to ask for, and what error to expect."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QSlider,
)
from pytestqt.qtbot import QtBot
from synthesis_clicks import KEY, cell_texts, child, click, events, text, to_the_budget
from synthetic_world import ledger_for
from window_fixtures import Answers

from curator_gui.gui.budgets import Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.synthesis_draft import SynthesisDraft
from curator_gui.session import Session
from curator_gui.store.ledger import Ledger, content_digest, init_ledger


def test_the_expected_error_falls_with_epsilon_and_with_priority(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    to_the_budget(ordering, qtbot, "0.5")
    view = ordering.findChild(CopyTable, "expected_errors")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)
    before = cell_texts(view)[0]
    head = view.model().headerData(3, Qt.Orientation.Horizontal)

    slider = ordering.findChild(QSlider, "priority")
    slider.setFocus()
    qtbot.keyClick(slider, KEY.Key_PageUp)
    qtbot.waitUntil(lambda: cell_texts(view)[0] != before)

    assert head == "At ε 0.5"
    assert records_of(before[2]) > records_of(before[3]) > records_of(before[4])
    assert records_of(cell_texts(view)[0][3]) < records_of(before[3])


def test_a_query_that_noise_would_drown_is_told_before_anything_is_spent(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    to_the_budget(ordering, qtbot, "0.01")
    view = ordering.findChild(CopyTable, "expected_errors")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)

    assert cell_texts(view)[0][3] == "like the rest"
    assert "noise would drown the query" in text(ordering, "drowned_queries")


def records_of(cell: str) -> float:
    return float(cell.partition("(")[2].split(" ")[0].replace("\u202f", ""))


@pytest.mark.parametrize("typed", ["0", "-1", "nan", "much", "1e-12"])
def test_what_is_no_budget_is_refused_before_the_ledger_is_asked(
    ordering: SynthesizeDialog, ledger: Ledger, qtbot: QtBot, typed: str
) -> None:
    to_the_budget(ordering, qtbot, typed)

    qtbot.waitUntil(lambda: child(ordering, "budget_problem").isVisible())
    click(qtbot, ordering, "next")

    assert "ε" in text(ordering, "synthesize_problem")
    assert events(ledger) == []


def test_what_the_rest_of_the_budget_is_for_can_be_chosen(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    to_the_budget(ordering, qtbot, "0.5")
    combo = ordering.findChild(QComboBox, "workload")
    assert combo.currentText().startswith("All pairs")

    combo.setFocus()
    qtbot.keyClick(combo, KEY.Key_Down)
    click(qtbot, ordering, "back")
    click(qtbot, ordering, "next")

    assert combo.currentText() == "My queries again"


def test_the_rest_may_be_for_the_queries_alone(draft: SynthesisDraft) -> None:
    draft.toggle(("sex", "smoker"))
    usual = draft.order("1").workload

    draft.workload = "queries"

    assert usual is None
    assert draft.order("1").workload == (("sex", "smoker"),)


def test_the_queries_are_offered_as_the_rest_only_where_there_are_some(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    click(qtbot, ordering, "next")
    click(qtbot, ordering, "next")

    combo = ordering.findChild(QComboBox, "workload")
    assert [combo.itemText(i) for i in range(combo.count())] == ["All pairs of columns (recommended)"]


def test_the_pool_of_another_table_is_not_offered(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    session.source_path.with_name("other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ledger_for(Session.open_table(session.source_path.with_name("other.csv")), session.source_path.parent)
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled() and budgets.account is not None)

    to_the_budget(dialog, qtbot, "0.5")

    assert "has no privacy budget yet" in text(dialog, "no_pool")
    assert not child(dialog, "next").isEnabled()
    dialog.reject()


def test_who_has_no_share_of_the_pool_is_refused_and_spends_nothing(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    ledger = init_ledger(str(session.source_path.with_name("ledger.sqlite")))
    ledger.create_pool(content_digest(session.table), epsilon="4", delta=1e-6, size=1000)
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled() and budgets.account is not None)

    to_the_budget(dialog, qtbot, "0.5")
    click(qtbot, dialog, "next")
    qtbot.waitUntil(lambda: told(dialog) != "")

    assert "no share of this pool" in told(dialog)
    assert events(ledger) == []
    dialog.reject()


def told(dialog: SynthesizeDialog) -> str:
    """What the spending screen says or, where it does not come to it, the dialog."""
    spend = dialog.findChild(SpendDialog)
    return text(spend, "verdict") if spend is not None else text(dialog, "synthesize_problem")


def test_without_a_pool_nothing_can_be_asked_for(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    to_the_budget(dialog, qtbot, "0.5")

    assert not child(dialog, "next").isEnabled()
    with qtbot.waitSignal(dialog.pools_asked):
        click(qtbot, dialog, "ask_pools")
    dialog.reject()


def test_without_a_query_there_is_no_table_of_errors_and_no_priority(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    click(qtbot, ordering, "next")
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "ask_epsilon"), "0.5")

    assert not child(ordering, "expected_errors").isVisible()
    assert not child(ordering, "model_size").isVisible()
    assert not child(ordering, "priority").isEnabled()
    assert "no query chosen" in text(ordering, "priority_words")
