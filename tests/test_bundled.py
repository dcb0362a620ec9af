"""The files that travel with the program are found."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from curator_gui.bundled import resource, sample
from curator_gui.core.errors import FileError


def test_the_icon_is_an_svg() -> None:
    assert ElementTree.parse(resource("curator.svg")).getroot().tag.endswith("}svg")


def test_the_desktop_file_starts_the_console_script() -> None:
    assert "Exec=curator-gui %f" in resource("curator-gui.desktop").read_text(encoding="utf-8").splitlines()


def test_a_file_that_was_not_installed_is_named() -> None:
    with pytest.raises(FileError, match=r"“sample_data/nothing\.csv” is not in this installation"):
        sample("nothing.csv")
