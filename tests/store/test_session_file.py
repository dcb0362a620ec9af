"""Session files: they survive reading and writing, and agree with the schema that is shipped."""

from __future__ import annotations

import json
import re
import stat
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema
import pytest
from generate import Case, cases
from hypothesis import given
from worlds import paper_session, write_session

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Project
from curator_gui.session import Session
from curator_gui.store import session_file
from curator_gui.store.session_file import (
    read_session,
    session_from_json,
    session_text,
    session_to_json,
)
from curator_gui.store.session_file import (
    write_session as write_record,
)

SCHEMA = json.loads(
    (Path(session_file.__file__).parent / "schemas" / "curation-session-1.json").read_text("utf-8")
)
PAGE = Path(__file__).parents[2] / "docs" / "session-file.md"
VALID = jsonschema.Draft202012Validator(SCHEMA)


def parsed(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(case=cases())
def test_a_session_survives_its_file(case: Case) -> None:
    record = session_from_json(parsed(json.dumps(case.session)))

    again = session_from_json(parsed(session_text(record)))

    assert again == record


@given(case=cases())
def test_what_is_read_and_what_is_written_obey_the_schema(case: Case) -> None:
    VALID.validate(parsed(json.dumps(case.session)))
    record = session_from_json(parsed(json.dumps(case.session)))

    VALID.validate(parsed(session_text(record)))


@pytest.mark.skipif(not PAGE.exists(), reason="an installation has no docs")
def test_the_session_in_the_documentation_is_complete() -> None:
    written = re.findall(r"```json\n(\{.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]

    VALID.validate(parsed(written))
    assert len(session_from_json(parsed(written)).plan) == 2


def test_fractions_keep_their_exact_digits() -> None:
    edges = [Decimal("0.1"), Decimal("0.30000000000000000000000000001")]
    plan = [{"op": "generalize", "column": "age", "view": {"bins": edges}}]
    record = session_from_json(paper_session(plan=plan))

    assert "0.30000000000000000000000000001" in session_text(record)
    assert session_from_json(parsed(session_text(record))) == record


def test_a_session_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.curation.json"
    write_record(path, session_from_json(paper_session()))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_session(path) == session_from_json(paper_session())


MUTATIONS: dict[str, dict[str, Any]] = {
    "an unknown key": {"colour": "red"},
    "another version": {"format": "curation-session/2"},
    "a plan that is no list": {"plan": {}},
    "an operator without op": {"plan": [{"drop": ["med"]}]},
    "an operator with a key too many": {"plan": [{"op": "project", "drop": ["med"], "why": "x"}]},
    "a delete with rows and where": {"plan": [{"op": "delete", "rows": [1], "where": "age = 1"}]},
    "a row below 0": {"plan": [{"op": "delete", "rows": [-1]}]},
    "a view with two kinds": {
        "plan": [{"op": "generalize", "column": "age", "view": {"prefix": 1, "level": 1}}]
    },
    "a prefix of 0": {"plan": [{"op": "generalize", "column": "age", "view": {"prefix": 0}}]},
    "a budget below 0": {"protection": {"budget": -1}},
    "a budget that is true": {"protection": {"budget": True}},
    "an observer that is none": {"protection": {"budget": 0, "observer": {"kind": "everyone"}}},
    "a smoothed observer without m": {"protection": {"budget": 0, "observer": {"kind": "smoothed"}}},
    "a type that is none": {"columns": {"age": {"type": "number"}}},
    "a ladder of no kind": {"hierarchies": {"age": {"kind": "steps", "levels": [1]}}},
    "a weight below 0": {"utility": {"weights": {"age": -1}}},
    "a position below 0": {"position": -1},
    "a role that is none": {"columns": {"age": {"role": "key"}}},
    "a source without a path": {"source": {}},
}


@pytest.mark.parametrize("case", MUTATIONS)
def test_what_the_schema_refuses_is_refused_when_read_and_names_its_place(case: str) -> None:
    session = paper_session(**MUTATIONS[case])

    assert not VALID.is_valid(session)
    with pytest.raises(InputError) as refused:
        session_from_json(session)
    assert "Traceback" not in str(refused.value)


@given(case=cases())
def test_undo_and_redo_only_move_the_position(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))
        plan, place = session.plan, session.position

        session.undo()
        session.redo()

        assert session.plan == plan
        assert session.position == (place if place else min(1, len(plan)))


def test_a_commit_after_undo_keeps_the_old_steps_as_a_branch(tmp_path: Path) -> None:
    session = Session.load(write_session(tmp_path, paper_session()))
    old = session.plan
    session.undo()

    session.commit(Project(("sex",)))

    assert session.record.branches[0].plan == old
    assert session_to_json(session.record)["branches"][0]["name"]
