"""A window in a process of its own: it opens the sample, commits a step and waits to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication

from curator_gui.core.operators import Project
from curator_gui.gui.asking import Dialogs
from curator_gui.gui.controller import Controller
from curator_gui.gui.main_window import MainWindow


def main(folder: Path) -> int:
    application = QApplication(["survivor"])
    settings = QSettings(str(folder / "other.ini"), QSettings.Format.IniFormat)
    controller = Controller()
    window = MainWindow(controller, settings, folder / "data", folder / "log", Dialogs())
    window.show()
    controller.open_sample()

    def commit() -> None:
        if controller.session is not None and not controller.session.plan:
            controller.commit(Project(("cost",)))

    timer = QTimer()
    timer.timeout.connect(commit)
    timer.start(50)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
