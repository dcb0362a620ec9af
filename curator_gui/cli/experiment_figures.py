"""Figures of an experiment: both errors against what it varies, a line for each mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curator_gui.store.files import write_error
from curator_gui.synthesis.experiment import Record

_TITLES = {
    "length": "interest queries (L)",
    "epsilon": "privacy budget ε",
    "round": "release",
}
_PANELS = (("interest_error", "error of interest queries"), ("workload_error", "error of the workload"))
_MARKS = "os^Dv"


def draw_figures(folder: Path, name: str, records: Sequence[Record], varies: str) -> list[Path]:
    """Write NAME-errors.png (medians, with the middle half of the seeds) and NAME-seconds.png."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # heavy: only where figures are drawn
    from matplotlib.figure import Figure

    errors = Figure((9, 4), layout="constrained")
    FigureCanvasAgg(errors)
    for axes, (key, title) in zip(errors.subplots(1, 2), _PANELS, strict=True):
        _draw(axes, records, varies, key, title)
    errors.axes[0].legend(frameon=False)
    seconds = Figure((5, 4), layout="constrained")
    FigureCanvasAgg(seconds)
    axes = seconds.subplots()
    _draw(axes, records, varies, "seconds", "seconds")
    axes.legend(frameon=False)
    paths = []
    for figure, what in ((errors, "errors"), (seconds, "seconds")):
        figure.suptitle("Comparisons with real data: not private", fontsize="small")
        path = folder / f"{name}-{what}.png"
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise write_error(path, error) from None
        paths.append(path)
    return paths


def _draw(axes: Any, records: Sequence[Record], varies: str, key: str, title: str) -> None:
    """Medians over seeds, with a band from the first to the third quartile."""
    points = sorted({getattr(r, varies) for r in records})
    shown = [p + 1 for p in points] if varies == "round" else points
    for mark, mechanism in zip(_MARKS, dict.fromkeys(r.mechanism for r in records), strict=False):
        values = [
            [getattr(r, key) for r in records if r.mechanism == mechanism and getattr(r, varies) == p]
            for p in points
        ]
        low, middle, high = np.array([np.quantile(v or [np.nan], [0.25, 0.5, 0.75]) for v in values]).T
        (line,) = axes.plot(shown, middle, marker=mark, label=mechanism)
        axes.fill_between(shown, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set_xlabel(_TITLES[varies])
    axes.set_ylabel(title)
    axes.set_xticks(shown, [f"{p:g}" for p in shown])
    if varies == "epsilon":
        axes.set_xscale("log")
        axes.set_xticks(shown, [f"{p:g}" for p in shown], minor=False)
        axes.minorticks_off()
    if key != "seconds" and all(getattr(r, key) > 0 for r in records):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
