"""A table to an Excel workbook: text cells are text, whatever they begin with; no cell is a formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.store.readers.excel import number_text
from curator_gui.store.writers.out_column import OutColumn
from curator_gui.store.writers.typed import Value, typed_values

SHEET = "Release"
_MOST_ROWS = 1_048_575
_MOST_COLUMNS = 16_384
_LONGEST = 32_767
_ROWS = 2000
_FIRST_DAY = datetime(1900, 3, 1)  # before it the program counts a day that never was
_MOST_DIGITS = 10**15
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_FORMATS = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss"}


def write_excel(path: Path, columns: Sequence[OutColumn], token: str, progress: Progress) -> None:
    """One sheet with a header. token: what missing cells say, "" for nothing.

    Raises FileError where a sheet is too small, or cannot hold a text.
    """
    import openpyxl  # heavy: only when a workbook is written

    rows = len(columns[0].codes)
    if rows > _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        raise FileError(
            f"A sheet holds {_MOST_ROWS:,} records of {_MOST_COLUMNS:,} columns, and these are {rows:,} of "
            f"{len(columns):,}; write .csv or .parquet instead."
        )
    names = [
        _as_text(c.name, "the header") if c.name.strip() else f"column {i}" for i, c in enumerate(columns, 1)
    ]
    kinds_and_values = [_values(c, token) for c in columns]
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(SHEET)
    try:
        sheet.append([_cell(sheet, name, None) for name in names])
        for start in range(0, rows, _ROWS):
            progress(start / rows, "Writing the file")
            part = slice(start, start + _ROWS)
            cells = [
                [v[i] for i in c.codes[part]] for c, (_, v) in zip(columns, kinds_and_values, strict=True)
            ]
            for row in zip(*cells, strict=True):
                sheet.append([_cell(sheet, v, k) for v, (k, _) in zip(row, kinds_and_values, strict=True)])
    except BaseException:
        sheet.close()
        sheet._writer.cleanup()  # the library keeps the rows in a temporary file until it is saved
        raise
    book.save(path)
    progress(1.0, "Writing the file")


def _values(column: OutColumn, token: str) -> tuple[str | None, list[Any]]:
    """(kind, the labels as cell values): numbers and dates where they read back as the same text."""
    used = np.zeros(len(column.labels), np.bool_)
    used[column.codes] = True
    labels = [label if u else None for u, label in zip(used, column.labels, strict=True)]
    typed = typed_values(labels, column.type, number_text)
    if typed is not None and all(map(_fits, typed[1])):
        return typed[0], [token or None if v is None else v for v in typed[1]]
    where = f"column “{column.name}”"
    return None, [token or None if label is None else _as_text(label, where, token) for label in labels]


def _fits(value: Value) -> bool:
    if isinstance(value, datetime):
        return value >= _FIRST_DAY
    if isinstance(value, date):
        return value >= _FIRST_DAY.date()
    return not isinstance(value, int) or abs(value) < _MOST_DIGITS


def _as_text(text: str, where: str, token: str = "") -> str:
    if _NO_XML.search(text):
        raise FileError(f"A text in {where} holds a character that no workbook can; write .csv instead.")
    if len(text) > _LONGEST:
        raise FileError(
            f"A text in {where} has {len(text):,} characters, a cell holds {_LONGEST:,}; write .csv instead."
        )
    if text in ("", token):
        raise FileError(
            f"The text “{text}” in {where} would be read back as missing; write .parquet instead."
        )
    return _LIKE_AN_ESCAPE.sub("_x005F_", text).replace("\r", "_x000D_")


def _cell(sheet: Any, value: object, kind: str | None) -> Any:
    from openpyxl.cell import WriteOnlyCell  # heavy: only when a workbook is written

    cell = WriteOnlyCell(sheet, value=value)
    if isinstance(value, str):
        cell.data_type = "s"  # or text that begins with = would be a formula
    elif kind in _FORMATS and value is not None:
        cell.number_format = _FORMATS[kind]
    return cell
