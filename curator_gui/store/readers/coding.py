"""Cells of one column coded block by block, then merged into one column in order of first appearance.

A block's cells are compared as whole 8-byte words, so no text is made of a cell: only of what is distinct.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from curator_gui.core.table import Column, as_objects, code_dtype
from curator_gui.store.readers.regular import PADDING, RegularBlock

_MOST_WORDS = 16
_SAMPLE = 1024
_AT_ONCE = 1 << 14
_MANY = 1 << 17
_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(9)], np.uint64)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

Codes = NDArray[np.unsignedinteger[Any]]
Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class CodedPart:
    """codes: [rows] into ``values``, which are in order of first appearance and may repeat.

    values: words [words, values] whose bytes are UTF-8 padded with NUL, quotes still doubled; or texts,
    None for a cell that is not there.
    """

    codes: Codes
    values: Words | list[str | None]

    def __len__(self) -> int:
        """How many values there are."""
        return len(self.values) if isinstance(self.values, list) else self.values.shape[1]

    def texts(self, quote: str) -> list[str | None]:
        return self.values if isinstance(self.values, list) else _texts(self.values, quote)


def code_cells(cells: Sequence[str | None]) -> CodedPart:
    """Code texts one by one."""
    index: dict[str | None, int] = {}
    codes = np.fromiter((index.setdefault(c, len(index)) for c in cells), np.int64, len(cells))
    return CodedPart(codes.astype(code_dtype(len(index))), list(index))


def code_block(block: RegularBlock, column: int, quote: str) -> CodedPart:
    """Code one column of a regular block."""
    starts, lengths = block.cells(column)
    count = max(1, -(-int(lengths.max()) // 8))
    if count > _MOST_WORDS:
        data = block.data.tobytes()
        raw = (data[s : s + n].decode() for s, n in zip(starts.tolist(), lengths.tolist(), strict=True))
        return code_cells([text.replace(quote * 2, quote) if quote else text for text in raw])
    words = _gather(block, starts, lengths, count)
    if _nearly_all_differ(words):
        return CodedPart(np.arange(len(starts), dtype=code_dtype(len(starts))), words)
    codes, distinct = _distinct(words)
    return CodedPart(codes.astype(code_dtype(distinct.shape[1])), distinct)


def merge(name: str, parts: Sequence[CodedPart], missing: Iterable[str], quote: str) -> Column:
    """One column of all parts, in their order; the missing tokens become the one missing value."""
    tokens = {None, *missing}
    words = [p.values for p in parts if not isinstance(p.values, list)]
    if words and len(words) == len(parts):
        mapping, distinct = _distinct(_side_by_side(words))
        texts = _texts(distinct, quote)
        # Hashing millions of texts to look for a token takes longer than comparing words.
        found = any(_holds(distinct, token, quote) for token in missing)
    else:
        mapping, texts = _merge_texts([p.texts(quote) for p in parts])
        found = not tokens.isdisjoint(texts)
    if found:
        merged, texts = _merge_texts([[None if t in tokens else t for t in texts]])
        mapping = merged[mapping]
    return Column(name, _codes_of_all(parts, mapping, len(texts)), as_objects(texts))


def _gather(block: RegularBlock, starts: NDArray[np.int64], lengths: NDArray[np.int64], count: int) -> Words:
    """[count, records] the bytes of each cell, 8 a word, zeros after its end."""
    at_any_byte = as_strided(
        block.data[:8].view("<u8"), (len(block.data) - PADDING + 1,), (1,), writeable=False
    )
    words = np.empty((count, len(starts)), np.uint64)
    for k in range(count):
        # A cell that ended before this word is masked whole, wherever its position points.
        words[k] = at_any_byte[starts if k == 0 else np.minimum(starts + 8 * k, len(at_any_byte) - 1)]
        words[k] &= _KEEP[lengths if count == 1 else np.clip(lengths - 8 * k, 0, 8)]
    return words


def _distinct(words: Words) -> tuple[NDArray[np.int64], Words]:
    """[n] codes in order of first appearance, and the distinct columns [words, distinct] of ``words``.

    Several words are compared by a mix of them, and the result is checked: a mix shared by two columns
    that differ falls back on an exact comparison.
    """
    import pandas as pd  # heavy: only when a file is read

    mixed = _mixed(words)
    if len(mixed) >= _MANY and _all_differ(mixed):
        return np.arange(len(mixed)), words
    codes, seen = pd.factorize(mixed)
    if len(words) == 1:
        return codes, np.asarray(seen)[None]
    distinct = words[:, _first_of(codes, len(seen))]
    if all((d[codes] == w).all() for d, w in zip(distinct, words, strict=True)):
        return codes, distinct
    return _distinct_exactly(words)


def _mixed(words: Words) -> Words:
    mixed: Words = words[0]
    for word in words[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MULTIPLIER + word
    return mixed


def _all_differ(mixed: Words) -> bool:
    """By sorting, which is many times faster than hashing what does not fit in a cache."""
    ordered = np.sort(mixed)
    return bool(np.all(ordered[1:] != ordered[:-1]))


def _distinct_exactly(words: Words) -> tuple[NDArray[np.int64], Words]:
    index: dict[bytes, int] = {}
    codes = np.fromiter((index.setdefault(w.tobytes(), len(index)) for w in words.T), np.int64)
    return codes, words[:, _first_of(codes, len(index))]


def _nearly_all_differ(words: Words) -> bool:
    """Judged by the first cells: then they are told apart once for the whole column, not here as well."""
    few = words[:, :_SAMPLE]
    return few.shape[1] == _SAMPLE and bool(_distinct(few)[1].shape[1] > 0.99 * _SAMPLE)


def _holds(words: Words, text: str, quote: str) -> bool:
    raw = (text.replace(quote, quote * 2) if quote else text).encode()
    if len(raw) > 8 * len(words):
        return False
    wanted = np.frombuffer(raw.ljust(8 * len(words), b"\0"), "<u8")
    return bool(np.any(np.all(words == wanted[:, None], axis=0)))


def _first_of(codes: NDArray[np.int64], distinct: int) -> NDArray[np.int64]:
    first = np.empty(distinct, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last assignment, the first row, stands
    return first


def _side_by_side(parts: Sequence[Words]) -> Words:
    all_words = np.zeros((max(len(p) for p in parts), sum(p.shape[1] for p in parts)), np.uint64)
    at = 0
    for part in parts:
        all_words[: len(part), at : at + part.shape[1]] = part
        at += part.shape[1]
    return all_words


def _texts(words: Words, quote: str) -> list[str | None]:
    """The texts of distinct words: some thousand at a time, as one call on millions would keep every other
    thread, the window's too, from the interpreter."""
    texts: list[str | None] = []
    for start in range(0, words.shape[1], _AT_ONCE):
        texts += _some_texts(words[:, start : start + _AT_ONCE], quote)
    return texts


