"""One idea of a reader for every kind of table: a value that says how a source is read, now and again."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from curator_gui.core.errors import FileError, InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import Table, quoted
from curator_gui.store.ordinary import opened
from curator_gui.store.readers.arrow import ArrowReader, read_arrow
from curator_gui.store.readers.csv import first_rows as first_csv_rows
from curator_gui.store.readers.csv import read_csv
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.excel import opened_xls, opened_xlsx
from curator_gui.store.readers.library import parsing, sha256_of
from curator_gui.store.readers.ods import opened_ods
from curator_gui.store.readers.sheet import SheetReader, Workbook, read_sheet
from curator_gui.store.readers.size import require_room
from curator_gui.store.readers.sql import Credentials, SqlReader, read_sql
from curator_gui.store.readers.statistics import StatisticsReader, read_statistics
from curator_gui.store.readers.table_read import TableRead

Reader = CsvDialect | SheetReader | ArrowReader | StatisticsReader | SqlReader

_HASHING = 0.1  # the share of the work that is done when the bytes are hashed
_WHAT = {
    "excel": "an Excel workbook", "ods": "an OpenDocument spreadsheet", "parquet": "a Parquet file",
    "arrow": "an Arrow file", "spss": "an SPSS file", "stata": "a Stata file", "sas": "a SAS file",
    "sql": "a database",
}  # fmt: skip
_OLE = b"\xd0\xcf\x11\xe0"


def reader_from_json(data: object, *, path: str) -> Reader:
    """Read a ``reader`` object of a session file standing at ``path``. Raises InputError naming the key."""
    if not isinstance(data, Mapping):
        raise InputError("A reader must be an object with a “kind”.", path=path)
    kind = data.get("kind")
    known: dict[str, Callable[..., Reader]] = {
        "csv": CsvDialect.from_json, "excel": SheetReader.from_json, "ods": SheetReader.from_json,
        "parquet": ArrowReader.from_json, "arrow": ArrowReader.from_json, "spss": StatisticsReader.from_json,
        "stata": StatisticsReader.from_json, "sas": StatisticsReader.from_json, "sql": SqlReader.from_json,
    }  # fmt: skip
    if not isinstance(kind, str) or kind not in known:
        raise InputError(f"The kind of a reader is one of {quoted(list(known), 20)}.", path=f"{path}.kind")
    return known[kind](data, path=path)


def read_table(
    path: Path,
    reader: Reader,
    progress: Progress = silent,
    *,
    credentials: Credentials | None = None,
    memory: int | None = None,
) -> TableRead:
    """The whole table. Raises FileError where the source cannot be read so, or would not fit.

    memory: bytes that may be used; what is free on this computer where not given.
    """
    path = Path(path)
    if not isinstance(reader, SqlReader):
        require_room(path, reader, memory)
    if isinstance(reader, CsvDialect):
        return read_csv(path, reader, progress=progress)
    if isinstance(reader, SqlReader):
        return read_sql(path, reader, progress, credentials=credentials)
    sha256 = sha256_of(path, lambda done, what: progress(_HASHING * done, what))
    read = _read(path, reader, lambda done, what: progress(_HASHING + (1 - _HASHING) * done, what))
    progress(1.0, "Reading the file")
    return replace(read, sha256=sha256)


def first_rows(path: Path, reader: Reader, count: int, *, credentials: Credentials | None = None) -> Table:
    """At most the first ``count`` rows, without reading more than needed. Raises as ``read_table`` does."""
    path = Path(path)
    if isinstance(reader, CsvDialect):
        return first_csv_rows(path, reader, count)
    if isinstance(reader, SqlReader):
        return read_sql(path, reader, silent, credentials=credentials, most=count).table
    with opened(path):
        return _read(path, reader, silent, count).table


def _read(
    path: Path,
    reader: SheetReader | ArrowReader | StatisticsReader,
    progress: Progress,
    most: int | None = None,
) -> TableRead:
    with parsing(path, _WHAT[reader.kind]):
        if isinstance(reader, SheetReader):
            with opened_workbook(path) as book:
                sheet = read_sheet(book, reader, path.name, progress, most)
            return TableRead(sheet.table, sheet.header, sheet.notes, "")
        if isinstance(reader, ArrowReader):
            table, header, renamed = read_arrow(path, reader, progress, most)
            note = f"Blank or repeated column names were read as {quoted(renamed)}."
            return TableRead(table, header, (note,) if renamed else (), "")
        read = read_statistics(path, reader, progress, most)
    return TableRead(
        read.table,
        read.header,
        read.notes,
        "",
        value_labels=read.value_labels,
        descriptions=read.descriptions,
    )


@contextmanager
def opened_workbook(path: Path) -> Iterator[Workbook]:
    """A workbook of any kind, told by its first bytes. Raises FileError where it is none."""
    with opened(path) as file:
        start = file.read(4)
    with parsing(path, "a workbook"), _workbook(path, start) as book:
        yield book


def _workbook(path: Path, start: bytes) -> AbstractContextManager[Workbook]:
    if start.startswith(_OLE) or path.suffix.lower() == ".xlsb":
        return opened_xls(path)
    if not start.startswith(b"PK"):
        raise FileError(f"“{path.name}” is no workbook; open it as the kind of file it is.")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    if "xl/workbook.bin" in names:
        return opened_xls(path)
    return opened_ods(path) if "content.xml" in names else opened_xlsx(path)
