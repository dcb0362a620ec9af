"""Which database a ledger's address means."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from curator_gui.core.errors import InputError
from curator_gui.store.ledger.ledger import Ledger
from curator_gui.store.ledger.postgres import init_postgres, open_postgres
from curator_gui.store.ledger.sqlite import Clock, init_sqlite, open_sqlite, utc_now


def init_ledger(url: str) -> Ledger:
    """Create a ledger, or bring an older one up to date, and open it.

    On PostgreSQL the role needs CREATEROLE and CREATE on the database.
    """
    address = _address(url)
    if isinstance(address, Path):
        init_sqlite(address)
    else:
        init_postgres(address)
    return open_ledger(url)


def open_ledger(url: str, *, user: str | None = None, clock: Clock = utc_now, wait: float = 10) -> Ledger:
    """Open a ledger that exists.

    user: on SQLite, whom charges are booked to instead of the operating-system account; whoever can write the
    file could do as much. Refused on PostgreSQL. wait: seconds to wait for a locked file.
    """
    address = _address(url)
    if isinstance(address, Path):
        return open_sqlite(address, user=user, clock=clock, wait=wait)
    if user is not None:
        raise InputError("On PostgreSQL a user is who logs in; put the name into the ledger's address.")
    return open_postgres(address)


def _address(url: str) -> Path | URL:
    if "://" not in url:
        return Path(url)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the second of a port that is no number
        raise InputError(
            "The ledger's address cannot be read; give a path or a postgresql:// address."
        ) from None
    if parsed.get_backend_name() == "sqlite" and parsed.database and parsed.database != ":memory:":
        return Path(parsed.database)
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise InputError(
        f"A ledger cannot be kept in {parsed.drivername}; give the path of a file or a postgresql:// address."
    )
