"""The next steps as Qt rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from curator_gui.core.operators import Operator
from curator_gui.disclosure.candidates import Candidate
from curator_gui.gui import words
from curator_gui.gui.candidate_words import absence, change, verdict
from curator_gui.gui.models.ranking import Rank, Then, nothing, ranked, reached
from curator_gui.gui.step_labels import short_label
from curator_gui.gui.theme import Standing, marked, standing_of, standing_words

Index = QModelIndex | QPersistentModelIndex

SECOND_ROLE = Qt.ItemDataRole.UserRole + 1
"""The second, smaller line of a cell."""
STANDING_ROLE = Qt.ItemDataRole.UserRole + 2
RANK_ROLE = Qt.ItemDataRole.UserRole + 3
CANDIDATE_ROLE = Qt.ItemDataRole.UserRole + 4
LINES_ROLE = Qt.ItemDataRole.UserRole + 5
"""(first line, second line, standing), all that painting a cell asks for. A line is a tuple of texts, the
longest first: the first that fits is shown."""
FILTER_ROLE = Qt.ItemDataRole.UserRole + 6
"""What the filter looks in: the step, its verdict, and whose it is."""

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CandidateModel(QAbstractTableModel):
    """One row a candidate, in the order they came; ``RANK_ROLE`` says where each stands in the order chosen.

    Each cell has two lines: ``DisplayRole`` and ``SECOND_ROLE``.
    """

    ACTION, DISCLOSURE, UTILITY, TARGETS = range(4)

    def __init__(
        self, describe: Callable[[Operator], str], then: Then = nothing, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._describe = describe
        self._candidates: tuple[Candidate, ...] = ()
        self._own: frozenset[Operator] = frozenset()
        self._budget = 0.0
        self._rank = Rank.DISCLOSURE
        self._then = then
        self._compact = False
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
        self.refresh_ranks()

    def refresh_ranks(self) -> None:
        """Ask again for the second steps, and where each row stands."""
        self._number()
        self._ranks_changed(len(self._candidates))

    def set_compact(self, compact: bool) -> None:
        """Whether the counts of targets stand under the step's name, for want of a column of their own."""
        if compact != self._compact:
            self._compact = compact
            self._ranks_changed(len(self._candidates))

    def candidate(self, index: Index) -> Candidate | None:
        return self._candidates[index.row()] if index.isValid() else None

    def row_of(self, candidate: Candidate) -> int | None:
        """The row of a candidate; None where it is not listed."""
        return next((i for i, c in enumerate(self._candidates) if c is candidate), None)

    def _number(self) -> None:
        self._places = [0] * len(self._candidates)
        for place, i in enumerate(ranked(self._candidates, self._rank, self._then)):
            self._places[i] = place

    def _ranks_changed(self, rows: int) -> None:
        if rows:
            last = self.index(rows - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

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
            self.tr("How many targets become worse off and better off, and how many are lost"),
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
            first, second = self._lines(candidate, index.column())
            return first, second, self._standing(candidate)
        if role == SECOND_ROLE:
            return self._lines(candidate, index.column())[1][0]
        if role == FILTER_ROLE:
            return self._found_by(candidate)
        if role == STANDING_ROLE:
            return self._standing(candidate)
        if role == RANK_ROLE:
            return self._places[index.row()]
        return candidate if role == CANDIDATE_ROLE else None

    def _standing(self, candidate: Candidate) -> Standing:
        return standing_of(candidate.alpha, self._budget)

    def _lines(self, candidate: Candidate, column: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two lines of a cell, each with shorter readings after it."""
        first = self._first_line(candidate, column)
        match column:
            case self.ACTION:
                return (first, short_label(candidate.operator, self._describe)), self._below(candidate)
            case self.DISCLOSURE:
                return (first,), (change(candidate.alpha_before, candidate.alpha),)
            case self.UTILITY:
                return (first,), (words.percent_points(candidate.utility_change),)
        better = self.tr("{0} better").format(words.count(candidate.better))
        lost = self.tr(", {0} lost").format(words.count(candidate.lost)) if candidate.lost else ""
        return (first,), (f"{better}{lost}",)

    def _first_line(self, candidate: Candidate, column: int) -> str:
        match column:
            case self.ACTION:
                return self._describe(candidate.operator)
            case self.DISCLOSURE:
                return marked(candidate.alpha, self._budget)
            case self.UTILITY:
                return words.percent(candidate.utility)
        return self.tr("{0} worse").format(words.count(candidate.worse))

    def _below(self, candidate: Candidate) -> tuple[str, ...]:
        """Whose step it is, what it comes to, and what else is known of it, as far as there is room."""
        parts = [self.tr("your own")] if candidate.operator in self._own else []
        parts.append(self._second_step(candidate) or verdict(candidate, self._budget))
        if self._compact:
            parts.append(self._counts(candidate))
        if candidate.lost:
            parts.append(self.tr("absence can tell"))
        if candidate.rows_removed:
            parts.append(self.tr("{0} removed").format(words.records(candidate.rows_removed)))
        least = len(parts) if self._compact and not candidate.lost else 1
        return tuple(" · ".join(parts[:end]) for end in range(len(parts), min(least, len(parts)) - 1, -1))

    def _second_step(self, candidate: Candidate) -> str:
        """The step that should follow, where the list is ordered by it and it leads further down."""
        then = self._then(candidate.operator) if self._rank is Rank.TWO_STEPS else None
        if then is None or reached(candidate, then) is candidate:
            return ""
        return self.tr("then {0}: {1}").format(
            self._describe(then.operator), marked(then.alpha, self._budget)
        )

    def _counts(self, candidate: Candidate) -> str:
        """Worse, better and lost, without those that are none."""
        counted = (
            (candidate.worse, self.tr("{0} worse")),
            (candidate.better, self.tr("{0} better")),
            (candidate.lost, self.tr("{0} lost")),
        )
        some = [text.format(words.count(number)) for number, text in counted if number]
        return ", ".join(some) or self.tr("same for all")

    def _found_by(self, candidate: Candidate) -> str:
        own = self.tr("your own") if candidate.operator in self._own else ""
        standing = standing_words(self._standing(candidate))
        return " ".join((self._describe(candidate.operator), verdict(candidate, self._budget), standing, own))

    def _tip(self, candidate: Candidate) -> str:
        return "\n".join(
            line
            for line in (
                self._describe(candidate.operator),
                self.tr("Disclosure {0}: {1}").format(
                    words.disclosure_in_words(candidate.alpha), verdict(candidate, self._budget)
                ),
                self.tr("Utility {0}, {1} by this step").format(
                    words.percent(candidate.utility), words.percent_points(candidate.utility_change)
                ),
                self.tr("{0} worse, {1} better, {2} the same, {3} lost; {4} over budget").format(
                    words.targets(candidate.worse),
                    words.count(candidate.better),
                    words.count(candidate.same),
                    words.count(candidate.lost),
                    words.count(candidate.over_budget),
                ),
                candidate.why,
                absence(candidate.lost),
                self._further_tip(candidate),
            )
            if line
        )

    def _further_tip(self, candidate: Candidate) -> str:
        then = self._then(candidate.operator)
        if then is None:
            return ""
        return self.tr("At best, one step further, “{0}” leads to {1}: {2}").format(
            self._describe(then.operator), words.disclosure_in_words(then.alpha), verdict(then, self._budget)
        )

    def _spoken(self, candidate: Candidate) -> str:
        return self.tr("{0}: {1}, disclosure {2}, utility {3}, {4} worse, {5} better, {6} lost").format(
            self._describe(candidate.operator),
            verdict(candidate, self._budget),
            words.factor(candidate.alpha),
            words.percent(candidate.utility),
            words.count(candidate.worse),
            words.count(candidate.better),
            words.count(candidate.lost),
        )
