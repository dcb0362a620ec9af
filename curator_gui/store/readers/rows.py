"""Rows of a delimited file as they are found: fitted to the columns, with what was irregular noted."""

from __future__ import annotations

from collections.abc import Sequence

from curator_gui.core.errors import FileError
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.findings import Findings, distinct_names
from curator_gui.store.readers.records import Grammar, Record, line_ends
from curator_gui.store.readers.regular import RegularBlock, odd_records, regular_block

Row = list[str | None]


class RowReading:
    """What is known of a file so far: its columns, the line reached and what was found irregular.

    header: as the file has it. names: of the columns; empty until the first record is read.
    """

    def __init__(self, file: str, dialect: CsvDialect) -> None:
        self._file = file
        self._dialect = dialect
        self._grammar = Grammar(dialect.delimiter, dialect.quote)
        self._line = 1
        self.header: tuple[str, ...] = ()
        self.names: list[str] = []
        self.findings = Findings()

    def regular(self, data: bytes, *, final: bool) -> tuple[RegularBlock | None, bytes]:
        """The whole records ``data`` starts with as a block, if they can be made one, and the bytes after."""
        block, rest = self._fitted_block(data)
        if block or not self._dialect.quote or self._dialect.quote.encode() not in rest:
            return block, rest
        tidy, after = self._tidied(rest, final=final)
        block, rest = self._fitted_block(tidy)
        return block, rest + after

    def _fitted_block(self, data: bytes) -> tuple[RegularBlock | None, bytes]:
        delimiter, quote = self._dialect.delimiter, self._dialect.quote
        block = regular_block(data, delimiter, quote, len(self.names))
        if block:
            self._line += block.lines
            return block, data[block.length :]
        # A cell that is not there can be spelled only where something means missing.
        odd = (
            odd_records(data, delimiter, quote, len(self.names)) if quote and self._dialect.missing else None
        )
        if odd is None:
            return None, data
        return regular_block(self._mended(data, odd), delimiter, quote, len(self.names)), data[odd[-1][1] :]

    def _tidied(self, data: bytes, *, final: bool) -> tuple[bytes, bytes]:
        """``data`` with every record that has a quote spelled again, up to one not whole; and the rest.

        Then stray quotes are doubled inside quoted cells, and cells and line numbers are as before.
        """
        text, quote, line = data.decode(), self._dialect.quote, self._line
        pieces, position = [], 0
        while (at := text.find(quote, position)) >= 0:
            start = max(text.rfind("\n", position, at) + 1, position)
            line += line_ends(text[position:start])
            record = next(self._grammar.records(text, line, final=final, position=start), None)
            pieces.append(text[position:start])
            position = start
            if record is None:
                return "".join(pieces).encode(), text[start:].encode()
            if record.stray:
                self.findings.stray.add(record.line)
            # After a lone CR the quote is in a later record; this one stays as it is.
            whole = text[start : record.end] if record.end <= at else self._spelled(record.cells)
            pieces.append(whole)
            line += line_ends(text[start : record.end])
            position = record.end
        return ("".join(pieces) + text[position:]).encode(), b""

    def _mended(self, data: bytes, odd: list[tuple[int, int]]) -> bytes:
        """``data`` with its odd records fitted to the columns and spelled again, or left out."""
        pieces, position = [], 0
        for start, end in odd:
            pieces.append(data[position:start])
            self._line += pieces[-1].count(b"\n") + pieces[-1].count(b"\r") - pieces[-1].count(b"\r\n")
            rows, _ = self.rows(data[start:end], final=True)
            pieces += [self._spelled(row).encode() for row in rows]
            position = end
        return b"".join(pieces)

    def _spelled(self, row: Sequence[str | None]) -> str:
        quote = self._dialect.quote
        cells = (self._dialect.missing[0] if cell is None else cell for cell in row)
        quoted = (quote + cell.replace(quote, quote * 2) + quote for cell in cells)
        return self._dialect.delimiter.join(quoted) + "\n"

    def rows(self, data: bytes, *, final: bool, most: int | None = None) -> tuple[list[Row], bytes]:
        """The rows of the whole records ``data`` starts with, and the bytes after them.

        Stops once the columns are known and there are ``most`` rows; with 0, after the record that says the
        columns: the header, or the first row where there is none.
        """
        text = data.decode()
        rows: list[Row] = []
        position, stopped = 0, False
        for record in self._grammar.records(text, self._line, final=final):
            row = self._row(record)
            if row is not None:
                rows.append(row)
            position = record.end
            stopped = most is not None and bool(self.names) and len(rows) >= most
            if stopped:
                break
        self._line += line_ends(text[:position])
        if final and not stopped and position < len(text):
            raise FileError(
                f"In “{self._file}” a quote in the record that starts at line {self._line} is never closed; "
                "close it, or read the file without quotes."
            )
        return rows, text[position:].encode()

    def require_columns(self) -> None:
        """Raises FileError where the file had no record at all."""
        if not self.names:
            raise FileError(f"“{self._file}” is empty; choose a file with a header and rows.")

    def _row(self, record: Record) -> Row | None:
        if record.line < self._dialect.first_line:
            return None
        if record.blank and len(self.names) != 1:
            self.findings.blank.add(record.line)
            return None
        if record.stray:
            self.findings.stray.add(record.line)
        if not self.names:
            self._name_columns(record.cells)
            if self._dialect.header:
                return None
        if record.blank:
            self.findings.empty_records.add(record.line)
        return self._fitted(record)

    def _name_columns(self, cells: list[str]) -> None:
        if self._dialect.header:
            self.header = tuple(cells)
            self.names, self.findings.renamed = distinct_names(cells)
        else:
            self.names = [f"column {place}" for place in range(1, len(cells) + 1)]

    def _fitted(self, record: Record) -> Row:
        row: Row = [*record.cells]
        width = len(self.names)
        if len(row) < width:
            self.findings.short.add(record.line)
            row += [None] * (width - len(row))
        elif len(row) > width:
            if any(row[width:]):
                raise FileError(
                    f"Line {record.line} of “{self._file}” has {len(row)} cells where the table has {width} "
                    "columns; correct that line, or choose another delimiter or quote."
                )
            self.findings.trailing.add(record.line)
            del row[width:]
        return row
