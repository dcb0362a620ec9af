"""The two homes a ledger can have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from ledger_home import PASSWORD, SERVER, Home, ServerHome
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from curator_gui.store.ledger import init_ledger


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """The address of a database with a ledger in it. u1, u2, u3 may charge; mallory may connect, no more."""
    if SERVER is None:
        pytest.skip("CURATOR_TEST_POSTGRES names no server; “source .ci/postgres” starts one")
    pytest.importorskip("psycopg")
    admin = create_engine(SERVER, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    name = f"test_{uuid4().hex[:12]}"
    url = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        for user in ("u1", "u2", "u3", "mallory"):
            known = connection.scalar(text("SELECT true FROM pg_roles WHERE rolname = :user"), {"user": user})
            if not known:
                connection.execute(text(f"CREATE ROLE {user} LOGIN PASSWORD '{PASSWORD}'"))
        connection.execute(text(f"CREATE DATABASE {name}"))
        init_ledger(url).close()
        connection.execute(text("GRANT curator_ledger_analyst TO u1, u2, u3"))
    yield url
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def server_home(database: str) -> ServerHome:
    home = ServerHome(database)
    home.edit(*(f"TRUNCATE {table} CASCADE" for table in ("entries", "tariff", "datasets", "users", "pools")))
    return home


@pytest.fixture
def file_home(tmp_path: Path) -> Home:
    path = str(tmp_path / "ledger.sqlite")
    init_ledger(path).close()
    return Home(path)


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest) -> Home:
    """A ledger on SQLite, then one on PostgreSQL."""
    found: Home = request.getfixturevalue("file_home" if request.param == "sqlite" else "server_home")
    return found
