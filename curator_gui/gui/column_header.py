"""The header above the table: name, role marks, type, view, share missing and a tiny histogram."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from curator_gui.gui.column_facts import ColumnFacts, kind_words
from curator_gui.gui.figures import Figures
from curator_gui.gui.models.table import TableModel
from curator_gui.gui.naming import named
from curator_gui.gui.theme import Theme, theme_of
from curator_gui.gui.words import percent

_PADDING = 8
_BARS = 16
_GAP = 4
_NARROWEST_BARS = 32
_LONGEST = 200  # to measure a name of millions of characters takes seconds


class ColumnHeader(QHeaderView):
    """Three lines a column. ``figures(place)`` gives a column's figures, or None while they are counted."""

    def __init__(self, figures: Callable[[int], Figures | None], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        named(self, "column_headers", self.tr("Column headers"))
        self._figures = figures
        self.sorted_by: tuple[int, bool] | None = None
        """The column the rows are sorted by, and whether they descend."""
        self._previewed: frozenset[str] = frozenset()
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setMinimumSectionSize(48)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    @property
    def previewed(self) -> frozenset[str]:
        """The columns that a previewed step bears on."""
        return self._previewed

    def mark_previewed(self, names: Collection[str]) -> None:
        """Mark the columns that a previewed step bears on, with a dashed frame."""
        self._previewed = frozenset(names)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(super().sizeHint().width(), 2 * line + _BARS + 4 * _GAP)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, TableModel) or model.sheet is None or not rect.isValid():
            return
        facts = model.facts(section)
        theme = theme_of(self.palette())
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, self.palette().color(QPalette.ColorRole.Window))
        painter.setPen(theme.grid)
        painter.drawLine(rect.topRight(), rect.bottomRight())
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inner = rect.adjusted(_PADDING, _GAP, -_PADDING, -_GAP)
        if facts is not None:
            _Section(painter, inner, theme, self.font()).paint(
                facts, self._figures(section), self._arrow(section)
            )
            if facts.name in self._previewed:
                painter.setPen(QPen(theme.preview, 2, Qt.PenStyle.DashLine))
                painter.drawRect(rect.adjusted(1, 1, -2, -2))
        painter.restore()

    def _arrow(self, column: int) -> str:
        if self.sorted_by is None or self.sorted_by[0] != column:
            return ""
        return "▾" if self.sorted_by[1] else "▴"


def missing_words(figures: Figures) -> str:
    """The share of missing cells: "3 % missing"."""
    share = percent(figures.missing_share)
    return QCoreApplication.translate("ColumnHeader", "{0} missing").format(share)


class _Section:
    """One painting of one header cell."""

    def __init__(self, painter: QPainter, area: QRect, theme: Theme, font: QFont) -> None:
        self._painter, self._area, self._theme, self._font = painter, area, theme, font
        self._line = QFontMetrics(font).height()

    def paint(self, facts: ColumnFacts, figures: Figures | None, arrow: str) -> None:
        self._name(facts, arrow)
        self._second_line(facts)
        if figures is not None:
            self._bars(figures, self._area.width() - self._missing(figures), facts.is_dropped)

    def _name(self, facts: ColumnFacts, arrow: str) -> None:
        painter, area = self._painter, self._area
        x = area.left()
        for draw in marks_of(facts):
            draw(painter, QRectF(x, area.top() + self._line / 2 - 5, 10, 10), self._theme.text)
            x += 14
        bold = QFont(self._font)
        bold.setBold(True)
        bold.setStrikeOut(facts.is_dropped)
        painter.setFont(bold)
        painter.setPen(self._theme.muted if facts.is_dropped else self._theme.text)
        room = area.right() - x - (14 if arrow else 0)
        shown = QFontMetrics(bold).elidedText(facts.name[:_LONGEST], Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(x, area.top(), max(room, 0) + 2, self._line), _LEFT, shown)
        if arrow:
            painter.drawText(QRect(area.left(), area.top(), area.width(), self._line), _RIGHT, arrow)

    def _second_line(self, facts: ColumnFacts) -> None:
        painter, area = self._painter, self._area
        line = QRect(area.left(), area.top() + self._line + _GAP, area.width(), self._line)
        words = facts.brief_view or kind_words(facts.kind)
        painter.setFont(self._font)
        painter.setPen(self._theme.text if facts.brief_view and facts.view else self._theme.muted)
        metrics = QFontMetrics(self._font)
        painter.drawText(line, _LEFT, metrics.elidedText(words, Qt.TextElideMode.ElideRight, line.width()))

    def _missing(self, figures: Figures) -> int:
        """Draw the share missing at the right of the bars; returns how wide it is."""
        if not figures.missing:
            return 0
        small = QFont(self._font)
        small.setPointSizeF(max(0.85 * self._font.pointSizeF(), 6.0))
        small.setItalic(True)
        metrics = QFontMetrics(small)
        words = missing_words(figures)
        if metrics.horizontalAdvance(words) > self._area.width() - _NARROWEST_BARS:
            words = percent(figures.missing_share)
        line = QRect(
            self._area.left(),
            self._area.bottom() - metrics.height() + 2,
            self._area.width(),
            metrics.height(),
        )
        self._painter.setFont(small)
        self._painter.setPen(self._theme.muted)
        self._painter.drawText(line, _RIGHT, words)
        return metrics.horizontalAdvance(words) + _GAP

    def _bars(self, figures: Figures, room: int, is_dropped: bool) -> None:
        if not figures.bars:
            return
        area = self._area
        width = min(room / len(figures.bars), 12.0)
        colour = self._theme.grid if is_dropped else self._theme.axis
        for i, share in enumerate(figures.bars):
            height = max(1.0, share * _BARS) if share else 0.0
            left = area.left() + i * width
            bar = QRectF(left, area.bottom() - height + 1, max(width - 1, 0.7), height)
            self._painter.fillRect(bar, colour)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_Draw = Callable[[QPainter, QRectF, QColor], None]


def marks_of(facts: ColumnFacts) -> list[_Draw]:
    """What draws the marks of a column's roles, in order."""
    chosen = (
        (facts.is_visible, draw_visible),
        (facts.is_secret, draw_secret),
        (facts.is_identifier, draw_identifier),
    )
    return [draw for is_so, draw in chosen if is_so]


def draw_visible(painter: QPainter, area: QRectF, colour: QColor) -> None:
    """An eye: the observer knows this beforehand."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(area.adjusted(0.5, 2, -0.5, -2))
    painter.setBrush(colour)
    painter.drawEllipse(area.center(), 1.4, 1.4)
    painter.restore()


def draw_secret(painter: QPainter, area: QRectF, colour: QColor) -> None:
    """A filled diamond: this must not be learned."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    middle, half = area.center(), area.width() / 2 - 0.5
    corners = [(0, -half), (half, 0), (0, half), (-half, 0)]
    painter.drawPolygon(QPolygonF([QPointF(middle.x() + x, middle.y() + y) for x, y in corners]))
    painter.restore()


def draw_identifier(painter: QPainter, area: QRectF, colour: QColor) -> None:
    """A number sign: this names a person."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.2))
    for share in (0.35, 0.65):
        x, y = area.left() + share * area.width(), area.top() + share * area.height()
        painter.drawLine(QPointF(x + 0.8, area.top() + 1), QPointF(x - 0.8, area.bottom() - 1))
        painter.drawLine(QPointF(area.left() + 1, y), QPointF(area.right() - 1, y))
    painter.restore()
