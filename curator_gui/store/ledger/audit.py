"""Whether a ledger is what it was: its chains, its arithmetic, and what others remember of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from curator_gui.budget.amounts import rho_capacity
from curator_gui.budget.pool import DatasetBalance, Kind, Pool, UserBalance, evaluate
from curator_gui.core.errors import FileError, InputError
from curator_gui.store.ledger.chain import (
    FIRST_PREVIOUS,
    Entry,
    Event,
    entry_hash,
    from_netstrings,
    netstrings,
)
from curator_gui.store.ledger.decision import Dataset, Limits
from curator_gui.store.ordinary import read_text

_HASH = re.compile(r"[0-9a-f]{64}")
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entry as somebody outside the ledger remembers it; ``source`` says where it was kept."""

    pool: str
    entry: int
    hash: str
    source: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, in one sentence. entry: its number, where it has one."""

    pool: str
    entry: int | None
    sentence: str


@dataclass(frozen=True, slots=True)
class PoolAudit:
    """How far a pool's chain reaches and how far anchors prove it (0: not at all)."""

    pool: str
    entries: int
    proven: int


@dataclass(frozen=True, slots=True)
class Audit:
    """All that was found, and what was looked at."""

    findings: tuple[Finding, ...]
    pools: tuple[PoolAudit, ...]

    @property
    def consistent(self) -> bool:
        return not self.findings

    def sentence(self) -> str:
        """The result for a person."""
        if self.findings:
            return f"NOT consistent: {len(self.findings)} finding(s)."
        if all(pool.proven == pool.entries for pool in self.pools):
            return "consistent, and proven up to the last entry of every pool."
        if any(pool.proven for pool in self.pools):
            return "consistent; what follows the anchored entries cannot be proven."
        return "consistent; the tail cannot be proven"


@dataclass(frozen=True, slots=True)
class Books:
    """All a ledger holds of a pool. dataset is None where only entries are left of it."""

    pool: str
    dataset: Dataset | None
    users: tuple[Limits, ...]
    fingerprints: tuple[str, ...]
    entries: Sequence[Entry]


def audited(books: Sequence[Books], anchors: Sequence[Anchor]) -> Audit:
    """Check every pool, and every anchor against its pool."""
    findings: list[Finding] = []
    for pool in books:
        findings += _chain_findings(pool)
        findings += _book_findings(pool)
    by_pool = {pool.pool: pool for pool in books}
    proven = dict.fromkeys(by_pool, 0)
    for anchor in anchors:
        wrong = _anchor_finding(by_pool.get(anchor.pool), anchor)
        if wrong:
            findings.append(Finding(anchor.pool, anchor.entry, wrong))
        else:
            proven[anchor.pool] = max(proven[anchor.pool], anchor.entry)
    return Audit(tuple(findings), tuple(PoolAudit(p.pool, len(p.entries), proven[p.pool]) for p in books))


def read_anchors(path: Path) -> list[Anchor]:
    """The anchors a manifest or session holds: objects with pool, entry and hash, anywhere in it.

    None is held by one of curated tables alone. Raises FileError where the file cannot be read as JSON.
    """
    try:
        document = json.loads(read_text(path, "a manifest or session"))
    except (ValueError, RecursionError):
        raise FileError(f"{path} cannot be read as a manifest or session; give a JSON file.") from None
    return [Anchor(*found, source=str(path)) for found in _anchors_in(document, _DEEPEST)]


def create_terms(dataset: Dataset, fingerprint: str) -> str:
    """What a pool's first entry says of it."""
    pool = dataset.pool
    points = pool.tariff.points if pool.tariff else ()
    tariff = sha256(",".join(f"{epsilon}:{rho}" for epsilon, rho in points).encode()).hexdigest()
    return netstrings(
        dataset.name,
        pool.kind,
        repr(pool.delta),
        dataset.size,
        pool.epsilon,
        pool.capacity,
        pool.rho_capacity,
        pool.least,
        pool.per_operation,
        tariff,
        fingerprint,
    )


def regranted(old: Limits | None, user: str, per_request: int, total: int) -> Limits:
    """A user's pool after a grant; ``total`` is at most the old one."""
    spent = old.total - old.balance.left if old else 0
    total = max(total, spent)
    return Limits(user, total, UserBalance(per_request, total - spent))


def _anchors_in(node: Any, depth: int) -> Iterator[tuple[str, int, str]]:
    if depth and isinstance(node, dict):
        match node:
            case {"pool": str(pool), "entry": int(entry), "hash": str(hash)} if _HASH.fullmatch(hash):
                yield pool, entry, hash
        for value in node.values():
            yield from _anchors_in(value, depth - 1)
    elif depth and isinstance(node, list):
        for value in node:
            yield from _anchors_in(value, depth - 1)


def _anchor_finding(books: Books | None, anchor: Anchor) -> str | None:
    if books is None:
        return f"{anchor.source} was charged to pool {anchor.pool}, which this ledger does not have."
    entry = next((e for e in books.entries if e.number == anchor.entry), None)
    if entry is None:
        return (
            f"{anchor.source} names entry {anchor.entry}, but the pool has {len(books.entries)}: entries "
            "were cut off, an older copy of the ledger was restored, or the charge was never committed."
        )
    if entry_hash(entry) != anchor.hash:
        return f"{anchor.source} remembers entry {anchor.entry} otherwise: it or one before was rewritten."
    if entry.event != Event.CHARGE:
        return f"{anchor.source} was released without a charge: entry {anchor.entry} paid for nothing."
    return None


