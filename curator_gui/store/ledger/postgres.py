"""A ledger on a server: PostgreSQL. Every write is one function there, which trusts session_user alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, insert, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from curator_gui.core.errors import InputError
from curator_gui.store.ledger import schema
from curator_gui.store.ledger.chain import Entry
from curator_gui.store.ledger.decision import Dataset, Request
from curator_gui.store.ledger.fingerprint import Secret
from curator_gui.store.ledger.ledger import Ledger, entry_of
from curator_gui.store.ledger.problems import spoken

_CONNECT_SECONDS = 10


class PostgresLedger(Ledger):
    """Calls the functions of ``postgres.sql``; reads what row-level security shows."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        with spoken(self.where), self._reading() as connection:
            schema.check_version(connection, STEPS)
            self._user = str(connection.scalar(text("SELECT session_user::text")))

    @property
    def user(self) -> str:
        return self._user

    def pool_of(self, content: bytes) -> str | None:
        with spoken(self.where):
            found = self._call("pool_of(:content)", content=content)[0]
        return None if found is None else str(found)

    def _charge(self, request: Request, amount: int, least: int) -> Entry:
        return entry_of(
            self._call(
                "charge(:pool, :content, :request, :amount, :least)",
                pool=request.pool,
                content=request.content,
                request=request.id,
                amount=amount,
                least=least,
            )
        )

    def _create_pool(self, dataset: Dataset, content: bytes) -> None:
        pool = dataset.pool
        points = pool.tariff.points if pool.tariff else ()
        self._call(
            "create_pool(:id, :name, :kind, :delta, :size, :epsilon, :capacity, :rho_capacity, :least, "
            ":per_operation, CAST(:epsilons AS bigint[]), CAST(:rhos AS bigint[]), :content)",
            id=dataset.id,
            name=dataset.name,
            kind=str(pool.kind),
            delta=repr(pool.delta),
            size=dataset.size,
            epsilon=pool.epsilon,
            capacity=pool.capacity,
            rho_capacity=pool.rho_capacity,
            least=pool.least,
            per_operation=pool.per_operation,
            epsilons=[epsilon for epsilon, _ in points],
            rhos=[rho for _, rho in points],
            content=content,
        )

    def _attach(self, pool: str, content: bytes) -> None:
        self._call("attach(:pool, :content)", pool=pool, content=content)

    def _grant(self, pool: str, user: str, per_request: int, total: int) -> None:
        self._call(
            "share(:pool, :user, :per_request, :total)",
            pool=pool,
            user=user,
            per_request=per_request,
            total=total,
        )

    def _mark_released(self, pool: str, number: int, sha256: str) -> None:
        self._call("mark_released(:pool, :number, :sha256)", pool=pool, number=number, sha256=sha256)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """One snapshot for all that is read, so that an audit never sees half a charge."""
        with self._engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
            yield connection

    def _require_whole_view(self, connection: Connection) -> None:
        steward = text("SELECT pg_has_role(session_user, 'curator_ledger_steward', 'member')")
        if not connection.scalar(steward):
            raise InputError(
                f"{self.user} sees only their own entries, which proves nothing; have a steward audit."
            )

    def _call(self, function: str, **arguments: Any) -> Row[Any]:
        """One function in one transaction of its own, committed when this returns."""
        with self._engine.begin() as connection:
            return connection.execute(text(f"SELECT * FROM ledger.{function}"), arguments).one()


def init_postgres(url: URL) -> None:
    """Create roles, schema, tables and functions, in one transaction. Raises InputError where one exists."""
    engine = _engine(url)
    with spoken(url.render_as_string(hide_password=True)), engine.begin() as connection:
        begun = inspect(connection).has_table("meta", schema="ledger")
        version = connection.scalar(select(schema.meta.c.version)) if begun else 0
        schema.upgrade(connection, STEPS, version or 0)
        if not begun:
            connection.execute(text("RESET ROLE"))
            connection.execute(text("REVOKE curator_ledger_owner FROM CURRENT_USER"))
    engine.dispose()


def open_postgres(url: URL) -> PostgresLedger:
    """Raises CuratorError where the server cannot be reached or holds no ledger."""
    return PostgresLedger(_engine(url))


def _engine(url: URL) -> Engine:
    try:
        engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    except ImportError:
        raise InputError(
            "A ledger on PostgreSQL needs psycopg; install it with “pip install curator-gui[postgres]”."
        ) from None
    return engine.execution_options(schema_translate_map={None: "ledger"})


def _create(connection: Connection) -> None:
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise InputError(f"The database is encoded in {encoding}; a ledger needs one created with UTF8.")
    _run(connection, "postgres_roles.sql")
    schema.metadata.create_all(connection)
    secret = Secret.new()
    connection.execute(insert(schema.secret).values(inner_pad=secret.inner, outer_pad=secret.outer))
    _run(connection, "postgres.sql")


def _run(connection: Connection, name: str) -> None:
    """A file of statements, as it stands: through the driver, which else would read % as a parameter."""
    script = files("curator_gui.store.ledger").joinpath(name).read_text(encoding="utf-8")
    driver: Any = connection.connection.driver_connection
    driver.execute(script)


STEPS: tuple[schema.Step, ...] = (_create,)
