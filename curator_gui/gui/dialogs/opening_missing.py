"""The words that mean missing, each with a tick, and room for one more."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.table import quoted
from curator_gui.gui.dialogs.opening_draft import Token
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.words import count

_TOKEN = Qt.ItemDataRole.UserRole


class MissingWords(QWidget):
    """``asked`` carries a word, the column it is about ("" for all) and whether it is to mean missing."""

    asked = Signal(str, str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: Sequence[Token] = ()
        self._list = named(QListWidget(self), "missing_words", self.tr("Words that mean missing"))
        self._list.setItemDelegate(RoomyRows(self._list))
        self._word = named(QLineEdit(self), "missing_word", self.tr("Another word that means missing"))
        self._word.setPlaceholderText(self.tr("Another word, such as 999"))
        self._add = named(QPushButton(self.tr("Add"), self, autoDefault=False), "add_missing_word")
        below = QHBoxLayout()
        below.addWidget(self._word, 1)
        below.addWidget(self._add)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        why = QLabel(
            self.tr("A missing cell is a value that the observer sees too. Ticked words mean missing.")
        )
        why.setWordWrap(True)
        box.addWidget(why)
        box.addWidget(self._list, 1)
        box.addLayout(below)
        self._list.itemChanged.connect(self._ticked)
        self._add.clicked.connect(self._added)

    def show_tokens(self, tokens: Sequence[Token]) -> None:
        """List the words again."""
        if tokens == self._tokens:
            return
        self._tokens = tokens
        self._list.itemChanged.disconnect(self._ticked)
        self._list.clear()
        for token in tokens:
            item = QListWidgetItem(self._words(token))
            item.setData(_TOKEN, token)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable
            )
            item.setCheckState(Qt.CheckState.Checked if token.missing else Qt.CheckState.Unchecked)
            self._list.addItem(item)
        self._list.itemChanged.connect(self._ticked)

    def _words(self, token: Token) -> str:
        shown = self.tr("empty cells") if token.word == "" else f"“{token.word}”"
        known = token.known
        if token.column:
            return self.tr("{0}: only in {1}").format(shown, quoted([token.column]))
        if known is None:
            return shown
        cells = self.tr("1 cell") if known.cells == 1 else self.tr("{0} cells").format(count(known.cells))
        return self.tr("{0}: {1} of {2}").format(shown, cells, quoted(known.columns))

    def _ticked(self, item: QListWidgetItem) -> None:
        token: Token = item.data(_TOKEN)
        self.asked.emit(token.word, token.column, item.checkState() == Qt.CheckState.Checked)

    def _added(self) -> None:
        if self._word.text():
            self.asked.emit(self._word.text(), "", True)
            self._word.clear()
