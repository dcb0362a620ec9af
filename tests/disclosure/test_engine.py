"""The engine against the oracle and the worked cases, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import oracle
import pytest
from generate import Case, cases, differences
from hypothesis import given

from curator_gui.cli.documents import candidate_document, evidence_document, prior_document, score_document
from curator_gui.cli.score import read_operators
from curator_gui.core.errors import InputError
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.population import resolve
from curator_gui.disclosure.scoring import Scoring
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.transition import ClassChanges
from curator_gui.session import Session

WORKED = Path(__file__).parents[2] / ".." / "shared" / "cases" / "disclosure"
FOLDERS = sorted(f.parent for f in WORKED.glob("*/expected.json"))


def scored(session: Session) -> dict[str, Any]:
    document = score_document(session.snapshot().trajectory())
    document["prior"] = prior_document(session.scoring.population)
    for i, prefix in enumerate(document["prefixes"]):
        prefix["evidence"] = evidence_document(session.scoring.standing(session.plan[:i]))
    return document


def candidates(session: Session, folder: Path) -> list[dict[str, Any]]:
    results = session.snapshot().candidates(read_operators(folder / "operators.json"))
    documents = [
        candidate_document(c, session.source.hierarchies) for c in results if isinstance(c, Candidate)
    ]
    found: list[dict[str, Any]] = json.loads(json.dumps(documents, default=float))
    return found


@pytest.mark.skipif(not FOLDERS, reason="the worked cases stand beside the project")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_every_field_of_a_worked_case_agrees(folder: Path) -> None:
    want = json.loads((folder / "expected.json").read_text("utf-8"))
    session = Session.load(folder / "session.json")

    got = {**scored(session), "candidates": candidates(session, folder)}

    plain = {"alpha", "feasible", "i", "rows", "columns", "over_budget", "no_evidence", "worst", "utility"}
    for prefix in want["prefixes"]:
        for key in [k for k in prefix if k not in plain and k != "evidence"]:
            del prefix[key]
    assert differences(got, {k: want[k] for k in ("prior", "prefixes", "candidates")}) == []


@given(case=cases())
def test_any_drawn_case_agrees_with_the_oracle_for_every_observer(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))

        got, got_candidates = scored(session), candidates(session, Path(folder))

        want = oracle.score(case.session, case.rows)
        assert differences(got, want) == []
        assert differences(got_candidates, oracle.candidates(case.session, case.rows, case.operators)) == []


@given(case=cases())
def test_a_preview_is_what_the_commit_computes_to_the_last_bit(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))
        session.commit_all(())
        scoring, plan = session.scoring, session.current_plan

        for preview in scoring.candidates(plan):
            assert isinstance(preview, Candidate)
            committed = Scoring(scoring.population, scoring.weights, scoring.exposed, scoring.released)
            score = committed.trajectory((*plan, preview.operator)).last

            assert (score.alpha, score.feasible, score.utility) == (
                preview.alpha,
                preview.feasible,
                preview.utility,
            )
            assert score.over_budget == preview.over_budget
            if preview.worst is not None:
                assert score.worst is not None
                found = (score.worst.target, score.worst.secret, (score.worst.k, score.worst.n))
                assert found == (preview.worst.target, preview.worst.secret, preview.worst.after)


@given(case=cases())
def test_coarsening_never_shrinks_a_class_while_no_row_is_removed(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))
        for candidate in session.snapshot().candidates():
            assert isinstance(candidate, Candidate)
            if candidate.rows_removed == 0:
                changes: ClassChanges = candidate.classes
                assert (changes.split, changes.shrunk, changes.emptied) == (0, 0, 0)
                assert changes.after <= changes.before


@given(case=cases())
def test_undo_after_a_commit_is_the_identity(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))
        before = session.snapshot().trajectory().prefixes[: session.position + 1]
        for candidate in list(session.snapshot().candidates())[:3]:
            assert isinstance(candidate, Candidate)

            session.commit(candidate.operator)
            session.undo()

            assert session.snapshot().trajectory().prefixes[: session.position + 1] == before


def test_an_operator_that_cannot_follow_is_refused_with_its_place(tmp_path: Path) -> None:
    session = Session.load(_two_columns(tmp_path))

    results = list(session.snapshot().candidates(read_operators(tmp_path / "operators.json")))

    assert isinstance(results[0], InputError)
    assert isinstance(results[1], Candidate)


def test_a_standing_scores_alike_however_often_it_is_asked(tmp_path: Path) -> None:
    session = Session.load(_two_columns(tmp_path))
    population = resolve(session.source, session.protection)

    first = Standing(population, session.prefix)
    second = session.snapshot().standing()

    assert (first.alpha, first.worst, first.utility) == (second.alpha, second.worst, second.utility)


def _two_columns(folder: Path) -> Path:
    case = Case(
        {
            "format": "curation-session/1",
            "source": {
                "path": "source.csv",
                "reader": {
                    "kind": "csv",
                    "encoding": "utf-8",
                    "delimiter": ",",
                    "quote": '"',
                    "decimal": ".",
                    "missing": [""],
                },
            },
            "protection": {
                "visible": [{"column": "sex"}],
                "secrets": [{"name": "HIV", "where": "dx = 'HIV'"}],
                "budget": 0.1,
            },
            "plan": [{"op": "project", "drop": ["dx"]}],
        },
        [{"sex": "F", "dx": "HIV"}, {"sex": "F", "dx": "flu"}, {"sex": "M", "dx": "flu"}],
        [{"op": "project", "drop": ["dx"]}, {"op": "project", "drop": ["sex"]}],
    )
    return case.write(folder)
