"""Whether so many synthetic records fit into memory, told before they are paid for."""

from __future__ import annotations

from curator_gui.core.errors import InputError
from curator_gui.core.table import code_dtype
from curator_gui.store.readers.size import free_memory
from curator_gui.synthesis.domain import Categories, Codebook
from curator_gui.synthesizing.order import Order

_ROW = 80  # bytes a record takes while it is drawn and ordered, whatever it holds
_DRAWN_CELL = 150  # bytes of a cell whose text is drawn within a bin
_COPIES = 12  # of a cell's code, while it is drawn, passed on, spelled and written


def require_room(order: Order, free: int | None = None) -> None:
    """InputError where the order names more rows than ``free`` bytes, or those of this machine, can hold.

    Rows that were not named are as many as the noisy total, which nobody knows before.
    """
    free = free_memory() if free is None else free
    if order.rows is None or free is None:
        return
    needed = order.rows * row_bytes(order)
    if needed > free:
        raise InputError(
            f"{order.rows:,} rows would need about {needed / 1e9:,.1f} GB of memory and {free / 1e9:,.1f} GB "
            f"can be used, enough for about {free // row_bytes(order):,} rows; ask for fewer."
        )


def row_bytes(order: Order) -> int:
    """About how many bytes of memory a row takes at most."""
    columns = order.domain.columns
    coded = sum(code_dtype(c.size).itemsize for c in columns) * _COPIES
    drawn = sum(not isinstance(c, Categories | Codebook) for c in columns) * _DRAWN_CELL
    return _ROW + coded + drawn
