"""Which next operators are worth scoring from where the curator stands.

For every kept column: drop it, and each coarser level of its ladder. For the rows behind the worst targets:
delete the worst target's class, delete the targets over the budget, keep all but the class. Row operators are
written as predicates wherever that says exactly the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.class_condition import class_condition
from curator_gui.core.errors import InputError
from curator_gui.core.operators import Delete, Generalize, Operator, Project, Select
from curator_gui.core.predicate import Predicate, column_in, parse_predicate
from curator_gui.core.preparation import Shown
from curator_gui.core.table import Column
from curator_gui.core.view import Level
from curator_gui.disclosure.standing import Standing

_MOST_CLASSES = 12
_MOST_VALUES = 60
_MOST_ROWS = 10_000


def next_operators(standing: Standing) -> Iterator[Operator]:
    """Candidates in the order of the columns, then those that remove rows."""
    prefix = standing.prefix
    for shown in prefix.shown:
        yield Project((shown.name,))
    for shown in prefix.shown:
        yield from _coarser_levels(standing, shown)
    yield from _row_operators(standing)


def _coarser_levels(standing: Standing, shown: Shown) -> Iterator[Operator]:
    source = standing.prefix.source
    ladder = source.hierarchies.get(shown.name)
    for level in range(1, ladder.height + 1 if ladder else 0):
        try:
            coarsening = source.coarsen(shown.name, Level(level))
        except InputError:
            continue
        if len(coarsening.labels) < len(shown.coarsening.labels) and shown.coarsening.refines(coarsening):
            yield Generalize(shown.name, Level(level))


def _row_operators(standing: Standing) -> Iterator[Operator]:
    over = np.flatnonzero(standing.best > standing.limit)
    if standing.worst is None or not len(over):
        return
    worst = np.array([standing.classes.of_row[standing.worst.target]])
    yield from _delete(standing, worst)
    if len(over) > 1:
        yield from _delete(standing, over)
    complement = _complement(standing, worst)
    if complement is not None:
        yield complement


def _delete(standing: Standing, classes: NDArray[np.int64]) -> Iterator[Operator]:
    rows = _members(standing, classes)
    where = _exact_predicate(standing, classes, rows)
    if where is not None:
        yield Delete(where)
    elif 0 < len(rows) <= _MOST_ROWS:
        yield Delete(None, tuple(rows.tolist()))


def _complement(standing: Standing, classes: NDArray[np.int64]) -> Operator | None:
    """Keep all rows but the class, where a predicate says so of missing cells too."""
    rows = _members(standing, classes)
    where = _exact_predicate(standing, classes, rows)
    if where is None:
        return None
    rest = _parsed(f"NOT ({where.text})")
    if rest is None or np.count_nonzero(standing.prefix.source.holds(rest) & standing.prefix.present) != (
        standing.prefix.rows - len(rows)
    ):
        return None
    return Select(rest)


def _members(standing: Standing, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The present rows of some classes."""
    chosen = np.zeros(standing.classes.count, np.bool_)
    chosen[classes] = True
    return np.flatnonzero(chosen[standing.classes.of_row] & standing.prefix.present)


def _exact_predicate(
    standing: Standing, classes: NDArray[np.int64], rows: NDArray[np.int64]
) -> Predicate | None:
    """An expression that is TRUE of exactly these of the present rows; None where none is short enough."""
    if not len(rows) or len(classes) > _MOST_CLASSES:
        return None
    parts = [_class_text(standing, int(standing.classes.sample[c])) for c in classes]
    if any(part is None for part in parts):
        return None
    where = _parsed(" OR ".join(f"({part})" if len(parts) > 1 else str(part) for part in parts))
    if where is None:
        return None
    found = np.flatnonzero(standing.prefix.source.holds(where) & standing.prefix.present)
    return where if np.array_equal(found, rows) else None


def _class_text(standing: Standing, row: int) -> str | None:
    """The class of a row: its visible attributes and its released values, column by column."""
    source = standing.prefix.source
    views = [(v.column, v.view) for v in standing.population.protection.visible]
    for shown in standing.prefix.shown:
        if shown.column is not source.table[shown.name]:
            return None
        views.append((shown.name, shown.view))
    texts = []
    for name, view in views:
        column, codes = source.table[name], source.coarsen(name, view).codes
        code = int(column.codes[row])
        text = class_condition(view, column, source.hierarchies.get(name), code)
        text = text or _listed(column, _same_class(column, codes, row))
        if text is None:
            return None
        if text not in texts:
            texts.append(text)
    return " AND ".join(texts) or None


def _listed(column: Column, same: NDArray[np.bool_]) -> str | None:
    """The values of a class, one by one, where they are few."""
    codes = np.flatnonzero(same)
    return column_in(column, codes.tolist()) if len(codes) <= _MOST_VALUES else None


def _same_class(column: Column, codes: NDArray[np.int32], row: int) -> NDArray[np.bool_]:
    """[distinct values] which share a class with the row's value."""
    same: NDArray[np.bool_] = codes == codes[column.codes[row]]
    return same


def _parsed(text: str) -> Predicate | None:
    try:
        return parse_predicate(text)
    except InputError:
        return None
