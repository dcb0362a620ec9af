"""A table that left stays marked, whatever becomes of the plan it had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from worlds import safe_session

from curator_gui.core.errors import OverBudgetError
from curator_gui.core.operators import Project
from curator_gui.session import Session


def test_the_mark_of_a_release_comes_back_with_its_plan(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    released = session.plan
    session.release(tmp_path / "out.csv")

    session.undo()
    session.commit(Project(("age",)))
    assert session.record.exposed == ()
    session.undo()
    session.commit_all(released[-1:])

    assert session.record.exposed == (len(released),)


def test_a_saved_session_that_lost_the_mark_has_it_again(tmp_path: Path) -> None:
    path = safe_session(tmp_path)
    Session.load(path).release(tmp_path / "out.csv", save=True)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"exposed": []}), encoding="utf-8")

    loaded = Session.load(path)

    assert loaded.record.exposed == (len(loaded.plan),)
    assert not loaded.modified


def test_a_release_of_another_branch_above_the_budget_asks_for_a_reason(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    session.set_reading("every-exposed")
    safe = session.plan
    session.undo()
    session.commit(Project(("age",)))
    assert not session.snapshot().standing().feasible
    session.release(tmp_path / "early.csv", over_budget="agreed")
    session.go_to(len(safe) - 1)
    session.commit_all(safe[-1:])
    assert session.snapshot().standing().feasible

    with pytest.raises(OverBudgetError, match="of a table that left earlier"):
        session.release(tmp_path / "out.csv")

    session.set_reading("endpoint")
    session.release(tmp_path / "out.csv")
