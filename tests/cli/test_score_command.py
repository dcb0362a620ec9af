"""``score`` and ``candidates``: documents, exit statuses, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from worlds import PAPER, paper_session, safe_session, write_session

from curator_gui.cli.main import main
from curator_gui.session import Session

Capture = pytest.CaptureFixture[str]


def documents(capture: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capture.readouterr().out.splitlines()]


def refusal(capture: Capture, arguments: list[str]) -> str:
    assert main(arguments) == 2
    lines = capture.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert "Traceback" not in lines[0]
    return lines[0]


def test_a_plan_over_budget_exits_with_3_and_names_the_worst_target(tmp_path: Path, capsys: Capture) -> None:
    status = main(["score", "--json", str(write_session(tmp_path, paper_session()))])

    (document,) = documents(capsys)
    assert status == 3
    assert document["feasible"] is False
    assert document["prefixes"][-1]["alpha"] == pytest.approx(math.log(1.5))
    assert document["prefixes"][-1]["worst"] == {
        "target": 0, "secret": "HIV", "k": 2, "n": 2, "K": 2, "N": 3,
    }  # fmt: skip


def test_a_plan_within_budget_exits_with_0(tmp_path: Path, capsys: Capture) -> None:
    assert main(["score", str(safe_session(tmp_path))]) == 0
    assert "within the budget" in capsys.readouterr().out


def test_evidence_is_added_on_request(tmp_path: Path, capsys: Capture) -> None:
    main(["score", "--json", "--evidence", str(safe_session(tmp_path))])

    (document,) = documents(capsys)
    assert len(document["prior"]) == 4
    last = document["prefixes"][-1]["evidence"]
    assert last[2] == {"secret": "HIV", "target": 2, "k": 2, "n": 3, "status": "present", "e": 0.0}


def test_a_session_that_fails_leaves_an_error_in_its_place(tmp_path: Path, capsys: Capture) -> None:
    good = str(safe_session(tmp_path))

    status = main(["score", "--json", good, str(tmp_path / "absent.json"), good])

    first, error, last = documents(capsys)
    assert status == 2
    assert "no file" in error["error"]
    assert first == last


def test_data_stands_in_for_the_source(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    other = tmp_path / "other.csv"
    other.write_text(PAPER.replace("None,Flu", "ART,Flu"), encoding="utf-8")

    assert main(["score", "--json", str(session), "--data", str(other)]) == 0
    assert documents(capsys)[0]["prefixes"][-1]["alpha"] == 0


def test_candidates_are_generated_where_no_operators_are_given(tmp_path: Path, capsys: Capture) -> None:
    main(["candidates", "--json", str(write_session(tmp_path, paper_session()))])

    (document,) = documents(capsys)
    found = {c["label"]: c for c in document["candidates"]}
    assert found["Drop med"]["alpha"] == 0
    assert found["Drop med"]["why"] == (
        "Record 3, without the secret, joins records 1 and 2: the rate falls from 2 of 2 to 2 of 3."
    )
    assert any(c["operator"]["op"] == "delete" and "where" in c["operator"] for c in document["candidates"])


def test_operators_are_scored_in_the_order_given(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    operators = [{"op": "delete", "rows": [2]}, {"op": "project", "drop": ["med"]}]
    (tmp_path / "next.json").write_text(json.dumps(operators), encoding="utf-8")

    main(["candidates", "--json", "--operators", "next.json", str(session)])

    deleted, dropped = documents(capsys)[0]["candidates"]
    assert deleted["does_no_privacy_work"] is True
    assert (deleted["same"], deleted["max_delta"]) == (3, 0)
    assert (dropped["better"], dropped["alpha"]) == (2, 0)


BAD_SESSIONS: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"format": "curation-session/2"}, "version"),
    "another format": ({"format": "something"}, "curation-session/1"),
    "unknown key": ({"colour": 1}, "colour"),
    "missing source": ({"source": {"path": "gone.csv"}}, "gone.csv"),
    "changed source": ({"source": {"path": "people.csv", "sha256": "00"}}, "changed"),
    "budget below 0": ({"protection": {"budget": -0.1}}, "protection.budget"),
    "budget as text": ({"protection": {"budget": "much"}}, "protection.budget"),
    "no budget": ({"protection": {}}, "budget"),
    "column dropped twice": (
        {"plan": [{"op": "project", "drop": ["med"]}, {"op": "project", "drop": ["med"]}]},
        "plan[1]",
    ),
    "column named twice": ({"plan": [{"op": "project", "drop": ["med", "med"]}]}, "plan[0]"),
    "row that does not exist": ({"plan": [{"op": "delete", "rows": [99]}]}, "plan[0].rows"),
    "unknown operator": ({"plan": [{"op": "explode"}]}, "plan[0]"),
    "unknown column": ({"plan": [{"op": "select", "where": "agee > 3"}]}, "agee"),
    "subquery": ({"plan": [{"op": "select", "where": "age > (SELECT 1)"}]}, "plan[0].where"),
    "second statement": ({"plan": [{"op": "select", "where": "age > 3; DROP TABLE t"}]}, "plan[0].where"),
    "text against number": ({"plan": [{"op": "delete", "where": "age = 'old'"}]}, "plan[0]"),
    "position beyond the plan": ({"position": 9}, "position"),
    "weights all 0": (
        {"utility": {"weights": dict.fromkeys(("age", "sex", "zip", "med", "diag"), 0)}},
        "utility.weights",
    ),
    "ladder that does not nest": (
        {"hierarchies": {"age": {"kind": "bins", "levels": [{"width": 10}, {"width": 15}]}}},
        "hierarchies.age",
    ),
    "ladder that misses a value": (
        {"hierarchies": {"med": {"kind": "table", "levels": [[["ART", "drug"]]]}}},
        "“None”",
    ),
    "smoothed without m": ({"protection": {"budget": 0, "observer": {"kind": "smoothed"}}}, "observer.m"),
    "two secrets of one name": (
        {
            "protection": {
                "budget": 0,
                "secrets": [{"name": "a", "where": "age = 1"}, {"name": "a", "where": "age = 2"}],
            }
        },
        "Two secrets",
    ),
}


@pytest.mark.parametrize("case", BAD_SESSIONS)
def test_a_bad_session_is_refused_in_one_sentence_that_says_where(
    case: str, tmp_path: Path, capsys: Capture
) -> None:
    changes, where = BAD_SESSIONS[case]
    session = write_session(tmp_path, paper_session(**changes))

    assert where in refusal(capsys, ["score", str(session)])


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1}', "\x00\x01", "[" * 100_000])
def test_a_file_that_is_no_session_is_refused(text: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.curation.json"
    path.write_text(text, encoding="utf-8")

    assert "session" in refusal(capsys, ["score", str(path)])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_budget_that_is_no_finite_number_is_refused(number: str, tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    session.write_text(session.read_text().replace('"budget": 0.2', f'"budget": {number}'))

    refusal(capsys, ["score", str(session)])


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\0\0\0", b"\xff\xfe\x00a"])
def test_a_source_that_is_no_table_is_refused(content: bytes, tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    (tmp_path / "people.csv").write_bytes(content)

    assert "people.csv" in refusal(capsys, ["score", str(session)])


def test_a_folder_is_no_source(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session(source={"path": "."}))

    assert "folder" in refusal(capsys, ["score", str(session)])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_source_that_may_not_be_read_is_refused(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    (tmp_path / "people.csv").chmod(0)

    refusal(capsys, ["score", str(session)])


def test_a_header_alone_scores_as_nothing_to_learn(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session(), "age,sex,zip,med,diag\n")

    assert main(["score", "--json", str(session)]) == 0
    assert documents(capsys)[0]["prefixes"][0]["alpha"] is None


def test_a_second_look_shows_what_a_deletion_costs_later(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    operators = [{"op": "delete", "rows": [2]}, {"op": "project", "drop": ["sex"]}]
    (tmp_path / "next.json").write_text(json.dumps(operators), encoding="utf-8")

    main(["candidates", "--json", "--second-look", "--operators", "next.json", str(session)])

    deleted, dropped = documents(capsys)[0]["candidates"]
    assert deleted["second_look"]["alpha"] == pytest.approx(math.log(1.5))
    assert dropped["second_look"]["alpha"] == 0


def test_targets_removed_between_releases_are_never_feasible_without_a_word(
    tmp_path: Path, capsys: Capture
) -> None:
    plan = [{"op": "project", "drop": ["diag"]}, {"op": "delete", "rows": [0, 1]}]
    protection = paper_session()["protection"] | {"observer": {"kind": "accumulating"}, "targets": [0]}
    session = write_session(tmp_path, paper_session(plan=plan, protection=protection, exposed=[1, 2]))

    assert main(["score", str(session)]) == 0
    assert "removed between releases" in capsys.readouterr().out
    main(["score", "--json", str(session)])
    last = documents(capsys)[0]["prefixes"][-1]
    assert (last["alpha"], last["exposed"]) == (None, True)
    assert last["alpha_membership_aware"] == pytest.approx(math.log(1.5))
    assert last["removed_between_releases"] == 1


def test_half_a_character_is_refused(tmp_path: Path, capsys: Capture) -> None:
    protection = {"budget": 0, "secrets": [{"name": "n\ud800", "where": "age > 1"}]}
    session = write_session(tmp_path, paper_session(protection=protection))

    assert "surrogate" in refusal(capsys, ["score", "--json", str(session)])


def test_a_defect_of_the_program_is_one_sentence_without_data(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("with a secret value in it")

    monkeypatch.setattr(Session, "load", fail)

    assert main(["score", str(safe_session(tmp_path))]) == 1
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "secret value" not in said
