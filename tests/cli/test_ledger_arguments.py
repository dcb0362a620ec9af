"""``ledger`` with arguments that nothing can be done with: one sentence each, exit status 2."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from worlds import PAPER

from curator_gui.cli.main import main

NO_TEXT = os.fsdecode(b"\xff")
CREATE = ["create", "--data", "people.csv", "--epsilon", "1", "--delta", "1e-6"]

BAD: dict[str, tuple[list[str], str]] = {
    "a size of 400 digits": ([*CREATE, "--size", "1" + "0" * 400], "--size must be"),
    "a size of 0": ([*CREATE, "--size", "0"], "--size must be"),
    "a name that is no text": ([*CREATE, "--size", "8", "--name", NO_TEXT], "“name” holds bytes"),
    "a pool that is no text": (["list", NO_TEXT], "“pool” holds bytes"),
    "a user that is no text": (["grant", "x", "--user", NO_TEXT, "--total", "1"], "“user” holds bytes"),
    "a pool with an empty name": (["preview", "--pool", "", "--epsilon", "1"], "no such pool"),
    "a table with an endless name": (["preview", "--data", "x" * 5000, "--epsilon", "1"], "no name"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_ledger_command_that_cannot_be_followed_ends_with_2(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PAPER, encoding="utf-8")
    main(["ledger", "init", "--ledger", "l.sqlite"])
    capsys.readouterr()
    (action, *rest), said = BAD[case]

    assert main(["ledger", action, "--ledger", "l.sqlite", *rest]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_an_address_with_a_port_that_is_no_number_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "list", "--ledger", "postgresql://host:port/x"]) == 2
    assert "address cannot be read" in capsys.readouterr().err
