from pathlib import Path

import pytest

from curator_gui.store.ledger.network import on_network

MOUNTS = """\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
40 22 0:50 / /mnt/team rw shared:1 - nfs4 server:/team rw
41 40 8:2 / /mnt/team/local rw - ext4 /dev/sdb1 rw
42 22 0:51 / /mnt/two\\040words rw - cifs //server/share rw
"""


@pytest.mark.parametrize(
    ("path", "remote"),
    [
        ("/home/ada/ledger.sqlite", False),
        ("/mnt/team/ledger.sqlite", True),
        ("/mnt/teamwork/ledger.sqlite", False),
        ("/mnt/team/local/ledger.sqlite", False),
        ("/mnt/two words/ledger.sqlite", True),
    ],
)
def test_the_deepest_mount_above_a_path_tells(path: str, remote: bool) -> None:
    assert on_network(Path(path), MOUNTS) == remote


def test_a_network_share_by_its_name_is_on_the_network() -> None:
    assert on_network(Path("\\\\server\\share\\ledger.sqlite"))


def test_a_temporary_folder_is_local(tmp_path: Path) -> None:
    assert not on_network(tmp_path / "ledger.sqlite")
