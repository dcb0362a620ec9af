"""Fixtures and clicks of the tests of synthesizing: a table, its ledger, and the dialogs over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QLabel,
    QWidget,
)
from pytestqt.qtbot import QtBot
from synthetic_world import ledger_for, session_file
from window_fixtures import Answers

from curator_gui.gui.budgets import LEDGER, Budgets
from curator_gui.gui.charts.interest_matrix import InterestMatrix
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesis import SynthesisDialog
from curator_gui.gui.dialogs.synthesize import SynthesizeDialog
from curator_gui.gui.synthesis_draft import SynthesisDraft, proposed_domains
from curator_gui.gui.synthesis_job import SynthesisJob
from curator_gui.session import Session
from curator_gui.store.ledger import Event, Ledger
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


def to_the_budget(ordering: SynthesizeDialog, qtbot: QtBot, epsilon: str) -> None:
    click(qtbot, ordering, "next")
    matrix = ordering.findChild(InterestMatrix)
    qtbot.mouseClick(matrix, LEFT, pos=matrix.area_of((2, 0)).center().toPoint())
    click(qtbot, ordering, "next")
    qtbot.keyClicks(child(ordering, "ask_epsilon"), epsilon)


def spending(ordering: SynthesizeDialog, qtbot: QtBot, epsilon: str) -> SpendDialog:
    to_the_budget(ordering, qtbot, epsilon)
    click(qtbot, ordering, "next")
    qtbot.waitUntil(lambda: ordering.findChild(SpendDialog) is not None)
    return ordering.findChild(SpendDialog)


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
