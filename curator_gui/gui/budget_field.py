"""The budget τ as a person types it: a factor (×1.22) or a logarithm (0.2)."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from curator_gui.core.errors import InputError
from curator_gui.gui import words
from curator_gui.gui.naming import named


def read_budget(text: str) -> float:
    """τ from "0.2", or from a factor such as "×1.22" or "x1.22". InputError says what was wrong."""
    plain = text.strip().replace(",", ".").replace(words.THIN, "").replace(" ", "")
    as_factor = plain[:1] in ("×", "x", "X", "*")
    try:
        number = float(plain.lstrip("×xX*"))
    except ValueError:
        number = math.nan
    lowest = 1 if as_factor else 0
    if not (math.isfinite(number) and number >= lowest):
        raise InputError(_refusal().format(text))
    return math.log(number) if as_factor else number


def _refusal() -> str:
    return QCoreApplication.translate(
        "budget", "“{0}” is no budget; write a logarithm from 0 up, such as 0.2, or a factor, such as ×1.22."
    )


def budget_text(budget: float) -> str:
    """τ as short as it can be without losing its value to the eye: "0.2", "0.405"."""
    return f"{budget:.4f}".rstrip("0").rstrip(".") or "0"


class BudgetField(QWidget):
    """A field for τ with the factor beside it. ``entered(τ)`` or ``refused(sentence)`` follow Enter, or
    leaving the field after a change."""

    entered = Signal(float)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budget = 0.0
        self._edit = named(QLineEdit(self), "budget")
        self._edit.setAccessibleName(self.tr("Budget τ, as a logarithm or a factor"))
        self._edit.setToolTip(self.tr("The largest disclosure you accept: 0.2, or as a factor ×1.22"))
        self._edit.setFixedWidth(self._edit.fontMetrics().horizontalAdvance("×00.000") + 16)
        self._factor = named(QLabel(self), "budget_factor")
        label = named(QLabel(self.tr("τ"), self), "budget_label")
        label.setBuddy(self._edit)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 8, 0)
        line.setSpacing(8)
        for widget in (label, self._edit, self._factor):
            line.addWidget(widget)
        self._edit.editingFinished.connect(self._finished)

    def show_budget(self, budget: float | None) -> None:
        """Show a budget; None: there is nothing to protect yet."""
        self._budget = budget or 0.0
        self._edit.setText("" if budget is None else budget_text(budget))
        self._factor.setText("" if budget is None else words.factor(budget))
        self._edit.setModified(False)

    def _finished(self) -> None:
        if not self._edit.isModified():
            return
        try:
            budget = read_budget(self._edit.text())
        except InputError as error:
            self.show_budget(self._budget)
            self.refused.emit(str(error))
            return
        self.show_budget(budget)
        self.entered.emit(budget)
