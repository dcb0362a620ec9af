"""Figures of columns as they are asked for: at once where that is quick, else counted in a thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Column
from curator_gui.gui.controller import Controller
from curator_gui.gui.figures import Figures, figures_of, figures_shown
from curator_gui.gui.jobs import Job

_AT_ONCE = 200_000
"""Cells and distinct values up to which counting takes a millisecond or so."""
_MOST_KEPT = 20_000

_Key = tuple[int, ...]


class Counting(QObject):
    """Remembers the figures of columns. ``counted``: some that were asked for are there now."""

    counted = Signal()

    @classmethod
    def of(cls, controller: Controller) -> Counting:
        """The one of this controller, made when first asked for."""
        return controller.findChild(cls) or cls(controller)

    def __init__(self, controller: Controller) -> None:
        super().__init__(controller)
        self._jobs = controller.jobs
        self._known: dict[_Key, tuple[object, Figures]] = {}
        self._wanted: dict[_Key, tuple[object, Callable[[], Figures]]] = {}
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)
        controller.session_changed.connect(self._forget)

    def source(self, column: Column) -> Figures | None:
        """The figures of a source column; None while they are being counted."""
        return self._get((id(column),), column, lambda: figures_of(column), column)

    def prepared(self, shown: Shown, prefix: Prefix) -> Figures | None:
        """The figures of a column as prepared; None while they are being counted."""
        key = (id(shown.coarsening), id(shown.column), id(prefix.removed_at))
        kept = (shown, prefix)
        return self._get(key, kept, lambda: figures_shown(shown, prefix), shown.column)

    def _get(self, key: _Key, kept: object, work: Callable[[], Figures], column: Column) -> Figures | None:
        if key in self._known:
            return self._known[key][1]
        if column.rows + len(column.values) <= _AT_ONCE:
            return self._keep(key, kept, work())
        self._wanted[key] = (kept, work)
        if self._job is None or self._job.cancelled:
            self._timer.start(0)
        return None

    def _keep(self, key: _Key, kept: object, figures: Figures) -> Figures:
        """``kept`` is kept alive, so that its identity stays its own."""
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[key] = (kept, figures)
        return figures

    def _start(self) -> None:
        wanted, self._wanted = self._wanted, {}
        if not wanted:
            return

        def work(job: Job) -> None:
            for i, (key, (kept, count)) in enumerate(wanted.items()):
                job(i / len(wanted), "")
                job.give((key, kept, count()))

        self._job = self._jobs.start(
            self.tr("Counting values"),
            work,
            kind="figures",
            done=lambda _: self._ended(),
            failed=lambda _: self._ended(),
            part=self._take,
        )

    def _take(self, parts: list[tuple[_Key, object, Figures]]) -> None:
        for key, kept, figures in parts:
            self._keep(key, kept, figures)
        self.counted.emit()

    def _ended(self) -> None:
        self._job = None
        if self._wanted:
            self._timer.start(0)

    def _forget(self) -> None:
        self._known.clear()
        self._wanted.clear()
