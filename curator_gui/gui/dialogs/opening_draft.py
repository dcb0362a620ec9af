"""What is about to be opened: the reading, what it found, and what the curator decided of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from curator_gui.core.column_type import ColumnType
from curator_gui.core.errors import InputError
from curator_gui.core.identifiers import propose_identifiers
from curator_gui.core.progress import Progress
from curator_gui.core.table import Column, Table
from curator_gui.gui.dialogs.opening_words import reason_words
from curator_gui.store.readers import (
    ColumnProposal,
    Credentials,
    CsvDialect,
    Estimate,
    Guess,
    MissingWord,
    Reader,
    SheetReader,
    SqlReader,
    TableRead,
    TypeProposal,
    alternatives,
    estimate,
    first_rows,
    missing_words,
    propose_types,
    read_table,
    sheet_rows,
    unparsed,
)
from curator_gui.store.session_file import Role

_GLANCE = 1000
_SHOWN = 100
_MOST_ODD = 1000
_OPTIONS = (ColumnType(), ColumnType("category"), ColumnType("code"))


@dataclass(frozen=True)
class Glimpse:
    """All plausible readings, the probable first. grid: the first rows of a workbook's sheets as they are."""

    guesses: tuple[Guess, ...]
    grid: Mapping[str, Sequence[Sequence[str | None]]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Found:
    """One reading of a source. whole: to its end; else of its first thousand rows.

    words: those that often mean missing and are there, whether or not the reading takes them so; the cells of
    those it takes so are counted in the first thousand rows.
    """

    reader: Reader
    read: TableRead
    proposals: Mapping[str, ColumnProposal]
    identifiers: Mapping[str, str]
    words: tuple[MissingWord, ...]
    whole: bool
    estimate: Estimate | None = None


@dataclass(frozen=True)
class Oddity:
    """One thing in the file that is not as the rest. where: a line or record, from 1."""

    where: str
    column: str
    text: str
    what: str


@dataclass(frozen=True)
class ColumnChoice:
    """One column as it would be opened. options: the types it may have, the proposed first."""

    name: str
    type: ColumnType
    options: tuple[ColumnType, ...]
    reason: str
    exceptions: int
    identifier: bool
    identifier_reason: str


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
    tell(_found(reader, TableRead(start, (), (), ""), words, whole=False, size=size))
    read = read_table(path, reader, progress, credentials=credentials)
    return _found(reader, read, words, whole=True, size=size)


def _found(
    reader: Reader, read: TableRead, words: Sequence[MissingWord], *, whole: bool, size: Estimate | None
) -> Found:
    proposals = propose_types(read.table, reader.decimal)
    typed = read.table.retyped({name: p.best for name, p in proposals.items()})
    known = {w.word: w for w in words} | {w.word: w for w in missing_words(read.table, reader.decimal)}
    return Found(reader, read, proposals, propose_identifiers(typed), tuple(known.values()), whole, size)


class Draft:
    """The choices of one opening. Types and roles that were chosen hold whatever the reading."""

    def __init__(self, path: Path, credentials: Credentials | None = None) -> None:
        self.path = path
        self.credentials = credentials
        self.glimpse = Glimpse(())
        self.found: Found | None = None
        self._types: dict[str, ColumnType] = {}
        self._identifiers: dict[str, bool] = {}

    # --- choosing ---

    def choose_type(self, name: str, type: ColumnType) -> None:
        self._types[name] = type

    def choose_identifier(self, name: str, identifier: bool) -> None:
        self._identifiers[name] = identifier

    def with_missing(self, word: str, missing: bool) -> Reader:
        """The reading with a word meaning missing, or not."""
        assert self.found is not None
        reader = self.found.reader
        words = [*(t for t in reader.missing if t != word), *([word] if missing else [])]
        return replace(reader, missing=tuple(words))

    # --- what is chosen ---

    @property
    def types(self) -> dict[str, ColumnType]:
        return {c.name: c.type for c in self.columns}

    @property
    def roles(self) -> dict[str, Role]:
        return {c.name: "identifier" for c in self.columns if c.identifier}

    @property
    def table(self) -> Table | None:
        """What was read so far, under the types chosen."""
        return self.found.read.table.retyped(self.types) if self.found else None

    @property
    def columns(self) -> tuple[ColumnChoice, ...]:
        return tuple(self._column(c) for c in self.found.read.table.columns) if self.found else ()

    def _column(self, column: Column) -> ColumnChoice:
        assert self.found is not None
        proposal = self.found.proposals[column.name]
        type = self._types.get(column.name, proposal.best)
        why = next((p.reason for p in proposal.proposals if p.type == type), "")
        told = self.found.identifiers.get(column.name, "")
        return ColumnChoice(
            column.name,
            type,
            tuple(dict.fromkeys((*(p.type for p in proposal.proposals), *_OPTIONS, type))),
            why if type == proposal.best else f"You chose this. {why}".strip(),
            len(unparsed(column.retyped(type))),
            self._identifiers.get(column.name, bool(told)),
            told,
        )

    @property
    def tokens(self) -> tuple[tuple[str, bool, MissingWord | None], ...]:
        """Each word that means or may mean missing, whether it does, and where it stands if that is known."""
        if self.found is None:
            return ()
        known = {w.word: w for w in self.found.words}
        taken = self.found.reader.missing
        words = dict.fromkeys((*([""] if "" in taken or self._has_empty() else []), *known, *taken))
        return tuple((word, word in taken, known.get(word)) for word in words)

    def _has_empty(self) -> bool:
        return self.found is not None and any("" in c.values for c in self.found.read.table.columns)

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """Lines that are irregular and cells that do not parse, at most a thousand of each sort."""
        if self.found is None:
            return ()
        odd = [
            Oddity(f"line {line}", "", "", irregular.what)
            for irregular in self.found.read.irregular
            for line in irregular.lines
        ]
        for column in self.found.read.table.columns:
            type = self._types.get(column.name, self.found.proposals[column.name].best)
            cells = unparsed(column.retyped(type))[:_MOST_ODD]
            odd += [
                Oddity(f"record {row + 1}", column.name, text, f"no {_noun(type)}") for row, text in cells
            ]
        return tuple(odd)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What a person should look at before opening, one sentence each; none where all is certain."""
        if self.found is None:
            return ()
        return (*self._doubts_of_reading(), *self.found.read.notes, *self._doubts_of_columns())

    def _doubts_of_reading(self) -> list[str]:
        assert self.found is not None
        reader, others = self.found.reader, [g.reader for g in self.glimpse.guesses[1:]]
        words = [w.sentence for w in self.found.words]
        match reader:
            case CsvDialect():
                return [*_doubts_of_dialect(reader, others), *words]
            case SheetReader():
                unusual = reader.header != (1, 1) or reader.first_row != 2 or reader.footer_rows
                return [*(reader.evidence if others or unusual else ()), *words]
            case SqlReader():
                return [f"The database has {len(others) + 1} tables."] if others else []
        labelled = "Labelled values are shown with label and code."
        return [*([labelled] if self.found.read.value_labels else []), *words]

    def _doubts_of_columns(self) -> list[str]:
        assert self.found is not None
        said = []
        for choice in self.columns:
            if choice.name in self._types:
                continue
            proposal = self.found.proposals[choice.name]
            if choice.exceptions or _is_open(proposal.proposals) or choice.type.group:
                said.append(f"“{choice.name}”: {reason_words(choice.reason, choice.type)}")
        return said


def _is_sheet(reader: Reader) -> bool:
    return isinstance(reader, SheetReader)


def _doubts_of_dialect(reader: CsvDialect, others: Sequence[Reader]) -> list[str]:
    said = []
    texts = [o for o in others if isinstance(o, CsvDialect)]
    if not reader.encoding.startswith(("utf-8", "utf-16", "ascii")):
        said.append(f"The encoding is not certain: {reader.encoding.upper()} is taken.")
    if any(o.delimiter != reader.delimiter and o.encoding == reader.encoding for o in texts):
        said.append("Another delimiter splits the lines too.")
    if not reader.header:
        said.append("The first line is read as a record: the file has no names of columns.")
    return said


def _is_open(proposals: Sequence[TypeProposal]) -> bool:
    """Whether several date formats read the column and none was preferred, or two-digit years are there."""
    dates = [p for p in proposals if p.type.is_date]
    return len(dates) > 1 and not proposals[0].type.is_date


def _noun(type: ColumnType) -> str:
    nouns = {"integer": "whole number", "decimal": "number", "date": "date", "datetime": "time"}
    return nouns.get(type.kind, type.kind)
