"""The window's controller: it owns the session and its jobs, and tells the panels what to read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from curator_gui.bundled import sample
from curator_gui.core.describe import describe_operator
from curator_gui.core.errors import CuratorError, InputError
from curator_gui.core.operators import Generalize, Operator, Plan, Project
from curator_gui.core.protection import Observer, Protection
from curator_gui.core.view import Level
from curator_gui.disclosure.candidates import Candidate, look_at
from curator_gui.disclosure.explain import Look
from curator_gui.disclosure.scoring import RemovedTargets, Scoring
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import PriorFigures, Trajectory, prior_figures
from curator_gui.gui.controller_further import Further
from curator_gui.gui.jobs import Job, Jobs, sentence_of
from curator_gui.session import Session, Snapshot
from curator_gui.store.exposed import Exposed, exposed_tables
from curator_gui.store.readers import Credentials
from curator_gui.store.release import Released

_REMEMBERED = 8
_LOOKS = 3
_SCORE_AFTER_MS = 30  # first the panels show the change, undisturbed by the thread that scores it
_MANY = 1000
_MANY_AFTER_MS = 1500  # of thousands of candidates the panels are not told at each handful that comes in

_Key = tuple[Scoring, Plan]


@dataclass(frozen=True)
class _Between:
    """By prefix, the targets removed between two releases."""

    removed: Mapping[int, RemovedTargets]


@dataclass(frozen=True)
class _Over:
    """The plans of tables that left above the budget."""

    plans: tuple[Plan, ...]


class Controller(QObject):
    """What the panels read and what their clicks call. Each change is done whole, or refused by ``problem``.

    Panels read the attributes and connect to the signals; they never change the session themselves.
    """

    session_changed = Signal()
    """Another session, source or protection: read everything again, the plan included."""
    plan_changed = Signal()
    """The plan or the position in it."""
    trajectory_changed = Signal()
    candidates_changed = Signal()
    """Scores streamed in, or the list was replaced."""
    preview_changed = Signal()
    """The candidate under the cursor."""
    selection_changed = Signal()
    """The target looked at."""
    job_changed = Signal()
    problem = Signal(str)
    """A refusal in one sentence."""
    notice = Signal(str)
    """Something done, in one sentence."""
    released = Signal(object)
    """A release was written and read back: ``Released``."""
    release_failed = Signal(str)
    """Why it was not, in one sentence; it goes to ``problem``, too."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.may_replace: Callable[[], bool] = lambda: True
        """Asked when another session is ready: whether it may be shown in the place of the present one."""
        self.jobs = Jobs(self)
        self.jobs.changed.connect(self.job_changed)
        self._soon = QTimer(self, singleShot=True, interval=_SCORE_AFTER_MS)
        self._soon.timeout.connect(self._start_scoring)
        self._later = QTimer(self, singleShot=True, interval=_MANY_AFTER_MS)
        self._later.timeout.connect(self.candidates_changed)
        self._session: Session | None = None
        self._trajectory: Trajectory | None = None
        self._candidates: tuple[Candidate, ...] = ()
        self._complete = False
        self._own: dict[Plan, tuple[Operator, ...]] = {}
        self._remembered: dict[_Key, tuple[Candidate, ...]] = {}
        self._preview: Candidate | None = None
        self._chosen: tuple[int, str] | None = None
        self._standing: Standing | None = None
        self._prior: PriorFigures | None = None
        self._between: Mapping[int, RemovedTargets] = {}
        self._over: tuple[Plan, ...] = ()
        self._looks: dict[object, Look] = {}
        self.further = Further(self)

    # --- what panels read ---

    @property
    def session(self) -> Session | None:
        return self._session

    @property
    def trajectory(self) -> Trajectory | None:
        """The scores known so far. While a new step is scored, its ``plan`` is shorter than the session's."""
        return self._trajectory

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The next steps scored so far, from the current position, in the order they came."""
        return self._candidates

    @property
    def candidates_complete(self) -> bool:
        """Whether no further scores will stream in."""
        return self._complete

    @property
    def scoring_stopped(self) -> bool:
        """Whether scores are missing and nothing works on them: the job was cancelled, or failed."""
        waits = self._complete or self._soon.isActive() or self._session is None
        return not waits and all(j.kind != "score" for j in self.jobs.running)

    @property
    def preview(self) -> Candidate | None:
        return self._preview

    @property
    def standing(self) -> Standing | None:
        """The prefix at the position, once its scoring has begun; None until then."""
        return self._standing

    @property
    def prior(self) -> PriorFigures | None:
        """What the visible attributes give away by themselves."""
        return self._prior

    @property
    def looked_at(self) -> tuple[int, str] | None:
        """The target (row from 0) and the secret's name: chosen, or the worst of the preview or position."""
        if self._chosen is not None:
            return self._chosen
        worst = self._preview.worst if self._preview else None
        if worst is not None:
            return worst.target, worst.secret
        return self.worst_here

    @property
    def target(self) -> int | None:
        return self.looked_at[0] if self.looked_at else None

    @property
    def secret(self) -> str | None:
        return self.looked_at[1] if self.looked_at else None

    @property
    def worst_here(self) -> tuple[int, str] | None:
        """The worst target at the position and its secret, once they are known."""
        session, trajectory = self._session, self._trajectory
        if session is None or trajectory is None or session.position >= len(trajectory.prefixes):
            return None
        worst = trajectory.prefixes[session.position].worst
        return None if worst is None else (worst.target, worst.secret)

    @property
    def removed_between(self) -> RemovedTargets | None:
        """Who was removed between two releases; None for every observer but the accumulating one."""
        return None if self._session is None else self._between.get(self._session.position)

    @property
    def exposed_over(self) -> tuple[Exposed, ...]:
        """Other tables that left above the budget, under this plan or another; those scored so far."""
        session = self._session
        if session is None:
            return ()
        tables = exposed_tables(session.record)
        return tuple(t for t in tables if t.plan in self._over and t.plan != session.current_plan)

    def look(self) -> Look | None:
        """The looked-at target's set now and after the preview (no preview: now, twice), once known."""
        return None if self.looked_at is None else self.look_of(self.looked_at)

    def look_of(self, at: tuple[int, str]) -> Look | None:
        """The same of any target and secret."""
        standing = self._standing
        if standing is None or not self._fits(standing, at):
            return None
        operator = self._preview.operator if self._preview else None
        key = (standing, operator, at)
        if key not in self._looks:
            secret = self._secret_names(standing).index(at[1])
            kept = list(self._looks.items())[-_LOOKS:]
            seen = look_at(standing, operator, at[0], secret, exposed=self._exposed_here())
            self._looks = dict([*kept, (key, seen)])
        return self._looks[key]

    def describe(self, operator: Operator) -> str:
        """The operator as a label such as “Drop med”."""
        ladders = self._session.source.hierarchies if self._session else {}
        match operator:
            case Generalize(column, Level(level)) if (
                column in ladders and 0 < level <= ladders[column].height
            ):
                operator = Generalize(column, ladders[column].view(level))  # shorter: what the level does
        return describe_operator(operator, ladders)

    # --- opening, saving, closing ---

    def open_path(
        self, path: Path, *, data: Path | None = None, credentials: Credentials | None = None
    ) -> None:
        """Open a session (.json) or a table; ``data``: the table to score a session's plan on afresh."""

        def work(job: Job) -> Session:
            if path.suffix.lower() == ".json":
                return Session.load(path, data=data, progress=job, credentials=credentials)
            return Session.open_table(path, progress=job)

        self.open_by(self.tr("Opening {0}").format(path.name), work)

    def open_table(self, path: Path, **choices: Any) -> None:
        """Open a table as chosen: ``choices`` are those of ``Session.open_table``."""
        self.open_by(
            self.tr("Opening {0}").format(path.name), lambda job: Session.open_table(path, job, **choices)
        )

    def open_sample(self, name: str = "clinic.curation.json") -> None:
        """Open a bundled sample as an untitled session; the installation is never written to."""

        def work(job: Job) -> Session:
            session = Session.load(sample(name), progress=job)
            session.path = None
            return session

        self.open_by(self.tr("Opening the sample"), work)

    def open_by(
        self,
        name: str,
        work: Callable[[Job], Session],
        *,
        opened: Callable[[], None] = lambda: None,
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Show the session that ``work`` gives, unless the present one is to stay; neither ``opened`` nor
        ``failed`` follows then, nor after a cancel."""

        def done(session: Session) -> None:
            if self.may_replace():
                self.set_session(session)
                opened()
            else:
                self.notice.emit(self.tr("What was open stays open; nothing else was opened."))

        self.jobs.start(name, work, kind="open", done=done, failed=failed or self.problem.emit)

    def set_session(self, session: Session | None) -> None:
        """Show a session, or none."""
        self.jobs.cancel("score")
        self._session = session
        self._forget_scores()
        self.session_changed.emit()
        self._score()

    def close_session(self) -> None:
        self.set_session(None)

    def save(self, path: Path) -> bool:
        """Write the session file; whether it was written."""
        session = self._session
        if session is None:
            return False
        if self._trajectory is not None and self._trajectory.plan == session.plan:
            session.remember_scores(self._trajectory)
        if not self._try(lambda: session.save(path)):
            return False
        self.notice.emit(self.tr("Saved {0}.").format(path.name))
        self.plan_changed.emit()
        return True

    def shutdown(self) -> None:
        """Cancel all jobs and wait for their threads."""
        self._soon.stop()
        self._later.stop()
        self.jobs.close()

    # --- the plan ---

    def commit(self, operator: Operator) -> bool:
        """Put an operator after the position; whether it was."""
        return self._change_plan(lambda s: s.commit(operator))

    def commit_preview(self) -> bool:
        if self._preview is None:
            self.problem.emit(self.tr("Select a next step first; then it can be committed."))
            return False
        return self.commit(self._preview.operator)

    def apply_saved(self, name: str) -> bool:
        """Put saved steps after the position."""
        return self._change_plan(lambda s: s.apply_saved(name))

    def save_steps(self, name: str) -> None:
        """Keep the steps up to the position under a name."""
        if self._session is not None:
            self._session.save_steps(name)
            self.plan_changed.emit()

    def apply_branch(self, index: int) -> bool:
        """Stand at the end of another branch; the present plan is kept as one in its turn."""
        if self._session is None:
            return False
        branch = self._session.record.branches[index]

        def change(session: Session) -> None:
            shared = len(_common(session.plan, branch.plan))
            session.go_to(shared)
            session.commit_all(branch.plan[shared:])

        return self._change_plan(change)

    def undo(self) -> bool:
        return self._change_plan(Session.undo)

    def redo(self) -> bool:
        return self._change_plan(Session.redo)

    def go_to(self, position: int) -> bool:
        """Stand at any prefix of the plan."""
        return self._change_plan(lambda s: s.go_to(position))

    def _change_plan(self, change: Any) -> bool:
        session = self._session
        if session is None or self._refused_while_releasing():
            return False
        before = (session.plan, session.position)
        if not self._try(lambda: change(session)):
            return False
        if (session.plan, session.position) != before:
            self._plan_moved(session)
        return True

    def _plan_moved(self, session: Session) -> None:
        self._drop_candidates()
        if self._trajectory is not None:
            self._trajectory = _shortened(self._trajectory, session.plan)
        self.plan_changed.emit()
        self.trajectory_changed.emit()
        self._score()

    # --- what is protected, and how columns are read ---

    def set_protection(self, protection: Protection) -> str | None:
        """Another protection; the sentence of the refusal, or None when it was taken."""
        return self.change_session(lambda s: s.set_protection(protection))

    def set_budget(self, budget: float) -> str | None:
        """Another τ."""
        return self._with_protection(budget=budget)

    def set_observer(self, observer: Observer) -> str | None:
        return self._with_protection(observer=observer)

    def _with_protection(self, **changed: Any) -> str | None:
        if self._session is None:
            return None
        return self.set_protection(replace(self._session.protection, **changed))

    def change_session(self, change: Any) -> str | None:
        """Run ``change(session)`` that bears on every score; the sentence of its refusal, or None."""
        session = self._session
        if session is None or self._refused_while_releasing():
            return self.tr("Wait until the release is written, or cancel it.") if session else None
        try:
            change(session)
        except CuratorError as error:
            return str(error)
        self.jobs.cancel("score")
        self._forget_scores()
        self.session_changed.emit()
        self._score()
        return None

    # --- candidates and the preview ---

    def set_preview(self, candidate: Candidate | None) -> None:
        """The candidate to preview everywhere; None for none."""
        if candidate is self._preview:
            return
        self._preview = candidate
        self._chosen = None
        self.preview_changed.emit()
        self.selection_changed.emit()

    def score_own(self, operator: Operator) -> None:
        """Add an operator of the curator's own to the candidates, and preview it."""
        session = self._session
        if session is None:
            return
        scoring, plan = session.scoring, session.current_plan
        key = (scoring, plan)

        def done(candidate: Candidate) -> None:
            if self._moved(key):
                return
            own = [o for o in self._own.get(plan, ()) if o != operator]
            self._own[plan] = (*own, operator)
            others = tuple(c for c in self._candidates if c.operator != operator)
            self._candidates = (candidate, *others)
            self.candidates_changed.emit()
            self.set_preview(candidate)

        self.jobs.start(
            self.tr("Scoring your step"),
            lambda _: scoring.candidate(plan, operator),
            kind="own",
            done=done,
            failed=self.problem.emit,
        )

    def is_own(self, candidate: Candidate) -> bool:
        """Whether the curator wrote this operator."""
        session = self._session
        if session is None:
            return False
        return candidate.operator in self._own.get(session.current_plan, ())

    @property
    def own_here(self) -> frozenset[Operator]:
        """The curator's own operators at the position."""
        session = self._session
        return frozenset(self._own.get(session.current_plan, ())) if session else frozenset()

    @property
    def identifying(self) -> tuple[Operator, ...]:
        """The one step that drops every column marked as an identifier; empty where none is kept."""
        if self._session is None:
            return ()
        roles, kept = self._session.record.roles, self._session.prefix.columns
        names = tuple(n for n in kept if roles.get(n) == "identifier")
        return (Project(names),) if names and len(names) < len(kept) else ()

    def select_target(self, target: int, secret: str | None = None) -> None:
        """Look at a target (row from 0) and a secret, by default the one looked at now."""
        if self._standing is None:
            return
        names = self._secret_names(self._standing)
        name = secret or self.secret or (names[0] if names else None)
        if name is not None:
            self._chosen = (target, name)
            self.selection_changed.emit()

    def select_worst(self) -> None:
        """Look at the worst target again."""
        self._chosen = None
        self.selection_changed.emit()

    # --- release ---

    def release(
        self,
        path: Path,
        *,
        over_budget: str | None = None,
        keep_identifiers: Sequence[str] = (),
        keep_order: bool = False,
        **spelling: Any,
    ) -> None:
        """Write the prefix at the position; ``released`` follows, or ``release_failed``.

        spelling: how cells are spelled, as ``Session.release`` takes it.
        """
        session = self._session
        if session is None:
            return

        def work(job: Job) -> Released:
            return session.release(
                path,
                over_budget=over_budget,
                keep_identifiers=keep_identifiers,
                keep_order=keep_order,
                progress=job,
                **spelling,
            )

        self.jobs.start(
            self.tr("Releasing {0}").format(path.name),
            work,
            kind="release",
            done=self._has_released,
            failed=self._has_not_released,
            lasting=True,
        )

    def _has_released(self, released: Released) -> None:
        """A release is exposed from now on; everything is scored again in its light."""
        self._remembered.clear()
        self._drop_candidates()
        self.released.emit(released)
        self.plan_changed.emit()
        self._score()

    def _has_not_released(self, sentence: str) -> None:
        self.release_failed.emit(sentence)
        self.problem.emit(sentence)  # the dialog may be gone by now

    @property
    def releasing(self) -> bool:
        return any(j.kind == "release" for j in self.jobs.running)

    # --- jobs ---

    @property
    def cancellable(self) -> tuple[Job, ...]:
        """What runs and costs nothing to cancel: all but a synthesis, which is paid for."""
        return tuple(j for j in self.jobs.running if j.kind != "synthesis")

    def cancel_job(self) -> None:
        """Cancel what runs, if anything does; never a synthesis."""
        running = self.cancellable
        for job in running:
            self.jobs.cancel(job.kind)
        if running:
            self.notice.emit(self.tr("Cancelled: {0}.").format(running[-1].name))

    def cancel_release(self) -> None:
        """Cancel the release that runs and wait for its end; what is in place by then is recorded."""
        self.jobs.end("release")

    def score_again(self) -> None:
        """Score from the position once more, after the scoring was stopped."""
        self._drop_candidates()
        self._score()
        self.job_changed.emit()

    def _score(self) -> None:
        self._standing = None
        self.jobs.cancel("score")
        self._soon.start()

    def _start_scoring(self) -> None:
        session = self._session
        if session is None:
            return
        snapshot = session.snapshot()
        key = (snapshot.scoring, snapshot.plan)
        remembered = self._remembered.get(key)
        first = tuple(dict.fromkeys((*self._own.get(snapshot.plan, ()), *self.identifying)))

        def work(job: Job) -> tuple[Candidate, ...]:
            return _score_all(snapshot, first, remembered, job)

        def part(parts: list[Any]) -> None:
            self._take_scores(key, parts)

        def done(found: tuple[Candidate, ...]) -> None:
            self._scored(key, found)

        self.jobs.start(
            self.tr("Scoring"), work, kind="score", done=done, failed=self.problem.emit, part=part
        )

    def _take_scores(self, key: _Key, parts: list[Any]) -> None:
        if self._moved(key):
            return
        for part in parts:
            match part:
                case Trajectory():
                    self._trajectory = part
                case Standing():
                    self._standing = part
                case PriorFigures():
                    self._prior = part
                case _Between(removed):
                    self._between = removed
                case _Over(plans):
                    self._over = plans
        found = tuple(p for p in parts if isinstance(p, Candidate))
        self._candidates = (*self._candidates, *found)
        if any(isinstance(p, Trajectory | PriorFigures | _Between | _Over) for p in parts):
            self.trajectory_changed.emit()
        if any(isinstance(p, Standing) for p in parts):
            self.selection_changed.emit()
        if found and len(self._candidates) < _MANY:
            self.candidates_changed.emit()
        elif found and not self._later.isActive():
            self._later.start()

    def _scored(self, key: _Key, found: tuple[Candidate, ...]) -> None:
        if self._moved(key):
            return
        self._complete = True
        while len(self._remembered) >= _REMEMBERED:
            self._remembered.pop(next(iter(self._remembered)))
        self._remembered[key] = found
        self.candidates_changed.emit()

    def _moved(self, key: _Key) -> bool:
        """Whether a result was computed for another scoring or plan than the present one."""
        session = self._session
        return session is None or (session.scoring, session.current_plan) != key

    # --- inside ---

    def _try(self, change: Any) -> bool:
        try:
            change()
        except (CuratorError, OSError) as error:
            self.problem.emit(sentence_of(error))
            return False
        return True

    def _refused_while_releasing(self) -> bool:
        if self.releasing:
            self.problem.emit(self.tr("Wait until the release is written, or cancel it."))
        return self.releasing

    def _forget_scores(self) -> None:
        self._trajectory = None
        self._prior = None
        self._over = ()
        self._own.clear()
        self._remembered.clear()
        self._drop_candidates()

    def _drop_candidates(self) -> None:
        self._candidates, self._complete = (), False
        self._standing, self._chosen = None, None
        self._between, self._looks = {}, {}
        had_preview, self._preview = self._preview is not None, None
        self.candidates_changed.emit()
        if had_preview:
            self.preview_changed.emit()

    def _exposed_here(self) -> bool:
        return self._session is not None and self._session.position in self._session.record.exposed

    def _fits(self, standing: Standing, at: tuple[int, str]) -> bool:
        return at[0] < standing.population.rows and at[1] in self._secret_names(standing)

    @staticmethod
    def _secret_names(standing: Standing) -> list[str]:
        return [s.name for s in standing.population.secrets]


def _score_all(
    snapshot: Snapshot, first: tuple[Operator, ...], remembered: tuple[Candidate, ...] | None, job: Job
) -> tuple[Candidate, ...]:
    """The trajectory, then where the curator stands, then the next steps, each handed over as it comes."""
    job(0.0, "")
    trajectory = snapshot.trajectory(job)
    job.give(trajectory)
    job.give(_Over(snapshot.exposed_over(job)))
    job.give(snapshot.standing())
    job.give(prior_figures(snapshot.scoring.population))
    job.give(_Between(snapshot.scoring.removed_between_releases(trajectory)))
    found: list[Candidate] = []
    for candidate in remembered if remembered is not None else _streamed(snapshot, first):
        if isinstance(candidate, InputError):
            continue
        found.append(candidate)
        job.give(candidate)
    return tuple(found)


def _streamed(snapshot: Snapshot, first: tuple[Operator, ...]) -> Iterator[Candidate | InputError]:
    yield from snapshot.candidates(first)
    for candidate in snapshot.candidates():
        if isinstance(candidate, InputError) or candidate.operator not in first:
            yield candidate


def _shortened(trajectory: Trajectory, plan: Plan) -> Trajectory:
    """The part of a trajectory that holds of another plan too."""
    shared = _common(trajectory.plan, plan)
    return replace(trajectory, plan=shared, prefixes=trajectory.prefixes[: len(shared) + 1])


def _common(one: Plan, other: Plan) -> Plan:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(left for left, _ in pairs)
