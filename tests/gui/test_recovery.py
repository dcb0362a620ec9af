"""A crash loses nothing: the session is autosaved for its owner alone and offered again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.bundled import sample
from curator_gui.core.operators import Project
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.message_bar import MessageBar
from curator_gui.gui.recovery import Left, left_behind
from curator_gui.gui.shared_file import changed_by_others
from curator_gui.session import Session
from curator_gui.store.session_file import read_session, write_session

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


# --- the copy is kept until its session is open ---


@pytest.fixture
def left(crashed: Path) -> Path:
    """The file a crash left; its source is a copy of the sample that the tests may change."""
    path = autosaved(crashed)[0]
    record = read_session(path)
    shutil.copy(record.source.path, crashed / "clinic.csv")
    write_session(path, replace(record, source=replace(record.source, path=str(crashed / "clinic.csv"))))
    return path


@pytest.fixture
def offered(left: Path, new_window: Callable[[], MainWindow]) -> MainWindow:
    window = new_window()
    window.offer_recovery()
    return window


def choose(window: MainWindow, label: str, qtbot: QtBot) -> None:
    shown = [b for b in window.findChildren(QPushButton, f"offer_{label}") if b.isVisible()]
    qtbot.mouseClick(shown[-1], Qt.MouseButton.LeftButton)


def sentence(window: MainWindow) -> str:
    return window.findChild(MessageBar, "message_bar").sentence


def test_a_recovery_that_fails_keeps_the_copy_and_the_offer_when_something_else_is_opened(
    offered: MainWindow, left: Path, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    (tmp_path / "clinic.csv").unlink()
    choose(offered, "Go on with it", qtbot)
    qtbot.waitUntil(lambda: "not there" in sentence(offered))

    offered.files.open_sample("paper.curation.json")
    scored(offered.controller)

    assert left.is_file()
    assert "before an unsaved session was saved" in sentence(offered)


def test_a_recovery_that_is_cancelled_keeps_the_copy_and_the_offer(
    offered: MainWindow, left: Path, qtbot: QtBot, scored: Scored
) -> None:
    choose(offered, "Go on with it", qtbot)
    offered.controller.cancel_job()
    offered.files.open_sample("paper.curation.json")
    scored(offered.controller)

    assert left.is_file()
    offered.findChild(MessageBar, "message_bar").clear()
    assert "before an unsaved session was saved" in sentence(offered)


def test_the_steps_can_be_scored_on_a_table_that_changed_after_the_crash(
    offered: MainWindow, left: Path, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    lines = (tmp_path / "clinic.csv").read_text().splitlines(keepends=True)
    (tmp_path / "clinic.csv").write_text("".join(lines[:-10]))
    choose(offered, "Go on with it", qtbot)
    qtbot.waitUntil(lambda: "clinic.csv changed after the last step" in sentence(offered))
    assert left.is_file()

    choose(offered, "Score on the changed table", qtbot)
    scored(offered.controller)

    session = offered.controller.session
    assert session is not None
    assert session.table.rows == len(lines) - 11
    assert session.plan == (Project(("cost",)),)
    assert session.modified
    assert not left.exists()
    assert sentence(offered) == ""


def test_a_session_that_was_saved_elsewhere_after_the_crash_is_asked_about(
    new_window: Callable[[], MainWindow], tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    for name in ("paper.csv", "paper.curation.json"):
        shutil.copy(sample(name), tmp_path / name)
    path = tmp_path / "paper.curation.json"
    first = new_window()
    first.files.open_path(path)
    scored(first.controller)
    first.controller.save_steps("kept")
    qtbot.waitUntil(lambda: bool(autosaved(tmp_path)))
    copied = tmp_path / "copied"
    shutil.copytree(autosaved(tmp_path)[0].parent, copied, ignore=shutil.ignore_patterns("lock"))

    resumed = Left(copied / "session.curation.json", path, datetime.now()).resumed()
    assert resumed.modified
    assert not changed_by_others(resumed, path)

    other = Session.load(path)
    other.save_steps("of somebody else")
    other.save(path)
    assert changed_by_others(resumed, path)


def test_what_else_was_left_is_offered_once_the_first_is_discarded(
    offered: MainWindow, left: Path, qtbot: QtBot
) -> None:
    second = left.parent.with_name("second")
    shutil.copytree(left.parent, second, ignore=shutil.ignore_patterns("lock"))

    choose(offered, "Discard it", qtbot)
    assert "before an unsaved session was saved" in sentence(offered)
    choose(offered, "Discard it", qtbot)

    assert sentence(offered) == ""
    assert not left.exists()
    assert not second.exists()
