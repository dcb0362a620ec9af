"""The bars of an account: the dataset's pool and one's own, now or after a charge."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.budget.pool import Kind, Pool
from curator_gui.gui import budget_words
from curator_gui.gui.budgets import Account
from curator_gui.gui.charts.budget_bar import PoolBar


def _text(source: str) -> str:
    return QCoreApplication.translate("pools", source)


def dataset_bar(account: Account, taken: int = 0) -> PoolBar:
    """taken: account units that would be."""
    dataset = account.dataset
    if dataset is None:
        return PoolBar("", 0, 0, "")
    name = dataset.name or _text("this dataset")
    return _bar(
        account, _text("Dataset ({0})").format(name), dataset.balance.left, dataset.pool.capacity, taken
    )


def my_bar(account: Account, taken: int = 0) -> PoolBar:
    name = _text("Mine ({0})").format(account.user)
    if account.mine is None:
        return PoolBar(name, 0, 0, _text("no share yet"))
    return _bar(account, name, account.mine.balance.left, account.mine.total, taken)


def left_in_words(pool: Pool) -> str:
    """What “left” means: in a ρ-pool ε of several releases do not simply add up."""
    if pool.kind is Kind.EPSILON:
        return _text("Left is what was there less the ε of every release.")
    return _text(
        "Left is the largest single request that could still be paid. Several tables together disclose less "
        "than the sum of their ε: of ε 1, a request of 0.4 leaves about 0.9 and not 0.6."
    )


def practice_in_words(ledger: str) -> str:
    """What a practice budget is, and where."""
    return _text("A practice budget, in a ledger of its own at {0}: nothing real is spent.").format(ledger)


def anything_spent(account: Account) -> bool:
    """Whether “left” is no longer all there was, so that it wants an explanation."""
    return account.dataset is not None and account.dataset.balance.left < account.dataset.pool.capacity


def _bar(account: Account, name: str, left: int, whole: int, taken: int) -> PoolBar:
    assert account.dataset is not None
    pool = account.dataset.pool
    said = _text("ε {0} left of {1}") if not taken else _text("ε {0} left afterwards of {1}")
    words = said.format(
        budget_words.epsilon(pool.epsilon_left(left - taken)),
        budget_words.epsilon(pool.epsilon_left(whole)),
    )
    return PoolBar(name, left / whole if whole else 0, taken / whole if whole else 0, words)


def note_on(account: Account, practice: str | None) -> str:
    """What to know of an account's bars; ``practice``: the address of the practice ledger they are of."""
    notes = [] if practice is None else [practice_in_words(practice)]
    if account.dataset is not None and anything_spent(account):
        notes.append(left_in_words(account.dataset.pool))
    return " ".join(notes)
