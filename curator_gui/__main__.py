"""The entry point: chooses the door. The command line never imports Qt."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

COMMANDS = frozenset(
    {"demo", "score", "candidates", "apply", "release", "synthesize", "ledger", "experiments"}
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, or the window where no subcommand is given."""
    if argv is None:
        _settle()
    from curator_gui.display import missing_display  # only now does Ctrl+C end an import without a traceback

    arguments = list(sys.argv[1:] if argv is None else argv)
    no_display = missing_display(os.environ, sys.platform)
    if arguments == ["demo"] and no_display is None:
        return _window(["--demo"])
    if arguments and (arguments[0] in COMMANDS or arguments[0].startswith("-")):
        from curator_gui.cli.main import main as command_line  # the other door need not be loaded

        return command_line(arguments)
    if no_display is not None:
        print(f"curator-gui: {no_display}", file=sys.stderr)
        return 2
    return _window(arguments)


def _settle() -> None:
    """Ctrl+C ends the process at once until somebody listens; no file takes the place of a closed stream.

    Without the latter, a file opened first would get the number of a closed standard stream, and whatever a
    library prints there would go into it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _window(arguments: list[str]) -> int:
    from curator_gui.gui.app import main as window  # Qt aborts the process where there is no display

    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return window(arguments)


if __name__ == "__main__":
    sys.exit(main())
