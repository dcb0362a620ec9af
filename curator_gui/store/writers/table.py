"""One way to write a table in every format offered, told by the file's suffix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import FileError, InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import quoted
from curator_gui.store.readers import (
    ArrowReader,
    CsvDialect,
    Reader,
    SheetReader,
    StatisticsReader,
)
from curator_gui.store.writers.csv import write_csv
from curator_gui.store.writers.excel import SHEET, write_excel
from curator_gui.store.writers.out_column import OutColumn
from curator_gui.store.writers.parquet import write_parquet
from curator_gui.store.writers.stata import shown_as, write_stata

Format = Literal["csv", "tsv", "parquet", "excel", "stata"]
_BY_SUFFIX: dict[str, Format] = {
    ".csv": "csv", ".txt": "csv", "": "csv", ".tsv": "tsv", ".tab": "tsv", ".parquet": "parquet",
    ".pq": "parquet", ".xlsx": "excel", ".dta": "stata",
}  # fmt: skip
_WRITTEN = ".csv, .tsv, .parquet, .xlsx or .dta"
_NO_WRITER = (
    ".xls",
    ".xlsm",
    ".xlsb",
    ".ods",
    ".sav",
    ".zsav",
    ".sas7bdat",
    ".xpt",
    ".feather",
    ".arrow",
)
_TOKENS = ("NA", "NULL", "missing")


def format_of(path: Path) -> Format:
    """The format a file's name asks for; text where it has no suffix. FileError where there is no such format
    or it is read only."""
    suffix = path.suffix.lower()
    if suffix in _NO_WRITER:
        raise FileError(f"“{suffix}” files are read and not written; choose {_WRITTEN}.")
    if suffix not in _BY_SUFFIX:
        raise FileError(f"There is no format “{suffix}” to write “{path.name}” in; choose {_WRITTEN}.")
    return _BY_SUFFIX[suffix]


def write_table(
    path: Path,
    format: Format,
    columns: Sequence[OutColumn],
    dialect: CsvDialect,
    *,
    progress: Progress = silent,
) -> Reader:
    """Write to ``path``, whatever its name; returns how the file is read back.

    dialect: the spelling of delimited text, and the tokens that may stand for missing. Raises FileError where
    the format cannot hold what is to be written.
    """
    if format == "parquet":
        write_parquet(path, columns, progress)
        return ArrowReader()
    if format == "excel":
        token = _token_for_blank_rows(columns, dialect)
        write_excel(path, columns, token, progress)
        return SheetReader(sheet=SHEET, missing=("", token) if token else ("",))
    if format == "stata":
        write_stata(path, columns, progress)
        return StatisticsReader("stata", shown_as(columns))
    token = missing_token(columns, dialect)
    delimiter = "\t" if format == "tsv" else dialect.delimiter
    dialect = replace(dialect, missing=(token,), delimiter=delimiter, first_line=1)
    if format == "tsv" and not dialect.quote:
        dialect = replace(dialect, quote='"')
    header, pairs = [c.name for c in columns], [(c.codes, c.labels) for c in columns]
    with path.open("wb") as file:
        write_csv(file, header, pairs, dialect, missing_token=token, progress=progress)
    return dialect


def missing_token(columns: Sequence[OutColumn], dialect: CsvDialect) -> str:
    """The one token that stands for missing: the first of the dialect's that no label equals."""
    labels = {label for c in columns for label in c.labels if label in dialect.missing}
    for token in dialect.missing:
        if token not in labels:
            return token
    if not any(None in c.labels for c in columns):
        return next(token for token in ("", *_TOKENS, "\ufffd") if token not in labels)
    raise FileError(_no_token(columns, dialect.missing))


def _no_token(columns: Sequence[OutColumn], tokens: Sequence[str]) -> str:
    """Why missing cells could not be told from others in delimited text, and what to do."""
    empty = quoted([c.name for c in columns if None in c.labels])
    texts = ", ".join(f"“{t}”" for t in tokens)
    named = quoted([c.name for c in columns if not set(tokens).isdisjoint(c.labels)])
    return (
        f"The missing cells of {empty} would be written like the text {texts} that {named} holds too; write "
        ".parquet instead, or replace that text in the plan."
    )


def _token_for_blank_rows(columns: Sequence[OutColumn], dialect: CsvDialect) -> str:
    """Missing cells of a sheet are left blank, unless a row would be blank as a whole."""
    blank = np.logical_and.reduce([_is_missing(c)[c.codes] for c in columns])
    if not blank.any():
        return ""
    labels = {label for c in columns for label in c.labels}
    for token in (*dialect.missing, *_TOKENS):
        if token and token not in labels:
            return token
    raise InputError("No token for missing cells is free; rename a label of a map or ladder.")


def _is_missing(column: OutColumn) -> NDArray[np.bool_]:
    return np.fromiter((label is None for label in column.labels), np.bool_, len(column.labels))
