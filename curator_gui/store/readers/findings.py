"""What was not regular in a text table, gathered while reading and said in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curator_gui.core.table import quoted
from curator_gui.store.readers.table_read import Irregular

_MOST_LINES = 8
_MOST_KEPT = 1000


@dataclass
class Lines:
    """How many lines were of one sort, and the first thousand of them."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        self.count += 1
        if len(self.first) < _MOST_KEPT:
            self.first.append(line)

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.first[:_MOST_LINES]))
        more = f" and {self.count - _MOST_LINES} more" if self.count > _MOST_LINES else ""
        return f"({'line' if self.count == 1 else 'lines'} {shown}{more})"


@dataclass
class Findings:
    short: Lines = field(default_factory=Lines)
    blank: Lines = field(default_factory=Lines)
    empty_records: Lines = field(default_factory=Lines)
    stray: Lines = field(default_factory=Lines)
    trailing: Lines = field(default_factory=Lines)
    nul: Lines = field(default_factory=Lines)
    renamed: list[str] = field(default_factory=list)

    def notes(self) -> tuple[str, ...]:
        notes = []
        if self.renamed:
            notes.append(f"Blank or repeated column names were read as {quoted(self.renamed)}.")
        if self.short.count:
            rows = _counted(self.short.count, "row", "rows")
            notes.append(f"{rows} shorter than the header {self.short}: the cells not there are missing.")
        if self.trailing.count:
            rows = _counted(self.trailing.count, "row", "rows")
            notes.append(f"{rows} with empty cells beyond the header {self.trailing}: these were left out.")
        if self.blank.count:
            notes.append(f"{_counted(self.blank.count, 'blank line', 'blank lines')} skipped {self.blank}.")
        if self.empty_records.count:
            lines = _counted(self.empty_records.count, "empty line", "empty lines")
            notes.append(f"{lines} {self.empty_records} read as a record, as the table has one column.")
        if self.stray.count:
            rows = _counted(self.stray.count, "row", "rows")
            notes.append(f"{rows} with a quote inside or after a cell {self.stray}: kept as it stands.")
        if self.nul.count:
            lines = _counted(self.nul.count, "line", "lines")
            notes.append(f"NUL bytes left out of {lines} {self.nul}.")
        return tuple(notes)

    def irregular(self) -> tuple[Irregular, ...]:
        """The same line by line."""
        sorts = {
            "shorter than the header": self.short,
            "longer than the header, with empty cells": self.trailing,
            "blank, skipped": self.blank,
            "empty, read as a record": self.empty_records,
            "with a quote inside or after a cell": self.stray,
            "with NUL bytes, which were left out": self.nul,
        }
        return tuple(
            Irregular(s, lines.count, tuple(lines.first)) for s, lines in sorts.items() if lines.count
        )


def distinct_names(header: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names for the columns, blank ones by their place and repeated ones numbered; and those changed."""
    names: list[str] = []
    changed = []
    for place, name in enumerate(header, start=1):
        given = name if name.strip() else f"column {place}"
        free, number = given, 2
        while free in names or (free != name and free in header):
            free, number = f"{given} ({number})", number + 1
        names.append(free)
        if free != name:
            changed.append(free)
    return names, changed


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
