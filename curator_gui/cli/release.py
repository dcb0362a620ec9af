"""``release``: the curated table and its two manifests. What it shares with ``apply`` is here, too."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curator_gui.cli.interruption import Interrupted
from curator_gui.cli.output import Output, StdoutError
from curator_gui.cli.score_text import counted
from curator_gui.core.errors import FileError, IdentifierError, InputError, OverBudgetError
from curator_gui.session import Session
from curator_gui.store.release import Released, is_release


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the subcommand."""
    release = subparsers.add_parser(
        "release", parents=[common], help="write the curated table and its two manifests"
    )
    release.add_argument("session", type=Path, metavar="SESSION")
    add_writing(release)
    release.add_argument(
        "--over-budget", metavar="REASON", help="release above the budget, for this reason, which is recorded"
    )
    release.set_defaults(run=run_release)


def add_writing(parser: argparse.ArgumentParser) -> None:
    """What is written, where and how."""
    parser.add_argument(
        "--out", type=_file, required=True, metavar="FILE", help=".csv, .tsv, .parquet, .xlsx or .dta"
    )
    parser.add_argument(
        "--replace", action="store_true", help="write over a file that is no release of this program's"
    )
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


def _file(text: str) -> Path:
    if text.endswith(("/", os.sep)):  # which a path would forget
        raise argparse.ArgumentTypeError(f"“{text}” is a folder; give the name of a file in it")
    return Path(text)


def run_release(arguments: argparse.Namespace, output: Output) -> int:
    """Release the prefix the session stands at, and record it in the session file."""
    with telling_the_end(arguments.out):
        session = Session.load(arguments.session, progress=output.progress)
        try:
            released, replaced = write(
                session, arguments, output, over_budget=arguments.over_budget, save=True
            )
        except OverBudgetError as error:
            raise OverBudgetError(
                error.fact, "coarsen further, or release it all the same with --over-budget REASON"
            ) from None
        report(released, output, replaced=replaced, listed=True)
        output.say(f"The session {arguments.session} was updated: it lists this release.")
    return 0


def write(
    session: Session,
    arguments: argparse.Namespace,
    output: Output,
    *,
    over_budget: str | None = None,
    save: bool = False,
) -> tuple[Released, bool]:
    """Release as the options say; and whether an earlier release was replaced."""
    for name in arguments.keep_identifier:
        session.table[name]
    try:
        session.require_releasable(over_budget, arguments.keep_identifier)
        session.require_replaceable(arguments.out)
        replaced = replaces(arguments.out, arguments.replace)
        released = session.release(
            arguments.out,
            over_budget=over_budget,
            keep_identifiers=arguments.keep_identifier,
            keep_order=arguments.keep_order,
            for_spreadsheet=arguments.for_spreadsheet,
            byte_order_mark=arguments.byte_order_mark,
            labels=arguments.labels,
            replace_manifest=arguments.replace,
            save=save,
            progress=output.progress,
        )
    except IdentifierError as error:
        it = "it" if len(error.columns) == 1 else "them"
        options = " ".join(f"--keep-identifier {shlex.quote(name)}" for name in error.columns)
        raise InputError(
            f"{error.fact}; drop {it} in the plan, or keep {it} on purpose with {options}."
        ) from None
    return released, replaced


def replaces(out: Path, allowed: bool) -> bool:
    """Whether there is a file already. FileError where it is none of ours and nobody said it may go."""
    try:
        there = out.is_file()
    except (OSError, ValueError):
        return False  # why it is no name is told when it is written
    if there and not allowed and not is_release(out):
        raise FileError(
            f"“{out}” is there already and is no unchanged release; choose another name, or say --replace."
        )
    return there


@contextmanager
def telling_the_end(out: Path) -> Iterator[None]:
    """Where a signal or a full stdout ends the command, say whether the table was written."""
    before = _identity(out)
    try:
        yield
    except Interrupted as error:
        written = _identity(out) != before
        end = f"“{out}” and its manifests were already written" if written else "nothing was written"
        error.sentence = f"Interrupted; {end}."
        raise
    except StdoutError as error:
        if _identity(out) == before:
            raise
        raise StdoutError(error.reason, f"“{out}” was released, but what to say of it could not be") from None


def _identity(path: Path) -> tuple[int, int] | None:
    """What is another for another file of the same name; None where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns


def report(released: Released, output: Output, *, replaced: bool, listed: bool) -> None:
    """Where it is, where its manifests are, and what to know before it is passed on.

    listed: whether the session file lists the release.
    """
    for warning in released.warnings:
        output.error(warning)
    output.say(
        f"Released {counted(released.rows, 'record')} and {counted(len(released.columns), 'column')} to "
        f"{released.path}"
        f"{', in the place of the file that was there' if replaced else ''}; its manifest is "
        f"{released.external_path.name}."
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
            "replaced": replaced,
            "listed": listed,
            "warnings": list(released.warnings),
        }
    )
