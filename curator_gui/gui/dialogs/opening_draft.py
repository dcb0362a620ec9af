"""What is about to be opened: the reading, what it found, and what the curator decided of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from curator_gui.core.column_type import ColumnType
from curator_gui.core.table import Table
from curator_gui.gui.dialogs.opening_found import Found, Glimpse
from curator_gui.gui.dialogs.opening_look import ColumnLook, Wanted
from curator_gui.gui.dialogs.opening_words import encoding_words, reason_words
from curator_gui.gui.words import count
from curator_gui.store.readers import (
    Credentials,
    CsvDialect,
    MissingWord,
    Reader,
    SheetReader,
    SqlReader,
    TypeProposal,
)
from curator_gui.store.session_file import Role

_GLANCE = 1000
_MOST_ALIKE = 3
_SHOWN = 100
_READING = 0.8  # the share of the work that is done when all is read
_OPTIONS = (ColumnType(), ColumnType("category"), ColumnType("code"))


@dataclass(frozen=True)
class Oddity:
    """One thing in the file that is not as the rest. where: a line or record, from 1."""

    where: str
    column: str
    text: str
    what: str


@dataclass(frozen=True)
class Token:
    """A word that means or may mean missing, everywhere or, where ``column`` is not "", in that column alone.

    known: where it stands, if that is known.
    """

    word: str
    missing: bool
    known: MissingWord | None
    column: str = ""


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


class Draft:
    """The choices of one opening. Types, roles and missing texts that were chosen hold whatever the reading.

    What was found is taken by ``take``; where a choice needs a column looked at again, ``unread`` says so.
    """

    def __init__(self, path: Path, credentials: Credentials | None = None) -> None:
        self.path = path
        self.credentials = credentials
        self.glimpse = Glimpse(())
        self._found: Found | None = None
        self._types: dict[str, ColumnType] = {}
        self._identifiers: dict[str, bool] = {}
        self._missing: dict[str, tuple[str, ...]] = {}
        self._again: dict[tuple[str, tuple[str, ...]], ColumnLook] = {}

    @property
    def found(self) -> Found | None:
        """The reading so far."""
        return self._found

    # --- what was found ---

    def take(self, found: Found) -> None:
        """Go on with another reading."""
        self._found = found
        self._again.clear()
        self._forget()

    @property
    def unread(self) -> tuple[Wanted, ...]:
        """Columns to be looked at again before what was chosen of them is known."""
        if self._found is None:
            return ()
        names = dict.fromkeys((*self._missing, *self._types))
        return tuple(w for w in map(self._wanted, names) if w is not None)

    def _wanted(self, name: str) -> Wanted | None:
        assert self._found is not None
        if name not in self._found.looks:
            return None
        words, type = self._missing.get(name, ()), self._types.get(name)
        known = (name, words) in self._again or not words
        look = self._look(name)
        if known and (type is None or type in look.exceptions):
            return None
        return Wanted(name, words, type, self._found.reader.decimal, look, known)

    def take_looks(self, looks: Sequence[tuple[Wanted, ColumnLook]]) -> None:
        """Keep what ``look_again`` gave for ``unread``, unless another reading was taken meanwhile."""
        here = self._found.looks.values() if self._found else ()
        known = {id(look) for look in (*here, *self._again.values())}
        for wanted, look in looks:
            if id(wanted.known) in known:
                self._again[wanted.name, wanted.missing] = look
        self._forget()

    def _look(self, name: str) -> ColumnLook:
        """The look at a column with its own missing texts or, until there is one, without."""
        assert self._found is not None
        words = self._missing.get(name, ())
        return self._again.get((name, words), self._found.looks[name])

    # --- choosing ---

    def choose_type(self, name: str, type: ColumnType) -> None:
        self._types[name] = type
        self._forget()

    def choose_identifier(self, name: str, identifier: bool) -> None:
        self._identifiers[name] = identifier
        self._forget()

    def choose_missing(self, name: str, text: str, missing: bool) -> None:
        """A text means missing in one column, or does not."""
        words = [*(t for t in self._missing.get(name, ()) if t != text), *([text] if missing else [])]
        self._missing.pop(name, None)
        if words:
            self._missing[name] = tuple(words)
        self._forget()

    def with_missing(self, word: str, missing: bool) -> Reader:
        """The reading with a word meaning missing wherever it stands, or not."""
        assert self._found is not None
        reader = self._found.reader
        words = [*(t for t in reader.missing if t != word), *([word] if missing else [])]
        return replace(reader, missing=tuple(words))

    def _forget(self) -> None:
        for name in ("columns", "table", "oddities", "doubts"):
            self.__dict__.pop(name, None)

    # --- what is chosen ---

    @property
    def types(self) -> dict[str, ColumnType]:
        return {c.name: c.type for c in self.columns}

    @property
    def roles(self) -> dict[str, Role]:
        return {c.name: "identifier" for c in self.columns if c.identifier}

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """The texts that mean missing in one column alone, by its name."""
        return {n: words for n, words in self._missing.items() if self._found and n in self._found.looks}

    @cached_property
    def table(self) -> Table | None:
        """What was read so far, under the types chosen."""
        if self._found is None:
            return None
        columns = [self._look(c.name).column.retyped(c.type) for c in self.columns]
        return Table(tuple(columns), self._found.read.rows)

    @cached_property
    def columns(self) -> tuple[ColumnChoice, ...]:
        return tuple(map(self._column, self._found.looks)) if self._found else ()

    def _column(self, name: str) -> ColumnChoice:
        look = self._look(name)
        type = self._type(look)
        why = next((p.reason for p in look.proposal.proposals if p.type == type), "")
        exceptions = look.exceptions.get(type)
        return ColumnChoice(
            name,
            type,
            tuple(dict.fromkeys((*(p.type for p in look.proposal.proposals), *_OPTIONS, type))),
            why if type == look.proposal.best else f"{_text('You chose this.')} {why}".strip(),
            exceptions.cells if exceptions else 0,
            self._identifiers.get(name, bool(look.identifier)),
            look.identifier,
        )

    def _type(self, look: ColumnLook) -> ColumnType:
        return self._types.get(look.column.name, look.proposal.best)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Each word that means or may mean missing, everywhere or in one column."""
        if self._found is None:
            return ()
        known = {w.word: w for w in self._found.words}
        taken = self._found.reader.missing
        words = dict.fromkeys((*([""] if "" in taken or self._found.has_empty else []), *known, *taken))
        everywhere = [Token(word, word in taken, known.get(word)) for word in words]
        alone = [Token(word, True, None, name) for name, own in self.missing.items() for word in own]
        return (*everywhere, *alone)

    @cached_property
    def oddities(self) -> tuple[Oddity, ...]:
        """Lines that are irregular and cells that do not parse, at most a thousand of each sort."""
        if self._found is None:
            return ()
        odd = [
            Oddity(f"line {line}", "", "", irregular.what)
            for irregular in self._found.read.irregular
            for line in irregular.lines
        ]
        for look in map(self._look, self._found.looks):
            type = self._type(look)
            exceptions = look.exceptions.get(type)
            odd += [
                Oddity(f"record {row + 1}", look.column.name, text, f"no {_noun(type)}")
                for row, text in (exceptions.first if exceptions else ())
            ]
        return tuple(odd)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What a person should look at before opening, one sentence each; none where all is certain."""
        if self._found is None:
            return ()
        return (*self._doubts_of_reading(), *self._found.read.notes, *self._doubts_of_columns())

    def _doubts_of_reading(self) -> list[str]:
        assert self._found is not None
        reader, others = self._found.reader, [g.reader for g in self.glimpse.guesses[1:]]
        words = [w.sentence for w in self._found.words]
        match reader:
            case CsvDialect():
                return [*_doubts_of_dialect(reader, others), *words]
            case SheetReader():
                unusual = reader.header != (1, 1) or reader.first_row != 2 or reader.footer_rows
                return [*(reader.evidence if others or unusual else ()), *words]
            case SqlReader():
                tables = _text("The database has {0} tables.").format(len(others) + 1)
                return [tables] if others else []
        labelled = _text("Labelled values are shown with label and code.")
        return [*([labelled] if self._found.read.value_labels else []), *words]

    def _doubts_of_columns(self) -> list[str]:
        said = []
        for choice in self.columns:
            said += self._said_of_alike(choice)
            if choice.name in self._types:
                continue
            proposals = self._look(choice.name).proposal.proposals
            if choice.exceptions or _is_open(proposals) or choice.type.group:
                said.append(f"“{choice.name}”: {reason_words(choice.reason, choice.type)}")
        return said

    def _said_of_alike(self, choice: ColumnChoice) -> list[str]:
        alike = self._look(choice.name).alike
        if not alike or choice.identifier or choice.type.is_number or choice.type.is_date:
            return []
        few = ", ".join(f"“{value[:20]}”" for value in alike[:_MOST_ALIKE])
        told = _text("“{0}”: {1} values differ from others only in case or outer spaces, such as {2}.")
        return [told.format(choice.name, count(len(alike)), few)]


def _text(source: str) -> str:
    return QCoreApplication.translate("opening", source)


def _doubts_of_dialect(reader: CsvDialect, others: Sequence[Reader]) -> list[str]:
    said = []
    texts = [o for o in others if isinstance(o, CsvDialect)]
    if not reader.encoding.startswith(("utf-8", "utf-16", "ascii")):
        several = any(o.encoding != reader.encoding for o in texts)
        taken = (
            _text("Several encodings fit: {0} is taken; check the first rows.")
            if several
            else _text("{0} is told by its characters alone; check the first rows.")
        )
        said.append(taken.format(encoding_words(reader.encoding)))
    if any(o.delimiter != reader.delimiter and o.encoding == reader.encoding for o in texts):
        said.append(_text("Another delimiter splits the lines too."))
    if reader.first_line > 1:
        begins = _text("The table begins in line {0}; what stands above it is left out.")
        said.append(begins.format(reader.first_line))
    if not reader.header:
        said.append(_text("The first line is read as a record: the file has no names of columns."))
    return said


def _is_open(proposals: Sequence[TypeProposal]) -> bool:
    """Whether several date formats read the column and none was preferred, or two-digit years are there."""
    dates = [p for p in proposals if p.type.is_date]
    return len(dates) > 1 and not proposals[0].type.is_date


def _noun(type: ColumnType) -> str:
    nouns = {"integer": "whole number", "decimal": "number", "date": "date", "datetime": "time"}
    return nouns.get(type.kind, type.kind)
