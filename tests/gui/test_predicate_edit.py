"""The condition editor: chosen from lists or typed, counted live."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QToolButton

from curator_gui.core.errors import PredicateError
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.preparation import Source
from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.gui.conditions import Test as Chosen
from curator_gui.gui.conditions import (
    chosen_tests,
    common_values,
    expression,
    joined_values,
    matches,
    separate_values,
)
from curator_gui.gui.predicate_edit import PredicateEdit

SOURCE = Source(
    Table.of(
        [
            Column.of("age", ["30", "40", "40", None, "x"], ColumnType("integer")),
            Column.of("Drug name", ["ART", "ART, twice", "100%", None, "it's"]),
            Column.of(
                "seen",
                ["01.02.2024", "02.02.2024", None, "01.02.2024", "?"],
                ColumnType("date", format="%d.%m.%Y"),
            ),
            Column.of("select", ["a", "b", "a", "b", "a"]),
        ]
    )
)


def count(*tests: Chosen, joined: str = "AND") -> int:
    text = expression(tests, joined, SOURCE.table)
    return matches(parse_predicate(text), SOURCE, None).records


@pytest.mark.parametrize(
    ("test", "records"),
    [
        (Chosen("age", "=", "40"), 2),
        (Chosen("age", "<", "40"), 1),
        (Chosen("age", "missing"), 1),
        (Chosen("age", "present"), 4),
        (Chosen("age", "in", "30, 40"), 3),
        (Chosen("Drug name", "=", "it's"), 1),
        (Chosen("Drug name", "in", 'ART, "ART, twice"'), 2),
        (Chosen("Drug name", "contains", "T"), 2),
        (Chosen("Drug name", "contains", "%"), 1),
        (Chosen("Drug name", "starts", "ART"), 2),
        (Chosen("Drug name", "missing"), 1),
        (Chosen("seen", "=", "01.02.2024"), 2),
        (Chosen("seen", ">", "2024-02-01"), 1),
        (Chosen("select", "<>", "a"), 2),
    ],
)
def test_a_chosen_test_is_true_of_the_records_it_says(test: Chosen, records: int) -> None:
    assert count(test) == records


def test_tests_are_joined_by_and_or_or() -> None:
    both = (Chosen("age", "=", "40"), Chosen("select", "=", "a"))

    assert (count(*both), count(*both, joined="OR")) == (1, 4)


def test_a_text_against_a_number_column_is_refused_in_one_sentence() -> None:
    with pytest.raises(PredicateError, match="“age” holds numbers; “old” is none"):
        count(Chosen("age", "=", "old"))


CHOSEN = st.one_of(
    st.builds(
        Chosen,
        st.just("age"),
        st.sampled_from(["=", "<>", "<", ">="]),
        st.integers(-99, 99).map(str) | st.just("0.25"),
    ),
    st.builds(Chosen, st.just("Drug name"), st.sampled_from(["=", "<>"]), st.text("aé'\"%,", max_size=5)),
    st.builds(
        Chosen,
        st.just("select"),
        st.just("in"),
        st.lists(st.text("a',\" ", max_size=3), min_size=1).map(joined_values),
    ),
    st.builds(Chosen, st.sampled_from(["age", "select"]), st.sampled_from(["missing", "present"])),
)


@given(st.lists(CHOSEN, min_size=2, max_size=4), st.sampled_from(["AND", "OR"]))
def test_what_was_chosen_is_read_back_from_its_expression(tests: list[Chosen], joined: str) -> None:
    where = parse_predicate(expression(tests, joined, SOURCE.table))

    assert chosen_tests(where, SOURCE.table) == (tuple(tests), joined)


@given(st.lists(st.text("ab,\" '", max_size=4), min_size=1, max_size=4))
def test_values_survive_being_joined_and_separated(values: list[str]) -> None:
    assert separate_values(joined_values(values)) == values


def test_an_expression_beyond_the_lists_is_not_read_as_tests() -> None:
    assert chosen_tests(parse_predicate("age + 1 > 3"), SOURCE.table) is None
    assert chosen_tests(parse_predicate("age > 3 AND (age < 5 OR age = 9)"), SOURCE.table) is None


def test_the_most_frequent_values_come_first() -> None:
    assert common_values(SOURCE.table["age"]) == ["40", "30", "x"]


@pytest.fixture
def edit(qtbot):
    edit = PredicateEdit(SOURCE, np.array([True, True, False, True, True]))
    qtbot.addWidget(edit)
    edit.show()
    return edit


def status(edit: PredicateEdit) -> str:
    return edit.findChild(QLabel, "predicate_status").text()


def test_typing_a_value_counts_the_present_records_it_matches(edit, qtbot) -> None:
    with qtbot.waitSignal(edit.changed):
        qtbot.keyClicks(edit.findChild(QLineEdit, "test_value"), "40")

    assert edit.predicate == parse_predicate("age = 40")
    assert status(edit) == "True of 1 of 4 records"


def test_another_condition_can_be_added_and_removed(edit, qtbot) -> None:
    qtbot.keyClicks(edit.findChild(QLineEdit, "test_value"), "40")
    qtbot.mouseClick(edit.findChild(QPushButton, "add_test"), Qt.MouseButton.LeftButton)
    second = edit.findChildren(QLineEdit, "test_value")[1]
    qtbot.keyClicks(second, "30")
    assert edit.predicate.text == "age = 40 AND age = 30"

    qtbot.mouseClick(edit.findChildren(QToolButton, "remove_test")[0], Qt.MouseButton.LeftButton)

    assert edit.predicate.text == "age = 30"


def test_a_relation_without_a_value_hides_the_value(edit, qtbot) -> None:
    relation = edit.findChild(QComboBox, "test_relation")
    relation.setFocus()
    qtbot.keyClick(relation, Qt.Key.Key_End)

    assert relation.currentText() == "is not missing"
    assert not edit.findChild(QLineEdit, "test_value").isVisible()
    assert edit.predicate.text == "CAST(age AS VARCHAR) IS NOT NULL"


def test_what_was_chosen_can_be_typed_on(edit, qtbot) -> None:
    qtbot.keyClicks(edit.findChild(QLineEdit, "test_value"), "40")
    qtbot.mouseClick(edit.findChild(QPushButton, "type_it_yourself"), Qt.MouseButton.LeftButton)
    typed = edit.findChild(QPlainTextEdit, "predicate_text")
    assert typed.toPlainText() == "age = 40"

    typed.moveCursor(typed.textCursor().MoveOperation.End)
    qtbot.keyClicks(typed, " OR age = 30")

    assert edit.predicate.text == "age = 40 OR age = 30"


def test_a_typed_error_is_said_and_marked_at_its_position(edit, qtbot) -> None:
    qtbot.mouseClick(edit.findChild(QPushButton, "type_it_yourself"), Qt.MouseButton.LeftButton)
    typed = edit.findChild(QPlainTextEdit, "predicate_text")
    with qtbot.waitSignal(edit.changed):
        qtbot.keyClicks(typed, "age > 3 AND nothing = 1")

    assert edit.predicate is None
    assert status(edit).startswith("There is no column “nothing” (position 12)")
    assert typed.extraSelections()[0].cursor.selectedText() == "nothing"


def test_an_expression_beyond_the_lists_stays_typed(edit, qtbot) -> None:
    edit.set_predicate(parse_predicate("age + 1 > 31"))
    switch = edit.findChild(QPushButton, "type_it_yourself")
    assert switch.text() == "Choose from lists"

    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)

    assert switch.text() == "Choose from lists"
    assert edit.predicate.text == "age + 1 > 31"


def test_a_simple_predicate_is_shown_by_its_tests(edit) -> None:
    edit.set_predicate(parse_predicate("\"Drug name\" IN ('ART', '100%') OR age >= 40"))

    assert [v.text() for v in edit.findChildren(QLineEdit, "test_value") if v.isVisible()] == [
        "ART, 100%",
        "40",
    ]
    assert status(edit) == "True of 2 of 4 records"
