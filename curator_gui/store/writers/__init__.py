"""Tables to files."""

from curator_gui.store.writers.csv import write_csv
from curator_gui.store.writers.formulas import formula_labels, neutral
from curator_gui.store.writers.out_column import OutColumn
from curator_gui.store.writers.table import Format, format_of, write_table

__all__ = ["Format", "OutColumn", "format_of", "formula_labels", "neutral", "write_csv", "write_table"]
