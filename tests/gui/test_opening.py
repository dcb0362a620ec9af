"""The import dialog: what is guessed is shown and can be changed; nothing happens before it is accepted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from opening_clicks import choose, opened, page, pick_type, row_named, says, tick
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QTableView,
)
from pytestqt.qtbot import QtBot
from window_fixtures import Answers, Scored

from curator_gui.core.column_type import ColumnType
from curator_gui.core.table import Column, Table
from curator_gui.gui.dialogs import opening
from curator_gui.gui.dialogs.opening import WITHOUT_ASKING, OpeningDialog
from curator_gui.gui.dialogs.opening_database import DatabaseDialog
from curator_gui.gui.dialogs.opening_draft import ColumnChoice, Oddity
from curator_gui.gui.dialogs.opening_words import format_words, type_words
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.models.opening import Choice, ColumnChoicesModel, FirstRowsModel, OdditiesModel
from curator_gui.gui.recent import recent_files
from curator_gui.session import Session
from curator_gui.store.readers import CsvDialect

LEFT = Qt.MouseButton.LeftButton
CLEAN = "age,city\n34,Oslo\n35,Oslo\n36,Bergen\n"


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Of a user who is asked about every table."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "people.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.fixture(autouse=True)
def dialogs_closed(qapp: QApplication) -> Iterator[None]:
    yield
    for widget in qapp.topLevelWidgets():
        if isinstance(widget, OpeningDialog) and widget.isVisible():
            widget.reject()
    qapp.processEvents()


# --- the default path ---


def test_one_enter_opens_a_clean_file(window: MainWindow, file, qtbot: QtBot, scored: Scored) -> None:
    dialog = opened(window, file(CLEAN), qtbot)
    assert says(dialog) == "Nothing needs a look: press Enter to open."

    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    scored(window.controller)

    session = window.controller.session
    assert session is not None
    assert session.table["age"].type.kind == "integer"
    assert recent_files(window._settings)[0].name == "people.csv"


def test_the_first_rows_are_shown(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file(CLEAN), qtbot)
    rows = dialog.findChild(QTableView, "first_rows").model()

    assert rows.rowCount() == 3
    assert rows.headerData(1, Qt.Orientation.Horizontal) == "city"
    assert rows.index(2, 1).data() == "Bergen"


def test_cancel_leaves_everything_as_it_was(
    window: MainWindow, file, answers: Answers, qtbot: QtBot, scored: Scored
) -> None:
    window.files.open_sample("paper.curation.json")
    scored(window.controller)
    before = window.controller.session

    dialog = opened(window, file("a;b\n1;NA\n"), qtbot)
    tick(qtbot, dialog.findChild(QCheckBox, "open_without_asking"))
    qtbot.mouseClick(dialog.findChild(QPushButton, "cancel_opening"), LEFT)

    assert window.controller.session is before
    assert not window._settings.value(WITHOUT_ASKING, False, bool)
    assert not window.controller.jobs.running


def test_the_tick_is_remembered_and_spares_the_dialog_for_certain_files(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    dialog = opened(window, file(CLEAN), qtbot)
    tick(qtbot, dialog.findChild(QCheckBox, "open_without_asking"))
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)
    second = file("x,y\n1,2\n3,4\n", "second.csv")

    window.files.open_path(second)
    qtbot.waitUntil(lambda: window.controller.session.source_path == second)

    assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, OpeningDialog) and w.isVisible()]


def test_an_uncertain_file_is_asked_about_even_so(window: MainWindow, file, qtbot: QtBot) -> None:
    window._settings.setValue(WITHOUT_ASKING, True)

    dialog = opened(window, file("age,city\n34,Oslo\n35\n"), qtbot)

    assert "1 row shorter than the header" in says(dialog)


def test_asking_can_be_had_back_from_the_menu(window: MainWindow, file, qtbot: QtBot) -> None:
    window._settings.setValue(WITHOUT_ASKING, True)
    window.actions_by_name["ask_opening"].trigger()

    assert opened(window, file(CLEAN), qtbot).isVisible()


def test_a_file_that_is_no_table_is_told_in_a_sentence(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(bytes(range(256)) * 8)

    with qtbot.waitSignal(window.controller.problem) as told:
        window.files.open_path(path)

    assert "picture.csv" in told.args[0]


# --- another reading ---


def test_another_encoding_shows_its_first_rows(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    dialog = opened(window, file("name,town\nJörg,Köln\n", encoding="cp1252"), qtbot)
    rows = dialog.findChild(QTableView, "first_rows").model()
    assert rows.index(0, 0).data() == "Jörg"

    choose(qtbot, dialog.findChild(QComboBox, "reading_encoding"), "cp1251")
    qtbot.waitUntil(lambda: rows.index(0, 0).data() == "Jцrg")
    qtbot.waitUntil(lambda: dialog.ready)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    assert window.controller.session.reader.encoding == "cp1251"


def test_values_that_differ_in_case_or_spaces_alone_are_told(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file("sex,age\nm,1\nM,2\nf ,3\nf,4\nx,5\nm,6\nf,7\n"), qtbot)

    assert "“sex”: 4 values differ from others only in case or outer spaces" in says(dialog)
    assert "“age”" not in says(dialog)


def test_a_plausible_reading_is_chosen_by_a_click(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file(CLEAN), qtbot)
    readings = dialog.findChild(QListWidget, "readings")
    assert readings.item(1).text() == "UTF-8 · comma · no names\nage | city"

    qtbot.mouseClick(readings.viewport(), LEFT, pos=readings.visualItemRect(readings.item(1)).center())
    qtbot.waitUntil(lambda: dialog.ready and not dialog.draft.found.reader.header)

    assert not dialog.findChild(QCheckBox, "reading_header").isChecked()
    assert dialog.draft.found.read.table.names == ("column 1", "column 2")


def test_a_reading_that_cannot_be_is_told_and_cannot_be_opened(
    window: MainWindow, file, qtbot: QtBot
) -> None:
    dialog = opened(window, file("name,town\nJörg,Köln\n"), qtbot)

    choose(qtbot, dialog.findChild(QComboBox, "reading_encoding"), "ascii")
    qtbot.waitUntil(lambda: "ascii" in says(dialog).lower())

    assert not dialog.findChild(QPushButton, "open_table").isEnabled()


def test_the_choice_is_used_again_on_refresh(
    window: MainWindow, file, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    source = file("a;b\n1;x\n2;?\n")
    dialog = opened(window, source, qtbot)
    page(dialog, 1)
    tick_word(qtbot, dialog, "“?”")
    qtbot.waitUntil(lambda: dialog.ready and "?" in dialog.draft.found.reader.missing)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)
    assert window.controller.save(tmp_path / "s.curation.json")

    again = Session.load(tmp_path / "s.curation.json", data=file("a;b\n?;x\n", "new.csv"))

    assert again.table["a"].cell(0) is None
    assert again.reader == CsvDialect(delimiter=";", missing=("", "?"))


# --- types, identifiers, missing words, exceptions ---


def tick_word(qtbot: QtBot, dialog: OpeningDialog, start: str) -> None:
    """Tick or untick a word that may mean missing."""
    words = dialog.findChild(QListWidget, "missing_words")
    item = next(words.item(i) for i in range(words.count()) if words.item(i).text().startswith(start))
    words.setCurrentItem(item)
    qtbot.keyClick(words, Qt.Key.Key_Space)


def test_one_click_puts_a_column_back_to_text(window: MainWindow, file, qtbot: QtBot, scored: Scored) -> None:
    dialog = opened(window, file(CLEAN), qtbot)

    row_named(dialog, "age", Choice.TEXT, qtbot)
    assert dialog.draft.types["age"] == ColumnType()
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    assert window.controller.session.table["age"].type == ColumnType()


def test_a_second_click_brings_the_proposed_type_back(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file(CLEAN), qtbot)

    row_named(dialog, "age", Choice.TEXT, qtbot)
    row_named(dialog, "age", Choice.TEXT, qtbot)

    assert dialog.draft.types["age"] == ColumnType("integer")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # of lists that pop up
def test_an_ambiguous_date_is_shown_and_chosen(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    dialog = opened(window, file("seen,n\n01/02/2024,1\n03/04/2024,2\n"), qtbot)
    assert "2 date formats read every value" in says(dialog)

    pick_type(dialog, "seen", "date MM/DD/YYYY", qtbot)
    assert "date formats" not in says(dialog)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    assert window.controller.session.table["seen"].type == ColumnType("date", format="%m/%d/%Y")


def test_an_identifier_is_proposed_with_its_reason_and_can_be_refused(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    dialog = opened(window, file("email,n\na@b.org,1\nc@d.org,2\n"), qtbot)
    why = row_named(dialog, "email", Choice.WHY)
    assert why.data().startswith("Identifier: ")

    row_named(dialog, "email", Choice.IDENTIFIER, qtbot)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    assert window.controller.session.record.roles == {}


def test_a_word_is_added_that_means_missing(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file("age,n\n34,1\n999,2\n"), qtbot)
    page(dialog, 1)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "missing_word"), "999")
    qtbot.mouseClick(dialog.findChild(QPushButton, "add_missing_word"), LEFT)

    qtbot.waitUntil(lambda: dialog.ready and dialog.draft.found.read.table["age"].cell(1) is None)


def test_texts_that_do_not_parse_can_mean_missing_in_their_column(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    dialog = opened(window, file("age,word\n34,4e\n4e,x\n36,y\n37,z\n"), qtbot)
    page(dialog, 2)
    odd = dialog.findChild(QTableView, "oddities").model()
    assert [odd.index(0, i).data() for i in range(4)] == ["record 2", "age", "4e", "no whole number"]

    qtbot.mouseClick(dialog.findChild(QPushButton, "exceptions_missing"), LEFT)
    qtbot.waitUntil(lambda: dialog.ready and odd.rowCount() == 0)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    table = window.controller.session.table
    assert (table["age"].cell(1), table["word"].cell(0)) == (None, "4e")


def test_only_the_exceptions_selected_become_missing(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file("age,n\n" + "34,1\n" * 20 + "4e,2\n5f,3\n"), qtbot)
    dialog.draft.choose_type("age", ColumnType("integer"))
    dialog._settle()
    page(dialog, 2)
    view = dialog.findChild(QTableView, "oddities")
    assert view.model().rowCount() == 2

    place = view.visualRect(view.model().index(1, 2)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.mouseClick(dialog.findChild(QPushButton, "exceptions_missing"), LEFT)

    assert dialog.draft.missing == {"age": ("5f",)}
    assert [odd.text for odd in dialog.draft.oddities] == ["4e"]


def test_a_text_missing_in_one_column_is_listed_and_taken_back(
    window: MainWindow, file, qtbot: QtBot
) -> None:
    dialog = opened(window, file("age,n\n34,1\n4e,2\n36,2\n37,2\n"), qtbot)
    page(dialog, 2)
    qtbot.mouseClick(dialog.findChild(QPushButton, "exceptions_missing"), LEFT)
    page(dialog, 1)

    tick_word(qtbot, dialog, "“4e”: only in “age”")

    qtbot.waitUntil(lambda: len(dialog.draft.oddities) == 1)
    assert dialog.draft.missing == {}


def test_a_type_chosen_for_many_values_is_tried_in_a_thread(
    window: MainWindow, file, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_AT_ONCE", 2)
    dialog = opened(window, file("when,n\n" + "".join(f"day {i},1\n" for i in range(9))), qtbot)

    dialog._choose_type("when", ColumnType("integer"))
    assert not dialog.ready
    qtbot.waitUntil(lambda: dialog.ready)

    assert len(dialog.draft.oddities) == 9


def test_texts_that_do_not_parse_can_make_their_column_text(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file("age,n\n34,1\n4e,2\n36,2\n37,2\n"), qtbot)
    page(dialog, 2)

    qtbot.mouseClick(dialog.findChild(QPushButton, "exceptions_text"), LEFT)

    assert dialog.draft.types["age"] == ColumnType()
    assert dialog.draft.oddities == ()


# --- large files ---


def test_enter_before_the_end_opens_at_the_end(
    window: MainWindow, file, qtbot: QtBot, scored: Scored
) -> None:
    path = file("age,city\n" + "34,Oslo\n35,Bergen\n" * 60_000)
    window.files.open_path(path)
    dialog = shown(qtbot)
    dialog.accept()
    scored(window.controller)

    assert window.controller.session.table.rows == 120_000


def test_what_is_odd_at_the_end_is_shown_before_it_is_opened(window: MainWindow, file, qtbot: QtBot) -> None:
    dialog = opened(window, file("age,city\n" + "34,Oslo\n" * 30_000 + "35\n", "late.csv"), qtbot)
    dialog._waiting, dialog._said_before = True, ()

    dialog._found(dialog.draft.found)

    assert dialog.isVisible()
    assert window.controller.session is None
    assert "line 30002" in says(dialog)


def test_a_file_that_does_not_fit_is_refused_with_the_number(
    window: MainWindow, file, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curator_gui.store.readers.size.free_memory", lambda: 1000)
    window.files.open_path(file(CLEAN))
    dialog = shown(qtbot)
    qtbot.waitUntil(lambda: "of memory" in says(dialog))

    assert "1.0 kB" in says(dialog) or "0.0 MB can be used" in says(dialog)
    assert not dialog.findChild(QPushButton, "open_table").isEnabled()
    assert dialog.findChild(QTableView, "first_rows").model().rowCount() == 3


def shown(qtbot: QtBot) -> OpeningDialog:
    found: list[OpeningDialog] = []

    def there() -> bool:
        tops = QApplication.topLevelWidgets()
        found[:] = [w for w in tops if isinstance(w, OpeningDialog) and w.isVisible()]
        return bool(found)

    qtbot.waitUntil(there)
    return found[0]


# --- databases ---


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE stays (ward TEXT, nights INTEGER)")
        connection.execute("CREATE TABLE wards (ward TEXT)")
        connection.executemany("INSERT INTO stays VALUES (?, ?)", [("North", 2), ("South", 5)])
    connection.close()
    return path


def test_the_tables_of_a_database_file_are_readings(window: MainWindow, database: Path, qtbot: QtBot) -> None:
    dialog = opened(window, database, qtbot)
    readings = dialog.findChild(QListWidget, "readings")

    assert readings.item(0).text() == "Table “stays”\nNorth | 2"
    assert readings.count() == 2
    assert "2 tables" in says(dialog)


def test_an_address_with_a_password_is_refused(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["database"].trigger()
    dialog = window.findChild(DatabaseDialog, "database")
    qtbot.keyClicks(dialog.findChild(QLineEdit, "database_url"), "postgresql://me:secret@host/db")
    qtbot.keyClicks(dialog.findChild(QPlainTextEdit, "database_query"), "SELECT 1")

    qtbot.mouseClick(dialog.findChild(QPushButton, "show_database"), LEFT)

    assert "no user or password" in dialog.findChild(QLabel, "database_said").text()
    dialog.reject()


def test_a_query_of_a_database_is_opened_and_its_password_kept_nowhere(
    window: MainWindow, database: Path, tmp_path: Path, qtbot: QtBot, scored: Scored
) -> None:
    window.actions_by_name["database"].trigger()
    asked = window.findChild(DatabaseDialog, "database")
    qtbot.keyClicks(asked.findChild(QLineEdit, "database_url"), f"sqlite:///{database}")
    qtbot.mouseClick(asked.findChild(QPushButton, "list_tables"), LEFT)
    qtbot.waitUntil(lambda: asked.findChild(QComboBox, "database_table").count() == 2)
    qtbot.keyClicks(asked.findChild(QPlainTextEdit, "database_query"), "SELECT ward FROM stays")
    qtbot.mouseClick(asked.findChild(QPushButton, "show_database"), LEFT)
    dialog = shown(qtbot)
    qtbot.waitUntil(lambda: dialog.ready)
    qtbot.mouseClick(dialog.findChild(QPushButton, "open_table"), LEFT)
    scored(window.controller)

    assert window.controller.session.table.names == ("ward",)
    assert window.controller.save(tmp_path / "s.curation.json")
    assert "SELECT ward" in (tmp_path / "s.curation.json").read_text()


# --- models and words ---


def test_the_models_keep_to_the_rules_of_models() -> None:
    table = Table.of([Column.of("a", ["1", None, "x\ny"]), Column.of("b", ["1", "2", "3"])])
    rows = FirstRowsModel()
    rows.show(table)
    choices = ColumnChoicesModel()
    choices.show([ColumnChoice("a", ColumnType(), (ColumnType(),), "why", 1, True, "")])
    odd = OdditiesModel()
    odd.show([Oddity("line 2", "a", "x", "what")])

    for model in (rows, choices, odd):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


@pytest.mark.parametrize(
    ("type", "words"),
    [
        (ColumnType("decimal", ",", group="."), "decimal number 1.234,5"),
        (ColumnType("decimal"), "decimal number 1.5"),
        (ColumnType("integer", group=","), "whole number 1,234"),
        (ColumnType("date", format="%d.%m.%Y"), "date DD.MM.YYYY"),
    ],
)
def test_a_type_is_named_as_its_cells_look(type: ColumnType, words: str) -> None:
    assert type_words(type) == words


def test_a_format_is_named_as_people_write_it() -> None:
    assert format_words("%d-%b-%Y %H:%M") == "DD-Mon-YYYY hh:mm"
