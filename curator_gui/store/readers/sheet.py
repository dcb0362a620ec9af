"""A sheet of a workbook as a table: where its header, its rows and its footer are, and their reading."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from curator_gui.core.errors import FileError, InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import Table, quoted
from curator_gui.store.readers.column_coding import RowCoding
from curator_gui.store.readers.findings import distinct_names
from curator_gui.store.readers.settings import Settings

_ROWS = 2000

SheetKind = Literal["excel", "ods"]


class Cell(NamedTuple):
    """What a person sees in a cell. typed: a number, date or truth value rather than text."""

    text: str
    typed: bool


class Merge(NamedTuple):
    """Rows and columns, from 1, that one cell fills."""

    top: int
    left: int
    bottom: int
    right: int


GridRow = Sequence[Cell | None]


class Workbook(Protocol):
    """An open workbook; rows come from the first one on, blank ones too."""

    @property
    def sheets(self) -> tuple[str, ...]: ...
    def rows(self, sheet: str) -> Iterator[GridRow]: ...
    def merges(self, sheet: str) -> Sequence[Merge]: ...
    def notes(self, sheet: str) -> Sequence[str]: ...


@dataclass(frozen=True)
class SheetReader:
    """Which part of a workbook is the table. Rows are counted from 1, as a person sees them.

    header: first and last row of the header, None where there is none; names of several rows are joined.
    footer_rows: how many rows at the end, blank ones aside, are no records; so it holds for longer files too.
    """

    kind: SheetKind = "excel"
    sheet: str = ""
    header: tuple[int, int] | None = (1, 1)
    first_row: int = 2
    footer_rows: int = 0
    missing: tuple[str, ...] = ("",)
    evidence: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.header is not None and self.first_row <= self.header[1]:
            raise InputError("The first row of the data must come after the header.", path="first_row")

    @property
    def decimal(self) -> str:
        return "."

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "sheet": self.sheet,
            "header": None if self.header is None else list(self.header),
            "first_row": self.first_row,
            "footer_rows": self.footer_rows,
            "missing": list(self.missing),
        }

    @classmethod
    def from_json(cls, data: object, *, path: str) -> SheetReader:
        settings = Settings(data, path, ("kind", "sheet", "header", "first_row", "footer_rows", "missing"))
        header = settings.span("header")
        try:
            return cls(
                settings.one_of("kind", ("excel", "ods"), "excel"),
                settings.text("sheet", ""),
                header,
                settings.whole("first_row", 1 if header is None else header[1] + 1, 1),
                settings.whole("footer_rows", 0),
                settings.texts("missing", ("",)),
            )
        except InputError as error:
            raise error if error.path and error.path.startswith(path) else error.at(path) from None


class SheetTable(NamedTuple):
    table: Table
    header: tuple[str, ...]
    notes: tuple[str, ...]


def sheet_of(book: Workbook, wanted: str, file: str) -> str:
    """The sheet of that name, or the first where none is wanted. Raises FileError where it is not there."""
    if not book.sheets:
        raise FileError(f"“{file}” has no sheet with cells; choose another file.")
    if not wanted:
        return book.sheets[0]
    if wanted not in book.sheets:
        raise FileError(f"“{file}” has no sheet “{wanted}”; it has {quoted(book.sheets)}.")
    return wanted


def read_sheet(
    book: Workbook, reader: SheetReader, file: str, progress: Progress = silent, most: int | None = None
) -> SheetTable:
    """The table, or its first ``most`` rows. Raises FileError where no column is there."""
    sheet = sheet_of(book, reader.sheet, file)
    merges = book.merges(sheet)
    top: list[GridRow] = []
    coding: RowCoding | None = None
    names: list[str] = []
    renamed: list[str] = []
    header: tuple[str, ...] = ()
    blank: list[int] = []
    for number, row in _records(filled(book.rows(sheet), merges), reader, top):
        if coding is None:
            header, names, renamed = _names(top, reader, _width(top, reader, row))
            coding = RowCoding(len(names), reader.missing)
        if number and not any(row):
            blank.append(number)
            continue
        if most is not None and coding.rows >= most:
            break
        if len(row) > len(names) and any(row[len(names) :]):
            raise FileError(
                f"Row {number} of sheet “{sheet}” has cells to the right of the header's last column; choose "
                "the header row that covers them, or clear them."
            )
        coding.add([None if cell is None else cell.text for cell in row])
        if coding.rows % _ROWS == 0:  # how many there will be is not known
            progress(coding.rows / (coding.rows + 20 * _ROWS), "Reading the sheet")
    if coding is None:
        header, names, renamed = _names(top, reader, _width(top, reader, ()))
        coding = RowCoding(len(names), reader.missing)
    if not names:
        raise FileError(f"Sheet “{sheet}” of “{file}” has no header in the rows chosen; choose other rows.")
    notes = [*_notes(renamed, blank, merges, reader), *book.notes(sheet)]
    return SheetTable(coding.table(names), header, tuple(notes))


def filled(rows: Iterator[GridRow], merges: Sequence[Merge]) -> Iterator[GridRow]:
    """The rows with every merged cell's content in all the places it covers, as a person sees it."""
    waiting = deque(sorted(merges))
    active: list[tuple[Merge, Cell | None]] = []
    for number, row in enumerate(rows, start=1):
        while waiting and waiting[0].top <= number:
            merge = waiting.popleft()
            active.append((merge, row[merge.left - 1] if merge.left <= len(row) else None))
        active = [a for a in active if a[0].bottom >= number]
        if not active:
            yield row
            continue
        cells = list(row)
        for merge, cell in active:
            cells += [None] * (merge.right - len(cells))
            cells[merge.left - 1 : merge.right] = [cell] * (merge.right - merge.left + 1)
        yield cells


