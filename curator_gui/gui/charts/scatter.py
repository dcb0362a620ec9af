"""Privacy against utility: every candidate as a point, the budget as a line, the Pareto front joined."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from curator_gui.gui.charts.marks import (
    RING,
    budget_pen,
    draw_arrow_down,
    draw_focus,
    draw_mark,
    draw_ring,
    hatch,
    smaller,
    text_width,
)
from curator_gui.gui.charts.scale import Scale, scale_for
from curator_gui.gui.colour import faint
from curator_gui.gui.theme import MARKS, Standing, Theme, standing_of, standing_words, theme_of
from curator_gui.gui.words import disclosure_in_words, factor, percent

_GAP = 8.0
_NEAREST = 14.0
_TICKS_APART = 24.0
_TICK_WIDTH = 44.0


@dataclass(frozen=True)
class Plotted:
    """A candidate: utility in [0, 1], alpha in natural logarithms (None: no evidence).

    label: its name, or what gives it: of thousands only those pointed at are named.
    """

    label: str | Callable[[], str]
    utility: float
    alpha: float | None

    @property
    def name(self) -> str:
        return self.label if isinstance(self.label, str) else self.label()


def pareto_front(points: tuple[Plotted, ...]) -> tuple[int, ...]:
    """The points that no other beats in utility and disclosure at once, by falling utility."""
    order = sorted(range(len(points)), key=lambda i: (-points[i].utility, _height(points[i].alpha), i))
    front: list[int] = []
    best = math.inf
    for i in order:
        height = _height(points[i].alpha)
        if height < best or not front:
            front.append(i)
            best = height
    return tuple(front)


def _height(alpha: float | None) -> float:
    return -math.inf if alpha is None else alpha


class ScatterLayout:
    """Where the candidates stand in a size."""

    def __init__(self, points: tuple[Plotted, ...], budget: float, size: QSize, font: QFont) -> None:
        self.points, self.budget, self.font, self.small = points, budget, font, smaller(font)
        line = QFontMetricsF(self.small).height()
        left = text_width("×0.667", self.small) + 2 * _GAP
        self.plot = QRectF(0, 0, size.width(), size.height()).adjusted(
            left, line + _GAP, -2 * _GAP, -2 * line - _GAP
        )
        self.least, self.most = self._utilities()
        floor = any(p.alpha is None or math.isinf(p.alpha) for p in points)
        bottom = self.plot.bottom() - (2.5 * _GAP if floor else 0)
        self.scale: Scale = scale_for((p.alpha for p in points), budget, bottom, self.plot.top())

    def _utilities(self) -> tuple[float, float]:
        """The part of 0 to 1 that holds every point, in whole tenths, a fifth at least."""
        tenths = [10 * p.utility for p in self.points] or [0.0, 10.0]
        low, high = math.floor(min(tenths)), math.ceil(max(tenths))
        low = max(min(low, high - 2), 0)
        return low / 10, max(high, low + 2) / 10

    def x(self, utility: float) -> float:
        share = (utility - self.least) / (self.most - self.least)
        return self.plot.left() + _GAP + share * (self.plot.width() - 2 * _GAP)

    def utility_ticks(self) -> list[float]:
        """Tenths along the axis, as many as there is room for."""
        steps = range(round(10 * self.least), round(10 * self.most) + 1)
        every = math.ceil(len(steps) * _TICK_WIDTH / max(self.plot.width(), 1.0))
        return [t / 10 for t in steps if t % every == 0]

    def at(self, i: int) -> QPointF:
        alpha = self.points[i].alpha
        off = alpha is None or math.isinf(alpha)
        y = self.plot.bottom() - _GAP if off or alpha is None else self.scale.y(alpha)
        return QPointF(self.x(self.points[i].utility), y)

    def index_at(self, place: QPointF) -> int | None:
        """The point nearest to a place, within reach."""
        best, nearest = None, _NEAREST
        for i in range(len(self.points)):
            away = place - self.at(i)
            distance = math.hypot(away.x(), away.y())
            if distance < nearest:
                best, nearest = i, distance
        return best


class PrivacyUtilityScatter(QWidget):
    """Candidates by utility (to the right) and disclosure (upwards), numbered as they were given."""

    hovered = Signal(int)
    """The point under the pointer; −1 for none."""
    clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: tuple[Plotted, ...] = ()
        self._budget = 0.0
        self._front: tuple[int, ...] = ()
        self._hovered: int | None = None
        self._chosen: int | None = None
        self.setObjectName("privacy_utility_scatter")
        self.setAccessibleName(self.tr("Next steps by utility and disclosure"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_points(self, points: tuple[Plotted, ...], budget: float, chosen: int | None = None) -> None:
        """Show candidates, the ``chosen`` one marked."""
        if points is not self._points:
            self._front = pareto_front(points)
        self._points, self._budget, self._chosen = points, budget, chosen
        self._hovered = None
        self.setAccessibleDescription(self._read_out())
        self.update()

    @property
    def front(self) -> tuple[int, ...]:
        """The Pareto front, by falling utility."""
        return self._front

    def scatter_layout(self) -> ScatterLayout:
        """The points laid out in the present size."""
        return ScatterLayout(self._points, self._budget, self.size(), self.font())

    @property
    def has_evidence(self) -> bool:
        """Whether there is anything to compare with the budget."""
        return any(p.alpha is not None for p in self._points)

    def _read_out(self) -> str:
        if not self.has_evidence:
            return self._nothing()
        within = sum(standing_of(p.alpha, self._budget) is not Standing.OVER for p in self._points)
        text = self.tr("{0} next steps, {1} within the budget.").format(len(self._points), within)
        best = [
            i for i in self._front if standing_of(self._points[i].alpha, self._budget) is not Standing.OVER
        ]
        return (
            f"{text} {self.tr('Most useful of these: {0}').format(self.details(best[0]))}" if best else text
        )

    def details(self, i: int) -> str:
        """A point in words."""
        p = self._points[i]
        standing = standing_of(p.alpha, self._budget)
        return self.tr("{0}\n{1} {2}, {3}\nutility {4}").format(
            p.name,
            MARKS[standing],
            disclosure_in_words(p.alpha),
            standing_words(standing),
            percent(p.utility),
        )

    def sizeHint(self) -> QSize:
        return QSize(300, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 130)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = theme_of(self.palette())
        painter.fillRect(self.rect(), theme.surface)
        if self.has_evidence:
            layout = self.scatter_layout()
            _paint_frame(painter, layout, theme)
            _paint_front(painter, layout, theme, self._front)
            _paint_points(painter, layout, theme, set(self._front))
            self._paint_places(painter, layout, theme)
        else:
            painter.setPen(theme.muted)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), flags, self._nothing())
        painter.end()

    def _nothing(self) -> str:
        if self._points:
            return self.tr("No evidence to compare with the budget.")
        return self.tr("No next steps scored yet.")

    def _paint_places(self, painter: QPainter, layout: ScatterLayout, theme: Theme) -> None:
        if self._chosen is not None:
            draw_ring(painter, layout.at(self._chosen), theme.preview)
        if self._hovered is not None:
            draw_focus(painter, layout.at(self._hovered), theme)

    # --- pointer and keys ---

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.scatter_layout().index_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.scatter_layout().index_at(event.position())
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(index)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.scatter_layout().index_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if index is None else self.details(index), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """← → walk by utility, Enter clicks."""
        order = sorted(range(len(self._points)), key=lambda i: self._points[i].utility)
        here = self._hovered if self._hovered is not None else self._chosen
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if order and key in moves:
            at = -1 if here is None else order.index(here)
            self._hover(order[min(max(at + moves[key], 0), len(order) - 1)])
        elif here is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(here)
        else:
            super().keyPressEvent(event)

    def _hover(self, index: int | None) -> None:
        if index == self._hovered:
            return
        self._hovered = index
        text = self._read_out() if index is None else self.details(index)
        self.setAccessibleDescription(text)
        self.setCursor(Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor)
        self.hovered.emit(-1 if index is None else index)
        self.update()


def _paint_frame(painter: QPainter, layout: ScatterLayout, theme: Theme) -> None:
    plot, right = layout.plot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.setFont(layout.small)
    y = layout.scale.y(layout.budget)
    hatch(painter, QRectF(plot.topLeft(), QPointF(plot.right(), y)), faint(theme.over, 0.22))
    for tick in layout.scale.ticks(_TICKS_APART):
        height = layout.scale.y(tick)
        painter.setPen(QPen(theme.grid, 1.0))
        painter.drawLine(QPointF(plot.left(), height), QPointF(plot.right(), height))
        painter.setPen(theme.text)
        painter.drawText(QRectF(0, height - 12, plot.left() - _GAP / 2, 24), right, factor(tick))
    painter.setPen(QPen(theme.axis, 1.0))
    painter.drawLine(plot.bottomLeft(), plot.bottomRight())
    _paint_utility(painter, layout, theme)
    painter.setPen(budget_pen(theme))
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
    line = QFontMetricsF(layout.small).height()
    painter.setPen(theme.text)
    text = QCoreApplication.translate("scatter", "budget {0}").format(factor(layout.budget))
    painter.drawText(QRectF(plot.left() + _GAP / 2, y - line, plot.width(), line), text)


def _paint_utility(painter: QPainter, layout: ScatterLayout, theme: Theme) -> None:
    plot, line = layout.plot, QFontMetricsF(layout.small).height()
    centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
    painter.setPen(theme.muted)
    for share in layout.utility_ticks():
        place = QRectF(layout.x(share) - 30, plot.bottom() + 2, 60, line)
        painter.drawText(place, centre, percent(share))
    title = QRectF(plot.left(), plot.bottom() + line, plot.width(), line)
    painter.drawText(title, centre, QCoreApplication.translate("scatter", "utility kept →"))
    top = QRectF(_GAP / 2, 0, plot.right(), line)
    painter.drawText(
        top, Qt.AlignmentFlag.AlignVCenter, QCoreApplication.translate("scatter", "disclosure ↑")
    )


def _paint_front(painter: QPainter, layout: ScatterLayout, theme: Theme, front: tuple[int, ...]) -> None:
    """The best disclosure to be had at each utility, as a step line."""
    painter.setPen(QPen(theme.axis, 1.4))
    places = [layout.at(i) for i in front]
    for one, other in pairwise(places):
        corner = QPointF(other.x(), one.y())
        painter.drawLine(one, corner)
        painter.drawLine(corner, other)


def _paint_points(painter: QPainter, layout: ScatterLayout, theme: Theme, front: set[int]) -> None:
    """Points off the front are hollow and drawn first; of those in one place one is drawn."""
    order = sorted(range(len(layout.points)), key=lambda i: i in front)
    drawn = set()
    for i in order:
        point, place = layout.points[i], layout.at(i)
        spot = (i in front, round(place.x()), round(place.y()), point.alpha == -math.inf)
        if spot in drawn:
            continue
        drawn.add(spot)
        standing = standing_of(point.alpha, layout.budget)
        colour = QColor(theme.mark(standing))
        if point.alpha == -math.inf:
            draw_arrow_down(painter, place + QPointF(0, RING / 2), colour)
        else:
            draw_mark(painter, place, standing, colour, theme.surface, hollow=i not in front)
