"""A practice budget for a bundled sample: a fresh ledger of its own, so that nothing real is spent."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from curator_gui.bundled import sample
from curator_gui.core.errors import FileError
from curator_gui.session import Session

EPSILON = "10"
SIZE = 5000
"""What is declared of the sample; δ is the prudent 1 / SIZE²."""


def is_sample(session: Session | None) -> bool:
    """Whether the session's table travels with the program and so holds nobody's data."""
    try:
        return session is not None and session.source_path.parent == sample("clinic.csv").parent
    except FileError:  # an installation without samples
        return False


def free_place(folder: Path) -> Path:
    """Where no practice ledger is yet: each begins with a full budget."""
    names = (f"practice-{number}.sqlite" for number in count(1))
    return next(path for path in map(folder.joinpath, names) if not path.exists())


def set_up(place: Path, content: bytes, name: str) -> None:
    """Create a ledger with a pool for this content, all of which this account may spend."""
    from curator_gui.store.ledger import init_ledger  # heavy: SQLAlchemy

    ledger = init_ledger(str(place))
    try:
        pool = ledger.create_pool(content, epsilon=EPSILON, delta=1 / SIZE**2, size=SIZE, name=name)
        ledger.grant(pool.id, ledger.user, per_request=EPSILON, total=EPSILON)
    finally:
        ledger.close()
