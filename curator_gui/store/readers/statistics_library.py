"""The calls of pyreadstat, tried first in a process of their own: on some damaged files the library crashes,
and it must not take the curator's unsaved work with it.

Run as a program it reads a file as told and says nothing: exit 0 where it could, 1 where it raised.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress, silent

_ROWS = 20_000
_GLANCE = 1000  # rows that are tried for a preview
_START = (
    "import runpy, sys; sys.path.append(sys.argv[1]); "
    "del sys.argv[:2]; runpy.run_path(sys.argv[0], run_name='__main__')",
    str(Path(__file__).parents[3]),
    __file__,
)
_PATIENCE = 0.2  # seconds between looks at whether the user cancelled


def chunks(
    path: Path, function: str, settings: Mapping[str, Any], progress: Progress, most: int | None
) -> Iterator[tuple[Any, Any]]:
    """(data frame, metadata) after each other, of at most ``most`` rows. FileError where reading crashes."""
    told = json.dumps({**settings, "function": function})
    if most is not None and most <= _GLANCE:
        state = path.stat()
        survived = _survives_a_glance(str(path), told, state.st_size, state.st_mtime_ns)
    else:
        survived = _survives(str(path), told, most, progress)
    if not survived:
        raise FileError(
            f"“{path.name}” is damaged and cannot be read; open and save it again where it was made."
        )
    yield from _chunks(str(path), function, settings, most)


def _chunks(
    path: str, function: str, settings: Mapping[str, Any], most: int | None
) -> Iterator[tuple[Any, Any]]:
    import pyreadstat  # heavy: only when such a file is read

    offset = 0
    while True:
        limit = _ROWS if most is None else min(_ROWS, most - offset)
        read = getattr(pyreadstat, function)
        frame, about = read(path, row_offset=offset, row_limit=max(limit, 1), **settings)
        yield frame, about
        offset += len(frame)
        if len(frame) < limit or (most is not None and offset >= most):
            return


@lru_cache(maxsize=16)
def _survives_a_glance(path: str, told: str, size: int, changed: int) -> bool:
    """size and changed: so that another file of the same name is tried again."""
    del size, changed
    return _survives(path, told, _GLANCE, silent)


def _survives(path: str, told: str, most: int | None, progress: Progress) -> bool:
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-P", "-c", *_START, path, told, json.dumps(most)]
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, creationflags=hidden) as child:
        try:
            while True:
                progress(0.0, "Checking the file")
                try:
                    return child.wait(_PATIENCE) in (0, 1)
                except subprocess.TimeoutExpired:
                    continue
        finally:
            child.kill()


def main(path: str, told: str, most: str) -> None:
    """Read everything and keep nothing."""
    settings = json.loads(told)
    function = settings.pop("function")
    for _ in _chunks(path, function, settings, json.loads(most)):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
