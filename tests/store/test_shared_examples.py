"""Small shared tables that come with a disclosure: opened, prepared, scored, released."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from curator_gui.core.errors import InputError, OverBudgetError
from curator_gui.core.operators import Delete, Generalize, Project
from curator_gui.core.view import Mapping
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.warnings import warnings
from curator_gui.session import Session

INPUTS = Path(__file__).parents[2] / ".." / "shared" / "inputs"
pytestmark = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared files are not here")

GROUP = [
    {"column": "age", "view": {"bins": [30, 40, 50]}},
    {"column": "sex"},
    {"column": "zip", "view": {"prefix": 3}},
]
COARSER: list[dict[str, Any]] = [
    {"op": "project", "drop": ["id"]},
    {"op": "project", "drop": ["diag"]},
    {"op": "generalize", "column": "age", "view": {"bins": [30, 40, 50]}},
    {"op": "generalize", "column": "zip", "view": {"prefix": 3}},
]
LN_3_2 = pytest.approx(math.log(3 / 2))


def session_on(
    name: str, folder: Path, visible: list[dict[str, Any]], budget: float, plan: list[dict[str, Any]]
) -> Session:
    secret = {"name": "HIV", "where": "diag = 'HIV'"}
    data = {
        "format": "curation-session/1",
        "source": {"path": str((INPUTS / name).resolve())},
        "columns": {"age": {"type": "integer"}} if visible[0]["column"] == "age" else {},
        "protection": {"visible": visible, "secrets": [secret], "budget": budget},
        "plan": plan,
    }
    (folder / "s.curation.json").write_text(json.dumps(data))
    return Session.load(folder / "s.curation.json")


def previewed(session: Session, operator: Project | Delete | Generalize) -> Candidate:
    found = next(iter(session.snapshot().candidates([operator])))
    assert not isinstance(found, InputError)
    return found


def test_14_a_single_record_is_already_certain_and_nothing_is_gained(tmp_path: Path) -> None:
    session = session_on("14_one_record.csv", tmp_path, [{"column": "age"}, {"column": "sex"}], 0.2, [])

    assert session.snapshot().standing().alpha == 0
    assert any("certain" in sentence for sentence in warnings(session.scoring.population))


def test_31_the_example_of_the_paper(tmp_path: Path) -> None:
    session = session_on("31_paper_example.csv", tmp_path, GROUP, 0.2, COARSER)

    drop = previewed(session, Project(("med",)))
    delete = previewed(session, Delete(rows=(2,)))

    assert session.snapshot().trajectory().alphas[0] == LN_3_2
    assert session.snapshot().standing().alpha == LN_3_2
    assert (drop.alpha, drop.feasible, drop.classes.merged) == (0.0, True, 1)
    assert (delete.alpha, delete.does_no_privacy_work) == (LN_3_2, True)


def test_32_the_same_plan_is_blocked_on_refreshed_data(tmp_path: Path) -> None:
    plan = [*COARSER, {"op": "select", "where": "consent = 'yes'"}, {"op": "project", "drop": ["consent"]}]
    first = session_on("32_refresh_v1.csv", tmp_path, GROUP, 0.35, plan)
    again = session_on("32_refresh_v2.csv", tmp_path, GROUP, 0.35, plan)

    assert first.snapshot().standing().alpha == 0
    assert first.release(tmp_path / "v1.csv").rows == 2
    assert again.snapshot().standing().alpha == LN_3_2
    with pytest.raises(OverBudgetError):
        again.release(tmp_path / "v2.csv")
    assert not (tmp_path / "v2.csv").exists()


def test_34_a_step_that_lowers_the_maximum_makes_some_people_worse_off(tmp_path: Path) -> None:
    plan = [{"op": "project", "drop": ["id", "diag"]}]
    session = session_on("34_generalising_can_hurt_some.csv", tmp_path, [{"column": "sex"}], 0.3, plan)
    jobs = [v for v in session.table["job"].values if v is not None]
    health = Mapping(tuple((v, "health" if v in ("nurse", "medic") else v) for v in jobs))

    found = previewed(session, Generalize("job", health))

    assert session.snapshot().standing().alpha == pytest.approx(0.9808, abs=1e-4)
    assert found.alpha == pytest.approx(0.2877, abs=1e-4)
    assert (found.worse, found.better, found.same) == (4, 2, 2)
    assert found.max_delta == pytest.approx(math.log(2))


def test_13_without_records_nothing_is_disclosed_and_nothing_released(tmp_path: Path) -> None:
    session = Session.open_table(INPUTS / "13_header_only.csv")

    assert (session.table.rows, len(session.table.columns)) == (0, 3)
    assert session.snapshot().standing().alpha is None
    with pytest.raises(InputError, match="No record is left"):
        session.release(tmp_path / "out.csv")