def _some_texts(words: Words, quote: str) -> list[str]:
    """Their bytes without padding, joined by NUL, then split there."""
    count, distinct = words.shape
    spaced = np.zeros((distinct, 8 * count + 1), np.uint8)
    spaced[:, :-1] = np.ascontiguousarray(words.T).astype("<u8", copy=False).view(np.uint8)
    keep = spaced != 0
    keep[:, -1] = True
    text: str = spaced[keep].tobytes().decode()
    return (text.replace(quote * 2, quote) if quote else text).split("\0")[:-1]


def _merge_texts(parts: Sequence[list[str | None]]) -> tuple[NDArray[np.int64], list[str | None]]:
    index: dict[str | None, int] = {}
    codes = [index.setdefault(text, len(index)) for part in parts for text in part]
    return np.array(codes, np.int64), list(index)


def _codes_of_all(parts: Sequence[CodedPart], mapping: NDArray[np.int64], distinct: int) -> Codes:
    codes = np.empty(sum(len(p.codes) for p in parts), code_dtype(distinct))
    small = mapping.astype(codes.dtype)
    row = at = 0
    for part in parts:
        np.take(small[at : at + len(part)], part.codes, out=codes[row : row + len(part.codes)])
        row += len(part.codes)
        at += len(part)
    return codes
