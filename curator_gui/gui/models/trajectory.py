"""The trajectory as the chart's series and as rows of a table with the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from curator_gui.core.operators import Operator
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.explain import best_guess
from curator_gui.disclosure.trajectory import PrefixScore, Trajectory, WorstOf
from curator_gui.gui import words
from curator_gui.gui.charts.series import BranchLine, ChartPoint, DisclosureSeries
from curator_gui.gui.controller_further import BranchScore
from curator_gui.gui.models.targets import STANDING_ROLE
from curator_gui.gui.step_labels import short_label
from curator_gui.gui.theme import MARKS, Standing, standing_of, standing_words

Index = QModelIndex | QPersistentModelIndex

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _text(source: str) -> str:
    return QCoreApplication.translate("trajectory", source)


def series_of(
    trajectory: Trajectory,
    position: int,
    preview: Candidate | None,
    describe: Callable[[Operator], str],
    *,
    exposed: Collection[int] = (),
    branches: Sequence[BranchScore] = (),
) -> DisclosureSeries:
    """What the chart shows. ``position`` beyond what is scored yet stands at the last scored prefix.

    exposed: the prefixes that have left the house.
    """
    points = tuple(
        replace(_point(trajectory, i, describe), exposed=i in exposed)
        for i in range(len(trajectory.prefixes))
    )
    here = min(position, len(points) - 1)
    shown = preview if here == position else None
    candidate = None if shown is None else _candidate_point(shown, describe)
    lines = tuple(_branch_line(trajectory, branch) for branch in branches)
    return DisclosureSeries(points, here, trajectory.budget, trajectory.secrets, candidate, lines)


def _branch_line(trajectory: Trajectory, branch: BranchScore) -> BranchLine:
    """A branch from the last prefix that it shares with the plan."""
    pairs = zip(trajectory.plan, branch.trajectory.plan, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return BranchLine(branch.name, shared, branch.trajectory.alphas[shared:])


def step_label(trajectory: Trajectory, i: int, describe: Callable[[Operator], str]) -> str:
    """The step that leads to prefix i: "source" or its operator in words."""
    return describe(trajectory.plan[i - 1]) if i else _text("source")


def _point(trajectory: Trajectory, i: int, describe: Callable[[Operator], str]) -> ChartPoint:
    score = trajectory.prefixes[i]
    return ChartPoint(
        label=step_label(trajectory, i, describe),
        alpha=score.alpha,
        over_budget=score.over_budget,
        reason=worst_sentence(score.worst),
        median=score.figures.median,
        ninth=score.figures.ninth_decile,
        by_secret=score.by_secret,
        short=short_label(trajectory.plan[i - 1], describe) if i else "",
    )


def _candidate_point(candidate: Candidate, describe: Callable[[Operator], str]) -> ChartPoint:
    label = describe(candidate.operator)
    short = short_label(candidate.operator, describe)
    return ChartPoint(label, candidate.alpha, candidate.over_budget, candidate.why, short=short)


def worst_sentence(worst: WorstOf | None) -> str:
    """The worst target of a prefix in one sentence."""
    if worst is None:
        return _text("Nobody can be compared with anything in the release, so there is no evidence.")
    guess = best_guess(worst.k, worst.n, worst.prior_k, worst.prior_n)
    return _text("For record {0} the release {1} on “{2}”.").format(
        words.count(worst.target + 1), guess, worst.secret
    )


@dataclass(frozen=True)
class Numbers:
    """One row of the table: what is shown in each column, and the full value behind it."""

    cells: tuple[str, ...]
    tips: tuple[str, ...]
    standing: Standing


class TrajectoryModel(QAbstractTableModel):
    """One row a prefix, the columns as ``HEADS``; the row of the current prefix is bold."""

    HEADS = (
        "Step",
        "What it does",
        "Disclosure",
        "Logarithm α",
        "Standing",
        "Targets over budget",
        "Worst target",
        "Its best guess",
        "Median",
        "90 %",
        "Records",
        "Columns",
        "Smallest class",
        "Alone",
        "Utility",
    )
    STANDING = 4
    _WORDY = (1, 4, 6, 7)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Numbers, ...] = ()
        self._position = 0

    def show(self, trajectory: Trajectory | None, position: int, describe: Callable[[Operator], str]) -> None:
        """Show another trajectory, or another position in it."""
        self.beginResetModel()
        scores = trajectory.prefixes if trajectory is not None else ()
        self._rows = tuple(
            _numbers(s, step_label(trajectory, s.i, describe), trajectory.budget)
            for s in scores
            if trajectory is not None
        )
        self._position = position
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.cells[column]
            case Qt.ItemDataRole.ToolTipRole:
                return row.tips[column]
            case Qt.ItemDataRole.TextAlignmentRole:
                return None if column in self._WORDY else _RIGHT
            case Qt.ItemDataRole.FontRole if index.row() == self._position:
                font = QFont()
                font.setBold(True)
                return font
            case _ if role == STANDING_ROLE and column == self.STANDING:
                return row.standing
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.HEADS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(self.HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section in self._WORDY else _RIGHT
        return None


def _numbers(score: PrefixScore, label: str, budget: float) -> Numbers:
    standing, worst, figures = standing_of(score.alpha, budget), score.worst, score.figures
    smallest = words.NO_EVIDENCE if figures.smallest_class is None else words.count(figures.smallest_class)
    pairs = (
        (str(score.i), ""),
        (label, label),
        (words.factor(score.alpha), words.disclosure_in_words(score.alpha)),
        (words.logarithm(score.alpha), words.full(score.alpha)),
        (f"{MARKS[standing]} {standing_words(standing)}", ""),
        (words.count(score.over_budget), ""),
        (_worst(worst), worst_sentence(worst)),
        (_guess(worst), worst_sentence(worst)),
        (words.factor(figures.median), words.full(figures.median)),
        (words.factor(figures.ninth_decile), words.full(figures.ninth_decile)),
        (words.count(score.rows), ""),
        (str(len(score.columns)), ", ".join(score.columns)),
        (smallest, ""),
        (words.percent(figures.alone), words.full(figures.alone)),
        (words.percent(score.utility), words.full(score.utility)),
    )
    return Numbers(tuple(cell for cell, _ in pairs), tuple(tip for _, tip in pairs), standing)


def _worst(worst: WorstOf | None) -> str:
    if worst is None:
        return words.NO_EVIDENCE
    return _text("{0}, “{1}”").format(words.record(worst.target), worst.secret)


def _guess(worst: WorstOf | None) -> str:
    if worst is None:
        return words.NO_EVIDENCE
    before = words.guess(worst.prior_k, worst.prior_n)
    return _text("{0} → {1}").format(before, words.guess(worst.k, worst.n))
