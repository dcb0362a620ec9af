"""How a source is read, set by hand: one form a kind of reader, which gives the reader filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QSpinBox, QWidget

from curator_gui.gui.dialogs.opening_words import delimiter_words, encodings
from curator_gui.gui.naming import named
from curator_gui.store.readers import CsvDialect, Reader, SheetReader, StatisticsReader
from curator_gui.store.readers.dialect import DELIMITERS

Grid = Mapping[str, Sequence[Sequence[str | None]]]
_MOST_FOOTER = 20
_LAST_FIRST = 1000  # a table that begins below this line is none


def _evidence() -> tuple[str, ...]:
    return (QCoreApplication.translate("opening", "You chose this."),)


class ReaderForm(QWidget):
    """A form of settings. ``edited`` carries the reader as it is filled in now."""

    edited = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(6)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._reader: Any = None

    def show_reader(self, reader: Reader, grid: Grid) -> None:
        """Fill the form in."""
        raise NotImplementedError

    def _filled(self) -> Reader:
        raise NotImplementedError

    def _combo(self, name: str, label: str, choices: Sequence[tuple[str, Any]] = ()) -> QComboBox:
        box = named(QComboBox(self), name, label)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(12)
        for words, value in choices:
            box.addItem(words, value)
        box.activated.connect(self._tell)
        self._form.addRow(label, box)
        return box

    def _tell(self) -> None:
        self.edited.emit(self._filled())


def _show(box: QComboBox, value: Any, words: str = "") -> None:
    place = next((i for i in range(box.count()) if box.itemData(i) == value), -1)
    if place < 0:
        box.addItem(words or str(value), value)
        place = box.count() - 1
    box.setCurrentIndex(place)


class TextForm(ReaderForm):
    """A text table: encoding, delimiter, quote, decimal mark and header."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._encoding = self._combo(
            "reading_encoding", self.tr("Encoding"), [(words, name) for name, words in encodings()]
        )
        self._delimiter = self._combo(
            "reading_delimiter", self.tr("Delimiter"), [(delimiter_words(d), d) for d in DELIMITERS]
        )
        quotes = [(self.tr('double “"”'), '"'), (self.tr("single “'”"), "'"), (self.tr("none"), "")]
        self._quote = self._combo("reading_quote", self.tr("Quotes"), quotes)
        marks = [(self.tr("point, 28.95"), "."), (self.tr("comma, 28,95"), ",")]
        self._decimal = self._combo("reading_decimal", self.tr("Decimals"), marks)
        self._first = named(QSpinBox(), "reading_first_line", self.tr("Line where the table begins"))
        self._first.setRange(1, _LAST_FIRST)
        self._first.setKeyboardTracking(False)
        self._first.valueChanged.connect(lambda _: self._tell())
        self._form.addRow(self.tr("Begins in line"), self._first)
        self._header = named(QCheckBox(self.tr("This line names the columns")), "reading_header")
        self._header.clicked.connect(lambda _: self._tell())
        self._form.addRow(self._header)

    def show_reader(self, reader: Reader, grid: Grid) -> None:  # noqa: ARG002 - of workbooks
        assert isinstance(reader, CsvDialect)
        self._reader = reader
        _show(self._encoding, reader.encoding)
        _show(self._delimiter, reader.delimiter, delimiter_words(reader.delimiter))
        _show(self._quote, reader.quote)
        _show(self._decimal, reader.decimal)
        with QSignalBlocker(self._first):
            self._first.setValue(reader.first_line)
        self._header.setChecked(reader.header)

    def _filled(self) -> Reader:
        dialect: CsvDialect = replace(
            self._reader,
            encoding=self._encoding.currentData(),
            delimiter=self._delimiter.currentData(),
            quote=self._quote.currentData(),
            decimal=self._decimal.currentData(),
            header=self._header.isChecked(),
            first_line=self._first.value(),
            evidence=_evidence(),
        )
        return dialect


class SheetForm(ReaderForm):
    """Where the table of a sheet is; each row is named by what stands in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first_name = self._combo("header_first", self.tr("Names from"))
        self._last_name = self._combo("header_last", self.tr("Names to"))
        self._first_row = self._combo("first_row", self.tr("First record"))
        footers = [(self.tr("none"), 0), *((str(n), n) for n in range(1, _MOST_FOOTER + 1))]
        self._footer = self._combo("footer_rows", self.tr("Footer rows"), footers)

    def show_reader(self, reader: Reader, grid: Grid) -> None:
        assert isinstance(reader, SheetReader)
        self._reader = reader
        rows = [(self._row(n, cells), n) for n, cells in enumerate(grid.get(reader.sheet, ()), 1)]
        for box in (self._first_name, self._last_name, self._first_row):
            box.clear()
            for words, number in rows:
                box.addItem(words, number)
        self._first_name.insertItem(0, self.tr("no names"), None)
        header = reader.header
        _show(self._first_name, None if header is None else header[0])
        _show(self._last_name, reader.first_row if header is None else header[1])
        self._last_name.setEnabled(header is not None)
        _show(self._first_row, reader.first_row)
        _show(self._footer, reader.footer_rows)

    def _row(self, number: int, cells: Sequence[str | None]) -> str:
        texts = [cell[:20] for cell in cells if cell]
        return self.tr("{0}: {1}").format(number, " | ".join(texts[:5]) or self.tr("blank"))

    def _filled(self) -> Reader:
        first = self._first_name.currentData()
        last = None if first is None else max(first, self._last_name.currentData())
        start = self._first_row.currentData()
        header = None if first is None or last is None else (first, last)
        if last is not None and start <= last:
            start = last + 1
        reader: SheetReader = replace(
            self._reader,
            header=header,
            first_row=start,
            footer_rows=self._footer.currentData(),
            evidence=_evidence(),
        )
        return reader


class LabelsForm(ReaderForm):
    """A labelled file: what its cells say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        labels = [
            (self.tr("labels with codes, North (1)"), "both"),
            (self.tr("codes, 1"), "codes"),
            (self.tr("labels, North"), "labels"),
        ]
        self._labels = self._combo("reading_labels", self.tr("Cells say"), labels)
        declared = [(self.tr("kept as values"), "kept"), (self.tr("missing"), "missing")]
        self._declared = self._combo("reading_declared", self.tr("Declared missing"), declared)

    def show_reader(self, reader: Reader, grid: Grid) -> None:  # noqa: ARG002 - of workbooks
        assert isinstance(reader, StatisticsReader)
        self._reader = reader
        _show(self._labels, reader.labels)
        _show(self._declared, reader.user_missing)

    def _filled(self) -> Reader:
        reader: StatisticsReader = replace(
            self._reader,
            labels=self._labels.currentData(),
            user_missing=self._declared.currentData(),
            evidence=_evidence(),
        )
        return reader


def form_for(reader: Reader, parent: QWidget) -> ReaderForm | None:
    """An empty form for a kind of reader; None where it says itself how it is read."""
    match reader:
        case CsvDialect():
            return TextForm(parent)
        case SheetReader():
            return SheetForm(parent)
        case StatisticsReader():
            return LabelsForm(parent)
    return None
