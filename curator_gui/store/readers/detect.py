"""How a text table is probably spelled, judged from its beginning, with the reasons."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from pathlib import Path

from curator_gui.core.errors import FileError
from curator_gui.store.readers.dialect import DELIMITERS, CsvDialect
from curator_gui.store.readers.records import Grammar, Record
from curator_gui.store.readers.text_source import opened

_SAMPLE = 1 << 18
_MOST_RECORDS = 1000
_NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_MISSING_WORDS = ("NA", "N/A", "NULL", "null", "NaN", "nan", "None", "?", ".", "-")


def detect_dialect(path: Path) -> CsvDialect:
    """The probable spelling; its ``evidence`` says why. Only the empty text is proposed as missing.

    Raises FileError where the file cannot be read or is no text.
    """
    path = Path(path)
    with opened(path) as file:
        sample = file.read(_SAMPLE)
        whole = not file.read(1)
    encoding, why_encoding = _encoding(sample, path.name)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample, whole).removeprefix("\ufeff")
    if "\0" in text:
        raise FileError(
            f"“{path.name}” is not a text table (it holds NUL bytes); open it as the kind of file it is."
        )
    delimiter, records, why_delimiter = _delimiter(text, whole)
    decimal, why_decimal = _decimal(records)
    newline = "\r\n" if "\r\n" in text and text.count("\r\n") * 2 > text.count("\n") else "\n"
    why = [why_encoding, why_delimiter, *why_decimal, *_missing_words(records)]
    if newline == "\r\n":
        why.append("Lines end with CR and LF.")
    return CsvDialect(encoding, delimiter, '"', decimal, newline=newline, evidence=tuple(why))


def _encoding(sample: bytes, name: str) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding, f"The file begins with the byte order mark of {encoding.removesuffix('-sig')}."
    if b"\0" in sample:
        raise FileError(
            f"“{name}” is not a text table (it holds NUL bytes); open it as the kind of file it is."
        )
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError as error:
        return _legacy_encoding(sample, error.start)
    return "utf-8", "All bytes read are ASCII." if sample.isascii() else "All bytes read are valid UTF-8."


def _legacy_encoding(sample: bytes, offset: int) -> tuple[str, str]:
    """Bytes above 127 come in runs in East Asian encodings, and mostly alone in Western ones."""
    why = f"Byte {offset} is not valid UTF-8"
    high = re.findall(rb"[\x80-\xff]+", sample)
    if 2 * sum(len(run) > 1 for run in high) > len(high):
        try:
            codecs.getincrementaldecoder("gb18030")().decode(sample)
        except UnicodeDecodeError:
            pass
        else:
            return "gb18030", f"{why}; the bytes come in pairs as in GB18030. Check the first rows."
    try:
        sample.decode("cp1252")
    except UnicodeDecodeError:
        return "iso-8859-1", f"{why}, nor Windows-1252; Latin-1 reads any byte. Check the first rows."
    return "cp1252", f"{why}; Windows-1252 is the most common other encoding. Check the first rows."


def _delimiter(text: str, whole: bool) -> tuple[str, list[Record], str]:
    """The delimiter under which the header has several cells and most records have as many."""
    best: tuple[tuple[bool, float, int], str, list[Record]] | None = None
    for delimiter in DELIMITERS:
        records = _records(text, delimiter, whole)
        width = len(records[0].cells) if records else 1
        agreeing = sum(len(r.cells) == width for r in records) / max(len(records), 1)
        score = (width > 1, agreeing, width)
        if best is None or score > best[0]:
            best = score, delimiter, records
    assert best is not None
    (several, agreeing, width), delimiter, records = best
    if not several:
        return ",", records, "No delimiter separates the first line; the table has one column."
    why = f"With {_NAMES[delimiter]} the first line has {width} cells, as have {agreeing:.0%} of all read."
    return delimiter, records, why


def _records(text: str, delimiter: str, whole: bool) -> list[Record]:
    records = []
    for record in Grammar(delimiter, '"').records(text, 1, final=whole):
        if not record.blank:
            records.append(record)
        if len(records) == _MOST_RECORDS:
            break
    return records


def _decimal(records: list[Record]) -> tuple[str, list[str]]:
    cells = Counter(cell for record in records[1:] for cell in record.cells)
    commas = sum(re.fullmatch(r"-?[0-9]+,[0-9]+", cell) is not None for cell in cells)
    points = sum(re.fullmatch(r"-?[0-9]+\.[0-9]+", cell) is not None for cell in cells)
    if commas > points:
        return ",", [f"{commas} different numbers are written with a decimal comma, {points} with a point."]
    return ".", []


def _missing_words(records: list[Record]) -> list[str]:
    cells = {cell for record in records[1:] for cell in record.cells}
    found = [word for word in _MISSING_WORDS if word in cells]
    if not found:
        return []
    words = ", ".join(f"“{word}”" for word in found)
    return [f"Cells read {words}: they stay text unless you say that they mean missing."]
