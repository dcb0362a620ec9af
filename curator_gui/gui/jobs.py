"""Work in threads: how far it is, how it is cancelled, and its result brought back to the window's thread.

A job's thread only leaves marks (progress, parts, result); a timer in the window's thread collects them, so
that no signal is ever emitted thousands of times a second.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from curator_gui.core.errors import Cancelled, CuratorError

_COLLECT_EVERY_MS = 120
_log = logging.getLogger(__name__)

Work = Callable[["Job"], Any]


@dataclass(eq=False)
class Job:
    """One piece of work in a thread. Called as ``job(done, what)`` it is a ``Progress``.

    name: what it does, for the status bar. kind: a new job of a kind replaces the older one. lasting: what it
    did stands, so that no other job replaces it, and a result that came in spite of a cancel is delivered.
    """

    name: str
    kind: str
    done: Callable[[Any], None]
    failed: Callable[[str], None]
    part: Callable[[list[Any]], None] | None = None
    lasting: bool = False
    fraction: float = 0.0
    phase: str = ""
    result: Any = None
    error: Exception | None = None
    parts: deque[Any] = field(default_factory=deque)
    ended: Event = field(default_factory=Event)
    thread: Thread | None = None
    _cancelled: Event = field(default_factory=Event)

    def __call__(self, done: float, what: str) -> None:
        """Report progress; raises ``Cancelled`` once the user asked for it."""
        self.check()
        self.fraction, self.phase = done, what

    def check(self) -> None:
        """Raise ``Cancelled`` once the user asked for it."""
        if self._cancelled.is_set():
            raise Cancelled

    def give(self, part: Any) -> None:
        """Hand over a part of the result before the rest is there."""
        self.check()
        self.parts.append(part)

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()


class Jobs(QObject):
    """The running jobs. ``changed``: a job began, moved on or ended; at most some twenty times a second."""

    changed = Signal()
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: list[Job] = []
        self._timer = QTimer(self)
        self._timer.setInterval(_COLLECT_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._woken.connect(self.collect, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs at work, those asked to end left out."""
        return tuple(j for j in self._running if not j.cancelled)

    def start(
        self,
        name: str,
        work: Work,
        *,
        kind: str,
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        part: Callable[[list[Any]], None] | None = None,
        lasting: bool = False,
    ) -> Job:
        """Run ``work(job)`` in a thread; older jobs of the kind, but for ``lasting`` ones, are cancelled and
        their results dropped.

        ``done(result)``, ``part(parts)`` and ``failed(sentence)`` are called in the window's thread, never
        after the job was cancelled, but for the result of a ``lasting`` one that was done by then.
        """
        self._cancel([j for j in self.running if j.kind == kind and not j.lasting])
        job = Job(name, kind, done, failed, part, lasting)
        job.thread = Thread(target=self._run, args=(job, work), name=f"curator {kind}", daemon=True)
        self._running.append(job)
        job.thread.start()
        self._timer.start()
        self.changed.emit()
        return job

    def cancel(self, kind: str | None = None) -> None:
        """Ask the jobs of a kind, or all of them, to end; nothing of theirs is delivered any more."""
        self._cancel([j for j in self.running if kind in (None, j.kind)])

    def _cancel(self, asked: Sequence[Job]) -> None:
        for job in asked:
            job.cancel()
        if asked:
            self.changed.emit()

    def end(self, kind: str) -> None:
        """Cancel the jobs of a kind, wait for their threads and deliver what stands all the same."""
        self.cancel(kind)
        for job in self._running:
            if job.kind == kind and job.thread is not None:
                job.thread.join()
        self.collect()

    def close(self) -> None:
        """Cancel all jobs and wait for their threads."""
        for job in self._running:
            job.cancel()
        for job in self._running:
            if job.thread is not None:
                job.thread.join()
        self._running.clear()
        self._timer.stop()

    def _run(self, job: Job, work: Work) -> None:
        try:
            job.result = work(job)
        except Cancelled:
            job.cancel()
        except Exception as error:  # noqa: BLE001 - the edge of a thread
            job.error = error
        job.ended.set()
        try:
            self._woken.emit()
        except RuntimeError:  # the window is gone already
            return

    def collect(self) -> None:
        """Deliver what the threads left since the last time."""
        for job in list(self._running):
            ended = job.ended.is_set()  # before the parts: an ended job leaves no part behind
            self._deliver_parts(job)
            if ended:
                self._end(job)
        if not self._running:
            self._timer.stop()
        self.changed.emit()

    def _deliver_parts(self, job: Job) -> None:
        parts = [job.parts.popleft() for _ in range(len(job.parts))]
        if parts and job.part is not None and not job.cancelled:
            job.part(parts)

    def _end(self, job: Job) -> None:
        if job not in self._running:
            return
        self._running.remove(job)
        if job.thread is not None:
            job.thread.join()
        if job.cancelled and not (job.lasting and job.result is not None):
            return
        if job.error is None:
            job.done(job.result)
        else:
            job.failed(sentence_of(job.error))


def sentence_of(error: BaseException) -> str:
    """An error in one sentence; one that is no ``CuratorError`` is our defect and goes to the log."""
    if isinstance(error, CuratorError):
        return str(error)
    if isinstance(error, MemoryError):
        return _text("There is not enough memory for this; close other programs or open a smaller table.")
    _log.error("%s at %s", type(error).__name__, _place(error))
    said = _text("Something went wrong inside the program ({0}); your work is kept.")
    return said.format(type(error).__name__)


def _text(source: str) -> str:
    return QCoreApplication.translate("jobs", source)


def _place(error: BaseException) -> str:
    """Where an error arose: files and lines, none of the values in its message."""
    places, trace = [], error.__traceback__
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(places[-12:])
