"""Every dialog of the program, opened one after the other over a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QDialog, QPushButton, QTabWidget, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot
from synthetic_world import ledger_for, order_for, session_file
from window_fixtures import Answers

from curator_gui.gui.budgets import LEDGER
from curator_gui.gui.dialogs.declare_domain import DeclareDialog
from curator_gui.gui.dialogs.ladder import LadderDialog
from curator_gui.gui.dialogs.opening import WITHOUT_ASKING, OpeningDialog
from curator_gui.gui.dialogs.opening_database import CredentialsDialog
from curator_gui.gui.dialogs.spend import SpendDialog
from curator_gui.gui.dialogs.synthesis import SynthesisDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.synthesis_job import SynthesisJob
from curator_gui.session import Session
from curator_gui.synthesizing import preview


@pytest.fixture
def dialogs(window: MainWindow, settings: QSettings, answers: Answers, qtbot: QtBot) -> Iterator[QDialog]:
    """Each of them shown; closed again before the next. The window must hold the sample by then.

    Dialogs with pages come once for each page, as the page is shown.
    """
    return _one_by_one(window, settings, answers, qtbot)


def _one_by_one(window: MainWindow, settings: QSettings, answers: Answers, qtbot: QtBot) -> Iterator[QDialog]:
    over_the_table = _over_the_table(window, settings, answers.folder, qtbot)
    for open_ in (*over_the_table, *_of_synthesis(window, answers, qtbot)):
        dialog = open_()
        dialog.show()
        qtbot.waitUntil(dialog.isVisible)
        for _ in pages_of(dialog):
            yield dialog
        _close(window, dialog)
        qtbot.waitUntil(lambda: not window.controller.jobs.running, timeout=20_000)


def _close(window: MainWindow, dialog: QDialog) -> None:
    for shown in (dialog, *(d for d in window.findChildren(QDialog) if d.isVisible())):
        shown.reject()
    if isinstance(dialog, SynthesisDialog) and not dialog.close():
        dialog.findChild(QPushButton, "lose_table").click()


def pages_of(dialog: QWidget) -> Iterator[int]:
    """Walk through the pages of the first tab widget; once where there is none."""
    tabs = dialog.findChild(QTabWidget)
    for i in range(tabs.count() if tabs is not None else 1):
        if tabs is not None:
            tabs.setCurrentIndex(i)
        yield i


def _over_the_table(
    window: MainWindow, settings: QSettings, folder: Path, qtbot: QtBot
) -> list[Callable[[], QDialog]]:
    c = window.controller

    def by(act: Callable[[], object]) -> Callable[[], QDialog]:
        def open_() -> QDialog:
            before = set(window.findChildren(QDialog))
            act()
            qtbot.waitUntil(lambda: any(d not in before for d in window.findChildren(QDialog)))
            return next(d for d in window.findChildren(QDialog) if d not in before)

        return open_

    def opening() -> QDialog:
        path = folder / "opened.csv"
        path.write_text("age;town;when\n34;Oslo;2024-01-02\n?;Bergen;2024-13-01\n36;;2024-02-03\n")
        settings.setValue(WITHOUT_ASKING, False)
        dialog = OpeningDialog(c, path, settings, window)
        dialog.begin()
        qtbot.waitUntil(lambda: dialog.isVisible() and dialog.ready, timeout=20_000)
        return dialog

    own = [by(lambda kind=kind: window.edit_own(kind)) for kind, _ in window._own_kinds()]  # type: ignore[misc]
    return [
        *(by(act) for act in (window.edit_protection, window.release, window.edit_settings)),
        *(by(act) for act in (window.show_help, window.find_command)),
        *own,
        lambda: LadderDialog(c, "age", window),
        opening,
        by(window.files.open_database),
        lambda: CredentialsDialog("postgresql://server/people", lambda _: None, window),
    ]


def _of_synthesis(window: MainWindow, answers: Answers, qtbot: QtBot) -> list[Callable[[], QDialog]]:
    c, budgets = window.controller, window.synthetic.budgets
    folder = answers.folder / "synthetic"
    folder.mkdir()
    made: dict[str, object] = {}

    def pools(act: Callable[[], object]) -> Callable[[], QDialog]:
        def open_() -> QDialog:
            act()
            before = set(window.findChildren(QDialog))
            window.synthetic.open_pools()
            qtbot.waitUntil(lambda: not c.jobs.running, timeout=20_000)
            return next(d for d in window.findChildren(QDialog) if d not in before)

        return open_

    def no_ledger() -> None:
        c.set_session(Session.load(session_file(folder)))
        window._settings.setValue(LEDGER, str(folder / "ledger.sqlite"))

    def ledger() -> None:
        assert c.session is not None
        made["ledger"] = ledger_for(c.session, folder)
        budgets.read()
        qtbot.waitUntil(lambda: budgets.account is not None, timeout=20_000)

    def synthesize() -> QDialog:
        before = set(window.findChildren(QDialog))
        window.synthetic.open()
        dialog = next(d for d in window.findChildren(QDialog) if d not in before)
        qtbot.waitUntil(dialog.findChild(QWidget, "next").isEnabled, timeout=20_000)
        return dialog

    def spend() -> QDialog:
        assert c.session is not None
        assert budgets.account is not None
        shown = preview(c.session, made["ledger"], order_for(c.session), accept_less=True)  # type: ignore[arg-type]
        return SpendDialog(budgets.account, shown, window)

    def declare() -> QDialog:
        ordering = synthesize()
        tree = ordering.findChild(QTreeWidget, "domains")
        tree.setCurrentItem(tree.topLevelItem(0))
        ordering.findChild(QPushButton, "declare_domain").click()
        return ordering.findChild(DeclareDialog)

    def synthesis() -> QDialog:
        assert c.session is not None
        order = order_for(c.session)
        shown = preview(c.session, made["ledger"], order, accept_less=True)  # type: ignore[arg-type]
        job = SynthesisJob(c.jobs, c.session, made["ledger"], order, shown)  # type: ignore[arg-type]
        dialog = SynthesisDialog(c, budgets, job, answers, kept=folder / "kept", parent=window)
        job.start()
        qtbot.waitUntil(lambda: job.outcome is not None, timeout=60_000)
        return dialog

    return [pools(no_ledger), pools(ledger), synthesize, spend, declare, synthesis]
