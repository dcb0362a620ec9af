"""What the guarantee of a synthetic table does not cover, said before it is paid for and in its reports."""

from __future__ import annotations

from curator_gui.core.table import quoted
from curator_gui.session import Session
from curator_gui.synthesizing.identifiers import identifiers_of
from curator_gui.synthesizing.order import Order


def order_warnings(session: Session, order: Order) -> tuple[str, ...]:
    """Sentences; none of them depends on a row, but by what the session released or proposed before."""
    found = [protects(order)]
    if order.domain.proposed:
        found.append(
            f"The domain of {quoted(order.domain.proposed)} is proposed from the data, which is outside the "
            "guarantee; declare it by a ladder, bounds or a data dictionary."
        )
    if order.origin == "prepared" and session.current_plan:
        found.append("That the plan was chosen by looking at the data is outside the guarantee.")
    if session.record.releases:
        found.append(
            "A curated table was released from the same source; what it discloses is outside the guarantee."
        )
    if kept := identifiers_of(session, order):
        which = "The identifier" if len(kept) == 1 else "The identifiers"
        found.append(f"{which} {quoted(kept)} {'is' if len(kept) == 1 else 'are'} synthesized on purpose.")
    return tuple(found)


def protects(order: Order) -> str:
    """Whom the guarantee protects, in a sentence."""
    if order.unit is None:
        return "It protects one record, not one person."
    return (
        f"It protects all records of one “{order.unit.key}”, of which at most {order.unit.bound} are used; "
        f"noise is calibrated to that many."
    )
