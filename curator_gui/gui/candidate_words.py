"""What a next step comes to, in a few words."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui import words
from curator_gui.gui.theme import standing_of, standing_words


def _text(source: str) -> str:
    return QCoreApplication.translate("candidates", source)


def absence(lost: int) -> str:
    """What it means that targets lose all evidence; "" where none does."""
    if not lost:
        return ""
    text = _text(
        "Lost: nobody in the release looks like {0} any more, and the disclosure leaves lost targets out. "
        "To somebody who knows who was in the table, absence itself can tell something."
    )
    return text.format(words.targets(lost))


def verdict(candidate: Candidate, budget: float) -> str:
    """What a candidate comes to, in a few words."""
    if candidate.does_no_privacy_work:
        return _text("does no privacy work")
    if candidate.improves_still_above:
        return _text("improves, still above")
    return standing_words(standing_of(candidate.alpha, budget))


def change(before: float | None, after: float | None) -> str:
    """How the disclosure moves, as a ratio: “÷10.8”, “×1.2”, “no change”."""
    if before is None or after is None or math.isinf(before) or math.isinf(after):
        return "" if before == after else words.NO_EVIDENCE
    if before == after:
        return _text("no change")
    moved = words.factor(abs(after - before))
    return moved if after > before else moved.replace("×", "÷")
