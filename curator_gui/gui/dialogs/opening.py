"""The import dialog: how a table would be read and why, its first rows at once, and what to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.column_type import ColumnType
from curator_gui.core.table import Table, quoted
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening_columns import ColumnChoices
from curator_gui.gui.dialogs.opening_draft import Draft, Oddity
from curator_gui.gui.dialogs.opening_exceptions import OddCells
from curator_gui.gui.dialogs.opening_found import Found, Glimpse, find, glimpse
from curator_gui.gui.dialogs.opening_look import ColumnLook, Wanted, look_again
from curator_gui.gui.dialogs.opening_missing import MissingWords
from curator_gui.gui.dialogs.opening_readings import Readings
from curator_gui.gui.dialogs.opening_words import reading_words, size_words
from curator_gui.gui.jobs import Job
from curator_gui.gui.models.opening import ColumnChoicesModel, FirstRowsModel
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.theme import theme_of
from curator_gui.gui.words import count
from curator_gui.store.readers import Credentials, Guess, Reader, first_rows

WITHOUT_ASKING = "open_without_asking"
"""The setting: whether a table is opened at once where nothing needs a look."""
_SHOWN = 100
_AT_ONCE = 20_000  # distinct values that are looked at within a blink
_MOST_FITTED = 24  # columns made as wide as their cells, and cells looked at: about what a screen shows
_MOST_DOUBTS = 4


class OpeningDialog(QDialog):
    """Nothing of the session changes before it is accepted; then the controller opens what was chosen.

    ``begin`` reads in a thread and shows the dialog with the first rows; a file that is no table is told by
    the controller instead.
    """

    def __init__(
        self,
        controller: Controller,
        path: Path,
        settings: QSettings,
        parent: QWidget | None = None,
        *,
        reader: Reader | None = None,
        credentials: Credentials | None = None,
        opening: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        named(self, "opening")
        self.setWindowTitle(self.tr("Open {0}").format(path.name))
        self._controller, self._settings, self._opening = controller, settings, opening
        self.draft = Draft(path, credentials)
        self._given = reader
        self._reader: Reader | None = reader
        self._problem_told = ""
        self._job: Job | None = None
        self._waiting = False
        self._shown: Table | None = None
        self._said_before: tuple[str, ...] = ()
        self._build()
        self._lay_out()
        self._connect()

    @property
    def without_asking(self) -> bool:
        return self._settings.value(WITHOUT_ASKING, False, bool) is True

    @property
    def ready(self) -> bool:
        """Whether the source was read to its end under the reading in force."""
        found = self.draft.found
        return found is not None and found.whole and found.reader == self._reader and not self.draft.unread

    def begin(self) -> None:
        """Look at the source; the dialog appears with its first rows, or never where nothing is to ask."""
        path, given, credentials = self.draft.path, self._given, self.draft.credentials

        def work(job: Job) -> Found:
            if given is None:
                seen = glimpse(path)
            else:
                seen = Glimpse((Guess(given, first_rows(path, given, _SHOWN, credentials=credentials)),))
            job.give(seen)
            return find(path, seen.guesses[0].reader, credentials, job.give, job)

        self._run(work)

    # --- building ---

    def _build(self) -> None:
        self._headline = named(QLabel(self), "opening_headline")
        self._doubts = named(QLabel(self), "opening_doubts", self.tr("What to look at"))
        self._doubts.setWordWrap(True)
        self._doubts.setTextFormat(Qt.TextFormat.PlainText)
        self._readings = Readings(self)
        self._first_rows = FirstRowsModel(self)
        self._rows_view = named(QTableView(self), "first_rows", self.tr("The first records"))
        self._rows_view.setModel(self._first_rows)
        self._choices = ColumnChoicesModel(self)
        self._odd = OddCells(self)
        self._missing = MissingWords(self)
        self._pages = named(QTabWidget(self), "opening_pages", self.tr("Parts of the reading"))
        self._tick = named(QCheckBox(self.tr("Do not ask when nothing needs a look")), "open_without_asking")
        self._tick.setChecked(self.without_asking)
        self._bar = named(QProgressBar(self), "opening_progress", self.tr("How far the file is read"))
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(120)
        self._state = named(QLabel(self), "opening_state")
        self._buttons = QDialogButtonBox(self)
        self._open = self._buttons.addButton(self.tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        named(self._open, "open_table").setDefault(True)
        cancel = self._buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        named(cancel, "cancel_opening")
        self._open.setEnabled(False)

    def _lay_out(self) -> None:
        view = self._rows_view
        view.setWordWrap(False)
        view.setItemDelegate(RoomyRows(view))
        view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        view.setTabKeyNavigation(False)
        view.verticalHeader().setDefaultSectionSize(24)
        view.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        view.horizontalHeader().setHighlightSections(False)
        self._pages.addTab(ColumnChoices(self._choices, self), self.tr("Columns"))
        self._pages.addTab(self._missing, self.tr("Missing"))
        self._pages.addTab(self._odd, self.tr("Exceptions"))
        right = QSplitter(Qt.Orientation.Vertical, self)
        right.setChildrenCollapsible(False)
        right.addWidget(self._rows_view)
        right.addWidget(self._pages)
        right.setSizes([210, 300])
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(self._readings)
        middle.addWidget(right, 1)
        below = QHBoxLayout()
        below.setSpacing(8)
        for widget in (self._tick, self._bar, self._state):
            below.addWidget(widget)
        below.addStretch(1)
        below.addWidget(self._buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.setSpacing(8)
        box.addWidget(self._headline)
        box.addWidget(self._doubts)
        box.addLayout(middle, 1)
        box.addLayout(below)
        self.resize(min(1280, self.screen().availableSize().width() - 24), 660)

    def _connect(self) -> None:
        self._readings.chosen.connect(self._choose_reader)
        self._choices.type_asked.connect(self._choose_type)
        self._choices.identifier_asked.connect(self._choose_identifier)
        self._missing.asked.connect(self._choose_missing)
        self._odd.missing_asked.connect(self._exceptions_are_missing)
        self._odd.text_asked.connect(self._exceptions_are_text)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._controller.job_changed.connect(self._show_job)

    # --- reading in a thread ---

    def _run(self, work: Callable[[Job], Found]) -> None:
        name = self.tr("Opening {0}").format(self.draft.path.name)
        jobs = self._controller.jobs
        self._job = jobs.start(
            name, work, kind="open", done=self._found, failed=self._failed, part=self._parts
        )

    def _parts(self, parts: Sequence[Glimpse | Found]) -> None:
        for part in parts:
            if isinstance(part, Glimpse):
                self.draft.glimpse = part
                self._reader = part.guesses[0].reader
                self._readings.show_glimpse(part)
                if not self.without_asking:
                    self._appear()
            else:
                self.draft.take(part)
        self._settle()

    def _found(self, found: Found) -> None:
        self.draft.take(found)
        self._problem_told = ""
        self._settle()
        self._end_reading()

    def _end_reading(self) -> None:
        """Once all is read and looked at: open it, if that was asked for and nothing more is to be seen."""
        if not self.ready:
            return
        if self.isVisible():
            if self._waiting and set(self.draft.doubts) <= set(self._said_before):
                self.accept()
            self._waiting = False
            self._show_state()
        elif self.draft.doubts:
            self._appear()
        else:
            self.accept()

    def _failed(self, sentence: str) -> None:
        if not self.isVisible() and not self.draft.glimpse.guesses:
            self._controller.problem.emit(sentence)
            self.deleteLater()
            return
        self._problem_told, self._waiting = sentence, False
        self._appear()
        self._refresh()

    def _settle(self) -> None:
        """Show what was found and chosen; columns of many values are looked at again in a thread first."""
        wanted = self.draft.unread
        if sum(w.distinct for w in wanted) > _AT_ONCE:
            self._controller.jobs.start(
                self.tr("Looking at the columns"),
                lambda job: look_again(wanted, job),
                kind="look",
                done=self._looked,
                failed=self._failed,
            )
        elif wanted:
            self.draft.take_looks(look_again(wanted))
        self._refresh()

    def _looked(self, looks: Sequence[tuple[Wanted, ColumnLook]]) -> None:
        self.draft.take_looks(looks)
        self._settle()
        self._end_reading()

    def _appear(self) -> None:
        if not self.isVisible():
            self.setModal(True)
            self.open()
            self._open.setFocus()

    # --- what the user does ---

    def _choose_reader(self, reader: Reader) -> None:
        old = self._reader
        if reader == old:
            return
        same_words = old is not None and reader.missing == old.missing
        if (
            not same_words
            and old is not None
            and {**reader.to_json(), "missing": 0} != {**old.to_json(), "missing": 0}
        ):
            reader = replace(reader, missing=old.missing)
        self._reader = reader
        self._problem_told, self._waiting = "", False
        self._open.setEnabled(False)
        path, credentials = self.draft.path, self.draft.credentials
        self._run(lambda job: find(path, reader, credentials, job.give, job))
        self._readings.show_reader(reader)

    def _choose_type(self, name: str, type: ColumnType) -> None:
        self.draft.choose_type(name, type)
        self._settle()

    def _choose_identifier(self, name: str, identifier: bool) -> None:
        self.draft.choose_identifier(name, identifier)
        self._refresh()

    def _exceptions_are_missing(self, cells: Sequence[Oddity]) -> None:
        for cell in cells:
            self.draft.choose_missing(cell.column, cell.text, missing=True)
        self._settle()

    def _exceptions_are_text(self, cells: Sequence[Oddity]) -> None:
        for column in dict.fromkeys(cell.column for cell in cells):
            self.draft.choose_type(column, ColumnType())
        self._settle()

    def _choose_missing(self, word: str, column: str, missing: bool) -> None:
        if column:
            self.draft.choose_missing(column, word, missing)
            QTimer.singleShot(0, self, self._settle)  # it lists the words again, the one being ticked too
        else:
            self._choose_reader(self.draft.with_missing(word, missing))

    def accept(self) -> None:
        """Open what is chosen: at once, or once the file is read to its end and nothing new is odd."""
        found = self.draft.found
        if found is None or self._problem_told:
            return
        if not self.ready:
            self._waiting, self._said_before = True, self.draft.doubts
            self._show_state()
            return
        shown = self.isVisible()
        if shown:
            self._settings.setValue(WITHOUT_ASKING, self._tick.isChecked())
        self._opening()
        draft = self.draft
        if not shown:
            self._controller.notice.emit(self._opened_so(found))
        self._controller.open_table(
            draft.path,
            reader=found.reader,
            types=draft.types,
            roles=draft.roles if shown else None,  # else the session says what it proposes
            missing=draft.missing,
            credentials=draft.credentials,
            read=found.read,
        )
        super().accept()
        self.deleteLater()

    def _opened_so(self, found: Found) -> str:
        """What was taken without asking."""
        said = self.tr("{0} is read as {1}.").format(self.draft.path.name, reading_words(found.reader))
        names = [c.name for c in self.draft.columns if c.identifier]
        if names:
            said += " " + self.tr("Identifiers: {0}.").format(quoted(names))
        return said

    def reject(self) -> None:
        """Leave everything as it was."""
        self._cancel_jobs()
        super().reject()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._cancel_jobs()
        super().closeEvent(event)

    def _cancel_jobs(self) -> None:
        for kind in ("open", "look"):
            self._controller.jobs.cancel(kind)

    # --- showing ---

    def _refresh(self) -> None:
        table, found = self.draft.table, self.draft.found
        if self._reader is not None and found is None:
            self._readings.show_reader(self._reader)
        elif found is not None and self._reader is not None:
            self._readings.show_reader(found.reader if found.reader == self._reader else self._reader)
        if table is None and self.draft.glimpse.guesses:
            table = self.draft.glimpse.guesses[0].first_rows
        if table is not None and table is not self._shown:
            self._shown = table
            self._first_rows.show(table)
            _fit_columns(self._rows_view)
        self._choices.show(self.draft.columns)
        self._show_odd()
        self._missing.show_tokens(self.draft.tokens)
        self._show_state()

    def _show_odd(self) -> None:
        odd = self.draft.oddities
        self._odd.show_odd(odd)
        self._pages.setTabText(2, self.tr("Exceptions ({0})").format(count(len(odd))))
        missing = sum(token.missing for token in self.draft.tokens)
        self._pages.setTabText(1, self.tr("Missing ({0})").format(count(missing)))

    def _show_state(self) -> None:
        found, doubts = self.draft.found, self.draft.doubts
        self._open.setEnabled(found is not None and not self._problem_told and not self._waiting)
        self._headline.setText(self._headline_words(found))
        self._show_doubts(doubts)
        self._show_job()

    def _headline_words(self, found: Found | None) -> str:
        name = self.draft.path.name
        if found is None:
            return f"<b>{name}</b>"
        if found.whole:
            return f"<b>{name}</b> &nbsp; {size_words(found.read.table)}"
        rows = found.estimate.rows if found.estimate else None
        about = (
            self.tr("about {0}").format(size_words(found.read.table, rows))
            if rows
            else self.tr("first records")
        )
        return f"<b>{name}</b> &nbsp; {about}"

    def _show_doubts(self, doubts: Sequence[str]) -> None:
        theme = theme_of(self.palette())
        if self._problem_told:
            words, colour = self._problem_told, theme.over_text
        elif doubts:
            shown = [f"● {d}" for d in doubts[:_MOST_DOUBTS]]
            more = len(doubts) - _MOST_DOUBTS
            shown += [self.tr("and {0} more").format(more)] if more > 0 else []
            words, colour = "\n".join(shown), theme.near_text
        else:
            words = self.tr("Nothing needs a look: press Enter to open.") if self.ready else ""
            colour = theme.within_text
        palette = self._doubts.palette()
        palette.setColor(QPalette.ColorRole.WindowText, colour)
        self._doubts.setPalette(palette)
        self._doubts.setText(words)
        self._fit_doubts()
        self._doubts.setToolTip("\n".join(doubts))

    def _fit_doubts(self) -> None:
        """As high as its lines: the tables below would else take the room from them."""
        width = max(self._doubts.width(), 1)
        self._doubts.setMinimumHeight(self._doubts.heightForWidth(width) if self._doubts.text() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_doubts()

    def _show_job(self) -> None:
        if self._job is not None and self._job.cancelled and not self.isVisible():
            self.deleteLater()  # cancelled before there was anything to show
            return
        running = [j for j in self._controller.jobs.running if j.kind in ("open", "look")]
        self._bar.setVisible(bool(running) and not self.ready)
        words = ""
        if self._waiting:
            words = self.tr("Opens once it is read to its end")
        elif running and not self.ready:
            words = running[0].phase or self.tr("Reading…")
        self._state.setText(words)
        if running:
            self._bar.setValue(round(1000 * running[0].fraction))


def _fit_columns(view: QTableView) -> None:
    view.horizontalHeader().setResizeContentsPrecision(_MOST_FITTED)
    for column in range(min(view.model().columnCount(), _MOST_FITTED)):
        view.resizeColumnToContents(column)
