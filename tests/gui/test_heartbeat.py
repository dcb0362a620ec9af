"""The window answers while a large table is opened and scored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest
from heartbeat import PROTECTION, Heartbeat, write_table
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.app import set_up
from curator_gui.gui.controller import Controller
from curator_gui.gui.main_window import MainWindow
from curator_gui.session import Session

RUNS = 4
MOST_99_MS = 250  # a bound for busy machines; the benchmark of the window measures the figures to reach
LONGEST_MS = 800
CANCELLED_S = 1.0


def test_the_window_answers_while_two_hundred_thousand_records_are_opened_and_scored(
    window: MainWindow, qapp: QApplication, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    set_up(qapp)
    path = write_table(tmp_path / "people.csv", 200_000)
    hearts = []

    for _ in range(RUNS):  # other programs take the processor too: the calmest run shows what ours does
        hearts.append(open_and_score(window, path, qtbot, scored))
        print(f"99 % within {hearts[-1].ninety_nine:.0f} ms, longest {hearts[-1].longest:.0f} ms")
        if hearts[-1].ninety_nine < MOST_99_MS and hearts[-1].longest < LONGEST_MS:
            return
    raise AssertionError([(heart.ninety_nine, heart.longest) for heart in hearts])


def open_and_score(window: MainWindow, path: Path, qtbot: QtBot, scored: Scored) -> Heartbeat:
    controller = window.controller
    controller.close_session()
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
    return heart


@pytest.mark.parametrize("after_ms", [50, 400, 900])
def test_opening_and_releasing_end_within_a_second_of_being_cancelled(
    controller: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path, after_ms: int
) -> None:
    path = write_table(tmp_path / "people.csv", 200_000)
    controller.set_session(Session.open_table(path))
    scored(controller)
    keep = list(controller.session.record.roles)
    begins = {
        "open": lambda: controller.open_path(path),
        "score": lambda: controller.set_protection(PROTECTION),
        "release": lambda: controller.release(
            tmp_path / "out.csv", over_budget="a test", keep_identifiers=keep
        ),
    }

    took = {kind: ended_after(controller, qtbot, kind, begin, after_ms) for kind, begin in begins.items()}

    assert max(took.values()) < CANCELLED_S, took


def ended_after(
    controller: Controller, qtbot: QtBot, kind: str, begin: Callable[[], object], after_ms: int
) -> float:
    """Seconds from cancelling to the end of the job's thread: the shortest of a few tries."""
    tries = []
    for _ in range(RUNS):
        begin()
        qtbot.waitUntil(lambda: any(j.kind == kind for j in controller.jobs.running))
        thread = next(j.thread for j in controller.jobs.running if j.kind == kind)
        qtbot.wait(after_ms)
        asked = perf_counter()
        controller.jobs.cancel()
        qtbot.waitUntil(lambda thread=thread: not thread.is_alive(), timeout=20_000)
        tries.append(perf_counter() - asked)
        if tries[-1] < CANCELLED_S:
            break
    return min(tries)
