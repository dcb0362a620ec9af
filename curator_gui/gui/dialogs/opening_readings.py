"""The plausible readings of a source, each with its first record; below, the settings and the evidence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from curator_gui.gui.dialogs.opening_forms import ReaderForm, form_for
from curator_gui.gui.dialogs.opening_found import Glimpse
from curator_gui.gui.dialogs.opening_words import evidence_words, first_record, reading_words
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.store.readers import Reader

_WIDTH = 340


class Readings(QWidget):
    """``chosen`` carries the reader picked or filled in by hand."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glimpse = Glimpse(())
        self._form: ReaderForm | None = None
        self._list = named(QListWidget(self), "readings", self.tr("Plausible readings"))
        self._list.setItemDelegate(RoomyRows(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._evidence = named(QLabel(self), "evidence", self.tr("Why it is read so"))
        self._evidence.setWordWrap(True)
        self._evidence.setTextFormat(Qt.TextFormat.PlainText)
        self._evidence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        self._box.addWidget(QLabel(self.tr("Readings that are plausible")))
        self._box.addWidget(self._list)
        self._box.addWidget(self._evidence)
        self._box.addStretch(1)
        self.setFixedWidth(_WIDTH)
        self._list.itemClicked.connect(lambda _: self._picked())
        self._list.itemActivated.connect(lambda _: self._picked())

    def show_glimpse(self, glimpse: Glimpse) -> None:
        """List the readings of a source, the probable first."""
        self._glimpse = glimpse
        self._list.clear()
        for guess in glimpse.guesses:
            told = guess.problem or first_record(guess.first_rows)
            item = QListWidgetItem(f"{reading_words(guess.reader)}\n{told}")
            item.setToolTip("\n".join((*guess.evidence, told)))
            self._list.addItem(item)
        heights = sum(self._list.sizeHintForRow(i) for i in range(min(self._list.count(), 5)))
        self._list.setFixedHeight(heights + 2 * self._list.frameWidth() + 2)

    def show_reader(self, reader: Reader) -> None:
        """Show the reading in force, its settings and why."""
        place = next((i for i, g in enumerate(self._glimpse.guesses) if _same(g.reader, reader)), -1)
        self._list.setCurrentRow(place)
        if self._form is None:
            self._form = form_for(reader, self)
            if self._form is not None:
                self._box.insertWidget(2, self._form)
                self._form.edited.connect(self.chosen)
        if self._form is not None:
            self._form.show_reader(reader, self._glimpse.grid)
        self._evidence.setText("\n".join(f"• {evidence_words(why, reader)}" for why in reader.evidence))

    def _picked(self) -> None:
        row = self._list.currentRow()
        if row >= 0:
            self.chosen.emit(self._glimpse.guesses[row].reader)


def _same(one: Reader, other: Reader) -> bool:
    """Whether two readings differ in missing words at most."""
    return {**one.to_json(), "missing": None} == {**other.to_json(), "missing": None}
