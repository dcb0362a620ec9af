"""The names of steps where room is scarce: shorter words first, then an ellipsis in the middle."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from curator_gui.core.operators import Generalize, Operator, Project


def short_label(operator: Operator, describe: Callable[[Operator], str]) -> str:
    """What a step bears on before what it does: "age: by 10", "− med"."""
    match operator:
        case Project(drop):
            return f"− {', '.join(drop)}"
        case Generalize():
            return describe(operator).partition(" ")[2]
    return describe(operator)


def fitted(measure: QFontMetrics, width: int, *labels: str) -> str:
    """The first of the labels that fits a width in pixels; else the last, shortened in the middle."""
    for label in labels:
        if measure.horizontalAdvance(label) <= width:
            return label
    return measure.elidedText(labels[-1], Qt.TextElideMode.ElideMiddle, width)
