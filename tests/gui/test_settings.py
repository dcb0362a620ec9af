"""Settings take effect at once, are there again next time, and hold nothing secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.appearance import Appearance
from curator_gui.gui.colour import luminance
from curator_gui.gui.dialogs.settings import SettingsDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.preferences import Preferences, prefer, preferences_of
from curator_gui.gui.recent import recent_files, remember

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def usual_look(qapp: QApplication) -> Iterator[None]:
    yield
    Appearance.of(qapp).show("system", 100)


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> SettingsDialog:
    return opened(window, qtbot)


def opened(window: MainWindow, qtbot: QtBot) -> SettingsDialog:
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    found = window.findChildren(SettingsDialog)[-1]
    qtbot.waitUntil(found.isVisible)
    return found


def choose(qtbot: QtBot, dialog: SettingsDialog, name: str, value: object) -> None:
    """Walk a list by its keys to a value."""
    combo = dialog.findChild(QComboBox, name)
    combo.setFocus()
    steps = combo.findData(value) - combo.currentIndex()
    for _ in range(abs(steps)):
        qtbot.keyClick(combo, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)
    assert combo.currentData() == value


def is_dark(window: QWidget) -> bool:
    return luminance(window.palette().color(QPalette.ColorRole.Window)) < 0.2


def test_dark_and_light_are_switched_while_the_window_is_open(
    window: MainWindow, dialog: SettingsDialog, qtbot: QtBot
) -> None:
    choose(qtbot, dialog, "scheme", "dark")
    qtbot.waitUntil(lambda: is_dark(window))

    choose(qtbot, dialog, "scheme", "light")
    qtbot.waitUntil(lambda: not is_dark(window))
    dialog.close()


def test_the_reading_size_changes_the_letters_of_the_open_window(
    window: MainWindow, dialog: SettingsDialog, qtbot: QtBot
) -> None:
    before = window.font().pointSizeF()

    choose(qtbot, dialog, "reading_size", 200)
    qtbot.waitUntil(lambda: window.font().pointSizeF() == pytest.approx(2 * before))

    choose(qtbot, dialog, "reading_size", 100)
    qtbot.waitUntil(lambda: window.font().pointSizeF() == pytest.approx(before))
    dialog.close()


def test_what_was_chosen_is_there_again_next_time(
    window: MainWindow,
    dialog: SettingsDialog,
    new_window: Callable[[], MainWindow],
    qtbot: QtBot,
    settings: QSettings,
) -> None:
    choose(qtbot, dialog, "scheme", "dark")
    choose(qtbot, dialog, "usual_observer", "plan-aware")
    dialog.close()
    window.close()
    settings.sync()

    again = opened(new_window(), qtbot)

    assert again.findChild(QComboBox, "scheme").currentData() == "dark"
    assert again.findChild(QComboBox, "usual_observer").currentData() == "plan-aware"
    again.close()


def test_defaults_are_one_click_away(dialog: SettingsDialog, qtbot: QtBot, settings: QSettings) -> None:
    choose(qtbot, dialog, "scheme", "dark")
    choose(qtbot, dialog, "reading_size", 150)

    qtbot.mouseClick(dialog.findChild(QPushButton, "restore_defaults"), LEFT)

    assert preferences_of(settings) == Preferences()
    assert dialog.findChild(QComboBox, "scheme").currentData() == "system"
    dialog.close()


def test_a_new_table_begins_with_the_preferred_observer_and_is_not_called_changed(
    window: MainWindow, tmp_path: Path, scored: Scored, settings: QSettings
) -> None:
    prefer(settings, Preferences(observer="membership-aware"))
    table = tmp_path / "people.csv"
    table.write_text("age,city\n34,Oslo\n35,Oslo\n36,Bergen\n")

    window.files.open_path(table)
    scored(window.controller)

    session = window.controller.session
    assert session is not None
    assert session.protection.observer.kind == "membership-aware"
    assert not session.modified
    assert not window.isWindowModified()


def test_a_saved_session_keeps_its_own_observer(
    window: MainWindow, scored: Scored, settings: QSettings
) -> None:
    prefer(settings, Preferences(observer="membership-aware"))

    window.files.open_sample("clinic.curation.json")
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.protection.observer.kind == "release-only"


def test_fewer_recent_files_are_kept_at_once(
    window: MainWindow, qtbot: QtBot, settings: QSettings, tmp_path: Path
) -> None:
    for name in ("one.csv", "two.csv", "three.csv"):
        (tmp_path / name).write_text("a\n1\n")
        remember(settings, tmp_path / name)
    dialog = opened(window, qtbot)
    kept = dialog.findChild(QSpinBox, "recent_kept")

    kept.selectAll()
    qtbot.keyClicks(kept, "2")
    qtbot.keyClick(kept, Qt.Key.Key_Return)

    assert [p.name for p in recent_files(settings)] == ["three.csv", "two.csv"]
    dialog.close()


def test_the_recent_files_are_forgotten_in_one_click(
    window: MainWindow, qtbot: QtBot, settings: QSettings, tmp_path: Path
) -> None:
    (tmp_path / "one.csv").write_text("a\n1\n")
    remember(settings, tmp_path / "one.csv")
    dialog = opened(window, qtbot)

    qtbot.mouseClick(dialog.findChild(QPushButton, "forget_recent"), LEFT)

    assert recent_files(settings) == []
    assert not dialog.findChild(QPushButton, "forget_recent").isEnabled()
    dialog.close()


def test_another_ledger_is_used_and_the_usual_one_again(
    dialog: SettingsDialog, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    usual = window.synthetic.budgets.url
    place = dialog.findChild(QLineEdit, "settings_ledger")
    place.selectAll()
    qtbot.keyClicks(place, str(tmp_path / "ledger.db"))
    qtbot.mouseClick(dialog.findChild(QPushButton, "settings_use_ledger"), LEFT)
    assert window.synthetic.budgets.url == str(tmp_path / "ledger.db")

    qtbot.mouseClick(dialog.findChild(QPushButton, "settings_usual_ledger"), LEFT)
    assert window.synthetic.budgets.url == usual
    dialog.close()


def test_a_password_in_the_address_of_a_ledger_is_never_stored(
    dialog: SettingsDialog, qtbot: QtBot, settings: QSettings
) -> None:
    place = dialog.findChild(QLineEdit, "settings_ledger")
    place.selectAll()
    qtbot.keyClicks(place, "postgresql://ann:hush@server/ledger")
    qtbot.mouseClick(dialog.findChild(QPushButton, "settings_use_ledger"), LEFT)

    settings.sync()
    assert "hush" not in Path(settings.fileName()).read_text() if Path(settings.fileName()).exists() else True
    assert "password" in dialog.findChild(QLabel, "settings_problem").text()
    dialog.close()


@pytest.mark.parametrize("stored", ["", "purple", "-7", "1e9", "None"])
def test_a_damaged_settings_file_gives_usable_preferences(settings: QSettings, stored: str) -> None:
    for name in ("scheme", "percent", "autosave", "recent"):
        settings.setValue(f"preferences/{name}", stored)

    found = preferences_of(settings)

    assert found.scheme == "system"
    assert 100 <= found.percent <= 200
    assert 1 <= found.autosave <= 60
    assert 0 <= found.recent <= 20
