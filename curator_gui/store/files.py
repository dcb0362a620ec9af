"""Files that are either written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from curator_gui.core.errors import FileError


def write_atomically(
    path: Path, data: bytes, *, mode: int = 0o644, before_rename: Callable[[Path], None] | None = None
) -> None:
    """Write a temporary file beside ``path``, sync it and rename it over; on any failure the old one stays.

    ``before_rename`` may look at the temporary file and refuse it by raising.
    """
    with temporary_beside(path) as temporary:
        try:
            temporary.path.write_bytes(data)
            temporary.commit(mode=mode, before_rename=before_rename)
        except OSError as error:
            raise write_error(path, error) from None


class TemporaryFile:
    """A file beside its destination, removed unless committed."""

    def __init__(self, destination: Path, path: Path) -> None:
        self.destination = destination
        self.path = path

    def commit(self, *, mode: int, before_rename: Callable[[Path], None] | None = None) -> None:
        """Sync, let ``before_rename`` read it back, and rename it over the destination."""
        descriptor = os.open(self.path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if before_rename is not None:
            before_rename(self.path)
        self.path.chmod(mode)
        os.replace(self.path, self.destination)
        _sync_folder(self.destination.parent)

    def __enter__(self) -> TemporaryFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)


def temporary_beside(path: Path) -> TemporaryFile:
    """An empty file, readable by its owner alone, in the folder of ``path``. FileError where none can be."""
    try:
        destination = path.resolve()
        if destination.is_dir():
            raise FileError(f"“{path}” is a folder; give the name of a file in it.")
        if os.path.lexists(destination) and not destination.is_file():
            raise FileError(f"“{path}” is a device, not a file to be replaced; choose another place.")
        descriptor, name = tempfile.mkstemp(prefix=".curator-", suffix=".tmp", dir=destination.parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise write_error(path, error) from None
    os.close(descriptor)
    return TemporaryFile(destination, Path(name))


def write_error(path: Path, error: Exception) -> FileError:
    """Why a file could not be written, and what to do."""
    if not isinstance(error, OSError):
        reason = "that is no name for a file; choose another one"
    elif error.errno == errno.ENOSPC:
        reason = "the disk is full; free some space or choose another folder"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        reason = "you may not write there; choose another folder"
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        reason = "its folder does not exist; create it or choose another one"
    else:
        reason = f"{(error.strerror or str(error)).lower()}; choose another place"
    return FileError(f"“{path}” was not written: {reason}.")


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
