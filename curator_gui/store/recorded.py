"""What a session file remembers of releases, when several programs have the same session open."""

from __future__ import annotations

from dataclasses import replace

from curator_gui.store.exposed import marked
from curator_gui.store.session_file import LastScored, Release, SessionRecord


def with_release(
    record: SessionRecord, release: Release, position: int, scored: LastScored | None
) -> SessionRecord:
    """The record with one release more. ``position``: of the plan that was released, where it stood.

    Where the record's plan is another by now, the release is remembered by its own plan alone.
    """
    record = marked(replace(record, releases=(*record.releases, release)))
    if record.plan[:position] != release.plan:
        return record
    return replace(record, last_scored=scored or record.last_scored)


def with_others(mine: SessionRecord, known: SessionRecord, there: SessionRecord) -> SessionRecord:
    """``mine`` with what others have released since; ``known`` is what the file held then, ``there`` now."""
    released = there.releases[len(known.releases) :]
    synthetic = there.synthetic[len(known.synthetic) :]
    if not released and not synthetic:
        return mine
    shared = (e for e in there.exposed if there.plan[:e] == mine.plan[:e])
    return replace(
        mine,
        releases=(*mine.releases, *released),
        synthetic=(*mine.synthetic, *synthetic),
        exposed=tuple(sorted({*mine.exposed, *shared})),
    )
