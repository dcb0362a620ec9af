"""``synthesize``: a customized synthetic table, charged to the ledger."""

from __future__ import annotations

import argparse
import csv
import os
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_gui.budget.amounts import EPSILON, epsilon_text
from curator_gui.cli.ledger_documents import decision_document
from curator_gui.cli.output import Output
from curator_gui.cli.release import replaces
from curator_gui.core.errors import Cancelled, CuratorError, FileError, IdentifierError, InputError
from curator_gui.core.table import quoted
from curator_gui.session import Session
from curator_gui.store.ledger_place import default_ledger
from curator_gui.synthesis import MECHANISMS, Domain, Unit, in_words
from curator_gui.synthesis.domain import ColumnDomain
from curator_gui.synthesizing import (
    Exported,
    Made,
    Order,
    Origin,
    Preview,
    choosable_columns,
    domain_between,
    domain_for,
    export,
    moved_errors,
    plan_queries,
    preview,
    read_domain_file,
    require_exportable,
    run,
)

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger

REFUSED = 4
INTERRUPTED = 130
_PLAN_QUERIES = "plan"


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "synthesize", parents=[common], help="a customized synthetic table, charged to the privacy budget"
    )
    parser.add_argument("session", type=Path, metavar="SESSION")
    parser.add_argument("--epsilon", required=True, metavar="E", help="the privacy budget to ask for")
    parser.add_argument("--out", type=Path, metavar="FILE", help=".csv, .tsv, .parquet, .xlsx or .dta")
    parser.add_argument("--replace", action="store_true", help="write over a file that is there already")
    parser.add_argument("--preview", action="store_true", help="say what would be approved; spends nothing")
    parser.add_argument("--accept-less", action="store_true", help="go on if less than E is approved")
    parser.add_argument("--ledger", metavar="URL", help="by default a file of your account's")
    _add_choices(parser)
    parser.set_defaults(run=run_synthesize)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mechanism", default=MECHANISMS[0], metavar="M", help=", ".join(MECHANISMS))
    parser.add_argument(
        "--interest",
        action="append",
        default=[],
        metavar='"a,b"',
        help="columns whose joint counts matter to you; “plan” for all pairs of the plan's columns",
    )
    parser.add_argument("--workload", action="append", metavar='"a,b"', help="instead of all pairs")
    parser.add_argument("--priority", default="0.3", metavar="B", help="0 to 1: their share of the budget")
    parser.add_argument("--domain", type=Path, metavar="FILE", help="a data dictionary, JSON or CSV")
    parser.add_argument(
        "--between",
        action="append",
        default=[],
        metavar='"a,first,last"',
        help="what a column may hold, by its ladder from one end to the other",
    )
    parser.add_argument("--columns", metavar='"a,b,…"', help="by default those of --domain, or all shown")
    parser.add_argument(
        "--keep-identifier", action="append", default=[], metavar="COLUMN", help="synthesize it on purpose"
    )
    parser.add_argument("--rows", type=int, metavar="N", help="by default the noisy total")
    parser.add_argument("--source", action="store_true", help="the table as opened, without the plan")
    parser.add_argument("--key", metavar="COLUMN", help="protect all rows that share a value of it")
    parser.add_argument("--rows-each", type=int, metavar="N", help="use at most so many rows for each key")


def run_synthesize(arguments: argparse.Namespace, output: Output) -> int:
    """Preview; then, unless that is all that was asked for, charge, make and export."""
    if arguments.out is None and not arguments.preview:
        raise InputError("Name the file to write with --out, or use --preview, which spends nothing.")
    session = Session.load(arguments.session, progress=output.progress)
    order = order_of(arguments, session)
    ledger = opened_ledger(arguments.ledger)
    shown = _previewed(session, ledger, order, arguments)
    if arguments.preview:
        return _say_preview(shown, order, output)
    _require_writable(arguments, session, ledger)
    for warning in shown.warnings:
        output.say(warning)
    made = _made(session, ledger, order, shown, output)
    if made is None:
        return INTERRUPTED
    try:
        replaced = replaces(arguments.out, arguments.replace)  # a file may have come meanwhile
        exported = export(
            made, arguments.out, session, ledger, output.progress, replace_manifest=arguments.replace
        )
    except FileError as error:
        return _kept_instead(made, error, session, ledger, output)
    _save(session, arguments.session, output)  # first: whoever reads the report may go away
    _report(made, exported, output, replaced=replaced)
    return 0


