"""What the disclosure chart shows, as plain values, with its words and its comma-separated numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from PySide6.QtCore import QCoreApplication

from curator_gui.gui.theme import MARKS, Standing, standing_of, standing_words
from curator_gui.gui.words import RELEASED, disclosure, disclosure_in_words, factor, full, targets

_MOST_READ_OUT = 12
_HEAD = (
    *("step", "label", "state", "released", "alpha", "factor", "standing"),
    *("targets_over_budget", "median", "p90"),
)


@dataclass(frozen=True)
class ChartPoint:
    """One prefix of a plan, or the candidate that would follow it.

    label: the step in words; short: the same where room is scarce, else the label; alpha, median, ninth,
    by_secret: natural logarithms, None where undefined; reason: one sentence on the worst target. Unknown
    quantiles and secrets are left out of the chart. exposed: its table has left the house.
    """

    label: str
    alpha: float | None
    over_budget: int = 0
    reason: str = ""
    median: float | None = None
    ninth: float | None = None
    by_secret: tuple[float | None, ...] = ()
    short: str = ""
    exposed: bool = False

    @property
    def axis_label(self) -> str:
        return self.short or self.label


@dataclass(frozen=True)
class BranchLine:
    """Another branch of the plan: α of its prefixes from the last one shared with the plan on."""

    name: str
    start: int
    alphas: tuple[float | None, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.alphas) - 1


@dataclass(frozen=True)
class DisclosureSeries:
    """points: α_0 … α_ℓ, of the steps that were undone too; position: the prefix the curator stands at;
    preview: the candidate after the position; branches: lines beside the plan's own."""

    points: tuple[ChartPoint, ...]
    position: int
    budget: float
    secrets: tuple[str, ...] = ()
    preview: ChartPoint | None = None
    branches: tuple[BranchLine, ...] = ()

    @property
    def slots(self) -> int:
        """The places along the axis; one is kept free for a candidate, so that previewing moves nothing."""
        return max(len(self.points), self.position + 2, *(b.end + 1 for b in self.branches), 0)

    def standing(self, point: ChartPoint) -> Standing:
        return standing_of(point.alpha, self.budget)

    def values(self) -> Iterator[float | None]:
        """The values of α, the preview's and the other branches' included."""
        shown = self.points if self.preview is None else (*self.points, self.preview)
        return chain((point.alpha for point in shown), *(b.alphas for b in self.branches))


def point_title(series: DisclosureSeries, index: int) -> str:
    """“Source” or “Step 2 · Drop med”; the index after the last point is the previewed candidate's."""
    if index == 0:
        return QCoreApplication.translate("chart", "Source, before any step")
    return QCoreApplication.translate("chart", "Step {0} · {1}").format(index, series.points[index].label)


def point_line(series: DisclosureSeries, point: ChartPoint) -> str:
    """“×1.5 (0.405), over budget”, with its mark."""
    standing = series.standing(point)
    if standing is Standing.NO_EVIDENCE:
        return f"{MARKS[standing]} {standing_words(standing)}"
    return f"{MARKS[standing]} {disclosure(point.alpha)}, {standing_words(standing)}"


def point_details(series: DisclosureSeries, index: int | None) -> str:
    """Everything known of a point, for its tooltip; None is the previewed candidate."""
    if index is None:
        assert series.preview is not None
        point = series.preview
        title = QCoreApplication.translate("chart", "Preview, not committed: {0}").format(point.label)
    else:
        point, title = series.points[index], point_title(series, index)
    standing = series.standing(point)
    value = f"{MARKS[standing]} {disclosure_in_words(point.alpha)}, {standing_words(standing)}"
    over = QCoreApplication.translate("chart", "{0} over budget").format(targets(point.over_budget))
    left = QCoreApplication.translate("chart", "Released: the table after this step has left the house")
    released = f"{RELEASED} {left}" if point.exposed else ""
    return "\n".join(line for line in (title, value, point.reason, over, released) if line)


def read_out(series: DisclosureSeries) -> str:
    """The chart in sentences, for those who hear it: every prefix, or the current and the largest of many."""
    budget = QCoreApplication.translate("chart", "Budget {0}.").format(disclosure(series.budget))
    lines = [budget, *(_heard(series, i) for i in _heard_points(series))]
    if series.preview is not None:
        preview = QCoreApplication.translate("chart", "Preview of {0}: {1}.")
        lines.append(preview.format(series.preview.label, point_line(series, series.preview)))
    return " ".join(lines)


def _heard_points(series: DisclosureSeries) -> list[int]:
    every = range(len(series.points))
    if len(every) <= _MOST_READ_OUT:
        return list(every)
    largest = max(every, key=lambda i: _height(series.points[i].alpha))
    return sorted({0, largest, series.position, len(every) - 1})


def _height(alpha: float | None) -> float:
    return float("-inf") if alpha is None else alpha


def _heard(series: DisclosureSeries, index: int) -> str:
    text = f"{point_title(series, index)}: {point_line(series, series.points[index])}."
    if series.points[index].exposed:
        text = QCoreApplication.translate("chart", "{0} It was released.").format(text)
    if index == series.position:
        return QCoreApplication.translate("chart", "You are here: {0}").format(text)
    return text


def series_csv(series: DisclosureSeries) -> str:
    """The numbers behind the chart; full precision, an empty cell where undefined, -inf at the floor."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_HEAD, *(f"alpha: {name}" for name in series.secrets)])
    for i, point in enumerate(series.points):
        state = "committed" if i <= series.position else "undone"
        writer.writerow(_row(series, str(i), point, state))
    if series.preview is not None:
        writer.writerow(_row(series, str(series.position + 1), series.preview, "preview"))
    for branch in series.branches:
        for i, alpha in enumerate(branch.alphas):
            point = ChartPoint(branch.name, alpha)
            writer.writerow(_row(series, str(branch.start + i), point, "other branch"))
    return out.getvalue()


def _row(series: DisclosureSeries, step: str, point: ChartPoint, state: str) -> list[str]:
    """Labels come from the data's names: one that a spreadsheet would take for a formula is quoted."""
    label = f"'{point.label}" if point.label[:1] in ("=", "+", "-", "@") else point.label
    numbers = [_cell(v) for v in (point.median, point.ninth, *point.by_secret)]
    standing = series.standing(point).value
    alpha, times = _cell(point.alpha), factor(point.alpha).removeprefix("×")
    times = times if point.alpha is not None and alpha != "-inf" else ("0" if alpha else "")
    released = "yes" if point.exposed else "no"
    over = str(point.over_budget) if state != "other branch" else ""
    return [step, label, state, released, alpha, times, standing, over, *numbers]


def _cell(value: float | None) -> str:
    return "" if value is None else full(value).replace("−", "-").replace("∞", "inf")
