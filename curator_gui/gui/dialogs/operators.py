"""A step of the curator's own: filled in, scored while it is, then committed or put among the next steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QVBoxLayout, QWidget

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Operator
from curator_gui.core.predicate import Predicate
from curator_gui.gui.column_marks import column_marks
from curator_gui.gui.controller import Controller
from curator_gui.gui.likely_column import likely_column
from curator_gui.gui.naming import named
from curator_gui.gui.operator_edits import (
    DropEdit,
    GeneralizeEdit,
    OperatorEdit,
    RecordsEdit,
    ReplaceEdit,
    WhereEdit,
)
from curator_gui.gui.score_strip import ScoreStrip
from curator_gui.session import Session

OperatorKind = Literal["drop", "generalize", "select", "delete", "delete-records", "replace"]


class OperatorDialog(QDialog):
    """One operator from the current position. What fits the kind of ``columns``, ``rows`` (from 0) and
    ``where`` is filled in. Opened without a session it stays empty."""

    def __init__(
        self,
        controller: Controller,
        kind: OperatorKind,
        parent: QWidget | None = None,
        *,
        columns: Sequence[str] = (),
        rows: Sequence[int] = (),
        where: Predicate | None = None,
    ) -> None:
        super().__init__(parent)
        named(self, "operator_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self._title(kind))
        self._controller = controller
        self._operator: Operator | None = None
        self.strip = ScoreStrip(controller)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(16, 16, 16, 16)
        self._box.setSpacing(8)
        self.edit: OperatorEdit | None = None
        if controller.session is not None:
            self.edit = _edit_for(kind, controller.session, columns, rows, where)
            self._box.addWidget(self.edit, 1)
            self.edit.changed.connect(self._edited)
        self._add_below()
        self.resize(640, 480)
        self._edited()

    @property
    def operator(self) -> Operator | None:
        """The operator filled in, if it is one."""
        return self._operator

    def _add_below(self) -> None:
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Sunken)
        self._buttons = QDialogButtonBox()
        self._commit = named(
            self._buttons.addButton(self.tr("Commit"), QDialogButtonBox.ButtonRole.AcceptRole), "commit_own"
        )
        self._add = named(
            self._buttons.addButton(self.tr("Preview"), QDialogButtonBox.ButtonRole.ActionRole), "add_own"
        )
        self._add.setToolTip(self.tr("Put this step among the next steps and preview it everywhere"))
        cancel = self._buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        named(cancel, "cancel_own")
        self._commit.clicked.connect(self._commit_clicked)
        self._add.clicked.connect(self._add_clicked)
        self._buttons.rejected.connect(self.reject)
        self.strip.scored.connect(self._show_buttons)
        self._box.addWidget(line)
        self._box.addWidget(self.strip)
        self._box.addWidget(self._buttons)

    def _edited(self) -> None:
        self._operator = None
        if self.edit is None:
            self.strip.say(self.tr("Open a table first."))
            return
        try:
            self._operator = self.edit.operator
        except InputError as error:
            self.strip.say("" if self.edit.tells_why else error.message)
        else:
            self.strip.score(self._operator)
        self._show_buttons()

    def _show_buttons(self) -> None:
        ready = self._operator is not None and self.strip.candidate is not None
        self._commit.setEnabled(ready)
        self._add.setEnabled(ready)

    def _commit_clicked(self) -> None:
        if self._operator is not None and self._controller.commit(self._operator):
            self.accept()

    def _add_clicked(self) -> None:
        if self._operator is not None:
            self._controller.score_own(self._operator)
            self.accept()

    def done(self, result: int) -> None:
        self.strip.stop()
        super().done(result)

    def _title(self, kind: OperatorKind) -> str:
        titles: dict[OperatorKind, str] = {
            "drop": self.tr("Drop columns"),
            "generalize": self.tr("Generalize a column"),
            "select": self.tr("Keep records"),
            "delete": self.tr("Delete records"),
            "delete-records": self.tr("Delete records by number"),
            "replace": self.tr("Replace values"),
        }
        return titles[kind]


def _edit_for(
    kind: OperatorKind,
    session: Session,
    columns: Sequence[str],
    rows: Sequence[int],
    where: Predicate | None,
) -> OperatorEdit:
    prefix, roles = session.prefix, session.record.roles
    first = next((c for c in columns if c in prefix.columns), None)
    likely = likely_column(prefix.columns, roles) or likely_column(session.table.names, roles)
    match kind:
        case "drop":
            return DropEdit(prefix, columns, column_marks(session))
        case "generalize":
            return GeneralizeEdit(prefix, first or likely or None)
        case "replace":
            return ReplaceEdit(prefix, first or likely or None, likely)
        case "delete-records":
            return RecordsEdit(prefix, rows)
        case "select" | "delete":
            return WhereEdit(prefix, keep=kind == "select", where=where, first=likely)
