"""The window's entry point: the application, its window, and what happens to errors nobody foresaw."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from shutil import copyfile
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMainWindow

from curator_gui.bundled import resource
from curator_gui.core.errors import FileError
from curator_gui.gui.appearance import Appearance
from curator_gui.gui.first_window import FirstWindow
from curator_gui.gui.preferences import preferences_of
from curator_gui.gui.recent import recent_files

if TYPE_CHECKING:
    from curator_gui.gui.main_window import MainWindow

_NAME = "curator-gui"
_LOG_BYTES = 500_000
_COLLECT_AFTER = (10_000, 20, 50)  # cycles are few, and a search for them stops the window meanwhile
_SWITCH_AFTER_S = 0.0002  # a paint takes the interpreter many times; the usual 5 ms each would be felt


def main(arguments: list[str]) -> int:
    """Show the window. ``--demo`` opens the sample; else one optional file is opened."""
    application = QApplication([_NAME])
    set_up(application)
    log_to(user_folder(QStandardPaths.StandardLocation.AppDataLocation) / "log")
    settings = settings_in(
        user_folder(QStandardPaths.StandardLocation.AppConfigLocation), Path(QSettings().fileName())
    )
    preferences = preferences_of(settings)
    Appearance.of(application).show(preferences.scheme, preferences.percent)
    first = FirstWindow(settings, recent_files(settings))
    windows: list[QMainWindow] = [first]
    first.painted.connect(
        lambda: windows.append(second_window(first, settings, arguments)), Qt.ConnectionType.QueuedConnection
    )
    first.show()
    try:
        return application.exec()
    finally:
        sys.excepthook = sys.__excepthook__


def second_window(first: FirstWindow, settings: QSettings, arguments: list[str]) -> MainWindow:
    """The whole window in the place of the first one, once that is painted."""
    from curator_gui.gui.asking import Dialogs
    from curator_gui.gui.controller import Controller
    from curator_gui.gui.main_window import MainWindow  # half a second of NumPy, SQL and panels

    data = user_folder(QStandardPaths.StandardLocation.AppDataLocation)
    controller = Controller()
    window = MainWindow(controller, settings, data, data / "log", Dialogs())
    sys.excepthook = telling(controller.problem.emit)
    window.setGeometry(first.geometry())
    window.setWindowState(first.windowState())
    window.show()
    QApplication.processEvents()  # what was clicked while this was loading
    first.close()
    gc.freeze()  # what is loaded stays: it is not searched again and again
    begin(window, arguments)
    if first.wanted is not None:
        first.wanted(window.files)
    return window


def set_up(application: QApplication) -> None:
    """Name and icon, on which the folders of settings and data depend; and a window that answers while
    threads compute."""
    sys.setswitchinterval(_SWITCH_AFTER_S)
    gc.set_threshold(*_COLLECT_AFTER)
    application.setApplicationName(_NAME)
    application.setApplicationDisplayName("Curator")
    application.setDesktopFileName(_NAME)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    try:
        application.setWindowIcon(QIcon(str(resource("curator.svg"))))
    except FileError:
        return  # a window without an icon is a window


def begin(window: MainWindow, arguments: list[str]) -> None:
    """Once the window is painted: open what was asked for, and offer what a crash left."""
    window.offer_recovery()
    if "--demo" in arguments:
        window.files.open_sample("clinic.curation.json")
    elif arguments:
        window.files.open_path(Path(arguments[0]))


def user_folder(location: QStandardPaths.StandardLocation) -> Path:
    return Path(QStandardPaths.writableLocation(location))


def settings_in(folder: Path, earlier: Path) -> QSettings:
    """The settings, in a file of ``folder``; those an older version kept in ``earlier`` are taken over."""
    path = folder / "settings.ini"
    if earlier.is_file() and not path.exists():
        with suppress(OSError):  # then it begins with the usual settings
            folder.mkdir(parents=True, exist_ok=True)
            copyfile(earlier, path)
    return QSettings(str(path), QSettings.Format.IniFormat)


def log_to(folder: Path) -> None:
    """Errors of the program go to a small file of the user's own: places in the code, no values of data."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / "curator.log", maxBytes=_LOG_BYTES, backupCount=1, delay=True)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logging.getLogger("curator_gui").addHandler(handler)


def telling(
    tell: Callable[[str], None],
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """An ``excepthook`` that tells an error in one sentence and logs where it arose."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        else:
            from curator_gui.gui.jobs import sentence_of  # loaded with the window

            tell(sentence_of(error.with_traceback(trace)))

    return hook
