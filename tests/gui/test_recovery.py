"""A crash loses nothing: the session is autosaved for its owner alone and offered again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.core.operators import Project
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.message_bar import MessageBar
from curator_gui.gui.recovery import left_behind

SURVIVOR = Path(__file__).with_name("survivor.py")


def autosaved(folder: Path) -> list[Path]:
    return list((folder / "data" / "autosave").glob("*/*.curation.json"))


@pytest.fixture
def crashed(tmp_path: Path, qtbot: QtBot) -> Path:
    """A folder in which a window was killed after a commit."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen([sys.executable, str(SURVIVOR), str(tmp_path)], env=environment)
    try:
        qtbot.waitUntil(lambda: bool(autosaved(tmp_path)), timeout=30_000)
        assert left_behind(tmp_path / "data" / "autosave") == []  # its process still runs
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return tmp_path


def test_what_a_crash_left_is_offered_and_gone_on_with(
    crashed: Path, new_window: Callable[[], MainWindow], qtbot: QtBot, scored: Scored
) -> None:
    window = new_window()
    window.offer_recovery()
    bar = window.findChild(MessageBar, "message_bar")
    assert "before an unsaved session was saved" in bar.sentence

    qtbot.mouseClick(bar.findChild(QPushButton, "offer_Go on with it"), Qt.MouseButton.LeftButton)
    scored(window.controller)

    session = window.controller.session
    assert session is not None
    assert session.plan == (Project(("cost",)),)
    assert session.path is None
    assert session.modified
    assert left_behind(crashed / "data" / "autosave") == []


def test_what_a_crash_left_may_be_discarded(
    crashed: Path, new_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = new_window()
    window.offer_recovery()
    bar = window.findChild(MessageBar, "message_bar")

    qtbot.mouseClick(bar.findChild(QPushButton, "offer_Discard it"), Qt.MouseButton.LeftButton)

    assert list((crashed / "data" / "autosave").iterdir()) == []


def test_unsaved_work_is_kept_for_its_owner_alone_and_goes_on_a_clean_exit(
    window: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    assert autosaved(tmp_path) == []  # nothing is unsaved yet

    window.controller.commit(Project(("cost",)))
    qtbot.waitUntil(lambda: bool(autosaved(tmp_path)))
    assert autosaved(tmp_path)[0].stat().st_mode & 0o777 == 0o600
    scored(window.controller)
    window.close()

    assert list((tmp_path / "data" / "autosave").iterdir()) == []


def test_a_saved_session_needs_no_autosave(
    window: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    window.controller.commit(Project(("cost",)))
    qtbot.waitUntil(lambda: bool(autosaved(tmp_path)))

    window.files._save(tmp_path / "mine.curation.json")

    assert autosaved(tmp_path) == []
