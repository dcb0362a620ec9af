"""Curator: see what each step of a data preparation gives away, before you commit it."""

__version__ = "0.1.0"
