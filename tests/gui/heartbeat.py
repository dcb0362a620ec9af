"""A pulse in the thread of the window: how long it was ever kept waiting."""

from __future__ import annotations

import random
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QTimer

from curator_gui.core.predicate import parse_predicate
from curator_gui.core.protection import Protection, Secret, VisibleAttribute

PROTECTION = Protection(
    visible=(VisibleAttribute("sex"), VisibleAttribute("town")),
    secrets=(Secret("ill", parse_predicate("state = 'ill'")),),
    budget=0.2,
)


class Heartbeat:
    """Beats every 5 ms; ``gaps`` are the milliseconds between beats."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self._last = perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = perf_counter()
        self.gaps.append(1000 * (now - self._last))
        self._last = now

    def stop(self) -> None:
        self._timer.stop()

    @property
    def longest(self) -> float:
        return max(self.gaps)

    @property
    def ninety_nine(self) -> float:
        """The 99th percentile."""
        return sorted(self.gaps)[int(0.99 * (len(self.gaps) - 1))]


def write_table(path: Path, rows: int) -> Path:
    """An invented table of people with a few columns of different kinds."""
    draw = random.Random(5)
    with path.open("w") as file:
        file.write("number,sex,town,age,income,state\n")
        for i in range(rows):
            state = "ill" if draw.random() < 0.1 else "well"
            file.write(
                f"{i:07},{draw.choice('FM')},town {draw.randrange(40)},{draw.randrange(18, 90)},"
                f"{draw.randrange(900, 9000)},{state}\n"
            )
    return path
