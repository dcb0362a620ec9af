"""Exact dense group ids of rows that agree on several integer codes, as fast as memory allows.

Nothing is hashed: two rows get one id exactly when all their codes agree. Small key spaces go through a
lookup table, larger ones through one sort of packed 64-bit keys. Groups of one row cannot be divided
further, so a refinement sets them aside and carries on with the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = 64
_HALF_WORD = 1 << 32
_BLOCK = 1 << 16
_FEW_GROUPS = 8
_TABLE_SLOTS_PER_ROW = 4
_SMALL_TABLE = 1 << 16


@dataclass(frozen=True, eq=False)
class Coded:
    """One integer code a row: ``lookup[codes]``, or ``codes`` itself where there is no lookup.

    codes: [rows] unsigned. lookup: [distinct codes] unsigned, or None. ``size``: all codes are below it.
    """

    codes: NDArray[np.unsignedinteger[Any]]
    lookup: NDArray[np.unsignedinteger[Any]] | None
    size: int

    def at(self, rows: NDArray[np.int64] | slice) -> NDArray[Any]:
        """The codes of some rows."""
        codes = self.codes[rows]
        return codes if self.lookup is None else self.lookup[codes]


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows in groups. ``ids``: [len(rows)] int32, dense from 0; ``count`` of them."""

    rows: NDArray[np.int64] | None
    ids: NDArray[np.int32]
    count: int

    def __len__(self) -> int:
        return len(self.ids)


def group_keys(keys: NDArray[Any], below: int) -> tuple[NDArray[np.int32], int]:
    """Dense ids, in the order of the keys, of equal keys. ``below``: all keys are smaller than this."""
    n = len(keys)
    if below <= max(_SMALL_TABLE, _TABLE_SLOTS_PER_ROW * n):
        return _by_table(keys, below)
    return _by_sort(keys, below)


def _by_table(keys: NDArray[Any], below: int) -> tuple[NDArray[np.int32], int]:
    seen = np.zeros(below, np.bool_)
    seen[keys] = True
    dense = np.cumsum(seen, dtype=np.int32)
    dense -= 1
    return dense[keys], int(dense[-1]) + 1 if below else 0


