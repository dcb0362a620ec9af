"""Entries of a ledger, and the hash that chains each to the one before it in its pool."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

FORMAT = "curator-ledger/1"
FIRST_PREVIOUS = "0" * 64
"""What the first entry of a pool names as the hash before it."""


class Event(StrEnum):
    """What an entry records."""

    CREATE = "create"
    ATTACH = "attach"
    GRANT = "grant"
    CHARGE = "charge"
    REFUSAL = "refusal"
    RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a pool's history; amounts are account units (rho, rho_spent: ρ units).

    number: from 1, without gaps. at: UTC, ISO 8601 with microseconds. actor: who wrote it; user_name: whose
    pool it touches. detail: of a create, attach or grant its terms, of a release the number of its charge and
    the hash of the file, each a netstring. The balances are those after the entry.
    """

    pool: str
    number: int
    at: str
    event: str
    actor: str
    user_name: str | None
    request: str | None
    requested: int | None
    least: int | None
    offered: int | None
    approved: int | None
    bound: str | None
    rho: int
    dataset_left: int
    rho_spent: int
    user_left: int | None
    detail: str
    previous: str
    hash: str


def netstrings(*fields: str | int | None) -> str:
    """Fields in one text without ambiguity: length in UTF-8 bytes, colon, text; a lone dash for None."""
    return "".join("-" if f is None else f"{len(str(f).encode())}:{f}" for f in fields)


def from_netstrings(text: str) -> list[str]:
    """The fields of ``netstrings``, without Nones. Raises ValueError where the text is none."""
    rest, fields = text.encode(), []
    while rest:
        length, colon, rest = rest.partition(b":")
        if not colon or len(rest) < int(length):
            raise ValueError("not a netstring")
        fields.append(rest[: int(length)].decode())
        rest = rest[int(length) :]
    return fields


def entry_hash(entry: Entry) -> str:
    """SHA-256, in hexadecimal, of everything the entry says and of the hash before it."""
    fields = [getattr(entry, name) for name in Entry.__slots__ if name != "hash"]
    return sha256(netstrings(FORMAT, *fields).encode()).hexdigest()
