"""Words that often mean missing, such as NA, and whether they probably do in a table."""

from __future__ import annotations

from dataclasses import dataclass

from curator_gui.core.table import Column, Table, quoted
from curator_gui.store.readers.propose import propose_types


@dataclass(frozen=True)
class MissingWord:
    """A word that often means missing: how many cells have it, in which columns, and whether it is proposed
    to mean missing (it does where all the other values are numbers or dates, and in no column of words)."""

    word: str
    cells: int
    columns: tuple[str, ...]
    proposed: bool

    @property
    def sentence(self) -> str:
        cells = "1 cell" if self.cells == 1 else f"{self.cells} cells"
        verdict = "proposed as missing" if self.proposed else "kept as text"
        return f"“{self.word}” stands in {cells} of {quoted(self.columns)}: {verdict}."


MISSING_WORDS = (
    "NA", "N/A", "#N/A", "n/a", "na", "NULL", "null", "NaN", "nan", "None", "none", "?", ".", "-", "--",
    "missing", "Missing", "\\N", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
)  # fmt: skip


def missing_words(table: Table, decimal: str = ".") -> tuple[MissingWord, ...]:
    """The words found that often mean missing, in the order they are known by."""
    found: dict[str, list[tuple[str, int]]] = {}
    words_in_words: set[str] = set()
    for column in table.columns:
        here = {str(v): int(n) for v, n in zip(column.values, column.counts, strict=True) if v in _WORDS}
        for word, cells in here.items():
            found.setdefault(word, []).append((column.name, cells))
        if here and not _typed_without(column, here, decimal):
            words_in_words |= here.keys()
    return tuple(
        MissingWord(
            word, sum(n for _, n in found[word]), tuple(c for c, _ in found[word]), word not in words_in_words
        )
        for word in MISSING_WORDS
        if word in found
    )


_WORDS = frozenset(MISSING_WORDS)


def _typed_without(column: Column, words: dict[str, int], decimal: str) -> bool:
    rest = [v for v in column.values if v is not None and v not in words]
    found = propose_types(Table.of([Column.of(column.name, rest)]), decimal)
    kind = found[column.name].best.kind if rest else "text"
    return kind in ("integer", "decimal", "date", "datetime", "code")
