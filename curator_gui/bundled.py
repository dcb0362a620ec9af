"""Where the files that travel with the program are, installed or run from its own checkout."""

from __future__ import annotations

from pathlib import Path

from curator_gui.core.errors import FileError

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """The icon or desktop file ``name``. Raises FileError where the installation lacks it."""
    return _find("resources", name)


def sample(name: str) -> Path:
    """The sample table or session ``name``. Raises FileError where the installation lacks it."""
    return _find("sample_data", name)


def _find(folder: str, name: str) -> Path:
    # A wheel carries the folders inside the package; in a checkout they stand beside it.
    for place in (_PACKAGE / "_bundled", _PACKAGE.parent):
        path = place / folder / name
        if path.is_file():
            return path
    raise FileError(f"The file “{folder}/{name}” is not in this installation; install the program again.")
