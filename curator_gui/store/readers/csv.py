"""Delimited text to a table, every cell kept exactly as it is written.

Regular stretches of the file are read in blocks, all others record by record; both give the same cells
(``records`` says which). A row shorter than the header is padded with missing cells; empty cells beyond the
header are left out, and anything else there is refused. A blank line is skipped, but in a table of one
column it is a record whose cell is the empty text, just as a quoted empty cell is.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import Table
from curator_gui.store.ordinary import opened
from curator_gui.store.readers.coding import CodedPart, code_block, code_cells, merge
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.regular import RegularBlock
from curator_gui.store.readers.rows import Row, RowReading
from curator_gui.store.readers.table_read import TableRead
from curator_gui.store.readers.text_source import TextSource

_BLOCK = 1 << 22
_GLANCE = 1 << 16
_ROWS = 1 << 12  # read one by one before a block is tried again
_READING = 0.7  # the share of the work that is done when the last block is read
_MOST_WORKERS = 4


def read_csv(path: Path, dialect: CsvDialect, *, progress: Progress = silent) -> TableRead:
    """The whole table. Raises FileError where the file is no such table, and whatever ``progress`` raises."""
    path = Path(path)
    reading = RowReading(path.name, dialect)
    with opened(path) as file, _workers() as pool:
        source = TextSource(file, path.name, dialect.encoding, dialect.nul, reading.findings.nul)
        parts = _coded_file(source, reading, dialect, pool, progress)
        table = _merged(parts, reading.names, dialect, pool, progress)
    found = reading.findings
    return TableRead(table, reading.header, found.notes(), source.sha256, found.irregular())


def first_rows(path: Path, dialect: CsvDialect, count: int) -> Table:
    """At most the first ``count`` rows, from the start of the file alone. Raises as ``read_csv`` does."""
    path = Path(path)
    reading = RowReading(path.name, dialect)
    rows: list[Row] = []
    with opened(path) as file:
        source = TextSource(file, path.name, dialect.encoding, dialect.nul)
        carry = b""
        while not source.ended and not (reading.names and len(rows) >= count):
            carry += source.read(max(_GLANCE, len(carry)))
            wanted = count - len(rows)
            found, carry = reading.rows(carry, final=source.ended, most=wanted)
            rows += found[:wanted]
    reading.require_columns()
    parts = _coded_rows(rows, len(reading.names))
    columns = (
        merge(n, [p], dialect.missing, dialect.quote) for n, p in zip(reading.names, parts, strict=True)
    )
    return Table(tuple(columns), len(rows))


def _coded_file(
    source: TextSource, reading: RowReading, dialect: CsvDialect, pool: ThreadPoolExecutor, progress: Progress
) -> list[list[CodedPart]]:
    """For every stretch of the file, in order, the coded cells of each column."""
    coded: list[list[CodedPart] | Future[list[CodedPart]]] = []
    waiting: list[Future[list[CodedPart]]] = []
    for stretch in _stretches(source, reading):
        if isinstance(stretch, RegularBlock):
            waiting.append(pool.submit(_coded_block, stretch, len(reading.names), dialect.quote))
            coded.append(waiting[-1])
        else:
            coded.append(_coded_rows(stretch, len(reading.names)))
        if len(waiting) > _worker_count():
            waiting.pop(0).result()  # no more blocks in memory than are being worked on
        progress(_READING * source.done / max(source.size, 1), "Reading the file")
    reading.require_columns()
    return [c.result() if isinstance(c, Future) else c for c in coded]


def _stretches(source: TextSource, reading: RowReading) -> Iterator[RegularBlock | list[Row]]:
    carry = b""
    while not source.ended:
        # A record longer than a block is tried again only when twice as much of it is there.
        data = carry + source.read(max(_BLOCK, len(carry)))
        if source.ended and data and data[-1:] not in b"\r\n":
            data += b"\n"
        carry = yield from _cut(data, reading, final=source.ended)


def _cut(
    data: bytes, reading: RowReading, *, final: bool
) -> Generator[RegularBlock | list[Row], None, bytes]:
    """``data`` as regular blocks or, where it is not regular, rows; returns the record left unfinished."""
    while True:
        known = bool(reading.names)
        if known:
            block, data = reading.regular(data, final=final)
            if block:
                yield block
                if not final:
                    return data
        rows, data = reading.rows(data, final=final, most=_ROWS if known else 0)
        yield rows
        if not reading.names or (known and len(rows) < _ROWS):
            return data


def _coded_rows(rows: Sequence[Row], columns: int) -> list[CodedPart]:
    if not rows:
        return [code_cells([]) for _ in range(columns)]
    return [code_cells(cells) for cells in zip(*rows, strict=True)]


def _coded_block(block: RegularBlock, columns: int, quote: str) -> list[CodedPart]:
    return [code_block(block, column, quote) for column in range(columns)]


def _merged(
    parts: list[list[CodedPart]],
    names: Sequence[str],
    dialect: CsvDialect,
    pool: ThreadPoolExecutor,
    progress: Progress,
) -> Table:
    by_column = [[part[i] for part in parts if len(part[i].codes)] for i in range(len(names))]
    merging = [
        pool.submit(merge, name, column, dialect.missing, dialect.quote)
        for name, column in zip(names, by_column, strict=True)
    ]
    columns = []
    for done, future in enumerate(merging, start=1):
        columns.append(future.result())
        progress(_READING + (1 - _READING) * done / len(names), "Collecting the distinct values")
    return Table.of(columns)


@contextmanager
def _workers() -> Iterator[ThreadPoolExecutor]:
    """Threads that are gone afterwards, and whose work not yet begun is dropped when something is raised."""
    pool = ThreadPoolExecutor(_worker_count(), "read-csv")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _worker_count() -> int:
    return min(os.cpu_count() or 1, _MOST_WORKERS)
