"""Values out of parsed JSON, each checked; an InputError names the place, such as ``plan[2].drop``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeGuard

from curator_gui.core.decimals import json_text
from curator_gui.core.errors import InputError
from curator_gui.core.table import quoted


def json_object(data: object, what: str, path: str) -> Mapping[str, Any]:
    """The object at ``path``; ``what`` it is, for the sentence."""
    if not isinstance(data, dict):
        raise InputError(f"{what} must be a JSON object.", path=path or None)
    return data


def required(fields: Mapping[str, Any], key: str, path: str) -> Any:
    """The value of a key that must be there."""
    if key not in fields:
        raise InputError(f"“{key}” is missing.", path=path or None)
    return fields[key]


def mapping(fields: Mapping[str, Any], key: str, path: str) -> Mapping[str, Any]:
    """The object under a key; empty where there is none."""
    where = f"{path}.{key}" if path else key
    return json_object(fields.get(key, {}), f"“{key}”", where)


def listed(fields: Mapping[str, Any], key: str, path: str, *, needed: bool = False) -> list[Any]:
    """The list under a key; empty where there is none and none is needed."""
    value = required(fields, key, path) if needed else fields.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"“{key}” must be a list.", path=f"{path}.{key}" if path else key)
    return value


def only_keys(fields: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    """Refuse a key that is not known."""
    for key in fields:
        if key not in known:
            message = f"{json_text(key)} is not known here; the keys are {quoted(known, 20)}."
            raise InputError(message, path=f"{path}.{key}" if path else key)


def text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise InputError("This must be text.", path=path)
    return value


def whole(value: object, path: str) -> int:
    if type(value) is not int or value < 0:
        raise InputError("This must be a whole number from 0.", path=path)
    return value


def one_of(value: object, allowed: Sequence[Any], path: str) -> Any:
    """One of a few words."""
    if value not in allowed or not isinstance(value, str):
        raise InputError(f"{json_text(value)} is not known; use one of {quoted(allowed)}.", path=path)
    return value


def is_number(value: object) -> TypeGuard[int | float | Decimal]:
    """Whether it is a JSON number; true and false are none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def real(value: object, least: float = -math.inf, most: float = math.inf) -> float | None:
    """A finite float64 from ``least`` to ``most``; None for anything else, such as text, true or 1e400."""
    try:
        number = float(value) if is_number(value) else math.nan
    except OverflowError:  # a whole number of 400 digits
        return None
    return number if math.isfinite(number) and least <= number <= most else None
