"""The subcommands' parser and the edge where errors become one sentence and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from curator_gui import __version__
from curator_gui.cli.output import Output
from curator_gui.core.errors import CuratorError

INTERRUPTED = 130
FAMILIES = {
    "demo": "demo",
    "score": "score",
    "candidates": "score",
    "apply": "release",
    "release": "release",
    "synthesize": "synthesize",
    "ledger": "ledger",
    "experiments": "experiments",
}
"""The module of each subcommand. Only the one that is asked for is loaded: some take half a second."""


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one subcommand, or of all where it is none of them."""
    parser = argparse.ArgumentParser(
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
    parser = make_parser(argv[0] if argv else None)
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 2
    output = Output(getattr(arguments, "json", False))
    try:
        status: int = arguments.run(arguments, output)
    except CuratorError as error:
        output.document({"error": str(error)})
        output.error(str(error))
        return error.exit_status
    except KeyboardInterrupt:
        output.error("Interrupted; nothing was written.")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        output.error("The table does not fit into memory; close other programs or use a smaller extract.")
        return 1
    except Exception as error:  # noqa: BLE001 - the edge of main: a person gets a sentence, never a traceback
        output.document({"error": defect(error)})
        output.error(defect(error))
        return 1
    return status


def defect(error: Exception) -> str:
    """An error of the program in one sentence: its kind and place, without a word of the data."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"The program failed ({type(error).__name__} at {Path(place.filename).name}:{place.lineno}); please "
        "report this with what you did."
    )
