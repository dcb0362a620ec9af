"""How a text table is probably spelled, judged from its beginning, with the reasons."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from curator_gui.store.ordinary import opened
from curator_gui.store.readers.dialect import DELIMITERS, CsvDialect
from curator_gui.store.readers.encodings import Encoding, plausible_encodings
from curator_gui.store.readers.records import Grammar, Record

_SAMPLE = 1 << 18
_MOST_RECORDS = 1000
_NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}
_VALUE = re.compile(r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.*")
_COMMA_NUMBER = re.compile(r"-?[0-9]+(?:,[0-9]+)?")
_SAYS = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
_MOST_TITLES = 20
_FEWEST_BELOW = 3
_MOST_AGREE = 0.9
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_MISSING_WORDS = ("NA", "N/A", "NULL", "null", "NaN", "nan", "None", "?", ".", "-")


def detect_dialect(path: Path) -> CsvDialect:
    """The probable spelling; its ``evidence`` says why. Only the empty text is proposed as missing.

    Raises FileError where the file cannot be read or is no text.
    """
    return dialects(path)[0]


def dialects(path: Path) -> tuple[CsvDialect, ...]:
    """The probable spelling first, then others that differ in one thing: encoding, delimiter or header.

    Raises FileError where the file cannot be read or is no text.
    """
    path = Path(path)
    with opened(path) as file:
        sample = file.read(_SAMPLE)
        whole = not file.read(1)
    encodings, nul = plausible_encodings(sample, path.name)
    first, text, records = _dialect(sample, whole, encodings[0], nul)
    others = [_dialect(sample, whole, e, nul)[0] for e in encodings[1:]]
    for delimiter in DELIMITERS:
        if delimiter != first.delimiter and (why := _splits(text, delimiter, whole)):
            others.append(replace(first, delimiter=delimiter, evidence=(why,)))
    if len(records) > 1:
        why = "The first line as names of the columns." if not first.header else "The first line as a record."
        others.append(replace(first, header=not first.header, evidence=(why,)))
    return (first, *others)


def _dialect(
    sample: bytes, whole: bool, encoding: Encoding, nul: str
) -> tuple[CsvDialect, str, list[Record]]:
    text = codecs.getincrementaldecoder(encoding.name)("replace").decode(sample, whole)
    text = text.removeprefix("\ufeff").replace("\0", "")
    delimiter, records, why_delimiter = _delimiter(text, whole)
    quote, records, why_quote = _quote(text, delimiter, records, whole)
    decimal, why_decimal = _decimal(records)
    header, why_header = _header(records)
    newline = "\r\n" if "\r\n" in text and text.count("\r\n") * 2 > text.count("\n") else "\n"
    why = [encoding.why, why_delimiter, *why_quote, *why_header, *why_decimal, *_missing_words(records)]
    if newline == "\r\n":
        why.append("Lines end with CR and LF.")
    if nul == "drop":
        why.append("Some lines hold NUL bytes, which no text can; they are left out and counted.")
    first = records[0].line if records else 1
    above = re.split("\r\n|\r|\n", text, maxsplit=first)[: first - 1]
    if any(line.strip() for line in above):
        why.append(f"The table begins in line {first}; what stands above it is left out.")
    else:
        first = 1  # blank lines are skipped as they are
    dialect = CsvDialect(
        encoding.name, delimiter, quote, decimal, header=header, newline=newline, nul=nul, first_line=first,
        evidence=tuple(why),
    )  # fmt: skip
    return dialect, text, records


def _splits(text: str, delimiter: str, whole: bool) -> str | None:
    """Why a delimiter is plausible too: most records have as many cells as the first, and several."""
    records = _records(text, delimiter, whole)
    width = len(records[0].cells) if records else 1
    agreeing = sum(len(r.cells) == width for r in records)
    if width < 2 or agreeing < 0.8 * len(records):
        return None
    return f"With {_NAMES[delimiter]} the first line has {width} cells, as have {agreeing} of {len(records)}."


def _header(records: list[Record]) -> tuple[bool, list[str]]:
    """No header only where the first line holds numbers or dates above others, and no name above any."""
    if len(records) < 2:
        return True, []
    columns = [c for c in zip_longest(*(r.cells for r in records), fillvalue="") if any(c[1:])]
    valued = [_VALUE.fullmatch(c[0]) is not None for c in columns]
    rest = [all(_VALUE.fullmatch(cell) for cell in c[1:] if cell) for c in columns]
    named = any(r and not v for v, r in zip(valued, rest, strict=True))
    years = all(_YEAR.fullmatch(c[0]) for c, v in zip(columns, valued, strict=True) if v)
    over = any(v and r for v, r in zip(valued, rest, strict=True))
    if named or years or not over:
        return True, []
    return False, ["The first line holds numbers or dates like the lines below it, so it is no header."]


def _delimiter(text: str, whole: bool) -> tuple[str, list[Record], str]:
    """The delimiter under which the header has several cells and most records have as many."""
    if said := _SAYS.match(text):
        records = _records(text, said[1], whole)[1:]
        return said[1], records, f"The first line says that {_NAMES[said[1]]} is the delimiter."
    best: tuple[tuple[bool, bool, bool, float, int], str, list[Record]] | None = None
    for delimiter in DELIMITERS:
        whole_text = _records(text, delimiter, whole)
        records = _below_titles(whole_text)
        width = len(records[0].cells) if records else 1
        agreeing = sum(len(r.cells) == width for r in records) / max(len(records), 1)
        score = (width > 1, agreeing > _MOST_AGREE, len(records) == len(whole_text), agreeing, width)
        if best is None or score > best[0]:
            best = score, delimiter, records
    assert best is not None
    (several, *_, agreeing, width), delimiter, records = best
    if not several:
        why = "No delimiter separates the first line; the table has one column."
        alone = _records(text, ";", whole)
        cells = [record.cells[0] for record in alone[1:] if record.cells[0]]
        if any("," in c for c in cells) and all(_COMMA_NUMBER.fullmatch(c) for c in cells):
            return ";", alone, f"{why} Its numbers are written with a decimal comma."
        return ",", records, why
    why = f"With {_NAMES[delimiter]} the first line has {width} cells, as have {agreeing:.0%} of all read."
    return delimiter, records, why


def _below_titles(records: list[Record]) -> list[Record]:
    """From the first record with several cells that are not empty, where those below have as many as it.

    Nothing is left out of a table of one column, nor of prose, whose commas are followed by blanks.
    """
    filled = [sum(cell != "" for cell in r.cells) for r in records]
    start = next((i for i, count in enumerate(filled[:_MOST_TITLES]) if count > 1), 0)
    below = records[start:]
    if start == 0 or len(below) < _FEWEST_BELOW:
        return records
    width = len(below[0].cells)
    agreeing = sum(len(r.cells) == width for r in below) / len(below)
    prose = sum(cell.startswith(" ") for r in below for cell in r.cells[1:])
    titles_wide = all(len(r.cells) in (1, width) for r in records[:start])
    table = agreeing > _MOST_AGREE and titles_wide and not 2 * prose > sum(len(r.cells) - 1 for r in below)
    numbers = all(_COMMA_NUMBER.fullmatch(",".join(r.cells)) for r in below)
    return below if table and not numbers else records


def _quote(
    text: str, delimiter: str, records: list[Record], whole: bool
) -> tuple[str, list[Record], list[str]]:
    """Single quotes, where the lines have as many cells as the header with them alone."""
    width = len(records[0].cells) if records else 0
    if '"' in text or all(len(r.cells) == width for r in records):
        return '"', records, []
    single = [r for r in _records(text, delimiter, whole, "'") if r.line >= records[0].line]
    if any(len(r.cells) != width or r.stray for r in single):
        return '"', records, []
    return "'", single, ["Cells with the delimiter in them stand in single quotes."]


def _records(text: str, delimiter: str, whole: bool, quote: str = '"') -> list[Record]:
    records = []
    for record in Grammar(delimiter, quote).records(text, 1, final=whole):
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
