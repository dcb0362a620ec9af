"""The log says where an error arose and nothing of the data; the window speaks to no network."""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import curator_gui.gui
from curator_gui.gui.app import log_to, telling
from curator_gui.gui.controller import Controller
from curator_gui.gui.jobs import Job
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.message_bar import MessageBar

FOLDER = Path(curator_gui.gui.__file__).parent
NETWORK = {"socket", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "ftplib", "smtplib", "asyncio"}
CELL = "HIV of 92617"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    ours = logging.getLogger("curator_gui")
    before = list(ours.handlers)
    log_to(tmp_path / "log")
    yield tmp_path / "log" / "curator.log"
    for handler in [h for h in ours.handlers if h not in before]:
        ours.removeHandler(handler)
        handler.close()


def raise_with_a_cell(_: Job) -> None:
    try:
        int(CELL)
    except ValueError as error:
        raise KeyError(CELL, {"diagnosis": CELL}) from error


def test_an_error_in_a_thread_is_logged_by_its_place_without_a_cell(
    controller: Controller, log: Path, qtbot: QtBot
) -> None:
    told: list[str] = []

    controller.jobs.start("work", raise_with_a_cell, kind="test", done=print, failed=told.append)
    qtbot.waitUntil(lambda: bool(told))

    written = log.read_text()
    assert "KeyError" in written
    assert "raise_with_a_cell" in written
    assert "HIV" not in written + told[0]
    assert "92617" not in written + told[0]


def test_an_error_of_the_window_is_logged_by_its_place_without_a_cell(window: MainWindow, log: Path) -> None:
    try:
        raise_with_a_cell(None)  # type: ignore[arg-type]
    except KeyError as error:
        telling(window.controller.problem.emit)(type(error), error, error.__traceback__)

    written = log.read_text()
    assert "raise_with_a_cell" in written
    assert "HIV" not in written + window.findChild(MessageBar).sentence


def test_the_log_is_its_owners_alone(log: Path) -> None:
    assert log.parent.stat().st_mode & 0o777 == 0o700


def test_no_part_of_the_window_imports_a_network_library() -> None:
    found = [
        f"{path.name}: {name}"
        for path in FOLDER.rglob("*.py")
        for name in imported(path)
        if name.split(".")[0] in NETWORK or "QtNetwork" in name
    ]

    assert found == []


def test_escape_cancels_the_job_and_says_so(window: MainWindow, qtbot: QtBot) -> None:
    def wait(job: Job) -> None:
        while True:
            job(0.5, "waiting")

    window.controller.jobs.start("Waiting", wait, kind="test", done=print, failed=print)
    qtbot.waitUntil(window.actions_by_name["cancel"].isEnabled)

    qtbot.keyClick(window, Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: not window.controller.jobs.running)
    assert window.findChild(MessageBar).sentence == "Cancelled: Waiting."


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (alias.name for alias in node.names)
