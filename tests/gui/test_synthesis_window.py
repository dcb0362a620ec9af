"""The window of one synthesis: how it may end, its comparison and its export."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QListWidget,
)
from pytestqt.qtbot import QtBot
from synthesis_clicks import KEY, LEFT, child, click, events, text
from window_fixtures import Answers

from curator_gui.core.table import Column, Table
from curator_gui.gui.asking import Taken
from curator_gui.gui.charts.error_matrix import ErrorMatrix
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.release import ReleaseDialog
from curator_gui.gui.dialogs.synthesis import SynthesisDialog
from curator_gui.gui.models.synthetic_table import SyntheticTableModel
from curator_gui.gui.synthesis_job import Charge, SynthesisJob
from curator_gui.gui.synthesis_words import others_in_words, stage_words
from curator_gui.session import Session
from curator_gui.store.ledger import Event, Ledger
from curator_gui.store.session_file import SyntheticRelease
from curator_gui.synthesis import Phase, Stage
from curator_gui.synthesis.domain import Categories
from curator_gui.synthesis_child import stage_from_json, stage_to_json


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


def test_a_name_without_a_suffix_gets_one_before_a_file_is_replaced(
    synthesis: SynthesisDialog, job: SynthesisJob, answers: Answers, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(job.ended, timeout=60_000):
        job.start()
    there = answers.folder / "made.csv"
    there.write_text("somebody's", encoding="utf-8")
    answers.write, answers.taken = answers.folder / "made", [Taken.CANCEL, Taken.REPLACE]

    click(qtbot, synthesis, "export_synthetic")
    kept = there.read_text(encoding="utf-8")
    click(qtbot, synthesis, "export_synthetic")
    qtbot.waitUntil(lambda: "Exported" in text(synthesis, "export_said"), timeout=10_000)

    assert kept == "somebody's"
    assert there.read_text(encoding="utf-8").startswith("sex,")
    assert not answers.write.exists()


@pytest.mark.parametrize("suffix", [".xlsx", ".dta"])
def test_a_synthetic_table_is_exported_in_the_formats_of_the_command_line(
    synthesis: SynthesisDialog, job: SynthesisJob, answers: Answers, qtbot: QtBot, suffix: str
) -> None:
    with qtbot.waitSignal(job.ended, timeout=60_000):
        job.start()
    answers.write = answers.folder / f"made{suffix}"

    click(qtbot, synthesis, "export_synthetic")
    qtbot.waitUntil(lambda: "Exported" in text(synthesis, "export_said"), timeout=10_000)

    assert answers.write.stat().st_size > 0


def test_what_other_stands_for_is_told_where_a_table_holds_it() -> None:
    domains = (Categories("sex", ("F",)), Categories("zip", ("1",)), Categories("ward", ("N",), other=None))
    columns = (Column.of("sex", ["F", "other"]), Column.of("zip", ["1", "1"]), Column.of("ward", ["N", "N"]))

    said = others_in_words(domains, Table(columns, 2))

    assert said.startswith("“other” (in sex) stands for values outside the list")
    assert others_in_words(domains[1:], Table(columns, 2)) == ""
