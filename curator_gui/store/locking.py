"""Who writes a file: locks that end with the process that holds them, however it ends.

They are POSIX's; elsewhere, and on file systems without them, nobody is kept waiting.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def lock(descriptor: int) -> None:
    """Wait until no other process has locked this open file, then lock it until it is closed."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def remove_unless_locked(path: Path) -> None:
    """Remove a file whose writer, who had locked it, has ended. OSError where that cannot be."""
    if sys.platform == "win32":
        path.unlink()  # refused there as long as somebody has it open
        return
    descriptor = os.open(path, os.O_RDWR | _NO_FOLLOW)
    try:
        if _try_lock(descriptor):
            path.unlink()
    finally:
        os.close(descriptor)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a file against all others who hold it, waiting for them; a missing one is held by nobody.

    The holder may replace the file by a new one of the same name, as the last thing it does with it.
    """
    descriptor = _open(path)
    try:
        while descriptor is not None:
            lock(descriptor)
            if _is_still(descriptor, path):
                break
            old, descriptor = descriptor, _open(path)
            os.close(old)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open(path: Path) -> int | None:
    for access in (os.O_RDWR, os.O_RDONLY):
        with suppress(OSError, ValueError):
            return os.open(path, access | getattr(os, "O_NONBLOCK", 0))
    return None


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_still(descriptor: int, path: Path) -> bool:
    """Whether the open file still has its name; also where nothing has it, since there is nothing to hold."""
    try:
        there = path.stat()
    except OSError:
        return True
    return os.path.samestat(os.fstat(descriptor), there)
