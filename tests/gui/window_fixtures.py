"""Windows under test: a folder of their own, answers instead of modal dialogs, and nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from curator_gui.gui.asking import Answer, Taken
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening import WITHOUT_ASKING
from curator_gui.gui.main_window import MainWindow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says for every window that it has no frame; nothing is wrong with that."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


@dataclass
class Answers:
    """Stands in for the modal dialogs: what to answer, and what was asked. ``folder``: the user's files."""

    folder: Path
    open: Path | None = None
    write: Path | None = None
    changes: Answer = Answer.DISCARD
    taken: list[Taken] = field(default_factory=list)
    cancel_release: bool = False
    text: str | None = None
    asked: list[str] = field(default_factory=list)

    def file_to_open(self, parent: QWidget, title: str, kinds: str, folder: Path | None) -> Path | None:
        self.asked.append(title)
        return self.open

    def file_to_write(self, parent: QWidget, title: str, kinds: str, proposed: Path) -> Path | None:
        self.asked.append(title)
        return self.write

    def about_changes(self, parent: QWidget, name: str) -> Answer:
        self.asked.append(name)
        return self.changes

    def about_file(self, parent: QWidget, question: str, consequence: str) -> Taken:
        """The answers of ``taken`` in turn, then to go back."""
        self.asked.append(question)
        return self.taken.pop(0) if self.taken else Taken.CANCEL

    def about_release(self, parent: QWidget) -> bool:
        self.asked.append("release")
        return self.cancel_release

    def name(self, parent: QWidget, title: str, label: str) -> str | None:
        self.asked.append(title)
        return self.text


@pytest.fixture(autouse=True)
def nothing_left_behind(qapp: QApplication) -> Iterator[None]:
    """No thread of ours and no window outlives its test."""
    yield
    qapp.processEvents()
    ours = [t.name for t in threading.enumerate() if t.name.startswith("curator")]
    shown = [w.objectName() for w in qapp.topLevelWidgets() if w.isVisible()]
    assert not ours, f"threads left: {ours}"
    assert not shown, f"windows left: {shown}"


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path)


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Controller]:
    made = Controller()
    yield made
    made.shutdown()


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Of a user who wants no import dialog where nothing needs a look; ``test_opening`` has the others."""
    stored = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    stored.setValue(WITHOUT_ASKING, True)
    return stored


@pytest.fixture
def new_window(
    qtbot: QtBot, settings: QSettings, tmp_path: Path, answers: Answers
) -> Iterator[Callable[[], MainWindow]]:
    """Windows that share settings and a data folder, as one user's do."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        window = MainWindow(Controller(), settings, tmp_path / "data", tmp_path / "log", answers)
        made.append(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield make
    answers.changes, answers.cancel_release = Answer.DISCARD, True
    for window in made:
        window.close()
        window.controller.deleteLater()
        window.deleteLater()


@pytest.fixture
def window(new_window: Callable[[], MainWindow]) -> MainWindow:
    return new_window()


Scored = Callable[[Controller], None]


@pytest.fixture
def scored(qtbot: QtBot) -> Scored:
    """Waits until every score of the present position is there."""

    def wait(controller: Controller) -> None:
        qtbot.waitUntil(
            lambda: controller.session is not None and controller.candidates_complete, timeout=20_000
        )

    return wait
