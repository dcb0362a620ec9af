"""Editing the ladder of one column: its levels, and what each of them leaves of the values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import CuratorError, ViewError
from curator_gui.core.hierarchy import Hierarchy, Provenance, Rung, check_coverage
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import STAR, Star, describe_view
from curator_gui.gui.controller import Controller
from curator_gui.gui.ladder_edits import BinsEdit, DatesEdit, GroupsEdit, LadderEdit, PrefixesEdit
from curator_gui.gui.level_figures import completed, fitting, level_figures, uncovered
from curator_gui.gui.naming import named
from curator_gui.gui.words import count, percent, records
from curator_gui.store.hierarchy_file import read_hierarchy, write_hierarchy

ChooseFile = Callable[[QWidget, str], Path | None]
Completing = Callable[[Hierarchy], Hierarchy]


def choose_ladder_to_open(parent: QWidget, suggested: str) -> Path | None:
    """Ask for a ladder file to read."""
    name, _ = QFileDialog.getOpenFileName(parent, parent.tr("Import a ladder"), suggested, "CSV (*.csv)")
    return Path(name) if name else None


def choose_ladder_to_save(parent: QWidget, suggested: str) -> Path | None:
    """Ask where to write a ladder file."""
    name, _ = QFileDialog.getSaveFileName(parent, parent.tr("Export the ladder"), suggested, "CSV (*.csv)")
    return Path(name) if name else None


class LadderDialog(QDialog):
    """The ladder of a column. Nothing of the session changes before it is accepted."""

    def __init__(
        self,
        controller: Controller,
        column: str,
        parent: QWidget | None = None,
        *,
        choose_to_open: ChooseFile = choose_ladder_to_open,
        choose_to_save: ChooseFile = choose_ladder_to_save,
    ) -> None:
        super().__init__(parent)
        named(self, "ladder_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Ladder of “{0}”").format(column))
        self._controller = controller
        self._choose_to_open, self._choose_to_save = choose_to_open, choose_to_save
        self._name = column
        self._known: Hierarchy | None = None
        session = controller.session
        self._column: Column = session.table[column] if session else Column.of(column, [], ColumnType())
        self._kind = named(QComboBox(), "ladder_kind", self.tr("Kind of ladder"))
        self._pages = QStackedWidget()
        self._edits: dict[str, LadderEdit] = {}
        self._origin = named(QLabel(), "ladder_origin", self.tr("Where the ladder comes from"))
        self._levels = self._make_levels()
        self._said = named(QLabel(wordWrap=True), "ladder_said")
        self._lay_out()
        self._fill()
        self.show_ladder(session.record.hierarchies.get(column) if session else None)
        self.resize(680, 600)

    @property
    def ladder(self) -> Hierarchy | None:
        """The ladder edited, None for no ladder; ViewError, in one sentence, where it is not nested."""
        edit = self._edits.get(self._kind.currentData())
        if edit is None:
            return None
        ladder = Hierarchy(edit.kind, edit.levels)
        check_coverage(ladder, self._column)
        known = self._known
        return known if known is not None and known.levels == ladder.levels else ladder

    def show_ladder(self, ladder: Hierarchy | None) -> None:
        """Put a ladder into the form; it keeps its origin while it is not edited."""
        self._known = ladder
        self._kind.setCurrentIndex(max(self._kind.findData(ladder.kind if ladder else "none"), 0))
        if ladder is not None and ladder.kind in self._edits:
            self._edits[ladder.kind].show_levels(ladder.levels)
        self._kind_chosen()

    # --- building ---

    def _fill(self) -> None:
        edits: list[tuple[str, LadderEdit]] = []
        if self._column.type.is_number:
            edits.append((self.tr("Bins of numbers"), BinsEdit(self._column)))
        if self._column.type.is_date:
            edits.append((self.tr("Parts of the date"), DatesEdit(self._column)))
        edits.append((self.tr("First characters"), PrefixesEdit(self._column)))
        edits.append((self.tr("Groups of values"), GroupsEdit(self._column)))
        for words, edit in edits:
            self._edits[edit.kind] = edit
            self._kind.addItem(words, edit.kind)
            self._pages.addWidget(edit)
            edit.changed.connect(self._show_levels)
        self._kind.addItem(self.tr("No ladder"), "none")
        self._pages.addWidget(QWidget())
        self._kind.activated.connect(lambda _: self._kind_chosen())

    def _make_levels(self) -> QTableWidget:
        table = named(QTableWidget(0, 4), "ladder_levels", self.tr("What each level leaves"))
        heads = (self.tr("Level"), self.tr("Classes"), self.tr("Smallest class"), self.tr("Entropy kept"))
        for number, text in enumerate(heads):
            head = QTableWidgetItem(text)
            side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
            head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            table.setHorizontalHeaderItem(number, head)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
        table.setMinimumHeight(120)
        return table

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("Kind"), self._kind)
        form.addRow(self.tr("Origin"), self._origin)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        named(self._buttons.button(QDialogButtonBox.StandardButton.Ok), "accept_ladder")
        named(self._buttons.button(QDialogButtonBox.StandardButton.Cancel), "cancel_ladder")
        for button in self._buttons.buttons():
            button.setIcon(QIcon())
        self._import = named(QPushButton(self.tr("Import…"), autoDefault=False), "import_ladder")
        self._export = named(QPushButton(self.tr("Export…"), autoDefault=False), "export_ladder")
        below = QHBoxLayout()
        below.addWidget(self._import)
        below.addWidget(self._export)
        below.addStretch(1)
        below.addWidget(self._buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.setSpacing(8)
        box.addLayout(form)
        box.addWidget(self._pages, 3)
        box.addWidget(self._levels, 2)
        box.addWidget(self._said)
        box.addLayout(below)
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        self._import.clicked.connect(self._import_clicked)
        self._export.clicked.connect(self._export_clicked)
        self._levels.itemSelectionChanged.connect(self._level_selected)

    # --- showing ---

    def _kind_chosen(self) -> None:
        self._pages.setCurrentIndex(self._kind.currentIndex())
        self._show_levels()

    def _show_levels(self) -> None:
        self._said.clear()
        self._origin.setText(self.tr("none"))
        self._levels.setRowCount(0)
        try:
            ladder = self.ladder
            if ladder is not None:
                self._origin.setText(self._origin_words(ladder.provenance))
                self._show_figures(ladder)
        except ViewError as error:
            self._said.setText(error.message)
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(not self._said.text())
        self._export.setEnabled(not self._said.text() and self._kind.currentData() != "none")
        self._level_selected()

    def _origin_words(self, provenance: Provenance) -> str:
        return {
            "typed": self.tr("typed here"),
            "imported": self.tr("imported from a file"),
            "proposed-from-data": self.tr("proposed from the data"),
        }[provenance]

    def _level_words(self, number: int, rung: Rung, examples: Sequence[str]) -> str:
        if rung == Star():
            missing = bool(self._column.missing.any())
            words = self.tr("{0}: *, all values as one") + (self.tr(", missing apart") if missing else "")
            return words.format(number)
        words = describe_view(rung, None)
        return self.tr("{0}: {1}, such as {2}").format(number, words, "  ·  ".join(examples))

    def _show_figures(self, ladder: Hierarchy) -> None:
        for number, rung in enumerate(ladder.levels, 1):
            figures = level_figures(rung, self._column, None)
            self._levels.insertRow(number - 1)
            texts = (
                self._level_words(number, rung, figures.examples),
                count(figures.classes),
                count(figures.smallest),
                percent(figures.kept),
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._levels.setItem(number - 1, column, item)

    def _level_selected(self) -> None:
        edit = self._edits.get(self._kind.currentData())
        if isinstance(edit, BinsEdit):
            edit.show_cuts_of(max(self._levels.currentRow(), 0))

    # --- clicks ---

    def _accept(self) -> None:
        try:
            ladder = self.ladder
        except ViewError as error:
            self._said.setText(error.message)
            return
        session = self._controller.session
        old = session.record.hierarchies.get(self._name) if session else None
        if (ladder and ladder.levels) == (old and old.levels):
            self.reject()
            return
        refusal = self._controller.change_session(lambda s: s.set_hierarchy(self._name, ladder))
        if refusal is None:
            self.accept()
        else:
            self._said.setText(refusal)

    def _import_clicked(self) -> None:
        path = self._choose_to_open(self, "")
        if path is None:
            return
        try:
            ladder = read_hierarchy(path, None)
            missing = uncovered(ladder, self._column)
            if missing and len(missing) == sum(v is not None for v in self._column.values):
                self._of_another_column(path, ladder)
                return
            if missing:
                completing = self._asked_about(path, missing)
                if completing is None:
                    return
                ladder = completing(ladder)
            check_coverage(ladder, self._column)
        except CuratorError as error:
            self._said.setText(str(error))
            return
        self.show_ladder(ladder)

    def _asked_about(self, path: Path, missing: Sequence[str]) -> Completing | None:
        """Ask what becomes of values the file leaves out; by default nothing is imported."""
        values = sum(v is not None for v in self._column.values)
        box = QMessageBox(self)
        named(box, "ladder_coverage")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(
            self.tr("“{0}” has no line for {1} of the {2} values of “{3}”.").format(
                path.name, count(len(missing)), count(values), self._name
            )
        )
        shown = ", ".join(self._with_records(v) for v in missing[:8]) + (", …" if len(missing) > 8 else "")
        box.setInformativeText(
            self.tr("Left out: {0}. Kept as they are, they can be grouped by hand afterwards.").format(shown)
        )
        keep = box.addButton(self.tr("Keep them as they are"), QMessageBox.ButtonRole.AcceptRole)
        star = box.addButton(self.tr("Put them under “*”"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if box.clickedButton() is keep:
            return lambda ladder: completed(ladder, self._column)
        return (lambda ladder: completed(ladder, self._column, STAR)) if box.clickedButton() is star else None

    def _with_records(self, value: str) -> str:
        place = next(i for i, v in enumerate(self._column.values) if v == value)
        return f"“{value[:40]}” ({records(int(self._column.counts[place]))})"

    def _of_another_column(self, path: Path, ladder: Hierarchy) -> None:
        """Say whose ladder it probably is; by default nothing is imported."""
        session = self._controller.session
        others = [c for c in session.table.columns if c.name != self._name] if session else []
        fit = fitting(ladder, others)
        box = QMessageBox(self)
        named(box, "ladder_of_another")
        box.setIcon(QMessageBox.Icon.Warning)
        values = sum(v is not None for v in self._column.values)
        box.setText(
            self.tr("0 of {0} values of “{1}” matched: “{2}” looks like a ladder for another column.").format(
                count(values), self._name, path.name
            )
        )
        there = None
        if fit is None:
            box.setInformativeText(self.tr("It fits no column of this table."))
        else:
            box.setInformativeText(self.tr("It fits “{0}”.").format(fit))
            there = box.addButton(
                self.tr("Edit “{0}” with it").format(fit), QMessageBox.ButtonRole.AcceptRole
            )
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if fit is not None and box.clickedButton() is there:
            self._edit_another(fit, ladder)

    def _edit_another(self, column: str, ladder: Hierarchy) -> None:
        session = self._controller.session
        if session is None:
            return
        other = LadderDialog(
            self._controller,
            column,
            self.parentWidget(),
            choose_to_open=self._choose_to_open,
            choose_to_save=self._choose_to_save,
        )
        other.show_ladder(completed(ladder, session.table[column]))
        self.reject()
        other.open()

    def _export_clicked(self) -> None:
        ladder = self.ladder
        path = self._choose_to_save(self, f"{self._name}.csv") if ladder else None
        if ladder is None or path is None:
            return
        try:
            if self._controller.session is not None:
                self._controller.session.require_replaceable(path)
            write_hierarchy(path, ladder, self._column)
        except CuratorError as error:
            self._said.setText(str(error))
            return
        self._said.setText(self.tr("Exported to {0}.").format(path.name))
