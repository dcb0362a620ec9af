"""A session on other data than its own: row numbers mean nobody there, so who is meant is told by the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Delete, Operator, Plan
from curator_gui.core.predicate import Predicate, column_in, parse_predicate
from curator_gui.core.protection import Protection
from curator_gui.core.table import Table, quoted
from curator_gui.store.session_file import Branch, Release, SavedSteps, SessionRecord


def names_rows(record: SessionRecord) -> bool:
    """Whether any part of a session means records by their row numbers."""
    plans = [record.plan, *(b.plan for b in record.branches), *(s.steps for s in record.saved_steps)]
    plans += [r.plan for r in record.releases]
    return isinstance(record.protection.targets, tuple) or any(map(_by_number, plans))


def following_key(record: SessionRecord, before: Table | None, name: str) -> tuple[SessionRecord, list[str]]:
    """The record with conditions on its key in the place of row numbers, and what was left out, in sentences.

    before: the table the numbers are of, under the session's types; None where it cannot be read any more.
    name: of the other data. InputError, naming the step, where plan or targets name rows that no key tells.
    """
    people = _People(before, record.key, name)
    releases = record.releases
    if record.protection.observer.kind == "accumulating":
        releases = tuple(people.release(r, f"releases[{i}]") for i, r in enumerate(releases))
    branches = [(b.name, people.plan_or_none(b.plan)) for b in record.branches]
    saved = [(s.name, people.plan_or_none(s.steps)) for s in record.saved_steps]
    told = replace(
        record,
        plan=people.plan(record.plan, "plan"),
        protection=people.protection(record.protection),
        releases=releases,
        branches=tuple(Branch(n, plan) for n, plan in branches if plan is not None),
        saved_steps=tuple(SavedSteps(n, steps) for n, steps in saved if steps is not None),
    )
    gone = [n for n, plan in (*branches, *saved) if plan is None]
    left = f"{quoted(gone)} deletes by row number, which fits the old data alone, and was left out."
    return told, [left] if gone else []


def _by_number(plan: Plan) -> bool:
    return any(isinstance(step, Delete) and step.where is None for step in plan)


@dataclass(frozen=True, eq=False)
class _People:
    """Who stood at a row of the old data, as a condition on the key."""

    before: Table | None
    key: str | None
    name: str

    def plan(self, plan: Plan, path: str) -> Plan:
        return tuple(self._step(step, i, f"{path}[{i}].rows") for i, step in enumerate(plan))

    def plan_or_none(self, plan: Plan) -> Plan | None:
        try:
            return self.plan(plan, "")
        except InputError:
            return None

    def release(self, release: Release, path: str) -> Release:
        return replace(release, plan=self.plan(release.plan, f"{path}.plan"))

    def protection(self, protection: Protection) -> Protection:
        targets = protection.targets
        if not isinstance(targets, tuple):
            return protection
        where = self._condition(targets, "The targets are given", "protection.targets")
        return replace(protection, targets=where)

    def _step(self, step: Operator, place: int, path: str) -> Operator:
        if not isinstance(step, Delete) or step.where is not None:
            return step
        return Delete(self._condition(step.rows, f"Step {place + 1} deletes", path))

    def _condition(self, rows: Sequence[int], what: str, path: str) -> Predicate:
        fact = f"{what} by row number, and in “{self.name}” other records stand there"
        if self.key is None:
            way = "say in the session which column is the key of a person, or use a condition"
        elif self.before is None or self.key not in self.before:
            way = f"bring back the old data, whose key “{self.key}” tells who is meant, or use a condition"
        elif (unclear := self._unclear(rows)) is not None:
            way = f"the key “{self.key}” does not tell who record {unclear + 1} is, so use a condition"
        else:
            column = self.before[self.key]
            return parse_predicate(column_in(column, [int(column.codes[r]) for r in rows]))
        raise InputError(f"{fact}; {way}.", path=path)

    def _unclear(self, rows: Sequence[int]) -> int | None:
        """The first row that does not exist, or whose key is missing or another's, too."""
        assert self.before is not None
        column = self.before[self.key or ""]
        for row in rows:
            if row >= self.before.rows or column.cell(row) is None or column.counts[column.codes[row]] > 1:
                return row
        return None
