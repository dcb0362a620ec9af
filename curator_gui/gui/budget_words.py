"""Privacy budget for people: ε in four decimals where that is enough, which limit bound, what happened."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.budget.amounts import EPSILON, epsilon_text
from curator_gui.budget.pool import Bound

_SHOWN = EPSILON // 10_000


def _text(source: str) -> str:
    return QCoreApplication.translate("budget", source)


def epsilon(units: int) -> str:
    """ε units as people read them, four decimals at most: 300000001 is "0.3"; tooltips have them all."""
    if 0 < abs(units) < _SHOWN:
        return epsilon_text(units).replace("-", "−")
    return epsilon_text(round(units / _SHOWN) * _SHOWN).replace("-", "−")


def delta(value: float) -> str:
    """δ in powers of ten: "1e-9" is "1·10⁻⁹"."""
    figures, _, power = f"{value:.2e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    figures = figures.rstrip("0").rstrip(".")
    return f"10{raised}" if figures == "1" else f"{figures}·10{raised}"


def limit_name(bound: Bound, user: str) -> str:
    """A limit as the spending screen lists it."""
    return {
        Bound.PER_OPERATION: _text("At most in one operation"),
        Bound.PER_REQUEST: _text("At most in one request by {0}").format(user),
        Bound.DATASET: _text("Left in the dataset's pool"),
        Bound.USER: _text("Left in {0}'s pool").format(user),
        Bound.PROVEN_LOSS: _text("The proven loss of all releases"),
        Bound.NONE: _text("No limit"),
    }[bound]


def reason(bound: Bound, user: str, limit: int) -> str:
    """Why no more is approved, as a part of a sentence. limit: ε units."""
    amount = epsilon(limit)
    empty = limit == 0
    return {
        Bound.PER_OPERATION: _text("no operation may use more than ε {0}").format(amount),
        Bound.PER_REQUEST: _text("{0} may use at most ε {1} a request").format(user, amount),
        Bound.DATASET: _text("the dataset's pool is empty")
        if empty
        else _text("ε {0} is left in the dataset's pool").format(amount),
        Bound.USER: _text("{0}'s pool is empty").format(user)
        if empty
        else _text("ε {0} is left in {1}'s pool").format(amount, user),
        Bound.PROVEN_LOSS: _text("all releases together would disclose more than ε {0}").format(amount),
        Bound.NONE: _text("no limit binds"),
    }[bound]


def event_name(event: str) -> str:
    """What an entry of the ledger records."""
    return {
        "create": _text("Pool created"),
        "attach": _text("Source attached"),
        "grant": _text("Share set"),
        "charge": _text("Charged"),
        "refusal": _text("Refused"),
        "release": _text("Released"),
    }.get(event, event)
