"""``apply`` on other data: whom a row number meant is told by the key; and what the session remembers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]

PEOPLE = "pid,a,dx\np1,1,HIV\np2,1,flu\np3,1,flu\np4,1,flu\n"
REVERSED = "pid,a,dx\np4,1,flu\np3,1,flu\np2,1,flu\np1,1,HIV\n"
BY_NUMBER: list[dict[str, Any]] = [{"op": "project", "drop": ["dx"]}, {"op": "delete", "rows": [0]}]


def session(folder: Path, table: str = PEOPLE, /, **changes: Any) -> Path:
    protection = {"visible": [], "secrets": [{"name": "HIV", "where": "dx = 'HIV'"}], "budget": 3}
    protection |= changes.pop("protection", {})
    told = {
        "format": "curation-session/1",
        "source": {"path": "people.csv"},
        "columns": {"pid": {}, "a": {}, "dx": {}},
        "protection": protection,
        "plan": BY_NUMBER,
    }
    (folder / "people.csv").write_text(table, encoding="utf-8")
    path = folder / "people.curation.json"
    path.write_text(json.dumps(told | changes), encoding="utf-8")
    return path


def applied(path: Path, table: str) -> int:
    new = path.parent / "new.csv"
    new.write_text(table, encoding="utf-8")
    return main(["apply", str(path), "--data", str(new), "--out", str(path.parent / "out.csv")])


def released(path: Path) -> list[str]:
    return [line.split(",")[0] for line in (path.parent / "out.csv").read_text("utf-8").splitlines()[1:]]


def refusal(path: Path, table: str, capture: Capture) -> str:
    assert applied(path, table) == 2
    assert not (path.parent / "out.csv").exists()
    (line,) = capture.readouterr().err.splitlines()
    return line


def test_whoever_was_removed_by_number_is_removed_where_the_key_says(tmp_path: Path) -> None:
    path = session(tmp_path, key="pid")

    assert applied(path, REVERSED) == 0

    assert released(path) == ["p2", "p3", "p4"]


def test_nobody_is_removed_for_a_person_who_left(tmp_path: Path) -> None:
    path = session(tmp_path, key="pid")

    assert applied(path, "pid,a,dx\np4,1,flu\np3,1,flu\n") == 0

    assert released(path) == ["p3", "p4"]


def test_without_a_key_the_step_is_refused_by_its_number(tmp_path: Path, capsys: Capture) -> None:
    said = refusal(session(tmp_path), REVERSED, capsys)

    assert "Step 2 deletes by row number, and in “new.csv” other records stand there" in said
    assert "plan[1].rows" in said


def test_a_key_that_repeats_tells_nobody_apart(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, PEOPLE.replace("p2", "p1"), key="pid")

    assert "the key “pid” does not tell who record 1 is" in refusal(path, REVERSED, capsys)


def test_without_the_old_data_the_key_is_of_no_use(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, key="pid")
    (tmp_path / "people.csv").unlink()

    assert "bring back the old data" in refusal(path, REVERSED, capsys)


def test_targets_follow_the_key_too(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, key="pid", protection={"targets": [0]})
    (tmp_path / "new.csv").write_text(REVERSED, encoding="utf-8")

    main(["score", "--json", "--evidence", str(path), "--data", str(tmp_path / "new.csv")])

    document = json.loads(capsys.readouterr().out)
    assert [p["target"] for p in document["prior"]] == [3]


def test_targets_by_number_are_refused_without_a_key(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, plan=[], protection={"targets": [0]})

    assert "protection.targets" in refusal(path, REVERSED, capsys)


def test_on_a_copy_of_its_own_data_row_numbers_stand(tmp_path: Path) -> None:
    path = session(tmp_path)

    assert applied(path, PEOPLE) == 0

    assert released(path) == ["p2", "p3", "p4"]


def test_saved_steps_that_name_rows_are_left_out_on_other_data(tmp_path: Path) -> None:
    path = session(tmp_path, plan=[], saved_steps=[{"name": "mine", "steps": BY_NUMBER}])

    assert applied(path, REVERSED) == 0


def test_a_release_of_the_sessions_own_data_is_listed_and_held_against_the_next_one(
    tmp_path: Path, capsys: Capture
) -> None:
    table = "a,b,dx\n1,1,HIV\n1,2,flu\n2,1,flu\n2,2,HIV\n"
    accumulating = {"observer": {"kind": "accumulating"}, "budget": 0.2}
    columns = {"a": {}, "b": {}, "dx": {}}
    first = [{"op": "project", "drop": ["dx", "a"]}]
    path = session(tmp_path, table, plan=first, columns=columns, protection=accumulating)

    assert applied(path, table) == 0
    told = json.loads(path.read_text("utf-8"))
    assert [r["file"] for r in told["releases"]] == ["out.csv"]
    assert told["source"]["path"] == "people.csv"

    other = [{"op": "project", "drop": ["dx", "b"]}]
    path.write_text(json.dumps(told | {"plan": other, "position": 1, "exposed": []}), encoding="utf-8")
    assert main(["release", str(path), "--out", str(tmp_path / "second.csv")]) == 3
    assert "lists this release" in capsys.readouterr().out


def test_a_release_of_other_data_is_said_not_to_be_listed(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, key="pid")

    assert applied(path, REVERSED) == 0

    assert "does not list this release" in capsys.readouterr().out
    assert "releases" not in json.loads(path.read_text("utf-8"))


def test_a_number_of_records_that_is_not_the_tables_is_refused(tmp_path: Path, capsys: Capture) -> None:
    path = session(tmp_path, source={"path": "people.csv", "rows": 99})

    assert main(["score", str(path)]) == 2

    assert "source.rows: “people.csv” has 4 records and the session says 99" in capsys.readouterr().err
