"""The example of three women, by clicks: why deleting a record does not help and dropping a column does."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from math import log
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QTreeView
from pytestqt.qtbot import QtBot
from walking import child, click, click_row, dialog
from window_fixtures import Answers, Scored

from curator_gui.core.operators import Delete, Operator, Project
from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.models.candidates import SECOND_ROLE


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot, scored: Scored) -> MainWindow:
    click(qtbot, window, "open_paper")
    scored(window.controller)
    return window


def previewed(window: MainWindow, operator: Operator) -> Candidate:
    preview = window.controller.preview
    assert preview is not None
    assert preview.operator == operator
    return preview


def test_dropping_the_medication_brings_the_disclosure_to_zero(opened: MainWindow, qtbot: QtBot) -> None:
    click_row(qtbot, opened, "candidates", "Drop medication")

    preview = previewed(opened, Project(("medication",)))
    assert preview.alpha_before == pytest.approx(log(1.5))
    assert preview.alpha == 0
    assert (preview.worse, preview.better, preview.same) == (1, 2, 5)  # record 3 was ruled out before


def test_deleting_the_third_record_does_no_privacy_work(
    opened: MainWindow, qtbot: QtBot, scored: Scored
) -> None:
    opened.controller.score_own(Delete(None, (2,)))
    qtbot.waitUntil(lambda: opened.controller.preview is not None)

    preview = previewed(opened, Delete(None, (2,)))
    view = child(opened, "candidates")
    assert isinstance(view, QTreeView)
    assert preview.alpha == preview.alpha_before
    assert "does no privacy work" in str(view.currentIndex().siblingAtColumn(0).data(SECOND_ROLE))


def test_the_preview_is_exactly_what_the_commit_gives(
    opened: MainWindow, qtbot: QtBot, scored: Scored
) -> None:
    click_row(qtbot, opened, "candidates", "Drop medication")
    preview = opened.controller.preview
    assert preview is not None

    click(qtbot, opened, "commit")
    scored(opened.controller)

    trajectory = opened.controller.trajectory
    assert trajectory is not None
    after = trajectory.prefixes[4]
    assert after.alpha == preview.alpha
    assert after.utility == preview.utility
    assert after.over_budget == preview.over_budget
    assert after.feasible == preview.feasible


def test_undo_and_redo_move_along_the_plan_and_change_nothing(
    opened: MainWindow, qtbot: QtBot, scored: Scored
) -> None:
    click_row(qtbot, opened, "candidates", "Drop medication")
    click(qtbot, opened, "commit")
    scored(opened.controller)
    alphas = opened.controller.trajectory.alphas if opened.controller.trajectory else ()

    click(qtbot, opened, "tool_undo")
    click_row(qtbot, opened, "steps", "Source")
    click(qtbot, opened, "tool_redo")
    scored(opened.controller)

    session, trajectory = opened.controller.session, opened.controller.trajectory
    assert session is not None
    assert trajectory is not None
    assert (session.position, len(session.plan)) == (1, 4)
    assert trajectory.alphas == alphas


def test_a_saved_session_is_the_same_when_opened_again(
    opened: MainWindow, new_window: Callable[[], MainWindow], qtbot: QtBot, scored: Scored, answers: Answers
) -> None:
    click_row(qtbot, opened, "candidates", "Drop medication")
    click(qtbot, opened, "commit")
    scored(opened.controller)
    answers.write = answers.folder / "three.curation.json"
    click(qtbot, opened, "tool_save")
    session = opened.controller.session
    assert session is not None
    assert not opened.isWindowModified()

    again = new_window()
    answers.open = answers.write
    click(qtbot, again, "open_file")
    scored(again.controller)

    reopened = again.controller.session
    assert reopened is not None
    assert (reopened.plan, reopened.position) == (session.plan, session.position)
    assert reopened.protection == session.protection


def test_the_release_holds_what_was_committed(
    opened: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    click_row(qtbot, opened, "candidates", "Drop medication")
    click(qtbot, opened, "commit")
    scored(opened.controller)
    click(qtbot, opened, "tool_release")
    release = dialog(qtbot, "release")
    path = child(release, "release_path")
    path.clear()  # type: ignore[attr-defined]
    qtbot.keyClicks(path, str(tmp_path / "out.csv"))
    click(qtbot, release, "save_release")
    qtbot.waitUntil(lambda: (tmp_path / "out.csv").exists() and not opened.controller.releasing)
    qtbot.waitUntil(lambda: "read back" in child(release, "release_summary").text())  # type: ignore[attr-defined]
    click(qtbot, release, "close_release")

    rows = list(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    manifests = list((tmp_path / "data" / "releases").glob("out.*.internal.json"))
    assert rows[0] == ["age", "sex", "zip"]
    assert rows[1:4] == [["[30, 40)", "F", "926"]] * 3
    assert len(rows) == 9
    assert len(manifests) == 1
    assert json.loads(manifests[0].read_text())["released_rows"] == 8
    assert manifests[0].stat().st_mode & 0o777 == 0o600


def test_the_figures_beside_the_disclosure_are_always_in_sight(opened: MainWindow) -> None:
    figures = child(opened, "figures")

    assert isinstance(figures, QLabel)
    for words in ("8 of 8 records", "prior exposure", "over budget 2", "smallest class 1", "alone"):
        assert words in figures.text()
