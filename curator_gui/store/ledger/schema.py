"""The ledger's tables, the same on every database, and the steps that bring an older one up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    insert,
    select,
    update,
)

from curator_gui.core.errors import InputError

metadata = MetaData()

meta = Table("meta", metadata, Column("version", Integer, nullable=False))

secret = Table(
    "secret",
    metadata,
    Column("inner_pad", LargeBinary, nullable=False),
    Column("outer_pad", LargeBinary, nullable=False),
)

pools = Table(
    "pools",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, CheckConstraint("kind IN ('rho', 'epsilon')"), nullable=False),
    Column("delta", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("epsilon", BigInteger, nullable=False),
    Column("capacity", BigInteger, nullable=False),
    Column("rho_capacity", BigInteger, nullable=False),
    Column("least", BigInteger, CheckConstraint("least > 0"), nullable=False),
    Column("per_operation", BigInteger, nullable=False),
    Column("dataset_left", BigInteger, nullable=False),
    Column("rho_spent", BigInteger, nullable=False),
    CheckConstraint("dataset_left BETWEEN 0 AND capacity"),
    CheckConstraint("rho_spent BETWEEN 0 AND rho_capacity"),
)

tariff = Table(
    "tariff",
    metadata,
    Column("pool", Text, ForeignKey("pools.id"), primary_key=True),
    Column("epsilon", BigInteger, primary_key=True, autoincrement=False),
    Column("rho", BigInteger, nullable=False),
)

datasets = Table(
    "datasets",
    metadata,
    Column("fingerprint", Text, primary_key=True),
    Column("pool", Text, ForeignKey("pools.id"), nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("pool", Text, ForeignKey("pools.id"), primary_key=True),
    Column("user_name", Text, primary_key=True),
    Column("per_request", BigInteger, CheckConstraint("per_request > 0"), nullable=False),
    Column("total", BigInteger, CheckConstraint("total > 0"), nullable=False),
    Column("user_left", BigInteger, nullable=False),
    CheckConstraint("user_left BETWEEN 0 AND total"),
)

entries = Table(
    "entries",
    metadata,
    Column("pool", Text, ForeignKey("pools.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("user_name", Text),
    Column("request", Text),
    Column("requested", BigInteger),
    Column("least", BigInteger),
    Column("offered", BigInteger),
    Column("approved", BigInteger),
    Column("bound", Text),
    Column("rho", BigInteger, nullable=False),
    Column("dataset_left", BigInteger, nullable=False),
    Column("rho_spent", BigInteger, nullable=False),
    Column("user_left", BigInteger),
    Column("detail", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    UniqueConstraint("pool", "request"),
)

Step = Callable[[Connection], None]


def upgrade(connection: Connection, steps: Sequence[Step], version: int) -> None:
    """Take the steps an older ledger (0: none yet) still lacks, in the caller's transaction."""
    for step in steps[version:]:
        step(connection)
    statement = update(meta) if version else insert(meta)
    connection.execute(statement.values(version=len(steps)))


def check_version(connection: Connection, steps: Sequence[Step]) -> None:
    """Raises InputError where the ledger is older or newer than this program."""
    version, known = connection.scalar(select(meta.c.version)) or 0, len(steps)
    if version > known:
        raise InputError(f"The ledger has version {version}, this program knows {known}; update Curator.")
    if version < known:
        raise InputError(f"The ledger has version {version}; its owner must run “curator-gui ledger init”.")
