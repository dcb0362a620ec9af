"""What a user does with mouse and keyboard, and nothing else."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton


def child(parent: QWidget, name: str) -> QWidget:
    """The visible control of this name."""
    found = [w for w in parent.findChildren(QWidget, name) if w.isVisible()]
    assert len(found) == 1, f"{len(found)} visible controls are named {name}"
    return found[0]


def click(qtbot: QtBot, parent: QWidget, name: str) -> None:
    button = child(parent, name)
    assert button.isEnabled(), f"{name} is not enabled"
    assert isinstance(button, QAbstractButton)
    qtbot.mouseClick(button, LEFT)


def row_of(view: QAbstractItemView, label: str) -> int:
    model = view.model()
    for row in range(model.rowCount()):
        if label in str(model.index(row, 0).data()) or label in str(model.index(row, 1).data()):
            return row
    raise AssertionError(f"no row says {label}")


def click_row(qtbot: QtBot, parent: QWidget, name: str, label: str) -> None:
    view = child(parent, name)
    assert isinstance(view, QAbstractItemView)
    index = view.model().index(row_of(view, label), 1 if name == "steps" else 0)
    view.scrollTo(index)
    place: QPoint = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)


def dialog(qtbot: QtBot, name: str) -> QDialog:
    """The open dialog of this name, once it is there."""

    def found() -> list[QDialog]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and _shown(w, name)]

    qtbot.waitUntil(lambda: bool(found()))
    return found()[0]


def _shown(widget: QWidget, name: str) -> bool:
    return widget.objectName() == name and widget.isVisible() and widget.isActiveWindow()


def keys_of(action: QAction) -> str:
    return action.shortcut().toString()
