"""Asking for the file of a ledger: one that is there is used, one that is not may be created."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_ledger_file(parent: QWidget, shown: str) -> Path | None:
    """shown: the ledger the dialog begins at, a path or an address. Nothing is replaced, so nothing is asked
    of a file that is there."""
    begin = Path.home() if "://" in shown else Path(shown).parent
    title = QCoreApplication.translate("ledger", "Ledger")
    kinds = QCoreApplication.translate("ledger", "Ledgers (*.sqlite);;All files (*)")
    once = QFileDialog.Option.DontConfirmOverwrite
    name, _ = QFileDialog.getSaveFileName(parent, title, str(begin / "ledger.sqlite"), kinds, "", once)
    return Path(name) if name else None
