"""What the window says of how the open table was read."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.core.column_type import ColumnType
from curator_gui.gui.dialogs.reading_notes import reading_notes
from curator_gui.gui.main_window import MainWindow
from curator_gui.session import Session

LEFT = Qt.MouseButton.LeftButton
ROWS = "age,word\n34,none\n4e,x\nnone,y\n36\n"


def opened(tmp_path: Path) -> Session:
    source = tmp_path / "people.csv"
    source.write_text(ROWS)
    return Session.open_table(source, types={"age": ColumnType("integer")}, missing={"age": ("none",)})


def test_the_reading_its_irregular_lines_and_accepted_exceptions_are_said(tmp_path: Path) -> None:
    said = "\n".join(reading_notes(opened(tmp_path)))

    assert "Read as UTF-8 · comma" in said
    assert "Missing in “age” alone: “none”." in said
    assert "1 row shorter than the header (line 5)" in said
    assert "1 cell of “age” is no whole number: “4e” keeps its text." in said


def test_a_button_of_the_table_shows_the_notes(
    window: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    button = window.findChild(QToolButton, "reading_notes_button")
    window.controller.set_session(opened(tmp_path))
    scored(window.controller)
    qtbot.waitUntil(button.isVisible)

    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: window.findChild(QPlainTextEdit, "reading_notes_text") is not None)

    assert "Missing in “age” alone" in window.findChild(QPlainTextEdit, "reading_notes_text").toPlainText()
    qtbot.mouseClick(window.findChild(QPushButton, "close_reading_notes"), LEFT)
    qtbot.waitUntil(lambda: window.findChild(QPlainTextEdit, "reading_notes_text") is None)
