"""The entry point: chooses the door. The command line never imports Qt."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from curator_gui.display import missing_display

COMMANDS = frozenset(
    {"demo", "score", "candidates", "apply", "release", "synthesize", "ledger", "experiments"}
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, or the window where no subcommand is given."""
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


def _window(arguments: list[str]) -> int:
    from curator_gui.gui.app import main as window  # Qt aborts the process where there is no display

    return window(arguments)


if __name__ == "__main__":
    sys.exit(main())
