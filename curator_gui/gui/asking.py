"""The few questions that need the user's answer before anything goes on: which file, and whether to save."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget


class Answer(Enum):
    """What becomes of unsaved changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Asking(Protocol):
    """Asks the user; each answer is None or ``CANCEL`` where the user went back."""

    def file_to_open(self, parent: QWidget, title: str, kinds: str, folder: Path | None) -> Path | None: ...

    def file_to_write(self, parent: QWidget, title: str, kinds: str, proposed: Path) -> Path | None: ...

    def about_changes(self, parent: QWidget, name: str) -> Answer: ...

    def name(self, parent: QWidget, title: str, label: str) -> str | None: ...


def _text(source: str) -> str:
    return QCoreApplication.translate("asking", source)


class Dialogs:
    """Asks by the system's own dialogs."""

    def file_to_open(self, parent: QWidget, title: str, kinds: str, folder: Path | None) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(parent, title, str(folder or ""), kinds)
        return Path(name) if name else None

    def file_to_write(self, parent: QWidget, title: str, kinds: str, proposed: Path) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(parent, title, str(proposed), kinds)
        return Path(name) if name else None

    def about_changes(self, parent: QWidget, name: str) -> Answer:
        buttons = QMessageBox.StandardButton
        asked = QMessageBox(parent)
        asked.setIcon(QMessageBox.Icon.Question)
        asked.setText(_text("Save the changes to {0}?").format(name))
        asked.setInformativeText(_text("Without saving, the steps since the last save are lost."))
        asked.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        asked.setDefaultButton(buttons.Save)
        answer = asked.exec()
        asked.deleteLater()
        return {buttons.Save: Answer.SAVE, buttons.Discard: Answer.DISCARD}.get(
            QMessageBox.StandardButton(answer), Answer.CANCEL
        )

    def name(self, parent: QWidget, title: str, label: str) -> str | None:
        text, accepted = QInputDialog.getText(parent, title, label)
        return text.strip() or None if accepted else None
