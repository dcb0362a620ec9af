"""How much memory a table will take, estimated from a little of it before any of it is allocated."""

from __future__ import annotations

import os
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from curator_gui.core.errors import FileError
from curator_gui.store.ordinary import opened
from curator_gui.store.readers.arrow import ArrowReader
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.library import parsing
from curator_gui.store.readers.sheet import SheetReader
from curator_gui.store.readers.statistics import StatisticsReader

_SAMPLE = 1 << 20
_CODE = 4  # bytes a cell
_TEXT = 90  # bytes a distinct text, beyond its characters: the object, its place and its hash
_USABLE = 0.8
_XML = 12  # bytes of a sheet's XML a cell has at least


@dataclass(frozen=True)
class Estimate:
    """rows: about how many, None where it cannot be said. memory: bytes needed at most, about."""

    rows: int | None
    memory: int


def estimate(path: Path, reader: CsvDialect | SheetReader | ArrowReader | StatisticsReader) -> Estimate:
    """From the file's size and its beginning, or what it says of itself."""
    path = Path(path)
    if isinstance(reader, CsvDialect):
        return _of_text(path, reader)
    with parsing(path, "a table"):
        if isinstance(reader, ArrowReader):
            return _of_arrow(path, reader)
        if isinstance(reader, SheetReader):
            return _of_workbook(path)
    return _of_cells(None, path.stat().st_size // 2, path.stat().st_size)


def require_room(
    path: Path, reader: CsvDialect | SheetReader | ArrowReader | StatisticsReader, memory: int | None = None
) -> None:
    """Raise FileError, with the numbers, where the table would not fit into ``memory`` or what is free."""
    with opened(path):
        pass
    free = free_memory() if memory is None else memory
    if free is None:
        return
    needed = estimate(path, reader)
    if needed.memory > free:
        rows = "" if needed.rows is None else f" for about {needed.rows:,} rows"
        raise FileError(
            f"“{path.name}” would need about {_gigabytes(needed.memory)} of memory{rows}, and "
            f"{_gigabytes(free)} can be used; close other programs, or open a part of it."
        )


def free_memory() -> int | None:
    """Bytes that can be used without driving others out; None where the system does not say."""
    if sys.platform == "linux":
        try:
            lines = Path("/proc/meminfo").read_text().splitlines()
        except OSError:
            return None
        found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
        return int(found[0] * _USABLE) if found else None
    try:
        return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _USABLE)
    except (AttributeError, ValueError, OSError):
        return None


def _of_text(path: Path, dialect: CsvDialect) -> Estimate:
    size = path.stat().st_size
    with opened(path) as file:
        sample = file.read(_SAMPLE)
    if not sample:
        return Estimate(0, 0)
    wide = 2 if dialect.encoding.startswith("utf-16") else 1
    share = size / len(sample)
    lines = max(sample.count(b"\n"), 1)
    cells = sample.count(dialect.delimiter.encode()) + lines
    pieces = set(sample.replace(b"\n", dialect.delimiter.encode()).split(dialect.delimiter.encode()))
    distinct = sum(len(p) for p in pieces) / wide + len(pieces) * _TEXT
    # Texts that repeat within the sample mostly repeat in the rest too; those that do not, go on so.
    growing = share if len(pieces) > 0.1 * cells else share**0.5
    return Estimate(int(lines * share), int(cells * share * _CODE + distinct * growing + 4 * _SAMPLE))


def _of_arrow(path: Path, reader: ArrowReader) -> Estimate:
    size = path.stat().st_size
    if reader.kind != "parquet":
        return _of_cells(None, size // 8, size)
    import pyarrow.parquet  # heavy: only when such a file is read

    about = pyarrow.parquet.read_metadata(path)
    raw = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    return _of_cells(about.num_rows, about.num_rows * about.num_columns, raw)


def _of_workbook(path: Path) -> Estimate:
    if not zipfile.is_zipfile(path):
        return _of_cells(None, path.stat().st_size // _XML, path.stat().st_size)
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
    xml = sum(p.file_size for p in parts)
    tree = 20 * xml if any(p.filename == "content.xml" for p in parts) else 0  # read as a whole
    return Estimate(None, xml + xml // _XML * _CODE + tree)


def _of_cells(rows: int | None, cells: int, text: int) -> Estimate:
    return Estimate(rows, cells * _CODE + 4 * text)


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:,.1f} GB" if count >= 1e8 else f"{count / 1e6:,.1f} MB"
