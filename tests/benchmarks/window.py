"""How long the window is kept waiting while a table is opened and scored, and how soon it is painted.

python tests/benchmarks/window.py 1000000
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from heartbeat import PROTECTION, Heartbeat, write_table

from curator_gui.core.operators import Project
from curator_gui.gui.app import set_up
from curator_gui.gui.asking import Dialogs
from curator_gui.gui.controller import Controller
from curator_gui.gui.main_window import MainWindow


def wait(until: Callable[[], bool]) -> None:
    while not until():
        loop = QEventLoop()
        QTimer.singleShot(10, loop.quit)
        loop.exec()


def main(rows: int) -> None:
    application = QApplication(["benchmark"])
    set_up(application)
    folder = Path(tempfile.mkdtemp())
    path = write_table(folder / "people.csv", rows)
    controller = Controller()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(controller, settings, folder, folder, Dialogs())
    window.show()

    def scored() -> bool:
        return controller.candidates_complete

    jobs: list[tuple[str, Callable[[], object], Callable[[], bool]]] = [
        ("open", lambda: controller.open_path(path), lambda: controller.session is not None),
        ("score", lambda: controller.set_protection(PROTECTION), scored),
        ("commit", lambda: controller.commit(Project(("age",))), scored),
    ]
    for name, begin, done in jobs:
        heart, start = Heartbeat(), perf_counter()
        begin()
        wait(done)
        heart.stop()
        took = perf_counter() - start
        waits = f"99 % within {heart.ninety_nine:.0f} ms, longest {heart.longest:.0f} ms"
        print(f"{name}: {took:.2f} s, waits: {waits}")
    controller.shutdown()
    window.hide()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
