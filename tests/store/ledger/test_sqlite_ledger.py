"""What happens to a file: locked, read-only, full, elsewhere, not a ledger."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from ledger_home import Home, clinic

from curator_gui.budget.pool import Kind
from curator_gui.core.errors import CuratorError, FileError, InputError
from curator_gui.store.ledger import (
    Dataset,
    LedgerBusyError,
    LedgerUnavailableError,
    OutcomeUnknownError,
    Request,
    init_ledger,
    open_ledger,
)
from curator_gui.store.ledger.chain import Entry
from curator_gui.store.ledger.sqlite import SqliteLedger, utc_now

ONE_CHARGE = """
import resource, signal, sys
from curator_gui.core.errors import CuratorError
from curator_gui.store.ledger import Request, open_ledger
url, pool, content, room = sys.argv[1:]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), int(room)))
try:
    print(open_ledger(url, user="u1").charge(Request.of(pool, bytes.fromhex(content), "0.1")).entry)
except CuratorError as error:
    sys.exit(str(error))
"""
SHARES = {"u1": ("0.5", "0.8")}


def charge_in_a_process(home: Home, dataset: Dataset, *, room: int) -> str:
    """What a process that charges 0.1 says on stderr; room: how long its files may get, in bytes."""
    asked = [home.url, dataset.id, clinic().hex(), str(room)]
    done = subprocess.run(
        [sys.executable, "-c", ONE_CHARGE, *asked], capture_output=True, text=True, check=False
    )
    return done.stderr.strip()


@contextmanager
def plain_account() -> Iterator[None]:
    """Root may write what is read-only; for the time being, be somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder any account may look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_locked_ledger_charges_nothing_and_says_so(file_home: Home) -> None:
    dataset = file_home.pool(Kind.RHO, SHARES)
    ledger = file_home.keep(open_ledger(file_home.url, user="u1", wait=0.1))
    other = sqlite3.connect(file_home.url, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(LedgerBusyError, match="nothing was charged"):
        ledger.charge(Request.of(dataset.id, clinic(), "0.1"))
    other.execute("ROLLBACK")
    other.close()

    assert file_home.steward.pool(dataset.id).balance == dataset.balance
    assert ledger.charge(Request.of(dataset.id, clinic(), "0.1")).entry == 3


class LockedAfterwards(SqliteLedger):
    """A ledger that somebody locks between the commit of a charge and its reading back."""

    intruder: sqlite3.Connection

    def _charge(self, request: Request, amount: int, least: int) -> Entry:
        entry = super()._charge(request, amount, least)
        self.intruder = sqlite3.connect(self.where, isolation_level=None)
        self.intruder.execute("BEGIN EXCLUSIVE")
        return entry


def test_a_charge_that_cannot_be_read_back_is_not_told_as_if_it_were_none(file_home: Home) -> None:
    dataset = file_home.pool(Kind.RHO, SHARES)
    ledger = LockedAfterwards(Path(file_home.url), user="u1", clock=utc_now, wait=0.1)
    request = Request.of(dataset.id, clinic(), "0.1")

    with pytest.raises(OutcomeUnknownError, match=f"ask again with request id {request.id}"):
        ledger.charge(request)
    ledger.intruder.close()

    assert file_home.ledger("u1").charge(request).entry == 3


@pytest.mark.skipif(sys.platform == "win32", reason="accounts and limits of POSIX")
def test_a_full_disk_charges_nothing_and_says_so(file_home: Home) -> None:
    dataset = file_home.pool(Kind.EPSILON, SHARES)

    said = charge_in_a_process(file_home, dataset, room=4096)

    assert "full or fails; nothing was charged" in said
    assert "\n" not in said
    assert file_home.steward.pool(dataset.id).balance == dataset.balance
    assert file_home.steward.audit().findings == ()


@pytest.mark.skipif(sys.platform == "win32", reason="accounts and limits of POSIX")
def test_a_read_only_ledger_charges_nothing_and_says_so(open_folder: Path) -> None:
    path = str(open_folder / "ledger.sqlite")
    init_ledger(path).close()
    home = Home(path)
    dataset = home.pool(Kind.RHO, SHARES)
    ledger = home.ledger("u1")
    spent = ledger.charge(Request.of(dataset.id, clinic(), "0.1"))
    Path(path).chmod(0o444)

    with plain_account(), pytest.raises(LedgerUnavailableError, match="read-only, so nothing can be charged"):
        ledger.charge(Request.of(dataset.id, clinic(), "0.1"))
    with plain_account():
        preview = ledger.preview(Request.of(dataset.id, clinic(), "0.1"))

    assert ledger.pool(dataset.id).balance.rho_spent == spent.rho
    assert not preview.refused


def test_a_ledger_is_never_created_by_opening_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"

    with pytest.raises(LedgerUnavailableError, match="ledger init"):
        open_ledger(str(path))

    assert not path.exists()


@pytest.mark.parametrize("content", [b"no database at all, but a longish text of no meaning" * 20, b""])
def test_another_file_is_not_taken_for_a_ledger(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)

    with pytest.raises(LedgerUnavailableError, match=r"ledger\.sqlite"):
        open_ledger(str(path))

    assert path.read_bytes() == content


def test_a_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    init_ledger(f"sqlite:///{tmp_path}/ledger.sqlite").close()

    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "ledger.sqlite").stat().st_mode) == 0o600


