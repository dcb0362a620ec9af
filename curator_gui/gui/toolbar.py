"""The main toolbar: the commands of the main job, the observer and the budget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QSizePolicy, QToolBar, QWidget

from curator_gui.core.protection import Protection
from curator_gui.gui.budget_field import BudgetField
from curator_gui.gui.naming import named
from curator_gui.gui.observers import CHOICES, observer_name, observer_sentence


class MainToolBar(QToolBar):
    """``observer_chosen(kind)`` and ``budget_entered(τ)`` follow the user's choice, never a refresh."""

    observer_chosen = Signal(str)
    budget_entered = Signal(float)
    budget_refused = Signal(str)

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "toolbar", self.tr("Main commands"))
        self.setWindowTitle(self.tr("Main"))
        self.setMovable(False)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for action in actions:
            self.addAction(action)
            named(self.widgetForAction(action), f"tool_{action.objectName()}", action.toolTip())
        spacer = QWidget(self)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        self._observer = self._observer_list()
        self.addWidget(self._observer)
        self._budget = BudgetField(self)
        self._budget.entered.connect(self.budget_entered)
        self._budget.refused.connect(self.budget_refused)
        self.addWidget(self._budget)

    def show_protection(self, protection: Protection | None) -> None:
        """Show its observer and budget; None: nothing is open."""
        for widget in (self._observer, self._budget):
            widget.setEnabled(protection is not None)
        self._budget.show_budget(protection.budget if protection else None)
        if protection is not None:
            self._observer.setCurrentIndex(self._observer.findData(protection.observer.kind))

    def _observer_list(self) -> QComboBox:
        combo = named(QComboBox(self), "observer", self.tr("Observer"))
        combo.setToolTip(self.tr("Who reads the release"))
        for i, kind in enumerate(CHOICES):
            combo.addItem(observer_name(kind), kind)
            combo.setItemData(i, observer_sentence(kind), Qt.ItemDataRole.ToolTipRole)
        combo.activated.connect(lambda i: self.observer_chosen.emit(combo.itemData(i)))
        return combo
