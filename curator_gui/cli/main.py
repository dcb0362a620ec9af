"""The subcommands' parser and the edge where errors become one sentence and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from curator_gui import __version__
from curator_gui.cli import demo, ledger, release, score, synthesize
from curator_gui.cli.output import Output
from curator_gui.core.errors import CuratorError

INTERRUPTED = 130


def make_parser() -> argparse.ArgumentParser:
    """The parser of every subcommand."""
    parser = argparse.ArgumentParser(
        prog="curator-gui",
        description="See what each step of a data preparation gives away, before you commit it.",
        epilog="Without a subcommand the window opens, on FILE if one is given: a table or a session.",
    )
    parser.add_argument("--version", action="version", version=f"Curator {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON documents and nothing else")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for family in (demo, score, release, synthesize, ledger):
        family.register(subparsers, common)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run one subcommand; returns its exit status."""
    parser = make_parser()
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
    return status