def test_initializing_twice_keeps_what_is_there(file_home: Home) -> None:
    dataset = file_home.pool(Kind.RHO, SHARES)

    again = file_home.keep(init_ledger(file_home.url))

    assert again.pools() == [dataset]


def test_a_ledger_of_another_version_is_refused(file_home: Home) -> None:
    file_home.edit("UPDATE meta SET version = 99")

    with pytest.raises(InputError, match="update Curator"):
        open_ledger(file_home.url)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be created"):
        init_ledger(str(tmp_path / "nowhere" / "ledger.sqlite"))


@pytest.mark.parametrize("url", ["//server/share/ledger.sqlite", "sqlite://///server/share/ledger.sqlite"])
def test_a_network_path_is_refused(url: str) -> None:
    with pytest.raises(FileError, match="network drive"):
        init_ledger(url)


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "mysql://u@h/d", "oracle+x://h", "x://", "http://h"]
)
def test_an_address_of_no_ledger_is_refused(url: str) -> None:
    with pytest.raises(CuratorError) as refused:
        open_ledger(url)

    assert "\n" not in str(refused.value)


def test_the_account_and_not_the_environment_says_who_is_charged(
    file_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("USER", "LOGNAME", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody")

    assert file_home.keep(open_ledger(file_home.url)).user != "somebody"


def test_entries_are_append_only_for_whoever_opens_the_file(file_home: Home) -> None:
    file_home.pool(Kind.RHO, SHARES)
    connection = sqlite3.connect(file_home.url)

    for statement in ("UPDATE entries SET rho = 0", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_entries_carry_the_time_of_the_clock_in_utc(file_home: Home) -> None:
    ledger = file_home.keep(open_ledger(file_home.url, clock=lambda: datetime(2026, 2, 3, 4, 5, 6, 7, UTC)))

    dataset = ledger.create_pool(clinic(), epsilon="1", delta=1e-9, size=1000)

    assert ledger.history(dataset.id)[0].at == "2026-02-03T04:05:06.000007Z"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201])
def test_a_user_needs_a_name(file_home: Home, name: str) -> None:
    dataset = file_home.pool(Kind.RHO, {})

    with pytest.raises(InputError, match="control characters"):
        file_home.steward.grant(dataset.id, name, per_request="1", total="1")


def test_a_request_id_is_short_and_plain() -> None:
    for id in ("", "a b", "x" * 65, "é"):
        with pytest.raises(InputError, match="request id"):
            Request("pool", clinic(), 100_000, 100_000, id)


def test_without_psycopg_a_postgresql_address_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(InputError, match=r"pip install curator-gui\[postgres\]"):
        open_ledger("postgresql://u1@127.0.0.1/nothing")
