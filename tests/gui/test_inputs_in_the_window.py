"""Real tables that break tools like this one, opened in the window: what a person sees of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from opening_clicks import choose, opened, page, row_named, says
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTableView,
)
from pytestqt.qtbot import QtBot
from window_fixtures import Scored

from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.opening import OpeningDialog
from curator_gui.gui.dialogs.release import ReleaseDialog
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.models.opening import Choice
from curator_gui.session import Session
from curator_gui.store.readers import StatisticsReader, read_table

LEFT = Qt.MouseButton.LeftButton
INPUTS = Path(__file__).parents[2] / ".." / "shared" / "inputs"
Look = Callable[[str], OpeningDialog]


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Of a user who is asked about every table."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def look(window: MainWindow, qtbot: QtBot) -> Iterator[Look]:
    """The import dialog on the input whose name begins so."""

    def at(start: str) -> OpeningDialog:
        found = sorted(INPUTS.glob(f"{start}*")) if INPUTS.is_dir() else []
        if not found:
            pytest.skip("the shared inputs are not here")
        return opened(window, found[0], qtbot)

    yield at
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, OpeningDialog) and widget.isVisible():
            widget.reject()


@pytest.fixture
def accepted(window: MainWindow, qtbot: QtBot, scored: Scored) -> Callable[[OpeningDialog], Session]:
    """The session after a click on Open."""

    def accept(dialog: OpeningDialog) -> Session:
        qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
        scored(window.controller)
        session = window.controller.session
        assert session is not None
        return session

    return accept


def names(dialog: OpeningDialog) -> list[str]:
    rows = dialog.findChild(QTableView, "first_rows").model()
    return [rows.headerData(c, Qt.Orientation.Horizontal) for c in range(rows.columnCount())]


def cells(dialog: OpeningDialog) -> list[list[str]]:
    rows = dialog.findChild(QTableView, "first_rows").model()
    return [[rows.index(r, c).data() for c in range(rows.columnCount())] for r in range(rows.rowCount())]


def types(dialog: OpeningDialog) -> dict[str, str]:
    return {name: row_named(dialog, name, Choice.TYPE).data() for name in names(dialog)}


def odd(dialog: OpeningDialog) -> list[tuple[str, ...]]:
    model = dialog.findChild(QTableView, "oddities").model()
    return [tuple(model.index(r, c).data() for c in range(4)) for r in range(model.rowCount())]


def words(dialog: OpeningDialog) -> dict[str, bool]:
    shown = dialog.findChild(QListWidget, "missing_words")
    items = [shown.item(i) for i in range(shown.count())]
    return {i.text().split(":")[0]: i.checkState() == Qt.CheckState.Checked for i in items}


def test_01_slips_are_listed_by_record_and_may_mean_missing(look: Look, accepted, qtbot: QtBot) -> None:
    dialog = look("01_")
    assert [o[:3] for o in odd(dialog)] == [("record 2", "age", "4e"), ("record 4", "age", "7f")]

    page(dialog, 2)
    qtbot.mouseClick(dialog.findChild(QPushButton, "exceptions_missing"), LEFT)
    qtbot.waitUntil(lambda: dialog.ready and not odd(dialog))
    session = accepted(dialog)

    assert [session.table["age"].cell(r) for r in range(5)] == ["34", None, "66", None, "45"]
    assert session.reader.missing == ("",)
    assert session.record.missing == {"age": ("4e", "7f")}


def test_02_short_rows_and_blank_lines_are_told(look: Look) -> None:
    dialog = look("02_")

    assert dialog.draft.found.read.rows == 6
    assert "3 rows shorter than the header (lines 2, 4, 5)" in says(dialog)
    assert "2 blank lines skipped" in says(dialog)


def test_04_the_mark_is_no_part_of_the_first_name(look: Look) -> None:
    dialog = look("04_")

    assert names(dialog)[0] == "id"
    assert dialog.findChild(QComboBox, "reading_encoding").currentText() == "UTF-8 with BOM"


def test_05_utf_16_is_told_with_its_mark(look: Look) -> None:
    dialog = look("05_")

    assert dialog.findChild(QComboBox, "reading_encoding").currentText() == "UTF-16 with BOM"
    assert len(names(dialog)) == 3
    assert len(cells(dialog)) == 2


def test_06_decimal_commas_are_numbers_and_the_mark_can_be_flipped(look: Look, qtbot: QtBot) -> None:
    dialog = look("06_")
    assert types(dialog)["temp"] == "decimal number 1,5"
    assert types(dialog)["dose"] == "decimal number 1.234,5"

    choose(qtbot, dialog.findChild(QComboBox, "reading_decimal"), ".")
    qtbot.waitUntil(lambda: dialog.ready and dialog.draft.found.reader.decimal == ".")

    assert dialog.draft.found.reader.decimal == "."


def test_07_leading_zeros_make_a_code(look: Look) -> None:
    dialog = look("07_")

    assert {**types(dialog), "amount": "whole number"} == types(dialog)
    assert types(dialog)["zip"] == types(dialog)["clinic_code"] == "code"
    assert "leading zeros" in row_named(dialog, "zip", Choice.WHY).data()


def test_08_compact_dates_are_dates_that_can_be_numbers(look: Look) -> None:
    dialog = look("08_")

    assert types(dialog)["admitted"] == "date YYYYMMDD"
    assert types(dialog)["born"] == "date DDMMYYYY"
    assert any(
        c.options[1].is_number or c.options[2].is_number for c in dialog.draft.columns if c.name == "born"
    )


def test_11_the_words_that_mean_missing_are_listed_and_toggled(look: Look, qtbot: QtBot) -> None:
    dialog = look("11_")
    assert words(dialog) == {"empty cells": True, "“NA”": True, "“NULL”": True}
    assert types(dialog)["died_on"].startswith("date")

    page(dialog, 1)
    shown = dialog.findChild(QListWidget, "missing_words")
    shown.setCurrentRow(1)
    qtbot.keyClick(shown, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.ready)

    assert words(dialog)["“NA”"] is False
    assert any("NA" in row for row in cells(dialog))


def test_12_renamed_columns_are_told_once(look: Look) -> None:
    dialog = look("12_")

    assert names(dialog) == ["id", "score", "score (2)", "column 4", "a b", "a-b", "a_b"]
    assert says(dialog).count("score (2)") == 1


def test_13_a_table_without_records_opens(look: Look, accepted) -> None:
    session = accepted(look("13_"))

    assert (session.table.rows, len(session.table.columns)) == (0, 3)


def test_14_a_table_of_one_record_opens(look: Look, accepted) -> None:
    assert accepted(look("14_")).table.rows == 1


def test_20_numbers_in_all_their_spellings_are_decimal(look: Look) -> None:
    dialog = look("20_")

    assert any(t.startswith("decimal number") for t in types(dialog).values())
    assert odd(dialog) == []


def test_22_cells_like_formulas_are_text(look: Look) -> None:
    dialog = look("22_")

    assert any(cell.startswith("=") for row in cells(dialog) for cell in row)


def releasing(session: Session, window: MainWindow, qtbot: QtBot, out: Path) -> ReleaseDialog:
    """The release dialog on a table without identifiers and secrets, which its tick allows to leave."""
    for name in session.record.roles:
        window.controller.change_session(lambda s, name=name: s.set_role(name, "ordinary"))
    qtbot.waitUntil(lambda: window.controller.trajectory is not None)
    dialog = ReleaseDialog(window.controller, out, lambda *_: None)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.keyClick(dialog.findChild(QCheckBox, "release_all_the_same"), Qt.Key.Key_Space)
    return dialog


def test_22_formulas_are_neutralized_on_demand(
    look: Look, accepted, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session = accepted(look("22_"))
    dialog = releasing(session, window, qtbot, tmp_path / "out.csv")
    qtbot.keyClick(dialog.findChild(QCheckBox, "for_spreadsheet"), Qt.Key.Key_Space)

    with qtbot.waitSignal(window.controller.released):
        qtbot.mouseClick(dialog.findChild(QPushButton, "save_release"), LEFT)
    dialog.close()

    text = (tmp_path / "out.csv").read_text(encoding=session.dialect.encoding.replace("-sig", ""))
    assert "'=" in text
    assert "'-5" not in text


def test_24_a_stray_quote_is_told_once(look: Look) -> None:
    dialog = look("24_")

    assert dialog.draft.found.read.rows == 3
    assert says(dialog).count("with a quote inside or after a cell") == 1


def test_25_a_column_without_values_says_so(look: Look) -> None:
    assert row_named(look("25_"), "empty", Choice.WHY).data() == "No cell has a value."


def test_27_each_plausible_encoding_shows_its_first_record(look: Look, accepted) -> None:
    dialog = look("27_")
    readings = dialog.findChild(QListWidget, "readings")
    shown = [readings.item(i).text() for i in range(readings.count())]

    assert shown[0].startswith("GB18030")
    assert "Check the first rows." in readings.item(0).toolTip()
    assert any(s.startswith("Windows-1252") for s in shown[1:])
    assert accepted(dialog).reader.encoding == "gb18030"


def test_37_codes_and_labels_stand_together(look: Look) -> None:
    dialog = look("37_")
    region = {row[names(dialog).index("region")] for row in cells(dialog)}

    assert {"North (1)", "South (2)", "3", "9"} <= region
    assert "labels" in dialog.findChild(QComboBox, "reading_labels").currentText()


def test_37_a_stata_file_keeps_codes_and_labels(
    look: Look, accepted, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session = accepted(look("37_"))
    dialog = releasing(session, window, qtbot, tmp_path / "out.csv")

    choose(qtbot, dialog.findChild(QComboBox, "release_format"), ".dta")
    with qtbot.waitSignal(window.controller.released, timeout=20_000):
        qtbot.mouseClick(dialog.findChild(QPushButton, "save_release"), LEFT)
    dialog.close()

    released = read_table(tmp_path / "out.dta", StatisticsReader("stata"))
    assert set(released.table["region"].values) == {"North (1)", "South (2)", "3", "9"}
    codes = read_table(tmp_path / "out.dta", StatisticsReader("stata", "codes"))
    assert set(codes.table["region"].values) == {"1", "2", "3", "9"}


def test_39_header_rows_footer_and_sheet_are_proposed_and_kept(look: Look, accepted) -> None:
    dialog = look("39_")
    assert names(dialog) == ["Person / id", "Person / zip", "Visits / 2023", "Visits / 2024", "Note"]
    assert [row[1] for row in cells(dialog)] == ["02134", "00501", "90210"]
    assert "The last row is a footer" in says(dialog)
    assert dialog.findChild(QComboBox, "header_first").currentText().startswith("2: ")
    assert dialog.findChild(QComboBox, "footer_rows").currentText() == "1"

    reader = accepted(dialog).record.source.reader
    assert reader["header"] == [2, 3]
    assert reader["footer_rows"] == 1
    assert reader["sheet"] == "Survey"


def test_39_the_footer_can_be_taken_as_a_record(look: Look, qtbot: QtBot) -> None:
    dialog = look("39_")

    choose(qtbot, dialog.findChild(QComboBox, "footer_rows"), 0)
    qtbot.waitUntil(lambda: dialog.ready and len(cells(dialog)) == 4)

    assert dialog.draft.found.reader.footer_rows == 0


def test_where_a_text_table_begins_is_proposed_and_can_be_changed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("Wards of the year\n# by the register\nid,ward\n1,A\n2,B\n")
    dialog = opened(window, tmp_path / "t.csv", qtbot)
    assert names(dialog) == ["id", "ward"]
    assert "The table begins in line 3; what stands above it is left out." in says(dialog)

    line = dialog.findChild(QSpinBox, "reading_first_line")
    qtbot.keyClick(line, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: dialog.ready and names(dialog) == ["1", "A"])

    assert dialog.draft.found.reader.first_line == 4
    dialog.reject()


def test_a_release_changes_its_format_with_its_suffix(
    controller: Controller, qtbot: QtBot, scored: Scored, tmp_path: Path
) -> None:
    controller.open_sample()
    scored(controller)
    dialog = ReleaseDialog(controller, tmp_path / "out.csv", lambda *_: None)
    qtbot.addWidget(dialog)
    dialog.show()

    choose(qtbot, dialog.findChild(QComboBox, "release_format"), ".xlsx")

    assert dialog.path == tmp_path / "out.xlsx"
    assert not dialog.findChild(QCheckBox, "for_spreadsheet").isEnabled()
    dialog.close()
