"""JSON as a person may have written it: one meaning or none."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

from curator_gui.core.errors import FileError
from curator_gui.store.ordinary import read_text, shown

_MOST_SHOWN = 40
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def read_json(path: Path, of: str) -> Any:
    """The value in a JSON file, fractions as Decimal. ``of``: what it holds, “a session”.

    FileError where it is no ordinary file or no JSON; where an object has a key twice, which readers take
    differently; and where a text holds half a character (a lone surrogate), which cannot be written.
    """
    text = read_text(path, of)
    try:
        value = json.loads(
            text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_distinct
        )
        halved = _ESCAPED_HALF.search(text) and _HALF_CHARACTER.search(_written(value))
    except _TwiceError as error:
        message = f"“{shown(path)}” has the key “{error}” twice in one object; keep one of them."
        raise FileError(message) from None
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        message = f"“{shown(path)}” cannot be read as JSON{where}; choose a file with {of}."
        raise FileError(message) from None
    if halved:
        message = f"“{shown(path)}” holds half a character (a lone surrogate), which no text may; remove it."
        raise FileError(message)
    return value


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _TwiceError(Counter(key[:_MOST_SHOWN] for key, _ in pairs).most_common(1)[0][0])
    return fields


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _no_constant(name: str) -> None:
    raise ValueError(name)
