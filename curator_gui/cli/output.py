"""What the command line prints: documents or text on stdout, errors and progress on stderr."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import suppress
from typing import Any

from curator_gui.core.errors import FileError

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class StdoutError(FileError):
    """Standard output takes nothing more; ``reason`` as the system says it."""

    def __init__(self, reason: str, sentence: str = "The output could not be written") -> None:
        super().__init__(f"{sentence} ({reason}); send it to another place.")
        self.reason = reason


class Output:
    """One run's output. With ``as_json`` nothing but JSON documents goes to stdout.

    Whatever names and values hold, each sentence stays on one line and no terminal obeys it. Raises
    StdoutError or BrokenPipeError where stdout takes nothing; where stderr does not, nobody can be told.
    """

    def __init__(self, as_json: bool) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self._as_json = as_json
        self._shows_progress = sys.stderr.isatty()
        self._width = 0

    def say(self, *lines: str) -> None:
        """Text for a person, line by line."""
        if not self._as_json:
            self._clear()
            for line in lines:
                _print(one_line(line))

    def document(self, document: dict[str, Any]) -> None:
        """One JSON document on a line of its own."""
        if self._as_json:
            self._clear()
            # Escapes beyond ASCII, so that it can be written whatever the encoding of stdout is.
            _print(json.dumps(document, allow_nan=False, default=float))

    def error(self, sentence: str) -> None:
        self._clear()
        self._tell(f"curator-gui: {one_line(sentence)}\n")

    def progress(self, done: float, what: str) -> None:
        """A line that is written over, and only where stderr is a terminal."""
        if self._shows_progress:
            line = f"{done:4.0%} {one_line(what)}"
            self._tell(f"\r{line:<{self._width}}")
            self._width = len(line)

    def _clear(self) -> None:
        if self._width:
            self._tell("\r" + " " * self._width + "\r")
            self._width = 0

    def _tell(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def one_line(text: str) -> str:
    """The text with its control characters, line ends and changes of direction written as escapes."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def flush() -> None:
    """Write what is left for stdout. BrokenPipeError or StdoutError where that cannot be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StdoutError((error.strerror or str(error)).lower()) from None


def give_up_stdout() -> None:
    """Nothing more is written there, not even what waits to be."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _print(line: str) -> None:
    try:
        print(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StdoutError((error.strerror or str(error)).lower()) from None
    flush()
