"""What a person does in the import dialog: clicks and keys, and what is then read there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from curator_gui.gui.dialogs.opening import OpeningDialog
from curator_gui.gui.dialogs.opening_words import type_words
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.models.opening import Choice, OptionsRole

_LEFT = Qt.MouseButton.LeftButton


def opened(window: MainWindow, path: Path, qtbot: QtBot) -> OpeningDialog:
    """The dialog on a file that was read to its end."""
    window.files.open_path(path)
    found: list[OpeningDialog] = []

    def ready() -> bool:
        tops = QApplication.topLevelWidgets()
        found[:] = [w for w in tops if isinstance(w, OpeningDialog) and w.isVisible()]
        return bool(found) and found[0].ready

    qtbot.waitUntil(ready, timeout=10_000)
    return found[0]


def says(dialog: OpeningDialog) -> str:
    """What there is to look at."""
    return dialog.findChild(QLabel, "opening_doubts").text()


def page(dialog: OpeningDialog, index: int) -> None:
    """Turn to the columns (0), the missing words (1) or the exceptions (2)."""
    dialog.findChild(QTabWidget, "opening_pages").setCurrentIndex(index)


def choose(qtbot: QtBot, box: QComboBox, value: object) -> None:
    """Pick an entry of a combo box by keys."""
    target = next(i for i in range(box.count()) if box.itemData(i) == value)
    while box.currentIndex() != target:
        qtbot.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < target else Qt.Key.Key_Up)


def tick(qtbot: QtBot, box: QCheckBox) -> None:
    qtbot.keyClick(box, Qt.Key.Key_Space)


def row_named(dialog: OpeningDialog, name: str, field: Choice, clicking: QtBot | None = None) -> QModelIndex:
    """The cell of a column in the list of columns, clicked where ``clicking`` is given."""
    view = dialog.findChild(QTableView, "column_choices")
    model = view.model()
    row = next(r for r in range(model.rowCount()) if model.index(r, Choice.NAME).data() == name)
    index = model.index(row, field)
    if clicking is not None:
        view.scrollTo(index)
        place = view.visualRect(index)
        place.setWidth(min(place.width(), 24))
        clicking.mouseClick(view.viewport(), _LEFT, pos=place.center())
    return index


def pick_type(dialog: OpeningDialog, name: str, words: str, qtbot: QtBot) -> None:
    """Open the list of types of a column and pick one."""
    index = row_named(dialog, name, Choice.TYPE, qtbot)
    view = dialog.findChild(QTableView, "column_choices")
    qtbot.waitUntil(lambda: view.findChild(QComboBox, "column_type") is not None)
    box = view.findChild(QComboBox, "column_type")
    qtbot.waitUntil(box.view().isVisible)
    target = [type_words(t) for t in index.data(OptionsRole)].index(words)
    box.view().setCurrentIndex(box.model().index(target, 0))
    qtbot.keyClick(box.view(), Qt.Key.Key_Return)
