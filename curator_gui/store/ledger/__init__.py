"""The privacy-budget ledger: pools that are debited in one transaction each, before any noise is drawn.

    ledger = init_ledger(url)                       # once; open_ledger(url) afterwards
    content = content_digest(table)                 # what makes a file this dataset
    dataset = ledger.create_pool(content, epsilon="1", delta=1e-9, size=21_574)
    ledger.grant(dataset.id, "ada", per_request="0.5", total="0.8")

    request = Request.of(dataset.id, content, "0.3", accept_less=False)
    preview = ledger.preview(request)               # a Decision; spends nothing
    request = request.accepting(preview)            # where the user agrees to a smaller amount
    decision = ledger.charge(request)               # committed and read back, or CuratorError
    …measure with at most decision.usable_rho, fit, sample, write…
    ledger.mark_released(decision, sha256_of_the_file)

    ledger.pools(), ledger.users(id), ledger.limits(id), ledger.history(id), ledger.pool_of(content)
    ledger.audit(anchors)                           # anchors: decision.anchor() kept in every manifest

A url is a path or ``sqlite:///path``, or ``postgresql://user@host/database``. Whoever opens the ledger is who
is charged: the operating-system account on SQLite, the session's role on PostgreSQL.

This package imports SQLAlchemy; import it where a ledger is opened, not at start-up.
"""

from curator_gui.store.ledger.audit import Anchor, Audit, Finding, PoolAudit, read_anchors
from curator_gui.store.ledger.chain import Entry, Event
from curator_gui.store.ledger.decision import Dataset, Decision, Limits, Request, RequestRefusedError
from curator_gui.store.ledger.fingerprint import content_digest
from curator_gui.store.ledger.ledger import Ledger
from curator_gui.store.ledger.opening import init_ledger, open_ledger
from curator_gui.store.ledger.problems import LedgerBusyError, LedgerUnavailableError, OutcomeUnknownError

__all__ = [
    "Anchor",
    "Audit",
    "Dataset",
    "Decision",
    "Entry",
    "Event",
    "Finding",
    "Ledger",
    "LedgerBusyError",
    "LedgerUnavailableError",
    "Limits",
    "OutcomeUnknownError",
    "PoolAudit",
    "Request",
    "RequestRefusedError",
    "content_digest",
    "init_ledger",
    "open_ledger",
    "read_anchors",
]
