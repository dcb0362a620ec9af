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
from curator_gui.gui.words import NO_EVIDENCE

Index = QModelIndex | QPersistentModelIndex

SECOND_ROLE = Qt.ItemDataRole.UserRole + 1
"""The second, smaller line of a cell."""
STANDING_ROLE = Qt.ItemDataRole.UserRole + 2
CANDIDATE_ROLE = Qt.ItemDataRole.UserRole + 3
LINES_ROLE = Qt.ItemDataRole.UserRole + 4
"""(first line, second line, standing), all that painting a cell asks for. A line is a tuple of texts, the
longest first: the first that fits is shown."""

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_AT_A_TIME = 500


class CandidateModel(QAbstractTableModel):
    """One row a candidate, in the order chosen, without those the filter leaves out.

    A table of thousands of columns has ten thousands of next steps: the first hundreds are rows, more follow
    where the list is scrolled to its end. Each cell has two lines: ``DisplayRole`` and ``SECOND_ROLE``.
    """

    ACTION, DISCLOSURE, UTILITY, TARGETS = range(4)

    def __init__(
        self, describe: Callable[[Operator], str], then: Then = nothing, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._describe = describe
        self._candidates: tuple[Candidate, ...] = ()
        self._ordered: list[Candidate] = []
        self._listed: list[Candidate] = []
        self._most = _AT_A_TIME
        self._own: frozenset[Operator] = frozenset()
        self._identifying: frozenset[Operator] = frozenset()
        self._scored = True
        self._budget = 0.0
        self._rank = Rank.DISCLOSURE
        self._then = then
        self._compact = False
        self._filter = ""
        self._found: dict[int, str] = {}

    def show(
        self,
        candidates: tuple[Candidate, ...],
        budget: float,
        own: frozenset[Operator] = frozenset(),
        *,
        identifying: frozenset[Operator] = frozenset(),
        scored: bool = True,
    ) -> None:
        """Show these; where they only grew, rows come in between and those selected stay so.

        own: steps of the curator's own. identifying: steps that drop identifiers; they stand first.
        scored: whether there is a secret to score by.
        """
        shown = len(self._candidates)
        grown = shown and budget == self._budget and candidates[:shown] == self._candidates
        grown = grown and (own, identifying, scored) == (self._own, self._identifying, self._scored)
        self._own, self._identifying, self._scored = own, identifying, scored
        if not grown:
            self._start_again(candidates, budget)
        elif len(candidates) > shown:
            self._candidates = candidates
            self._order()
            self._arrange()

    def _start_again(self, candidates: tuple[Candidate, ...], budget: float) -> None:
        self.beginResetModel()
        self._candidates, self._budget = candidates, budget
        self._found.clear()
        self._most = _AT_A_TIME
        self._order()
        self._listed = self._ordered[: self._most]
        self.endResetModel()

    def set_rank(self, rank: Rank) -> None:
        """Stand in another order."""
        self._rank = rank
        self.refresh_ranks()

    def refresh_ranks(self) -> None:
        """Ask again for the second steps, and where each row stands."""
        self._order()
        self._arrange()
        self._texts_changed()

    def set_filter(self, text: str) -> None:
        """List only what has this in its name, its verdict or whose it is."""
        self._filter = text.casefold()
        self._start_again(self._candidates, self._budget)

    def set_compact(self, compact: bool) -> None:
        """Whether the counts of targets stand under the step's name, for want of a column of their own."""
        if compact != self._compact:
            self._compact = compact
            self._texts_changed()

    @property
    def listed(self) -> tuple[Candidate, ...]:
        """The candidates that are rows, in their order."""
        return tuple(self._listed)

    def candidate(self, index: Index) -> Candidate | None:
        return self._listed[index.row()] if index.isValid() else None

    def row_of(self, candidate: Candidate) -> int | None:
        """The row of a candidate, made one where it comes late in the order; None where it is left out."""
        row = next((i for i, c in enumerate(self._ordered) if c is candidate), None)
        if row is not None and row >= self._most:
            self._most = row + 1
            self._arrange()
        return row

    # --- the order ---

    def _order(self) -> None:
        chosen = ranked(self._candidates, self._rank, self._then, self._identifying)
        if self._filter:
            chosen = [i for i in chosen if self._filter in self._text_of(i)]
        self._ordered = [self._candidates[i] for i in chosen]

    def _text_of(self, i: int) -> str:
        if i not in self._found:
            self._found[i] = self._found_by(self._candidates[i]).casefold()
        return self._found[i]

    def _arrange(self) -> None:
        """Bring the rows into the order; the indexes that somebody holds move along."""
        wanted = self._ordered[: self._most]
        if len(wanted) > len(self._listed):
            self._append(wanted)
        if any(one is not other for one, other in zip(wanted, self._listed, strict=True)):
            self._permute(wanted)

    def _append(self, wanted: list[Candidate]) -> None:
        listed = {id(c) for c in self._listed}
        new = [c for c in wanted if id(c) not in listed][: len(wanted) - len(self._listed)]
        self.beginInsertRows(QModelIndex(), len(self._listed), len(wanted) - 1)
        self._listed += new
        self.endInsertRows()

    def _permute(self, wanted: list[Candidate]) -> None:
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        rows = {id(c): row for row, c in enumerate(wanted)}
        places = [rows.get(id(self._listed[index.row()]), -1) for index in held]
        self._listed = wanted
        moved = [self.index(row, index.column()) for row, index in zip(places, held, strict=True)]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _texts_changed(self) -> None:
        if self._listed:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._listed) - 1, self.TARGETS))

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._listed) < len(self._ordered)

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._most = len(self._listed) + _AT_A_TIME
            self._arrange()

    # --- Qt ---

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._listed)

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
        candidate = self._listed[index.row()]
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
            first, second = self.lines(candidate, index.column())
            return first, second, self._standing(candidate)
        if role == SECOND_ROLE:
            return self.lines(candidate, index.column())[1][0]
        if role == STANDING_ROLE:
            return self._standing(candidate)
        return candidate if role == CANDIDATE_ROLE else None

    def _standing(self, candidate: Candidate) -> Standing:
        return standing_of(candidate.alpha, self._budget)

    def lines(self, candidate: Candidate, column: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two lines of a cell, each with shorter readings after it."""
        first = self._first_line(candidate, column)
        match column:
            case self.ACTION:
                return (first, short_label(candidate.operator, self._describe)), self._below(candidate)
            case self.DISCLOSURE:
                return (first,), (change(candidate.alpha_before, candidate.alpha),)
            case self.UTILITY:
                return (first,), (words.percent_points(candidate.utility_change),)
        if not self._scored:
            return (first,), ("",)
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
        if not self._scored:
            return NO_EVIDENCE
        return self.tr("{0} worse").format(words.count(candidate.worse))

    def _below(self, candidate: Candidate) -> tuple[str, ...]:
        """Whose step it is, what it comes to, and what else is known of it, as far as there is room."""
        parts = [self.tr("your own")] if candidate.operator in self._own else []
        parts += [self.tr("identifiers")] if candidate.operator in self._identifying else []
        parts.append(self._second_step(candidate) or self._verdict(candidate))
        if self._compact and self._scored:
            parts.append(self._counts(candidate))
        if candidate.lost:
            parts.append(self.tr("absence can tell"))
        if candidate.rows_removed:
            parts.append(self.tr("{0} removed").format(words.records(candidate.rows_removed)))
        least = len(parts) if self._compact and self._scored and not candidate.lost else 1
        return tuple(" · ".join(parts[:end]) for end in range(len(parts), min(least, len(parts)) - 1, -1))

    def _verdict(self, candidate: Candidate) -> str:
        return verdict(candidate, self._budget) if self._scored else self.tr("not scored")

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
        if not self._scored:
            standing = ""
        return " ".join((self._describe(candidate.operator), self._verdict(candidate), standing, own))

    def _tip(self, candidate: Candidate) -> str:
        if not self._scored:
            return self._spoken(candidate)
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
        if not self._scored:
            said = self.tr("{0}: not scored, no secret is named yet; utility {1}")
            return said.format(self._describe(candidate.operator), words.percent(candidate.utility))
        return self.tr("{0}: {1}, disclosure {2}, utility {3}, {4} worse, {5} better, {6} lost").format(
            self._describe(candidate.operator),
            verdict(candidate, self._budget),
            words.factor(candidate.alpha),
            words.percent(candidate.utility),
            words.count(candidate.worse),
            words.count(candidate.better),
            words.count(candidate.lost),
        )
