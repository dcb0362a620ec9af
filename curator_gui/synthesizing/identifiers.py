"""Identifiers among what is to be synthesized: refused, unless each is named on purpose."""

from __future__ import annotations

from curator_gui.core.errors import IdentifierError
from curator_gui.core.table import quoted
from curator_gui.session import Session
from curator_gui.synthesizing.order import Order


def identifiers_of(session: Session, order: Order) -> tuple[str, ...]:
    """The columns of an order that the session, or their name and values, say are identifiers."""
    return tuple(n for n in order.domain.names if session.is_identifier(n))


def require_no_identifier(session: Session, order: Order) -> None:
    """IdentifierError for those that the order does not keep by name: their values would be published."""
    found = tuple(n for n in identifiers_of(session, order) if n not in order.keep_identifiers)
    if found:
        which = "identifier" if len(found) == 1 else "identifiers"
        raise IdentifierError(
            f"The {which} {quoted(found)} would be synthesized, and {'its' if len(found) == 1 else 'their'} "
            "values published",
            "leave it out, or keep it by name on purpose" if len(found) == 1 else "leave them out",
            columns=found,
        )
