"""The edge to other people's parsers: whatever they raise on a damaged file is one clear sentence here."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curator_gui.core.errors import Cancelled, CuratorError, FileError
from curator_gui.core.progress import Progress, silent
from curator_gui.store.ordinary import opened

_BLOCK = 1 << 22


@contextmanager
def parsing(path: Path, what: str) -> Iterator[None]:
    """Inside, a library reads ``path`` as ``what``. Raises FileError for anything it raises, bar our own."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks for programmers, on parts of the file that are not read
            yield
    except (CuratorError, Cancelled):
        raise
    except MemoryError:  # a damaged file may claim any size
        raise FileError(
            f"“{path.name}” asks for more memory than there is: it is damaged, or too large to open here."
        ) from None
    except Exception as error:  # noqa: BLE001 - a parser may raise anything on a damaged file
        raise _unreadable(path, what, error) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how a parser written in Rust says that it broke
            raise
        raise _unreadable(path, what, error) from None


def _unreadable(path: Path, what: str, error: BaseException) -> FileError:
    if isinstance(error, ImportError):
        return FileError(
            f"“{path.name}” cannot be read, for the library “{error.name}” is not installed; install it."
        )
    return FileError(
        f"“{path.name}” could not be read as {what}: it is damaged, protected or something else; open and "
        "save it again in the program it comes from."
    )


def sha256_of(path: Path, progress: Progress = silent) -> str:
    """The hash of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with opened(path) as file:
        size, done = max(path.stat().st_size, 1), 0
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            progress(min(done / size, 1.0), "Reading the file")
    return digest.hexdigest()
