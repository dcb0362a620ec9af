"""The views an outsider may know a column through, as a list to choose from. No Qt here."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Source
from curator_gui.core.view import Bins, Identity, Level, Prefix, View, describe_view

_LONGEST_PREFIX = 6


def view_choices(source: Source, name: str, current: View | None = None) -> list[View]:
    """The value itself, each level of the column's ladder, and prefixes of texts; ``current`` among them."""
    column, ladder = source.table[name], source.hierarchies.get(name)
    choices: list[View] = [Identity()]
    choices += [Level(k) for k in range(1, ladder.height + 1 if ladder else 0)]
    if not (column.type.is_number or column.type.is_date):
        longest = max((len(v) for v in column.values if v is not None), default=0)
        choices += [Prefix(n) for n in range(min(longest - 1, _LONGEST_PREFIX), 0, -1)]
    if current is not None and current not in choices:
        choices.append(current)
    return choices


def view_words(source: Source, name: str, view: View) -> str:
    """A view as a line of the list."""
    words = describe_view(view, source.hierarchies.get(name))
    return f"first {words}" if isinstance(view, Prefix) else words


def read_bins(text: str) -> Bins:
    """Bins from edges such as "18, 40, 65". InputError or ViewError says what was wrong."""
    parts = [p for p in text.replace(";", ",").split(",") if p.strip()]
    try:
        return Bins(tuple(Decimal(p.strip()) for p in parts))
    except InvalidOperation:
        raise InputError(f"“{text}” are no edges; write rising numbers, such as 18, 40, 65.") from None
