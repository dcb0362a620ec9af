"""Files and databases to tables. Each reader keeps text exactly as it is read and returns a ``TableRead``."""

from curator_gui.store.readers.arrow import ArrowReader
from curator_gui.store.readers.csv import read_csv
from curator_gui.store.readers.detect import detect_dialect
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.guess import (
    Guess,
    alternatives,
    detect_reader,
    preview,
    propose_sheet,
    sheet_rows,
)
from curator_gui.store.readers.propose import (
    ColumnProposal,
    TypeProposal,
    propose_types,
    unparsed,
)
from curator_gui.store.readers.reader import Reader, first_rows, read_table, reader_from_json
from curator_gui.store.readers.sheet import SheetReader
from curator_gui.store.readers.size import Estimate, estimate
from curator_gui.store.readers.sql import Credentials, SqlReader, database_tables
from curator_gui.store.readers.statistics import StatisticsReader
from curator_gui.store.readers.table_read import Irregular, TableRead, ValueLabel
from curator_gui.store.readers.words_for_missing import MissingWord, missing_words

__all__ = [
    "ArrowReader",
    "ColumnProposal",
    "Credentials",
    "CsvDialect",
    "Estimate",
    "Guess",
    "Irregular",
    "MissingWord",
    "Reader",
    "SheetReader",
    "SqlReader",
    "StatisticsReader",
    "TableRead",
    "TypeProposal",
    "ValueLabel",
    "alternatives",
    "database_tables",
    "detect_dialect",
    "detect_reader",
    "estimate",
    "first_rows",
    "missing_words",
    "preview",
    "propose_sheet",
    "propose_types",
    "read_csv",
    "read_table",
    "reader_from_json",
    "sheet_rows",
    "unparsed",
]
