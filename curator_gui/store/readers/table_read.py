"""What every reader of a table file returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curator_gui.core.table import Table


@dataclass(frozen=True)
class Irregular:
    """One sort of irregularity. lines: of the file, from 1, at most the first thousand of ``count``."""

    what: str
    count: int
    lines: tuple[int, ...]


@dataclass(frozen=True)
class ValueLabel:
    """A code of a labelled file and the words that stand for it."""

    code: str
    label: str


@dataclass(frozen=True, eq=False)
class TableRead:
    """A table with what the curator must know of its reading.

    table: every column of kind "text", its cells exactly as read.
    header: the names as they stand in the file, before blank and repeated ones were renamed; empty
        where the file has none.
    notes: what was not regular in the file, one sentence each. irregular: the same, line by line.
    sha256: of the file's bytes, in hexadecimal; of the rows where they come from a database.
    value_labels: for a column of a labelled file, the code and label behind the texts that have one.
    descriptions: what the file itself says of a column.
    """

    table: Table
    header: tuple[str, ...]
    notes: tuple[str, ...]
    sha256: str
    irregular: tuple[Irregular, ...] = ()
    value_labels: Mapping[str, Mapping[str, ValueLabel]] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return self.table.rows
