"""A ledger of privacy budget, whichever database keeps it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, Engine, Row, select
from sqlalchemy.engine import URL

from curator_gui.budget.amounts import Number, epsilon_limit
from curator_gui.budget.pool import DatasetBalance, Kind, Pool, Tariff, UserBalance, evaluate
from curator_gui.core.errors import InputError
from curator_gui.store.ledger import schema
from curator_gui.store.ledger.audit import Anchor, Audit, Books, audited
from curator_gui.store.ledger.chain import Entry, entry_hash
from curator_gui.store.ledger.decision import (
    Dataset,
    Decision,
    Limits,
    Request,
    RequestRefusedError,
    decided,
    previewed,
)
from curator_gui.store.ledger.problems import (
    ConnectionLostError,
    LedgerUnavailableError,
    OutcomeUnknownError,
    Refusal,
    spoken,
)

_HEX = re.compile(r"[0-9a-f]{64}")


class Ledger(ABC):
    """Pools of privacy budget, charged in one transaction each. Subclasses write, this reads and checks.

    Every method raises CuratorError alone. ``user`` is whom charges are booked to; nobody can state it.
    where: its address, for a person. file: where a ledger in a file is; None on a server.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, Pool] = {}
        self.where = _as_typed(engine.url).render_as_string(hide_password=True)
        self.file: Path | None = None

    # --- what its owner does

    def create_pool(
        self,
        content: bytes,
        *,
        epsilon: Number,
        delta: float,
        size: int,
        per_operation: Number | None = None,
        kind: Kind = Kind.RHO,
        name: str = "",
    ) -> Dataset:
        """A pool of ε_global = ``epsilon`` at ``delta`` for the dataset with this content digest.

        size: how many rows the owner declares. per_operation: the most ε of one request; by default all.
        Raises InputError where δ is not below 1 / size or the dataset has a pool.
        """
        if size < 1:
            raise InputError(f"The declared size is {size}; say how many rows the table has, about.")
        if not delta * size < 1:
            raise InputError(
                f"δ is {delta:g}, but must be below 1 / {size}, the declared size: at 1 / size a release may "
                "publish somebody's row whole."
            )
        units = epsilon_limit(epsilon)
        most = units if per_operation is None else epsilon_limit(per_operation)
        pool = Pool.of(kind, units, delta, most)
        balance = DatasetBalance(pool.capacity)
        dataset = Dataset(token_hex(16), checked_name(name, blank=True), size, pool, balance)
        with spoken(self.where):
            self._create_pool(dataset, content)
        return self.pool(dataset.id)

    def attach(self, pool: str, content: bytes) -> None:
        """Let a changed source use the pool of the dataset it came from. Owners only."""
        with spoken(self.where):
            self._attach(pool, content)

    def grant(self, pool: str, user: str, *, per_request: Number, total: Number) -> Limits:
        """Give a user a pool of ``total`` ε, at most ``per_request`` at a time. Owners only.

        A second grant sets the limit per request and may lower the total, never raise it.
        """
        terms = self._terms(pool)
        amounts = [terms.amount(epsilon_limit(value)) for value in (per_request, total)]
        with spoken(self.where):
            self._grant(pool, checked_name(user), *amounts)
        return self.limits(pool, user)

    # --- what its users do

    @property
    @abstractmethod
    def user(self) -> str:
        """Whom charges are booked to."""

    def preview(self, request: Request) -> Decision:
        """What ``charge`` would decide now. Spends nothing, promises nothing."""
        with spoken(self.where), self._reading() as connection:
            dataset = self._dataset(connection, request.pool)
            limits = self._limits(connection, request.pool, self.user)
        amount, least = _amounts(dataset.pool, request)
        verdict = evaluate(dataset.pool, dataset.balance, limits.balance, amount, least)
        return previewed(request, dataset, limits, verdict)

    def charge(self, request: Request) -> Decision:
        """Negotiate and debit both pools, in one transaction, and read the entry back on a second connection.

        Only after it returns may noise be drawn, and no more than ``decision.rho`` spent on it. A lost
        connection is tried once more under the same request id, which is charged once.
        Raises RequestRefusedError where less than ``request.least`` is to be had; OutcomeUnknownError where
        the ledger cannot be reached to tell.
        """
        terms = self._terms(request.pool)
        amount, least = _amounts(terms, request)
        try:
            entry = self._charge_once(request, amount, least)
        except ConnectionLostError:
            with self._unknown_if_unavailable(request):
                entry = self._charge_once(request, amount, least)
        with self._unknown_if_unavailable(request):
            self._confirm(entry)
        decision = decided(terms, entry)
        if decision.refused:
            raise RequestRefusedError(decision)
        return decision

    def mark_released(self, decision: Decision, sha256: str) -> None:
        """Record that the release a charge paid for was written, by the SHA-256 of its file."""
        with spoken(self.where):
            if not _HEX.fullmatch(sha256):
                raise Refusal("bad-hash")
            self._mark_released(decision.pool, decision.entry or 0, sha256)

    # --- what anybody sees: the owner all, a user their own

    def pools(self) -> list[Dataset]:
        with spoken(self.where), self._reading() as connection:
            pools = schema.pools.c
            ids = connection.scalars(select(pools.id).order_by(pools.name, pools.id)).all()
            return [self._dataset(connection, id) for id in ids]

    def pool(self, id: str) -> Dataset:
        """Raises InputError where there is none."""
        with spoken(self.where), self._reading() as connection:
            return self._dataset(connection, id)

    @abstractmethod
    def pool_of(self, content: bytes) -> str | None:
        """The id of the pool of the dataset with this content digest; None where it has none."""

    def users(self, pool: str) -> list[Limits]:
        with spoken(self.where), self._reading() as connection:
            return self._users(connection, pool)

    def limits(self, pool: str, user: str | None = None) -> Limits:
        """A user's pool, by default one's own. Raises BudgetRefusedError where they have none."""
        with spoken(self.where), self._reading() as connection:
            return self._limits(connection, pool, self.user if user is None else user)

    def history(self, pool: str) -> list[Entry]:
        with spoken(self.where), self._reading() as connection:
            return self._entries(connection, pool)

    def audit(self, anchors: Sequence[Anchor] = ()) -> Audit:
        """Check every chain, replay every decision and hold the ledger against ``anchors``.

        Raises InputError for a user who does not see the whole ledger.
        """
        with spoken(self.where), self._reading() as connection:
            self._require_whole_view(connection)
            ids = connection.scalars(select(schema.pools.c.id)).all()
            written = connection.scalars(select(schema.entries.c.pool).distinct()).all()
            books = [self._books(connection, id) for id in sorted({*ids, *written})]
        return audited(books, anchors)

    def close(self) -> None:
        self._engine.dispose()

    # --- how a charge survives the network

    def _charge_once(self, request: Request, amount: int, least: int) -> Entry:
        with spoken(self.where):
            return self._charge(request, amount, least)

    @contextmanager
    def _unknown_if_unavailable(self, request: Request) -> Iterator[None]:
        """Once a charge may stand in the ledger, no failure may be told as if it did not."""
        try:
            yield
        except LedgerUnavailableError as error:
            raise OutcomeUnknownError(
                f"The ledger at {self.where} did not confirm the charge, which may have been made; "
                f"ask again with request id {request.id}, which is charged at most once."
            ) from error

    def _confirm(self, entry: Entry) -> None:
        """A transaction that was rolled back after it answered leaves no entry, and no release may follow."""
        with spoken(self.where), self._reading() as connection:
            found = self._entries(connection, entry.pool, number=entry.number)
        if found != [entry] or entry_hash(entry) != entry.hash:
            raise OutcomeUnknownError(
                f"The charge is not in the ledger at {self.where} although it was confirmed; nothing may be "
                "released, have the ledger audited."
            )

    # --- reading

    def _terms(self, id: str) -> Pool:
        """What never changes of a pool, read once."""
        if id not in self._known:
            self._known[id] = self.pool(id).pool
        return self._known[id]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            yield connection

    def _dataset(self, connection: Connection, id: str, terms: Pool | None = None) -> Dataset:
        """A pool as it stands; ``terms``, where they are known, save reading the tariff."""
        row = connection.execute(select(schema.pools).where(schema.pools.c.id == id)).one_or_none()
        if row is None:
            raise Refusal("unknown-pool")
        if terms is not None:
            return Dataset(row.id, row.name, row.size, terms, DatasetBalance(row.dataset_left, row.rho_spent))
        points = connection.execute(
            select(schema.tariff.c.epsilon, schema.tariff.c.rho)
            .where(schema.tariff.c.pool == id)
            .order_by(schema.tariff.c.epsilon)
        )
        return dataset_of(row, Tariff(tuple((p.epsilon, p.rho) for p in points)))

    def _limits(self, connection: Connection, pool: str, user: str) -> Limits:
        row = connection.execute(
            select(schema.users).where(schema.users.c.pool == pool, schema.users.c.user_name == user)
        ).one_or_none()
        if row is None:
            raise Refusal("unknown-user")
        return _limits_of(row)

    def _users(self, connection: Connection, pool: str) -> list[Limits]:
        users = schema.users.c
        rows = connection.execute(select(schema.users).where(users.pool == pool).order_by(users.user_name))
        return [_limits_of(row) for row in rows]

    def _entries(self, connection: Connection, pool: str, **where: str | int) -> list[Entry]:
        statement = select(schema.entries).filter_by(pool=pool, **where).order_by(schema.entries.c.number)
        return [entry_of(row) for row in connection.execute(statement)]

    def _books(self, connection: Connection, id: str) -> Books:
        try:
            dataset = self._dataset(connection, id)
        except Refusal:
            return Books(id, None, (), (), self._entries(connection, id))
        prints = connection.scalars(select(schema.datasets.c.fingerprint).where(schema.datasets.c.pool == id))
        return Books(
            id,
            dataset,
            tuple(self._users(connection, id)),
            tuple(sorted(prints)),
            self._entries(connection, id),
        )

    # --- writing, each in one transaction

    @abstractmethod
    def _charge(self, request: Request, amount: int, least: int) -> Entry: ...

    @abstractmethod
    def _create_pool(self, dataset: Dataset, content: bytes) -> None: ...

    @abstractmethod
    def _attach(self, pool: str, content: bytes) -> None: ...

    @abstractmethod
    def _grant(self, pool: str, user: str, per_request: int, total: int) -> None: ...

    @abstractmethod
    def _mark_released(self, pool: str, number: int, sha256: str) -> None: ...

    @abstractmethod
    def _require_whole_view(self, connection: Connection) -> None:
        """Raises InputError for a user from whom rows are hidden."""


def checked_name(name: str, *, blank: bool = False) -> str:
    """A name as a ledger admits it. Raises InputError otherwise."""
    if not (blank or name) or len(name) > 200 or not name.isprintable():
        with spoken(""):
            raise Refusal("bad-name")
    return name


def dataset_of(row: Row[Any], tariff: Tariff) -> Dataset:
    pool = Pool(
        Kind(row.kind),
        float(row.delta),
        row.epsilon,
        row.capacity,
        row.rho_capacity,
        row.least,
        row.per_operation,
        tariff if row.kind == Kind.EPSILON else None,
    )
    return Dataset(row.id, row.name, row.size, pool, DatasetBalance(row.dataset_left, row.rho_spent))


def _limits_of(row: Row[Any]) -> Limits:
    return Limits(row.user_name, row.total, UserBalance(row.per_request, row.user_left))


def entry_of(row: Row[Any]) -> Entry:
    return Entry(**{name: getattr(row, name) for name in Entry.__slots__})


def _amounts(pool: Pool, request: Request) -> tuple[int, int]:
    return pool.amount(request.epsilon), pool.amount(request.least)


def _as_typed(url: URL) -> URL:
    """The address without the driver's name, which nobody typed."""
    return url.set(drivername=url.get_backend_name())
