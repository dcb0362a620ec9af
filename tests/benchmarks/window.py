"""How long the window is kept waiting while a table is opened, scored and released, and how soon a cancelled
job ends. The table has 15 columns, two of them different in nearly every row.

Run by hand: QT_QPA_PLATFORM=offscreen python tests/benchmarks/window.py 1000000
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from heartbeat import PROTECTION, Heartbeat

from curator_gui.core.operators import Project
from curator_gui.gui.app import set_up
from curator_gui.gui.asking import Dialogs
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening import OpeningDialog
from curator_gui.gui.main_window import MainWindow

PATIENCE_S = 300


def write_table(path: Path, rows: int) -> Path:
    """An invented table of people, 15 columns of every kind."""
    draw = np.random.default_rng(5)
    columns = {
        "number": np.arange(rows),
        "sex": draw.choice(["F", "M"], rows),
        "town": draw.integers(0, 400, rows),
        "zip": np.char.zfill(draw.integers(0, 99_999, rows).astype(str), 5),
        "age": draw.integers(18, 95, rows),
        "income": draw.integers(900, 90_000, rows),
        "weight": np.round(draw.normal(70, 10, rows), 1),
        "admitted": np.datetime64("2010-01-01") + draw.integers(0, 4000, rows),
        "medication": draw.choice(["ART", "none", "aspirin", "statin"], rows),
        "state": np.where(draw.random(rows) < 0.1, "ill", "well"),
        "score": np.round(draw.normal(0, 1, rows), 6),
        "ward": draw.choice(list("ABCDEFGH"), rows),
        "bmi": np.round(draw.normal(25, 4, rows), 2),
        "code": np.char.add("C", draw.integers(100, 999, rows).astype(str)),
        "visits": draw.poisson(3, rows),
    }
    with path.open("w") as file:
        file.write(",".join(columns) + "\n")
        texts = [column.astype(str).tolist() for column in columns.values()]
        file.writelines(",".join(row) + "\n" for row in zip(*texts, strict=True))
    return path


def wait(until: Callable[[], bool]) -> None:
    started = perf_counter()
    while not until():
        if perf_counter() - started > PATIENCE_S:
            raise TimeoutError
        loop = QEventLoop()
        QTimer.singleShot(2, loop.quit)
        loop.exec()


def stage(name: str, begin: Callable[[], object], done: Callable[[], bool]) -> None:
    heart, start = Heartbeat(), perf_counter()
    begin()
    wait(done)
    wait(lambda: len(heart.gaps) > 1)
    heart.stop()
    took = perf_counter() - start
    waits = f"99 % within {heart.ninety_nine:.0f} ms, longest {heart.longest:.0f} ms"
    print(f"{name:28} {took:6.2f} s, waits: {waits}", flush=True)


def dialog() -> OpeningDialog | None:
    tops = QApplication.topLevelWidgets()
    return next((w for w in tops if isinstance(w, OpeningDialog) and w.isVisible()), None)


def cancelled(
    name: str, controller: Controller, begin: Callable[[], object], kind: str, after_s: float
) -> None:
    """How long the thread of a job goes on after it was cancelled."""
    begin()
    wait(lambda: any(job.kind == kind for job in controller.jobs.running))
    thread = next(job.thread for job in controller.jobs.running if job.kind == kind)
    started = perf_counter()
    wait(lambda: perf_counter() - started > after_s)
    assert thread is not None
    if not thread.is_alive():
        return
    asked = perf_counter()
    controller.jobs.cancel()
    wait(lambda: not thread.is_alive())
    print(f"{name:28} cancelled after {after_s:.1f} s: ended {1000 * (perf_counter() - asked):.0f} ms later")


def main(rows: int) -> None:
    application = QApplication(["benchmark"])
    set_up(application)
    folder = Path(tempfile.mkdtemp())
    path = write_table(folder / "people.csv", rows)
    controller = Controller()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(controller, settings, folder, folder, Dialogs())
    window.resize(1440, 900)
    window.show()
    gc.freeze()  # as the program does once the window stands
    released: list[object] = []
    controller.released.connect(released.append)

    def scored() -> bool:
        return controller.candidates_complete

    def release() -> None:
        identifiers = list(controller.session.record.roles) if controller.session else []
        controller.release(folder / "out.csv", over_budget="benchmark", keep_identifiers=identifiers)

    stage("first rows in the dialog", lambda: window.files.open_path(path), lambda: dialog() is not None)
    stage("all rows", lambda: None, lambda: bool((found := dialog()) and found.ready))
    stage("open", lambda: (found := dialog()) and found.accept(), lambda: controller.session is not None)
    stage("score", lambda: None, scored)
    stage("another protection", lambda: controller.set_protection(PROTECTION), scored)
    stage("commit", lambda: controller.commit(Project(("income",))), scored)
    stage("release", release, lambda: bool(released))
    for after in (0.5, 1.5, 3.0, 5.0):
        cancelled("release", controller, release, "release", after)
        cancelled("scoring", controller, lambda: controller.set_protection(PROTECTION), "score", after)
        cancelled("opening", controller, lambda: controller.open_path(path), "open", after)
    controller.shutdown()
    window.hide()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
