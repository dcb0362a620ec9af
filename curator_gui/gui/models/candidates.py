"""The next steps as Qt rows, and the three orders they can stand in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from curator_gui.core.operators import Operator
from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui import words
from curator_gui.gui.theme import MARKS, Standing, standing_of, standing_words

Index = QModelIndex | QPersistentModelIndex

SECOND_ROLE = Qt.ItemDataRole.UserRole + 1
"""The second, smaller line of a cell."""
STANDING_ROLE = Qt.ItemDataRole.UserRole + 2
RANK_ROLE = Qt.ItemDataRole.UserRole + 3
CANDIDATE_ROLE = Qt.ItemDataRole.UserRole + 4
LINES_ROLE = Qt.ItemDataRole.UserRole + 5
"""(first line, second line, standing), all that painting a cell asks for."""

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Rank(IntEnum):
    """The orders of the list."""

    DISCLOSURE = 0
    UTILITY = 1
    PARETO = 2


def _text(source: str) -> str:
    return QCoreApplication.translate("candidates", source)


def level(alpha: float | None) -> float:
    """A disclosure to sort by: no evidence below everything."""
    return -math.inf if alpha is None else alpha


def pareto_front(candidates: Sequence[Candidate]) -> set[int]:
    """The places of those that no other one beats in disclosure without losing utility, or the reverse."""
    front: set[int] = set()
    best = -math.inf
    places = sorted(
        range(len(candidates)), key=lambda i: (level(candidates[i].alpha), -candidates[i].utility)
    )
    for i in places:
        if candidates[i].utility > best:
            best = candidates[i].utility
            front.add(i)
    return front


def ranked(candidates: Sequence[Candidate], rank: Rank) -> list[int]:
    """The places of the candidates in an order. Equal ones keep the order they came in."""
    front = pareto_front(candidates) if rank is Rank.PARETO else set()

    def key(i: int) -> tuple[Any, ...]:
        candidate = candidates[i]
        if rank is Rank.UTILITY:
            return not candidate.feasible, -candidate.utility, level(candidate.alpha)
        return i not in front and rank is Rank.PARETO, level(candidate.alpha), -candidate.utility

    return sorted(range(len(candidates)), key=key)


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


class CandidateModel(QAbstractTableModel):
    """One row a candidate, in the order they came; ``RANK_ROLE`` says where each stands in the order chosen.

    Each cell has two lines: ``DisplayRole`` and ``SECOND_ROLE``.
    """

    ACTION, DISCLOSURE, UTILITY, TARGETS = range(4)

    def __init__(self, describe: Callable[[Operator], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._describe = describe
        self._candidates: tuple[Candidate, ...] = ()
        self._own: frozenset[Operator] = frozenset()
        self._budget = 0.0
        self._rank = Rank.DISCLOSURE
        self._places: list[int] = []

    def show(
        self, candidates: tuple[Candidate, ...], budget: float, own: frozenset[Operator] = frozenset()
    ) -> None:
        """Show these; where they only grew, rows are added and everything else stays in its place."""
        shown = len(self._candidates)
        self._own = own
        if budget != self._budget or candidates[:shown] != self._candidates or not shown:
            self.beginResetModel()
            self._candidates, self._budget = candidates, budget
            self._number()
            self.endResetModel()
        elif len(candidates) > shown:
            self.beginInsertRows(QModelIndex(), shown, len(candidates) - 1)
            self._candidates = candidates
            self._number()
            self.endInsertRows()
            self._ranks_changed(shown)

    def set_rank(self, rank: Rank) -> None:
        """Stand in another order."""
        self._rank = rank
        self._number()
        self._ranks_changed(len(self._candidates))

    def candidate(self, index: Index) -> Candidate | None:
        return self._candidates[index.row()] if index.isValid() else None

    def row_of(self, candidate: Candidate) -> int | None:
        """The row of a candidate; None where it is not listed."""
        return next((i for i, c in enumerate(self._candidates) if c is candidate), None)

    def _number(self) -> None:
        self._places = [0] * len(self._candidates)
        for place, i in enumerate(ranked(self._candidates, self._rank)):
            self._places[i] = place

    def _ranks_changed(self, rows: int) -> None:
        if rows:
            last = self.index(rows - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last, [RANK_ROLE])

    # --- Qt ---

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._candidates)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 4

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Step"), self.tr("Disclosure"), self.tr("Utility"), self.tr("Targets"))[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._header_tip(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def _header_tip(self, section: int) -> str:
        return (
            self.tr("What would be done next, and what it comes to"),
            self.tr("The disclosure afterwards, and how it moves"),
            self.tr("What is left of the information in the table, and what is lost by this step"),
            self.tr("How many targets become worse off and better off"),
        )[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        candidate = self._candidates[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._first_line(candidate, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(candidate)
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.AccessibleDescriptionRole:
                return self._spoken(candidate)
            case Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if index.column() else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == LINES_ROLE:
            first = self._first_line(candidate, index.column())
            return first, self._second_line(candidate, index.column()), self._standing(candidate)
        if role == SECOND_ROLE:
            return self._second_line(candidate, index.column())
        if role == STANDING_ROLE:
            return self._standing(candidate)
        if role == RANK_ROLE:
            return self._places[index.row()]
        return candidate if role == CANDIDATE_ROLE else None

    def _standing(self, candidate: Candidate) -> Standing:
        return standing_of(candidate.alpha, self._budget)

    def _first_line(self, candidate: Candidate, column: int) -> str:
        match column:
            case self.ACTION:
                return self._describe(candidate.operator)
            case self.DISCLOSURE:
                return f"{MARKS[self._standing(candidate)]} {words.factor(candidate.alpha)}"
            case self.UTILITY:
                return words.percent(candidate.utility)
        return self.tr("{0} worse").format(words.count(candidate.worse))

    def _second_line(self, candidate: Candidate, column: int) -> str:
        match column:
            case self.ACTION:
                own = self.tr("your own · ") if candidate.operator in self._own else ""
                removed = candidate.rows_removed
                gone = self.tr(" · {0} removed").format(words.records(removed)) if removed else ""
                return f"{own}{verdict(candidate, self._budget)}{gone}"
            case self.DISCLOSURE:
                return change(candidate.alpha_before, candidate.alpha)
            case self.UTILITY:
                return words.percent_points(candidate.utility_change)
        return self.tr("{0} better").format(words.count(candidate.better))

    def _tip(self, candidate: Candidate) -> str:
        return "\n".join(
            (
                self._describe(candidate.operator),
                self.tr("Disclosure {0}: {1}").format(
                    words.disclosure_in_words(candidate.alpha), verdict(candidate, self._budget)
                ),
                self.tr("Utility {0}, {1} by this step").format(
                    words.percent(candidate.utility), words.percent_points(candidate.utility_change)
                ),
                self.tr("{0} worse, {1} better, {2} the same, {3} over budget").format(
                    words.targets(candidate.worse),
                    words.count(candidate.better),
                    words.count(candidate.same),
                    words.count(candidate.over_budget),
                ),
                candidate.why,
            )
        )

    def _spoken(self, candidate: Candidate) -> str:
        return self.tr("{0}: {1}, disclosure {2}, utility {3}, {4} worse, {5} better").format(
            self._describe(candidate.operator),
            verdict(candidate, self._budget),
            words.factor(candidate.alpha),
            words.percent(candidate.utility),
            words.count(candidate.worse),
            words.count(candidate.better),
        )
