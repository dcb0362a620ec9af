"""A table or query of a SQL database through SQLAlchemy, read and never written. No credentials are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator_gui.core.errors import Cancelled, CuratorError, FileError, InputError
from curator_gui.core.progress import Progress
from curator_gui.store.readers.arrow import value_text
from curator_gui.store.readers.column_coding import RowCoding
from curator_gui.store.readers.findings import distinct_names
from curator_gui.store.readers.settings import Settings
from curator_gui.store.readers.table_read import TableRead

_ROWS = 5000


@dataclass(frozen=True)
class Credentials:
    """What a database asks for; given on opening, never written anywhere."""

    user: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class SqlReader:
    """url: of a server's database, without user or password; "" where the source is a SQLite file.

    table: the name of a table or view, or query: one SELECT. Raises InputError for anything else.
    """

    url: str = ""
    table: str = ""
    query: str = ""
    missing: tuple[str, ...] = ()
    evidence: tuple[str, ...] = field(default=(), compare=False)

    kind = "sql"
    decimal = "."

    def __post_init__(self) -> None:
        if self.url:
            _check_url(self.url)
        if self.table and self.query:
            raise InputError("Name a table or a query, not both.", path="query")
        if self.query:
            _check_query(self.query)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": "sql", "url": self.url} if self.url else {"kind": "sql"}
        data |= {"query": self.query} if self.query else {"table": self.table}
        return {**data, "missing": list(self.missing)}

    @classmethod
    def from_json(cls, data: object, *, path: str) -> SqlReader:
        settings = Settings(data, path, ("kind", "url", "table", "query", "missing"))
        settings.one_of("kind", ("sql",), "sql")
        try:
            return cls(
                settings.text("url", ""),
                settings.text("table", ""),
                settings.text("query", ""),
                settings.texts("missing", ()),
            )
        except InputError as error:
            raise error if (error.path or "").startswith(path) else error.at(path) from None


def _check_url(text: str) -> None:
    from sqlalchemy.engine import make_url  # heavy: only for a database
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise InputError(
            "This is no database address; write one such as postgresql://server/database.", path="url"
        ) from None
    if url.username or url.password or "password" in url.query or "user" in url.query:
        raise InputError(
            "The address of a database holds no user or password here; give them when it is opened.",
            path="url",
        )


def _check_query(text: str) -> None:
    import sqlglot  # heavy: only for a database
    from sqlglot import expressions as exp
    from sqlglot.errors import SqlglotError

    try:
        statements = sqlglot.parse(text)
    except (SqlglotError, RecursionError):
        raise InputError("The query cannot be understood as SQL; correct it.", path="query") from None
    one = statements[0] if len(statements) == 1 else None
    writes = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Command, exp.Into)
    if not isinstance(one, exp.Query) or one.find(*writes) is not None:
        raise InputError("The query must be one SELECT; remove everything else.", path="query")


def database_tables(path: Path, reader: SqlReader, credentials: Credentials | None = None) -> tuple[str, ...]:
    """The names of the tables and views there are."""
    import sqlalchemy  # heavy: only for a database

    with _connected(path, reader, credentials) as connection:
        found = sqlalchemy.inspect(connection)
        return (*found.get_table_names(), *found.get_view_names())


def read_sql(
    path: Path,
    reader: SqlReader,
    progress: Progress,
    *,
    credentials: Credentials | None = None,
    most: int | None = None,
) -> TableRead:
    """The rows in the order the database gives them. ``sha256`` is of the names and cells that came.

    Raises FileError where the database cannot be reached or refuses.
    """
    import sqlalchemy  # heavy: only for a database

    if not reader.table and not reader.query:
        raise InputError("Name a table of the database, or a query.", path="table")
    with _connected(path, reader, credentials) as connection:
        statement: Any = (
            sqlalchemy.text(reader.query.replace(":", r"\:"))
            if reader.query
            else sqlalchemy.select(sqlalchemy.text("*")).select_from(_named(reader.table))
        )
        result = connection.execution_options(stream_results=True).execute(statement)
        header = tuple(map(str, result.keys()))
        names, renamed = distinct_names(header)
        coding = RowCoding(len(names), reader.missing)
        digest = hashlib.sha256(repr(header).encode())
        for rows in result.partitions(_ROWS):
            for row in rows[: None if most is None else most - coding.rows]:
                cells = [value_text(v) for v in row]
                digest.update(repr(cells).encode())
                coding.add(cells)
            # How many rows there will be is not known.
            progress(coding.rows / (coding.rows + 20 * _ROWS), "Reading from the database")
            if most is not None and coding.rows >= most:
                break
    notes = (f"Blank or repeated column names were read as {', '.join(renamed)}.",) if renamed else ()
    return TableRead(coding.table(names), header, notes, digest.hexdigest())


def _named(table: str) -> Any:
    import sqlalchemy  # heavy: only for a database

    schema, _, name = table.rpartition(".")
    return sqlalchemy.table(name, schema=schema or None)


@contextmanager
def _connected(path: Path, reader: SqlReader, credentials: Credentials | None) -> Iterator[Any]:
    """A connection that may read and nothing else, as far as the database knows such a thing."""
    import sqlalchemy  # heavy: only for a database
    from sqlalchemy.engine import make_url
    from sqlalchemy.pool import NullPool

    url, options = _file_url(path), {}
    if reader.url:
        given = credentials or Credentials()
        url = make_url(reader.url).set(username=given.user, password=given.password)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() == "postgresql":
            options = {"postgresql_readonly": True}
    where = f"“{path.name}”" if not reader.url else "The database"
    try:
        engine = sqlalchemy.create_engine(url, poolclass=NullPool)
        with engine.connect().execution_options(**options) as connection:
            yield connection
    except (CuratorError, Cancelled, MemoryError):
        raise
    except ImportError as error:
        raise FileError(
            f"The driver “{error.name}” for this database is not installed; install it."
        ) from None
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise FileError(
            f"{where} could not be read ({_short(error)}); check its name and the query."
        ) from None


def _file_url(path: Path) -> Any:
    import sqlalchemy  # heavy: only for a database

    location = path.resolve().as_uri() + "?mode=ro"
    return sqlalchemy.URL.create("sqlite", database=location, query={"uri": "true"})


def _short(error: Exception) -> str:
    """The database's own words in one line, without the statement and its parameters."""
    words = str(getattr(error, "orig", None) or error).strip().splitlines()
    return words[0][:200] if words else type(error).__name__
