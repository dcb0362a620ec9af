"""Every option that ``--help`` shows stands in docs/command-line.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_gui.cli.main import make_parser

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from options(below)
        elif action.help != argparse.SUPPRESS:
            yield from (option for option in action.option_strings if option.startswith("--"))


@pytest.mark.skipif(not PAGE.exists(), reason="an installation has no docs")
def test_every_option_of_help_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = set(options(make_parser()))

    missing = sorted(o for o in shown if not any(f"{o}{after}" in page for after in "` …,"))

    assert {"--second-look", "--keep-order", "--per-request"} <= shown
    assert not missing
