"""The forms of a ladder's levels, one a kind of ladder, each with “*” on top where it is wanted."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import ViewError
from curator_gui.core.hierarchy import HierarchyKind, Rung
from curator_gui.core.table import Column
from curator_gui.core.view import PARTS, DatePart, Mapping, Part, Prefix, Star
from curator_gui.gui.bins_row import BinsRow
from curator_gui.gui.histogram import Histogram
from curator_gui.gui.level_figures import lengths_typed
from curator_gui.gui.naming import named
from curator_gui.gui.value_groups import ValueGroups


class LadderEdit(QWidget):
    """A form of levels. ``changed``: other levels are filled in."""

    kind: HierarchyKind
    changed = Signal()

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column
        self._star = named(QCheckBox(self.tr("“*” on top: all values as one")), f"{self.kind}_star")
        self._star.setChecked(True)
        self._star.clicked.connect(lambda _: self.changed.emit())
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(8)

    @property
    def levels(self) -> tuple[Rung, ...]:
        """The levels filled in; ViewError, in one sentence, where one of them is none."""
        top = (Star(),) if self._star.isChecked() else ()
        return (*self._below_star(), *top)

    def show_levels(self, levels: tuple[Rung, ...]) -> None:
        """Fill in other levels."""
        self._star.setChecked(bool(levels) and levels[-1] == Star())
        self._show(tuple(r for r in levels if r != Star()))

    def _below_star(self) -> tuple[Rung, ...]:
        raise NotImplementedError

    def _show(self, levels: tuple[Rung, ...]) -> None:
        raise NotImplementedError


class BinsEdit(LadderEdit):
    """Levels of bins over a histogram of the numbers."""

    kind: HierarchyKind = "bins"

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(column, parent)
        self._histogram = Histogram(column)
        self._rows: list[BinsRow] = []
        self._add = named(QPushButton(self.tr("Add a level"), autoDefault=False), "add_bins_level")
        self._add.clicked.connect(self._add_clicked)
        self.box.addWidget(self._histogram)
        self.box.addWidget(self._star)
        self.box.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)

    def show_cuts_of(self, level: int) -> None:
        """Draw the cuts of one level, from 0, over the histogram."""
        try:
            levels = self._below_star()
        except ViewError:
            levels = ()
        self._histogram.show_cuts(levels[level] if level < len(levels) else None)

    def _below_star(self) -> tuple[Rung, ...]:
        return tuple(row.rung for row in self._rows)

    def _show(self, levels: tuple[Rung, ...]) -> None:
        for row in tuple(self._rows):
            self._drop(row)
        for rung in levels:
            self._append(rung)

    def _append(self, rung: Rung) -> None:
        row = BinsRow(rung, self._column, self)
        row.edited.connect(self.changed)
        row.removed.connect(self._removed)
        self.box.insertWidget(1 + len(self._rows), row)
        self._rows.append(row)
        row.show()

    def _add_clicked(self) -> None:
        self._append(Star())
        self.changed.emit()

    def _removed(self, row: BinsRow) -> None:
        self._drop(row)
        self.changed.emit()

    def _drop(self, row: BinsRow) -> None:
        self._rows.remove(row)
        self.box.removeWidget(row)
        row.hide()
        row.deleteLater()


class DatesEdit(LadderEdit):
    """Parts of a date, from the finest up."""

    kind: HierarchyKind = "date"

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(column, parent)
        words: dict[Part, str] = {
            "day": self.tr("Day"),
            "week": self.tr("Week"),
            "month": self.tr("Month"),
            "quarter": self.tr("Quarter"),
            "year": self.tr("Year"),
            "decade": self.tr("Decade"),
        }
        self._parts = {part: named(QCheckBox(words[part]), f"date_{part}") for part in PARTS}
        for box in self._parts.values():
            self.box.addWidget(box)
            box.clicked.connect(lambda _: self.changed.emit())
        self.box.addWidget(self._star)
        self.box.addStretch(1)

    def _below_star(self) -> tuple[Rung, ...]:
        return tuple(DatePart(part) for part, box in self._parts.items() if box.isChecked())

    def _show(self, levels: tuple[Rung, ...]) -> None:
        chosen = {rung.part for rung in levels if isinstance(rung, DatePart)}
        for part, box in self._parts.items():
            box.setChecked(part in chosen)


class PrefixesEdit(LadderEdit):
    """Lengths of prefixes, typed."""

    kind: HierarchyKind = "prefix"

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(column, parent)
        self._lengths = named(QLineEdit(), "prefix_lengths", self.tr("Numbers of characters"))
        self._lengths.setPlaceholderText("3, 2, 1")
        self.box.addWidget(QLabel(self.tr("Show the first characters, these many at each level")))
        self.box.addWidget(self._lengths)
        self.box.addWidget(self._star)
        self.box.addStretch(1)
        self._lengths.textEdited.connect(lambda _: self.changed.emit())

    def _below_star(self) -> tuple[Rung, ...]:
        return lengths_typed(self._lengths.text())

    def _show(self, levels: tuple[Rung, ...]) -> None:
        self._lengths.setText(", ".join(str(r.length) for r in levels if isinstance(r, Prefix)))


class GroupsEdit(LadderEdit):
    """Groups of values at one level or more."""

    kind: HierarchyKind = "table"

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(column, parent)
        self._groups = ValueGroups(column, several=True)
        self._shown: tuple[Mapping, ...] = ()
        self.box.addWidget(self._groups, 1)
        self.box.addWidget(self._star)
        self._groups.changed.connect(self.changed)

    def _below_star(self) -> tuple[Rung, ...]:
        mappings = tuple(
            next((old for old in self._shown if dict(old.pairs) == dict(new.pairs)), new)
            for new in self._groups.mappings
        )
        ungrouped = len(mappings) == 1 and all(value == label for value, label in mappings[0].pairs)
        return () if ungrouped and self._star.isChecked() else mappings

    def _show(self, levels: tuple[Rung, ...]) -> None:
        self._shown = tuple(r for r in levels if isinstance(r, Mapping))
        self._groups.show_mappings(self._shown)
