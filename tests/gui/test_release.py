"""What leaves is said; above the budget it needs a reason, and an identifier leaves only on purpose."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete
from window_fixtures import Scored

from curator_gui.core.operators import Project
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.release import ReleaseDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.manifests import keep_manifest
from curator_gui.store.release import Released

LEFT = Qt.MouseButton.LeftButton


def nowhere(parent: QWidget, proposed: Path) -> Path | None:
    return None


@pytest.fixture
def clinic(controller: Controller, scored: Scored) -> Controller:
    controller.open_sample()
    scored(controller)
    return controller


def opened(controller: Controller, qtbot: QtBot, path: Path) -> ReleaseDialog:
    made = ReleaseDialog(controller, path, nowhere)
    qtbot.addWidget(made)
    made.show()
    return made


def within_budget(controller: Controller, scored: Scored) -> None:
    controller.apply_saved("usual coarsening")
    controller.commit(Project(("medication",)))
    scored(controller)


def save(qtbot: QtBot, dialog: ReleaseDialog) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, "save_release"), LEFT)


def test_the_summary_names_rows_columns_and_the_verdict(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    summary = dialog.findChild(QLabel, "release_summary").text()
    tree = dialog.findChild(QTreeWidget, "release_columns")
    assert "records leave in 6 columns" in summary
    assert "within budget" in summary
    assert [tree.topLevelItem(i).text(0) for i in range(tree.topLevelItemCount())] == [
        "admitted",
        "ward",
        "age",
        "sex",
        "zip",
        "smoker",
    ]
    assert "out.csv.manifest.json" in dialog.findChild(QLabel, "release_leaves").text()


def test_within_the_budget_no_reason_is_asked(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    assert not dialog.findChild(QLineEdit, "reason").isVisible()

    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)

    assert (tmp_path / "out.csv").exists()
    assert (tmp_path / "out.csv.manifest.json").exists()
    assert dialog.findChild(QPushButton, "reveal").isVisible()


def test_above_the_budget_only_a_reason_lets_it_out(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    clinic.apply_saved("usual coarsening")
    scored(clinic)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    button = dialog.findChild(QPushButton, "save_release")
    assert not button.isEnabled()

    qtbot.keyClicks(dialog.findChild(QLineEdit, "reason"), "agreed with the board")
    with qtbot.waitSignal(clinic.released, timeout=20_000) as waited:
        save(qtbot, dialog)

    released: Released = waited.args[0]
    assert released.manifest["over_budget_reason"] == "agreed with the board"


def test_an_identifier_leaves_only_on_purpose(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    button = dialog.findChild(QPushButton, "save_release")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "reason"), "a test")
    assert not button.isEnabled()

    tick = dialog.findChild(QCheckBox, "keep_record_id")
    tick.setFocus()
    qtbot.keyClick(tick, Qt.Key.Key_Space)
    assert button.isEnabled()
    with qtbot.waitSignal(clinic.released, timeout=20_000) as waited:
        save(qtbot, dialog)

    assert waited.args[0].manifest["kept_identifiers"] == ["record_id"]


def test_a_place_that_cannot_be_written_is_told_in_the_dialog(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "absent" / "out.csv")

    save(qtbot, dialog)

    problem = dialog.findChild(QLabel, "release_problem")
    qtbot.waitUntil(problem.isVisible)
    assert "folder does not exist" in problem.text()
    assert dialog.findChild(QPushButton, "save_release").isEnabled()


def test_nothing_is_changed_while_a_release_is_written(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    assert clinic.session is not None
    plan = clinic.session.plan
    refusals: list[str] = []
    clinic.problem.connect(refusals.append)

    with qtbot.waitSignal(clinic.released, timeout=20_000):
        clinic.release(tmp_path / "out.csv")
        assert not clinic.commit(Project(("age",)))

    assert clinic.session.plan == plan
    assert refusals == ["Wait until the release is written, or cancel it."]


def test_the_manifest_of_an_unsaved_session_is_kept_for_its_owner_alone(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    with qtbot.waitSignal(clinic.released, timeout=20_000) as waited:
        clinic.release(tmp_path / "out.csv")

    kept = keep_manifest(tmp_path / "mine", waited.args[0])

    assert json.loads(kept.read_text())["released_rows"] == 4828
    assert kept.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o700


def why_not(dialog: ReleaseDialog) -> str:
    label = dialog.findChild(QLabel, "release_blocked")
    return label.text() if label.isVisible() else ""


def test_it_says_in_sight_why_it_cannot_be_saved_yet(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    assert "identifier" in why_not(dialog)

    tick = dialog.findChild(QCheckBox, "keep_record_id")
    tick.setFocus()
    qtbot.keyClick(tick, Qt.Key.Key_Space)
    assert "give a reason" in why_not(dialog)

    qtbot.keyClicks(dialog.findChild(QLineEdit, "reason"), "a test")
    assert why_not(dialog) == ""

    dialog.findChild(QLineEdit, "release_path").selectAll()
    qtbot.keyClick(dialog.findChild(QLineEdit, "release_path"), Qt.Key.Key_Delete)
    assert "name a file" in why_not(dialog)


def test_a_file_that_is_there_is_replaced_only_by_a_tick(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    (tmp_path / "out.csv").write_text("precious\n")
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    button = dialog.findChild(QPushButton, "save_release")
    assert not button.isEnabled()
    assert "replaced" in why_not(dialog)

    tick = dialog.findChild(QCheckBox, "replace_existing")
    tick.setFocus()
    qtbot.keyClick(tick, Qt.Key.Key_Space)
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)

    assert "precious" not in (tmp_path / "out.csv").read_text()


def test_the_tick_to_replace_is_for_one_file_only(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    for name in ("out.csv", "out.csvx"):
        (tmp_path / name).write_text("precious\n")
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    tick = dialog.findChild(QCheckBox, "replace_existing")
    tick.setFocus()
    qtbot.keyClick(tick, Qt.Key.Key_Space)

    qtbot.keyClicks(dialog.findChild(QLineEdit, "release_path"), "x")

    assert not tick.isChecked()
    assert not dialog.findChild(QPushButton, "save_release").isEnabled()


def test_an_earlier_release_over_budget_asks_for_a_reason_where_every_table_counts(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    assert clinic.session is not None
    clinic.release(tmp_path / "early.csv", over_budget="a test", keep_identifiers=["record_id"])
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        pass
    within_budget(clinic, scored)
    clinic.change_session(lambda session: session.set_reading("every-exposed"))
    scored(clinic)

    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    assert dialog.findChild(QLineEdit, "reason").isVisible()
    assert "step 0" in why_not(dialog)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "reason"), "agreed")
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)


def test_escape_while_it_writes_cancels_and_the_next_one_leaves(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    save(qtbot, dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert dialog.isVisible()
    assert dialog.findChild(QLabel, "release_problem").text() == "Cancelled."
    clinic.jobs.close()
    assert not (tmp_path / "out.csv").exists()
    assert dialog.findChild(QPushButton, "save_release").isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_release_that_fails_once_its_dialog_is_gone_is_told_in_the_window(
    window: MainWindow, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    controller = window.controller
    controller.open_sample()
    scored(controller)
    within_budget(controller, scored)
    dialog = opened(controller, qtbot, tmp_path / "absent" / "out.csv")
    window.messages.show_notice("Released earlier.csv.")

    save(qtbot, dialog)
    delete(dialog)

    qtbot.waitUntil(lambda: "folder does not exist" in window.messages.sentence)


def type_path(qtbot: QtBot, dialog: ReleaseDialog, text: str) -> QLineEdit:
    field = dialog.findChild(QLineEdit, "release_path")
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    return field


def test_without_a_secret_nothing_reads_like_a_verdict_and_only_a_tick_lets_it_out(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    assert clinic.session is not None
    clinic.commit(Project(("record_id",)))
    clinic.set_protection(replace(clinic.session.protection, secrets=()))
    scored(clinic)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    button = dialog.findChild(QPushButton, "save_release")

    assert "isclosure" not in dialog.findChild(QLabel, "release_summary").text()
    assert dialog.findChild(QLabel, "release_unmeasured").isVisible()
    assert "name a secret" in why_not(dialog)
    assert not button.isEnabled()

    qtbot.mouseClick(dialog.findChild(QCheckBox, "release_all_the_same"), LEFT, pos=QPoint(8, 8))
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)


def test_with_a_secret_there_is_no_such_tick(clinic: Controller, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    assert not dialog.findChild(QLabel, "release_unmeasured").isVisible()
    assert not dialog.findChild(QCheckBox, "release_all_the_same").isVisible()


def test_it_says_how_many_records_are_alone(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    assert clinic.trajectory is not None
    last = clinic.trajectory.last
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    number = f"{round(last.figures.alone * last.rows):,}".replace(",", "\N{THIN SPACE}")
    assert f" {number} records (" in dialog.findChild(QLabel, "release_summary").text()


def test_a_foreign_file_in_the_place_of_the_manifest_is_replaced_only_by_a_tick(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    manifest = tmp_path / "out.csv.manifest.json"
    manifest.write_text('{"of": "a website"}')
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    tick = dialog.findChild(QCheckBox, "replace_existing")
    assert not dialog.findChild(QPushButton, "save_release").isEnabled()
    assert "out.csv.manifest.json" in tick.text()

    qtbot.mouseClick(tick, LEFT, pos=QPoint(8, 8))
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)

    assert json.loads(manifest.read_text())["file"] == "out.csv"


def test_a_file_that_appeared_after_its_name_was_typed_is_not_replaced_unasked(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    (tmp_path / "out.csv").write_text("precious\n")

    save(qtbot, dialog)

    assert not clinic.releasing
    assert "replaced" in why_not(dialog)
    assert dialog.findChild(QCheckBox, "replace_existing").isVisible()
    assert (tmp_path / "out.csv").read_text() == "precious\n"


def test_a_bare_name_goes_into_the_folder_shown_with_the_suffix_of_the_format(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.parquet")

    field = type_path(qtbot, dialog, "mine")
    assert str(tmp_path / "mine.parquet") in dialog.findChild(QLabel, "release_goes_to").text()
    qtbot.keyClick(field, Qt.Key.Key_Tab)

    assert field.text() == str(tmp_path / "mine.parquet")
    assert not dialog.findChild(QLabel, "release_goes_to").isVisible()
    field.setFocus()
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        save(qtbot, dialog)
    assert (tmp_path / "mine.parquet").exists()
    assert not dialog.findChild(QCheckBox, "replace_existing").isVisible()


def test_a_suffix_nobody_can_write_is_told_before_saving(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    within_budget(clinic, scored)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")

    type_path(qtbot, dialog, "out.pdf")

    assert "“.pdf”" in why_not(dialog)
    assert not dialog.findChild(QPushButton, "save_release").isEnabled()


def test_a_release_of_another_branch_above_the_budget_is_told_and_asks_where_every_table_counts(
    clinic: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    clinic.commit(Project(("record_id",)))
    scored(clinic)
    with qtbot.waitSignal(clinic.released, timeout=20_000):
        clinic.release(tmp_path / "early.csv", over_budget="a test")
    scored(clinic)
    clinic.undo()
    within_budget(clinic, scored)

    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    assert "“early.csv”, of another branch" in dialog.findChild(QLabel, "release_warnings").text()
    assert why_not(dialog) == ""
    dialog.reject()

    clinic.change_session(lambda session: session.set_reading("every-exposed"))
    scored(clinic)
    dialog = opened(clinic, qtbot, tmp_path / "out.csv")
    assert "“early.csv”" in why_not(dialog)
