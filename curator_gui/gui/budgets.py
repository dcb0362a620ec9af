"""The privacy budget of the open table: which ledger, which pool, what is left. Threads read and write."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal

from curator_gui.core.errors import BudgetRefusedError, FileError
from curator_gui.core.table import Table
from curator_gui.gui import practice
from curator_gui.gui.controller import Controller
from curator_gui.gui.jobs import Job
from curator_gui.session import Session
from curator_gui.store.ledger_place import default_ledger

if TYPE_CHECKING:
    from curator_gui.store.ledger import Dataset, Entry, Ledger, Limits

LEDGER = "ledger"
"""The setting that names another ledger than the account's own: a path or a postgresql:// address."""

Failed = Callable[[str], None]


@dataclass(frozen=True)
class Account:
    """What a ledger says of one table. dataset: its pool, None where it has none. mine: None without a share.

    others: pools of other datasets, of which this table may be a changed version.
    """

    where: str
    user: str
    content: bytes
    dataset: Dataset | None
    mine: Limits | None = None
    users: tuple[Limits, ...] = ()
    history: tuple[Entry, ...] = ()
    others: tuple[Dataset, ...] = ()


class Budgets(QObject):
    """Reads the ledger when asked to, never by itself: that would load a database library at start-up.

    ``changed``: the account was read, or no longer holds. Nothing here spends.
    """

    changed = Signal()

    def __init__(self, controller: Controller, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller, self._settings = controller, settings
        self._content: tuple[Table, bytes] | None = None
        self._opened: tuple[str, Ledger] | None = None
        self._practice = ""
        self.account: Account | None = None
        self.problem = ""
        controller.session_changed.connect(self._forget)

    @property
    def url(self) -> str:
        return self._practice if self.practising else self._own_url()

    @property
    def practising(self) -> bool:
        """Whether the sample is open and its practice ledger is used, until the program ends."""
        return bool(self._practice) and self.is_sample

    @property
    def practice_ledger(self) -> str | None:
        """The address of the practice ledger, while it is used."""
        return self._practice if self.practising else None

    @property
    def is_sample(self) -> bool:
        """Whether the open table is a bundled one, for which ``practise`` is offered."""
        return practice.is_sample(self._controller.session)

    def _own_url(self) -> str:
        chosen = str(self._settings.value(LEDGER, "") or "")
        return chosen or str(default_ledger(Path.home(), os.environ, sys.platform))

    @property
    def is_chosen(self) -> bool:
        """Whether another ledger than the account's own is used."""
        return bool(self._settings.value(LEDGER, ""))

    @property
    def exists(self) -> bool:
        """Whether there is a ledger; of a server that is not asked here."""
        return "://" in self.url or Path(self.url).is_file()

    @property
    def ledger(self) -> Ledger | None:
        """The ledger, once it was read."""
        return self._opened[1] if self._opened and self._opened[0] == self.url else None

    def choose(self, url: str) -> None:
        """Use another ledger; empty: the account's own."""
        self._practice = ""
        self._settings.setValue(LEDGER, url)
        self._forget()

    def read(self, failed: Failed | None = None) -> None:
        """Read the account again; ``changed`` follows, with ``problem`` where it could not be read."""
        session = self._controller.session
        if session is None or not self.exists:
            self._forget()
            return
        self._start(self.tr("Reading the ledger"), lambda _: self.account_of(session), "ledger", failed)

    def write(self, what: str, work: Callable[[Ledger, bytes], Any], failed: Failed) -> None:
        """Do ``work(ledger, content of the open table)`` in a thread, then read the account again."""
        session = self._controller.session
        if session is None:
            return

        def change(_: Job) -> Account:
            work(self._open(), self._content_of(session))
            return self.account_of(session)

        self._start(what, change, "ledger-write", failed)

    def create_ledger(self, failed: Failed) -> None:
        """Create the ledger where it is to be."""
        session = self._controller.session
        if session is None:
            return

        def create(_: Job) -> Account:
            from curator_gui.store.ledger import init_ledger  # heavy: SQLAlchemy

            if "://" not in self.url:
                _make_folder(Path(self.url).parent)
            init_ledger(self.url).close()
            return self.account_of(session)

        self._start(self.tr("Creating the ledger"), create, "ledger-write", failed)

    def practise(self, failed: Failed) -> None:
        """Set up a practice budget for the sample, in a fresh file beside the account's own ledger."""
        session = self._controller.session
        if session is None or not self.is_sample:
            return

        def create(_: Job) -> Account:
            folder = default_ledger(Path.home(), os.environ, sys.platform).parent
            _make_folder(folder)
            place = practice.free_place(folder)
            practice.set_up(place, self._content_of(session), session.source_path.stem)
            self._practice = str(place)
            return self.account_of(session)

        self._start(self.tr("Setting up a practice budget"), create, "ledger-write", failed)

    # --- in threads ---

    def account_of(self, session: Session) -> Account:
        """What the ledger says of a session's table now. Slow: not for the window's thread."""
        ledger, content = self._open(), self._content_of(session)
        pools = {dataset.id: dataset for dataset in ledger.pools()}
        id = ledger.pool_of(content)
        dataset = pools.get(id or "") or (ledger.pool(id) if id else None)
        if dataset is None:
            return Account(ledger.where, ledger.user, content, None, others=tuple(pools.values()))
        return Account(
            ledger.where,
            ledger.user,
            content,
            dataset,
            _share(ledger, dataset.id),
            tuple(ledger.users(dataset.id)),
            tuple(ledger.history(dataset.id)),
        )

    def _open(self) -> Ledger:
        from curator_gui.store.ledger import open_ledger  # heavy: SQLAlchemy

        known = self.ledger
        if known is None:
            known = open_ledger(self.url)
            self._opened = (self.url, known)
        return known

    def _content_of(self, session: Session) -> bytes:
        from curator_gui.synthesizing import content_of  # heavy: SciPy

        table = session.table
        if self._content is None or self._content[0] is not table:
            self._content = (table, content_of(session))
        return self._content[1]

    # --- back in the window ---

    def _start(self, name: str, work: Callable[[Job], Account], kind: str, failed: Failed | None) -> None:
        def refused(sentence: str) -> None:
            self.problem = sentence
            self.changed.emit()
            if failed is not None:
                failed(sentence)

        self._controller.jobs.start(name, work, kind=kind, done=self._take, failed=refused)

    def _take(self, account: Account) -> None:
        self.account, self.problem = account, ""
        self.changed.emit()

    def _forget(self) -> None:
        self.account, self.problem = None, ""
        self.changed.emit()


def _share(ledger: Ledger, pool: str) -> Limits | None:
    try:
        return ledger.limits(pool)
    except BudgetRefusedError:
        return None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"The folder {folder} cannot be made: {error.strerror}; choose another place for the ledger."
        ) from None
