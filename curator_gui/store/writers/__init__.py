"""Tables to files."""

from curator_gui.store.writers.csv import write_csv

__all__ = ["write_csv"]
