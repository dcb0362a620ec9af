"""No work is lost in the window: what is asked before something is replaced, left or cancelled."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot
from window_fixtures import Answers, Scored

from curator_gui.bundled import sample
from curator_gui.gui.asking import Answer, Taken
from curator_gui.gui.jobs import Job
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.message_bar import MessageBar
from curator_gui.session import Session
from curator_gui.store.session_file import read_session

NewWindow = Callable[[], MainWindow]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session_file(tmp_path: Path) -> Path:
    for name in ("paper.csv", "paper.curation.json"):
        shutil.copy(sample(name), tmp_path / name)
    return tmp_path / "paper.curation.json"


@pytest.fixture
def opened(window: MainWindow, session_file: Path, scored: Scored) -> MainWindow:
    window.files.open_path(session_file)
    scored(window.controller)
    return window


@pytest.fixture
def held() -> Iterator[Event]:
    """What a job waits for until it is set; set in any case at the end."""
    event = Event()
    yield event
    event.set()


def bar(window: MainWindow) -> MessageBar:
    return window.findChild(MessageBar, "message_bar")


def session_of(window: MainWindow) -> Session:
    session = window.controller.session
    assert session is not None
    return session


def open_held(window: MainWindow, held: Event) -> None:
    """Begin to open the clinic, which is not there before ``held`` is set."""

    def work(job: Job) -> Session:
        held.wait(20)
        return Session.load(sample("clinic.curation.json"), progress=job)

    assert window.files.may_leave()
    window.controller.open_by("Opening the clinic", work)


def hold_release(window: MainWindow, held: Event) -> None:
    """A release that is being written until it is cancelled or ``held`` is set."""

    def work(job: Job) -> None:
        while not held.wait(0.01):
            job.check()

    controller = window.controller
    controller.jobs.start(
        "Releasing", work, kind="release", done=lambda _: None, failed=controller.problem.emit
    )


# --- while another table is being opened ---


def test_a_step_made_while_another_table_opens_is_not_lost(
    opened: MainWindow, answers: Answers, held: Event, qtbot: QtBot
) -> None:
    open_held(opened, held)
    step = session_of(opened).plan[0]
    opened.controller.undo()
    answers.changes = Answer.CANCEL

    held.set()
    qtbot.waitUntil(lambda: bool(answers.asked))
    qtbot.waitUntil(lambda: "stays open" in bar(opened).sentence)

    assert answers.asked == ["paper.curation.json"]
    assert session_of(opened).source_path.name == "paper.csv"
    assert session_of(opened).plan[0] == step


def test_steps_given_up_before_opening_are_not_asked_about_again(
    opened: MainWindow, answers: Answers, held: Event, qtbot: QtBot
) -> None:
    opened.controller.undo()
    answers.changes = Answer.DISCARD
    open_held(opened, held)

    held.set()
    qtbot.waitUntil(lambda: session_of(opened).source_path.name == "clinic.csv")

    assert len(answers.asked) == 1


# --- two windows on one session ---


def test_the_second_window_to_save_is_asked_first_and_may_go_back(
    opened: MainWindow, new_window: NewWindow, session_file: Path, answers: Answers, scored: Scored
) -> None:
    other = new_window()
    other.files.open_path(session_file)
    scored(other.controller)
    opened.controller.save_steps("of the first window")
    assert opened.files.save()
    other.controller.save_steps("of the second window")

    assert not other.files.save()

    assert answers.asked == ["paper.curation.json is no longer what was opened here. Replace it?"]
    assert read_session(session_file).saved_steps[-1].name == "of the first window"
    assert session_of(other).modified


def test_the_second_window_may_save_under_another_name(
    opened: MainWindow, session_file: Path, answers: Answers, tmp_path: Path
) -> None:
    Session.load(session_file).save(session_file)
    changed = Session.load(session_file)
    changed.save_steps("of somebody else")
    changed.save(session_file)
    opened.controller.save_steps("mine")
    answers.taken, answers.write = [Taken.OTHER_NAME], tmp_path / "mine.curation.json"

    assert opened.files.save()

    assert read_session(session_file).saved_steps[-1].name == "of somebody else"
    assert read_session(tmp_path / "mine.curation.json").saved_steps[-1].name == "mine"


def test_the_second_window_may_replace_and_is_not_asked_twice(
    opened: MainWindow, session_file: Path, answers: Answers
) -> None:
    changed = Session.load(session_file)
    changed.save_steps("of somebody else")
    changed.save(session_file)
    opened.controller.save_steps("mine")
    answers.taken = [Taken.REPLACE]

    assert opened.files.save()
    opened.controller.save_steps("mine again")
    assert opened.files.save()

    assert len(answers.asked) == 1
    assert read_session(session_file).saved_steps[-1].name == "mine again"


def test_a_release_of_somebody_else_is_kept_without_a_question(
    opened: MainWindow, session_file: Path, answers: Answers, tmp_path: Path
) -> None:
    other = Session.load(session_file)
    other.release(tmp_path / "out.csv", over_budget="a test", save=True)
    opened.controller.save_steps("mine")

    assert opened.files.save()

    assert answers.asked == []
    assert len(read_session(session_file).releases) == 1
    assert read_session(session_file).saved_steps[-1].name == "mine"


def test_a_name_that_gets_its_suffix_afterwards_is_asked_about(
    opened: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    there = tmp_path / "foo.curation.json"
    there.write_text("of somebody else")
    answers.write = tmp_path / "foo"

    assert not opened.files.save_as()

    assert "foo.curation.json is there already. Replace it?" in answers.asked
    assert there.read_text() == "of somebody else"


# --- a release under way ---


@pytest.mark.parametrize("leave", ["close the table", "open another", "quit"])
def test_a_release_under_way_is_waited_for(
    opened: MainWindow, answers: Answers, held: Event, tmp_path: Path, leave: str
) -> None:
    hold_release(opened, held)

    match leave:
        case "close the table":
            opened.files.close_session()
        case "open another":
            opened.files.open_path(tmp_path / "paper.csv")
        case "quit":
            assert not opened.close()

    assert answers.asked == ["release"]
    assert opened.controller.releasing
    assert session_of(opened).source_path.name == "paper.csv"


def test_a_release_under_way_may_be_cancelled_to_leave(
    opened: MainWindow, answers: Answers, held: Event
) -> None:
    hold_release(opened, held)
    answers.cancel_release = True

    opened.files.close_session()

    assert opened.controller.session is None
    assert not opened.controller.releasing


def test_a_release_that_was_in_place_when_it_was_cancelled_is_recorded_and_asked_about(
    opened: MainWindow, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    answers.cancel_release, answers.changes = True, Answer.CANCEL
    out = tmp_path / "out.csv"
    opened.controller.release(out, over_budget="a test")
    job = next(j for j in opened.controller.jobs.running if j.kind == "release")
    assert job.ended.wait(20)  # done, but not yet delivered to the window

    opened.files.close_session()

    assert answers.asked == ["release", "paper.curation.json"]
    assert len(session_of(opened).record.releases) == 1


# --- Esc ---


def test_escape_never_cancels_a_synthesis(opened: MainWindow, held: Event, qtbot: QtBot) -> None:
    jobs = opened.controller.jobs
    for kind in ("synthesis", "look"):
        jobs.start(kind, lambda _: held.wait(20), kind=kind, done=lambda _: None, failed=lambda _: None)
    assert opened.actions_by_name["cancel"].isEnabled()

    qtbot.keyClick(opened, Qt.Key.Key_Escape)

    assert [j.kind for j in jobs.running] == ["synthesis"]
    assert not opened.actions_by_name["cancel"].isEnabled()


def test_the_button_beside_a_job_is_not_there_for_a_synthesis(
    opened: MainWindow, held: Event, qtbot: QtBot
) -> None:
    opened.controller.jobs.start(
        "Synthesizing", lambda _: held.wait(20), kind="synthesis", done=lambda _: None, failed=lambda _: None
    )
    qtbot.waitUntil(lambda: opened.findChild(QAbstractButton, "cancel_job").parent().isVisible())

    qtbot.waitUntil(lambda: "Synthesizing" in _shown_job(opened))
    assert not opened.findChild(QAbstractButton, "cancel_job").isVisible()


def _shown_job(window: MainWindow) -> str:
    label = window.findChild(QLabel, "job")
    return label.text() if label.isVisible() else ""


def test_escape_asks_before_it_cancels_a_release(
    opened: MainWindow, answers: Answers, held: Event, qtbot: QtBot
) -> None:
    hold_release(opened, held)

    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert answers.asked == ["release"]
    assert opened.controller.releasing

    answers.cancel_release = True
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert not opened.controller.releasing


# --- dropping ---


def test_a_file_that_is_moved_onto_the_window_is_only_copied(
    window: MainWindow, session_file: Path, scored: Scored
) -> None:
    bar(window).show_problem("Something before.")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(session_file))])
    move, copy = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), move | copy, data, LEFT, none)
    enter.setDropAction(move)
    QApplication.sendEvent(window, enter)
    drop = QDropEvent(QPointF(9, 9), move | copy, data, LEFT, none)
    drop.setDropAction(move)
    QApplication.sendEvent(window, drop)

    assert enter.isAccepted()
    assert drop.isAccepted()
    assert (enter.dropAction(), drop.dropAction()) == (copy, copy)
    assert bar(window).sentence == ""
    scored(window.controller)


def test_a_refused_drop_takes_the_old_problem_away(
    opened: MainWindow, session_file: Path, answers: Answers
) -> None:
    opened.controller.undo()
    bar(opened).show_problem("Something before.")
    answers.changes = Answer.CANCEL
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(session_file))])
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier

    QApplication.sendEvent(opened, QDragEnterEvent(QPoint(9, 9), copy, data, LEFT, none))
    QApplication.sendEvent(opened, QDropEvent(QPointF(9, 9), copy, data, LEFT, none))

    assert answers.asked == ["paper.curation.json"]
    assert bar(opened).sentence == ""


# --- offers ---


def test_an_offer_comes_back_after_what_covered_it(window: MainWindow) -> None:
    bar(window).show_offer("Go on?", [("Yes", lambda: None)])

    bar(window).show_problem("Something is wrong.")
    assert bar(window).sentence == "Something is wrong."
    bar(window).clear_problem()

    assert bar(window).sentence == "Go on?"
