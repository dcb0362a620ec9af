"""What a source turns out to be: its plausible readings at once, then all of it under one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from curator_gui.core.errors import InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.gui.dialogs.opening_look import ColumnLook, looks_at
from curator_gui.store.readers import (
    Credentials,
    Estimate,
    Guess,
    MissingWord,
    Reader,
    SheetReader,
    SqlReader,
    TableRead,
    alternatives,
    estimate,
    first_rows,
    missing_words,
    read_table,
    sheet_rows,
)

_GLANCE = 1000
_SHOWN = 100
_READING = 0.8  # the share of the work that is done when all is read


@dataclass(frozen=True)
class Glimpse:
    """All plausible readings, the probable first. grid: the first rows of a workbook's sheets as they are."""

    guesses: tuple[Guess, ...]
    grid: Mapping[str, Sequence[Sequence[str | None]]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Found:
    """One reading of a source. whole: to its end; else of its first thousand rows.

    words: those that often mean missing and are there, whether or not the reading takes them so; the cells of
    those it takes so are counted in the first thousand rows. has_empty: whether a cell is the empty text.
    """

    reader: Reader
    read: TableRead
    looks: Mapping[str, ColumnLook]
    words: tuple[MissingWord, ...]
    whole: bool
    has_empty: bool = False
    estimate: Estimate | None = None


def glimpse(path: Path) -> Glimpse:
    """The plausible readings of a file. FileError where it is no table."""
    guesses = alternatives(path, _SHOWN)
    sheets = {g.reader.sheet: sheet_rows(path, g.reader.sheet) for g in guesses if _is_sheet(g.reader)}  # type: ignore[union-attr]
    return Glimpse(guesses, sheets)


def find(
    path: Path,
    reader: Reader,
    credentials: Credentials | None,
    tell: Callable[[Found], None],
    progress: Progress,
) -> Found:
    """Tell what the first rows say under a reading, then read all. FileError where it cannot be read so."""
    start = first_rows(path, reader, _GLANCE, credentials=credentials)
    base = replace(reader, missing=tuple(t for t in reader.missing if t == ""))
    try:
        words = missing_words(first_rows(path, base, _GLANCE, credentials=credentials), reader.decimal)
    except InputError:
        words = ()
    size = None if isinstance(reader, SqlReader) else estimate(path, reader)
    tell(_found(reader, TableRead(start, (), (), ""), words, progress=silent, whole=False, size=size))
    read = read_table(
        path, reader, lambda done, what: progress(_READING * done, what), credentials=credentials
    )

    def looking(done: float, what: str) -> None:
        progress(_READING + (1 - _READING) * done, what)

    return _found(reader, read, words, progress=looking, whole=True, size=size)


def _found(
    reader: Reader,
    read: TableRead,
    words: Sequence[MissingWord],
    *,
    progress: Progress,
    whole: bool,
    size: Estimate | None,
) -> Found:
    looks = looks_at(read.table, reader.decimal, progress)
    known = {w.word: w for w in words} | {w.word: w for w in missing_words(read.table, reader.decimal)}
    has_empty = any("" in column.values for column in read.table.columns)
    return Found(reader, read, looks, tuple(known.values()), whole, has_empty, size)


def _is_sheet(reader: Reader) -> bool:
    return isinstance(reader, SheetReader)
