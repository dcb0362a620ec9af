"""Finding text in the cells of the table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from curator_gui.gui.naming import named
from curator_gui.gui.sheet import Search
from curator_gui.gui.table_view import TableView


class FindBar(QWidget):
    """Return finds the next cell, Shift+Return the one before, Esc closes."""

    def __init__(self, view: TableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._search: Search | None = None
        self._text = named(QLineEdit(), "find_text", self.tr("Find in the table"))
        self._text.setPlaceholderText(self.tr("Find in the table"))
        self._text.setClearButtonEnabled(True)
        self._said = named(QLabel(), "find_said")
        self._previous = self._button("find_previous", "▴", self.tr("Previous (Shift+Return)"))
        self._next = self._button("find_next", "▾", self.tr("Next (Return)"))
        self._close = self._button("find_close", "×", self.tr("Close (Esc)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._text, 1)
        for widget in (self._previous, self._next, self._said, self._close):
            row.addWidget(widget)
        self._text.textEdited.connect(lambda _: self._said.clear())
        self._previous.clicked.connect(lambda: self.go(forwards=False))
        self._next.clicked.connect(lambda: self.go(forwards=True))
        self._close.clicked.connect(self.close_bar)

    def open(self) -> None:
        """Show the bar with the cursor in it."""
        self.show()
        self._text.setFocus()
        self._text.selectAll()

    def close_bar(self) -> None:
        """Hide the bar and go back to the table."""
        self.hide()
        self._view.setFocus()

    def go(self, *, forwards: bool) -> None:
        """Go to the next or previous cell that holds the text."""
        search = self._search_now()
        if search is None:
            return
        current = self._view.currentIndex()
        start = (current.row(), current.column()) if current.isValid() else (0, -1 if forwards else 0)
        found = search.next(*start, forwards=forwards)
        self._said.setText("" if found else self.tr("Not found"))
        if found:
            self._view.show_cell(*found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go(forwards=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _search_now(self) -> Search | None:
        sheet, needle = self._view.sheet, self._text.text()
        if sheet is None or not needle:
            return None
        if self._search is None or self._search.sheet is not sheet or self._search.needle != needle:
            self._search = sheet.search(needle)
        return self._search

    def _button(self, name: str, text: str, tip: str) -> QToolButton:
        button = named(QToolButton(), name, tip)
        button.setText(text)
        button.setToolTip(tip)
        button.setAutoRaise(True)
        return button
