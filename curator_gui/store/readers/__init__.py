"""Files to tables. Each reader keeps text exactly as it is read and returns a ``TableRead``."""

from curator_gui.store.readers.csv import first_rows, read_csv
from curator_gui.store.readers.detect import detect_dialect
from curator_gui.store.readers.dialect import CsvDialect
from curator_gui.store.readers.propose import propose_types, unparsed
from curator_gui.store.readers.table_read import TableRead

__all__ = [
    "CsvDialect",
    "TableRead",
    "detect_dialect",
    "first_rows",
    "propose_types",
    "read_csv",
    "unparsed",
]
