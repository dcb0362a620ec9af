"""The plan as Qt rows: the source first, then a row a step, those that were undone included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from curator_gui.disclosure.trajectory import PrefixScore
from curator_gui.gui import words
from curator_gui.gui.theme import Standing, marked, standing_of, standing_words

Index = QModelIndex | QPersistentModelIndex
STANDING_ROLE = Qt.ItemDataRole.UserRole + 2
LABELS_ROLE = Qt.ItemDataRole.UserRole + 3
"""The names of a step, the longest first."""


@dataclass(frozen=True)
class PlanRow:
    """A prefix: its last step in words, and its score, where it is known.

    exposed: it was released, or left the house in another way. short: the label where room is scarce.
    """

    label: str
    score: PrefixScore | None
    exposed: bool = False
    short: str = ""


class PlanModel(QAbstractTableModel):
    """Columns: the number of the prefix, its last step, its disclosure. The position is bold."""

    NUMBER, STEP, DISCLOSURE = range(3)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PlanRow, ...] = ()
        self._position = 0
        self._budget = 0.0

    def show(self, rows: tuple[PlanRow, ...], position: int, budget: float) -> None:
        """Show a plan; where only scores or the position moved, the rows stay."""
        same_length = len(rows) == len(self._rows)
        if not same_length:
            self.beginResetModel()
        self._rows, self._position, self._budget = rows, position, budget
        if not same_length:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.DISCLOSURE))

    @property
    def position(self) -> int:
        return self._position

    # --- Qt ---

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("", self.tr("Step"), self.tr("Disclosure"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, i = self._rows[index.row()], index.row()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row, i, index.column())
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._tip(row, i)
            case Qt.ItemDataRole.FontRole:
                font = QFont()
                font.setBold(i == self._position)
                font.setItalic(i > self._position)
                return font
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
        if role == LABELS_ROLE:
            return (row.label, row.short or row.label)
        return self._standing(row) if role == STANDING_ROLE else None

    @staticmethod
    def _alignment(column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if column == PlanModel.STEP else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _standing(self, row: PlanRow) -> Standing | None:
        return standing_of(row.score.alpha, self._budget) if row.score else None

    def _shown(self, row: PlanRow, i: int, column: int) -> str:
        match column:
            case self.NUMBER:
                return f"{words.RELEASED} {i}" if row.exposed else str(i)
            case self.STEP:
                return row.label
        if row.score is None:
            return "…"
        return marked(row.score.alpha, self._budget)

    def _tip(self, row: PlanRow, i: int) -> str:
        lines = [self.tr("Step {0}: {1}").format(i, row.label) if i else row.label]
        if row.score is not None:
            standing = standing_of(row.score.alpha, self._budget)
            lines.append(
                self.tr("Disclosure {0}: {1}, {2} over it").format(
                    words.disclosure_in_words(row.score.alpha),
                    standing_words(standing),
                    words.targets(row.score.over_budget),
                )
            )
        if i == self._position:
            lines.append(self.tr("You are here"))
        elif i > self._position:
            lines.append(self.tr("Undone; redo it or go to it"))
        if row.exposed:
            lines.append(
                self.tr("{0} Released: the table after this step has left the house").format(words.RELEASED)
            )
        return "\n".join(lines)
