"""The settings of a reader as they stand in a session file, checked one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curator_gui.core.errors import InputError


class Settings:
    """A ``reader`` object standing at ``path``. Raises InputError naming the key refused."""

    def __init__(self, data: object, path: str, known: Sequence[str]) -> None:
        if not isinstance(data, Mapping):
            raise InputError("A reader must be an object with a “kind”.", path=path)
        self._data = data
        self._path = path
        for key in data:
            if key not in known:
                raise InputError(
                    "A reader of this kind has no such setting; remove it.", path=f"{path}.{key}"
                )

    def text(self, key: str, default: str) -> str:
        value = self._data.get(key, default)
        if not isinstance(value, str):
            raise self._refused(key, "a text")
        return value

    def one_of(self, key: str, allowed: Sequence[str], default: str) -> Any:
        value = self.text(key, default)
        if value not in allowed:
            raise self._refused(key, f"one of {', '.join(allowed)}")
        return value

    def whole(self, key: str, default: int, least: int = 0) -> int:
        value = self._data.get(key, default)
        if type(value) is not int or value < least:
            raise self._refused(key, f"a whole number from {least} up")
        return value

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self._data.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self._refused(key, "a list of texts")
        return tuple(value)

    def span(self, key: str) -> tuple[int, int] | None:
        """A list of the first and last of some rows, from 1; None where it is absent or null."""
        value = self._data.get(key)
        if value is None:
            return None
        whole = isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value)
        if not whole or not 1 <= value[0] <= value[1]:
            raise self._refused(key, "the numbers of a first and a last row, such as [1, 1], or null")
        return value[0], value[1]

    def _refused(self, key: str, wanted: str) -> InputError:
        return InputError(f"This must be {wanted}.", path=f"{self._path}.{key}")
