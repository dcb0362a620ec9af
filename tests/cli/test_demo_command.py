"""``demo``: from the sample to a release, and to a synthetic table charged to a ledger of its own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from curator_gui.cli.demo import free_folder
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


def test_a_second_demo_is_in_a_folder_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    main(["demo", "--out", str(folder)])
    first = {path: path.read_bytes() for path in folder.iterdir()}
    capsys.readouterr()

    assert main(["demo", "--out", str(folder), "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert {path: path.read_bytes() for path in folder.iterdir()} == first
    assert Path(document["file"]) == tmp_path / "demo-2" / "clinic-released.csv"


@pytest.mark.parametrize("name", ["clinic.csv", "clinic.curation.json", "clinic-released.csv.manifest.json"])
def test_a_file_of_ones_own_turns_the_demo_to_another_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text("mine", encoding="utf-8")

    assert free_folder(folder) == tmp_path / "mine-2"
