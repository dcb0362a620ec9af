"""What is painted at once, while the rest of the program is still being read from disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QByteArray, QSettings, QSize, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMainWindow

from curator_gui.gui.empty_state import EmptyState

FIRST_SIZE = QSize(1360, 860)


class Openings(Protocol):
    """What the window's files can open; the real ones are not loaded yet."""

    def open(self) -> None: ...

    def open_sample(self, name: str) -> None: ...

    def open_path(self, path: Path) -> None: ...


class FirstWindow(QMainWindow):
    """The empty state at the place of the last run. What is clicked meanwhile is ``wanted`` and done later.

    ``painted`` comes once, after the first paint.
    """

    painted = Signal()

    def __init__(self, settings: QSettings, recent: Sequence[Path]) -> None:
        super().__init__()
        self.setObjectName("first_window")
        self.setWindowTitle("Curator")
        self.wanted: Callable[[Openings], None] | None = None
        self._is_painted = False
        self._empty = EmptyState(self)
        self._empty.refresh(recent)
        self._empty.refresh_opening(self.tr("Starting…"))
        self.setCentralWidget(self._empty)
        self._empty.open_clicked.connect(lambda: self._want(lambda files: files.open()))
        self._empty.sample_clicked.connect(lambda name: self._want(lambda files: files.open_sample(name)))
        self._empty.recent_clicked.connect(lambda path: self._want(lambda files: files.open_path(path)))
        geometry = settings.value("geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(FIRST_SIZE)

    def _want(self, act: Callable[[Openings], None]) -> None:
        self.wanted = act

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            self.painted.emit()
