"""Opening and saving: which file, what becomes of unsaved changes, and where the user's files go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QMenu, QWidget

from curator_gui.bundled import sample
from curator_gui.gui.asking import Answer, Asking, Taken
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening import WITHOUT_ASKING, OpeningDialog
from curator_gui.gui.dialogs.opening_database import CredentialsDialog, DatabaseDialog, database_of
from curator_gui.gui.observers import CHOICES, observer_of
from curator_gui.gui.preferences import preferences_of
from curator_gui.gui.recent import forget_all, recent_files, remember
from curator_gui.gui.shared_file import changed_by_others
from curator_gui.session import SESSION_SUFFIX, Session
from curator_gui.store.session_file import SessionRecord

_TABLES = (
    "*.csv *.tsv *.tab *.txt *.xlsx *.xls *.xlsm *.xlsb *.ods *.parquet *.arrow *.feather *.sav *.zsav *.por "
    "*.dta *.sas7bdat *.xpt *.sqlite *.db"
)


class Files(QObject):
    """``saved`` is called after each save. Nothing is opened over unsaved changes without asking, not even
    over those made while it was being opened.
    """

    def __init__(
        self,
        controller: Controller,
        settings: QSettings,
        asking: Asking,
        window: QWidget,
        saved: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._controller, self._settings, self._asking, self._window = controller, settings, asking, window
        self._saved = saved
        self._opened_from: Path | None = None
        self._given_up: SessionRecord | None = None
        controller.may_replace = self._may_be_replaced
        controller.session_changed.connect(self._remember_opened)

    def open(self) -> None:
        kinds = self.tr("Tables and sessions ({0} *.json);;All files (*)").format(_TABLES)
        path = self._asking.file_to_open(self._window, self.tr("Open"), kinds, self._folder())
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> None:
        """Open a session or a table, after asking what becomes of unsaved changes."""
        if not self.may_leave():
            return
        if path.suffix.lower() == ".json":
            self._opened_from = path
            self._open_session(path)
        else:
            self._ask_about(path)

    def _open_session(self, path: Path) -> None:
        url = database_of(path)
        if url is None:
            self._controller.open_path(path)
        else:
            CredentialsDialog(
                url, lambda given: self._controller.open_path(path, credentials=given), self._window
            ).open()

    def _ask_about(self, path: Path, **given: Any) -> None:
        """How a table is read is shown before it is opened."""

        def opening() -> None:
            self._opened_from = path if path.is_file() else None

        OpeningDialog(self._controller, path, self._settings, self._window, opening=opening, **given).begin()

    def open_database(self) -> None:
        """A table or query of a database."""
        if self.may_leave():
            DatabaseDialog(
                self._controller,
                lambda path, reader, given: self._ask_about(path, reader=reader, credentials=given),
                self._window,
            ).open()

    def ask_again(self) -> None:
        """Show the import dialog for every table again."""
        self._settings.setValue(WITHOUT_ASKING, False)
        self._controller.notice.emit(self.tr("The import dialog is shown for every table again."))

    def open_sample(self, name: str) -> None:
        if self.may_leave():
            self._opened_from = None
            self._controller.open_sample(name)

    def open_new_data(self) -> None:
        """Score the saved session's plan on another version of its table."""
        session = self._controller.session
        if session is None or not self.may_leave():
            return
        if session.path is None:
            self._controller.problem.emit(
                self.tr("Save the session first; then its plan can be scored on new data.")
            )
            return
        kinds = self.tr("Tables ({0});;All files (*)").format(_TABLES)
        data = self._asking.file_to_open(self._window, self.tr("New data"), kinds, session.source_path.parent)
        if data is not None:
            self._controller.open_path(session.path, data=data)

    def save(self) -> bool:
        session = self._controller.session
        if session is None:
            return False
        return self.save_as() if session.path is None else self._save(session.path)

    def save_as(self) -> bool:
        session = self._controller.session
        if session is None:
            return False
        proposed = session.path or self.own_folder() / f"{session.source_path.stem}{SESSION_SUFFIX}"
        kinds = self.tr("Sessions (*.json)")
        path = self._asking.file_to_write(self._window, self.tr("Save the session"), kinds, proposed)
        if path is None:
            return False
        if path.suffix == ".json":
            return self._save(path)
        path = path.with_name(path.name + SESSION_SUFFIX)
        return self._save_if_free(path) if path.exists() else self._save(path)

    def _save_if_free(self, path: Path) -> bool:
        """The system's dialog asked about the name without the suffix, so it is asked here."""
        question = self.tr("{0} is there already. Replace it?").format(path.name)
        match self._asking.about_file(self._window, question, self.tr("What it holds is lost.")):
            case Taken.REPLACE:
                return self._save(path)
            case Taken.OTHER_NAME:
                return self.save_as()
        return False

    def _save(self, path: Path) -> bool:
        session = self._controller.session
        if session is not None and changed_by_others(session, path):
            return self._save_over_others(path)
        return self._write(path)

    def _save_over_others(self, path: Path) -> bool:
        """Two windows on one session: the second to save does not silently undo what the first saved."""
        question = self.tr("{0} is no longer what was opened here. Replace it?").format(path.name)
        consequence = self.tr(
            "Another window or program saved it meanwhile; the steps it saved are lost, the releases it "
            "recorded are kept."
        )
        match self._asking.about_file(self._window, question, consequence):
            case Taken.REPLACE:
                return self._write(path)
            case Taken.OTHER_NAME:
                return self.save_as()
        return False

    def _write(self, path: Path) -> bool:
        saved = self._controller.save(path)
        if saved:
            remember(self._settings, path)
            self._saved()
        return saved

    def save_steps(self) -> None:
        name = self._asking.name(self._window, self.tr("Keep these steps"), self.tr("Name of the steps"))
        if name:
            self._controller.save_steps(name)
            self._controller.notice.emit(
                self.tr("Kept as “{0}”; save the session to keep them for good.").format(name)
            )

    def close_session(self) -> None:
        if self.may_leave():
            self._controller.close_session()

    def fill_recent(self, menu: QMenu) -> None:
        """The files opened lately, as commands of a menu."""
        menu.clear()
        for path in recent_files(self._settings):
            action = menu.addAction(str(path))
            action.triggered.connect(lambda _=False, path=path: self.open_path(path))
        menu.addSeparator()
        menu.addAction(self.tr("Clear the list"), lambda: forget_all(self._settings))

    def _remember_opened(self) -> None:
        session, opened = self._controller.session, self._opened_from
        if session is not None and opened in (session.path, session.source_path) and opened is not None:
            self._opened_from = None
            remember(self._settings, opened)
            if session.path is None:
                self._begin_as_preferred(session)

    def _begin_as_preferred(self, session: Session) -> None:
        """A new table begins with the observer the user prefers; that is no change to be saved."""
        kind = next((k for k in CHOICES if k == preferences_of(self._settings).observer), CHOICES[0])
        if kind != session.protection.observer.kind:
            self._controller.set_observer(observer_of(kind))
            session.saved_record = session.record

    def session_name(self) -> str:
        """The open session as the title names it."""
        session = self._controller.session
        assert session is not None
        if session.path is not None:
            return session.path.name
        return self.tr("{0} (not saved)").format(session.source_path.name)

    def may_leave(self) -> bool:
        """Whether the session may be left: no release is under way, and it is saved or its changes may go."""
        self._given_up = None
        if not self.release_is_over():
            return False
        session = self._controller.session
        if session is None or not session.modified:
            return True
        match self._asking.about_changes(self._window, self.session_name()):
            case Answer.SAVE:
                return self.save()
            case Answer.DISCARD:
                self._given_up = session.record
                return True
        return False

    def release_is_over(self) -> bool:
        """Whether no release is being written, after asking whether one that is shall be cancelled."""
        if self._controller.releasing and self._asking.about_release(self._window):
            self._controller.cancel_release()
        return not self._controller.releasing

    def _may_be_replaced(self) -> bool:
        """Asked when another session is ready: what was done while it was being opened is not lost either."""
        session = self._controller.session
        given_up = session is not None and session.record == self._given_up
        return (given_up and not self._controller.releasing) or self.may_leave()

    def _folder(self) -> Path | None:
        session = self._controller.session
        return session.source_path.parent if session else None

    def own_folder(self) -> Path:
        """Where the user's files go: beside the session or source, but never into the installation."""
        session = self._controller.session
        assert session is not None
        if session.path is not None:
            return session.path.parent
        bundled = session.source_path.parent == sample("clinic.csv").parent
        return Path.home() if bundled else session.source_path.parent
