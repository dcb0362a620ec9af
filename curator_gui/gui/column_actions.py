"""What can be done with a column or with records, as the menus of the table and of the columns offer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from curator_gui.core.column_type import KINDS, ColumnType, Kind
from curator_gui.core.operators import Delete, Generalize, Operator, Project
from curator_gui.core.predicate import Predicate, column_in, parse_predicate
from curator_gui.core.protection import EachValue, Protection, VisibleAttribute
from curator_gui.core.table import Column, Table
from curator_gui.core.view import Level, describe_view
from curator_gui.gui.column_facts import kind_words
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.ladder import LadderDialog
from curator_gui.gui.dialogs.operators import OperatorDialog, OperatorKind
from curator_gui.gui.words import count
from curator_gui.session import Session
from curator_gui.store.readers import propose_types

_MOST_DELETED = 100_000
_MOST_LOOKED_AT = 20_000  # distinct values that are looked at within a blink
_NUMBERS: tuple[Kind, ...] = ("integer", "decimal")


def preview_operator(controller: Controller, operator: Operator) -> None:
    """Preview an operator: the candidate scored already, or scored now as the curator's own."""
    for candidate in controller.candidates:
        if candidate.operator == operator:
            controller.set_preview(candidate)
            return
    controller.score_own(operator)


def add_column_actions(menu: QMenu, controller: Controller, name: str) -> None:
    """Everything that can be done with one column."""
    session = controller.session
    if session is None:
        return
    kept = name in session.prefix.columns
    drop = _add(menu, _tr("Drop this column"), lambda: preview_operator(controller, Project((name,))))
    drop.setEnabled(kept)
    levels = menu.addMenu(_tr("Generalize"))
    levels.setEnabled(kept)
    _add_levels(levels, controller, session, name)
    other = _add(menu, _tr("Replace values…"), lambda: _open(controller, "replace", name))
    other.setEnabled(kept)
    menu.addSeparator()
    _add_roles(menu, controller, session, name)
    _add_types(menu.addMenu(_tr("Type")), controller, session, name)
    _add(menu, _tr("Ladder…"), lambda: LadderDialog(controller, name, _window()).open())


def add_record_actions(
    menu: QMenu, controller: Controller, row: int, column: Column, selected: NDArray[np.int64]
) -> None:
    """What can be done with the record and cell under the cursor, and with the records selected."""
    record = count(row + 1)
    _add(menu, _tr("Look at record {0}").format(record), lambda: controller.select_target(row))
    where = parse_predicate(column_in(column, [int(column.codes[row])]))
    value = column.cell(row)
    shown = _tr("missing") if value is None else f"“{value[:30]}”"
    menu.addSeparator()
    keep, delete = _tr("Keep only records where {0} is {1}…"), _tr("Delete records where {0} is {1}…")
    _add(menu, keep.format(column.name, shown), lambda: _open(controller, "select", where=where))
    _add(menu, delete.format(column.name, shown), lambda: _open(controller, "delete", where=where))
    rows = tuple(selected.tolist()) if len(selected) <= _MOST_DELETED else ()
    if len(rows) > 1:
        words = _tr("Delete the {0} selected records").format(count(len(rows)))
    else:
        rows, words = (row,), _tr("Delete record {0}").format(record)
    _add(menu, words, lambda: preview_operator(controller, Delete(None, rows)))


def set_kind(controller: Controller, name: str, kind: Kind) -> None:
    """Read a column as another type."""
    _change(controller, lambda s: s.set_type(name, typed(s.table[name], kind)))


def set_weight(controller: Controller, name: str, weight: float) -> None:
    """Weigh a column in the utility."""
    _change(controller, lambda s: s.set_weight(name, weight))


def set_visible(controller: Controller, name: str, visible: bool) -> None:
    """Say whether the observer knows a column beforehand."""
    session = controller.session
    if session is not None:
        _protect(controller, with_visible(session.protection, name, visible))


def set_protected(controller: Controller, name: str, protected: bool) -> None:
    """Protect every value of a column, or no longer."""
    session = controller.session
    if session is not None:
        _protect(controller, with_each_value(session.protection, name, protected))


