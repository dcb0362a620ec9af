"""What a session file holds, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from curator_gui.core.column_type import ColumnType
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Plan
from curator_gui.core.protection import Protection

Role = Literal["ordinary", "identifier"]
Reading = Literal["endpoint", "every-exposed"]


@dataclass(frozen=True)
class SourceReference:
    """The source file: ``path`` as written, relative to the session file; ``reader`` as its reader's JSON."""

    path: str
    sha256: str | None = None
    rows: int | None = None
    reader: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class SavedSteps:
    """Named steps that can be applied to any plan they fit."""

    name: str
    steps: Plan


@dataclass(frozen=True)
class Branch:
    """Another plan kept aside."""

    name: str
    plan: Plan


@dataclass(frozen=True)
class LastScored:
    """The trajectory when the session was last scored, and on which bytes."""

    sha256: str | None
    alphas: tuple[float | None, ...]
    worst: tuple[int, str] | None = None


@dataclass(frozen=True)
class Release:
    """A release made from this session: the plan it had, and the released file's hash."""

    plan: Plan
    file: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class SyntheticRelease:
    """A synthetic table exported from this session, and the ledger entry that paid for it."""

    file: str
    sha256: str
    mechanism: str
    epsilon: float
    pool: str
    entry: int
    hash: str


@dataclass(frozen=True)
class SessionRecord:
    """What a session file holds. ``position``: the prefix candidates are scored from.

    missing: by column, the texts that mean missing there, besides those of the reader.
    """

    source: SourceReference
    protection: Protection
    plan: Plan
    position: int
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    saved_steps: tuple[SavedSteps, ...] = ()
    exposed: tuple[int, ...] = ()
    reading: Reading = "endpoint"
    releases: tuple[Release, ...] = ()
    synthetic: tuple[SyntheticRelease, ...] = ()
    last_scored: LastScored | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    key: str | None = None
