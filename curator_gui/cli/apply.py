"""``apply``: a session's plan again, on refreshed data, scored afresh."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from curator_gui.cli.output import Output
from curator_gui.cli.release import add_writing, report, telling_the_end, write
from curator_gui.core.errors import InputError, OverBudgetError
from curator_gui.core.operators import Project
from curator_gui.core.table import quoted
from curator_gui.session import Session
from curator_gui.store.refresh import changed_rows
from curator_gui.store.session_source import reader_of


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the subcommand."""
    apply = subparsers.add_parser(
        "apply", parents=[common], help="run the plan again on refreshed data, scored afresh"
    )
    apply.add_argument("session", type=Path, metavar="SESSION")
    apply.add_argument("--data", type=Path, required=True, metavar="NEW")
    add_writing(apply)
    apply.add_argument(
        "--keep-new",
        action="append",
        default=[],
        metavar="COLUMN",
        help="release this column, which the session has never seen",
    )
    apply.add_argument(
        "--drop-new", action="store_true", help="leave out all other columns the session has never seen"
    )
    apply.set_defaults(run=run_apply)


def run_apply(arguments: argparse.Namespace, output: Output) -> int:
    """Score the whole plan on the new data; write it only where it is within the budget."""
    with telling_the_end(arguments.out):
        session = Session.load(arguments.session, data=arguments.data, progress=output.progress)
        session.go_to(len(session.plan))
        _settle_new_columns(session, arguments)
        try:
            released, replaced = write(session, arguments, output, save=not session.on_other_data)
        except OverBudgetError as error:
            _explain_block(session, error, output)
            return error.exit_status
        report(released, output, replaced=replaced, listed=not session.on_other_data)
        output.say(_listed(session, arguments))
    return 0


def _listed(session: Session, arguments: argparse.Namespace) -> str:
    """Whether the session remembers the release, which an accumulating observer would know."""
    if not session.on_other_data:
        return f"The session {arguments.session} was updated: it lists this release."
    return (
        f"The session does not list this release: “{arguments.data.name}” is other data than its own, so "
        "later releases of it are not held against this one."
    )


def _settle_new_columns(session: Session, arguments: argparse.Namespace) -> None:
    """Columns nobody has looked at leave only by name; else they are dropped, or the whole is refused."""
    named = {*arguments.keep_new, *arguments.keep_identifier}
    for name in arguments.keep_new:
        session.table[name]
    new = tuple(n for n in session.new_columns() if n not in named)
    if new and arguments.drop_new:
        session.commit(Project(new))
    elif new:
        raise InputError(
            f"“{arguments.data.name}” has columns the session has never seen, {quoted(new)}; leave them out "
            "with --drop-new, or release each on purpose with --keep-new COLUMN."
        )


def _explain_block(session: Session, error: OverBudgetError, output: Output) -> None:
    """Name the worst target and the company it lost, and which of these rows are new or changed."""
    blocked = session.why_blocked()
    key = session.record.key
    old = session.path.parent / session.record.source.path if session.path else None
    changes = None
    if key is not None and old is not None and old.is_file():
        reader = reader_of(session.record, old)
        changes = changed_rows(old, reader, session.table, key, session.record.missing)
    said = f"{error.fact}; coarsen further in the session, save it and apply it again."
    sentences = [said, blocked.sentence, *(a.sentence for a in blocked.absent)]
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
            "error": said,
            "worst": {"target": blocked.target, "secret": blocked.secret},
            "absent": absent,
            "alphas_before": list(session.record.last_scored.alphas) if session.record.last_scored else None,
        }
    )
    for sentence in sentences:
        output.error(sentence)