def _previewed(session: Session, ledger: Ledger, order: Order, arguments: argparse.Namespace) -> Preview:
    try:
        return preview(session, ledger, order, accept_less=arguments.accept_less)
    except IdentifierError as error:
        options = " ".join(f"--keep-identifier {shlex.quote(name)}" for name in error.columns)
        them = "it" if len(error.columns) == 1 else "them"
        raise InputError(
            f"{error.fact}; leave {them} out, or keep {them} on purpose with {options}."
        ) from None


def _require_writable(arguments: argparse.Namespace, session: Session, ledger: Ledger) -> None:
    """FileError, before anything is charged, where --out may not be written."""
    allowed = arguments.replace
    require_exportable(arguments.out, session, ledger, dictionary=arguments.domain, replace_manifest=allowed)
    replaces(arguments.out, allowed)


def order_of(arguments: argparse.Namespace, session: Session) -> Order:
    """What the options ask for."""
    origin: Origin = "source" if arguments.source else "prepared"
    declared = read_domain_file(arguments.domain).columns if arguments.domain else ()
    if arguments.columns is not None:
        columns = _names(arguments.columns)
        if not any(columns):
            raise InputError("--columns names no column; give one or more, or leave the option out.")
    else:
        columns = tuple(c.name for c in declared) or choosable_columns(session, origin)
    between = tuple(_between(text, session, origin) for text in arguments.between)
    if unused := [c.name for c in between if c.name not in columns]:
        raise InputError(f"--between names {quoted(unused)}, which --columns or --domain leaves out.")
    declared += between
    return Order(
        domain_for(session, origin, columns, Domain(declared) if declared else None),
        arguments.epsilon,
        _queries(arguments.interest, session, columns),
        None if arguments.workload is None else tuple(_names(q) for q in arguments.workload),
        arguments.mechanism,
        _share(arguments.priority),
        arguments.rows,
        origin,
        _unit(arguments, session),
        keep_identifiers=tuple(arguments.keep_identifier),
    )


def opened_ledger(url: str | None) -> Ledger:
    """The ledger at an address, or the account's own."""
    from curator_gui.store.ledger import open_ledger  # heavy: SQLAlchemy

    return open_ledger(str(_default()) if url is None else url)


def _default() -> Path:
    return default_ledger(Path.home(), os.environ, sys.platform)


def _queries(texts: list[str], session: Session, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    queries: list[tuple[str, ...]] = []
    for text in texts:
        if text == _PLAN_QUERIES and text not in columns:
            queries.extend(plan_queries(session, columns))
        else:
            queries.append(_names(text))
    return tuple(dict.fromkeys(queries))


def _names(text: str) -> tuple[str, ...]:
    """Names between commas; one that holds a comma is put in double quotes."""
    (row,) = csv.reader([text], skipinitialspace=True) if text.strip() else ([],)
    return tuple(name.strip() for name in row)


def _between(text: str, session: Session, origin: Origin) -> ColumnDomain:
    match _names(text):
        case (name, first, last):
            return domain_between(session, origin, name, first, last)
    raise InputError(f"--between “{text}” needs a column, its first and its last value, with commas between.")


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"The priority is “{text}”; give a number from 0 to 1.") from None


def _unit(arguments: argparse.Namespace, session: Session) -> Unit | None:
    if (arguments.key is None) != (arguments.rows_each is None):
        raise InputError("--key and --rows-each belong together: a column, and how many rows of each value.")
    if arguments.key is None:
        return None
    session.table[arguments.key]
    return Unit(arguments.key, arguments.rows_each)


