"""The next operators proposed: what they cover, and that row operators say exactly the rows they mean."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from generate import Case, cases
from hypothesis import given
from worlds import COARSENING, paper_session, write_session

from curator_gui.core.operators import Delete, Generalize, Operator, Project, Select
from curator_gui.core.view import Level
from curator_gui.disclosure.generator import next_operators
from curator_gui.session import Session


def proposed(session: Session) -> list[Operator]:
    return list(next_operators(session.snapshot().standing()))


def test_every_kept_column_may_be_dropped_and_coarsened_level_by_level(tmp_path: Path) -> None:
    ladders = {"zip": {"kind": "prefix", "levels": [4, 3, 1, "*"]}}
    session = Session.load(write_session(tmp_path, paper_session(hierarchies=ladders, plan=COARSENING[:2])))

    operators = proposed(session)

    assert [o.drop for o in operators if isinstance(o, Project)] == [("age",), ("sex",), ("zip",), ("med",)]
    coarser = [o for o in operators if isinstance(o, Generalize)]
    assert [o.view for o in coarser] == [Level(1), Level(2), Level(3), Level(4)]


def test_a_level_that_coarsens_nothing_is_not_proposed(tmp_path: Path) -> None:
    ladders = {"zip": {"kind": "prefix", "levels": [4, 3, 1, "*"]}}
    session = Session.load(write_session(tmp_path, paper_session(hierarchies=ladders)))

    assert not [o for o in proposed(session) if isinstance(o, Generalize)]


def test_the_class_of_the_worst_target_is_written_as_a_predicate_that_reads(tmp_path: Path) -> None:
    session = Session.load(write_session(tmp_path, paper_session()))

    deletes = [o for o in proposed(session) if isinstance(o, Delete)]

    assert deletes[0].where is not None
    assert deletes[0].where.text == (
        '"age" >= 30 AND "age" < 40 AND "sex" = \'F\' AND SUBSTR("zip", 1, 3) = \'926\' AND "med" = \'ART\''
    )


def test_within_the_budget_no_rows_are_proposed_for_removal(tmp_path: Path) -> None:
    session = Session.load(write_session(tmp_path, paper_session()))
    session.commit(Project(("med",)))

    assert not [o for o in proposed(session) if isinstance(o, Delete | Select)]


@given(case=cases())
def test_row_operators_remove_whole_classes_over_the_budget(case: Case) -> None:
    with TemporaryDirectory() as folder:
        session = Session.load(case.write(Path(folder)))
        standing = session.snapshot().standing()

        for operator in next_operators(standing):
            if isinstance(operator, Delete | Select):
                gone = standing.prefix.removed_by(operator) & standing.prefix.present
                classes = np.unique(standing.classes.of_row[gone])
                of_these = np.isin(standing.classes.of_row, classes) & standing.prefix.present
                assert np.array_equal(gone, of_these)
                assert (standing.best[classes] > standing.limit).all()
