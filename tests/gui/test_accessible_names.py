"""Whoever hears the window read out is told what every control is: in the window and in every dialog."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDockWidget,
    QHeaderView,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QScrollBar,
    QTabBar,
    QTabWidget,
    QTextBrowser,
    QToolBar,
    QWidget,
)
from window_fixtures import Scored

from curator_gui.gui.main_window import MainWindow

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSpinBox, QAbstractSlider, QComboBox, QLineEdit),
    *(QPlainTextEdit, QTextBrowser, QProgressBar, QTabWidget),
)
MADE_BY_QT = (
    *(QComboBox, QLineEdit, QAbstractSpinBox, QDockWidget, QHeaderView, QAbstractItemView, QTabBar, QToolBar),
    QMenuBar,
)
SPEAKING = QAbstractButton


def test_every_control_of_every_dialog_has_a_name(
    window: MainWindow, scored: Scored, dialogs: Iterator[QDialog]
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    unnamed: set[str] = set()
    seen: list[str] = []

    for dialog in dialogs:
        seen.append(dialog.objectName())
        unnamed |= {f"{dialog.objectName()}: {place}" for place in without_a_name(dialog)}

    assert len(set(seen)) >= 15
    assert "\n".join(sorted(unnamed)) == ""


def test_every_dialog_has_a_title_and_an_object_name(
    window: MainWindow, scored: Scored, dialogs: Iterator[QDialog]
) -> None:
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)

    for dialog in dialogs:
        assert dialog.objectName(), type(dialog)
        assert dialog.windowTitle(), type(dialog)


def without_a_name(dialog: QDialog) -> Iterator[str]:
    for control in dialog.findChildren(QWidget):
        if isinstance(control, CONTROLS) and not is_part(control) and not says_its_name(control):
            parent = control.parentWidget()
            of = parent.objectName() or type(parent).__name__ if parent else ""
            yield f"{type(control).__name__} {control.objectName()!r} in {of}"
        if isinstance(control, CONTROLS) and not is_part(control) and not control.objectName():
            yield f"{type(control).__name__} without an object name ({control.accessibleName()})"


def says_its_name(control: QWidget) -> bool:
    own = control.text() if isinstance(control, SPEAKING) else ""
    return bool(control.accessibleName() or own.strip("…×✕ "))


def is_part(control: QWidget) -> bool:
    """Whether Qt made it, as a part of another control."""
    parent = control.parentWidget()
    return (
        isinstance(control, QHeaderView | QScrollBar)
        or control.objectName().startswith("qt_")
        or (not control.objectName() and isinstance(parent, MADE_BY_QT))
        or (parent is not None and parent.metaObject().className().startswith("QComboBoxPrivate"))
    )
