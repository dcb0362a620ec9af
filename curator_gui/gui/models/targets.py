"""The targets, worst first, as a virtual model over arrays: a million rows cost what those in sight cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from curator_gui.core.progress import Progress, silent
from curator_gui.disclosure.classes import classify, released_reading
from curator_gui.disclosure.standing import Standing
from curator_gui.gui import words
from curator_gui.gui.theme import MARKS, standing_of, standing_words

Index = QModelIndex | QPersistentModelIndex

TARGET_ROLE = Qt.ItemDataRole.UserRole + 1
SECRET_ROLE = Qt.ItemDataRole.UserRole + 2
STANDING_ROLE = Qt.ItemDataRole.UserRole + 3
"""The standing whose colour a cell is written in."""

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_PRESENT, _LOOKALIKES, _NO_EVIDENCE = range(3)


def _text(source: str) -> str:
    return QCoreApplication.translate("targets", source)


@dataclass(frozen=True, eq=False)
class TargetRows:
    """Every target with the secret most evident about it. All arrays are [targets].

    targets: row numbers, ascending; secret: index into ``secrets``; e: evidence, nan where undefined, −inf
    where ruled out; k of n: in its set; prior_k of prior_n: in its profile; status: 0 present, 1 only
    look-alikes are left, 2 no evidence, as in the release-only reading; over: over budget.
    """

    secrets: tuple[str, ...]
    budget: float
    targets: NDArray[np.int64]
    secret: NDArray[np.int64]
    e: NDArray[np.float64]
    k: NDArray[np.int64]
    n: NDArray[np.int64]
    prior_k: NDArray[np.int64]
    prior_n: NDArray[np.int64]
    status: NDArray[np.int8]
    over: NDArray[np.bool_]


def target_rows(standing: Standing, progress: Progress = silent) -> TargetRows | None:
    """The targets of a prefix; evidence is worked out a class at a time. None where nothing is secret.

    The secret shown of a target is the one with the largest evidence, the first of equals.
    """
    population, classes, rates = standing.population, standing.classes, standing.rates
    if not population.secrets:
        return None
    progress(0.1, "")
    worst = rates.lift.argmax(axis=0)
    every = np.arange(classes.count)
    lift = rates.lift[worst, every]
    evidence = np.full(classes.count, np.nan)
    with np.errstate(divide="ignore"):
        np.log(lift, out=evidence, where=lift >= 0)
    progress(0.4, "")
    targets = np.flatnonzero(population.target)
    at = classes.of_row[targets]
    profile = classes.profile[at]
    secret = worst[at]
    progress(0.7, "")
    return TargetRows(
        secrets=tuple(s.name for s in population.secrets),
        budget=population.protection.budget,
        targets=targets,
        secret=secret,
        e=evidence[at],
        k=classes.holding[worst, every][at],
        n=classes.size[at],
        prior_k=population.profile_holding[secret, profile],
        prior_n=population.profile_rows[profile],
        status=_statuses(standing, targets),
        over=(lift > standing.limit)[at],
    )


def _statuses(standing: Standing, targets: NDArray[np.int64]) -> NDArray[np.int8]:
    """Release-only: whoever removed a row, the others that look like it are still there or not."""
    kind = standing.population.observer.kind
    alike = standing.classes
    if kind not in ("release-only", "smoothed"):
        alike = classify(standing.population, released_reading(standing.prefix))
    status = np.where(alike.size[alike.of_row[targets]] == 0, _NO_EVIDENCE, _LOOKALIKES)
    status[standing.prefix.present[targets]] = _PRESENT
    return status.astype(np.int8)


class TargetModel(QAbstractTableModel):
    """The targets in order, worst first, those that pass the filter."""

    RECORD, SECRET, SET, PRIOR, DISCLOSURE, STANDING, STATUS = range(7)
    HEADS = ("Record", "Secret", "In the release", "Beforehand", "Disclosure", "Standing", "Record itself")
    _NUMERIC = (RECORD, SET, PRIOR, DISCLOSURE)
    SORTED = (DISCLOSURE, Qt.SortOrder.DescendingOrder)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: TargetRows | None = None
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        self._shown: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sorted = self.SORTED
        self._filter = ""
        self._only_over = False

    # --- what it shows ---

    def show(self, rows: TargetRows | None) -> None:
        """Show the targets of another prefix, in the order and with the filter chosen."""
        self.beginResetModel()
        self._rows = rows
        self._sort()
        self._pass()
        self.endResetModel()

    def set_filter(self, text: str, only_over: bool) -> None:
        """Keep the targets whose record number begins with the text or whose secret contains it."""
        self.beginResetModel()
        self._filter, self._only_over = text.strip(), only_over
        self._pass()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._sorted = (column, order)
        self._sort()
        self._pass()
        self.endResetModel()

    @property
    def total(self) -> int:
        """How many targets there are, filtered out or not."""
        return len(self._order)

    @property
    def over(self) -> int:
        """How many of all of them are over budget."""
        return 0 if self._rows is None else int(np.count_nonzero(self._rows.over))

    def row_of(self, target: int) -> int | None:
        """Where a target (row of the source) stands in the list; None where it is not shown."""
        if self._rows is None:
            return None
        place = int(np.searchsorted(self._rows.targets, target))
        if place >= len(self._rows.targets) or self._rows.targets[place] != target:
            return None
        found = np.flatnonzero(self._shown == place)
        return int(found[0]) if len(found) else None

    def _sort(self) -> None:
        rows = self._rows
        if rows is None:
            self._order = np.zeros(0, np.int64)
            return
        column, order = self._sorted
        keys: dict[int, NDArray[Any]] = {
            self.RECORD: rows.targets,
            self.SECRET: rows.secret,
            self.SET: rows.n,
            self.PRIOR: rows.prior_n,
            self.STATUS: rows.status,
        }
        key = keys.get(column, rows.e)
        if order == Qt.SortOrder.DescendingOrder:
            key = -key.astype(np.float64)
        self._order = np.argsort(key, kind="stable").astype(np.int64)

    def _pass(self) -> None:
        rows = self._rows
        if rows is None:
            self._shown = self._order
            return
        keep = rows.over.copy() if self._only_over else np.ones(len(rows.targets), np.bool_)
        if self._filter:
            keep &= _matching(rows, self._filter)
        self._shown = self._order[keep[self._order]]

    # --- Qt's side ---

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        rows = self._rows
        if not index.isValid() or rows is None:
            return None
        at = int(self._shown[index.row()])
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _cell(rows, at, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return _tip(rows, at, index.column())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if index.column() in self._NUMERIC else None
            case _ if role == TARGET_ROLE:
                return int(rows.targets[at])
            case _ if role == SECRET_ROLE:
                return rows.secrets[int(rows.secret[at])]
            case _ if role == STANDING_ROLE and index.column() == self.STANDING:
                return standing_of(_alpha(rows, at), rows.budget)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.HEADS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(self.HEADS[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            return _head_tip(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._NUMERIC else _LEFT
        return None


def _matching(rows: TargetRows, text: str) -> NDArray[np.bool_]:
    """[targets] whose record number begins with the text, or whose secret contains it."""
    wanted = [s for s, name in enumerate(rows.secrets) if text.casefold() in name.casefold()]
    found: NDArray[np.bool_] = np.isin(rows.secret, wanted)
    digits = text.replace(words.THIN, "").replace(" ", "")
    if digits.isascii() and digits.isdigit() and len(digits) < 19:
        beginning = rows.targets + 1
        while beginning.any():
            found |= beginning == int(digits)
            beginning = beginning // 10
    return found


def _alpha(rows: TargetRows, at: int) -> float | None:
    e = float(rows.e[at])
    return None if np.isnan(e) else e


def _cell(rows: TargetRows, at: int, column: int) -> str:
    match column:
        case TargetModel.RECORD:
            return words.count(int(rows.targets[at]) + 1)
        case TargetModel.SECRET:
            return rows.secrets[int(rows.secret[at])]
        case TargetModel.SET:
            return words.share_of(int(rows.k[at]), int(rows.n[at]))
        case TargetModel.PRIOR:
            return words.share_of(int(rows.prior_k[at]), int(rows.prior_n[at]))
        case TargetModel.DISCLOSURE:
            return words.factor(_alpha(rows, at))
        case TargetModel.STANDING:
            standing = standing_of(_alpha(rows, at), rows.budget)
            return f"{MARKS[standing]} {standing_words(standing)}"
    return _status_words(int(rows.status[at]))


def _status_words(status: int) -> str:
    known = (_text("in the release"), _text("removed, look-alikes remain"), _text("removed, no look-alikes"))
    return known[status]


def _tip(rows: TargetRows, at: int, column: int) -> str | None:
    if column == TargetModel.DISCLOSURE:
        return words.disclosure_in_words(_alpha(rows, at))
    if column == TargetModel.SET:
        guess = words.guess(int(rows.k[at]), int(rows.n[at]))
        return _text("Best guess from the release: {0}").format(guess)
    if column == TargetModel.PRIOR:
        guess = words.guess(int(rows.prior_k[at]), int(rows.prior_n[at]))
        return _text("Best guess beforehand: {0}").format(guess)
    return None


def _head_tip(section: int) -> str:
    tips = (
        _text("Records are counted from 1, as in the source."),
        _text("The secret that the release tells most about, of this record."),
        _text("Records with the secret, of those that look like this one in the release."),
        _text("Records with the secret, of those the observer cannot tell apart beforehand."),
        _text("How many times likelier the secret is for an observer who has seen the release."),
        _text("Against the budget τ."),
        _text("Whether the record itself is still in the release."),
    )
    return tips[section]
