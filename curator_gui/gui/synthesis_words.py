"""What a synthesis is doing, in the window's words."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from curator_gui.core.table import Table
from curator_gui.gui.domain_words import query_name
from curator_gui.synthesis import Phase, Stage
from curator_gui.synthesis.domain import Categories, ColumnDomain

_NAMED = 3


def _text(source: str) -> str:
    return QCoreApplication.translate("synthesis", source)


def others_in_words(domains: Iterable[ColumnDomain], table: Table) -> str:
    """What “other” means in a synthetic table, and in which columns; "" where none holds it."""
    names = [d.name for d in domains if isinstance(d, Categories) and _holds_other(table, d)]
    if not names:
        return ""
    said = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        said = _text("{0} and {1} more").format(said, len(names) - _NAMED)
    return _text(
        "“other” (in {0}) stands for values outside the list of its column; declare a list closed to leave "
        "it out."
    ).format(said)


def _holds_other(table: Table, domain: Categories) -> bool:
    column = table[domain.name]
    values = list(column.values)
    if domain.other is None or domain.other not in values:
        return False
    return bool((column.codes == values.index(domain.other)).any())


def stage_words(stage: Stage) -> str:
    """A line of the list of what was done."""
    columns = query_name(stage.columns)
    match stage.phase:
        case Phase.STARTING:
            return _text("Getting ready")
        case Phase.ASKING:
            return _text("Asking the ledger")
        case Phase.CHARGED:
            return _text("The budget is charged")
        case Phase.MEASURING:
            return _text("Measuring {0}").format(columns) if columns else _text("Measuring")
        case Phase.ROUND:
            return _text("Round {0}: {1}").format(stage.round, columns)
        case Phase.FITTING:
            return _text("Fitting the model to everything measured")
        case Phase.DRAWING:
            return _text("Drawing records")
        case Phase.SPELLING:
            return _text("Writing out their values")
