"""How a column's text is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "code", "category", "integer", "decimal", "date", "datetime"]
KINDS: tuple[Kind, ...] = ("text", "code", "category", "integer", "decimal", "date", "datetime")


@dataclass(frozen=True, slots=True)
class ColumnType:
    """``mark`` is the decimal mark, ``format`` a strptime format for dates."""

    kind: Kind = "text"
    mark: str = "."
    format: str | None = None

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "decimal")

    @property
    def is_date(self) -> bool:
        return self.kind in ("date", "datetime")
