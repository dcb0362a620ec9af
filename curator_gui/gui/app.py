"""The window's entry point: the application, its window, and what happens to errors nobody foresaw."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QSettings, QStandardPaths, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from curator_gui.bundled import resource
from curator_gui.core.errors import FileError
from curator_gui.gui.asking import Dialogs
from curator_gui.gui.controller import Controller
from curator_gui.gui.jobs import sentence_of
from curator_gui.gui.main_window import MainWindow

_NAME = "curator-gui"
_LOG_BYTES = 500_000


def main(arguments: list[str]) -> int:
    """Show the window. ``--demo`` opens the sample; else one optional file is opened."""
    application = QApplication([_NAME])
    set_up(application)
    data = user_folder(QStandardPaths.StandardLocation.AppDataLocation)
    log_to(data / "log")
    controller = Controller()
    window = MainWindow(controller, QSettings(), data, data / "log", Dialogs())
    sys.excepthook = telling(controller.problem.emit)
    window.show()
    QTimer.singleShot(0, window, lambda: begin(window, arguments))
    try:
        return application.exec()
    finally:
        sys.excepthook = sys.__excepthook__


def set_up(application: QApplication) -> None:
    """Name and icon: where settings and data go depends on the name."""
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
            tell(sentence_of(error.with_traceback(trace)))

    return hook
