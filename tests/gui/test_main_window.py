"""The window as a whole: ways in, ways out, keys, names, and what it says when something goes wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QTabBar,
    QTextBrowser,
    QToolBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_fixtures import Answers, Scored

from curator_gui.bundled import sample
from curator_gui.core.operators import Project
from curator_gui.gui.app import begin, telling
from curator_gui.gui.asking import Answer
from curator_gui.gui.dialogs.help import HelpDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.message_bar import MessageBar
from curator_gui.gui.recent import recent_files

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
NewWindow = Callable[[], MainWindow]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,city\n34,Oslo\n35,Oslo\n36,Bergen\n")
    return path


@pytest.fixture
def sample_window(window: MainWindow, scored: Scored) -> MainWindow:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    return window


def button(window: QWidget, name: str) -> QAbstractButton:
    return window.findChild(QAbstractButton, name)


def bar(window: MainWindow) -> MessageBar:
    return window.findChild(MessageBar, "message_bar")


def shown_dialog(name: str) -> QDialog:
    return next(w for w in QApplication.topLevelWidgets() if w.objectName() == name and w.isVisible())


# --- ways in ---


def test_the_first_window_says_what_to_do(window: MainWindow) -> None:
    assert button(window, "open_file").isVisible()
    assert button(window, "open_sample").isVisible()
    assert not any(dock.isVisible() for dock in window.findChildren(QDockWidget))


def test_a_table_is_opened_from_the_menu(
    window: MainWindow, table: Path, answers: Answers, qtbot: QtBot, scored: Scored
) -> None:
    answers.open = table
    qtbot.keyClick(window, Qt.Key.Key_O, CONTROL)
    scored(window.controller)

    session = window.controller.session
    assert session is not None
    assert session.table.names == ("age", "city")
    assert window.windowTitle().startswith("people.csv (not saved)")


def test_a_table_is_opened_by_dropping_it(
    window: MainWindow, table: Path, qtbot: QtBot, scored: Scored
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(table))])
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, LEFT, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()

    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, data, LEFT, none))
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.source_path == table


def test_a_table_is_opened_from_the_command_line(window: MainWindow, table: Path, scored: Scored) -> None:
    begin(window, [str(table)])
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.source_path == table


def test_the_demo_opens_the_sample(window: MainWindow, scored: Scored) -> None:
    begin(window, ["--demo"])
    scored(window.controller)

    assert window.controller.session is not None
    assert window.controller.session.source_path == sample("clinic.csv")


def test_an_opened_file_is_offered_again_next_time(
    window: MainWindow, new_window: NewWindow, table: Path, qtbot: QtBot, scored: Scored
) -> None:
    window.files.open_path(table)
    scored(window.controller)
    window.close()

    again = new_window()
    qtbot.mouseClick(button(again, f"recent_{table.name}"), LEFT)
    scored(again.controller)

    assert again.controller.session is not None
    assert again.controller.session.source_path == table


def test_a_file_that_cannot_be_opened_is_not_remembered(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, settings: object
) -> None:
    window.files.open_path(tmp_path / "absent.csv")

    qtbot.waitUntil(lambda: "absent.csv" in bar(window).sentence)
    assert recent_files(settings) == []  # type: ignore[arg-type]


def test_a_problem_goes_once_something_succeeds(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    window.files.open_path(tmp_path / "absent.csv")
    qtbot.waitUntil(lambda: bool(bar(window).sentence))

    window.files.open_sample("paper.curation.json")
    scored(window.controller)

    assert bar(window).sentence == ""


# --- ways out ---


def test_leaving_with_unsaved_changes_asks_first(
    sample_window: MainWindow, answers: Answers, scored: Scored
) -> None:
    sample_window.controller.commit(Project(("cost",)))
    answers.changes = Answer.CANCEL

    assert not sample_window.close()

    assert answers.asked == ["clinic.csv (not saved)"]
    assert sample_window.isWindowModified()


def test_leaving_may_save_first(sample_window: MainWindow, answers: Answers, tmp_path: Path) -> None:
    sample_window.controller.commit(Project(("cost",)))
    answers.changes, answers.write = Answer.SAVE, tmp_path / "mine.curation.json"

    assert sample_window.close()

    assert (tmp_path / "mine.curation.json").exists()


def test_leaving_without_changes_asks_nothing(sample_window: MainWindow, answers: Answers) -> None:
    assert sample_window.close()
    assert answers.asked == []


def test_closing_while_scores_stream_leaves_no_thread(window: MainWindow, qtbot: QtBot) -> None:
    window.files.open_sample("clinic.curation.json")
    qtbot.waitUntil(lambda: bool(window.controller.jobs.running))

    window.close()

    assert window.controller.jobs.running == ()


# --- the plan is scored on new data ---


def test_a_saved_plan_is_scored_on_new_data(
    window: MainWindow, answers: Answers, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    for name in ("paper.csv", "paper.curation.json"):
        shutil.copy(sample(name), tmp_path / name)
    newer = tmp_path / "newer.csv"
    newer.write_text((tmp_path / "paper.csv").read_text() + "38,F,92610,None,Flu\n")
    window.files.open_path(tmp_path / "paper.curation.json")
    scored(window.controller)
    answers.open = newer

    window.files.open_new_data()
    qtbot.waitUntil(
        lambda: window.controller.session is not None and window.controller.session.table.rows == 9
    )
    scored(window.controller)

    assert len(window.controller.session.plan) == 3  # type: ignore[union-attr]


# --- keys, layout, names ---


def test_every_key_is_listed_under_help(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)

    dialog = shown_dialog("help")
    text = dialog.findChild(QTextBrowser, "help_keys").toPlainText()
    for action in window.findChildren(QAction):
        for key in action.shortcuts() if action.text() else ():
            assert key.toString() in text, action.text()
    dialog.close()


def test_no_two_commands_share_a_key(window: MainWindow) -> None:
    keys = [k.toString() for a in window.actions_by_name.all for k in a.shortcuts()]

    assert len(keys) == len(set(keys))


def test_a_command_is_found_by_its_words(sample_window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(sample_window, Qt.Key.Key_K, CONTROL)
    search = shown_dialog("command_search")
    qtbot.keyClicks(search.findChild(QLineEdit, "command_words"), "keys and")
    qtbot.keyClick(search.findChild(QLineEdit, "command_words"), Qt.Key.Key_Return)

    found = shown_dialog("help")
    assert isinstance(found, HelpDialog)
    found.close()


def test_f6_walks_through_every_panel_and_back(sample_window: MainWindow, qtbot: QtBot) -> None:
    walked = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget() or sample_window, Qt.Key.Key_F6)
        walked.append(_panel_with_focus(sample_window))

    assert len(set(walked)) == 6
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert _panel_with_focus(sample_window) == walked[-2]


def _panel_with_focus(window: MainWindow) -> str:
    focused = QApplication.focusWidget()
    for dock in window.findChildren(QDockWidget):
        if dock.isAncestorOf(focused):
            return dock.objectName()
    return "centre"


def test_a_hidden_dock_is_still_hidden_next_time(
    sample_window: MainWindow, new_window: NewWindow, qtbot: QtBot, scored: Scored
) -> None:
    hidden = sample_window.docks.all[1]
    hidden.toggleViewAction().trigger()
    sample_window.close()

    again = new_window()
    again.files.open_sample("clinic.curation.json")
    scored(again.controller)

    assert not again.docks.all[1].isVisible()
    again.docks.reset()
    assert again.docks.all[1].isVisible()


def test_every_control_has_a_name_to_be_read_out(sample_window: MainWindow) -> None:
    controls = (
        QAbstractButton,
        QAbstractItemView,
        QAbstractSpinBox,
        QComboBox,
        QLineEdit,
        QPlainTextEdit,
        QProgressBar,
    )
    ours = [w for w in sample_window.findChildren(QWidget) if isinstance(w, controls) and not _part_of(w)]
    unnamed = [_place(w) for w in ours if not (w.accessibleName() or _own_text(w))]

    assert len(ours) > 30
    assert "; ".join(unnamed) == ""


def _part_of(widget: QWidget) -> bool:
    """Whether Qt made it, as a part of another control."""
    made_by_qt = (
        QComboBox,
        QLineEdit,
        QDockWidget,
        QHeaderView,
        QAbstractItemView,
        QTabBar,
        QToolBar,
        QMenuBar,
    )
    parent = widget.parentWidget()
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QHeaderView)
        or (not widget.objectName() and isinstance(parent, made_by_qt))
        or (parent is not None and parent.metaObject().className().startswith("QComboBoxPrivate"))
    )


def _place(widget: QWidget) -> str:
    parent = widget.parentWidget()
    return f"{widget.metaObject().className()} {widget.objectName()!r} in {parent and parent.objectName()!r}"


def _own_text(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton | QToolButton) else ""


# --- the toolbar ---


def test_another_budget_is_typed_into_the_toolbar(
    sample_window: MainWindow, qtbot: QtBot, scored: Scored
) -> None:
    field = sample_window.findChild(QLineEdit, "budget")
    field.selectAll()
    qtbot.keyClicks(field, "×1.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    scored(sample_window.controller)

    session = sample_window.controller.session
    assert session is not None
    assert session.protection.budget == pytest.approx(0.405465, abs=1e-5)
    assert sample_window.findChild(QLabel, "budget_factor").text() == "×1.5"


def test_a_wrong_budget_is_refused_in_the_bar(sample_window: MainWindow, qtbot: QtBot) -> None:
    field = sample_window.findChild(QLineEdit, "budget")
    field.selectAll()
    qtbot.keyClicks(field, "-1")
    qtbot.keyClick(field, Qt.Key.Key_Return)

    assert "no budget" in bar(sample_window).sentence
    assert field.text() == "0.2"


def test_another_observer_is_chosen_in_the_toolbar(
    sample_window: MainWindow, qtbot: QtBot, scored: Scored
) -> None:
    combo = sample_window.findChild(QComboBox, "observer")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    scored(sample_window.controller)

    session = sample_window.controller.session
    assert session is not None
    assert session.protection.observer.kind == "membership-aware"


# --- errors nobody foresaw ---


def test_an_unforeseen_error_is_one_sentence_without_values(
    window: MainWindow, caplog: pytest.LogCaptureFixture
) -> None:
    error = ValueError("record 7 has HIV")

    telling(window.controller.problem.emit)(ValueError, error, None)

    assert "ValueError" in bar(window).sentence
    assert "HIV" not in bar(window).sentence + caplog.text
