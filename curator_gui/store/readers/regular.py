"""Blocks of delimited text that are regular throughout, split into cells without looking at each one.

A block is regular when every record has the expected number of cells, no line is blank, every quote opens
or closes a whole cell or is doubled inside one, and no CR outside quotes stands alone. Then positions of
delimiters and line ends, outside quotes, are all there is to know.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PADDING = 8
_LF, _CR = 10, 13

Bytes = NDArray[np.uint8]
Positions = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RegularBlock:
    """Whole records and where their cells end.

    data: the block, whatever follows it, and PADDING zeros. length: of the block in bytes.
    delimiters: [columns - 1, records] and ends: [records], positions. quote: the byte, 0 where none occurs.
    """

    data: Bytes
    length: int
    delimiters: Positions
    ends: Positions
    quote: int

    @property
    def lines(self) -> int:
        """How many lines end in it, those inside quoted cells too."""
        if not self.quote:
            return self.records
        here = self.data[: self.length]
        returns = np.flatnonzero(here == _CR)
        return int(np.count_nonzero(here == _LF) + np.count_nonzero(self.data[returns + 1] != _LF))

    @property
    def records(self) -> int:
        return len(self.ends)

    def cells(self, column: int) -> tuple[Positions, Positions]:
        """[records] where the column's cells start, and their lengths, both without their quotes."""
        starts = np.zeros(self.records, np.int64)
        if column:
            np.add(self.delimiters[column - 1], 1, out=starts)
        else:
            np.add(self.ends[:-1], 1, out=starts[1:])
        last = column == len(self.delimiters)
        lengths = (self.ends if last else self.delimiters[column]) - starts
        if last:
            lengths -= (lengths > 0) & (self.data[self.ends - 1] == _CR)
        if self.quote:
            quoted = (self.data[starts] == self.quote) & (lengths > 0)
            starts += quoted
            lengths -= 2 * quoted
        return starts, lengths


@dataclass(frozen=True, eq=False)
class _Layout:
    """Whole records in which every quote and line end is regular, however many cells they have."""

    data: Bytes
    length: int
    delimiters: Positions
    ends: Positions
    quote: int

    def odd_records(self, columns: int) -> NDArray[np.bool_]:
        """[records] True where there are not ``columns`` cells, or nothing at all."""
        cells = np.diff(np.searchsorted(self.delimiters, self.ends), prepend=0) + 1
        first = self.data[self.starts]
        odd: NDArray[np.bool_] = (cells != columns) | (first == _LF) | (first == _CR)
        return odd

    @property
    def starts(self) -> Positions:
        return np.concatenate((np.zeros(1, np.int64), self.ends[:-1] + 1))


def regular_block(data: bytes, delimiter: str, quote: str, columns: int) -> RegularBlock | None:
    """The whole records that ``data`` starts with, as one block; None unless all of them are regular."""
    found = _layout(data, delimiter, quote)
    if found is None or len(found.delimiters) != len(found.ends) * (columns - 1):
        return None
    if columns == 1 and found.odd_records(1).any():
        return None
    delimiters = found.delimiters.reshape(len(found.ends), columns - 1)
    if columns > 1 and not _one_record_a_line(delimiters, found.ends):
        return None
    by_column = np.ascontiguousarray(delimiters.T)
    return RegularBlock(found.data, found.length, by_column, found.ends, found.quote)


def odd_records(data: bytes, delimiter: str, quote: str, columns: int) -> list[tuple[int, int]] | None:
    """Where the records start and end that alone keep ``data`` from being regular; None if it is not so.

    The list is followed by the end of the last whole record, as (end, end).
    """
    found = _layout(data, delimiter, quote)
    if found is None:
        return None
    odd = found.odd_records(columns)
    starts, ends = found.starts[odd].tolist(), (found.ends[odd] + 1).tolist()
    return [*zip(starts, ends, strict=True), (found.length, found.length)]


def _layout(data: bytes, delimiter: str, quote: str) -> _Layout | None:
    padded = np.frombuffer(data + bytes(PADDING), np.uint8)
    cells = padded[: len(data)]
    quotes = (cells == ord(quote)) if quote and quote.encode() in data else None
    outside = None if quotes is None else ~_prefix_parity(quotes)
    ends = _positions(cells, _LF, outside)
    if not len(ends):
        return None
    length = int(ends[-1]) + 1
    if not _line_ends_agree(cells[:length], outside):
        return None
    if quotes is not None and not _quotes_agree(cells, np.flatnonzero(quotes[:length]), delimiter, quote):
        return None
    delimiters = _positions(cells[:length], ord(delimiter), outside)
    return _Layout(padded, length, delimiters, ends, 0 if quotes is None else ord(quote))


def _positions(cells: Bytes, byte: int, outside: NDArray[np.bool_] | None) -> Positions:
    found = cells == byte
    if outside is not None:
        found &= outside[: len(found)]
    return np.flatnonzero(found)


def _prefix_parity(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[n] True where an odd number of flags stands at or before a position: 64 positions a word."""
    packed = np.packbits(flags, bitorder="little")
    words = np.zeros(-(-len(packed) // 8), "<u8")
    words.view(np.uint8)[: len(packed)] = packed
    for shift in (1, 2, 4, 8, 16, 32):
        words ^= words << np.uint64(shift)
    carry = np.bitwise_xor.accumulate(words >> np.uint64(63))
    words[1:] ^= np.uint64(0) - carry[:-1]
    bits = np.unpackbits(words.view(np.uint8), count=len(flags), bitorder="little")
    return bits.view(np.bool_)


def _one_record_a_line(delimiters: Positions, ends: Positions) -> bool:
    return bool((delimiters[:, -1] < ends).all() and (delimiters[1:, 0] > ends[:-1]).all())


def _line_ends_agree(cells: Bytes, outside: NDArray[np.bool_] | None) -> bool:
    returns = _positions(cells, _CR, outside)
    return bool((cells[returns + 1] == _LF).all())


def _quotes_agree(cells: Bytes, quotes: Positions, delimiter: str, quote: str) -> bool:
    if not len(quotes):
        return True
    opening, closing = quotes[0::2], quotes[1::2]
    before = cells[opening - 1]
    if opening[0] == 0:
        before[0] = _LF
    return bool(
        _one_of((ord(delimiter), ord(quote), _LF))[before].all()
        and _one_of((ord(delimiter), ord(quote), _LF, _CR))[cells[closing + 1]].all()
    )


def _one_of(allowed: tuple[int, ...]) -> NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(allowed)] = True
    return table
