"""Where the ledger is when nobody says where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def default_ledger(home: Path, environment: Mapping[str, str], platform: str) -> Path:
    """A file among the user's application data. ``platform`` as in ``sys.platform``.

    Importing this does not import SQLAlchemy, which ``store.ledger`` does.
    """
    if platform == "win32":
        base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "curator" / "ledger.sqlite"
