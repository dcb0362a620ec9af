"""A text file read in pieces: hashed as it is, handed on as UTF-8."""

from __future__ import annotations

import codecs
import hashlib
import io
from typing import BinaryIO

from curator_gui.core.errors import FileError
from curator_gui.store.readers.findings import Lines

_BOM = "\ufeff"
_DOS_END = b"\x1a"  # old programs end a text with it


class TextSource:
    """Pieces of a text file as UTF-8, without its byte order mark.

    Raises FileError on a byte the encoding does not allow and on a NUL, which no text table has; with ``nul``
    “drop” NULs are left out instead, and their lines added to ``found``.
    """

    def __init__(
        self, file: BinaryIO, name: str, encoding: str, nul: str = "refuse", found: Lines | None = None
    ) -> None:
        self._file = file
        self._name = name
        self._encoding = codecs.lookup(encoding).name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._hash = hashlib.sha256()
        self._at_start = True
        self._unpaired = self._encoding.startswith("utf-16")
        self._ends_as_bytes = False
        self._drop_nul = nul == "drop"
        self._with_nul = Lines() if found is None else found
        self._lines = 1
        self.size = file.seek(0, io.SEEK_END)
        self.done = file.seek(0)
        self.ended = False

    @property
    def sha256(self) -> str:
        """Of the bytes read so far."""
        return self._hash.hexdigest()

    def read(self, count: int) -> bytes:
        """About ``count`` bytes more, in whole characters; ``ended`` says when there are no others."""
        raw = self._file.read(count)
        self.ended = len(raw) < count
        self.done += len(raw)
        self._hash.update(raw)
        self._refuse_binary(raw)
        data = self._utf8(raw)
        if self.ended:
            data = data.rstrip(_DOS_END)
        if b"\0" in data:
            if not self._drop_nul:
                raise self._not_text()
            data = self._without_nul(data)
        if self._drop_nul:
            self._lines += data.count(b"\n")
        return data

    def _without_nul(self, data: bytes) -> bytes:
        for line, text in enumerate(data.split(b"\n"), start=self._lines):
            if b"\0" in text and self._with_nul.first[-1:] != [line]:
                self._with_nul.add(line)
        return data.replace(b"\0", b"")

    def _utf8(self, raw: bytes) -> bytes:
        plain = self._encoding == "utf-8" and not self._at_start and not self._decoder.getstate()[0]
        if plain and raw.isascii():
            return raw
        try:
            text = self._decoder.decode(raw, self.ended)
        except UnicodeDecodeError as error:
            raise self._undecodable(error) from None
        except UnicodeError:  # UTF-16 without the mark that would say the order of its bytes
            raise self._not_in_encoding("it does not begin with a byte order mark") from None
        if self._unpaired:
            self._require_line_ends(raw, text)
        if self._at_start and text:
            text = text.removeprefix(_BOM)
            self._at_start = False
        return text.encode("utf-8", "surrogatepass")

    def _require_line_ends(self, raw: bytes, text: str) -> None:
        """Any two bytes make some character of UTF-16; but a table has line ends, or no bytes of any."""
        self._ends_as_bytes |= b"\n" in raw or b"\r" in raw
        if "\n" in text or "\r" in text:
            self._unpaired = False
        elif self.ended and self._ends_as_bytes:
            raise self._not_in_encoding("its line ends are not written so")

    def _refuse_binary(self, raw: bytes) -> None:
        if b"\0" in raw and not self._drop_nul and not self._encoding.startswith("utf-16"):
            raise self._not_text()

    def _not_text(self) -> FileError:
        return FileError(
            f"“{self._name}” is not a text table (it holds NUL bytes); open it as the kind of file it is, "
            "or choose UTF-16 if it is text in that encoding."
        )

    def _undecodable(self, error: UnicodeDecodeError) -> FileError:
        offset = self.done - len(error.object) + error.start
        return self._not_in_encoding(f"line {self._line_at(offset)} (byte {offset}) does not decode")

    def _not_in_encoding(self, why: str) -> FileError:
        other = "Windows-1252" if self._encoding.startswith("utf-8") else "UTF-8"
        return FileError(
            f"“{self._name}” is not in the encoding {self._encoding}: {why}; choose another encoding, "
            f"such as {other}."
        )

    def _line_at(self, offset: int) -> int:
        self._file.seek(0)
        line = 1
        while offset > 0 and (raw := self._file.read(min(offset, 1 << 20))):
            line += raw.count(b"\n")
            offset -= len(raw)
        return line
