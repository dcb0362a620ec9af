"""The main job on the sample: six clicks, and the same by the keyboard alone."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from walking import child, click, click_row, dialog
from window_fixtures import Scored

from curator_gui.core.operators import Project
from curator_gui.gui.main_window import MainWindow

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def released_rows(home: Path, qtbot: QtBot) -> list[list[str]]:
    path = home / "clinic-released.csv"
    qtbot.waitUntil(path.exists, timeout=20_000)
    return list(csv.reader(path.read_text().splitlines()))


def test_six_clicks_release_the_sample_within_its_budget(
    window: MainWindow, qtbot: QtBot, scored: Scored, home: Path
) -> None:
    controller = window.controller

    click(qtbot, window, "open_sample")
    scored(controller)
    click(qtbot, window, "apply_usual coarsening")
    scored(controller)
    click_row(qtbot, window, "candidates", "Drop medication")
    preview = controller.preview
    assert preview is not None
    assert preview.feasible
    click(qtbot, window, "commit")
    scored(controller)
    click(qtbot, window, "tool_release")
    release = dialog(qtbot, "release")
    click(qtbot, release, "save_release")

    rows = released_rows(home, qtbot)
    qtbot.waitUntil(lambda: not controller.releasing)
    release.close()
    assert rows[0] == ["admitted", "ward", "age", "sex", "zip", "smoker"]
    assert len(rows) == 4829
    assert controller.session is not None
    assert controller.session.path is None


def test_the_keyboard_alone_does_the_same(
    window: MainWindow, qtbot: QtBot, scored: Scored, home: Path
) -> None:
    controller = window.controller
    window.activateWindow()

    walk_to(qtbot, window, "open_sample")
    press(qtbot, KEY.Key_Space)
    scored(controller)
    walk_to(qtbot, window, "apply_usual coarsening")
    press(qtbot, KEY.Key_Space)
    scored(controller)
    press(qtbot, KEY.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(focused(), "drop medication")
    walk_to(qtbot, window, "candidates")
    press(qtbot, KEY.Key_Home)
    press(qtbot, KEY.Key_Space)
    preview = controller.preview
    assert preview is not None
    assert preview.operator == Project(("medication",))
    press(qtbot, KEY.Key_Return, CONTROL)
    scored(controller)
    press(qtbot, KEY.Key_E, CONTROL)
    release = dialog(qtbot, "release")
    walk_to(qtbot, release, "save_release")
    press(qtbot, KEY.Key_Space)

    rows = released_rows(home, qtbot)
    qtbot.waitUntil(lambda: not controller.releasing)
    press(qtbot, KEY.Key_Escape)
    assert len(rows) == 4829


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    qtbot.keyClick(focused(), key, modifier)


def walk_to(qtbot: QtBot, window: QWidget, name: str) -> None:
    """Tab until the control of this name has the keyboard."""
    goal = child(window, name)
    if QApplication.focusWidget() is None:
        window.setFocus()
    for _ in range(120):
        if QApplication.focusWidget() is goal:
            return
        press(qtbot, KEY.Key_Tab)
    raise AssertionError(f"Tab never comes to {name}")
