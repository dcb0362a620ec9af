"""Two minutes of a monkey at the window end without an exception, a warning of Qt, or a long silence.

Run by hand: ``pytest -m slow tests/gui/test_monkey.py``. What it found has a test of its own below.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from heartbeat import Heartbeat
from monkey import Monkey
from PySide6.QtCore import QSettings, QSortFilterProxyModel
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.budgets import LEDGER
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.operators import OperatorDialog
from curator_gui.gui.dialogs.pools import PoolsDialog
from curator_gui.gui.dialogs.synthesis import SynthesisDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.table_view import TableView
from curator_gui.gui.value_groups import ValueGroups

SECONDS = float(os.environ.get("CURATOR_MONKEY_SECONDS", "120"))
LONGEST_MS = 2000


@pytest.fixture
def caged(tmp_path: Path, settings: QSettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a ledger and files of its own; no dialog of the system and no other program."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    settings.setValue(LEDGER, str(home / "ledger.sqlite"))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, **__: (str(home / "chosen.csv"), ""))
    return home


@pytest.fixture
def monkey_at(window: MainWindow, caged: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    yield window
    _put_in_order(window, qtbot)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_a_monkey_finds_nothing(
    seed: int, monkey_at: MainWindow, scored: Scored, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    monkey_at.files.open_sample("clinic.curation.json")
    scored(monkey_at.controller)
    monkey, pulse = Monkey(monkey_at, seed), Heartbeat()

    monkey.start()
    ends = perf_counter() + SECONDS
    while perf_counter() < ends:
        qtbot.wait(100)
    monkey.stop()
    pulse.stop()

    print(f"seed {seed}: {monkey.number} acts, longest silence {pulse.longest:.0f} ms, {monkey.slowest}")
    print("\n".join(monkey.acts))
    assert monkey.number > 5 * SECONDS
    assert pulse.longest < LONGEST_MS, monkey.slowest


def _put_in_order(window: MainWindow, qtbot: QtBot) -> None:
    """Close whatever the monkey left open."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.findChildren(SynthesisDialog):
        cancel = dialog.findChild(QPushButton, "cancel_synthesis")
        if cancel is not None and cancel.isVisible():
            cancel.click()
        qtbot.waitUntil(lambda d=dialog: d._job.outcome is not None, timeout=60_000)  # type: ignore[misc]
        if not dialog.close():
            dialog.findChild(QPushButton, "lose_table").click()
    for shown in QApplication.topLevelWidgets():
        if shown is not window and shown.isVisible() and isinstance(shown, QWidget):
            shown.close()
    window.controller.cancel_job()


# --- what it found ---


def test_letters_over_a_long_list_do_not_look_through_every_cell(
    window: MainWindow, scored: Scored, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    asked = []

    for view in (*window.findChildren(CopyTable), *window.findChildren(TableView)):
        monkeypatch.setattr(type(view.model()), "match", lambda *_: asked.append(1) or [])
        view.keyboardSearch("x")

    assert asked == []


def test_a_column_of_thousands_of_values_opens_its_groups_at_once(window: MainWindow, scored: Scored) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    session = window.controller.session
    assert session is not None

    groups = ValueGroups(session.table["record_id"])

    assert groups.findChild(QSortFilterProxyModel).sortColumn() == -1  # each comparison asks Python twice
    assert len(groups.model.values) == 5000


def test_generalizing_begins_with_a_column_that_is_no_identifier(
    window: MainWindow, scored: Scored, qtbot: QtBot
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)

    window.edit_own("generalize")

    dialog = window.findChild(OperatorDialog)
    assert dialog.findChild(QComboBox, "operator_column").currentText() != "record_id"
    dialog.reject()


def test_the_number_of_synthetic_records_takes_digits_alone(
    monkey_at: MainWindow, scored: Scored, qtbot: QtBot
) -> None:
    monkey_at.files.open_sample("clinic.curation.json")
    scored(monkey_at.controller)
    monkey_at.synthetic.open()
    dialog = monkey_at.findChild(SynthesizeDialog)
    rows = dialog.findChild(QLineEdit, "synthetic_rows")

    rows.setFocus()
    qtbot.keyClicks(rows, "0,1-7 5x")

    assert rows.text() == "175"
    dialog.reject()


def test_the_ledger_may_answer_after_its_dialog_is_closed(
    monkey_at: MainWindow, scored: Scored, qtbot: QtBot
) -> None:
    monkey_at.files.open_sample("clinic.curation.json")
    scored(monkey_at.controller)
    monkey_at.synthetic.open_pools()
    dialog = monkey_at.findChild(PoolsDialog)
    dialog.reject()
    with qtbot.waitSignal(dialog.destroyed):
        pass

    monkey_at.synthetic.budgets.changed.emit()