def _by_sort(keys: NDArray[Any], below: int) -> tuple[NDArray[np.int32], int]:
    n = len(keys)
    order, ordered = _sorted(keys, below)
    starts = np.empty(n, np.bool_)
    starts[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    ranks = np.cumsum(starts, dtype=np.int32)
    ids = np.empty(n, np.int32)
    ids[order] = ranks - 1
    return ids, int(ranks[-1]) if n else 0


def _sorted(keys: NDArray[Any], below: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The positions that sort the keys, and the keys sorted. Sorting packed words beats an argsort."""
    position_bits = max(len(keys) - 1, 1).bit_length()
    if (below - 1).bit_length() + position_bits > _WORD:
        order = np.argsort(keys)
        return order, keys[order]
    packed = keys.astype(np.uint64)
    packed <<= np.uint64(position_bits)
    packed |= np.arange(len(keys), dtype=np.uint64)
    packed.sort()
    order = (packed & np.uint64((1 << position_bits) - 1)).view(np.int64)
    packed >>= np.uint64(position_bits)
    return order, packed


def refine(groups: Groups, columns: Sequence[Coded]) -> Groups:
    """The same rows in groups that agree on the columns too; all columns go into one key."""
    below = max(groups.count, 1) * math.prod(column.size for column in columns)
    keys = np.empty(len(groups), np.uint32 if below <= _HALF_WORD else np.uint64)
    for start in range(0, len(groups), _BLOCK):
        block = slice(start, start + _BLOCK)
        _pack(keys[block], groups, columns, block)
    ids, count = group_keys(keys, below)
    return Groups(groups.rows, ids, count)


def _pack(keys: NDArray[Any], groups: Groups, columns: Sequence[Coded], block: slice) -> None:
    """Write the keys of one block of rows, few enough to stay in the processor's cache."""
    keys[:] = groups.ids[block]
    rows = block if groups.rows is None else groups.rows[block]
    for column in columns:
        keys *= keys.dtype.type(column.size)
        keys += column.at(rows)


def _batches(count: int, rows: int, columns: Sequence[Coded]) -> Iterator[list[Coded]]:
    """Runs of columns whose joint key, with the groups so far, stays cheap to make dense."""
    limit = max(_SMALL_TABLE, _TABLE_SLOTS_PER_ROW * rows)
    bits = _WORD - max(rows - 1, 1).bit_length()
    batch: list[Coded] = []
    below = max(count, 1)
    for column in columns:
        grown = below * column.size
        # A table once exceeded, go on to the full word: the sort costs the same however wide its key is.
        if batch and (below <= limit < grown or (grown - 1).bit_length() > bits):
            yield batch
            batch, grown = [], min(below, rows) * column.size
        batch.append(column)
        below = grown
    if batch:
        yield batch


def without_singles(groups: Groups) -> tuple[Groups, NDArray[np.bool_]]:
    """The groups of two rows or more, renumbered, and [len(rows)] which rows were alone in theirs."""
    sizes = np.bincount(groups.ids, minlength=groups.count)
    shared = sizes > 1
    alone = ~shared[groups.ids]
    if not alone.any():
        return groups, alone
    dense = np.cumsum(shared, dtype=np.int32) - np.int32(1)
    keep = np.flatnonzero(~alone)
    rows = keep if groups.rows is None else groups.rows[keep]
    return Groups(rows, dense[groups.ids[keep]], int(shared.sum())), alone


def partition(groups: Groups, columns: Sequence[Coded]) -> tuple[NDArray[np.int32], int]:
    """[len(groups)] dense ids of rows that agree on group and columns, and how many there are.

    The numbering is the same on every run but follows no order.
    """
    if not columns:
        return group_keys(groups.ids.astype(np.uint64), max(groups.count, 1))
    batches = list(_batches(groups.count, len(groups), columns))
    current = groups
    out: NDArray[np.int32] | None = None
    place: NDArray[np.int64] | None = None
    done = 0
    for i, batch in enumerate(batches):
        current = refine(current, batch)
        # Few groups leave few rows alone in theirs; and after the last batch it does not matter.
        if i == len(batches) - 1 or current.count * _FEW_GROUPS < len(current):
            continue
        current, alone = without_singles(current)
        out = np.empty(len(groups), np.int32) if out is None else out
        singles = np.flatnonzero(alone)
        out[singles if place is None else place[singles]] = np.arange(
            done, done + len(singles), dtype=np.int32
        )
        done += len(singles)
        keep = np.flatnonzero(~alone)
        place = keep if place is None else place[keep]
    if out is None:
        return current.ids, current.count
    out[place] = current.ids + np.int32(done)
    return out, done + current.count


def leave_one_out(groups: Groups, columns: Sequence[Coded]) -> Iterator[tuple[int, Groups]]:
    """For every column, in order, the groups of two or more rows that agree on all the OTHER columns.

    Divide and conquer: both halves of the columns are visited with the groups refined by the other half,
    so each column is used log(columns) times instead of columns times.
    """
    yield from _leave_out(without_singles(groups)[0], columns, 0, len(columns))


def _leave_out(groups: Groups, columns: Sequence[Coded], low: int, high: int) -> Iterator[tuple[int, Groups]]:
    if high - low == 1:
        yield low, groups
    elif high > low:
        middle = (low + high) // 2
        yield from _leave_out(agreeing(groups, columns[middle:high]), columns, low, middle)
        yield from _leave_out(agreeing(groups, columns[low:middle]), columns, middle, high)


def agreeing(groups: Groups, columns: Sequence[Coded]) -> Groups:
    """The groups of two or more rows that agree on group and columns; other rows are left out."""
    columns = sorted(columns, key=lambda c: -c.size)
    done = 0
    while done < len(columns) and len(groups):
        batch = next(_batches(groups.count, len(groups), columns[done:]))
        groups, _ = without_singles(refine(groups, batch))
        done += len(batch)
    return groups
