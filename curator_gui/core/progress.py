"""One callable reports how far a long job is, and ends it by raising ``Cancelled``."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], None]
"""``progress(done, what)``: ``done`` in [0, 1], ``what`` a short phrase. May raise ``Cancelled``."""


def silent(done: float, what: object) -> None:
    """Report to nobody."""
