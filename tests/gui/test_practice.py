"""The practice budget of the bundled sample: from Synthesize… to the spending screen by clicks alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from synthetic_world import session_file
from window_fixtures import Answers

from curator_gui.bundled import sample
from curator_gui.gui import practice
from curator_gui.gui.budgets import LEDGER, Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.panels.budget import BudgetPanel
from curator_gui.session import Session


@pytest.fixture
def budgets(
    controller: Controller, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Budgets:
    """Of an account that has no ledger yet and has opened the sample."""
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    settings.setValue(LEDGER, str(tmp_path / "own.sqlite"))
    controller.set_session(Session.load(sample("clinic.curation.json")))
    return Budgets(controller, settings)


def button(parent: QWidget, name: str) -> QPushButton:
    found = parent.findChild(QPushButton, name)
    assert found is not None, name
    return found


def click(qtbot: QtBot, parent: QWidget, name: str) -> None:
    assert button(parent, name).isEnabled(), name
    qtbot.mouseClick(button(parent, name), Qt.MouseButton.LeftButton)


def test_the_sample_comes_to_the_spending_screen_by_clicks_alone(
    controller: Controller, budgets: Budgets, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: button(dialog, "next").isEnabled(), timeout=20_000)

    click(qtbot, dialog, "step_2")
    click(qtbot, dialog, "ask_practice")
    qtbot.waitUntil(lambda: button(dialog, "next").isEnabled(), timeout=20_000)
    click(qtbot, dialog, "next")
    qtbot.waitUntil(lambda: dialog.findChild(SpendDialog) is not None, timeout=20_000)

    spend = dialog.findChild(SpendDialog)
    assert button(spend, "spend_now").text() == "Spend ε 1"
    assert not (tmp_path / "own.sqlite").exists()
    assert Path(budgets.url).name == "practice-1.sqlite"
    spend.reject()
    dialog.reject()


def test_the_panel_says_that_a_budget_is_for_practice_and_where_it_is(
    controller: Controller, budgets: Budgets, qtbot: QtBot
) -> None:
    panel = BudgetPanel(controller, budgets)
    qtbot.addWidget(panel)
    panel.show()

    with qtbot.waitSignal(budgets.changed, timeout=20_000):
        click(qtbot, panel, "first_practice")

    said = panel.findChild(QWidget, "budget_note").text()  # type: ignore[attr-defined]
    assert "practice budget" in said
    assert budgets.url in said


def test_another_table_keeps_the_ledger_it_had_and_is_offered_no_practice(
    controller: Controller, budgets: Budgets, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(budgets.changed, timeout=20_000):
        budgets.practise(pytest.fail)
    panel = BudgetPanel(controller, budgets)
    qtbot.addWidget(panel)
    panel.show()

    controller.set_session(Session.load(session_file(tmp_path)))

    assert budgets.url == str(tmp_path / "own.sqlite")
    assert not budgets.practising
    assert button(panel, "first_pools").isVisible()
    assert not button(panel, "first_practice").isVisible()


def test_each_practice_ledger_is_a_fresh_one(tmp_path: Path) -> None:
    (tmp_path / "practice-1.sqlite").touch()

    assert practice.free_place(tmp_path) == tmp_path / "practice-2.sqlite"


def test_an_amount_that_was_typed_is_kept_when_practice_begins(
    controller: Controller, budgets: Budgets, answers: Answers, qtbot: QtBot
) -> None:
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: button(dialog, "next").isEnabled(), timeout=20_000)
    click(qtbot, dialog, "step_2")
    field = dialog.findChild(QLineEdit, "ask_epsilon")
    qtbot.keyClicks(field, "0.3")

    click(qtbot, dialog, "ask_practice")
    qtbot.waitUntil(lambda: button(dialog, "next").isEnabled(), timeout=20_000)

    assert field.text() == "0.3"
    dialog.reject()
