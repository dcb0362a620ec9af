"""What the window says of a column: its type, roles, view, ladder and weight. No Qt here but for words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from PySide6.QtCore import QCoreApplication

from curator_gui.core.column_type import Kind
from curator_gui.core.decimals import number_text
from curator_gui.core.hierarchy import Hierarchy, Rung
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.protection import EachValue, Protection
from curator_gui.core.view import Identity, Level, Width, describe_view
from curator_gui.core.view import Prefix as FirstCharacters
from curator_gui.session import Session


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column of the source. ``view``: how it is shown now, "" as it is, None where it was dropped.
    ``brief_view``: the same where room is short."""

    name: str
    kind: Kind
    is_visible: bool
    is_secret: bool
    is_identifier: bool
    view: str | None
    brief_view: str
    ladder: str
    weight: float

    @property
    def is_dropped(self) -> bool:
        return self.view is None

    @property
    def roles(self) -> str:
        """The roles in words, "" for an ordinary column."""
        words = [
            _tr("visible") if self.is_visible else "",
            _tr("secret") if self.is_secret else "",
            _tr("identifier") if self.is_identifier else "",
        ]
        return ", ".join(w for w in words if w)

    @property
    def view_words(self) -> str:
        """The current view in words, never empty."""
        if self.view is None:
            return _tr("dropped")
        return self.view or _tr("as it is")

    @property
    def sentence(self) -> str:
        """Everything in a line, for tooltips and screen readers."""
        parts = [kind_words(self.kind), self.roles, self.view_words]
        return f"{self.name}: {', '.join(p for p in parts if p)}"


def facts_of(session: Session, prefix: Prefix) -> tuple[ColumnFacts, ...]:
    """The facts of every source column, its view as of a prefix."""
    record, shown = session.record, {s.name: s for s in prefix.shown}
    visible = {v.column for v in record.protection.visible}
    secret = secret_columns(record.protection)
    return tuple(
        ColumnFacts(
            column.name,
            column.type.kind,
            column.name in visible,
            column.name in secret,
            record.roles.get(column.name) == "identifier",
            _view_words(shown, column.name, record.hierarchies),
            _brief_view(shown, column.name, record.hierarchies),
            ladder_words(record.hierarchies.get(column.name)),
            record.weights.get(column.name, 1.0),
        )
        for column in session.table.columns
    )


def secret_columns(protection: Protection) -> frozenset[str]:
    """The columns that a secret reads."""
    found: set[str] = set()
    for secret in protection.secrets:
        found |= {secret.column} if isinstance(secret, EachValue) else secret.where.columns
    return frozenset(found)


def ladder_words(ladder: Hierarchy | None) -> str:
    """A ladder at a glance: "10 · 20 · *"; "" for none."""
    return "" if ladder is None else " · ".join(map(_brief_rung, ladder.levels))


def _brief_rung(rung: Rung) -> str:
    match rung:
        case Width(width, origin) if not origin:
            return _width_text(width)
        case FirstCharacters(length):
            return str(length)
        case _:
            return describe_view(rung, None)


@cache
def _width_text(width: Decimal) -> str:
    """Remembered: thousands of columns have the same few widths."""
    return number_text(width)


def kind_words(kind: Kind) -> str:
    """A column type as people say it."""
    words: dict[Kind, str] = {
        "text": _tr("text"),
        "code": _tr("code"),
        "category": _tr("category"),
        "integer": _tr("whole number"),
        "decimal": _tr("decimal number"),
        "date": _tr("date"),
        "datetime": _tr("date and time"),
    }
    return words[kind]


def _view_words(shown: Mapping[str, Shown], name: str, ladders: Mapping[str, Hierarchy]) -> str | None:
    if name not in shown:
        return None
    view = shown[name].view
    return "" if isinstance(view, Identity) else describe_view(view, ladders.get(name))


def _brief_view(shown: Mapping[str, Shown], name: str, ladders: Mapping[str, Hierarchy]) -> str:
    if name not in shown:
        return _tr("dropped")
    view, ladder = shown[name].view, ladders.get(name)
    if isinstance(view, Identity):
        return ""
    if isinstance(view, Level) and ladder is not None:
        view = ladder.view(view.level)
    return describe_view(view, None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("column_facts", text)
