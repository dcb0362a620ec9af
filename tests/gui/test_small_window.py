"""At 1024×700 nothing is cut, in the window and in every dialog; larger letters scroll where they must."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QDockWidget,
    QLabel,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.appearance import Appearance
from curator_gui.gui.elided_label import ElidedLabel
from curator_gui.gui.main_window import MainWindow

SMALL = QSize(1024, 700)


@pytest.fixture(params=[100, 150])
def percent(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[int]:
    Appearance.of(qapp).show("light", request.param)
    yield request.param
    Appearance.of(qapp).show("system", 100)


def test_every_dialog_fits_a_small_screen_and_cuts_no_words(
    window: MainWindow, scored: Scored, dialogs: Iterator[QDialog]
) -> None:
    window.resize(SMALL)
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    found: list[str] = []

    for dialog in dialogs:
        if dialog.width() > SMALL.width() or dialog.height() > SMALL.height():
            found.append(f"{dialog.objectName()} is {dialog.width()}×{dialog.height()}")
        found += [f"{dialog.objectName()}: {cut}" for cut in cut_words(dialog)]

    assert sorted(set(found)) == []


def test_larger_letters_still_leave_every_dialog_smaller_than_the_screen(
    percent: int, window: MainWindow, scored: Scored, dialogs: Iterator[QDialog]
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)

    large = {
        f"{d.objectName()} needs {d.minimumSizeHint().width()}×{d.minimumSizeHint().height()}"
        for d in dialogs
        if d.minimumSizeHint().width() > SMALL.width() or d.minimumSizeHint().height() > SMALL.height()
    }

    assert sorted(large) == []


def test_the_window_can_be_small_and_cuts_no_words(window: MainWindow, scored: Scored, qtbot: QtBot) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.size() == SMALL)

    assert sorted(set(cut_words(window))) == []


def test_the_layout_is_reset_from_the_view_menu(window: MainWindow, scored: Scored, qtbot: QtBot) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    plan = window.findChild(QDockWidget, "dock_plan")
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, plan)
    plan.hide()

    window.actions_by_name["layout"].trigger()

    qtbot.waitUntil(plan.isVisible)
    assert window.dockWidgetArea(plan) is Qt.DockWidgetArea.LeftDockWidgetArea


def test_where_the_panels_stand_is_kept_for_the_next_time(
    window: MainWindow, new_window: object, scored: Scored
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    plan = window.findChild(QDockWidget, "dock_plan")
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, plan)
    window.close()

    again = new_window()  # type: ignore[operator]
    again.files.open_sample("clinic.curation.json")
    scored(again.controller)

    moved = again.findChild(QDockWidget, "dock_plan")
    assert again.dockWidgetArea(moved) is Qt.DockWidgetArea.RightDockWidgetArea


def cut_words(top: QWidget) -> Iterator[str]:
    """Buttons and labels that are narrower or lower than their words."""
    QApplication.processEvents()
    for widget in top.findChildren(QWidget):
        if not widget.isVisibleTo(top) or isinstance(widget, ElidedLabel) or widget.visibleRegion().isEmpty():
            continue
        needed = widget.sizeHint()
        place = f"{type(widget).__name__} {widget.objectName()}"
        if isinstance(widget, QPushButton | QCheckBox | QRadioButton) and words_of(widget):
            if widget.width() < widget.minimumSizeHint().width():
                yield f"{place}: {words_of(widget)!r} needs {needed.width()}, has {widget.width()}"
        elif isinstance(widget, QLabel) and widget.text():
            if widget.wordWrap() and widget.height() < widget.heightForWidth(widget.width()) - 2:
                yield f"{place}: {widget.text()[:40]!r} needs more than {widget.height()} in height"
            if not widget.wordWrap() and widget.width() < needed.width() - 2 and not widget.toolTip():
                yield f"{place}: {widget.text()[:40]!r} needs {needed.width()}, has {widget.width()}"


def words_of(button: QAbstractButton) -> str:
    return button.text().strip("×✕▴▾ ")
