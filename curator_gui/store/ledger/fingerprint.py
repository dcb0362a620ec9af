"""What makes two files the same dataset: their content, whatever its order, name or format."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from unicodedata import normalize

import numpy as np

from curator_gui.core.table import Column, Table
from curator_gui.store.ledger.chain import netstrings

_NUMBER = re.compile(r"([+-]?)0*([0-9]+)(?:[.,]([0-9]*?)0*)?", re.ASCII)
_MIDNIGHT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]00:00(?::00(?:\.0+)?)?Z?", re.ASCII)
_MISSING = {"na", "n/a", "nan", "null", "none", ".", "-", "?"}  # whichever of them a reader took for missing
_BLOCK = 64  # bytes of a SHA-256 block


@dataclass(frozen=True, slots=True)
class Secret:
    """A ledger's key, padded as HMAC uses it, so that a database can key a digest with its own SHA-256."""

    inner: bytes
    outer: bytes

    @classmethod
    def new(cls) -> Secret:
        key = secrets.token_bytes(32).ljust(_BLOCK, b"\0")
        return cls(bytes(b ^ 0x36 for b in key), bytes(b ^ 0x5C for b in key))


def keyed(secret: Secret, content: bytes) -> str:
    """HMAC-SHA256 of a content digest, in hexadecimal: the fingerprint a ledger keeps."""
    return sha256(secret.outer + sha256(secret.inner + content).digest()).hexdigest()


def content_digest(table: Table) -> bytes:
    """SHA-256 of the column names and the rows, whatever the order of either.

    Cells are compared as a program that re-saves a table leaves them: blanks around text, "02139" against
    "2139", "1.50" or "1,5", midnight after a date and the usual words for a missing value make no difference.
    To take two datasets for one costs budget; to take one for two would give it away.
    """
    columns = sorted(table.columns, key=lambda c: _text(c.name))
    digest = sha256(netstrings("curator-content/1", table.rows, len(columns)).encode())
    ranks = []
    for column in columns:
        distinct, ranked = _ranked(column)
        digest.update(netstrings(_text(column.name), len(distinct), *distinct).encode())
        ranks.append(ranked)
    if ranks:
        order = np.lexsort(ranks)
        for ranked in ranks:
            digest.update(ranked[order].tobytes())
    return digest.digest()


def _ranked(column: Column) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    """The distinct cells in order, and [rows] the place of each row's cell among them."""
    cells = [_cell(value) for value in column.values]
    distinct = sorted({cell for cell, count in zip(cells, column.counts, strict=True) if count})
    place = {cell: i for i, cell in enumerate(distinct)}
    lookup = np.array([place.get(cell, 0) for cell in cells], "<u4")
    return distinct, lookup[column.codes]


def _text(text: str) -> str:
    return normalize("NFC", text).strip()


def _cell(value: str | None) -> str:
    text = _text(value or "")
    if number := _NUMBER.fullmatch(text):
        sign, whole, fraction = number.groups()
        digits = f"{whole}.{fraction}" if fraction else whole
        return f"-{digits}" if sign == "-" and digits != "0" else digits
    if text.lower() in _MISSING:
        return ""
    if midnight := _MIDNIGHT.fullmatch(text):
        return midnight[1]
    return text
