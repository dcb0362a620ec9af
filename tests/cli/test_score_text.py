"""What ``score`` and ``candidates`` tell a person: evidence, warnings, and whom a removal loses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from worlds import paper_session, write_session

from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]


def test_evidence_is_a_table_of_records_counted_from_1(tmp_path: Path, capsys: Capture) -> None:
    main(["score", "--evidence", str(write_session(tmp_path, paper_session()))])

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["record", "secret", "in", "the", "group", "look-alikes", "e"] in lines
    assert lines[-4] == ["1", "HIV", "2", "of", "3", "2", "of", "2", "0.4055"]
    assert lines[-2] == ["3", "HIV", "2", "of", "3", "0", "of", "1", "−∞"]


def test_no_table_is_printed_unasked(tmp_path: Path, capsys: Capture) -> None:
    main(["score", str(write_session(tmp_path, paper_session()))])

    assert "look-alikes" not in capsys.readouterr().out


def test_what_the_protection_gives_away_is_told_beside_the_figures(tmp_path: Path, capsys: Capture) -> None:
    protection = paper_session()["protection"]
    protection["secrets"].append({"name": "Plague", "where": "diag = 'Plague'"})
    session = write_session(tmp_path, paper_session(protection=protection))

    main(["score", "--json", str(session)])

    captured = capsys.readouterr()
    sentence = "No record has the secret “Plague”; check how it is written."
    assert sentence in captured.err
    assert sentence in json.loads(captured.out)["warnings"]


def test_candidates_count_who_is_lost_and_say_that_a_missing_record_tells(
    tmp_path: Path, capsys: Capture
) -> None:
    main(["candidates", str(write_session(tmp_path, paper_session()))])

    out = capsys.readouterr().out
    assert "1 worse, 2 better, 1 same, 0 lost  Drop med" in out
    assert "2 lost" in out
    assert "That a record is missing can itself tell something" in out


def test_nothing_is_said_of_missing_records_where_none_is_removed(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session())
    (tmp_path / "next.json").write_text('[{"op": "project", "drop": ["med"]}]', encoding="utf-8")

    main(["candidates", "--operators", "next.json", str(session)])

    assert "missing" not in capsys.readouterr().out
