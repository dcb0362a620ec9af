"""The few questions that need the user's answer before anything goes on: which file, and what may be lost."""

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


class Taken(Enum):
    """What becomes of a file that is there already."""

    REPLACE = "replace"
    OTHER_NAME = "other name"
    CANCEL = "cancel"


class Asking(Protocol):
    """Asks the user; each answer is None or ``CANCEL`` where the user went back."""

    def file_to_open(self, parent: QWidget, title: str, kinds: str, folder: Path | None) -> Path | None: ...

    def file_to_write(self, parent: QWidget, title: str, kinds: str, proposed: Path) -> Path | None: ...

    def about_changes(self, parent: QWidget, name: str) -> Answer: ...

    def about_file(self, parent: QWidget, question: str, consequence: str) -> Taken: ...

    def about_release(self, parent: QWidget) -> bool:
        """Whether the release that is being written is cancelled."""
        ...

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
        asked = _question(
            parent,
            _text("Save the changes to {0}?").format(name),
            _text("Without saving, the steps since the last save are lost."),
        )
        asked.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        asked.setDefaultButton(buttons.Save)
        answer = asked.exec()
        asked.deleteLater()
        return {buttons.Save: Answer.SAVE, buttons.Discard: Answer.DISCARD}.get(
            QMessageBox.StandardButton(answer), Answer.CANCEL
        )

    def about_file(self, parent: QWidget, question: str, consequence: str) -> Taken:
        asked, roles = _question(parent, question, consequence), QMessageBox.ButtonRole
        replace = asked.addButton(_text("&Replace it"), roles.DestructiveRole)
        other = asked.addButton(_text("Save under &another name…"), roles.AcceptRole)
        asked.addButton(QMessageBox.StandardButton.Cancel)
        asked.setDefaultButton(other)
        asked.exec()
        clicked = asked.clickedButton()
        asked.deleteLater()
        if clicked is replace:
            return Taken.REPLACE
        return Taken.OTHER_NAME if clicked is other else Taken.CANCEL

    def about_release(self, parent: QWidget) -> bool:
        asked = _question(
            parent,
            _text("A release is being written. Cancel it?"),
            _text("Once it is written it is recorded in the session, which then wants to be saved."),
        )
        cancel = asked.addButton(_text("&Cancel the release"), QMessageBox.ButtonRole.DestructiveRole)
        wait = asked.addButton(_text("&Wait for it"), QMessageBox.ButtonRole.RejectRole)
        asked.setDefaultButton(wait)
        asked.exec()
        cancelled = asked.clickedButton() is cancel
        asked.deleteLater()
        return cancelled

    def name(self, parent: QWidget, title: str, label: str) -> str | None:
        text, accepted = QInputDialog.getText(parent, title, label)
        return text.strip() or None if accepted else None


def _question(parent: QWidget, question: str, consequence: str) -> QMessageBox:
    asked = QMessageBox(parent)
    asked.setIcon(QMessageBox.Icon.Question)
    asked.setText(question)
    asked.setInformativeText(consequence)
    return asked
