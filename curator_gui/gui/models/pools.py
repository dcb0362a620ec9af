"""What a ledger says of a pool, as lines: its users with their limits, and its history, the latest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from curator_gui.budget.amounts import epsilon_text
from curator_gui.budget.pool import Bound, Pool
from curator_gui.gui import budget_words
from curator_gui.gui.models.lines import Cell, Line, LinesModel
from curator_gui.gui.theme import Standing

if TYPE_CHECKING:
    from curator_gui.store.ledger import Entry, Limits

_NOTHING = Cell("–")


def _text(source: str) -> str:
    return QCoreApplication.translate("pools", source)


def users_model() -> LinesModel:
    heads = (_text("User"), _text("Left"), _text("Of"), _text("At most a request"))
    return LinesModel(heads, numeric=(1, 2, 3))


def history_model() -> LinesModel:
    heads = (_text("When"), _text("What"), _text("User"), _text("Asked"), _text("Approved"), _text("Limit"))
    return LinesModel(heads, numeric=(3, 4))


def user_lines(pool: Pool, users: Sequence[Limits]) -> list[Line]:
    return [
        (
            Cell(limits.user),
            left_cell(pool, limits.balance.left),
            left_cell(pool, limits.total),
            left_cell(pool, limits.balance.per_request),
        )
        for limits in users
    ]


def history_lines(pool: Pool, entries: Sequence[Entry]) -> list[Line]:
    return [_entry_line(pool, entry) for entry in reversed(entries)]


def left_cell(pool: Pool, amount: int) -> Cell:
    """An amount of the pool as ε, rounded down; all digits in the tooltip."""
    units = pool.epsilon_left(amount)
    return Cell(budget_words.epsilon(units), f"ε {epsilon_text(units)}")


def _entry_line(pool: Pool, entry: Entry) -> Line:
    day, _, time = entry.at.partition("T")
    refused = Standing.OVER if entry.event == "refusal" else None
    return (
        Cell(f"{day} {time[:5]}", f"{entry.at} UTC"),
        Cell(budget_words.event_name(entry.event), _text("Entry {0}").format(entry.number), refused),
        Cell(entry.user_name or entry.actor, _text("Written by {0}").format(entry.actor)),
        _spent_cell(pool, entry.requested),
        _spent_cell(pool, entry.approved),
        _limit_cell(entry),
    )


def _spent_cell(pool: Pool, amount: int | None) -> Cell:
    if amount is None:
        return _NOTHING
    units = pool.epsilon_spent(amount)
    return Cell(budget_words.epsilon(units), f"ε {epsilon_text(units)}")


def _limit_cell(entry: Entry) -> Cell:
    if entry.bound is None or entry.bound == Bound.NONE:
        return _NOTHING
    return Cell(budget_words.limit_name(Bound(entry.bound), entry.user_name or ""))
