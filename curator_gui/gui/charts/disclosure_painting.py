"""Where everything of the disclosure chart stands in a rectangle, and how it is painted there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from curator_gui.gui.charts.marks import (
    RING,
    budget_pen,
    draw_arrow_down,
    draw_focus,
    draw_mark,
    draw_ring,
    elided,
    hatch,
    smaller,
    text_width,
    wrapped,
)
from curator_gui.gui.charts.scale import Scale, scale_for
from curator_gui.gui.charts.series import ChartPoint, DisclosureSeries, point_line, point_title
from curator_gui.gui.colour import blend, faint
from curator_gui.gui.theme import Standing, Theme
from curator_gui.gui.words import RELEASED, factor, logarithm

_GAP = 8.0
_TICKS_APART = 26.0
_LABEL_APART = 44.0
_LABEL_LINES = 2
_MOST_SECRETS = 12
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Shown:
    """What is shown besides α: a line a secret, the band of quantiles, where focus and pointer are."""

    secrets: bool = False
    band: bool = False
    focus: int | None = None
    hovered: int | None = None


class DisclosurePainting:
    """A series laid out in a rectangle. Points are numbered as prefixes; the preview follows the position."""

    def __init__(
        self, series: DisclosureSeries, area: QRectF, font: QFont, theme: Theme, shown: Shown
    ) -> None:
        self.series, self.area, self.theme, self.shown = series, area, theme, shown
        self.font, self.small = font, smaller(font)
        self._line = QFontMetricsF(self.small).height()
        self.plot = self._plot()
        self.scale = self._scale()

    def _plot(self) -> QRectF:
        figures = text_width("×0.667", self.font) + _GAP + text_width("−0.405", self.small) + 2 * _GAP
        top = QFontMetricsF(self.font).height() + 2 * _GAP
        bottom = (1 + _LABEL_LINES) * self._line + 1.5 * _GAP
        return self.area.adjusted(figures, top, -self._right_margin(), -bottom)

    def _right_margin(self) -> float:
        texts = [*self._budget_texts(), *(self.series.secrets if self.shown.secrets else ())]
        texts += [branch.name for branch in self.series.branches]
        widest = max(text_width(text, self.small) for text in texts)
        return min(widest + 2 * _GAP, 0.3 * self.area.width())

    def _scale(self) -> Scale:
        values = list(self.series.values())
        if self.shown.secrets:
            values += [v for p in self.series.points for v in p.by_secret]
        if self.shown.band:
            values += [v for p in self.series.points for v in (p.median, p.ninth) if v is not None]
        self.has_floor = self._floor_needed(values)
        bottom = self.plot.bottom() - (3 * _GAP if self.has_floor else 0)
        return scale_for(values, self.series.budget, bottom, self.plot.top())

    @staticmethod
    def _floor_needed(values: list[float | None]) -> bool:
        return any(v is None or v == -math.inf for v in values)

    def _budget_texts(self) -> tuple[str, str]:
        budget = self.series.budget
        first = QCoreApplication.translate("chart", "budget {0}").format(factor(budget))
        return first, f"τ {logarithm(budget)}"

    # --- where things are ---

    @property
    def slot(self) -> float:
        """The width of a step along the axis."""
        return self.plot.width() / self.series.slots

    @property
    def floor(self) -> float:
        """Where values without a height of their own are drawn: −∞ and no evidence."""
        return self.plot.bottom() - 1.2 * _GAP

    def x(self, index: int) -> float:
        return self.plot.left() + (index + 0.5) * self.slot

    def y(self, alpha: float | None) -> float:
        """The height of a value; the floor for −∞ and for no evidence."""
        return self.floor if alpha is None or math.isinf(alpha) else self.scale.y(alpha)

    def at(self, index: int) -> QPointF:
        return QPointF(self.x(index), self.y(self.series.points[index].alpha))

    def preview_at(self) -> QPointF | None:
        if self.series.preview is None:
            return None
        return QPointF(self.x(self.series.position + 1), self.y(self.series.preview.alpha))

    def index_at(self, place: QPointF) -> int | None:
        """The step whose column a place is in, whether a prefix stands there or the preview."""
        if not self.plot.adjusted(0, -RING, 0, self.area.bottom() - self.plot.bottom()).contains(place):
            return None
        index = int((place.x() - self.plot.left()) / self.slot)
        return index if 0 <= index < self.series.slots else None

    # --- painting ---

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font)
        self._paint_budget(painter)
        self._paint_axis(painter)
        self._paint_column(painter)
        if self.shown.band:
            self._paint_band(painter)
        if self.shown.secrets:
            self._paint_secrets(painter)
        self._paint_branches(painter)
        self._paint_lines(painter)
        self._paint_points(painter)
        self._paint_labels(painter)
        self._paint_head(painter)

    def _paint_budget(self, painter: QPainter) -> None:
        """τ as a line, everything above it hatched."""
        y, over = self.scale.y(self.series.budget), self.theme.over
        hatch(painter, QRectF(self.plot.topLeft(), QPointF(self.plot.right(), y)), faint(over, 0.22))
        painter.setPen(budget_pen(self.theme))
        painter.drawLine(QPointF(self.plot.left(), y), QPointF(self.plot.right(), y))
        painter.setFont(self.small)
        first, second = self._budget_texts()
        self._write(painter, first, y - self._line, self.theme.text)
        self._write(painter, second, y, self.theme.muted)

    def _write(self, painter: QPainter, text: str, top: float, colour: QColor) -> None:
        """A label in the right margin."""
        left = self.plot.right() + _GAP / 2
        top = min(max(top, self.area.top()), self.area.bottom() - self._line)
        place = QRectF(left, top, self.area.right() - left - 2, self._line)
        painter.setPen(colour)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, elided(text, painter.font(), place.width()))

    def _paint_axis(self, painter: QPainter) -> None:
        wide = text_width("−0.405", self.small)
        for tick in self.scale.ticks(_TICKS_APART):
            y = self.scale.y(tick)
            painter.setPen(QPen(self.theme.grid, 1.0))
            painter.drawLine(QPointF(self.plot.left(), y), QPointF(self.plot.right(), y))
            right = self.plot.left() - _GAP / 2
            painter.setFont(self.small)
            painter.setPen(self.theme.muted)
            painter.drawText(_left_of(right, y), _RIGHT, logarithm(tick))
            painter.setFont(self.font)
            painter.setPen(self.theme.text)
            painter.drawText(_left_of(right - wide - _GAP, y), _RIGHT, factor(tick))
        if self.has_floor:
            text = self._floor_words()
            painter.setFont(self.small)
            painter.setPen(self.theme.muted)
            painter.drawText(_left_of(self.plot.left() - _GAP / 2, self.floor), _RIGHT, text)
        painter.setPen(QPen(self.theme.axis, 1.0))
        painter.drawLine(self.plot.bottomLeft(), self.plot.bottomRight())

    def _floor_words(self) -> str:
        """What stands at the floor: values that fell without a bound, those without evidence, or both."""
        values = [a for a in self.series.values() if a is None or a == -math.inf]
        if values and all(a is None for a in values):
            return QCoreApplication.translate("chart", "no evidence –")
        if any(a is None for a in values):
            return QCoreApplication.translate("chart", "ruled out ↓, none –")
        return QCoreApplication.translate("chart", "ruled out ↓")

    def _paint_column(self, painter: QPainter) -> None:
        """The step under the pointer, lightly."""
        if self.shown.hovered is not None:
            left = self.plot.left() + self.shown.hovered * self.slot
            column = QRectF(left, self.plot.top(), self.slot, self.plot.height())
            painter.fillRect(column, faint(self.theme.text, 0.05))

    def _paint_band(self, painter: QPainter) -> None:
        """From the median to the 90th percentile of the targets' evidence."""
        painter.setPen(Qt.PenStyle.NoPen)
        for i, point in enumerate(self.series.points):
            if point.median is None or point.ninth is None:
                continue
            right = self.x(i + 1) if i + 1 < len(self.series.points) else self.x(i) + self.slot / 4
            top, bottom = self.y(point.ninth), self.y(point.median)
            band = QRectF(self.x(i), top, right - self.x(i), max(bottom - top, 2.0))
            painter.fillRect(band, faint(self.theme.within, 0.25))

    def _paint_secrets(self, painter: QPainter) -> None:
        """A thin line a secret, the gravest twelve at the current prefix, named where there is room."""
        painter.setFont(self.small)
        budget, half = self.scale.y(self.series.budget), self._line / 2
        taken = [budget - half, budget + half]
        for s in self._gravest():
            painter.setPen(QPen(self.theme.axis, 1.0))
            values = [p.by_secret[s] if s < len(p.by_secret) else None for p in self.series.points]
            self._steps(painter, values, range(len(values)))
            end = self.y(values[-1])
            if all(abs(end - y) >= self._line for y in taken) and values[-1] is not None:
                taken.append(end)
                self._write(painter, self.series.secrets[s], end - half, self.theme.muted)

    def _paint_branches(self, painter: QPainter) -> None:
        """Where the plan might have gone: grey lines from the step they part at, named at their ends."""
        painter.setFont(self.small)
        taken: list[float] = []
        for branch in self.series.branches:
            painter.setPen(QPen(self.theme.axis, 1.4))
            values = [None] * branch.start + list(branch.alphas)
            self._steps(painter, values, range(branch.start, len(values)))
            end = QPointF(self.x(branch.end), self.y(branch.alphas[-1]))
            painter.setBrush(self.theme.surface)
            painter.drawEllipse(end, 3.0, 3.0)
            top = end.y() - self._line
            if all(abs(top - y) >= self._line for y in taken):
                taken.append(top)
                place = QRectF(end.x() + 6, top, self.area.right() - end.x() - 8, self._line)
                painter.setPen(self.theme.muted)
                painter.drawText(place, elided(branch.name, self.small, place.width()))

    def _gravest(self) -> list[int]:
        here = self.series.points[self.series.position].by_secret
        heights = [-math.inf if alpha is None else alpha for alpha in here]
        return sorted(range(len(here)), key=lambda s: -heights[s])[:_MOST_SECRETS]

    def _paint_lines(self, painter: QPainter) -> None:
        alphas = [p.alpha for p in self.series.points]
        here = self.series.position
        painter.setPen(QPen(blend(self.theme.muted, self.theme.surface, 0.45), 2.0))
        self._steps(painter, alphas, range(here, len(alphas)))
        painter.setPen(QPen(self.theme.muted, 2.0))
        self._steps(painter, alphas, range(here + 1))
        if self.series.preview is not None:
            pens = (QPen(self.theme.surface, 4.0), QPen(self.theme.preview, 2.0, Qt.PenStyle.DashLine))
            for pen in pens:  # the first clears what lies under the dashes
                painter.setPen(pen)
                self._step(painter, here, self.series.points[here].alpha, self.series.preview.alpha)

    def _steps(self, painter: QPainter, values: list[float | None], indices: range) -> None:
        for i in indices[:-1]:
            self._step(painter, i, values[i], values[i + 1])

    def _step(self, painter: QPainter, i: int, before: float | None, after: float | None) -> None:
        """A value holds until the next step; where there is no evidence the line has a gap."""
        if before is None:
            return
        corner = QPointF(self.x(i + 1), self.y(before))
        painter.drawLine(QPointF(self.x(i), self.y(before)), corner)
        if after is not None:
            painter.drawLine(corner, QPointF(self.x(i + 1), self.y(after)))

    def _paint_points(self, painter: QPainter) -> None:
        for i, point in enumerate(self.series.points):
            colour = self.theme.mark(self.series.standing(point))
            if i > self.series.position:
                colour = blend(colour, self.theme.surface, 0.35)
            self._point(painter, self.at(i), point, colour, hollow=False)
        here = self.at(self.series.position)
        painter.setPen(QPen(self.theme.text, 1.5))
        foot = QPointF(here.x(), self.plot.bottom())
        painter.drawLine(foot - QPointF(self.slot * 0.3, 0), foot + QPointF(self.slot * 0.3, 0))
        place = self.preview_at()
        if place is not None and self.series.preview is not None:
            colour = self.theme.mark(self.series.standing(self.series.preview))
            self._point(painter, place, self.series.preview, colour, hollow=True)
        if self.shown.focus is not None:
            draw_focus(painter, self.at(self.shown.focus), self.theme)

    def _point(
        self, painter: QPainter, place: QPointF, point: ChartPoint, colour: QColor, *, hollow: bool
    ) -> None:
        standing = self.series.standing(point)
        if point.alpha == -math.inf:
            draw_arrow_down(painter, place, colour)
            return
        draw_mark(painter, place, standing, colour, self.theme.surface, hollow=hollow)
        if standing is Standing.OVER:
            draw_ring(painter, place, colour)

    def _paint_labels(self, painter: QPainter) -> None:
        """The number of each step and what it does, as far as there is room."""
        every = max(1, math.ceil(_LABEL_APART / 2 / max(self.slot, 1)))
        for i, point in enumerate(self.series.points):
            if i % every == 0:
                undone = i > self.series.position
                self._label(painter, i, point.axis_label, self.theme.muted if undone else self.theme.text)
        if self.series.preview is not None and self.series.position + 1 == len(self.series.points):
            self._label(
                painter, self.series.position + 1, self.series.preview.axis_label, self.theme.preview_text
            )

    def _label(self, painter: QPainter, i: int, label: str, colour: QColor) -> None:
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        here = i == self.series.position
        font = QFont(self.small)
        font.setBold(here)
        painter.setFont(font)
        painter.setPen(colour)
        width = max(self.slot, 24.0)
        place = QRectF(self.x(i) - width / 2, self.plot.bottom() + _GAP / 2, width, self._line)
        exposed = i < len(self.series.points) and self.series.points[i].exposed
        painter.drawText(place, centre, f"{RELEASED} {i}" if exposed else str(i))
        if self.slot >= _LABEL_APART:
            for line, text in enumerate(wrapped(label, font, self.slot - _GAP / 2, _LABEL_LINES)):
                painter.drawText(place.translated(0, (line + 1) * self._line), centre, text)

    def _paint_head(self, painter: QPainter) -> None:
        """What the point under the pointer, in focus or current says, in one line."""
        shown = self.series.position if self.shown.focus is None else self.shown.focus
        if self.shown.hovered is not None and self.shown.hovered < len(self.series.points):
            shown = self.shown.hovered
        text = f"{point_title(self.series, shown)}: {point_line(self.series, self.series.points[shown])}"
        if self.series.preview is not None and self.shown.hovered is None and self.shown.focus is None:
            after = point_line(self.series, self.series.preview)
            text = QCoreApplication.translate("chart", "{0}  →  preview {1}").format(text, after)
        painter.setFont(self.font)
        painter.setPen(self.theme.text)
        place = QRectF(self.area.left() + _GAP, self.area.top() + _GAP / 2, self.area.width() - 2 * _GAP, 24)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, elided(text, self.font, place.width()))
        key = QCoreApplication.translate("chart", "shaded: median to 90 % of the targets")
        free = place.width() - text_width(text, self.font) - 2 * _GAP
        if self.shown.band and free >= text_width(key, self.small):
            painter.setFont(self.small)
            painter.setPen(self.theme.within_text)
            painter.drawText(place, _RIGHT, key)


def _left_of(x: float, y: float) -> QRectF:
    """Room for a figure that ends at a place."""
    return QRectF(x - 200, y - 20, 200, 40)
