"""The columns that leave with a release, and how each is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from curator_gui.core.view import describe_view
from curator_gui.gui import words
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.session import Session


class ReleaseColumns(QTreeWidget):
    """A line a column: its name, its view, how many different values are left."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "release_columns", self.tr("Columns that leave, and how they are shown"))
        self.setHeaderLabels([self.tr("Column that leaves"), self.tr("Shown"), self.tr("Different values")])
        self.setRootIsDecorated(False)
        self.setItemDelegate(RoomyRows(self))
        self.setMinimumHeight(5 * self.fontMetrics().height())
        ladders = session.source.hierarchies
        for shown in session.prefix.shown:
            view = describe_view(shown.view, ladders.get(shown.name))
            item = QTreeWidgetItem([shown.name, view, words.count(len(shown.coarsening.labels))])
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.addTopLevelItem(item)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
