"""A table to Parquet: numbers and dates as such where they read back as the same text, all else as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.store.readers.arrow import float_text
from curator_gui.store.writers.out_column import OutColumn
from curator_gui.store.writers.typed import typed_values

_ROWS = 1 << 17


def write_parquet(path: Path, columns: Sequence[OutColumn], progress: Progress) -> None:
    """Raises FileError for text that UTF-8 does not have."""
    import pyarrow as pa  # heavy: only when such a file is written
    import pyarrow.parquet

    values = [_values(c) for c in columns]
    schema = pa.schema([pa.field(c.name, v.type) for c, v in zip(columns, values, strict=True)])
    rows = len(columns[0].codes)
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, max(rows, 1), _ROWS):
            progress(start / max(rows, 1), "Writing the file")
            part = slice(start, start + _ROWS)
            arrays = [v.take(pa.array(c.codes[part])) for c, v in zip(columns, values, strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    progress(1.0, "Writing the file")


def _values(column: OutColumn) -> Any:
    """The distinct labels as an Arrow array of the narrowest exact type."""
    import pyarrow as pa  # heavy: only when such a file is written

    used = np.zeros(len(column.labels), np.bool_)
    used[column.codes] = True
    labels = [label if u else None for u, label in zip(used, column.labels, strict=True)]
    typed = typed_values(labels, column.type, float_text)
    kinds = {
        "integer": pa.int64(),
        "decimal": pa.float64(),
        "date": pa.date32(),
        "datetime": pa.timestamp("us"),
    }
    if typed is not None:
        return pa.array(typed[1], kinds[typed[0]])
    try:
        return pa.array(labels, pa.string())
    except UnicodeEncodeError:
        raise FileError(
            f"A text in column “{column.name}” holds half a character, which no file can; replace it first."
        ) from None
