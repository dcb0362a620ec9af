"""What a curator should be told about a protection before relying on its figures."""

from __future__ import annotations

import numpy as np

from curator_gui.core.predicate import Predicate
from curator_gui.core.protection import EachValue
from curator_gui.core.table import Column
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.trajectory import prior_figures


def warnings(population: Population, key: str | None = None) -> list[str]:
    """Sentences, the gravest first. ``key``: the column that identifies a person, where one is declared."""
    if not population.rows:
        return ["The table has no records, so nothing was scored."]
    protection = population.protection
    found = _nothing_chosen(population)
    visible = {v.column for v in protection.visible}
    for secret in protection.secrets:
        read = {secret.column} if isinstance(secret, EachValue) else set(secret.where.columns)
        name = secret.column if isinstance(secret, EachValue) else secret.name
        for column in sorted(read & visible):
            found.append(
                f"“{column}” is visible and the secret “{name}” reads it: what the observer knows already "
                "gives the secret away."
            )
    figures = prior_figures(population)
    if figures.certain:
        found.append(
            f"For {figures.certain} of {population.targets} targets a secret is certain beforehand, from the "
            "visible attributes alone; no plan can change that."
        )
    if figures.lone_profiles:
        lone = figures.lone_profiles
        groups = "1 group holds" if lone == 1 else f"{lone} groups hold"
        found.append(
            f"{groups} a single record; its prior is its own value, so a release adds nothing to it."
        )
    if key is not None:
        repeated = int(np.count_nonzero(population.source.table[key].counts > 1))
        if repeated:
            found.append(
                f"{repeated} values of “{key}” repeat: records are protected, and other records of the same "
                "person count as company."
            )
    for s, secret_held in enumerate(population.profile_holding.sum(axis=1)):
        if not secret_held:
            found.append(f"No record has the secret “{population.secrets[s].name}”; check how it is written.")
    return found


def _nothing_chosen(population: Population) -> list[str]:
    """Where nobody is protected, or what decides that cannot be read in a single record."""
    found = []
    if not population.targets:
        found.append("No record is a target, so nobody is protected; check how the targets are written.")
    protection = population.protection
    used = {v.column for v in protection.visible}
    for secret in protection.secrets:
        used |= {secret.column} if isinstance(secret, EachValue) else set(secret.where.columns)
    if isinstance(protection.targets, Predicate):
        used |= protection.targets.columns
    for column in population.source.table.columns:
        if column.name in used and _unreadable(column):
            what = "date" if column.type.is_date else "number"
            found.append(
                f"No cell of “{column.name}” can be read as a {what}, so no condition on it holds; check its "
                "type."
            )
    return found


def _unreadable(column: Column) -> bool:
    """Whether there are cells and none of them can be read under the type of the column."""
    if not (column.type.is_date or column.type.is_number) or column.missing.all():
        return False
    valid = column.dates.valid if column.type.is_date else column.numbers.valid
    return not valid.any()
