"""Every command of the window, once: its words, its keys, where it stands in the menus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

Keys = Sequence[str]


def _text(source: str) -> str:
    return QCoreApplication.translate("actions", source)


class Actions:
    """The window's actions by name. ``window`` owns them; each is connected to one of its methods."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._by_name: dict[str, QAction] = {}

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    @property
    def all(self) -> tuple[QAction, ...]:
        return tuple(self._by_name.values())

    def add(
        self, name: str, text: str, run: Callable[[], object], *, keys: Keys = (), tip: str = ""
    ) -> QAction:
        """A command. ``text`` in sentence case, with its mnemonic; an ellipsis where a dialog follows."""
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setShortcuts([QKeySequence(k) for k in keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        shown = keys[0] if keys else ""
        plain = (tip or text.replace("&", "").rstrip("…")) + (f" ({shown})" if shown else "")
        action.setToolTip(plain)
        action.triggered.connect(lambda _=False: run())
        self._window.addAction(action)
        self._by_name[name] = action
        return action

    def adopt(self, name: str, action: QAction) -> QAction:
        """A command that Qt made, such as the tick that shows a dock."""
        action.setObjectName(name)
        self._by_name[name] = action
        return action

    def menu(self, title: str, names: Sequence[str | QMenu | None]) -> QMenu:
        """A menu of these; None is a line between groups."""
        menu = self._window.menuBar().addMenu(title)
        for name in names:
            if name is None:
                menu.addSeparator()
            elif isinstance(name, QMenu):
                menu.addMenu(name)
            else:
                menu.addAction(self[name])
        return menu


def commands_of(window: QMainWindow) -> tuple[QAction, ...]:
    """Every command of the window and its panels, each once; menus are none."""
    found = {a.text(): a for a in window.findChildren(QAction) if a.text() and a.menu() is None}
    return tuple(a for a in found.values() if a.isVisible() and not a.isSeparator())


def key_list(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    """(keys, what they do) of every action that has keys, for the help page."""
    rows = []
    for action in actions:
        keys = ", ".join(k.toString(QKeySequence.SequenceFormat.NativeText) for k in action.shortcuts())
        if keys:
            rows.append((keys, action.text().replace("&", "").rstrip("…")))
    return rows


def other_keys() -> list[tuple[str, str]]:
    """Keys that work inside a panel."""
    return [
        ("↑ ↓", _text("In Next step: preview the step above or below")),
        (_text("Enter"), _text("In Next step: commit; in Plan: stand at this step")),
        (_text("Space"), _text("In Next step: preview; in Plan: stand at this step")),
        (_text("Tab"), _text("The next control")),
    ]
