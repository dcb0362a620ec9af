"""The manifest that stays with the curator, for a session that was never saved and so has no folder."""

from __future__ import annotations

import json
from pathlib import Path

from curator_gui.store.files import write_atomically
from curator_gui.store.release import INTERNAL_SUFFIX, Released


def keep_manifest(folder: Path, released: Released) -> Path:
    """Where the internal manifest is: beside the session, or else written now into the user's own ``folder``.

    Raises FileError or OSError where it cannot be written.
    """
    if released.internal_path is not None:
        return released.internal_path
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{released.path.stem}.{released.sha256[:8]}{INTERNAL_SUFFIX}"
    text = json.dumps(dict(released.manifest), ensure_ascii=False, indent=1, default=float)
    write_atomically(path, f"{text}\n".encode(), mode=0o600)
    return path
