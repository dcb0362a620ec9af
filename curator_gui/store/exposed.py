"""Tables that left the curator's hands, as a session's record tells them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from curator_gui.core.operators import Plan
from curator_gui.store.session_record import SessionRecord


@dataclass(frozen=True)
class Exposed:
    """A table that left. step: its prefix of the present plan, None where it had another plan; file: the name
    it was released under, where that is known."""

    plan: Plan
    step: int | None
    file: str | None = None


def marked(record: SessionRecord) -> SessionRecord:
    """The record with a mark at every prefix of its plan that was released, whatever became of it since."""
    released = {len(r.plan) for r in record.releases if record.plan[: len(r.plan)] == r.plan}
    if released <= set(record.exposed):
        return record
    return replace(record, exposed=tuple(sorted({*record.exposed, *released})))


def exposed_tables(record: SessionRecord) -> tuple[Exposed, ...]:
    """Each plan once: the marked prefixes of the present plan, then releases that had another plan."""
    steps = marked(record).exposed
    mine = {record.plan[:i]: Exposed(record.plan[:i], i) for i in steps}
    others = {r.plan: Exposed(r.plan, None, r.file) for r in record.releases if r.plan not in mine}
    return (*mine.values(), *others.values())
