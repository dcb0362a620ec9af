"""What a curator should be told about a protection before relying on its figures."""

from __future__ import annotations

import numpy as np

from curator_gui.core.protection import EachValue
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.trajectory import prior_figures


def warnings(population: Population, key: str | None = None) -> list[str]:
    """Sentences, the gravest first. ``key``: the column that identifies a person, where one is declared."""
    protection = population.protection
    found: list[str] = []
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
