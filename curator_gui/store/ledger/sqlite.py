"""A ledger in a file: SQLite. It trusts the operating-system user who can write the file."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, update
from sqlalchemy.pool import NullPool

from curator_gui.budget.pool import evaluate
from curator_gui.core.errors import FileError
from curator_gui.store.ledger import schema
from curator_gui.store.ledger.audit import create_terms, regranted
from curator_gui.store.ledger.chain import FIRST_PREVIOUS, Entry, Event, entry_hash, netstrings
from curator_gui.store.ledger.decision import Dataset, Limits, Request
from curator_gui.store.ledger.fingerprint import Secret, keyed
from curator_gui.store.ledger.ledger import Ledger
from curator_gui.store.ledger.network import on_network
from curator_gui.store.ledger.problems import Refusal, spoken

if sys.platform != "win32":
    import pwd

Clock = Callable[[], datetime]

_APPEND_ONLY = tuple(
    f"CREATE TRIGGER {name} BEFORE {what} ON entries BEGIN SELECT RAISE(ABORT, 'append-only'); END"
    for name, what in (("entries_keep", "UPDATE"), ("entries_stay", "DELETE"))
)


def utc_now() -> datetime:
    return datetime.now(UTC)


def os_user() -> str:
    """The account this process runs as, which no environment variable names."""
    if sys.platform == "win32":
        return os.getlogin()
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"uid {os.geteuid()}"


class SqliteLedger(Ledger):
    """Every write is BEGIN IMMEDIATE … COMMIT with synchronous=FULL: it is on the disk, or it never was."""

    def __init__(self, path: Path, *, user: str | None, clock: Clock, wait: float) -> None:
        super().__init__(_engine(path, wait))
        self.where = str(path)
        self.file = path
        self._user = user or os_user()
        self._clock = clock

    @property
    def user(self) -> str:
        return self._user

    def pool_of(self, content: bytes) -> str | None:
        with spoken(self.where), self._reading() as connection:
            return _pool_of(connection, _fingerprint(connection, content))

    def _charge(self, request: Request, amount: int, least: int) -> Entry:
        terms = self._terms(request.pool)
        with self._writing() as connection:
            dataset = self._dataset(connection, request.pool, terms)
            limits = self._limits(connection, request.pool, self.user)
            if _pool_of(connection, _fingerprint(connection, request.content)) != request.pool:
                raise Refusal("other-dataset")
            for earlier in self._entries(connection, request.pool, request=request.id):
                if (earlier.user_name, earlier.requested, earlier.least) != (self.user, amount, least):
                    raise Refusal("reused-id")
                return earlier
            verdict = evaluate(dataset.pool, dataset.balance, limits.balance, amount, least)
            connection.execute(
                update(schema.pools)
                .where(schema.pools.c.id == dataset.id)
                .values(dataset_left=verdict.dataset.left, rho_spent=verdict.dataset.rho_spent)
            )
            self._keep(connection, dataset.id, Limits(self.user, limits.total, verdict.user))
            return self._append(
                connection,
                dataset.id,
                Event.CHARGE if verdict.approved else Event.REFUSAL,
                user=self.user,
                request=request.id,
                amounts=(amount, least, verdict.offered, verdict.approved),
                bound=verdict.bound,
                rho=verdict.rho,
                user_left=verdict.user.left,
            )

    def _create_pool(self, dataset: Dataset, content: bytes) -> None:
        pool = dataset.pool
        with self._writing() as connection:
            connection.execute(
                insert(schema.pools).values(
                    id=dataset.id,
                    name=dataset.name,
                    kind=pool.kind,
                    delta=repr(pool.delta),
                    size=dataset.size,
                    epsilon=pool.epsilon,
                    capacity=pool.capacity,
                    rho_capacity=pool.rho_capacity,
                    least=pool.least,
                    per_operation=pool.per_operation,
                    dataset_left=pool.capacity,
                    rho_spent=0,
                )
            )
            if pool.tariff:
                connection.execute(
                    insert(schema.tariff),
                    [{"pool": dataset.id, "epsilon": e, "rho": r} for e, r in pool.tariff.points],
                )
            fingerprint = _own(connection, dataset.id, content)
            self._append(connection, dataset.id, Event.CREATE, detail=create_terms(dataset, fingerprint))

    def _attach(self, pool: str, content: bytes) -> None:
        with self._writing() as connection:
            self._dataset(connection, pool)
            self._append(connection, pool, Event.ATTACH, detail=netstrings(_own(connection, pool, content)))

    def _grant(self, pool: str, user: str, per_request: int, total: int) -> None:
        with self._writing() as connection:
            self._dataset(connection, pool)
            old = next((limits for limits in self._users(connection, pool) if limits.user == user), None)
            if old and total > old.total:
                raise Refusal("raised")
            limits = regranted(old, user, per_request, total)
            if old is None:
                connection.execute(
                    insert(schema.users).values(
                        pool=pool, user_name=user, per_request=per_request, total=total, user_left=total
                    )
                )
            self._keep(connection, pool, limits)
            terms = netstrings(per_request, total)
            self._append(
                connection, pool, Event.GRANT, user=user, user_left=limits.balance.left, detail=terms
            )

    def _mark_released(self, pool: str, number: int, sha256: str) -> None:
        with self._writing() as connection:
            paid = connection.scalar(
                select(schema.entries.c.number).where(
                    schema.entries.c.pool == pool,
                    schema.entries.c.number == number,
                    schema.entries.c.event == Event.CHARGE,
                    schema.entries.c.user_name == self.user,
                )
            )
            if paid is None:
                raise Refusal("not-a-charge")
            limits = self._limits(connection, pool, self.user)
            self._append(
                connection,
                pool,
                Event.RELEASE,
                user=self.user,
                user_left=limits.balance.left,
                detail=netstrings(number, sha256),
            )

    def _require_whole_view(self, connection: Connection) -> None:
        """Whoever can read the file sees all of it."""

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection

    def _keep(self, connection: Connection, pool: str, limits: Limits) -> None:
        connection.execute(
            update(schema.users)
            .where(schema.users.c.pool == pool, schema.users.c.user_name == limits.user)
            .values(per_request=limits.balance.per_request, total=limits.total, user_left=limits.balance.left)
        )

    def _append(
        self,
        connection: Connection,
        pool: str,
        what: Event,
        *,
        user: str | None = None,
        request: str | None = None,
        amounts: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None),
        bound: str | None = None,
        rho: int = 0,
        user_left: int | None = None,
        detail: str = "",
    ) -> Entry:
        """Chain an entry to the last one of its pool; its balances are those in the tables by now."""
        last = connection.execute(
            select(schema.entries.c.number, schema.entries.c.hash)
            .where(schema.entries.c.pool == pool)
            .order_by(schema.entries.c.number.desc())
            .limit(1)
        ).one_or_none()
        balance = self._dataset_balance(connection, pool)
        unsigned = Entry(
            pool,
            last.number + 1 if last else 1,
            self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            str(what),
            self.user,
            user,
            request,
            *amounts,
            None if bound is None else str(bound),
            rho,
            *balance,
            user_left,
            detail,
            last.hash if last else FIRST_PREVIOUS,
            "",
        )
        entry = Entry(**{**_fields(unsigned), "hash": entry_hash(unsigned)})
        connection.execute(insert(schema.entries).values(**_fields(entry)))
        return entry

    def _dataset_balance(self, connection: Connection, pool: str) -> tuple[int, int]:
        row = connection.execute(
            select(schema.pools.c.dataset_left, schema.pools.c.rho_spent).where(schema.pools.c.id == pool)
        ).one()
        return row.dataset_left, row.rho_spent


def init_sqlite(path: Path) -> None:
    """Create the file, readable by its owner alone, and the tables; or bring an older ledger up to date."""
    refuse_network(path)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise FileError(
            f"The ledger {path} cannot be created: {error.strerror}; choose another place."
        ) from None
    engine = _engine(path, 5)
    with spoken(str(path)), engine.connect().execution_options(writes=True) as connection, connection.begin():
        begun = inspect(connection).has_table("meta")
        version = connection.scalar(select(schema.meta.c.version)) if begun else 0
        schema.upgrade(connection, STEPS, version or 0)


def open_sqlite(path: Path, *, user: str | None, clock: Clock, wait: float) -> SqliteLedger:
    """Raises FileError where there is no ledger at ``path``."""
    refuse_network(path)
    ledger = SqliteLedger(path, user=user, clock=clock, wait=wait)
    with spoken(str(path)), ledger._reading() as connection:
        schema.check_version(connection, STEPS)
    return ledger


def refuse_network(path: Path) -> None:
    """SQLite's locks do not hold on network file systems. Raises FileError there."""
    if on_network(path):
        raise FileError(
            f"The ledger {path} would lie on a network drive, where two computers may spend one budget "
            "twice; keep it on a local disk, or use PostgreSQL."
        )


