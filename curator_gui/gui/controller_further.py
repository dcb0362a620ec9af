"""What is worked out only when asked for: what one step more would reach, where other branches lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from curator_gui.core.operators import Operator, Plan
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.scoring import Scoring
from curator_gui.disclosure.trajectory import Trajectory
from curator_gui.gui.jobs import Job

if TYPE_CHECKING:
    from curator_gui.gui.controller import Controller


@dataclass(frozen=True)
class BranchScore:
    """Another branch and the scores of its prefixes."""

    name: str
    trajectory: Trajectory


@dataclass(frozen=True)
class _Second:
    first: Operator
    then: Candidate | None


class Further(QObject):
    """Scores beyond the next step. They hold of one scoring and plan, and go when either moves."""

    looked = Signal()
    """Second looks came in, or went."""
    branched = Signal()
    """The scores of the other branches came in, or went."""

    def __init__(self, controller: Controller) -> None:
        super().__init__(controller)
        self._controller = controller
        self._second: dict[Operator, Candidate | None] = {}
        self._at: tuple[Scoring, Plan] | None = None
        self._looking: Job | None = None
        self._branches: tuple[BranchScore, ...] = ()
        self._branches_for: tuple[Scoring, tuple[Plan, ...]] | None = None
        self._branches_wanted = False
        for signal in (controller.session_changed, controller.plan_changed):
            signal.connect(self._moved)

    # --- one step more ---

    def then(self, operator: Operator) -> Candidate | None:
        """The best step after a next step; None where there is none, or it was not looked for yet."""
        return self._second.get(operator)

    @property
    def looking(self) -> bool:
        """Whether second looks are being worked out."""
        return self._looking in self._controller.jobs.running

    def look(self) -> None:
        """Look for the best step after every next step, once these are known."""
        session, candidates = self._controller.session, self._controller.candidates
        if session is None or not self._controller.candidates_complete:
            return
        scoring, plan = session.scoring, session.current_plan
        wanted = [c for c in candidates if c.operator not in self._second]
        if not wanted or self.looking:
            return

        def work(job: Job) -> None:
            for i, candidate in enumerate(wanted):
                job(i / len(wanted), "")
                job.give(_Second(candidate.operator, scoring.second_look(plan, candidate)))

        self._looking = self._controller.jobs.start(
            self.tr("Looking one step further"),
            work,
            kind="further",
            done=lambda _: self.look(),  # a step of the curator's own may have been added meanwhile
            failed=self._controller.problem.emit,
            part=self._take,
        )

    def _take(self, parts: list[Any]) -> None:
        self._second.update((p.first, p.then) for p in parts)
        self.looked.emit()

    # --- other branches ---

    @property
    def branches(self) -> tuple[BranchScore, ...]:
        """The other branches asked for, as far as they are scored."""
        return self._branches

    def show_branches(self, shown: bool) -> None:
        """Score the other branches of the plan, and keep doing so; or stop."""
        self._branches_wanted = shown
        self._score_branches()

    def _score_branches(self) -> None:
        session = self._controller.session
        branches = session.record.branches if session and self._branches_wanted else ()
        if session is None or not branches:
            self._drop_branches()
            return
        scoring = session.scoring
        key = (scoring, tuple(b.plan for b in branches))
        if self._branches_for == key:
            return
        self._drop_branches()
        self._branches_for = key

        def work(job: Job) -> tuple[BranchScore, ...]:
            return tuple(BranchScore(b.name, scoring.trajectory(b.plan, job)) for b in branches)

        def done(found: tuple[BranchScore, ...]) -> None:
            self._branches = found
            self.branched.emit()

        self._controller.jobs.start(
            self.tr("Scoring the other branches"),
            work,
            kind="branches",
            done=done,
            failed=self._controller.problem.emit,
        )

    def _drop_branches(self) -> None:
        self._controller.jobs.cancel("branches")
        had, self._branches, self._branches_for = bool(self._branches), (), None
        if had:
            self.branched.emit()

    # --- inside ---

    def _moved(self) -> None:
        session = self._controller.session
        key = None if session is None else (session.scoring, session.current_plan)
        if self._at != key:
            self._at = key
            self._controller.jobs.cancel("further")
            self._second = {}
            self.looked.emit()
        self._score_branches()
