"""Choosing any view of a column: a level of its ladder, characters, bins, groups, or as it is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import ViewError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.table import Column
from curator_gui.core.view import Bins, Identity, Level, Mapping, Prefix, View, describe_view
from curator_gui.gui.level_figures import LevelFigures, bins_typed, level_figures
from curator_gui.gui.naming import named
from curator_gui.gui.value_groups import ValueGroups
from curator_gui.gui.words import count, percent, records


class ViewEdit(QWidget):
    """A view of one column, with what it leaves of the values."""

    changed = Signal()

    def __init__(self, column: Column, ladder: Hierarchy | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column, self._ladder = column, ladder
        self._way = named(QComboBox(), "view_way", self.tr("How to generalize"))
        self._level = named(QComboBox(), "view_level", self.tr("Level"))
        self._length = named(QSpinBox(), "view_length", self.tr("Number of characters"))
        self._edges = named(QLineEdit(), "view_edges", self.tr("Edges of the bins"))
        self._groups = ValueGroups(column)
        self._figures = named(QLabel(wordWrap=True), "view_figures")
        self._pages = QStackedWidget()
        self._fill()
        self._lay_out()
        self._way.activated.connect(self._way_chosen)
        self._level.activated.connect(lambda _: self._edited())
        self._length.textChanged.connect(lambda _: self._edited())
        self._edges.textEdited.connect(lambda _: self._edited())
        self._groups.changed.connect(self._edited)
        self._show_figures()

    @property
    def view(self) -> View:
        """The view chosen; ViewError, in one sentence, where it is none or does not fit."""
        view = self._chosen()
        level_figures(view, self._column, self._ladder)
        return view

    def set_view(self, view: View) -> None:
        """Show a view."""
        match view:
            case Level(level) if level:
                self._choose("level")
                self._level.setCurrentIndex(self._level.findData(level))
            case Prefix(length):
                self._choose("prefix")
                self._length.setValue(length)
            case Bins(edges):
                self._choose("bins")
                self._edges.setText(", ".join(map(str, edges)))
            case Mapping():
                self._choose("groups")
                self._groups.show_mappings((view,))
            case _:
                self._choose("identity")
        self._way_chosen()

    def _choose(self, way: str) -> None:
        self._way.setCurrentIndex(max(self._way.findData(way), 0))

    def _chosen(self) -> View:
        match self._way.currentData():
            case "level":
                return Level(self._level.currentData())
            case "prefix":
                return Prefix(self._length.value())
            case "bins":
                return bins_typed(self._edges.text())
            case "groups":
                return self._groups.mappings[0]
        return Identity()

    def _fill(self) -> None:
        if self._ladder is not None:
            self._way.addItem(self.tr("A level of its ladder"), "level")
            for level in range(1, self._ladder.height + 1):
                words = describe_view(self._ladder.view(level), None)
                self._level.addItem(self.tr("{0}: {1}").format(level, words), level)
        if self._column.type.is_number:
            self._way.addItem(self.tr("Bins with edges of your own"), "bins")
        self._way.addItem(self.tr("The first characters"), "prefix")
        self._way.addItem(self.tr("Groups of values"), "groups")
        self._way.addItem(self.tr("As it is in the source"), "identity")
        self._length.setRange(1, 999)
        self._edges.setPlaceholderText("18, 40, 65")

    def _lay_out(self) -> None:
        for way, widget in (
            ("level", self._level),
            ("prefix", self._length),
            ("bins", self._edges),
            ("groups", self._groups),
            ("identity", QWidget()),
        ):
            page = QWidget()
            page.setObjectName(f"page_{way}")
            inner = QVBoxLayout(page)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(widget)
            if way != "groups":
                inner.addStretch(1)
            self._pages.addWidget(page)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        form = QFormLayout()
        form.addRow(self.tr("Show"), self._way)
        box.addLayout(form)
        box.addWidget(self._pages, 1)
        box.addWidget(self._figures)
        self._show_page()

    def _way_chosen(self) -> None:
        self._show_page()
        self._edited()

    def _show_page(self) -> None:
        page = self._pages.findChild(QWidget, f"page_{self._way.currentData()}")
        if page is not None:
            self._pages.setCurrentWidget(page)

    def _edited(self) -> None:
        self._show_figures()
        self.changed.emit()

    def _show_figures(self) -> None:
        try:
            figures = level_figures(self._chosen(), self._column, self._ladder)
        except ViewError as error:
            self._figures.setText(error.message)
            return
        self._figures.setText(figures_words(figures))


def figures_words(figures: LevelFigures) -> str:
    """A view's figures in a line."""
    tr = QCoreApplication.translate
    one, several = tr("ViewEdit", "1 class"), tr("ViewEdit", "{0} classes")
    classes = one if figures.classes == 1 else several.format(count(figures.classes))
    words = tr("ViewEdit", "{0}, the smallest has {1}; {2} of the entropy kept. Most frequent: {3}")
    examples = ", ".join(figures.examples) or "–"
    return words.format(classes, records(figures.smallest), percent(figures.kept), examples)