def _engine(path: Path, wait: float) -> Engine:
    """Connections that never create a file and begin their transactions themselves: the driver must not."""
    uri = f"{path.absolute().as_uri()}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _create(connection: Connection) -> None:
    schema.metadata.create_all(connection)
    for trigger in _APPEND_ONLY:
        connection.exec_driver_sql(trigger)
    secret = Secret.new()
    connection.execute(insert(schema.secret).values(inner_pad=secret.inner, outer_pad=secret.outer))


STEPS: tuple[schema.Step, ...] = (_create,)


def _fingerprint(connection: Connection, content: bytes) -> str:
    row = connection.execute(select(schema.secret)).one()
    return keyed(Secret(row.inner_pad, row.outer_pad), content)


def _pool_of(connection: Connection, fingerprint: str) -> str | None:
    return connection.scalar(
        select(schema.datasets.c.pool).where(schema.datasets.c.fingerprint == fingerprint)
    )


def _own(connection: Connection, pool: str, content: bytes) -> str:
    """Let the pool own the content, which no pool may yet. The fingerprint."""
    fingerprint = _fingerprint(connection, content)
    if _pool_of(connection, fingerprint):
        raise Refusal("dataset-has-pool")
    connection.execute(insert(schema.datasets).values(fingerprint=fingerprint, pool=pool))
    return fingerprint


def _fields(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__slots__}