def _say_preview(shown: Preview, order: Order, output: Output) -> int:
    """What would be approved, and what to expect of it."""
    decision = shown.decision
    asked = decision.requested / EPSILON
    moves = moved_errors(
        order,
        decision.delta,
        epsilons=(asked / 2, asked, asked * 2),
        priorities=sorted({0.1, order.priority, 0.6}),
        declared_rows=shown.dataset.size,
    )
    output.document(
        {
            "format": "curation-synthesis-preview/1",
            **decision_document(decision),
            "mechanism": order.mechanism,
            "priority": order.priority,
            "columns": [
                {"name": c.name, "size": c.size, "provenance": c.provenance} for c in order.domain.columns
            ],
            "expected_errors": [asdict(e) for e in shown.errors],
            "moves": [asdict(m) for m in moves],
            "warnings": list(shown.warnings),
        }
    )
    output.say(decision.sentence())
    for line in expected_lines(shown):
        output.say(line)
    for warning in shown.warnings:
        output.say(warning)
    return REFUSED if decision.refused else 0


def expected_lines(shown: Preview) -> list[str]:
    """The error to expect of each interest query, in words."""
    lines = []
    for error in shown.errors:
        name = " × ".join(error.columns)
        if error.rows is None:
            lines.append(f"  {name}: not measured by itself over {error.cells} cells, but like the rest")
            continue
        share = "" if error.share is None else f", {error.share:.2%} of the declared size"
        lines.append(f"  {name}: about {error.rows:.3g} records off over {error.cells} cells{share}")
    return lines


def _made(session: Session, ledger: Ledger, order: Order, shown: Preview, output: Output) -> Made | None:
    """The table; None where the user interrupted, which is said with what it cost."""
    try:
        return run(session, ledger, order, shown.request, in_words(output.progress))
    except Cancelled as error:
        sentence = str(error)
    except KeyboardInterrupt:
        sentence = (
            f"Interrupted; “ledger list {shown.request.pool}” says whether request {shown.request.id} was "
            "charged."
        )
    output.document({"error": sentence})
    output.error(sentence)
    return None


def _kept_instead(made: Made, error: FileError, session: Session, ledger: Ledger, output: Output) -> int:
    """A table that was paid for is kept among the account's data where it cannot go where it was meant to."""
    folder = _default().parent / "synthetic"
    name = f"{made.decision.pool}-{made.decision.entry}.csv"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        exported = export(made, folder / name, session, ledger)
    except (OSError, CuratorError):
        output.document({"error": str(error)})
        output.error(f"{error} It could not be kept in {folder} either, and is lost when this program ends.")
        return FileError.exit_status
    sentence = f"{error} Until then it is, with its manifest, at {exported.path}."
    output.document({"error": sentence, "kept": str(exported.path)})
    output.error(sentence)
    if session.path is not None:
        _save(session, session.path, output)
    return FileError.exit_status


def _save(session: Session, path: Path, output: Output) -> None:
    try:
        session.save(path)
    except CuratorError as error:
        output.error(f"Exported, but the session could not record it: {error}")


def _report(made: Made, exported: Exported, output: Output, *, replaced: bool) -> None:
    decision = made.decision
    output.say(decision.sentence())
    output.say(
        f"Exported {_counted(exported.rows, 'synthetic record')} and "
        f"{_counted(len(made.table.columns), 'column')} to {exported.path}"
        f"{', in the place of the file that was there' if replaced else ''}; "
        f"the manifest is {exported.external_path.name}."
    )
    if exported.internal_path is not None:
        output.say(f"Your own record of it, not to be passed on, is {exported.internal_path}.")
    output.say(f"Left for you: ε {epsilon_text(decision.user_left)}.")
    for warning in exported.warnings:
        output.error(warning)
    output.document(
        {
            "format": "curation-synthesized/1",
            **decision_document(decision),
            "file": str(exported.path),
            "sha256": exported.sha256,
            "rows": exported.rows,
            "columns": list(made.order.domain.names),
            "mechanism": made.order.mechanism,
            "manifest": str(exported.external_path),
            "replaced": replaced,
            "internal_manifest": None if exported.internal_path is None else str(exported.internal_path),
            "expected_errors": [asdict(e) for e in made.errors],
            "warnings": [*made.warnings, *exported.warnings],
        }
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
