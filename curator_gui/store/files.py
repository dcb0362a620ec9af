"""Files that are either written whole or not at all, alone or several together."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from curator_gui.core.errors import FileError
from curator_gui.store.locking import lock, remove_unless_locked

_PREFIX, _SUFFIX = ".curator-", ".tmp"


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
    """A file beside its destination, removed unless it is put in place.

    As long as its writer lives it is locked; one that nobody locks was left behind and may be removed.
    """

    def __init__(self, destination: Path, path: Path, descriptor: int) -> None:
        self.destination = destination
        self.path = path
        self._descriptor: int | None = descriptor

    def commit(self, *, mode: int, before_rename: Callable[[Path], None] | None = None) -> None:
        """Sync, let ``before_rename`` read it back, and rename it over the destination."""
        self.prepare(mode=mode)
        if before_rename is not None:
            before_rename(self.path)
        self.place()

    def prepare(self, *, mode: int) -> None:
        """Sync what was written; then nothing but the name is missing."""
        descriptor = os.open(self.path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self.path.chmod(mode)

    def place(self) -> None:
        """Rename it over the destination."""
        if sys.platform == "win32":
            self._close()  # there an open file has to keep its name
        os.replace(self.path, self.destination)
        _sync_folder(self.destination.parent)

    @property
    def placed(self) -> bool:
        return not self.path.exists()

    def __enter__(self) -> TemporaryFile:
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform == "win32":
            self._close()
        self.path.unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def place_together(first: Sequence[TemporaryFile], last: TemporaryFile) -> None:
    """Rename prepared files into place, ``last`` at the end; it is there only if all are.

    ``first`` are small: whatever stops this before ``last`` is in place puts them back as they were.
    FileError where two of them, by links, would be the same file.
    """
    if len({file.destination for file in (*first, last)}) <= len(first):
        message = f"“{last.destination}” and its manifests would replace one another; choose another name."
        raise FileError(message)
    before = [_content(file.destination) for file in first]
    try:
        for file in (*first, last):
            file.place()
    except BaseException:
        if not last.placed:
            for file, old in zip(first, before, strict=True):
                if file.placed:
                    _put_back(file.destination, old)
        raise


def _content(path: Path) -> tuple[bytes, int] | None:
    """The bytes and the mode; None where there is no file."""
    try:
        return path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _put_back(path: Path, old: tuple[bytes, int] | None) -> None:
    if old is None:
        path.unlink(missing_ok=True)
    else:
        write_atomically(path, old[0], mode=old[1])


def temporary_beside(path: Path) -> TemporaryFile:
    """An empty file, readable by its owner alone, in the folder of ``path``. FileError where none can be.

    What writers that were killed left in that folder is removed.
    """
    try:
        destination = path.resolve()
        if destination.is_dir():
            raise FileError(f"“{path}” is a folder; give the name of a file in it.")
        if os.path.lexists(destination) and not destination.is_file():
            raise FileError(f"“{path}” is a device, not a file to be replaced; choose another place.")
        _remove_left_behind(destination.parent)
        return _locked_temporary(destination)
    except (OSError, ValueError, RuntimeError) as error:
        raise write_error(path, error) from None


def prepared_beside(path: Path, data: bytes, *, mode: int) -> TemporaryFile:
    """A file of these bytes that lacks nothing but its name. FileError where it cannot be written."""
    temporary = temporary_beside(path)
    try:
        temporary.path.write_bytes(data)
        temporary.prepare(mode=mode)
    except BaseException as error:
        with temporary:
            pass
        if isinstance(error, OSError):
            raise write_error(path, error) from None
        raise
    return temporary


def _locked_temporary(destination: Path) -> TemporaryFile:
    while True:
        descriptor, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=destination.parent)
        lock(descriptor)
        if os.path.lexists(name):  # else another writer thought it was left behind, before it was locked
            return TemporaryFile(destination, Path(name), descriptor)
        os.close(descriptor)


def _remove_left_behind(folder: Path) -> None:
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            if stat.S_ISREG(path.lstat().st_mode):
                remove_unless_locked(path)


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
        with suppress(
            OSError
        ):  # the file is there; a file system that cannot sync folders takes nothing away
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
