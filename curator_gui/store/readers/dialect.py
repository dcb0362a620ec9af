"""How a text table is spelled: encoding, delimiter, quote, decimal mark and what counts as missing."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curator_gui.core.errors import InputError

ENCODINGS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "iso-8859-1", "iso-8859-15",
    "cp1250", "iso-8859-2", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp437",
    "cp850", "mac-roman", "gb18030", "big5", "shift_jis", "cp932", "euc-jp", "euc-kr", "ascii",
)  # fmt: skip
DELIMITERS = (",", ";", "\t", "|")
NULS = ("refuse", "drop")
LINE_ENDS = ("\n", "\r\n")

_KEYS = {
    "kind",
    "encoding",
    "delimiter",
    "quote",
    "decimal",
    "missing",
    "header",
    "newline",
    "nul",
    "first_line",
}


@dataclass(frozen=True)
class CsvDialect:
    """A spelling of a text table.

    delimiter: one ASCII character. quote: one ASCII character, or "" where cells are never quoted.
    missing: the texts that mean missing, after unquoting. newline: what a writer ends lines with; a
    reader accepts any.
    first_line: the line, from 1, where the table begins; titles and comments above it are left out.
    nul: whether NUL bytes in text are refused, or dropped with a note.
    evidence: short sentences on why this spelling was proposed; not compared, not saved.
    Raises InputError, with the name of the field as its path, for a spelling that cannot be.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    decimal: str = "."
    missing: tuple[str, ...] = ("",)
    header: bool = True
    newline: str = "\n"
    nul: str = "refuse"
    first_line: int = 1
    evidence: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        _check_encoding(self.encoding)
        if len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in "\r\n\0":
            raise InputError(
                f"The delimiter must be one ASCII character other than a line end, not {self.delimiter!r}.",
                path="delimiter",
            )
        if self.quote and (len(self.quote) != 1 or not self.quote.isascii() or self.quote in "\r\n\0"):
            raise InputError(
                f"The quote must be one ASCII character, or empty for none, not {self.quote!r}.", path="quote"
            )
        if self.quote == self.delimiter:
            raise InputError("The quote and the delimiter must be two different characters.", path="quote")
        if self.decimal not in (".", ","):
            raise InputError(f"The decimal mark must be “.” or “,”, not {self.decimal!r}.", path="decimal")
        if self.newline not in LINE_ENDS:
            raise InputError(
                f"The line end must be a line feed, alone or after a carriage return, not {self.newline!r}.",
                path="newline",
            )
        if self.nul not in NULS:
            raise InputError("NUL bytes are refused or dropped: say “refuse” or “drop”.", path="nul")
        if self.first_line < 1:
            raise InputError("Lines are counted from 1.", path="first_line")

    @property
    def kind(self) -> str:
        return "csv"

    def to_json(self) -> dict[str, Any]:
        """The ``reader`` object of a session file; ``header`` and ``newline`` only where not the default."""
        data: dict[str, Any] = {
            "kind": "csv",
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "quote": self.quote,
            "decimal": self.decimal,
            "missing": list(self.missing),
        }
        if not self.header:
            data["header"] = False
        if self.newline != "\n":
            data["newline"] = self.newline
        if self.nul != "refuse":
            data["nul"] = self.nul
        if self.first_line != 1:
            data["first_line"] = self.first_line
        return data

    @classmethod
    def from_json(cls, data: object, *, path: str) -> CsvDialect:
        """Read a ``reader`` object standing at ``path``. Raises InputError naming the key refused."""
        if not isinstance(data, Mapping):
            raise InputError("A reader must be an object with a “kind”.", path=path)
        for key in data:
            if key not in _KEYS:
                raise InputError("A CSV reader has no such setting; remove it.", path=f"{path}.{key}")
        if data.get("kind") != "csv":
            raise InputError('The kind of a CSV reader is "csv".', path=f"{path}.kind")
        settings = {key: _setting(key, value, path) for key, value in data.items() if key != "kind"}
        try:
            return cls(**settings)
        except InputError as error:
            raise error.at(path) from None


def _setting(key: str, value: object, path: str) -> Any:
    if key == "missing":
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise InputError("The missing tokens must be a list of texts.", path=f"{path}.missing")
        return tuple(value)
    kinds = {"header": (bool, "true or false"), "first_line": (int, "a whole number")}
    wanted, said = kinds.get(key, (str, "a text"))
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise InputError(f"This must be {said}.", path=f"{path}.{key}")
    return value


def _check_encoding(name: str) -> None:
    try:
        known = codecs.lookup(name).name in {codecs.lookup(e).name for e in ENCODINGS}
    except (LookupError, ValueError):
        known = False
    if not known:
        raise InputError(
            f"The encoding {name!r} is not one of those offered: {', '.join(ENCODINGS)}.", path="encoding"
        )
