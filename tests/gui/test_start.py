"""The program is there at once: the first window needs Qt alone, and what is clicked meanwhile is done."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths, Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.app import second_window, settings_in
from curator_gui.gui.first_window import FirstWindow
from curator_gui.gui.main_window import MainWindow

HEAVY = ("numpy", "sqlglot", "pandas", "matplotlib", "scipy", "opendp", "duckdb", "sqlalchemy")
NEVER_NEEDED_TO_BEGIN = HEAVY[2:]


def loaded_by(module: str) -> set[str]:
    code = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_first_window_is_painted_before_anything_heavy_is_loaded() -> None:
    assert loaded_by("curator_gui.gui.app").isdisjoint(HEAVY)


def test_the_whole_window_loads_no_statistics_and_no_plots() -> None:
    assert loaded_by("curator_gui.gui.main_window").isdisjoint(NEVER_NEEDED_TO_BEGIN)


@pytest.fixture
def first(qtbot: QtBot, settings: QSettings) -> Iterator[FirstWindow]:
    QStandardPaths.setTestModeEnabled(True)
    window = FirstWindow(settings, [])
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.painted):
        window.show()
    yield window
    QStandardPaths.setTestModeEnabled(False)


def test_settings_of_an_older_version_are_taken_over_once(tmp_path: Path) -> None:
    earlier, folder = tmp_path / "earlier.ini", tmp_path / "curator-gui"
    QSettings(str(earlier), QSettings.Format.IniFormat).setValue("preferences/percent", 150)

    settings = settings_in(folder, earlier)
    assert int(settings.value("preferences/percent")) == 150
    settings.setValue("preferences/percent", 100)
    settings.sync()

    assert (folder / "settings.ini").is_file()
    assert int(settings_in(folder, earlier).value("preferences/percent")) == 100


def close(window: MainWindow) -> None:
    window.close()
    window.deleteLater()


def test_the_whole_window_takes_the_place_of_the_first(first: FirstWindow, settings: QSettings) -> None:
    window = second_window(first, settings, [])

    assert window.isVisible()
    assert not first.isVisible()
    assert window.size() == first.size()
    close(window)


def test_what_was_clicked_while_the_rest_was_loading_is_done(
    first: FirstWindow, settings: QSettings, qtbot: QtBot, scored: Scored
) -> None:
    qtbot.mouseClick(first.findChild(QAbstractButton, "open_paper"), Qt.MouseButton.LeftButton)

    window = second_window(first, settings, [])
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.table.rows == 8
    close(window)


def test_a_table_named_on_the_command_line_is_opened(
    first: FirstWindow, settings: QSettings, tmp_path: Path, scored: Scored
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,city\n34,Oslo\n35,Oslo\n36,Bergen\n")

    window = second_window(first, settings, [str(path)])
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.source_path == path
    close(window)
