"""How the open table was read: its spelling, what was irregular, which cells are not read by their types."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from curator_gui.core.table import Column, quoted
from curator_gui.gui.column_facts import kind_words
from curator_gui.gui.dialogs.opening_words import reading_words
from curator_gui.gui.naming import named
from curator_gui.gui.words import count
from curator_gui.session import Session


def reading_notes(session: Session) -> tuple[str, ...]:
    """One sentence each: the reading, the notes it left, missing texts of single columns, cells not read."""
    words = [_tr("Read as {0}.").format(reading_words(session.reader))]
    everywhere = [f"“{text}”" if text else _tr("empty cells") for text in session.reader.missing]
    words += [_tr("Missing everywhere: {0}.").format(", ".join(everywhere))] if everywhere else []
    words += [
        _tr("Missing in “{0}” alone: {1}.").format(name, quoted(list(texts)))
        for name, texts in session.record.missing.items()
    ]
    return (*words, *session.notes, *filter(None, map(_unread, session.table.columns)))


def _unread(column: Column) -> str:
    """How many cells of a column its type does not read; "" where it reads all."""
    if not (column.type.is_number or column.type.is_date):
        return ""
    valid = column.numbers.valid if column.type.is_number else column.dates.valid
    odd = ~(valid | column.missing)
    cells = int(column.counts[odd].sum())
    if not cells:
        return ""
    example = column.values[np.flatnonzero(odd)[0]]
    said = (
        _tr("1 cell of “{1}” is no {2}: “{3}” keeps its text.")
        if cells == 1
        else _tr("{0} cells of “{1}” are no {2}, such as “{3}”; they keep their text.")
    )
    return said.format(count(cells), column.name, kind_words(column.type.kind), example)


class ReadingNotes(QDialog):
    """The notes as a text that can be selected and copied."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "reading_notes")
        self.setWindowTitle(self.tr("How {0} was read").format(session.source_path.name))
        text = named(QPlainTextEdit(self), "reading_notes_text", self.tr("How the table was read"))
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        text.setPlainText("\n\n".join(reading_notes(session)))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        named(buttons.button(QDialogButtonBox.StandardButton.Close), "close_reading_notes")
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.setSpacing(8)
        box.addWidget(text)
        box.addWidget(buttons)
        self.resize(560, 320)


def _tr(text: str) -> str:
    return QCoreApplication.translate("reading_notes", text)
