"""``demo``: from the sample to a release, and to a synthetic table charged to a ledger of its own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from curator_gui.cli.main import main
from curator_gui.store import session_file
from curator_gui.store.ledger import open_ledger, read_anchors

SCHEMA = Path(session_file.__file__).parent / "schemas" / "curation-session-1.json"


def test_the_demo_ends_with_a_synthetic_table_that_its_ledger_accounts_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--out", str(tmp_path), "--json"]) == 0

    (line,) = capsys.readouterr().out.splitlines()
    document = json.loads(line)
    session = json.loads((tmp_path / "clinic.curation.json").read_text("utf-8"))
    lines = (tmp_path / "clinic-synthetic.csv").read_text("utf-8").splitlines()
    anchors = read_anchors(tmp_path / "clinic-synthetic.csv.manifest.json")
    assert document["alpha"] <= document["budget"]
    assert lines[0] == "sex,age,ward,smoker,medication"
    assert len(lines) > 4000
    assert open_ledger(str(tmp_path / "demo-ledger.sqlite")).audit(anchors).consistent
    assert session["synthetic"][0]["hash"] == document["ledger"]["hash"]
    jsonschema.validate(session, json.loads(SCHEMA.read_text("utf-8")))


def test_a_second_demo_in_the_same_folder_leaves_the_first_ledger_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["demo", "--out", str(tmp_path)])
    first = (tmp_path / "demo-ledger.sqlite").read_bytes()

    assert main(["demo", "--out", str(tmp_path)]) == 0

    assert (tmp_path / "demo-ledger.sqlite").read_bytes() == first
    assert (tmp_path / "demo-ledger-2.sqlite").exists()
