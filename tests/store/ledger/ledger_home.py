"""The two homes a ledger can have; a PostgreSQL server only where CURATOR_TEST_POSTGRES names one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from curator_gui.budget.pool import Kind
from curator_gui.core.table import Column, Table
from curator_gui.store.ledger import Dataset, Ledger, content_digest, open_ledger

SERVER = os.environ.get("CURATOR_TEST_POSTGRES")
PASSWORD = "only for tests"
RACER = Path(__file__).with_name("racer.py")


def clinic(*names: str) -> bytes:
    """The content digest of a small table."""
    return content_digest(Table.of([Column.of("name", list(names) or ["Ann", "Bob"])]))


@dataclass
class Home:
    """An empty ledger; ``ledger(user)`` opens it as somebody, ``edit`` is an intruder with all rights."""

    url: str
    opened: list[Ledger] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.steward = self.keep(open_ledger(self.url))

    def keep(self, ledger: Ledger) -> Ledger:
        self.opened.append(ledger)
        return ledger

    def ledger(self, user: str) -> Ledger:
        return self.keep(open_ledger(self.url, user=user))

    def racer(
        self, user: str, dataset: Dataset, content: bytes, epsilon: str, count: int
    ) -> subprocess.Popen[str]:
        """A process that charges ``count`` times and prints the number of each entry as soon as it has it."""
        asked = [*self.address(user), dataset.id, content.hex(), epsilon, str(count)]
        return subprocess.Popen(
            [sys.executable, str(RACER), *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def address(self, user: str) -> tuple[str, str]:
        return self.url, user

    def edit(self, *statements: str) -> None:
        connection = sqlite3.connect(self.url)
        for statement in ("DROP TRIGGER entries_keep", "DROP TRIGGER entries_stay", *statements):
            connection.execute(statement)
        connection.commit()
        connection.close()

    def pool(self, kind: Kind, shares: dict[str, tuple[str, str]], content: bytes | None = None) -> Dataset:
        """A pool of ε 1 at δ 1e-9, at most 2 an operation; shares: user to (per request, total)."""
        dataset = self.steward.create_pool(
            content or clinic(),
            epsilon="1",
            delta=1e-9,
            size=1000,
            per_operation="2",
            kind=kind,
            name="clinic",
        )
        for user, (per_request, total) in shares.items():
            self.steward.grant(dataset.id, user, per_request=per_request, total=total)
        return dataset


@dataclass
class ServerHome(Home):
    """The same on PostgreSQL, where whom one is takes a login."""

    @property
    def admin(self) -> Engine:
        return create_engine(self.url, poolclass=NullPool)

    def user_url(self, user: str) -> str:
        return make_url(self.url).set(username=user, password=PASSWORD).render_as_string(hide_password=False)

    def ledger(self, user: str) -> Ledger:
        return self.keep(open_ledger(self.user_url(user)))

    def address(self, user: str) -> tuple[str, str]:
        return self.user_url(user), ""

    def engine(self, user: str) -> Engine:
        return create_engine(self.user_url(user), poolclass=NullPool)

    def edit(self, *statements: str) -> None:
        with self.admin.begin() as connection:
            connection.execute(text("SET LOCAL search_path = ledger"))
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            for statement in statements:
                connection.execute(text(statement))
