"""What the command line prints: documents or text on stdout, errors and progress on stderr."""

from __future__ import annotations

import io
import json
import sys
from typing import Any


class Output:
    """One run's output. With ``as_json`` nothing but JSON documents goes to stdout."""

    def __init__(self, as_json: bool) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self._as_json = as_json
        self._shows_progress = sys.stderr.isatty()
        self._width = 0

    def say(self, text: str) -> None:
        """Text for a person."""
        if not self._as_json:
            self._clear()
            print(text)

    def document(self, document: dict[str, Any]) -> None:
        """One JSON document on a line of its own."""
        if self._as_json:
            self._clear()
            # Escapes beyond ASCII, so that it can be written whatever the encoding of stdout is.
            print(json.dumps(document, allow_nan=False, default=float), flush=True)

    def error(self, sentence: str) -> None:
        self._clear()
        print(f"curator-gui: {sentence}", file=sys.stderr)

    def progress(self, done: float, what: str) -> None:
        """A line that is written over, and only where stderr is a terminal."""
        if self._shows_progress:
            line = f"{done:4.0%} {what}"
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)

    def _clear(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0
