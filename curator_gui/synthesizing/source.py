"""Which table is synthesized: the source itself, or as prepared so far where every step looks at one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Delete, Plan
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Column, ColumnType, Table, as_objects, code_dtype
from curator_gui.core.view import Identity
from curator_gui.session import Session
from curator_gui.synthesis import Domain, Unit

Origin = Literal["prepared", "source"]

_KEY = "\0key"  # no column read from a file has such a name


def prefix_of(session: Session, origin: Origin) -> Prefix:
    """What the session shows at its position, or the source. InputError where a step is not per row."""
    if origin == "source":
        return session.source.prefix_0()
    require_per_row(session.current_plan)
    return session.prefix


def require_per_row(plan: Plan) -> None:
    """Refuse a plan in which what happens to one row depends on others, naming the step and the way out."""
    for i, step in enumerate(plan):
        if isinstance(step, Delete) and step.where is None:
            raise InputError(
                f"Step {i + 1} deletes records by their number, which a synthesis cannot protect; delete "
                "them by a condition, such as “age > 89”, or synthesize the source itself.",
                path=f"plan[{i}].rows",
            )


def choosable_columns(session: Session, origin: Origin) -> tuple[str, ...]:
    """The columns shown that are no identifiers: what is synthesized unless others are chosen."""
    return tuple(n for n in prefix_of(session, origin).columns if not session.is_identifier(n))


def shown_table(prefix: Prefix, names: Sequence[str]) -> Table:
    """The named columns as they are shown, in the rows that are present; only values that occur there."""
    by_name = {s.name: s for s in prefix.shown}
    for name in names:
        if name not in by_name:
            prefix.source.table[name]
            raise InputError(
                f"An earlier step dropped the column “{name}”; synthesize the source, or undo it."
            )
    rows = np.flatnonzero(prefix.present)
    return Table(tuple(_shown(by_name[n], rows) for n in names), len(rows))


def encoded(session: Session, origin: Origin, domain: Domain, unit: Unit | None) -> NDArray[Any]:
    """[rows, d] codes of the table to synthesize; with a unit, at most its bound of rows for each key.

    The key is the source's, whatever the plan does to that column.
    """
    prefix = prefix_of(session, origin)
    table = shown_table(prefix, domain.names)
    if unit is None:
        return domain.encode(table)
    key = replace(session.table[unit.key].at(np.flatnonzero(prefix.present)), name=_KEY)
    return domain.encode(Table((*table.columns, key), table.rows), Unit(_KEY, unit.bound))


def _shown(shown: Shown, rows: NDArray[np.int64]) -> Column:
    labels = shown.coarsening.labels
    codes = shown.coarsening.codes[shown.column.codes[rows]]
    used, compact = np.unique(codes, return_inverse=True)
    type = shown.column.type if shown.view == Identity() else ColumnType()
    values = as_objects([labels[c] for c in used])
    return Column(shown.name, compact.astype(code_dtype(len(values))), values, type)
