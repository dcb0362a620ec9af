"""Arguments and sessions that mean nothing are refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from worlds import paper_session, safe_session, write_session

from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]


def line(capture: Capture) -> str:
    (said,) = capture.readouterr().err.splitlines()
    return said


@pytest.mark.parametrize("arguments", [["release"], ["score"], ["nonsense"], ["release", "s", "--nonsense"]])
def test_wrong_usage_is_one_sentence(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    assert "--help" in line(capsys)


@pytest.mark.parametrize("command", ["release", "apply"])
def test_a_folder_is_no_name_of_a_release(command: str, tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)
    data = ["--data", str(tmp_path / "people.csv")] if command == "apply" else []

    with pytest.raises(SystemExit):
        main([command, str(session), *data, "--out", f"{tmp_path}/out.csv/"])

    assert "is a folder; give the name of a file in it" in line(capsys)
    assert not (tmp_path / "out.csv").exists()


def test_a_reason_that_was_not_needed_is_not_recorded(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert (
        main(["release", str(session), "--out", str(tmp_path / "out.csv"), "--over-budget", "because"]) == 0
    )

    (own,) = tmp_path.glob("*.internal.json")
    assert json.loads(own.read_text("utf-8"))["over_budget_reason"] is None
    assert "within the budget, so the reason given is not recorded" in capsys.readouterr().err


NONSENSE: dict[str, tuple[dict[str, Any], str]] = {
    "a delete of no rows": (
        {"plan": [{"op": "delete", "rows": []}]},
        "plan[0].rows: A delete names at least",
    ),
    "a row named twice": (
        {"plan": [{"op": "delete", "rows": [2, 2]}]},
        "plan[0].rows[1]: Row 2 is named twice",
    ),
    "an unknown directive": (
        {"columns": {"age": {"type": "date", "format": "%Q"}}},
        "columns.age.format: No date of “age” can be read by “%Q”",
    ),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_in_a_session_is_refused_with_its_place(case: str, tmp_path: Path, capsys: Capture) -> None:
    changes, words = NONSENSE[case]

    assert main(["score", str(write_session(tmp_path, paper_session(**changes)))]) == 2

    assert words in line(capsys)
