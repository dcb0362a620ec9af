"""What every reader of a table file returns."""

from __future__ import annotations

from dataclasses import dataclass

from curator_gui.core.table import Table


@dataclass(frozen=True, eq=False)
class TableRead:
    """A table with what the curator must know of its reading.

    table: every column of kind "text", its cells exactly as read.
    header: the names as they stand in the file, before blank and repeated ones were renamed; empty
        where the file has none.
    notes: what was not regular in the file, one sentence each.
    sha256: of the file's bytes, in hexadecimal.
    """

    table: Table
    header: tuple[str, ...]
    notes: tuple[str, ...]
    sha256: str

    @property
    def rows(self) -> int:
        return self.table.rows
