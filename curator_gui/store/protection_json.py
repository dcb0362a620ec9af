"""The protection as it stands in a session file."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from curator_gui.core.decimals import MOST_DIGITS, is_plain, json_text
from curator_gui.core.errors import InputError
from curator_gui.core.operators import predicate_from_json, row_numbers
from curator_gui.core.predicate import Predicate
from curator_gui.core.protection import (
    OBSERVER_KINDS,
    EachValue,
    Observer,
    Protection,
    Secret,
    VisibleAttribute,
)
from curator_gui.core.view import Identity, view_from_json, view_to_json
from curator_gui.store.json_fields import (
    is_number,
    json_object,
    listed,
    one_of,
    only_keys,
    real,
    required,
    text,
)


def protection_from_json(data: object, *, path: str) -> Protection:
    """What an observer knows, what must not be learned and how much may be."""
    fields = json_object(data, "“protection”", path)
    only_keys(fields, ("visible", "secrets", "targets", "budget", "observer"), path)
    visible = tuple(
        _visible(v, f"{path}.visible[{i}]") for i, v in enumerate(listed(fields, "visible", path))
    )
    names = [v.column for v in visible]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"“{name}” is listed twice; list it once.", path=f"{path}.visible[{i}]")
    return Protection(
        visible=visible,
        secrets=tuple(
            _secret(s, f"{path}.secrets[{i}]") for i, s in enumerate(listed(fields, "secrets", path))
        ),
        targets=_targets(fields.get("targets"), f"{path}.targets"),
        budget=budget_from_json(required(fields, "budget", path), f"{path}.budget"),
        observer=observer_from_json(fields.get("observer", {"kind": "release-only"}), f"{path}.observer"),
    )


def protection_to_json(protection: Protection) -> dict[str, Any]:
    """The protection as in a session file."""
    observer: dict[str, Any] = {"kind": protection.observer.kind}
    if protection.observer.m is not None:
        observer["m"] = protection.observer.m
    targets: Any = protection.targets
    if isinstance(targets, Predicate):
        targets = targets.text
    elif targets is not None:
        targets = list(targets)
    return {
        "visible": [_visible_to_json(v) for v in protection.visible],
        "secrets": [_secret_to_json(s) for s in protection.secrets],
        "targets": targets,
        "budget": protection.budget,
        "observer": observer,
    }


def budget_from_json(value: object, path: str) -> float:
    """τ: a finite number from 0 up."""
    number = real(value, least=0)
    if number is None:
        message = f"The budget τ is {json_text(value)}; it must be a number from 0 up, of at most 300 digits."
        raise InputError(message, path=path)
    return number


def observer_from_json(data: object, path: str) -> Observer:
    """Who reads the release."""
    fields = json_object(data, "“observer”", path)
    only_keys(fields, ("kind", "m", "rules"), path)
    kind = one_of(fields.get("kind"), OBSERVER_KINDS, f"{path}.kind")
    m = fields.get("m")
    if kind == "dependency-explicit":
        message = "The dependency-explicit observer is not built yet; choose another one."
        raise InputError(message, path=f"{path}.kind")
    if (m is not None) != (kind == "smoothed"):
        raise InputError("“m” belongs to the smoothed observer, which needs it.", path=f"{path}.m")
    if "rules" in fields:
        message = "“rules” belong to the dependency-explicit observer."
        raise InputError(message, path=f"{path}.rules")
    return Observer(kind, None if m is None else _pseudo_observations(m, f"{path}.m"))


def _pseudo_observations(m: object, path: str) -> Decimal:
    if is_number(m) and m > 0:
        number = Decimal(m)
        if is_plain(number):
            return number
    message = f"“m” is {json_text(m)}; it must be a number above 0, of at most {MOST_DIGITS} digits."
    raise InputError(message, path=path)


def _visible(data: object, path: str) -> VisibleAttribute:
    fields = json_object(data, "A visible attribute", path)
    only_keys(fields, ("column", "view"), path)
    view = view_from_json(fields.get("view"), path=f"{path}.view")
    return VisibleAttribute(text(required(fields, "column", path), f"{path}.column"), view)


def _visible_to_json(attribute: VisibleAttribute) -> dict[str, Any]:
    if attribute.view == Identity():
        return {"column": attribute.column}
    return {"column": attribute.column, "view": view_to_json(attribute.view)}


def _secret(data: object, path: str) -> Secret | EachValue:
    fields = json_object(data, "A secret", path)
    two_sided = fields.get("two_sided", False)
    if not isinstance(two_sided, bool):
        raise InputError("“two_sided” must be true or false.", path=f"{path}.two_sided")
    if "each" in fields:
        only_keys(fields, ("column", "each", "two_sided"), path)
        if fields["each"] is not True:
            raise InputError("“each” must be true.", path=f"{path}.each")
        return EachValue(text(required(fields, "column", path), f"{path}.column"), two_sided)
    only_keys(fields, ("name", "where", "two_sided"), path)
    name = text(required(fields, "name", path), f"{path}.name")
    return Secret(name, predicate_from_json(fields.get("where"), path=f"{path}.where"), two_sided)


def _secret_to_json(secret: Secret | EachValue) -> dict[str, Any]:
    if isinstance(secret, EachValue):
        return {"column": secret.column, "each": True, "two_sided": secret.two_sided}
    return {"name": secret.name, "where": secret.where.text, "two_sided": secret.two_sided}


def _targets(data: object, path: str) -> Predicate | tuple[int, ...] | None:
    if data is None:
        return None
    if isinstance(data, str):
        return predicate_from_json(data, path=path)
    return row_numbers(data, path)
