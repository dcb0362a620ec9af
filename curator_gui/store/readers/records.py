"""The strict reading of delimited text, one record at a time: the definition the fast reading must equal.

A cell that starts with the quote runs to the next single quote; a doubled quote in it is one quote; what
follows its closing quote up to the delimiter is kept as it is. A quote anywhere else is a plain character.
Outside quotes LF, CRLF and a lone CR end a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Record(NamedTuple):
    """cells: unquoted. line: where it starts, from 1. end: the position after it. blank: an empty line.
    stray: a quote stands outside a properly quoted cell."""

    cells: list[str]
    line: int
    end: int
    blank: bool
    stray: bool


class Grammar:
    """Splits text into records for one delimiter and quote ("" for no quoting)."""

    def __init__(self, delimiter: str, quote: str) -> None:
        d, q = re.escape(delimiter), re.escape(quote)
        self._delimiter = delimiter
        self._quote = quote
        self._line = re.compile(rf"([^{q}\r\n]*)(\r\n|\r|\n|\Z)")
        # The possessive loop keeps a quote that is never closed from being read as a closed one.
        self._cell = re.compile(
            rf"(?:{q}((?:[^{q}]++|{q}{q})*+){q}(?!{q})([^{d}\r\n]*)|(?!{q})([^{d}\r\n]*))({d}|\r\n|\r|\n|\Z)"
            if quote
            else r"(?!)"
        )

    def records(self, text: str, line: int, *, final: bool, position: int = 0) -> Iterator[Record]:
        """The whole records of ``text`` from ``position`` on, where line number ``line`` starts.

        Unless ``final``, a record that may go on after the text is left out. A record whose quote is never
        closed ends the iteration, and all after it is left out.
        """
        while position < len(text):
            record = self._plain(text, position, line) or self._quoted(text, position, line)
            if record is None or (not final and record.end == len(text) and text[-1] != "\n"):
                return
            yield record
            line += line_ends(text[position : record.end])
            position = record.end

    def _plain(self, text: str, position: int, line: int) -> Record | None:
        match = self._line.match(text, position)
        if match is None:
            return None
        return Record(match[1].split(self._delimiter), line, match.end(), not match[1], False)

    def _quoted(self, text: str, position: int, line: int) -> Record | None:
        cells, stray, terminator = [], False, self._delimiter
        while terminator == self._delimiter:
            match = self._cell.match(text, position)
            if match is None:
                return None
            inside, after, plain, terminator = match.groups()
            if inside is not None:
                cells.append(inside.replace(self._quote * 2, self._quote) + after)
                stray = stray or bool(after)
            else:
                cells.append(plain)
                stray = stray or self._quote in plain
            position = match.end()
        return Record(cells, line, position, False, stray)


def line_ends(text: str) -> int:
    """How many lines end in the text: by LF, CRLF or a lone CR."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")
