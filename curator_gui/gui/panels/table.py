"""The table: before, after and the difference, with the records behind the evidence marked."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QFont, QGuiApplication, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.operators import Generalize, Operator, Project, Replace
from curator_gui.gui.column_actions import add_column_actions, add_record_actions
from curator_gui.gui.column_facts import ColumnFacts, facts_of, kind_words
from curator_gui.gui.column_header import ColumnHeader
from curator_gui.gui.controller import Controller
from curator_gui.gui.counting import Counting
from curator_gui.gui.dialogs.reading_notes import ReadingNotes
from curator_gui.gui.elided_label import ElidedLabel
from curator_gui.gui.figures import Figures
from curator_gui.gui.find_bar import FindBar
from curator_gui.gui.jobs import Job
from curator_gui.gui.models.table import TableModel
from curator_gui.gui.naming import named
from curator_gui.gui.reading import Reading
from curator_gui.gui.sheet import Kind, Sheet
from curator_gui.gui.table_view import JOINS, LEAVES, STAYS, RowMarks, TableView
from curator_gui.gui.words import count

_SORTED_AT_ONCE = 500_000
_MOST_COPIED = 1_000_000
_MOST_FITTED = 100
_NARROWEST, _WIDEST = 88, 240


class TablePanel(QWidget):
    """Shows the source, the table as prepared at the position, or the difference between them."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "table_panel", self.tr("Table"))
        self._controller = controller
        self._counting = Counting.of(controller)
        self._kind: Kind = "after"
        self._sort: tuple[str, bool] | None = None
        self._shown_key: object = None
        self._reading: Reading | None = None
        self._widths: dict[tuple[Kind, str], int] = {}
        self.model = TableModel(self)
        self.view = TableView(self)
        self._header = ColumnHeader(self._figures, self.view)
        self.find_bar = FindBar(self.view, self)
        self._caption = named(ElidedLabel(), "table_caption")
        self._legend = named(ElidedLabel(), "table_legend")
        self._notes = named(QToolButton(), "reading_notes_button")
        self._segments = self._make_segments()
        self._next_marked = named(QPushButton(self.tr("Next marked")), "next_marked")
        self._show_segment()
        self._lay_out()
        self._connect()
        self.refresh()

    # --- building ---

    def _make_segments(self) -> QButtonGroup:
        group = QButtonGroup(self)
        for kind, text, tip in (
            ("before", self.tr("Before"), self.tr("The source as it was opened")),
            ("after", self.tr("After"), self.tr("The table as prepared at this position of the plan")),
            ("difference", self.tr("Difference"), self.tr("The source with what the plan changes marked")),
        ):
            button = named(QToolButton(), f"table_{kind}")
            button.setText(text)
            button.setToolTip(tip)
            button.setCheckable(True)
            group.addButton(button)
        return group

    def _lay_out(self) -> None:
        self.view.setModel(self.model)
        self.view.setHorizontalHeader(self._header)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 0, 8, 0)
        bar.setSpacing(0)
        for button in self._segments.buttons():
            bar.addWidget(button)
        bar.addSpacing(16)
        bar.addWidget(self._caption, 1)
        bar.addWidget(self._notes)
        self._below = QWidget()
        below = QHBoxLayout(self._below)
        below.setContentsMargins(8, 0, 8, 0)
        below.addWidget(self._legend, 1)
        below.addWidget(self._next_marked)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 8)
        box.setSpacing(8)
        box.addLayout(bar)
        box.addWidget(self.find_bar)
        box.addWidget(self.view, 1)
        box.addWidget(self._below)
        self.find_bar.hide()
        self._below.hide()

    def _connect(self) -> None:
        controller = self._controller
        controller.session_changed.connect(self.refresh)
        controller.plan_changed.connect(self.refresh)
        controller.preview_changed.connect(self._preview_changed)
        controller.selection_changed.connect(self.refresh_marks)
        self._counting.counted.connect(self._header.viewport().update)
        self._segments.buttonClicked.connect(self._segment_clicked)
        self._header.sectionClicked.connect(self._sort_clicked)
        self._header.sectionResized.connect(self._resized)
        self._header.customContextMenuRequested.connect(self._header_menu)
        self._next_marked.clicked.connect(self._go_to_marked)
        self._notes.clicked.connect(self._show_notes)
        self.view.copy_asked.connect(self.copy)
        self.view.chosen.connect(controller.select_target)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._cell_menu)
        find = QAction(self.tr("Find in the table"), self)
        find.setShortcut(QKeySequence.StandardKey.Find)
        find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.triggered.connect(self.find_bar.open)
        self.addAction(find)

    # --- reading the controller ---

    def refresh(self) -> None:
        """Read the session, the plan and the preview again."""
        if not self.isVisible():
            return
        session = self._controller.session
        self._notes.setVisible(session is not None)
        if session is None:
            self._shown_key = None
            self._show(None, (), None)
            self._caption.show_line("")
            self.refresh_marks()
            return
        preview = self._controller.preview
        reading = Reading.of(session, preview.operator if preview else None, self._reading)
        self._reading = reading
        facts = facts_of(session, session.prefix if self._kind == "before" else reading.prefix)
        key = (reading, self._kind, self._sort, facts)
        if key != self._shown_key:
            self._shown_key = key
            self._show_sorted(reading.sheet(self._kind), facts)
        self._caption.show_line(self._caption_words(reading))
        self._caption.setToolTip(self._caption_tip(reading))
        self._name_notes(len(session.notes))
        self.refresh_marks()

    def _name_notes(self, notes: int) -> None:
        self._notes.setText(self.tr("Notes ({0})").format(notes) if notes else self.tr("Notes"))
        self._notes.setToolTip(self.tr("How the source was read: what was irregular, what counts as missing"))

    def _show_notes(self) -> None:
        if self._controller.session is not None:
            dialog = ReadingNotes(self._controller.session, self)
            dialog.finished.connect(dialog.deleteLater)
            dialog.open()

    def refresh_marks(self) -> None:
        """Mark the records that look like the target looked at."""
        look = self._controller.look() if self.isVisible() else None
        marks = RowMarks.of_look(look) if look is not None else None
        self.view.set_marks(marks)
        self._below.setVisible(marks is not None)
        if marks is not None:
            self._legend.show_line(self._legend_words(marks))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._header.viewport().update()

    def _preview_changed(self) -> None:
        self.refresh()
        preview, sheet = self._controller.preview, self.model.sheet
        concerned = _concerned(preview.operator) if preview else ()
        self._header.mark_previewed(concerned)
        if concerned and sheet is not None and self.isVisible():
            self._bring_into_sight(concerned[0], [c.name for c in sheet.columns])

    def _bring_into_sight(self, name: str, shown: list[str]) -> None:
        """Scroll to a column; to the one that follows it where it is not shown any more."""
        assert self._controller.session is not None
        names = self._controller.session.table.names
        places = {n: i for i, n in enumerate(shown)}
        following = (places[n] for n in names[names.index(name) :] if n in places)
        column = next(following, len(shown) - 1)
        left, width = self._header.sectionViewportPosition(column), self._header.sectionSize(column)
        if left < 0 or left + width > self.view.viewport().width():
            self.view.horizontalScrollBar().setValue(self._header.sectionPosition(column))

    def _figures(self, column: int) -> Figures | None:
        sheet = self.model.sheet
        if sheet is None or self._reading is None:
            return None
        of = sheet.columns[column]
        if sheet.kind == "after" and of.shown is not None:
            return self._counting.prepared(of.shown, self._reading.prefix)
        return self._counting.source(of.source)

    # --- showing ---

    def _show_sorted(self, sheet: Sheet, facts: tuple[ColumnFacts, ...]) -> None:
        names = [c.name for c in sheet.columns]
        if self._sort is None or self._sort[0] not in names:
            self._show(sheet, facts, None)
            return
        column, descending = names.index(self._sort[0]), self._sort[1]
        if sheet.height <= _SORTED_AT_ONCE:
            self._show(sheet.sorted_by(column, descending), facts, (column, descending))
            return
        key = self._shown_key

        def work(job: Job) -> Sheet:
            job(0.0, "")
            return sheet.sorted_by(column, descending)

        def done(ordered: Sheet) -> None:
            if key == self._shown_key:
                self._show(ordered, facts, (column, descending))

        self._controller.jobs.start(
            self.tr("Sorting"), work, kind="sort", done=done, failed=self._controller.problem.emit
        )

    def _show(self, sheet: Sheet | None, facts: tuple[ColumnFacts, ...], by: tuple[int, bool] | None) -> None:
        top, side = self.view.verticalScrollBar().value(), self.view.horizontalScrollBar().value()
        current = self.view.currentIndex()
        at = (current.row(), current.column())
        self._header.sorted_by = by
        self.model.show(sheet, facts)
        self._fit_columns()
        self.view.verticalScrollBar().setValue(top)
        self.view.horizontalScrollBar().setValue(side)
        if current.isValid() or at[0] >= 0:
            self.view.setCurrentIndex(self.model.index(*at))

    def _fit_columns(self) -> None:
        sheet = self.model.sheet
        if sheet is None:
            return
        self._header.blockSignals(True)
        self._header.setDefaultSectionSize(120)
        for column, of in enumerate(sheet.columns):
            width = self._widths.get((sheet.kind, of.name))
            if width is None and len(sheet.columns) <= _MOST_FITTED:
                width = self._fitting(sheet, column)
            if width is not None:
                self._header.resizeSection(column, width)
        self._header.blockSignals(False)

    def _fitting(self, sheet: Sheet, column: int) -> int:
        """Wide enough for the name and for most of the first cells."""
        metrics = self.fontMetrics()
        rows = sheet.rows_at(0, min(sheet.height, 40))
        lengths = sorted(metrics.horizontalAdvance(t[:60]) for t in sheet.displayed(column, rows))
        cell = lengths[int(0.9 * (len(lengths) - 1))] if lengths else 0
        facts = self.model.facts(column)
        kind = metrics.horizontalAdvance(facts.brief_view or kind_words(facts.kind)) if facts else 0
        name = 1.15 * metrics.horizontalAdvance(sheet.columns[column].name[:_WIDEST]) + 32
        return min(max(cell + 20, kind + 20, int(name), _NARROWEST), _WIDEST)

    def _caption_words(self, reading: Reading) -> str:
        """The heading over the table; that of a preview is short: it stands in a narrow place."""
        if reading.operator is None or self._kind != "after":
            return self._caption_tip(reading)
        label = self._controller.describe(reading.operator)
        return self.tr("Preview: {0} · {1} records").format(label, count(reading.counts.records))

    def _caption_tip(self, reading: Reading) -> str:
        """All of what is shown, in words."""
        counts = reading.counts
        if self._kind == "before":
            return self.tr("The source as opened: {0} records, {1} columns").format(
                count(counts.all_records), count(counts.all_columns)
            )
        what = self._steps_words(reading)
        if self._kind == "after" and not reading.prefix.plan:
            return self.tr("{0}: {1} records, {2} columns").format(
                what, count(counts.records), count(counts.columns)
            )
        if self._kind == "after":
            return self.tr("{0}: {1} of {2} records, {3} of {4} columns").format(
                what,
                count(counts.records),
                count(counts.all_records),
                count(counts.columns),
                count(counts.all_columns),
            )
        return self.tr("{0}: {1} records removed, {2} columns dropped, {3} columns changed").format(
            what,
            count(counts.all_records - counts.records),
            count(counts.all_columns - counts.columns),
            count(counts.changed),
        )

    def _steps_words(self, reading: Reading) -> str:
        steps = reading.steps
        words = self.tr("After 1 step") if steps == 1 else self.tr("After {0} steps").format(count(steps))
        if reading.operator is None:
            return words if steps else self.tr("No step yet")
        label = self._controller.describe(reading.operator)
        if not steps:
            return self.tr("Preview of “{0}”").format(label)
        return self.tr("{0} and the preview of “{1}”").format(words, label)

    def _legend_words(self, marks: RowMarks) -> str:
        stay, join, leave = marks.counts
        looks = self.tr("Records that look like record {0}:").format(count(marks.target + 1))
        parts = [f"{STAYS} {count(stay)} " + (self.tr("stay") if join or leave else self.tr("marked"))]
        if join:
            parts.append(f"{JOINS} {count(join)} " + self.tr("join"))
        if leave:
            parts.append(f"{LEAVES} {count(leave)} " + self.tr("leave"))
        return f"{looks} {'   '.join(parts)}"

    # --- clicks ---

    def show_kind(self, kind: Kind) -> None:
        """Show Before, After or Difference."""
        self._kind = kind
        self._show_segment()
        self.refresh()

    def _show_segment(self) -> None:
        """The chosen segment is pressed and bold: some styles hardly show the first."""
        for button in self._segments.buttons():
            chosen = button.objectName() == f"table_{self._kind}"
            font = QFont(self.font())
            font.setBold(chosen)
            button.setFont(font)
            button.setChecked(chosen)

    def _segment_clicked(self, button: QToolButton) -> None:
        self.show_kind(cast(Kind, button.objectName().removeprefix("table_")))

    def _sort_clicked(self, column: int) -> None:
        """Rising, falling, then as in the source again."""
        sheet = self.model.sheet
        if sheet is None:
            return
        name = sheet.columns[column].name
        following = {None: (name, False), (name, False): (name, True), (name, True): None}
        self._sort = following.get(self._sort, (name, False))
        self.refresh()

    def _resized(self, column: int, _: int, width: int) -> None:
        sheet = self.model.sheet
        if sheet is not None and column < len(sheet.columns):
            self._widths[sheet.kind, sheet.columns[column].name] = width

    def _go_to_marked(self) -> None:
        marks, sheet = self.view.marks, self.view.sheet
        if marks is None or sheet is None:
            return
        at = sheet.next_of(marks.rows, self.view.currentIndex().row())
        if at is not None:
            self.view.show_cell(at, max(self.view.currentIndex().column(), 0))
            self.view.setFocus()

    def copy(self) -> None:
        """Put the selected cells on the clipboard, parted by tabs."""
        sheet = self.model.sheet
        rows, columns = self.view.selected_span()
        if sheet is None or not rows or not columns:
            return
        if len(rows) * len(columns) > _MOST_COPIED:
            sentence = self.tr("At most {0} cells can be copied at once; select fewer, or release a file.")
            self._controller.problem.emit(sentence.format(count(_MOST_COPIED)))
            return
        QGuiApplication.clipboard().setText("\n".join(sheet.lines(rows, columns)))

    # --- menus ---

    def _header_menu(self, at: QPoint) -> None:
        sheet, column = self.model.sheet, self._header.logicalIndexAt(at)
        if sheet is None or column < 0:
            return
        menu = named(QMenu(self), "column_menu")
        add_column_actions(menu, self._controller, sheet.columns[column].name)
        self._pop_up(menu, self._header.viewport().mapToGlobal(at))

    def _cell_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if not index.isValid() or self.model.sheet is None:
            return
        menu = named(QMenu(self), "cell_menu")
        menu.addAction(self.tr("Copy"), QKeySequence.StandardKey.Copy, self.copy)
        menu.addAction(self.tr("Find…"), QKeySequence.StandardKey.Find, self.find_bar.open)
        menu.addSeparator()
        of = self.model.sheet.columns[index.column()].source
        row = int(self.model.sheet.rows_at(index.row(), index.row() + 1)[0])
        add_record_actions(menu, self._controller, row, of, self.view.selected_rows())
        columns = menu.addMenu(self.tr("Column “{0}”").format(of.name))
        add_column_actions(columns, self._controller, of.name)
        self._pop_up(menu, self.view.viewport().mapToGlobal(at))

    def _pop_up(self, menu: QMenu, at: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)


def _concerned(operator: Operator) -> tuple[str, ...]:
    """The columns that a step drops or changes."""
    match operator:
        case Project(drop):
            return drop
        case Generalize(column) | Replace(column):
            return (column,)
    return ()
