"""``apply``: which columns of refreshed data leave, and what is never replaced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from worlds import PAPER, REFRESHED, paper_session, refreshed_session, safe_session

from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]

WIDER = "age,sex,zip,med,diag,phone,ward\n" + "".join(
    f"{line},+49 30 12345{i},w{i % 2}\n" for i, line in enumerate(PAPER.splitlines()[1:])
)


def applied(session: Path, table: str, *options: str) -> int:
    new = session.parent / "new.csv"
    new.write_text(table, encoding="utf-8")
    return main(
        ["apply", str(session), "--data", str(new), "--out", str(session.parent / "out.csv"), *options]
    )


def released_header(folder: Path) -> str:
    return (folder / "out.csv").read_text("utf-8").splitlines()[0]


def sentence(capture: Capture) -> str:
    (line,) = capture.readouterr().err.strip().splitlines()
    return line


def test_columns_the_session_has_never_seen_are_refused_by_name(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert applied(session, WIDER) == 2

    said = sentence(capsys)
    assert "“new.csv” has columns the session has never seen, “phone”, “ward”" in said
    assert "--drop-new" in said
    assert "--keep-new COLUMN" in said
    assert not (tmp_path / "out.csv").exists()


def test_columns_the_session_has_never_seen_can_be_left_out(tmp_path: Path) -> None:
    assert applied(safe_session(tmp_path), WIDER, "--drop-new") == 0

    assert released_header(tmp_path) == "age,sex,zip"


def test_a_new_column_is_released_by_name_alone(tmp_path: Path) -> None:
    protection = paper_session()["protection"] | {"budget": 9}
    session = safe_session(tmp_path)
    told = json.loads(session.read_text()) | {"protection": protection}
    session.write_text(json.dumps(told))

    assert applied(session, WIDER, "--keep-new", "ward", "--drop-new") == 0

    assert released_header(tmp_path) == "age,sex,zip,ward"


def test_a_new_identifier_needs_its_own_word(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert applied(session, WIDER, "--keep-new", "phone", "--drop-new") == 2

    assert "--keep-identifier phone" in sentence(capsys)


def test_a_second_column_of_the_same_name_is_refused(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)
    doubled = "".join(f"{line},{line.split(',')[2]}\n" for line in PAPER.splitlines())

    assert applied(session, doubled) == 2

    assert "never seen, “zip" in sentence(capsys)


def test_columns_of_the_old_file_are_known_though_the_session_does_not_list_them(tmp_path: Path) -> None:
    assert applied(safe_session(tmp_path), PAPER) == 0


def test_where_the_old_file_is_gone_what_the_session_lists_is_known(tmp_path: Path) -> None:
    columns: dict[str, Any] = {n: {"type": "text"} for n in ("sex", "zip", "med", "diag")}
    session = safe_session(tmp_path)
    told = json.loads(session.read_text()) | {"columns": {**columns, "age": {"type": "integer"}}}
    session.write_text(json.dumps(told))
    (tmp_path / "people.csv").unlink()

    assert applied(session, PAPER) == 0


def test_a_name_that_is_no_column_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert applied(safe_session(tmp_path), PAPER, "--keep-new", "nobody") == 2

    assert "nobody" in sentence(capsys)


@pytest.mark.parametrize("own", ["people.csv", "people.curation.json", "new.csv"])
def test_neither_the_old_nor_the_new_data_nor_the_session_is_replaced(
    own: str, tmp_path: Path, capsys: Capture
) -> None:
    session = safe_session(tmp_path)
    before = (session.read_bytes(), (tmp_path / "people.csv").read_bytes())

    assert applied(session, PAPER, "--out", str(tmp_path / own), "--replace") == 2

    assert "another name" in sentence(capsys)
    assert (session.read_bytes(), (tmp_path / "people.csv").read_bytes()) == before
    assert (tmp_path / "new.csv").read_text("utf-8") == PAPER


def test_over_budget_the_way_out_is_one_this_command_has(tmp_path: Path, capsys: Capture) -> None:
    session, _ = refreshed_session(tmp_path)

    assert applied(session, REFRESHED["after"]) == 3

    said = capsys.readouterr().err
    assert "coarsen further in the session" in said
    assert "reason" not in said