def set_identifier(controller: Controller, name: str, identifier: bool) -> None:
    """Say whether a column names a person."""
    _change(controller, lambda s: s.set_role(name, "identifier" if identifier else "ordinary"))


def with_visible(protection: Protection, name: str, visible: bool) -> Protection:
    """The protection with one visible attribute more, as it is, or less."""
    others = tuple(v for v in protection.visible if v.column != name)
    return replace(protection, visible=(*others, VisibleAttribute(name)) if visible else others)


def with_each_value(protection: Protection, name: str, protected: bool) -> Protection:
    """The protection with every value of a column protected, or no longer."""
    others = tuple(s for s in protection.secrets if not (isinstance(s, EachValue) and s.column == name))
    return replace(protection, secrets=(*others, EachValue(name)) if protected else others)


def _add_levels(menu: QMenu, controller: Controller, session: Session, name: str) -> None:
    ladder, shown = session.source.hierarchies.get(name), session.prefix.view_of(name)
    for level, rung in enumerate(ladder.levels if ladder else (), 1):
        words, view = f"{level}: {describe_view(rung, None)}", Level(level)
        action = _add(menu, words, partial(preview_operator, controller, Generalize(name, view)))
        action.setCheckable(True)
        action.setChecked(shown == view)
        action.setEnabled(shown != view)
    if ladder:
        menu.addSeparator()
    _add(menu, _tr("In another way…"), lambda: _open(controller, "generalize", name))


def _add_roles(menu: QMenu, controller: Controller, session: Session, name: str) -> None:
    protection = session.protection
    visible = any(v.column == name for v in protection.visible)
    each = any(isinstance(s, EachValue) and s.column == name for s in protection.secrets)
    identifier = session.record.roles.get(name) == "identifier"
    for words, checked, change in (
        (_tr("Visible to the observer"), visible, set_visible),
        (_tr("Protect every value"), each, set_protected),
        (_tr("Identifies a person"), identifier, set_identifier),
    ):
        action = _add(menu, words, partial(change, controller, name, not checked))
        action.setCheckable(True)
        action.setChecked(checked)


def _add_types(menu: QMenu, controller: Controller, session: Session, name: str) -> None:
    now = session.table[name].type.kind
    for kind in KINDS:
        action = _add(menu, kind_words(kind), partial(set_kind, controller, name, kind))
        action.setCheckable(True)
        action.setChecked(kind == now)


def typed(column: Column, kind: Kind) -> ColumnType:
    """The column's type made another kind: what is known of the spelling of its numbers stays; else it is
    what the values show, where there are not too many to look at."""
    old = column.type
    if kind == old.kind:
        return old
    if old.is_number and kind in _NUMBERS:
        return replace(old, kind=kind)
    shown = _shown_by_values(column, old.mark) if len(column.values) <= _MOST_LOOKED_AT else ()
    if kind in _NUMBERS:
        return next((replace(t, kind=kind) for t in shown if t.is_number), ColumnType(kind, old.mark))
    return next((t for t in shown if t.kind == kind), ColumnType(kind, old.mark))


def _shown_by_values(column: Column, mark: str) -> tuple[ColumnType, ...]:
    proposals = propose_types(Table.of([column]), mark)[column.name].proposals
    return tuple(proposal.type for proposal in proposals)


def _add(menu: QMenu, words: str, does: Callable[[], object]) -> QAction:
    action = QAction(words, menu)
    action.triggered.connect(lambda _=False: does())
    menu.addAction(action)
    return action


def _open(controller: Controller, kind: OperatorKind, *columns: str, where: Predicate | None = None) -> None:
    OperatorDialog(controller, kind, _window(), columns=columns, where=where).open()


def _window() -> QWidget | None:
    return QApplication.activeWindow()


def _protect(controller: Controller, protection: Protection) -> None:
    _tell(controller, controller.set_protection(protection))


def _change(controller: Controller, change: Callable[[Session], None]) -> None:
    _tell(controller, controller.change_session(change))


def _tell(controller: Controller, refusal: str | None) -> None:
    if refusal is not None:
        controller.problem.emit(refusal)


def _tr(text: str) -> str:
    return QCoreApplication.translate("column_actions", text)
