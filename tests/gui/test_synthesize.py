"""Ordering a synthetic table: columns, queries, budget, the spending screen, and how a synthesis may end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot
from synthetic_world import ledger_for, session_file
from window_fixtures import Answers

from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Delete, Generalize
from curator_gui.core.table import Column, Table
from curator_gui.core.view import Bins, Star, Width
from curator_gui.gui.budgets import LEDGER, Budgets
from curator_gui.gui.charts.error_matrix import ErrorMatrix
from curator_gui.gui.charts.interest_matrix import InterestMatrix
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.declare_domain import DeclareDialog
from curator_gui.gui.dialogs.release import ReleaseDialog
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesis import SynthesisDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.models.synthetic_table import SyntheticTableModel
from curator_gui.gui.synthesis_draft import SynthesisDraft, proposed_domains, read_query
from curator_gui.gui.synthesis_job import Charge, SynthesisJob
from curator_gui.gui.synthesis_words import stage_words
from curator_gui.session import Session
from curator_gui.store.ledger import Event, Ledger, content_digest, init_ledger
from curator_gui.store.session_file import SyntheticRelease
from curator_gui.synthesis import Phase, Stage
from curator_gui.synthesis_child import stage_from_json, stage_to_json
from curator_gui.synthesizing import preview

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key


@pytest.fixture
def session(tmp_path: Path, controller: Controller) -> Session:
    opened = Session.load(session_file(tmp_path))
    controller.set_session(opened)
    return opened


@pytest.fixture
def ledger(session: Session, tmp_path: Path) -> Ledger:
    return ledger_for(session, tmp_path)


@pytest.fixture
def budgets(controller: Controller, settings: QSettings, tmp_path: Path) -> Budgets:
    settings.setValue(LEDGER, str(tmp_path / "ledger.sqlite"))
    return Budgets(controller, settings)


@pytest.fixture
def ordering(
    controller: Controller, budgets: Budgets, ledger: Ledger, answers: Answers, qtbot: QtBot
) -> Iterator[SynthesizeDialog]:
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled() and budgets.account is not None)
    yield dialog
    dialog.reject()


@pytest.fixture
def draft(session: Session) -> SynthesisDraft:
    return SynthesisDraft(session, domains=dict(proposed_domains(session, "prepared")))


def child(parent: QWidget, name: str) -> QWidget:
    found = parent.findChild(QWidget, name)
    assert found is not None, name
    return found


def text(parent: QWidget, name: str) -> str:
    return str(parent.findChild(QLabel, name).text())


def click(qtbot: QtBot, parent: QWidget, name: str) -> None:
    button = child(parent, name)
    assert button.isEnabled(), name
    qtbot.mouseClick(button, LEFT)


def events(ledger: Ledger) -> list[str]:
    (pool,) = ledger.pools()
    return [e.event for e in ledger.history(pool.id) if e.event not in (Event.CREATE, Event.GRANT)]


def cell_texts(view: CopyTable) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(i, j).data()) for j in range(model.columnCount())] for i in range(model.rowCount())
    ]


# --- the draft


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


# --- columns


def test_columns_show_where_their_domains_come_from(ordering: SynthesizeDialog) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")

    shown = {tree.topLevelItem(i).text(0): tree.topLevelItem(i).text(3) for i in range(3)}
    assert set(shown) == {"sex", "age", "smoker"}
    assert shown["sex"] == "● from the data"
    assert "outside the guarantee" in text(ordering, "domain_warning")


def test_a_declared_domain_replaces_the_proposed_one(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(0))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    values = dialog.findChild(QPlainTextEdit, "domain_values")
    assert values.toPlainText() == ""

    values.setPlainText("F\nM")
    click(qtbot, dialog, "accept_domain")

    assert tree.topLevelItem(0).text(1).startswith("2 values")
    assert tree.topLevelItem(0).text(3) == "declared"


def test_bounds_that_do_not_increase_are_refused_in_the_dialog(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    dialog.findChild(QLineEdit, "domain_low").setText("90")
    dialog.findChild(QLineEdit, "domain_high").setText("0")

    click(qtbot, dialog, "accept_domain")

    assert "bounds that increase" in text(dialog, "declare_problem")
    dialog.reject()


def test_a_closed_list_makes_nothing_but_its_values(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    tree = ordering.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(0))
    click(qtbot, ordering, "declare_domain")
    dialog = ordering.findChild(DeclareDialog)
    dialog.findChild(QPlainTextEdit, "domain_values").setPlainText("F\nM")

    other = child(dialog, "domain_other")
    other.setFocus()
    qtbot.keyClick(other, KEY.Key_Space)
    click(qtbot, dialog, "accept_domain")

    assert tree.topLevelItem(0).text(1) == "2 values and no other"
    assert tree.topLevelItem(0).text(2) == "2"


def test_a_ladder_that_goes_on_without_end_asks_for_its_ends(
    controller: Controller, session: Session, budgets: Budgets, answers: Answers, qtbot: QtBot
) -> None:
    session.set_hierarchy("age", Hierarchy("bins", (Width(Decimal(10)), Star())))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    tree = dialog.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))
    click(qtbot, dialog, "declare_domain")
    declare = dialog.findChild(DeclareDialog)
    assert "begin and end" in text(declare, "ladder_words")

    qtbot.keyClicks(child(declare, "domain_low"), "0")
    qtbot.keyClicks(child(declare, "domain_high"), "90")
    click(qtbot, declare, "accept_domain")

    assert tree.topLevelItem(1).text(1) == "9 bins from 0 to 90"
    assert tree.topLevelItem(1).text(3) == "declared"
    dialog.reject()


def test_a_coarsened_column_is_declared_by_its_labels_and_not_by_numbers(
    controller: Controller, session: Session, budgets: Budgets, answers: Answers, qtbot: QtBot
) -> None:
    controller.commit(Generalize("age", Bins((Decimal(30), Decimal(60)))))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    tree = dialog.findChild(QTreeWidget, "domains")
    tree.setCurrentItem(tree.topLevelItem(1))

    click(qtbot, dialog, "declare_domain")

    declare = dialog.findChild(DeclareDialog)
    listed = declare.findChild(QPlainTextEdit, "domain_values")
    assert listed.isVisible()
    assert listed.toPlainText().splitlines() == ["< 30", "[30, 60)", "≥ 60"]
    declare.reject()
    dialog.reject()


def test_a_data_dictionary_declares_many_columns_at_once(
    ordering: SynthesizeDialog, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    answers.open = tmp_path / "domain.json"

    click(qtbot, ordering, "data_dictionary")

    tree = ordering.findChild(QTreeWidget, "domains")
    assert [tree.topLevelItem(i).text(3) for i in range(3)] == ["data dictionary"] * 3
    assert not child(ordering, "domain_warning").isVisible()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "its JSON cannot be read"),
        ('{"age": {"edges": [9, 1]}}', "each above the one before"),
        ('{"height": 3}', "not among the columns here"),
    ],
)
def test_a_malformed_data_dictionary_is_told_and_changes_nothing(
    ordering: SynthesizeDialog, answers: Answers, qtbot: QtBot, content: str, sentence: str
) -> None:
    answers.open = answers.folder / "malformed.json"
    answers.open.write_text(content, encoding="utf-8")

    click(qtbot, ordering, "data_dictionary")

    assert sentence in text(ordering, "domain_problem")
    assert ordering.findChild(QTreeWidget, "domains").topLevelItem(0).text(3) == "● from the data"


def test_a_plan_that_deletes_by_number_is_told_and_the_source_offered(
    controller: Controller, budgets: Budgets, ledger: Ledger, answers: Answers, qtbot: QtBot
) -> None:
    controller.commit(Delete(None, (2,)))
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()

    assert "deletes records by their number" in text(dialog, "domain_problem")
    assert not dialog.findChild(QRadioButton, "from_prepared").isEnabled()
    assert not child(dialog, "next").isEnabled()
    source = child(dialog, "from_source")
    source.setFocus()
    qtbot.keyClick(source, KEY.Key_Space)
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    dialog.reject()


# --- queries


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


# --- budget


def to_the_budget(ordering: SynthesizeDialog, qtbot: QtBot, epsilon: str) -> None:
    click(qtbot, ordering, "next")
    matrix = ordering.findChild(InterestMatrix)
    qtbot.mouseClick(matrix, LEFT, pos=matrix.area_of((2, 0)).center().toPoint())
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "ask_epsilon"), epsilon)


def test_the_expected_error_falls_with_epsilon_and_with_priority(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    to_the_budget(ordering, qtbot, "0.5")
    view = ordering.findChild(CopyTable, "expected_errors")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)
    before = cell_texts(view)[0]
    head = view.model().headerData(3, Qt.Orientation.Horizontal)

    slider = ordering.findChild(QSlider, "priority")
    slider.setFocus()
    qtbot.keyClick(slider, KEY.Key_PageUp)
    qtbot.waitUntil(lambda: cell_texts(view)[0] != before)

    assert head == "At ε 0.5"
    assert records_of(before[2]) > records_of(before[3]) > records_of(before[4])
    assert records_of(cell_texts(view)[0][3]) < records_of(before[3])


def test_a_query_that_noise_would_drown_is_told_before_anything_is_spent(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    to_the_budget(ordering, qtbot, "0.01")
    view = ordering.findChild(CopyTable, "expected_errors")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)

    assert cell_texts(view)[0][3] == "like the rest"
    assert "noise would drown the query" in text(ordering, "drowned_queries")


def records_of(cell: str) -> float:
    return float(cell.partition("(")[2].split(" ")[0].replace("\u202f", ""))


@pytest.mark.parametrize("typed", ["0", "-1", "nan", "much", "1e-12"])
def test_what_is_no_budget_is_refused_before_the_ledger_is_asked(
    ordering: SynthesizeDialog, ledger: Ledger, qtbot: QtBot, typed: str
) -> None:
    to_the_budget(ordering, qtbot, typed)

    qtbot.waitUntil(lambda: child(ordering, "budget_problem").isVisible())
    click(qtbot, ordering, "next")

    assert "ε" in text(ordering, "synthesize_problem")
    assert events(ledger) == []


def test_what_the_rest_of_the_budget_is_for_can_be_chosen(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    to_the_budget(ordering, qtbot, "0.5")
    combo = ordering.findChild(QComboBox, "workload")
    assert combo.currentText().startswith("All pairs")

    combo.setFocus()
    qtbot.keyClick(combo, KEY.Key_Down)
    click(qtbot, ordering, "back")
    click(qtbot, ordering, "next")

    assert combo.currentText() == "My queries again"


def test_the_rest_may_be_for_the_queries_alone(draft: SynthesisDraft) -> None:
    draft.toggle(("sex", "smoker"))
    usual = draft.order("1").workload

    draft.workload = "queries"

    assert usual is None
    assert draft.order("1").workload == (("sex", "smoker"),)


def test_the_queries_are_offered_as_the_rest_only_where_there_are_some(
    ordering: SynthesizeDialog, qtbot: QtBot
) -> None:
    click(qtbot, ordering, "next")
    click(qtbot, ordering, "next")

    combo = ordering.findChild(QComboBox, "workload")
    assert [combo.itemText(i) for i in range(combo.count())] == ["All pairs of columns (recommended)"]


def test_the_pool_of_another_table_is_not_offered(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    session.source_path.with_name("other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ledger_for(Session.open_table(session.source_path.with_name("other.csv")), session.source_path.parent)
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled() and budgets.account is not None)

    to_the_budget(dialog, qtbot, "0.5")

    assert "has no privacy budget yet" in text(dialog, "no_pool")
    assert not child(dialog, "next").isEnabled()
    dialog.reject()


def test_who_has_no_share_of_the_pool_is_refused_and_spends_nothing(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    ledger = init_ledger(str(session.source_path.with_name("ledger.sqlite")))
    ledger.create_pool(content_digest(session.table), epsilon="4", delta=1e-6, size=1000)
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled() and budgets.account is not None)

    to_the_budget(dialog, qtbot, "0.5")
    click(qtbot, dialog, "next")
    qtbot.waitUntil(lambda: told(dialog) != "")

    assert "no share of this pool" in told(dialog)
    assert events(ledger) == []
    dialog.reject()


def told(dialog: SynthesizeDialog) -> str:
    """What the spending screen says or, where it does not come to it, the dialog."""
    spend = dialog.findChild(SpendDialog)
    return text(spend, "verdict") if spend is not None else text(dialog, "synthesize_problem")


def test_without_a_pool_nothing_can_be_asked_for(
    controller: Controller, budgets: Budgets, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    dialog = SynthesizeDialog(controller, budgets, answers)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: child(dialog, "next").isEnabled())
    to_the_budget(dialog, qtbot, "0.5")

    assert not child(dialog, "next").isEnabled()
    with qtbot.waitSignal(dialog.pools_asked):
        click(qtbot, dialog, "ask_pools")
    dialog.reject()


# --- spending


def spending(ordering: SynthesizeDialog, qtbot: QtBot, epsilon: str) -> SpendDialog:
    to_the_budget(ordering, qtbot, epsilon)
    click(qtbot, ordering, "next")
    qtbot.waitUntil(lambda: ordering.findChild(SpendDialog) is not None)
    return ordering.findChild(SpendDialog)


def test_the_default_is_not_to_spend(ordering: SynthesizeDialog, ledger: Ledger, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "0.5")
    assert spend.findChild(QPushButton, "do_not_spend").isDefault()

    qtbot.keyClick(spend, KEY.Key_Return)

    assert not spend.isVisible()
    assert events(ledger) == []
    assert ordering.isVisible()


def test_the_spending_screen_marks_the_limit_that_binds(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "1.5")

    lines = cell_texts(spend.findChild(CopyTable, "limits"))
    assert [line[2] for line in lines] == ["", "● binds", "", ""]
    assert [line[1] for line in lines] == ["4", "1", "4", "2"]
    assert text(spend, "approved") == "<b>ε 1</b>"
    assert spend.findChild(QPushButton, "spend_now").text() == "Accept less and spend ε 1"
    spend.reject()


def test_what_is_granted_in_full_binds_no_limit(ordering: SynthesizeDialog, qtbot: QtBot) -> None:
    spend = spending(ordering, qtbot, "0.5")

    assert "no limit binds" in text(spend, "verdict")
    assert spend.findChild(QPushButton, "spend_now").text() == "Spend ε 0.5"
    spend.reject()


# --- the synthesis


@pytest.fixture
def job(
    controller: Controller, budgets: Budgets, session: Session, ledger: Ledger, draft: SynthesisDraft
) -> SynthesisJob:
    draft.toggle(("sex", "smoker"))
    order = draft.order("0.5")
    shown = preview(session, ledger, order, accept_less=True)
    return SynthesisJob(controller.jobs, session, ledger, order, shown)


@pytest.fixture
def synthesis(
    controller: Controller,
    budgets: Budgets,
    job: SynthesisJob,
    answers: Answers,
    qtbot: QtBot,
) -> Iterator[SynthesisDialog]:
    dialog = SynthesisDialog(controller, budgets, job, answers, kept=answers.folder / "kept")
    dialog.show()
    yield dialog
    if job.outcome is None:
        job.cancel()
        qtbot.waitUntil(lambda: job.outcome is not None, timeout=10_000)
    if not dialog.close():
        click(qtbot, dialog, "lose_table")
    dialog.deleteLater()


def test_cancelling_before_the_charge_costs_nothing_and_says_so(
    synthesis: SynthesisDialog, job: SynthesisJob, ledger: Ledger, qtbot: QtBot
) -> None:
    job.start()
    assert "costs nothing" in text(synthesis, "cancel_cost")

    with qtbot.waitSignal(job.ended, timeout=10_000):
        click(qtbot, synthesis, "cancel_synthesis")

    assert events(ledger) == []
    assert "nothing was spent" in text(synthesis, "cancel_cost")


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_is_told_in_words_of_its_own(phase: Phase) -> None:
    others = {stage_words(Stage(p, ("sex",), 2)) for p in Phase if p is not phase}

    words = stage_words(stage_from_json(stage_to_json(Stage(phase, ("sex",), 2))))

    assert words
    assert words not in others


def test_what_is_charged_is_told_by_the_phase_and_by_no_phrase(job: SynthesisJob) -> None:
    told = []

    for phase in Phase:
        job.take(0.1, Stage(phase))
        told.append(job.charge)

    assert told == [Charge.NOT_YET, Charge.MAYBE, *[Charge.CHARGED] * 6]


def test_cancelling_after_the_charge_costs_all_of_it_and_says_so(
    synthesis: SynthesisDialog, job: SynthesisJob, ledger: Ledger, qtbot: QtBot
) -> None:
    job.start()
    rounds = synthesis.findChild(QListWidget, "rounds")
    qtbot.waitUntil(lambda: rounds.count() > 2, timeout=20_000)
    assert "Cancelling gives none of it back" in text(synthesis, "cancel_cost")

    with qtbot.waitSignal(job.ended, timeout=10_000):
        click(qtbot, synthesis, "cancel_synthesis")

    assert events(ledger) == [Event.CHARGE]
    assert "stays charged" in text(synthesis, "cancel_cost")


def test_closing_its_window_never_cancels_what_is_paid_for(
    synthesis: SynthesisDialog, job: SynthesisJob, qtbot: QtBot
) -> None:
    job.start()

    assert not synthesis.close()

    assert not job.cancelling
    assert "still running" in text(synthesis, "still_running")


def test_escape_does_not_cancel(synthesis: SynthesisDialog, job: SynthesisJob, qtbot: QtBot) -> None:
    job.start()

    qtbot.keyClick(synthesis, KEY.Key_Escape)

    assert synthesis.isVisible()
    assert not job.cancelling


def test_a_table_is_compared_only_when_asked_and_marked_as_internal(
    synthesis: SynthesisDialog, job: SynthesisJob, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(job.ended, timeout=60_000):
        job.start()
    tabs = child(synthesis, "result_tabs")
    tabs.setCurrentIndex(2)  # type: ignore[attr-defined]
    matrix = synthesis.findChild(ErrorMatrix)
    assert not matrix.isVisible()
    assert "outside the guarantee" in text(synthesis, "comparison_warning")

    click(qtbot, synthesis, "compare")
    qtbot.waitUntil(matrix.isVisible, timeout=10_000)
    qtbot.mouseClick(matrix, LEFT, pos=matrix.area_of((2, 0)).center().toPoint())

    assert text(synthesis, "pair_error").startswith("sex × smoker: ")


def test_the_open_session_remembers_the_export_and_an_unsaved_one_keeps_its_record(
    synthesis: SynthesisDialog, job: SynthesisJob, session: Session, answers: Answers, qtbot: QtBot
) -> None:
    job.session.path = None
    with qtbot.waitSignal(job.ended, timeout=60_000):
        job.start()
    answers.write = answers.folder / "made.parquet"

    click(qtbot, synthesis, "export_synthetic")
    qtbot.waitUntil(lambda: "Exported" in text(synthesis, "export_said"), timeout=10_000)

    assert [r.file for r in session.record.synthetic] == ["made.parquet"]
    (kept,) = (answers.folder / "kept").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_the_release_dialog_warns_of_a_synthetic_table_of_the_same_data(
    controller: Controller, session: Session, qtbot: QtBot
) -> None:
    session.record_synthetic(SyntheticRelease("made.csv", "0" * 64, "cusyn-aim", 0.5, "pool", 3, "1" * 64))

    dialog = ReleaseDialog(controller, session.source_path.with_name("curated.csv"), lambda *_: None)
    qtbot.addWidget(dialog)
    dialog.show()

    assert "exported as “made.csv” with ε 0.5" in text(dialog, "release_warnings")
    dialog.reject()


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_full_disk_loses_nothing_but_the_attempt(
    synthesis: SynthesisDialog,
    job: SynthesisJob,
    ledger: Ledger,
    answers: Answers,
    qtbot: QtBot,
) -> None:
    with qtbot.waitSignal(job.ended, timeout=60_000):
        job.start()
    answers.write = answers.folder / "made.csv"

    with no_room_for_more_than(200):
        click(qtbot, synthesis, "export_synthetic")
        qtbot.waitUntil(lambda: "still here" in text(synthesis, "export_said"), timeout=10_000)
    failed, charged = text(synthesis, "export_said"), events(ledger)
    left = sorted(p.name for p in answers.folder.glob("made*"))
    click(qtbot, synthesis, "export_synthetic")
    qtbot.waitUntil(lambda: "Exported" in text(synthesis, "export_said"), timeout=10_000)

    assert "ε 0.5 was charged" in failed
    assert charged == [Event.CHARGE]
    assert left == []
    assert events(ledger) == [Event.CHARGE, Event.RELEASE]
    assert sorted(p.name for p in answers.folder.glob("made*")) == ["made.csv", "made.csv.manifest.json"]


@contextmanager
def no_room_for_more_than(size: int) -> Iterator[None]:
    """No file can grow beyond so many bytes, as where a disk is full."""
    import resource  # on POSIX alone

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_synthetic_table_is_a_sound_model() -> None:
    model = SyntheticTableModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show(Table((Column.of("a", ["x", None]),), 2))

    assert [model.index(i, 0).data() for i in range(2)] == ["x", None]
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "missing"
