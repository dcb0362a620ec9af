"""Only ordinary files are read: a device or a pipe might never end."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from curator_gui.core.errors import FileError

_MOST_SHOWN = 200
_END_SHOWN = 60


@contextmanager
def opened(path: Path, of: str = "a table") -> Iterator[BinaryIO]:
    """The file, for reading bytes. FileError where it cannot be read, now or later. ``of``: what it holds."""
    require_ordinary(path, of)
    try:
        with path.open("rb") as file:
            yield file
    except PermissionError:
        raise _not_permitted(path) from None
    except OSError as error:
        message = f"“{shown(path)}” could not be read ({error.strerror}); try a copy of it."
        raise FileError(message) from None


def require_ordinary(path: Path, of: str = "a table") -> None:
    """FileError where there is no file of this name, or something that is no ordinary file."""
    try:
        mode = path.stat().st_mode
    except PermissionError:
        raise _not_permitted(path) from None
    except (FileNotFoundError, NotADirectoryError):
        raise FileError(f"There is no file “{shown(path)}”; choose a file with {of}.") from None
    except (OSError, ValueError):
        raise FileError(f"“{shown(path)}” is no name for a file; choose a file with {of}.") from None
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a device or pipe, not an ordinary file"
        raise FileError(f"“{shown(path)}” is {what}; choose a file with {of}.")


def same_file(one: Path, other: Path) -> bool:
    """Whether two names, links followed, are of one file; False where one of them is of none."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is something of this name; not, where no file can have it."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def read_text(path: Path, of: str) -> str:
    """The whole of a small UTF-8 text file, with or without byte order mark; FileError as in ``opened``."""
    with opened(path, of) as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"“{shown(path)}” is not UTF-8 text (byte {error.start}); save it as UTF-8."
        raise FileError(message) from None


def shown(path: Path) -> str:
    """A path for a sentence; the middle of a very long one is left out."""
    text = str(path)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_END_SHOWN]}…{text[-_END_SHOWN:]}"


def _not_permitted(path: Path) -> FileError:
    return FileError(f"You are not permitted to read “{shown(path)}”; ask its owner or choose another.")