def _chain_findings(books: Books) -> Iterator[Finding]:
    previous, expected = FIRST_PREVIOUS, 1
    for entry in books.entries:
        if entry.number != expected:
            missing = f"Entries {expected} to {entry.number - 1} are missing."
            yield Finding(books.pool, entry.number, missing)
        elif entry.previous != previous:
            moved = f"Entry {entry.number} does not follow the one before: one was replaced, put in or moved."
            yield Finding(books.pool, entry.number, moved)
        if entry_hash(entry) != entry.hash:
            edited = f"Entry {entry.number} was edited: it does not have its hash."
            yield Finding(books.pool, entry.number, edited)
        previous, expected = entry.hash, entry.number + 1


def _book_findings(books: Books) -> Iterator[Finding]:
    if books.dataset is None:
        yield Finding(books.pool, None, f"Pool {books.pool} has entries but is not in the list of pools.")
        return
    replay = _Replay(books.dataset)
    for entry in books.entries:
        wrong = replay.follow(entry)
        if wrong:
            yield Finding(books.pool, entry.number, f"Entry {entry.number} {wrong}.")
            return
    yield from (Finding(books.pool, None, sentence) for sentence in replay.differences(books))


@dataclass
class _Replay:
    """The pool's history, decided again."""

    dataset: Dataset
    balance: DatasetBalance = field(init=False)
    users: dict[str, Limits] = field(default_factory=dict)
    fingerprints: set[str] = field(default_factory=set)
    charges: dict[int, str | None] = field(default_factory=dict)
    requests: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.balance = DatasetBalance(self.dataset.pool.capacity)

    def follow(self, entry: Entry) -> str | None:
        """What is wrong with the next entry; None where it is as it must be."""
        if (entry.number == 1) != (entry.event == Event.CREATE):
            return "is out of place: a pool begins with its creation, once"
        try:
            fields = from_netstrings(entry.detail)
            wrong = self._apply(entry, fields)
        except (ValueError, IndexError, KeyError, InputError):
            return "cannot be understood"
        after = (entry.dataset_left, entry.rho_spent)
        if wrong is None and after != (self.balance.left, self.balance.rho_spent):
            return "leaves another balance than its history gives"
        return wrong

    def _apply(self, entry: Entry, fields: list[str]) -> str | None:
        match entry.event:
            case Event.CREATE:
                self.fingerprints.add(fields[-1])
                terms = create_terms(self.dataset, fields[-1])
                return None if entry.detail == terms else "states other terms than the pool has now"
            case Event.ATTACH:
                self.fingerprints.add(fields[0])
                return None
            case Event.GRANT:
                return self._apply_grant(entry, int(fields[0]), int(fields[1]))
            case Event.CHARGE | Event.REFUSAL:
                return self._apply_decision(entry)
            case Event.RELEASE:
                mine = self.charges.get(int(fields[0]), "") == entry.user_name
                return None if mine else "marks a release that no charge paid for"
        return "is of no known kind"

    def _apply_grant(self, entry: Entry, per_request: int, total: int) -> str | None:
        name = entry.user_name or ""
        old = self.users.get(name)
        if old and total > old.total:
            return "raises a user's total"
        self.users[name] = regranted(old, name, per_request, total)
        same = entry.user_left == self.users[name].balance.left
        return None if same else "leaves another balance than its history gives"

    def _apply_decision(self, entry: Entry) -> str | None:
        name, limits = entry.user_name or "", self.users.get(entry.user_name or "")
        if limits is None:
            return "charges a user who was granted nothing"
        if entry.request is None or entry.request in self.requests:
            return "repeats a request id"
        verdict = evaluate(
            self.dataset.pool, self.balance, limits.balance, entry.requested or 0, entry.least or 0
        )
        self.requests.add(entry.request)
        self.balance, self.users[name] = verdict.dataset, Limits(name, limits.total, verdict.user)
        decided = (verdict.offered, verdict.approved, verdict.bound, verdict.rho, verdict.user.left)
        if decided != (entry.offered, entry.approved, entry.bound, entry.rho, entry.user_left):
            return "decides otherwise than the rules do"
        if (verdict.approved > 0) != (entry.event == Event.CHARGE):
            return "calls a refusal a charge, or a charge a refusal"
        if verdict.approved:
            self.charges[entry.number] = entry.user_name
        return None

    def differences(self, books: Books) -> Iterator[str]:
        """Where the balances kept beside the entries are not those the entries give."""
        if self.dataset.balance != self.balance:
            yield "The dataset's balance is not what the entries leave: it was edited, or entries removed."
        if {u.user: u for u in books.users} != self.users:
            yield "The users' balances are not what the entries leave: one was edited, or entries removed."
        if set(books.fingerprints) != self.fingerprints:
            yield "The datasets attached to the pool are not those the entries attach."
        if not _converts(self.dataset.pool):
            yield "The pool's capacity is not what its ε and δ allow."


def _converts(pool: Pool) -> bool:
    """Whether ρ is what ε and δ give, up to what another machine's floats may differ by."""
    rho = rho_capacity(pool.epsilon, pool.delta)
    capacity = pool.epsilon if pool.kind is Kind.EPSILON else pool.rho_capacity
    return abs(pool.rho_capacity - rho) <= 1 + rho * 1e-9 and pool.capacity == capacity
