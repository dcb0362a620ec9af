"""What to tell of a curated table when synthetic ones of the same data exist."""

from __future__ import annotations

from collections.abc import Sequence

from curator_gui.store.session_file import SyntheticRelease


def synthetic_beside(made: Sequence[SyntheticRelease], *, charged: bool = False) -> str | None:
    """A sentence for whoever releases a curated table; None where there is nothing to tell.

    made: the synthetic tables that the session exported. charged: whether the ledger knows of any other.
    """
    if made:
        last = made[-1]
        which = "A synthetic table" if len(made) == 1 else f"{len(made)} synthetic tables"
        where = "exported as" if len(made) == 1 else "exported, the last as"
        was = "was" if len(made) == 1 else "were"
        known = f"{which} of the same data {was} {where} “{last.file}” with ε {last.epsilon:g}"
    elif charged:
        known = "Synthetic tables of the same data were charged to its privacy budget"
    else:
        return None
    covers = "such a guarantee does not cover what a curated table gives away, and the two do not add up"
    return f"{known}; {covers}."
