"""The window answers while a large table is opened and scored."""

from __future__ import annotations

from pathlib import Path

from heartbeat import PROTECTION, Heartbeat, write_table
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.app import set_up
from curator_gui.gui.main_window import MainWindow


def test_the_window_answers_while_two_hundred_thousand_records_are_opened_and_scored(
    window: MainWindow, qapp: QApplication, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    set_up(qapp)
    path = write_table(tmp_path / "people.csv", 200_000)
    controller = window.controller
    heart = Heartbeat()

    window.files.open_path(path)
    qtbot.waitUntil(lambda: controller.session is not None, timeout=60_000)
    assert controller.set_protection(PROTECTION) is None
    scored(controller)
    controller.set_preview(controller.candidates[0])
    qtbot.waitUntil(lambda: controller.look() is not None)
    assert controller.commit(controller.candidates[0].operator)
    scored(controller)
    heart.stop()

    print(f"beats {len(heart.gaps)}, 99 % within {heart.ninety_nine:.0f} ms, longest {heart.longest:.0f} ms")
    assert heart.ninety_nine < 50
    assert heart.longest < 200