def _records(
    rows: Iterator[GridRow], reader: SheetReader, top: list[GridRow]
) -> Iterator[tuple[int, GridRow]]:
    """(number, row) from the first row on, without the footer and the blank rows before it; the rows above
    go to ``top``."""
    held: deque[tuple[int, GridRow]] = deque()
    present = 0
    for number, row in enumerate(rows, start=1):
        if number < reader.first_row:
            top.append(row)
            continue
        held.append((number, row))
        present += any(row)
        while present > reader.footer_rows and held:
            first = held.popleft()
            present -= any(first[1])
            yield first


def _width(top: Sequence[GridRow], reader: SheetReader, first: GridRow) -> int:
    if reader.header is None:
        return _used(first)
    return max((_used(r) for r in top[reader.header[0] - 1 : reader.header[1]]), default=0)


def _used(row: GridRow) -> int:
    return max((place for place, cell in enumerate(row, start=1) if cell and cell.text), default=0)


def _names(
    top: Sequence[GridRow], reader: SheetReader, width: int
) -> tuple[tuple[str, ...], list[str], list[str]]:
    if reader.header is None:
        return (), [f"column {place}" for place in range(1, width + 1)], []
    rows = top[reader.header[0] - 1 : reader.header[1]]
    header = tuple(_joined(rows, place) for place in range(width))
    return (header, *distinct_names(header))


def _joined(rows: Sequence[GridRow], place: int) -> str:
    """The parts of a name from top to bottom; a cell merged downwards is named once."""
    parts: list[str] = []
    for row in rows:
        cell = row[place] if place < len(row) else None
        if cell and cell.text.strip() and (not parts or parts[-1] != cell.text):
            parts.append(cell.text)
    return " / ".join(parts)


def _notes(
    renamed: Sequence[str], blank: Sequence[int], merges: Sequence[Merge], reader: SheetReader
) -> Iterator[str]:
    if renamed:
        yield f"Blank or repeated column names were read as {quoted(renamed)}."
    if blank:
        shown = ", ".join(map(str, blank[:8])) + (f" and {len(blank) - 8} more" if len(blank) > 8 else "")
        yield f"{len(blank)} blank {'row' if len(blank) == 1 else 'rows'} skipped (row {shown})."
    inside = sum(m.bottom >= reader.first_row for m in merges)
    if inside:
        yield f"{inside} merged cells among the data were read in every row and column they cover."
