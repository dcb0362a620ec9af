"""The controller changes the session or refuses, and drops what comes too late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from curator_gui.bundled import sample
from curator_gui.core.errors import InputError
from curator_gui.core.operators import Delete, Generalize, Project
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.protection import Observer, Secret
from curator_gui.core.view import Level
from curator_gui.gui.controller import Controller
from curator_gui.session import Session

Scored = Callable[[Controller], None]
DROP = Project(("medication",))


@pytest.fixture
def paper(controller: Controller, scored: Scored) -> Controller:
    controller.open_sample("paper.curation.json")
    scored(controller)
    return controller


@pytest.fixture
def clinic(controller: Controller, scored: Scored) -> Controller:
    controller.open_sample()
    scored(controller)
    return controller


def session_of(controller: Controller) -> Session:
    assert controller.session is not None
    return controller.session


def candidate_of(controller: Controller, operator: object):  # type: ignore[no-untyped-def]
    return next(c for c in controller.candidates if c.operator == operator)


def test_a_sample_opens_untitled_and_its_files_stay_as_they_are(
    paper: Controller, tmp_path: Path, qtbot: QtBot
) -> None:
    before = {p: p.read_bytes() for p in sample("paper.csv").parent.glob("paper.*")}

    assert session_of(paper).path is None
    paper.save(tmp_path / "mine.curation.json")

    assert session_of(paper).path == tmp_path / "mine.curation.json"
    assert {p: p.read_bytes() for p in before} == before


def test_the_preview_equals_the_commit_for_every_candidate(clinic: Controller, scored: Scored) -> None:
    session = session_of(clinic)
    for candidate in clinic.candidates:
        clinic.commit(candidate.operator)
        scored(clinic)
        assert clinic.trajectory is not None
        after = clinic.trajectory.last
        assert (after.alpha, after.utility, after.over_budget, after.feasible) == (
            candidate.alpha,
            candidate.utility,
            candidate.over_budget,
            candidate.feasible,
        )
        clinic.undo()
        scored(clinic)
    assert session.position == 0


def test_scores_of_a_plan_that_moved_are_dropped(clinic: Controller, scored: Scored) -> None:
    for name in ("record_id", "admitted", "ward", "cost"):
        clinic.commit(Project((name,)))  # each one overtakes the scoring of the one before
    scored(clinic)

    assert clinic.trajectory is not None
    assert clinic.trajectory.plan == session_of(clinic).plan
    assert {c.operator for c in clinic.candidates if isinstance(c.operator, Project)} == {
        Project((n,)) for n in session_of(clinic).prefix.columns
    }
    assert {c.alpha_before for c in clinic.candidates} == {clinic.trajectory.last.alpha}


def test_going_back_finds_the_scores_as_they_were(clinic: Controller, scored: Scored) -> None:
    first = clinic.candidates
    clinic.commit(DROP)
    scored(clinic)

    clinic.undo()
    scored(clinic)

    assert clinic.candidates == first


def test_a_step_that_cannot_follow_is_refused_and_nothing_changes(paper: Controller, qtbot: QtBot) -> None:
    plan = session_of(paper).plan

    with qtbot.waitSignal(paper.problem) as refused:
        assert not paper.commit(Project(("diagnosis",)))  # dropped already

    assert "diagnosis" in refused.args[0]
    assert session_of(paper).plan == plan


def test_nothing_to_commit_is_said(paper: Controller, qtbot: QtBot) -> None:
    with qtbot.waitSignal(paper.problem):
        assert not paper.commit_preview()


def test_the_worst_target_of_the_preview_is_looked_at(paper: Controller, qtbot: QtBot) -> None:
    paper.set_preview(candidate_of(paper, DROP))
    qtbot.waitUntil(lambda: paper.look() is not None)

    seen = paper.look()
    assert seen is not None
    assert paper.target == candidate_of(paper, DROP).worst.target
    assert seen.after.sum() > seen.before.sum()


def test_a_chosen_target_stays_until_another_preview(paper: Controller) -> None:
    paper.select_target(2)
    assert (paper.target, paper.secret) == (2, "HIV")

    paper.set_preview(candidate_of(paper, DROP))

    assert paper.target != 2


def test_a_step_of_ones_own_joins_the_candidates(paper: Controller, qtbot: QtBot, scored: Scored) -> None:
    own = Delete(parse_predicate("age > 35"))

    paper.score_own(own)
    qtbot.waitUntil(lambda: paper.preview is not None)

    preview = paper.preview
    assert preview is not None
    assert preview.operator == own
    assert paper.is_own(preview)
    assert preview in paper.candidates


def test_a_branch_left_behind_can_be_taken_again(paper: Controller, scored: Scored) -> None:
    before = session_of(paper).plan
    paper.go_to(1)
    paper.commit(DROP)
    scored(paper)

    paper.apply_branch(0)
    scored(paper)

    assert session_of(paper).plan == before
    assert session_of(paper).position == len(before)


def test_another_budget_moves_the_verdicts(paper: Controller, scored: Scored) -> None:
    assert paper.set_budget(0.5) is None
    scored(paper)

    assert paper.trajectory is not None
    assert paper.trajectory.budget == 0.5
    assert paper.trajectory.last.feasible


def test_a_protection_that_does_not_fit_is_refused_in_one_sentence(paper: Controller) -> None:
    session = session_of(paper)
    protection = session.protection
    wrong = replace(protection, secrets=(Secret("x", parse_predicate("nowhere = 'a'")),))

    refusal = paper.set_protection(wrong)

    assert refusal is not None
    assert "nowhere" in refusal
    assert session.protection == protection


def test_a_table_that_is_not_there_is_a_problem(controller: Controller, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(controller.problem) as refused:
        controller.open_path(tmp_path / "absent.csv")

    assert "absent.csv" in refused.args[0]
    assert controller.session is None


def test_the_observer_changes_what_the_scores_say(clinic: Controller, scored: Scored) -> None:
    assert clinic.trajectory is not None
    before = clinic.trajectory.last.alpha
    assert clinic.set_observer(Observer("smoothed", Decimal(5))) is None
    scored(clinic)

    assert clinic.trajectory is not None
    after = clinic.trajectory.last.alpha
    assert before is not None
    assert after is not None
    assert after < before


def test_levels_are_described_by_what_they_do(clinic: Controller) -> None:
    assert clinic.describe(Generalize("age", Level(1))) == "Generalize age: by 10"


def test_an_unfit_level_is_refused(clinic: Controller) -> None:
    with pytest.raises(InputError):
        session_of(clinic).commit(Generalize("age", Level(9)))


def test_a_saved_session_remembers_its_scores(paper: Controller, tmp_path: Path) -> None:
    assert paper.save(tmp_path / "s.curation.json")

    last = session_of(paper).record.last_scored
    assert paper.trajectory is not None
    assert last is not None
    assert last.alphas == paper.trajectory.alphas


def test_saving_where_one_may_not_is_a_problem(paper: Controller, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(paper.problem) as refused:
        assert not paper.save(tmp_path / "no such folder" / "s.json")

    assert "folder does not exist" in refused.args[0]


def test_a_release_leaves_every_next_step_in_the_list_once(
    paper: Controller, scored: Scored, qtbot: QtBot, tmp_path: Path
) -> None:
    before = [c.operator for c in paper.candidates]
    own = Delete(parse_predicate("age > 35"))
    paper.score_own(own)
    qtbot.waitUntil(lambda: paper.preview is not None)

    with qtbot.waitSignal(paper.released):
        paper.release(tmp_path / "out.csv", over_budget="a trial")
    scored(paper)

    after = [c.operator for c in paper.candidates]
    assert len(after) == len(set(after))
    assert set(after) == {own, *before}
    assert paper.is_own(candidate_of(paper, own))


def test_scoring_that_was_stopped_can_be_begun_again(
    clinic: Controller, scored: Scored, qtbot: QtBot
) -> None:
    count = len(clinic.candidates)
    clinic.commit(DROP)
    clinic.undo()
    clinic._remembered.clear()
    qtbot.waitUntil(lambda: any(j.kind == "score" for j in clinic.jobs.running))
    clinic.cancel_job()
    assert clinic.scoring_stopped

    clinic.score_again()
    scored(clinic)

    assert not clinic.scoring_stopped
    assert len(clinic.candidates) == count
