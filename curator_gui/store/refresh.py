"""What of refreshed data is new or changed since the old file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from curator_gui.core.errors import CuratorError
from curator_gui.core.table import Table
from curator_gui.store.readers import Reader, read_table


@dataclass(frozen=True)
class Changes:
    """Row numbers, from 0, of the refreshed table."""

    new: frozenset[int]
    changed: frozenset[int]


def changed_rows(
    old: Path, reader: Reader, table: Table, key: str, missing: Mapping[str, Collection[str]] | None = None
) -> Changes | None:
    """Compare by a key column; None where the old file cannot be read or lacks the key.

    missing: by column, the texts that mean missing there, besides those of the reader.
    """
    try:
        before = read_table(old, reader).table.with_missing(missing or {})
    except CuratorError:
        return None
    if key not in before or key not in table:
        return None
    known = {before[key].cell(r): r for r in range(before.rows)}
    shared = [c.name for c in table.columns if c.name in before]
    new, changed = set(), set()
    for row in range(table.rows):
        old_row = known.get(table[key].cell(row))
        if old_row is None:
            new.add(row)
        elif any(table[n].cell(row) != before[n].cell(old_row) for n in shared):
            changed.add(row)
    return Changes(frozenset(new), frozenset(changed))


def columns_before(old: Path, reader: Reader) -> frozenset[str]:
    """The columns of the old file; none where it cannot be read any more."""
    try:
        return frozenset(read_table(old, reader).table.names)
    except CuratorError:
        return frozenset()
