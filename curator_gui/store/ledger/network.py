"""Whether a path lies on a network drive, as far as the system tells."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

_NETWORK_TYPES = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs", "beegfs", "davfs",
    "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.davfs2",
}  # fmt: skip
_MOUNTS = Path("/proc/self/mountinfo")
_DRIVE_REMOTE = 4


def on_network(path: Path, mounts: str | None = None) -> bool:
    """mounts: the text of Linux's mountinfo; by default this system's. Unknown systems count as local."""
    if str(path).startswith(("\\\\", "//")):
        return True
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetDriveTypeW(path.absolute().anchor) == _DRIVE_REMOTE)
    if mounts is None:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace") if _MOUNTS.exists() else ""
    return _mounted_as(path.resolve(), mounts) in _NETWORK_TYPES


def _mounted_as(path: Path, mounts: str) -> str:
    """The file system type of the deepest mount point above ``path`` (proc(5), mountinfo)."""
    deepest, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        point = Path(before.split(" ")[4].replace("\\040", " "))
        if path.is_relative_to(point) and len(point.parts) >= deepest:
            deepest, kind = len(point.parts), after.split(" ")[0]
    return kind
