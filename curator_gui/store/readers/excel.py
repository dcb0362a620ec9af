"""Excel workbooks: .xlsx and .xlsm through openpyxl, older .xls and .xlsb through calamine."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from curator_gui.store.readers.sheet import Cell, GridRow, Merge, Workbook

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]+)([0-9]+):([A-Z]+)([0-9]+)"')
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_IN_QUOTES = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_ZEROS = re.compile(r"0[0 \-./()]*0")
_CHUNK = 1 << 20
_OVERLAP = 200
_SHOWN_DIGITS = 15  # as many as the program itself shows


@contextmanager
def opened_xlsx(path: Path) -> Iterator[Workbook]:
    """An .xlsx or .xlsm file."""
    import openpyxl  # heavy: only when a workbook is read

    with path.open("rb") as file:  # by its name alone, the library would refuse other suffixes
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        try:
            yield _Xlsx(path, book)
        finally:
            book.close()


class _Xlsx:
    def __init__(self, path: Path, book: Any) -> None:
        self._path = path
        self._book = book

    @property
    def sheets(self) -> tuple[str, ...]:
        """Visible ones first."""
        ordered = sorted(self._book.worksheets, key=lambda s: s.sheet_state != "visible")
        return tuple(s.title for s in ordered)

    def rows(self, sheet: str) -> Iterator[GridRow]:
        found = self._book[sheet]
        found.reset_dimensions()  # what a file says of its size is often wrong
        for row in found.iter_rows():
            yield [None if cell.value is None else excel_cell(cell.value, cell.number_format) for cell in row]

    def merges(self, sheet: str) -> Sequence[Merge]:
        from openpyxl.utils import column_index_from_string  # heavy: only when a workbook is read

        found = {
            Merge(int(m[2]), column_index_from_string(m[1].decode()), int(m[4]),
                  column_index_from_string(m[3].decode()))
            for m in self._matches(sheet, _MERGE)
        }  # fmt: skip
        return sorted(found)

    def notes(self, sheet: str) -> Sequence[str]:
        if not any(True for _ in self._matches(sheet, _FORMULA)):
            return ()
        missing = self._formulas_without_value(sheet)
        if not missing:
            return ()
        return (
            f"{len(missing)} formulas, such as the one in {missing[0]}, have no stored value and were read "
            "as missing: open and save the file in a spreadsheet program to have them calculated.",
        )

    def _formulas_without_value(self, sheet: str) -> list[str]:
        import openpyxl  # heavy: only when a workbook is read

        with self._path.open("rb") as file:
            formulas = openpyxl.load_workbook(file, read_only=True, keep_links=False)
            pairs = zip(formulas[sheet].iter_rows(), self._book[sheet].iter_rows(), strict=False)
            return [
                f.coordinate
                for with_formulas, with_values in pairs
                for f, v in zip(with_formulas, with_values, strict=False)
                if f.data_type == "f" and v.value is None
            ]

    def _matches(self, sheet: str, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """Where a pattern occurs in the sheet's own XML, a piece at a time."""
        name = self._book[sheet]._worksheet_path.lstrip("/")
        with zipfile.ZipFile(self._path) as archive, archive.open(name) as file:
            rest = b""
            while piece := file.read(_CHUNK):
                yield from pattern.finditer(rest + piece)
                rest = piece[-_OVERLAP:]


@contextmanager
def opened_xls(path: Path) -> Iterator[Workbook]:
    """An .xls or .xlsb file; number formats are not known there."""
    import python_calamine  # heavy: only when a workbook is read

    with python_calamine.CalamineWorkbook.from_path(path) as book:
        yield _Xls(book)


class _Xls:
    def __init__(self, book: Any) -> None:
        self._book = book

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(self._book.sheet_names)

    def rows(self, sheet: str) -> Iterator[GridRow]:
        for row in self._book.get_sheet_by_name(sheet).to_python(skip_empty_area=False):
            yield [None if value == "" else excel_cell(value, "General") for value in row]

    def merges(self, sheet: str) -> Sequence[Merge]:
        found = self._book.get_sheet_by_name(sheet).merged_cell_ranges or ()
        return [Merge(a[0] + 1, a[1] + 1, b[0] + 1, b[1] + 1) for a, b in found]

    def notes(self, sheet: str) -> Sequence[str]:
        del sheet  # nothing is known of any
        return ()


def excel_cell(value: object, number_format: str) -> Cell:
    """What a person sees: dates as YYYY-MM-DD, numbers in plain digits with their format's leading zeros.

    Decimals keep all their digits, however many the format shows; percentages are read as fractions.
    """
    if isinstance(value, bool):
        return Cell("TRUE" if value else "FALSE", True)
    if isinstance(value, int | float):
        return Cell(_zeros_of(number_text(value), number_format), True)
    if isinstance(value, datetime):
        return Cell(_instant(value, number_format), True)
    if isinstance(value, date):
        return Cell(value.isoformat(), True)
    if isinstance(value, time):
        return Cell(value.isoformat(), True)
    if isinstance(value, timedelta):
        return Cell(duration_text(value), True)
    return Cell(_ESCAPED.sub(lambda m: chr(int(m[1], 16)), str(value)), False)


def number_text(value: float) -> str:
    """Plain digits, as many as a spreadsheet shows at most; an exponent where they would be over 21."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{_SHOWN_DIGITS}g}"
    if "e" not in text:
        return text
    return format(Decimal(text), "f") if 1e-15 < abs(value) < 1e21 else text.replace("e", "E")


def _zeros_of(text: str, number_format: str) -> str:
    """The number under a format of zeros alone, such as 00000 or 000-000."""
    pattern = re.sub(r'[\\"]', "", number_format.split(";", maxsplit=1)[0])
    if not _ZEROS.fullmatch(pattern) or "0.0" in pattern or not text.isdigit():
        return text
    digits = text.zfill(pattern.count("0"))
    extra = len(digits) - pattern.count("0")
    rest = iter(digits[extra:])
    return digits[:extra] + "".join(next(rest) if c == "0" else c for c in pattern)


def _instant(value: datetime, number_format: str) -> str:
    rounded = value + timedelta(microseconds=500)  # the file stores days as fractions
    value = rounded.replace(microsecond=rounded.microsecond // 1000 * 1000)
    shows_time = re.search("[hs]", _IN_QUOTES.sub("", number_format.lower()))
    if number_format == "General":
        shows_time = re.match("x", "x") if value.time() != time() else None
    return value.isoformat(" ") if shows_time else value.date().isoformat()


def duration_text(value: timedelta) -> str:
    """Hours, which may be many, minutes and seconds."""
    seconds = round(value.total_seconds())
    sign, seconds = ("-" if seconds < 0 else ""), abs(seconds)
    return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
