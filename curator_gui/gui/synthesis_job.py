"""A synthesis under way: charged, then made in a child process, while a timer of the window follows it."""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass
from enum import Enum
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from curator_gui.core.errors import Cancelled
from curator_gui.gui.jobs import Job, Jobs, sentence_of
from curator_gui.gui.synthesis_words import stage_words
from curator_gui.session import Session
from curator_gui.synthesis import Phase, Stage
from curator_gui.synthesizing import CancelledAfterCharge, ChargedError, Made, Order, Preview, run

if TYPE_CHECKING:
    from curator_gui.store.ledger import Decision, Ledger

_POLL_MS = 100
_SPENT_AT_END = 0.95  # what ``synthesizing.run`` reports once all of ρ is spent
_TELLING = 0.1  # of the work, before which no time left is told


class Charge(Enum):
    """What a cancel would cost."""

    NOT_YET = "not yet"
    MAYBE = "maybe"
    CHARGED = "charged"


_BEFORE = {Phase.STARTING: Charge.NOT_YET, Phase.ASKING: Charge.MAYBE}


@dataclass(frozen=True)
class Outcome:
    """How it ended. made: the table; else ``sentence`` says why there is none, ``charged`` what it cost."""

    made: Made | None
    sentence: str = ""
    charged: Decision | None = None
    cancelled: bool = False


class SynthesisJob(QObject):
    """``progressed``: at most ten times a second. ``ended``: ``outcome`` is there.

    The session is its own: what happens in the window meanwhile does not change what is made.
    """

    progressed = Signal()
    ended = Signal()

    def __init__(self, jobs: Jobs, session: Session, ledger: Ledger, order: Order, shown: Preview) -> None:
        """shown: what its user agreed to; no less than that is accepted."""
        super().__init__(jobs)
        self.session, self.ledger, self.order = copy(session), ledger, order
        self.approved = shown.decision.approved
        self._request = shown.request.accepting(shown.decision)
        self.outcome: Outcome | None = None
        self.done, self.charge = 0.0, Charge.NOT_YET
        self.steps: list[Stage] = []
        self._jobs = jobs
        self._job: Job | None = None
        self._found: Outcome | None = None
        self._news: deque[tuple[float, Stage]] = deque()
        self._over = Event()
        self._began = monotonic()
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Begin; the charge follows as soon as the child process stands ready."""
        self._began = monotonic()
        self._job = self._jobs.start(
            self.tr("Synthesizing"),
            self._work,
            kind="synthesis",
            done=_dropped,
            failed=_dropped,
            lasting=True,  # it is paid for: a second one does not end the first
        )
        self._timer.start()

    def cancel(self) -> None:
        """Ask it to end; ``ended`` follows."""
        if self._job is not None:
            self._job.cancel()

    @property
    def cancelling(self) -> bool:
        return self._job is not None and self._job.cancelled and self.outcome is None

    @property
    def spent(self) -> float:
        """The share of the approved ρ that is used, 0 to 1."""
        return min(self.done / _SPENT_AT_END, 1.0)

    @property
    def seconds_left(self) -> float | None:
        """An estimate, once there is enough to tell by."""
        if self.done < _TELLING or self.outcome is not None:
            return None
        passed = monotonic() - self._began
        return passed * (1 - self.done) / self.done

    def collect(self) -> None:
        """Take what the thread left."""
        over = self._over.is_set()
        while self._news:
            self.take(*self._news.popleft())
        if over and self.outcome is None:
            self._timer.stop()
            self.outcome = self._found
            self.ended.emit()
        else:
            self.progressed.emit()

    def take(self, done: float, stage: Stage) -> None:
        """Note how far it is."""
        self.done = max(self.done, done)
        self.charge = _BEFORE.get(stage.phase, Charge.CHARGED)
        if not self.steps or self.steps[-1] != stage:
            self.steps.append(stage)

    # --- in the thread ---

    def _work(self, job: Job) -> None:
        def progress(done: float, stage: Stage) -> None:
            if not self._news or self._news[-1] != (done, stage):
                self._news.append((done, stage))
            job(done, stage_words(stage))

        try:
            self._found = Outcome(run(self.session, self.ledger, self.order, self._request, progress))
        except CancelledAfterCharge as ended:
            self._found = Outcome(None, str(ended), ended.decision, cancelled=True)
        except Cancelled:
            self._found = Outcome(None, cancelled=True)
        except ChargedError as error:
            self._found = Outcome(None, str(error), error.decision)
        except Exception as error:  # noqa: BLE001 - the edge of a thread
            self._found = Outcome(None, sentence_of(error))
        finally:
            self._over.set()


def _dropped(_: object) -> None:
    """The outcome is collected by the timer, cancelled or not."""
