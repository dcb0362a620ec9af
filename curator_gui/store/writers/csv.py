"""A table to delimited text. Each distinct label is spelled once; rows are joined from the spellings."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress, silent
from curator_gui.core.table import as_objects
from curator_gui.store.readers.dialect import CsvDialect

_ROWS_AT_ONCE = 1 << 13  # and labels: a call of a few milliseconds, between which other threads can work

Labels = Sequence[str | None]
Codes = NDArray[np.integer[Any]]


def write_csv(
    target: Path | BinaryIO,
    header: Sequence[str],
    columns: Sequence[tuple[Codes, Labels]],
    dialect: CsvDialect,
    *,
    missing_token: str,
    progress: Progress = silent,
) -> str:
    """Write the header and rows; returns the SHA-256 of the bytes written, in hexadecimal.

    columns: (codes, labels) each; row r of a column reads labels[codes[r]], None as ``missing_token``.
    A path appears only when all of it is written. Raises FileError where a label in use would be read back
    as missing, cannot be spelled in this dialect or encoding, or the file cannot be written; whatever
    ``progress`` raises ends the writing.
    """
    spelling = _Spelling(dialect, len(header), missing_token)
    spelled = [
        spelling.labels(name, codes, labels) for name, (codes, labels) in zip(header, columns, strict=True)
    ]
    first = [spelling.cell(name, "the header") for name in header] if dialect.header else []
    chunks = _chunks(first, spelled, [codes for codes, _ in columns], dialect, progress)
    if isinstance(target, (str, Path)):
        with _replaced(Path(target)) as file:
            return _written(file, chunks, dialect.encoding)
    return _written(target, chunks, dialect.encoding)


class _Spelling:
    """How a cell is written so that it is read back as the same text."""

    def __init__(self, dialect: CsvDialect, width: int, missing_token: str) -> None:
        self._dialect = dialect
        self._missing = missing_token
        self._means_missing = {*dialect.missing, missing_token}
        special = re.escape(dialect.delimiter + dialect.quote)
        # A byte order mark at the start of a file is not read as text.
        self._must_quote = re.compile(rf"[{special}\r\n]|\A\ufeff").search
        self._alone = width == 1

    def labels(self, name: str, codes: Codes, labels: Labels) -> NDArray[np.object_]:
        """[labels] the spelling of each label in use."""
        used = np.zeros(len(labels), np.bool_)
        used[codes] = True
        where = f"column “{name}”"
        in_use = [label if u else None for u, label in zip(used, labels, strict=True)]
        if self._all_plain([label for label in in_use if label is not None]):
            some_missing = any(u and label is None for u, label in zip(used, labels, strict=True))
            missing = self.cell(self._missing, where) if some_missing else ""
            return as_objects([missing if label is None else label for label in in_use])
        return as_objects(
            [self._label(label, where) if u else "" for u, label in zip(used, labels, strict=True)]
        )

    def _all_plain(self, texts: list[str]) -> bool:
        """Whether each is spelled as it is, judged many at once: columns of a million labels are common."""
        starts = range(0, len(texts), _ROWS_AT_ONCE)
        return all(self._are_plain(texts[start : start + _ROWS_AT_ONCE]) for start in starts)

    def _are_plain(self, texts: list[str]) -> bool:
        whole = "".join(texts)
        return (
            whole.isascii()
            and "\0" not in whole
            and not self._must_quote(whole)
            and self._means_missing.isdisjoint(texts)
            and not (self._alone and "" in texts)
        )

    def _label(self, label: str | None, where: str) -> str:
        if label is None:
            return self.cell(self._missing, where)
        if label in self._means_missing:
            raise FileError(
                f"The text “{label}” in {where} would be read back as missing; choose another missing token."
            )
        return self.cell(label, where)

    def cell(self, text: str, where: str) -> str:
        if "\0" in text:
            raise FileError(f"A text in {where} holds a NUL, which no text table can; replace it first.")
        self._require_encodable(text, where)
        blank_line = self._alone and not text
        if not (blank_line or self._must_quote(text)):
            return text
        quote = self._dialect.quote
        if not quote:
            raise FileError(
                f"The text “{text}” in {where} cannot be written without quotes; choose a quote or another "
                "delimiter."
            )
        return quote + text.replace(quote, quote * 2) + quote

    def _require_encodable(self, text: str, where: str) -> None:
        if text.isascii():
            return
        encoding = self._dialect.encoding
        if _returns(text, encoding):
            return
        other = next((c for c in text if not _returns(c, encoding)), text)
        raise FileError(
            f"The character {other!r} in {where} does not exist in the encoding {encoding}; write UTF-8 "
            "instead."
        )


def _returns(text: str, encoding: str) -> bool:
    """Whether the text is read back as it was: some encodings write ¥ as a backslash."""
    try:
        return text.encode(encoding).decode(encoding) == text
    except UnicodeError:
        return False


def _chunks(
    first: list[str],
    spelled: Sequence[NDArray[np.object_]],
    codes: Sequence[Codes],
    dialect: CsvDialect,
    progress: Progress,
) -> Iterator[str]:
    if first:
        yield dialect.delimiter.join(first) + dialect.newline
    rows = len(codes[0]) if codes else 0
    for start in range(0, rows, _ROWS_AT_ONCE):
        progress(start / rows, "Writing the file")
        part = slice(start, start + _ROWS_AT_ONCE)
        cells = [labels[c[part]].tolist() for labels, c in zip(spelled, codes, strict=True)]
        lines = map(dialect.delimiter.join, zip(*cells, strict=True))
        yield dialect.newline.join(lines) + dialect.newline
    progress(1.0, "Writing the file")


def _written(file: BinaryIO, chunks: Iterator[str], encoding: str) -> str:
    encoder = codecs.getincrementalencoder(encoding)()
    digest = hashlib.sha256()
    for chunk in chunks:
        data = encoder.encode(chunk)
        digest.update(data)
        file.write(data)
    return digest.hexdigest()


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of ``path`` when all went well, and is gone when not."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise FileError(
            f"“{path}” could not be written ({error.strerror}); choose another place or free some space."
        ) from None
    finally:
        with suppress(OSError):  # gone already, or never there
            unfinished.unlink()
