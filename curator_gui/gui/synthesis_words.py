"""What a synthesis is doing, in the window's words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.gui.domain_words import query_name
from curator_gui.synthesis import Phase, Stage


def _text(source: str) -> str:
    return QCoreApplication.translate("synthesis", source)


def stage_words(stage: Stage) -> str:
    """A line of the list of what was done."""
    columns = query_name(stage.columns)
    match stage.phase:
        case Phase.STARTING:
            return _text("Getting ready")
        case Phase.ASKING:
            return _text("Asking the ledger")
        case Phase.CHARGED:
            return _text("The budget is charged")
        case Phase.MEASURING:
            return _text("Measuring {0}").format(columns) if columns else _text("Measuring")
        case Phase.ROUND:
            return _text("Round {0}: {1}").format(stage.round, columns)
        case Phase.FITTING:
            return _text("Fitting the model to everything measured")
        case Phase.DRAWING:
            return _text("Drawing records")
        case Phase.SPELLING:
            return _text("Writing out their values")
