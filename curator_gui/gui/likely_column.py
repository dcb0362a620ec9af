"""Which column a list begins with: never an identifier where there is another. No Qt here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def likely_column(names: Sequence[str], roles: Mapping[str, str], known: Collection[str] = ()) -> str:
    """The first that is no identifier and not ``known`` to the outsider; else one that is no identifier.

    roles: of the columns that have one, "identifier" among them. "" where there is no column.
    """
    ordinary = [n for n in names if roles.get(n) != "identifier"]
    unknown = [n for n in ordinary if n not in known]
    return next(iter([*unknown, *ordinary, *names]), "")
