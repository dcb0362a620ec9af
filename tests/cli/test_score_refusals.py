"""``score`` and ``candidates`` on what nothing can be made of: one sentence, and the next session."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from worlds import paper_session, safe_session, write_session

from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]

HUGE = 10**400


def protected(**changes: Any) -> dict[str, Any]:
    return paper_session(protection={**paper_session()["protection"], **changes})


def smoothed(m: str) -> str:
    return json.dumps(protected(observer={"kind": "smoothed", "m": 7.5})).replace("7.5", m)


SESSIONS: dict[str, tuple[str, str]] = {
    "a budget of 400 digits": (json.dumps(protected(budget=HUGE)), "budget"),
    "a weight of 400 digits": (json.dumps(paper_session(utility={"weights": {"age": HUGE}})), "weights.age"),
    "weights whose sum is infinite": (
        json.dumps(paper_session(utility={"weights": {"age": 1e308, "sex": 1e308}})),
        "from 0 to 1e+12",
    ),
    "an m of 400 digits": (smoothed(str(HUGE)), "observer.m"),
    "an m too small for any fraction": (smoothed("1e-320"), "observer.m"),
    "an m with an endless exponent": (smoothed("1e999999999"), "observer.m"),
    "a source with an endless name": (json.dumps(paper_session(source={"path": "x" * 5000})), "is not there"),
    "a key twice": (json.dumps(paper_session())[:-1] + ', "plan": []}', "key “plan” twice"),
    "half a character": (json.dumps(paper_session(key="\ud800")), "half a character"),
    "an observer that is not built": (
        json.dumps(protected(observer={"kind": "dependency-explicit", "rules": []})),
        "not built yet",
    ),
}


@pytest.mark.parametrize("case", SESSIONS)
def test_a_bad_session_has_its_own_document_and_the_next_is_scored(
    case: str, tmp_path: Path, capsys: Capture
) -> None:
    good = safe_session(tmp_path)
    bad = tmp_path / "bad.curation.json"
    text, said = SESSIONS[case]
    bad.write_text(text, encoding="utf-8")

    for command in ("score", "candidates"):
        assert main([command, "--json", str(bad), str(good)]) == 2
        captured = capsys.readouterr()
        error, document = [json.loads(line) for line in captured.out.splitlines()]
        assert said in error["error"]
        assert error["session"] == str(bad)
        assert document["format"] == f"curation-{command}/1"
        assert len(captured.err) < 600


ARGUMENTS: dict[str, list[str]] = {
    "data with an endless name": ["score", "--data", "x" * 5000],
    "operators with an endless name": ["candidates", "--operators", "x" * 5000],
    "a device as data": ["score", "--data", "/dev/zero"],
    "a device as operators": ["candidates", "--operators", "/dev/zero"],
    "a pipe as data": ["score", "--data", "pipe"],
    "a pipe as operators": ["candidates", "--operators", "pipe"],
    "operators with half a character": ["candidates", "--operators", "half.json"],
    "operators with a key twice": ["candidates", "--operators", "twice.json"],
}


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices with names")
@pytest.mark.parametrize("case", ARGUMENTS)
def test_files_that_cannot_be_read_are_refused_at_once(
    case: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = write_session(tmp_path, paper_session())
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("half.json").write_text('[{"op": "project", "drop": ["\\ud800"]}]', encoding="utf-8")
    Path("twice.json").write_text('[{"op": "project", "drop": ["med"], "drop": ["age"]}]', encoding="utf-8")
    command, *rest = ARGUMENTS[case]

    assert main([command, str(session), *rest]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert len(line) < 300


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices with names")
def test_a_session_that_is_a_pipe_is_refused_at_once(tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert main(["score", str(tmp_path / "pipe")]) == 2
    assert "not an ordinary file" in capsys.readouterr().err
