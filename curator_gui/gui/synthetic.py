"""The window's part in synthetic tables: the budget it shows, the dialogs it opens, what must not be lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from curator_gui.gui import budget_words
from curator_gui.gui.asking import Asking
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.pools import PoolsDialog
from curator_gui.gui.panels.budget import BudgetPanel

if TYPE_CHECKING:
    from curator_gui.gui.dialogs.synthesis import SynthesisDialog
    from curator_gui.gui.synthesis_job import SynthesisJob


class SyntheticTables(QObject):
    """``used``: Synthesize… or Pools… was asked for, so the budget is of interest from now on."""

    used = Signal()

    def __init__(
        self, controller: Controller, settings: QSettings, data_folder: Path, asking: Asking, window: QWidget
    ) -> None:
        super().__init__(window)
        self._controller, self._asking, self._window = controller, asking, window
        self._data_folder = data_folder
        self._made: list[SynthesisDialog] = []
        self.budgets = Budgets(controller, settings, self)
        self.panel = BudgetPanel(controller, self.budgets)
        self.panel.pools_asked.connect(self.open_pools)
        self.panel.synthesis_asked.connect(self.open)

    def open(self) -> None:
        """Order a synthetic table."""
        from curator_gui.gui.dialogs.synthesize import SynthesizeDialog  # heavy: SciPy

        if self._controller.session is None:
            return
        self.used.emit()
        dialog = SynthesizeDialog(self._controller, self.budgets, self._asking, self._window)
        dialog.pools_asked.connect(self.open_pools)
        dialog.started.connect(self._show_synthesis)
        self._show(dialog)

    def open_pools(self) -> None:
        """The owner's dialog."""
        if self._controller.session is not None:
            self.used.emit()
            self._show(PoolsDialog(self._controller, self.budgets, self._window))

    def may_leave(self) -> bool:
        """Whether the window may close: nothing that was paid for would be lost, or its user agrees."""
        for dialog in list(self._made):
            if not dialog.close():
                dialog.raise_()
                dialog.activateWindow()
                return False
        return True

    def in_words(self) -> str:
        """The pool in the status bar."""
        account = self.budgets.account
        if account is None or account.dataset is None:
            return ""
        dataset = account.dataset
        return self.tr("pool ε {0} left of {1} (proven loss {2})").format(
            budget_words.epsilon(dataset.pool.epsilon_left(dataset.balance.left)),
            budget_words.epsilon(dataset.pool.epsilon),
            budget_words.epsilon(dataset.proven_loss),
        )

    def _show_synthesis(self, job: SynthesisJob) -> None:
        from curator_gui.gui.dialogs.synthesis import SynthesisDialog  # heavy: SciPy

        kept = self._data_folder / "synthetic"
        dialog = SynthesisDialog(
            self._controller, self.budgets, job, self._asking, kept=kept, parent=self._window
        )
        self._made.append(dialog)
        dialog.destroyed.connect(lambda: self._made.remove(dialog) if dialog in self._made else None)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    @staticmethod
    def _show(dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setModal(True)
        dialog.open()
