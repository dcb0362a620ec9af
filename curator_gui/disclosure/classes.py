"""What an observer compares rows by at one prefix, and the classes of rows this makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.preparation import Prefix
from curator_gui.core.table import Column, code_dtype
from curator_gui.core.view import Coarsening
from curator_gui.disclosure.grouping import Coded, Groups, partition
from curator_gui.disclosure.population import Population, coded, count_holding


@dataclass(frozen=True, eq=False)
class SeenColumn:
    """A column as an observer sees it: its cells through one view or, over several releases, through all."""

    column: Column
    coarsenings: tuple[Coarsening, ...]

    @cached_property
    def key(self) -> tuple[int, frozenset[int]]:
        """Equal for columns that are seen alike."""
        return id(self.column), frozenset(map(id, self.coarsenings))

    @cached_property
    def joint(self) -> Coded:
        """One code a row; equal exactly where every view agrees."""
        if len(self.coarsenings) == 1:
            return coded(self.column.codes, self.coarsenings[0])
        values = Groups(None, np.zeros(len(self.column.values), np.int32), 1)
        views = [
            Coded(c.codes.astype(code_dtype(len(c.labels))), None, len(c.labels)) for c in self.coarsenings
        ]
        ids, count = partition(values, views)
        return Coded(self.column.codes, ids.astype(code_dtype(count)), count)


@dataclass(frozen=True, eq=False)
class Reading:
    """How the observer reads a prefix.

    columns: what present rows are compared by, by column and version of its cells.
    counted: [rows] bool, the rows that stand in compatibility sets.
    fate: [rows] int32, 0 for present rows, else what removed rows are compared by; None where rows that are
    gone are compared with present ones by their source values, as if they were still there.
    """

    columns: tuple[SeenColumn, ...]
    counted: NDArray[np.bool_]
    fate: NDArray[np.int32] | None


def read(prefix: Prefix, population: Population, exposed: Sequence[Prefix]) -> Reading:
    """The observer's reading of a prefix. ``exposed``: earlier releases, heeded by the accumulating one."""
    kind = population.observer.kind
    if kind == "accumulating":
        return _accumulated(prefix, exposed)
    release = released_reading(prefix)
    everyone = np.ones(population.rows, np.bool_)
    if kind == "membership-aware":
        return Reading(release.columns, everyone, (~prefix.present).astype(np.int32))
    if kind == "plan-aware":
        return Reading(release.columns, everyone, prefix.removed_at)
    return release


def released_reading(prefix: Prefix) -> Reading:
    """What anyone reads who has this release and nothing else."""
    columns = tuple(SeenColumn(s.column, (s.coarsening,)) for s in prefix.shown)
    return Reading(columns, prefix.present, None)


def _accumulated(prefix: Prefix, exposed: Sequence[Prefix]) -> Reading:
    """Rows counted are in every release; a column is seen through all the views it was released with."""
    counted = prefix.present
    seen: dict[tuple[str, int], tuple[Column, dict[int, Coarsening]]] = {}
    for release in [*exposed, prefix]:
        counted = counted & release.present
        for shown in release.shown:
            _, views = seen.setdefault((shown.name, id(shown.column)), (shown.column, {}))
            views[id(shown.coarsening)] = shown.coarsening
    columns = tuple(SeenColumn(column, tuple(views.values())) for column, views in seen.values())
    return Reading(columns, counted, None)


@dataclass(frozen=True, eq=False)
class Classes:
    """The partition of ALL source rows by profile and reading.

    of_row: [rows] int32, the class of each row; a removed row's class holds the rows it would be compared
    with. profile: [count]; size: [count] counted rows, n; holding: [secrets, count] of these, k;
    targets: [count] target rows; first_target: [count] the smallest, ``rows`` where there is none;
    sample: [count] one row of each; present: [count] bool, classes of rows that are (or would be) released.
    """

    population: Population
    reading: Reading
    of_row: NDArray[np.int32]
    count: int
    profile: NDArray[np.int32]
    size: NDArray[np.int64]
    holding: NDArray[np.int64]
    targets: NDArray[np.int64]
    first_target: NDArray[np.int64]
    sample: NDArray[np.int64]
    present: NDArray[np.bool_]

    @cached_property
    def occupied(self) -> int:
        """How many classes of survivors there are."""
        return int(np.count_nonzero(self.present & (self.size > 0)))

    def codes(self, column: SeenColumn) -> Coded:
        """[count] the column's code in each class; without meaning in classes that are not present."""
        joint = column.joint
        return Coded(joint.at(self.sample), None, joint.size)


def classify(population: Population, reading: Reading) -> Classes:
    """Group the rows of a source as the observer does."""
    of_row, count, first_gone = _class_of_rows(population, reading)
    sample = _first_of_each(of_row, np.arange(population.rows, dtype=np.int32), count, population.rows)
    everybody = np.bincount(of_row, minlength=count).astype(np.int64, copy=False)
    targets, first_target = everybody, sample
    if population.targets < population.rows:
        rows = np.flatnonzero(population.target)
        targets = np.bincount(of_row[rows], minlength=count).astype(np.int64, copy=False)
        first_target = _first_of_each(of_row[rows], rows, count, population.rows)
    size, counted = everybody, None
    if not reading.counted.all():
        counted = reading.counted
        size = np.bincount(of_row[counted], minlength=count).astype(np.int64, copy=False)
    return Classes(
        population,
        reading,
        of_row,
        count,
        profile=population.profile.take(sample),
        size=size,
        holding=count_holding(population.secrets, of_row, count, counted),
        targets=targets,
        first_target=first_target,
        sample=sample,
        present=np.arange(count) < first_gone,
    )


def _first_of_each(
    classes: NDArray[np.int32], rows: NDArray[Any], count: int, absent: int
) -> NDArray[np.int64]:
    """[count] the smallest row of each class; ``absent`` where it has none. ``rows`` rise."""
    first = np.full(count, absent, np.int64)
    first[classes[::-1]] = rows[::-1]
    return first


def _class_of_rows(population: Population, reading: Reading) -> tuple[NDArray[np.int32], int, int]:
    """Class ids, their number, and the first id that belongs to removed rows."""
    columns = sorted((c.joint for c in reading.columns), key=lambda c: -c.size)
    if reading.fate is None or not reading.fate.any():
        groups = Groups(None, population.profile, population.profiles)
        of_row, count = partition(groups, columns)
        return of_row, count, count
    here, gone = np.flatnonzero(reading.fate == 0), np.flatnonzero(reading.fate)
    profile = population.profile
    present_ids, present = partition(Groups(here, profile[here], population.profiles), columns)
    fates = Coded(reading.fate.astype(np.uint32), None, int(reading.fate.max()) + 1)
    gone_ids, absent = partition(Groups(gone, profile[gone], population.profiles), [fates])
    of_row = np.empty(population.rows, np.int32)
    of_row[here] = present_ids
    of_row[gone] = gone_ids + np.int32(present)
    return of_row, present + absent, present
