"""A synthetic table by clicks: ordered, paid for, made, exported; and what happens when the budget ends."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractItemView, QDialog, QLabel, QLineEdit, QListWidget, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot
from walking import LEFT, child, click, dialog
from window_fixtures import Answers, Scored

from curator_gui.gui.budgets import LEDGER
from curator_gui.gui.charts.interest_matrix import InterestMatrix
from curator_gui.gui.main_window import MainWindow
from curator_gui.store.ledger import Event, Ledger, content_digest, init_ledger

KEPT = ("ward", "sex", "smoker", "consent")


@pytest.fixture
def settings(tmp_path: Path, settings: QSettings) -> QSettings:
    settings.setValue(LEDGER, str(tmp_path / "ledger.sqlite"))
    return settings


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot, scored: Scored) -> MainWindow:
    click(qtbot, window, "open_sample")
    scored(window.controller)
    return window


@pytest.fixture
def ledger(opened: MainWindow, tmp_path: Path) -> Ledger:
    """A pool of ε 1; this account may use 0.5 in all, at most 0.3 at a time."""
    session = opened.controller.session
    assert session is not None
    made = init_ledger(str(tmp_path / "ledger.sqlite"))
    pool = made.create_pool(content_digest(session.table), epsilon="1", delta=1e-9, size=5000, name="clinic")
    made.grant(pool.id, made.user, per_request="0.3", total="0.5")
    return made


def text(parent: QWidget, name: str) -> str:
    label = child(parent, name)
    assert isinstance(label, QLabel)
    return label.text()


def shown(parent: QWidget, name: str) -> bool:
    return any(w.isVisible() for w in parent.findChildren(QWidget, name))


def steps(rounds: QListWidget) -> list[str]:
    return [rounds.item(i).text() for i in range(rounds.count())]


def says(parent: QWidget, name: str, words: str) -> bool:
    return shown(parent, name) and words in text(parent, name)


def type_into(qtbot: QtBot, parent: QWidget, name: str, words: str) -> None:
    field = child(parent, name)
    assert isinstance(field, QLineEdit)
    field.clear()
    qtbot.keyClicks(field, words)


def entries(ledger: Ledger, *events: Event) -> list[str]:
    (pool,) = ledger.pools()
    return [e.event for e in ledger.history(pool.id) if e.event in events]


def order(qtbot: QtBot, window: MainWindow, epsilon: str) -> QDialog:
    """Through the three steps to the spending screen; three queries of interest."""
    click(qtbot, window, "tool_synthesize")
    ordering = dialog(qtbot, "synthesize_dialog")
    qtbot.waitUntil(lambda: child(ordering, "next").isEnabled())
    keep_columns(qtbot, ordering)
    click(qtbot, ordering, "next")
    choose_pairs(qtbot, ordering)
    click(qtbot, ordering, "next")
    type_into(qtbot, ordering, "ask_epsilon", epsilon)
    qtbot.waitUntil(lambda: child(ordering, "next").isEnabled())
    click(qtbot, ordering, "next")
    return dialog(qtbot, "spend")


def keep_columns(qtbot: QtBot, ordering: QDialog) -> None:
    """Untick all but four columns, by the keyboard."""
    tree = child(ordering, "domains")
    assert isinstance(tree, QTreeWidget)
    tree.setFocus()
    for i in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(i)
        assert item is not None
        if item.text(0) not in KEPT:
            tree.setCurrentItem(item)
            qtbot.keyClick(tree, Qt.Key.Key_Space)


def choose_pairs(qtbot: QtBot, ordering: QDialog) -> None:
    """Two pairs by the mouse, one by the keyboard."""
    matrix = child(ordering, "interest_matrix")
    assert isinstance(matrix, InterestMatrix)
    for pair in ((1, 0), (2, 1)):
        qtbot.mouseClick(matrix, LEFT, pos=matrix.area_of(pair).center().toPoint())
    matrix.setFocus()
    qtbot.keyClick(matrix, Qt.Key.Key_Down)
    qtbot.keyClick(matrix, Qt.Key.Key_Space)


def test_a_synthetic_table_from_the_sample_to_a_refusal(
    opened: MainWindow, ledger: Ledger, qtbot: QtBot, answers: Answers, tmp_path: Path
) -> None:
    spend = order(qtbot, opened, "0.4")

    assert "Only ε 0.3 of 0.4 would be approved" in text(spend, "verdict")
    assert f"{ledger.user} may use at most ε 0.3 a request" in text(spend, "verdict")
    assert "gives nothing back" in text(spend, "irreversible")
    assert child(spend, "do_not_spend").hasFocus()
    assert entries(ledger, Event.CHARGE) == []
    click(qtbot, spend, "spend_now")

    made = dialog(qtbot, "synthesis")
    rounds = made.findChild(QListWidget, "rounds")
    qtbot.waitUntil(lambda: any("Round" in step for step in steps(rounds)), timeout=20_000)
    qtbot.waitUntil(lambda: bool(entries(ledger, Event.CHARGE)), timeout=20_000)
    qtbot.waitUntil(lambda: shown(made, "synthetic_table"), timeout=60_000)
    table = child(made, "synthetic_table")
    assert isinstance(table, QAbstractItemView)
    assert table.model().rowCount() > 4000

    answers.write = tmp_path / "absent" / "clinic.csv"
    click(qtbot, made, "export_synthetic")
    qtbot.waitUntil(lambda: says(made, "export_said", "still here to be exported again"))
    answers.write = tmp_path / "clinic.csv"
    click(qtbot, made, "export_synthetic")
    qtbot.waitUntil(lambda: says(made, "export_said", "Exported"))
    click(qtbot, made, "close_result")

    rows = list(csv.reader((tmp_path / "clinic.csv").read_text().splitlines()))
    manifest = json.loads((tmp_path / "clinic.csv.manifest.json").read_text())
    assert rows[0] == list(KEPT)
    assert manifest["interest"] == [["ward", "sex"], ["sex", "smoker"], ["sex", "consent"]]
    assert manifest["epsilon"] == pytest.approx(0.3)
    assert entries(ledger, Event.CHARGE, Event.RELEASE) == [Event.CHARGE, Event.RELEASE]
    assert opened.controller.session is not None
    assert len(opened.controller.session.record.synthetic) == 1
    qtbot.waitUntil(lambda: says(opened, "pool", "proven loss 0.3"))

    refused = spend_until_refused(qtbot, opened)
    assert f"refused: {ledger.user}'s pool is empty" in text(refused, "verdict")
    assert not refused.findChildren(QWidget, "spend_now")[0].isVisible()
    click(qtbot, refused, "do_not_spend")
    click(qtbot, dialog(qtbot, "synthesize_dialog"), "cancel_synthesize")


def spend_until_refused(qtbot: QtBot, window: MainWindow) -> QDialog:
    """Ask for 0.3 again and again; the tables are thrown away."""
    for _ in range(4):
        spend = order(qtbot, window, "0.3")
        if "refused" in text(spend, "verdict"):
            return spend
        click(qtbot, spend, "spend_now")
        made = dialog(qtbot, "synthesis")
        qtbot.waitUntil(lambda made=made: shown(made, "synthetic_table"), timeout=60_000)
        click(qtbot, made, "close_result")
        assert "Closing loses it" in text(made, "export_said")
        click(qtbot, made, "lose_table")
    raise AssertionError("never refused")
