"""What a crash left is offered until it is open again, or discarded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from curator_gui.core.errors import CuratorError, InputError
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening_database import CredentialsDialog, database_of
from curator_gui.gui.files import Files
from curator_gui.gui.jobs import Job, sentence_of
from curator_gui.gui.message_bar import MessageBar
from curator_gui.gui.recovery import Autosave, Left, left_behind
from curator_gui.session import Session

_SOURCE_CHANGED = ("source.sha256", "source.rows")


class Recovery(QObject):
    """The copy is discarded once its session is open and kept anew, never before."""

    def __init__(
        self, controller: Controller, folder: Path, messages: MessageBar, files: Files, autosave: Autosave
    ) -> None:
        super().__init__(messages)
        self._controller, self._folder = controller, folder
        self._messages, self._files, self._autosave = messages, files, autosave
        self._opening: Left | None = None
        self._source_changed = False
        controller.job_changed.connect(self._offer_if_cancelled)

    def offer(self) -> None:
        """Offer the newest of what a crash left."""
        left = left_behind(self._folder)
        if left:
            self._offer(left[0])

    def _offer(self, left: Left) -> None:
        name = left.original.name if left.original else self.tr("an unsaved session")
        said = self.tr("The program ended before {0} was saved (last change {1}).")
        self._messages.show_offer(
            said.format(name, left.at.strftime("%d %B %H:%M")),
            [
                (self.tr("Go on with it"), lambda: self._go_on(left)),
                (self.tr("Discard it"), lambda: self._discard(left)),
            ],
        )

    def _offer_changed_table(self, left: Left) -> None:
        try:
            source = left.source
        except CuratorError as error:
            self._failed(left, sentence_of(error))
            return
        said = self.tr("{0} changed after the last step; the steps can be scored on it as it is now.")
        self._messages.show_offer(
            said.format(source.name),
            [
                (self.tr("Score on the changed table"), lambda: self._go_on(left, source)),
                (self.tr("Try again"), lambda: self._go_on(left)),
                (self.tr("Discard it"), lambda: self._discard(left)),
            ],
        )

    def _go_on(self, left: Left, data: Path | None = None) -> None:
        if not self._files.may_leave():
            self._offer(left)
            return
        url = database_of(left.path)
        if url is None:
            self._open(left, data)
            return
        dialog = CredentialsDialog(
            url, lambda given: self._open(left, data, credentials=given), self._messages
        )
        dialog.rejected.connect(lambda: self._offer(left))
        dialog.open()

    def _open(self, left: Left, data: Path | None, **given: Any) -> None:
        self._source_changed = False

        def work(job: Job) -> Session:
            try:
                return left.resumed(data, job, **given)
            except InputError as error:
                self._source_changed = error.path in _SOURCE_CHANGED
                raise

        self._controller.open_by(
            self.tr("Going on with your last session"),
            work,
            opened=lambda: self._opened(left),
            failed=lambda sentence: self._failed(left, sentence),
        )
        self._opening = left

    def _discard(self, left: Left) -> None:
        """What else was left is offered in its turn."""
        left.discard()
        self.offer()

    def _opened(self, left: Left) -> None:
        self._opening = None
        self._messages.withdraw_offer()
        self._autosave.save()
        if self._autosave.path.is_file():
            left.discard()

    def _failed(self, left: Left, sentence: str) -> None:
        self._opening = None
        if self._source_changed:
            self._offer_changed_table(left)
        else:
            self._offer(left)
            self._controller.problem.emit(sentence)

    def _offer_if_cancelled(self) -> None:
        left = self._opening
        if left is not None and all(j.kind != "open" for j in self._controller.jobs.running):
            self._opening = None
            self._offer(left)
