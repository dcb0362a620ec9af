"""A customized synthetic table of a session's data, for the window and the command line alike. No Qt here.

    columns = choosable_columns(session, "prepared")        # "source": the table as opened
    declared = read_domain_file(path)                       # or typed_values, typed_numbers, typed_dates
    domain = domain_for(session, "prepared", columns, declared)   # ladders next, last the data with a warning
    order = Order(domain, "0.3", interest=plan_queries(session, columns))

    content = content_of(session)                           # once; previews are quick with it
    shown = preview(session, ledger, order, content=content)     # decision, pool, errors, warnings; free
    moved_errors(order, shown.decision.delta, epsilons=…, priorities=…)
    request = shown.request.accepting(shown.decision)       # where the user agrees to a smaller amount

    made = run(session, ledger, order, request, progress)   # charges, then measures in a child process
    export(made, path, session, ledger)                     # table, manifests, ledger, session's record
    compare(session, made)                                  # beside the real table: outside the guarantee

``progress`` may raise Cancelled at any call. Until the charge that costs nothing and Cancelled comes out;
after it CancelledAfterCharge does, and the charge stays. ``run`` tells its progress a ``Stage``: the phase
and, in a round, what was selected; ``done`` is 0.95 of the share of ρ that is spent. From the phase CHARGED
on the budget is gone.
"""

from curator_gui.synthesizing.comparison import Comparison, compare
from curator_gui.synthesizing.destination import require_exportable
from curator_gui.synthesizing.domains import (
    code_labels,
    column_domain,
    domain_between,
    domain_for,
    open_ladder_of,
    read_domain_file,
)
from curator_gui.synthesizing.export import Exported, export
from curator_gui.synthesizing.ladder_domains import OpenLadder
from curator_gui.synthesizing.order import Move, Order, QueryError, moved_errors, plan_queries, query_errors
from curator_gui.synthesizing.run import (
    CancelledAfterCharge,
    ChargedError,
    Made,
    Preview,
    content_of,
    preview,
    request_for,
    run,
)
from curator_gui.synthesizing.source import Origin, choosable_columns, require_per_row
from curator_gui.synthesizing.typed_domains import (
    typed_dates,
    typed_integers,
    typed_numbers,
    typed_values,
)
from curator_gui.synthesizing.warnings import order_warnings, protects

__all__ = [
    "CancelledAfterCharge",
    "ChargedError",
    "Comparison",
    "Exported",
    "Made",
    "Move",
    "OpenLadder",
    "Order",
    "Origin",
    "Preview",
    "QueryError",
    "choosable_columns",
    "code_labels",
    "column_domain",
    "compare",
    "content_of",
    "domain_between",
    "domain_for",
    "export",
    "moved_errors",
    "open_ladder_of",
    "order_warnings",
    "plan_queries",
    "preview",
    "protects",
    "query_errors",
    "read_domain_file",
    "request_for",
    "require_exportable",
    "require_per_row",
    "run",
    "typed_dates",
    "typed_integers",
    "typed_numbers",
    "typed_values",
]
