"""Readings and types in words: "UTF-8, semicolon", "date DD.MM.YYYY"."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.core.column_type import ColumnType
from curator_gui.core.table import Table
from curator_gui.gui.column_facts import kind_words
from curator_gui.gui.words import count
from curator_gui.store.readers import ArrowReader, CsvDialect, Reader, SheetReader, SqlReader
from curator_gui.store.readers.dialect import ENCODINGS

_PARTS = {
    "%Y": "YYYY", "%y": "YY", "%m": "MM", "%d": "DD", "%H": "hh", "%I": "hh", "%M": "mm", "%S": "ss",
    "%f": "fraction", "%z": "+hh:mm", "%b": "Mon", "%B": "Month", "%p": "am/pm",
}  # fmt: skip


def _tr(text: str) -> str:
    return QCoreApplication.translate("opening", text)


def format_words(format: str) -> str:
    """A date format as people write it: "%d.%m.%Y" → "DD.MM.YYYY"."""
    for directive, word in _PARTS.items():
        format = format.replace(directive, word)
    return format


def type_words(type: ColumnType) -> str:
    """A type with the marks it is read by: "decimal number 1.234,5"."""
    words = kind_words(type.kind)
    if type.format:
        return f"{words} {format_words(type.format)}"
    if not type.is_number or (type.kind == "integer" and not type.group):
        return words
    fraction = f"{type.mark}5" if type.kind == "decimal" else ""
    return f"{words} 1{type.group}234{fraction}" if type.group else f"{words} 1{fraction}"


def reason_words(reason: str, type: ColumnType) -> str:
    """A reason with the format as people write it."""
    return reason.replace(type.format, format_words(type.format)) if type.format else reason


def encoding_words(name: str) -> str:
    """An encoding as it is known: "utf-8-sig" → "UTF-8 with BOM"."""
    known = {
        "utf-8-sig": _tr("UTF-8 with BOM"),
        "utf-16": _tr("UTF-16 with BOM"),
        "cp1252": _tr("Windows-1252 (Western)"),
        "cp1250": _tr("Windows-1250 (Central European)"),
        "cp1251": _tr("Windows-1251 (Cyrillic)"),
        "gb18030": _tr("GB18030 (Chinese)"),
        "big5": _tr("Big5 (traditional Chinese)"),
        "shift_jis": _tr("Shift-JIS (Japanese)"),
        "euc-kr": _tr("EUC-KR (Korean)"),
    }
    return known.get(name, name.upper().replace("_", "-").replace("CP12", "Windows-12"))


def encodings() -> list[tuple[str, str]]:
    """(name, words) of every encoding offered."""
    return [(name, encoding_words(name)) for name in ENCODINGS]


def delimiter_words(delimiter: str) -> str:
    """A delimiter by its name."""
    known = {
        ",": _tr("comma"),
        ";": _tr("semicolon"),
        "\t": _tr("tab"),
        "|": _tr("vertical bar"),
    }
    return known.get(delimiter, f"“{delimiter}”")


def reading_words(reader: Reader) -> str:
    """A reading in one short line."""
    match reader:
        case CsvDialect():
            named = _tr("names in the first line") if reader.first_line == 1 else _tr("names in line {0}")
            header = named.format(reader.first_line) if reader.header else _tr("no names")
            encoding = encoding_words(reader.encoding).partition(" (")[0]
            return f"{encoding} · {delimiter_words(reader.delimiter)} · {header}"
        case SheetReader():
            sheet = _tr("Sheet “{0}”").format(reader.sheet)
            return f"{sheet} · {header_words(reader.header)}"
        case SqlReader():
            return _tr("Table “{0}”").format(reader.table) if reader.table else _tr("A query")
        case ArrowReader():
            return "Parquet" if reader.kind == "parquet" else "Arrow"
    program = {"spss": "SPSS", "stata": "Stata", "sas": "SAS"}[reader.kind]
    shown = {"both": _tr("labels and codes"), "codes": _tr("codes"), "labels": _tr("labels")}
    return f"{program} · {shown[reader.labels]}"


def evidence_words(why: str, reader: Reader) -> str:
    """A reason with the encoding named as everywhere else: Windows-1252, not CP1252."""
    if not isinstance(reader, CsvDialect):
        return why
    return why.replace(reader.encoding.upper(), encoding_words(reader.encoding).partition(" (")[0], 1)


def header_words(header: tuple[int, int] | None) -> str:
    """Where the names of the columns stand."""
    if header is None:
        return _tr("no names")
    first, last = header
    return (
        _tr("names in row {0}").format(first)
        if first == last
        else _tr("names in rows {0}–{1}").format(first, last)
    )


def size_words(table: Table, rows: int | None = None) -> str:
    """How large a table is: "5 records × 3 columns"."""
    return _tr("{0} records × {1} columns").format(
        count(table.rows if rows is None else rows), count(len(table.columns))
    )


def first_record(table: Table | None) -> str:
    """Names and first cells of a reading in one line, to tell it from the others."""
    if table is None or not table.columns:
        return ""
    cells = [c.cell(0) if c.rows else None for c in table.columns]
    return " | ".join("–" if cell is None else cell.replace("\n", " ")[:24] for cell in cells)
