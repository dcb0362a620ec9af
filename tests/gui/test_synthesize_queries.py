"""Ordering a synthetic table: the draft and the page of queries."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from synthesis_clicks import KEY, LEFT, cell_texts, child, click, text

from curator_gui.gui.charts.interest_matrix import InterestMatrix
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.synthesis_draft import SynthesisDraft, read_query


def test_a_query_keeps_the_order_of_the_table_whatever_was_typed(draft: SynthesisDraft) -> None:
    draft.add_queries([read_query("smoker, sex"), ("sex", "smoker")])

    assert draft.queries == [("sex", "smoker")]


@pytest.mark.parametrize("typed", ["sex, sex", "sex, salary", ""])
def test_a_query_that_names_no_column_or_one_twice_is_refused(draft: SynthesisDraft, typed: str) -> None:
    from curator_gui.core.errors import InputError

    with pytest.raises(InputError):
        draft.add_queries([read_query(typed)])


def test_queries_of_a_column_left_out_are_not_ordered(draft: SynthesisDraft) -> None:
    draft.add_queries([("sex", "smoker"), ("sex", "age")])

    draft.left_out.add("smoker")

    assert draft.order("1").interest == (("sex", "age"),)


def test_a_pair_is_chosen_by_mouse_and_taken_back_by_key(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    click(qtbot, ordering, "next")
    matrix = ordering.findChild(InterestMatrix)

    qtbot.mouseClick(matrix, LEFT, pos=matrix.area_of((2, 0)).center().toPoint())
    assert matrix.is_chosen((2, 0))
    assert "chosen" in matrix.accessibleDescription()
    qtbot.keyClick(matrix, KEY.Key_Space)

    assert not matrix.is_chosen((2, 0))


def test_arrows_never_leave_the_triangle(qtbot: QtBot) -> None:
    matrix = InterestMatrix()
    qtbot.addWidget(matrix)
    matrix.show_names(["a", "b", "c"])

    for key in (KEY.Key_Down, KEY.Key_Right, KEY.Key_Right, KEY.Key_Down, KEY.Key_Up):
        qtbot.keyClick(matrix, key)

    assert matrix.place == (1, 0)


def test_a_query_of_three_columns_is_added_by_name(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "query_names"), "smoker, age, sex")

    click(qtbot, ordering, "add_query")

    rows = cell_texts(ordering.findChild(CopyTable, "chosen_queries"))
    assert [row[0] for row in rows] == ["sex × age × smoker"]


def test_an_unknown_name_in_a_query_is_told(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "query_names"), "sex, salary")

    click(qtbot, ordering, "add_query")

    assert "no column “salary”" in text(ordering, "queries_problem")


def test_a_query_that_names_a_column_twice_is_told(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "query_names"), "sex, sex")

    click(qtbot, ordering, "add_query")

    assert "different columns" in text(ordering, "queries_problem")
    assert ordering.findChild(CopyTable, "chosen_queries").model().rowCount() == 0


def test_searching_moves_to_the_column_found(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    click(qtbot, ordering, "next")

    qtbot.keyClicks(child(ordering, "find_column"), "smok")

    assert ordering.findChild(InterestMatrix).place == (2, 0)


def test_the_page_of_queries_says_how_to_ask_and_that_none_is_fine(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    click(qtbot, ordering, "next")

    assert "Click a box" in text(ordering, "queries_how")
    assert child(ordering, "no_queries").isVisible()
    assert not child(ordering, "chosen_queries").isVisible()


def test_names_stand_before_the_rows_and_leave_the_cells_where_they_are_clicked(qtbot: QtBot) -> None:
    matrix = InterestMatrix()
    qtbot.addWidget(matrix)
    matrix.show_names(["a", "a column of a long name", "c"])

    cell = matrix.area_of((2, 1))

    assert cell.left() > 100
    assert matrix.pair_at(cell.center().toPoint()) == (2, 1)
