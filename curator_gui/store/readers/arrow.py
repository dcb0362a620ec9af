"""Parquet and Arrow files through pyarrow, every value spelled as text in one plain way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import numpy as np

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.core.table import Column, Table, as_objects, code_dtype
from curator_gui.store.readers.excel import duration_text
from curator_gui.store.readers.findings import distinct_names
from curator_gui.store.readers.settings import Settings

ArrowKind = Literal["parquet", "arrow"]


@dataclass(frozen=True)
class ArrowReader:
    """A Parquet file, or an Arrow (Feather) file or stream; it says itself how it is read.

    missing: texts that mean missing beside the cells that are null.
    """

    kind: ArrowKind = "parquet"
    missing: tuple[str, ...] = ()
    evidence: tuple[str, ...] = field(default=(), compare=False)

    @property
    def decimal(self) -> str:
        return "."

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "missing": list(self.missing)}

    @classmethod
    def from_json(cls, data: object, *, path: str) -> ArrowReader:
        settings = Settings(data, path, ("kind", "missing"))
        kind = settings.one_of("kind", ("parquet", "arrow"), "parquet")
        return cls(kind, settings.texts("missing", ()))


def read_arrow(
    path: Path, reader: ArrowReader, progress: Progress, most: int | None = None
) -> tuple[Table, tuple[str, ...], list[str]]:
    """(table, header, names changed); of at most ``most`` rows."""
    with _opened(path, reader.kind) as (names, rows, batches):
        coding = [_Coding(reader.missing) for _ in names]
        done = 0
        for batch in batches(None if most is None else max(most, 1)):
            batch.validate(full=True)  # the library itself trusts offsets and sizes, and would read beyond
            part = batch if most is None else batch.slice(0, most - done)
            for code, column in zip(coding, part.columns, strict=True):
                code.add(column)
            done += part.num_rows
            progress(min(done / max(rows or done, 1), 1.0), "Reading the file")
            if most is not None and done >= most:
                break
    if not names:
        raise FileError(f"“{path.name}” has no columns; choose another file.")
    distinct, renamed = distinct_names(names)
    columns = tuple(c.column(name) for c, name in zip(coding, distinct, strict=True))
    return Table(columns, done), tuple(names), renamed


@contextmanager
def _opened(path: Path, kind: ArrowKind) -> Iterator[tuple[list[str], int | None, Any]]:
    """(names, rows where known, a function that yields record batches)."""
    if kind == "parquet":
        import pyarrow.parquet  # heavy: only when such a file is read

        with pyarrow.parquet.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
            yield (
                names,
                file.metadata.num_rows,
                lambda n: file.iter_batches(batch_size=min(n or 65536, 65536)),
            )
        return
    import pyarrow as pa  # heavy: only when such a file is read

    with pa.memory_map(str(path)) as source:
        try:
            found = pa.ipc.open_file(source)
            count = found.num_record_batches
            yield list(found.schema.names), None, lambda _: (found.get_batch(i) for i in range(count))
        except pa.ArrowInvalid:
            source.seek(0)
            stream = pa.ipc.open_stream(source)
            yield list(stream.schema.names), None, lambda _: iter(stream)


class _Coding:
    """One column coded batch by batch: only distinct values are spelled."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        self._index: dict[str | None, int] = {}
        self._missing = frozenset(missing)
        self._codes: list[Any] = []

    def add(self, values: Any) -> None:
        import pyarrow as pa  # heavy: only when such a file is read

        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if pa.types.is_nested(values.type) or pa.types.is_null(values.type):
            texts = [value_text(v) for v in values.to_pylist()]
            self._codes.append(np.array([self._code(t) for t in texts], np.int64))
            return
        coded = values.dictionary_encode()
        indices = coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)
        texts = [*map(value_text, _plain(coded.dictionary)), None]
        mapping = np.full(len(texts), -1, np.int64)
        for place in _in_order(indices, len(texts)):
            mapping[place] = self._code(texts[place])
        self._codes.append(mapping[indices])

    def _code(self, text: str | None) -> int:
        return self._index.setdefault(None if text in self._missing else text, len(self._index))

    def column(self, name: str) -> Column:
        codes = np.concatenate(self._codes) if self._codes else np.zeros(0, np.int64)
        return Column(name, codes.astype(code_dtype(len(self._index))), as_objects(list(self._index)))


def _in_order(indices: Any, count: int) -> list[int]:
    """The places used, by first appearance: so a dictionary has them, but for the null at its end."""
    nulls = np.flatnonzero(indices == count - 1)
    if not len(nulls):
        return list(range(count - 1))
    before = int(indices[: nulls[0]].max(initial=-1)) + 1
    return [*range(before), count - 1, *range(before, count - 1)]


def _plain(values: Any) -> list[Any]:
    import pyarrow as pa  # heavy: only when such a file is read

    if pa.types.is_timestamp(values.type) and values.type.unit == "ns":
        instants = values.to_numpy(zero_copy_only=False)
        if (instants.astype("datetime64[us]") != instants).any():
            return [str(v).replace("T", " ") for v in instants]
        values = values.cast(pa.timestamp("us", values.type.tz))
    if pa.types.is_time(values.type) and values.type.unit == "ns":
        values = values.cast(pa.time64("us"), safe=False)
    if pa.types.is_float32(values.type) or pa.types.is_float16(values.type):
        return list(values.to_numpy(zero_copy_only=False))
    try:
        found: list[Any] = values.to_pylist()
    except (OverflowError, ValueError):  # years before 1 and after 9999
        found = [str(v).replace("T", " ") for v in values.to_numpy(zero_copy_only=False)]
    return found


def value_text(value: object) -> str | None:
    """One plain spelling: ISO dates and times, shortest digits that give the same number, true and false."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        return float_text(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_text(value) + (f".{value.microseconds:06}" if value.microseconds else "")
    if isinstance(value, bytes):
        return _bytes_text(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=value_text)
    return str(value)


def float_text(value: float | np.floating[Any]) -> str:
    """The shortest digits that read back as the same number: 3 for 3.0, 0.1, -0.0, 1e-07, NaN, inf."""
    if value != value:  # noqa: PLR0124 - the one number that is not itself
        return "NaN"
    text = str(value)
    return text.removesuffix(".0") if text != "-0.0" else text


def _bytes_text(value: bytes) -> str:
    """The text they are, else 0x and hexadecimal digits; no two values have one spelling."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return f"0x{value.hex()}"
    return f"0x{value.hex()}" if "\0" in text or text.startswith("0x") else text
