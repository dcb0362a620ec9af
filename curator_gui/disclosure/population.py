"""The people of a source as the observer sees them before any release: profiles, secrets and targets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import InputError, ViewError
from curator_gui.core.predicate import Predicate
from curator_gui.core.preparation import Source
from curator_gui.core.protection import EachValue, Observer, Protection, Secret
from curator_gui.core.table import code_dtype
from curator_gui.core.view import Coarsening
from curator_gui.disclosure.grouping import Coded, Groups, partition

_FEW_VALUES = 20
_MOST_SECRET_CELLS = 50_000_000
"""Secrets of one entry times rows: every secret is counted in every class, and there may be a class a row."""


@dataclass(frozen=True, eq=False)
class ResolvedSecret:
    """holds: [rows] True where the secret is TRUE of the source row (a complement: where it is not)."""

    name: str
    holds: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Population:
    """A source under a protection.

    profile: [rows] int32, dense ids of the rows that agree on the visible attributes.
    secrets: in the order listed, each complement right after its secret.
    target: [rows] bool, the rows to protect.
    """

    source: Source
    protection: Protection
    profile: NDArray[np.int32]
    profiles: int
    secrets: tuple[ResolvedSecret, ...]
    target: NDArray[np.bool_]

    @property
    def rows(self) -> int:
        return self.source.table.rows

    @property
    def observer(self) -> Observer:
        return self.protection.observer

    @cached_property
    def profile_rows(self) -> NDArray[np.int64]:
        """[profiles] N, the rows of each profile."""
        return np.bincount(self.profile, minlength=self.profiles).astype(np.int64)

    @cached_property
    def profile_holding(self) -> NDArray[np.int64]:
        """[secrets, profiles] K, the rows of each profile for which each secret holds."""
        return count_holding(self.secrets, self.profile, self.profiles, None)

    @cached_property
    def targets(self) -> int:
        return int(np.count_nonzero(self.target))

    def prior(self, secret: int, row: int) -> tuple[int, int]:
        """(K, N) of the row's profile."""
        profile = self.profile[row]
        return int(self.profile_holding[secret, profile]), int(self.profile_rows[profile])


def resolve(source: Source, protection: Protection) -> Population:
    """Evaluate a protection on a source; InputError names the entry that does not fit."""
    visible = [_visible(source, protection, i) for i in range(len(protection.visible))]
    everyone = Groups(None, np.zeros(source.table.rows, np.int32), 1)
    profile, profiles = partition(everyone, visible)
    secrets = _secrets(source, protection)
    return Population(source, protection, profile, profiles, secrets, _targets(source, protection))


def count_holding(
    secrets: tuple[ResolvedSecret, ...],
    ids: NDArray[Any],
    count: int,
    counted: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """[secrets, count] how many (counted) rows of each group hold each secret."""
    out = np.zeros((len(secrets), count), np.int64)
    for s, secret in enumerate(secrets):
        holds = secret.holds if counted is None else secret.holds & counted
        out[s] = np.bincount(ids[holds], minlength=count)
    return out


def coded(codes: NDArray[np.unsignedinteger[Any]], coarsening: Coarsening) -> Coded:
    """Row codes seen through a coarsening of their distinct values."""
    size = max(len(coarsening.labels), 1)
    lookup = coarsening.codes
    if len(lookup) == size and np.array_equal(lookup, np.arange(size)):
        return Coded(codes, None, size)
    return Coded(codes, lookup.astype(code_dtype(size)), size)


def _visible(source: Source, protection: Protection, i: int) -> Coded:
    attribute = protection.visible[i]
    try:
        coarsening = source.coarsen(attribute.column, attribute.view)
    except (ViewError, InputError) as error:
        raise error.at(f"protection.visible[{i}]") from None
    return coded(source.table[attribute.column].codes, coarsening)


def _secrets(source: Source, protection: Protection) -> tuple[ResolvedSecret, ...]:
    found: list[ResolvedSecret] = []
    for i, entry in enumerate(protection.secrets):
        try:
            found += _one_value_each(source, entry) if isinstance(entry, EachValue) else _one(source, entry)
        except InputError as error:
            raise error.at(f"protection.secrets[{i}]") from None
    names = [s.name for s in found]
    for name, count in Counter(names).items():
        if count > 1:
            message = f"Two secrets are named “{name}”; give one of them another name."
            raise InputError(message, path="protection.secrets")
    return tuple(found)


def _one(source: Source, secret: Secret) -> list[ResolvedSecret]:
    try:
        holds = source.holds(secret.where)
    except InputError as error:
        raise error.at("where") from None
    return _with_complement(secret.name, holds, secret.two_sided)


def _one_value_each(source: Source, each: EachValue) -> list[ResolvedSecret]:
    column = source.table[each.column]
    values, sides = len(column.values), 2 if each.two_sided else 1
    if values > _FEW_VALUES and values * sides * column.rows > _MOST_SECRET_CELLS:
        most = max(_MOST_SECRET_CELLS // (sides * column.rows), _FEW_VALUES)
        raise InputError(
            f"“{each.column}” has {values} values, too many to protect each one: of {column.rows} rows it "
            f"can be {most}; name the values that matter as secrets of their own."
        )
    found: list[ResolvedSecret] = []
    for code, value in enumerate(column.values):
        if value is not None:
            found += _with_complement(value, column.codes == code, each.two_sided)
    return found


def _with_complement(name: str, holds: NDArray[np.bool_], two_sided: bool) -> list[ResolvedSecret]:
    secret = ResolvedSecret(name, holds)
    return [secret, ResolvedSecret(f"not {name}", ~holds)] if two_sided else [secret]


def _targets(source: Source, protection: Protection) -> NDArray[np.bool_]:
    targets = protection.targets
    try:
        if targets is None:
            return np.ones(source.table.rows, np.bool_)
        if isinstance(targets, Predicate):
            return source.holds(targets)
        if targets and max(targets) >= source.table.rows:
            message = f"There is no row {max(targets)}; rows are numbered 0 to {source.table.rows - 1}."
            raise InputError(message)
    except InputError as error:
        raise error.at("protection.targets") from None
    chosen = np.zeros(source.table.rows, np.bool_)
    chosen[list(targets)] = True
    return chosen
