"""The spending screen: its default, the limit that binds, and that it spends once."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QPushButton,
)
from pytestqt.qtbot import QtBot
from synthesis_clicks import KEY, LEFT, cell_texts, events, spending, text

from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.synthesis_job import SynthesisJob
from curator_gui.store.ledger import Event, Ledger


def test_the_default_is_not_to_spend(ordering: SynthesizeDialog, ledger: Ledger, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "0.5")
    assert spend.findChild(QPushButton, "do_not_spend").isDefault()

    qtbot.keyClick(spend, KEY.Key_Return)

    assert not spend.isVisible()
    assert events(ledger) == []
    assert ordering.isVisible()


def test_the_spending_screen_marks_the_limit_that_binds(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "1.5")

    lines = cell_texts(spend.findChild(CopyTable, "limits"))
    assert [line[2] for line in lines] == ["", "● binds", "", ""]
    assert [line[1] for line in lines] == ["4", "1", "4", "2"]
    assert text(spend, "approved") == "<b>ε 1</b>"
    assert spend.findChild(QPushButton, "spend_now").text() == "Accept less and spend ε 1"
    spend.reject()


def test_what_is_granted_in_full_binds_no_limit(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "0.5")

    assert "no limit binds" in text(spend, "verdict")
    assert spend.findChild(QPushButton, "spend_now").text() == "Spend ε 0.5"
    spend.reject()


def test_however_fast_spend_is_clicked_it_is_charged_once(
    ordering: SynthesizeDialog, ledger: Ledger, qtbot: QtBot
) -> None:
    spend = spending(ordering, qtbot, "0.5")
    started: list[SynthesisJob] = []
    ordering.started.connect(started.append)
    button = spend.findChild(QPushButton, "spend_now")

    qtbot.mouseClick(button, LEFT)
    qtbot.mouseDClick(button, LEFT)
    for _ in range(2):
        button.click()
    spend.accept()
    (job,) = started
    qtbot.waitUntil(lambda: job.outcome is not None, timeout=60_000)

    assert events(ledger) == [Event.CHARGE]
