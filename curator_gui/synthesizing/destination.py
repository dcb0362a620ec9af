"""Where a synthetic table may be written: asked before anything is charged, and again when it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curator_gui.core.errors import FileError
from curator_gui.session import Session
from curator_gui.store.files import temporary_beside, write_error
from curator_gui.store.ordinary import same_file
from curator_gui.store.release import external_path, require_own_manifest
from curator_gui.store.writers import format_of

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger


def require_exportable(
    path: Path,
    session: Session,
    ledger: Ledger,
    *,
    dictionary: Path | None = None,
    replace_manifest: bool = False,
) -> None:
    """FileError where a table could not be exported to ``path``, while that costs nothing yet.

    dictionary: the file its domains came from, which it must not replace. replace_manifest: a file that
    stands where the manifest goes and is none of a table of that name may go.
    """
    require_free(path, session, ledger, dictionary=dictionary, replace_manifest=replace_manifest)
    format_of(path)
    require_text(path)
    for place in (path, external_path(path)):
        with temporary_beside(place):
            pass


def require_free(
    path: Path,
    session: Session,
    ledger: Ledger,
    *,
    dictionary: Path | None = None,
    replace_manifest: bool = False,
) -> None:
    """FileError where table or manifest would replace what the synthesis lives on, or another's manifest."""
    session.require_replaceable(path)
    for own, what in ((ledger.file, "the ledger"), (dictionary, "the data dictionary")):
        for place in (path, external_path(path)):
            if own is not None and same_file(own, place):
                raise FileError(f"“{place}” is {what}; choose another name.")
    if not replace_manifest:
        require_own_manifest(path)


def require_text(path: Path) -> None:
    """FileError for a name that manifests and session, which are UTF-8, could not say."""
    try:
        path.name.encode()
    except UnicodeEncodeError as error:
        raise write_error(path, error) from None
