"""The subcommands' parser and the edge where errors become one sentence and an exit status."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from curator_gui import __version__
from curator_gui.cli.interruption import SIGINT_STATUS, Interrupted, interruptible
from curator_gui.cli.output import Output, StdoutError, flush, give_up_stdout, one_line
from curator_gui.core.errors import CuratorError

INTERRUPTED = SIGINT_STATUS
PIPE_CLOSED = 141  # what shells say of a program that ended because its reader went away
FAMILIES = {
    "demo": "demo",
    "score": "score",
    "candidates": "score",
    "apply": "apply",
    "release": "release",
    "synthesize": "synthesize",
    "ledger": "ledger",
    "experiments": "experiments",
}
"""The module of each subcommand. Only the one that is asked for is loaded: some take half a second."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, whatever the arguments hold."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"curator-gui: {one_line(message)}; see “{self.prog} --help”.\n")


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one subcommand, or of all where it is none of them."""
    parser = _Parser(
        prog="curator-gui",
        description="See what each step of a data preparation gives away, before you commit it.",
        epilog="Without a subcommand the window opens, on FILE if one is given: a table or a session.",
    )
    parser.add_argument("--version", action="version", version=f"Curator {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON documents and nothing else")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = [FAMILIES[command]] if command in FAMILIES else dict.fromkeys(FAMILIES.values())
    for family in wanted:
        import_module(f"curator_gui.cli.{family}").register(subparsers, common)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run one subcommand; returns its exit status."""
    try:
        return _run(argv)
    except BrokenPipeError:  # whoever read the output has seen enough
        give_up_stdout()
        return PIPE_CLOSED
    except StdoutError as error:
        give_up_stdout()
        Output(False).error(str(error))
        return error.exit_status
    except KeyboardInterrupt:  # another one, while the first was being told
        return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    parser = make_parser(argv[0] if argv else None)
    try:
        arguments = parser.parse_args(argv)
    except SystemExit:
        flush()
        raise
    if arguments.command is None:
        parser.print_help()
        flush()
        return 2
    with interruptible() as came:
        status = _outcome(arguments, Output(getattr(arguments, "json", False)))
    # A command that tells its interruption itself knows of one signal only.
    return 128 + came[0] if came and status == INTERRUPTED else status


def _outcome(arguments: argparse.Namespace, output: Output) -> int:
    """The exit status; what went wrong is told in one sentence."""
    try:
        status: int = arguments.run(arguments, output)
        return status
    except (BrokenPipeError, StdoutError):
        raise
    except CuratorError as error:
        sentence, status = str(error), error.exit_status
    except KeyboardInterrupt as error:
        sentence = error.sentence if isinstance(error, Interrupted) else "Interrupted."
        status = INTERRUPTED
    except MemoryError:
        sentence = "The table does not fit into memory; close other programs or use a smaller extract."
        status = 1
    except Exception as error:  # noqa: BLE001 - the edge of main: a person gets a sentence, never a traceback
        sentence, status = defect(error), 1
    output.error(sentence)
    output.document({"error": sentence})
    return status


def defect(error: Exception) -> str:
    """An error of the program in one sentence: its kind and place, without a word of the data."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"The program failed ({type(error).__name__} at {Path(place.filename).name}:{place.lineno}); please "
        "report this with what you did."
    )
