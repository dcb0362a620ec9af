"""``release`` writes the curated table; ``apply`` runs a plan again on refreshed data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from curator_gui.cli.output import Output
from curator_gui.core.errors import CuratorError, OverBudgetError
from curator_gui.session import Session, reader_of
from curator_gui.store.refresh import changed_rows
from curator_gui.store.release import Released


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the two subcommands."""
    release = subparsers.add_parser(
        "release", parents=[common], help="write the curated table and its two manifests"
    )
    release.add_argument("session", type=Path, metavar="SESSION")
    _writing(release)
    release.add_argument(
        "--over-budget", metavar="REASON", help="release above the budget, for this reason, which is recorded"
    )
    release.set_defaults(run=run_release)
    apply = subparsers.add_parser(
        "apply", parents=[common], help="run the plan again on refreshed data, scored afresh"
    )
    apply.add_argument("session", type=Path, metavar="SESSION")
    apply.add_argument("--data", type=Path, required=True, metavar="NEW")
    _writing(apply)
    apply.set_defaults(run=run_apply)


def _writing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--keep-identifier", action="append", default=[], metavar="COLUMN", help="release it on purpose"
    )
    parser.add_argument(
        "--for-spreadsheet",
        action="store_true",
        help="put an apostrophe before text cells of delimited files that a spreadsheet would run",
    )
    parser.add_argument(
        "--byte-order-mark", action="store_true", help="begin UTF-8 text with a mark, as Excel wants it"
    )
    parser.add_argument(
        "--labels",
        choices=("as shown", "codes", "labels", "both"),
        default="as shown",
        help="what the values of a labelled source say",
    )
    parser.add_argument(
        "--keep-order", action="store_true", help="keep the source's order, which can give people away"
    )


def run_release(arguments: argparse.Namespace, output: Output) -> int:
    """Release the prefix the session stands at."""
    session = Session.load(arguments.session, progress=output.progress)
    released = session.release(
        arguments.out,
        over_budget=arguments.over_budget,
        keep_identifiers=arguments.keep_identifier,
        keep_order=arguments.keep_order,
        for_spreadsheet=arguments.for_spreadsheet,
        byte_order_mark=arguments.byte_order_mark,
        labels=arguments.labels,
        progress=output.progress,
    )
    _report(released, output)
    try:
        session.save(arguments.session)
    except CuratorError as error:
        output.error(f"Released, but the session could not record it: {error}")
    return 0


def run_apply(arguments: argparse.Namespace, output: Output) -> int:
    """Score the whole plan on the new data; write it only where it is within the budget."""
    session = Session.load(arguments.session, data=arguments.data, progress=output.progress)
    session.go_to(len(session.plan))
    try:
        session.require_releasable(None, arguments.keep_identifier)
    except OverBudgetError as error:
        _explain_block(session, error, output)
        return error.exit_status
    released = session.release(
        arguments.out,
        keep_identifiers=arguments.keep_identifier,
        keep_order=arguments.keep_order,
        for_spreadsheet=arguments.for_spreadsheet,
        byte_order_mark=arguments.byte_order_mark,
        labels=arguments.labels,
        progress=output.progress,
    )
    _report(released, output)
    return 0


def _explain_block(session: Session, error: OverBudgetError, output: Output) -> None:
    """Name the worst target and the company it lost, and which of these rows are new or changed."""
    blocked = session.why_blocked()
    key = session.record.key
    old = session.path.parent / session.record.source.path if session.path else None
    changes = None
    if key is not None and old is not None and old.is_file():
        reader = reader_of(session.record, old)
        changes = changed_rows(old, reader, session.table, key, session.record.missing)
    sentences = [str(error), blocked.sentence, *(a.sentence for a in blocked.absent)]
    absent = []
    for row in blocked.absent:
        entry: dict[str, Any] = {"row": row.row, "step": row.step, "differs_in": list(row.columns)}
        if changes is not None:
            entry["new"], entry["changed"] = row.row in changes.new, row.row in changes.changed
            if entry["new"] or entry["changed"]:
                word = "new" if entry["new"] else "changed"
                sentences.append(f"Record {row.row + 1} is {word} since the session was saved.")
        absent.append(entry)
    output.document(
        {
            "error": str(error),
            "worst": {"target": blocked.target, "secret": blocked.secret},
            "absent": absent,
            "alphas_before": list(session.record.last_scored.alphas) if session.record.last_scored else None,
        }
    )
    for sentence in sentences:
        output.error(sentence)


def _report(released: Released, output: Output) -> None:
    output.say(
        f"Released {released.rows} records and {len(released.columns)} columns to {released.path}; its "
        f"manifest is {released.external_path.name}."
    )
    if released.internal_path is not None:
        output.say(f"Your own record of it, not to be passed on, is {released.internal_path}.")
    output.document(
        {
            "format": "curation-released/1",
            "file": str(released.path),
            "sha256": released.sha256,
            "rows": released.rows,
            "columns": list(released.columns),
            "manifest": str(released.external_path),
            "internal_manifest": None if released.internal_path is None else str(released.internal_path),
        }
    )
