"""Scores of one source under one protection, remembered from step to step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Operator, Plan
from curator_gui.core.preparation import Prefix
from curator_gui.core.progress import Progress, silent
from curator_gui.core.protection import Observer
from curator_gui.disclosure.candidates import Candidate, score_candidate, second_look
from curator_gui.disclosure.generator import next_operators
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import PrefixScore, Trajectory, score_prefix
from curator_gui.disclosure.utility import check_weights


@dataclass(frozen=True)
class RemovedTargets:
    """Targets that left between two releases, and α for an observer who knows who is in the release."""

    targets: int
    alpha_membership_aware: float | None


@dataclass(frozen=True, eq=False)
class Scoring:
    """Immutable but for what it remembers, so that jobs in several threads may share it.

    exposed: the prefixes of a plan, by number, that left the curator's hands. released: earlier releases of
    the same source under other plans.
    """

    population: Population
    weights: Mapping[str, float] = field(default_factory=dict)
    exposed: tuple[int, ...] = ()
    released: tuple[Prefix, ...] = ()
    _prefixes: dict[Plan, Prefix] = field(default_factory=dict, repr=False)
    _scores: dict[Plan, PrefixScore] = field(default_factory=dict, repr=False)
    _standings: dict[Plan, Standing] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        check_weights(self.population.source.table, self.weights)

    def prefix(self, plan: Plan) -> Prefix:
        """A plan applied to the source; PlanError names the step that cannot follow."""
        if plan not in self._prefixes:
            if plan:
                before = self.prefix(plan[:-1])
                try:
                    self._prefixes[plan] = before.follow(plan[-1])
                except InputError as error:
                    raise error.at(f"plan[{len(plan) - 1}]") from None
            else:
                self._prefixes[plan] = self.population.source.prefix_0()
        return self._prefixes[plan]

    def standing(self, plan: Plan) -> Standing:
        """The prefix with everything its next step is scored from; only the last one asked for is kept."""
        with self._lock:
            if plan not in self._standings:
                self._standings.clear()
                self._standings[plan] = Standing(
                    self.population, self.prefix(plan), self._earlier(plan), self.weights
                )
            return self._standings[plan]

    def trajectory(self, plan: Plan, progress: Progress = silent) -> Trajectory:
        """The scores of every prefix of a plan; those known already are not computed again."""
        self.prefix(plan)
        for i in range(len(plan) + 1):
            progress(i / (len(plan) + 1), f"scoring step {i}")
            if plan[:i] not in self._scores:
                self._scores[plan[:i]] = score_prefix(self.standing(plan[:i]))
        scores = tuple(self._scores[plan[:i]] for i in range(len(plan) + 1))
        names = tuple(s.name for s in self.population.secrets)
        return Trajectory(plan, self.population.protection.budget, names, scores)

    def candidate(self, plan: Plan, operator: Operator) -> Candidate:
        """What the operator would do after the plan."""
        return score_candidate(self.standing(plan), operator, exposed=len(plan) in self.exposed)

    def candidates(
        self, plan: Plan, operators: Iterable[Operator] | None = None
    ) -> Iterator[Candidate | InputError]:
        """Scores as they come, of the operators given or of those worth trying from here."""
        for operator in next_operators(self.standing(plan)) if operators is None else operators:
            try:
                yield self.candidate(plan, operator)
            except InputError as error:
                yield error

    def second_look(self, plan: Plan, candidate: Candidate) -> Candidate | None:
        """The step, after a candidate, that leads to the smallest α: what a deletion costs later.

        Steps that remove records are left out: deleting everybody over the budget always helps.
        """
        standing = self.standing(plan)
        nexts = [o for o in next_operators(standing) if o.changes == "representation"]
        return second_look(standing, candidate, nexts, exposed=len(plan) in self.exposed)

    def removed_between_releases(self, trajectory: Trajectory) -> dict[int, RemovedTargets]:
        """By prefix, the targets an accumulating observer found in an earlier release and finds no more.

        They were removed between two releases; having no evidence must not read as no disclosure.
        """
        protection = self.population.protection
        if protection.observer.kind != "accumulating":
            return {}
        gone = {p.i: p.no_evidence - self._gone_at_first(trajectory, p.i) for p in trajectory.prefixes}
        if not any(gone.values()):
            return {}
        aware = replace(protection, observer=Observer("membership-aware"))
        scoring = Scoring(replace(self.population, protection=aware))
        return {
            i: RemovedTargets(n, scoring.standing(trajectory.plan[:i]).alpha) for i, n in gone.items() if n
        }

    def _gone_at_first(self, trajectory: Trajectory, i: int) -> int:
        """Targets without a set in the first release before a prefix; all of its own where there was none."""
        if self.released:
            return 0
        first = min((e for e in self.exposed if 0 < e < i), default=i)
        return trajectory.prefixes[first].no_evidence

    def _earlier(self, plan: Plan) -> Sequence[Prefix]:
        mine = [self.prefix(plan[:j]) for j in sorted(set(self.exposed)) if 0 < j < len(plan)]
        return [*self.released, *mine]
