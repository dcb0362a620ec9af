"""What kind of table a file is and how it is probably read: guesses with their evidence and first rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from curator_gui.core.errors import FileError, InputError
from curator_gui.core.table import Table
from curator_gui.store.ordinary import opened
from curator_gui.store.readers.arrow import ArrowReader
from curator_gui.store.readers.detect import dialects
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.reader import Reader, first_rows, opened_workbook
from curator_gui.store.readers.sheet import SheetKind, SheetReader, filled
from curator_gui.store.readers.sheet_layout import propose_layout
from curator_gui.store.readers.sql import SqlReader, database_tables
from curator_gui.store.readers.statistics import StatisticsKind, StatisticsReader
from curator_gui.store.readers.words_for_missing import missing_words

_GLANCE = 1000
_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_XPORT = b"HEADER RECORD*******LIB"
_STATA_RELEASES = range(102, 116)


_SAVE = "; open it in a program that knows it and save the table as .csv or .xlsx"
_NO_TABLES = (
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|table|\?xml)[\s>]", re.I),
     f"a web page or XML, not a table{_SAVE}"),
    (re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{)\s*"[^"]*"\s*:'), f"JSON, not a table{_SAVE}"),
    (re.compile(rb"%PDF-"), f"a PDF, not a table{_SAVE}"),
    (re.compile(rb"\x1f\x8b|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf"), "compressed; unpack it first"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Guess:
    """One plausible reading of a file: the reader with its evidence, and the first rows as it reads them.

    first_rows is None where it cannot be read so; ``problem`` says why.
    """

    reader: Reader
    first_rows: Table | None
    problem: str | None = None

    @property
    def evidence(self) -> tuple[str, ...]:
        return self.reader.evidence


def detect_reader(path: Path) -> Reader:
    """The probable reading of a file, by its content; ``evidence`` says why.

    Words such as NA are proposed as missing where all else in their columns is numbers or dates.
    Raises FileError where the file cannot be read or is no table.
    """
    return _with_missing_words(Path(path), next(_readers(Path(path))))


def alternatives(path: Path, rows: int = 20) -> tuple[Guess, ...]:
    """Every plausible reading, the probable first: other encodings, delimiters, sheets, tables or labels."""
    path = Path(path)
    first, *others = _readers(path)
    first = _with_missing_words(path, first)
    if isinstance(first, CsvDialect | StatisticsReader):
        others = [replace(r, missing=first.missing) for r in others]
    return tuple(preview(path, reader, rows) for reader in (first, *others))


def preview(path: Path, reader: Reader, rows: int = 20) -> Guess:
    """The first rows under one reader, or why it cannot read them; never raises for that."""
    try:
        return Guess(reader, first_rows(Path(path), reader, rows))
    except InputError as error:
        return Guess(reader, None, str(error))


def sheet_rows(path: Path, sheet: str, count: int = 40) -> list[list[str | None]]:
    """The first rows of a sheet as they are, merged cells filled, for choosing where its header is."""
    with opened_workbook(Path(path)) as book:
        rows = islice(filled(book.rows(sheet), book.merges(sheet)), count)
        return [[None if cell is None else cell.text for cell in row] for row in rows]


def propose_sheet(path: Path, sheet: str) -> SheetReader:
    """Where the table of one sheet of a workbook probably is."""
    with opened_workbook(Path(path)) as book:
        return propose_layout(book, sheet, _sheet_kind(Path(path)))


def _readers(path: Path) -> Iterator[Reader]:
    with opened(path) as file:
        start = file.read(512)
        file.seek(-min(8, file.seek(0, 2)), 2)
        end = file.read(8)
    if start.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        yield from _sheets(path)
    elif start.startswith(b"PAR1") and end.endswith(b"PAR1"):
        yield ArrowReader("parquet", evidence=("The file begins and ends as Parquet files do.",))
    elif start.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        yield ArrowReader("arrow", evidence=("The file begins as Arrow files do.",))
    elif start.startswith(b"SQLite format 3\0"):
        yield from _tables(path)
    elif kind := _statistics(start, path.suffix.lower()):
        yield from _labelled(kind)
    else:
        _require_no_other_text(start, path.name)
        yield from dialects(path)


def _require_no_other_text(start: bytes, file: str) -> None:
    """FileError for what is text or was packed, and no table."""
    for pattern, what in _NO_TABLES:
        if pattern.match(start):
            raise FileError(f"“{file}” is {what}.")


def _statistics(start: bytes, suffix: str) -> StatisticsKind | None:
    if start.startswith((b"$FL2", b"$FL3")) or (suffix == ".por" and b"SPSS PORT FILE" in start):
        return "spss"
    old = len(start) > 3 and start[0] in _STATA_RELEASES and start[1] in (1, 2) and start[2] == 1
    if start.startswith(b"<stata_dta>") or old:
        return "stata"
    return "sas" if start.startswith((_SAS, _XPORT)) else None


def _labelled(kind: StatisticsKind) -> Iterator[Reader]:
    program = {"sas": "SAS", "spss": "SPSS", "stata": "Stata"}[kind]
    shown = "Labelled values are shown with label and code, as in “North (1)”."
    yield StatisticsReader(kind, evidence=(f"The file begins as those of {program} do.", shown))
    yield StatisticsReader(kind, "codes", evidence=("Codes alone; their labels are kept for the release.",))
    yield StatisticsReader(kind, "labels", evidence=("Labels alone, and codes where there is none.",))


def _sheet_kind(path: Path) -> SheetKind:
    with opened(path) as file:
        return "ods" if b"opendocument" in file.read(128) else "excel"


def _sheets(path: Path) -> Iterator[Reader]:
    kind = _sheet_kind(path)
    with opened_workbook(path) as book:
        filled_in = [s for s in book.sheets if any(map(any, islice(book.rows(s), _GLANCE)))]
        found = [propose_layout(book, sheet, kind) for sheet in filled_in or book.sheets]
    if not found:
        raise FileError(f"“{path.name}” has no sheet; choose another file.")
    for reader in found:
        why = f"The workbook has {len(found)} sheets; this is “{reader.sheet}”."
        yield replace(reader, evidence=(why, *reader.evidence)) if len(found) > 1 else reader


def _tables(path: Path) -> Iterator[Reader]:
    names = database_tables(path, SqlReader())
    if not names:
        raise FileError(f"The database “{path.name}” has no table; choose another file.")
    for name in sorted(names, key=lambda n: _is_empty(path, n)) if len(names) > 1 else names:
        yield SqlReader(table=name, evidence=(f"A SQLite database; this is its table “{name}”.",))


def _is_empty(path: Path, table: str) -> bool:
    found = preview(path, SqlReader(table=table), 1).first_rows
    return found is None or not found.rows


def _with_missing_words(path: Path, reader: Reader) -> Reader:
    try:
        words = missing_words(first_rows(path, reader, _GLANCE), reader.decimal)
    except InputError:
        return reader
    proposed = [w.word for w in words if w.proposed and w.word not in reader.missing]
    evidence = [e for e in reader.evidence if not e.startswith("Cells read ")]
    evidence += [w.sentence for w in words]
    return replace(reader, missing=(*reader.missing, *proposed), evidence=tuple(evidence))
