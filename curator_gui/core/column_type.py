"""How a column's text is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "code", "category", "integer", "decimal", "date", "datetime"]
KINDS: tuple[Kind, ...] = ("text", "code", "category", "integer", "decimal", "date", "datetime")

Spelling = Literal["plus", "exponent", "bare", "blanks"]
SPELLINGS: tuple[Spelling, ...] = ("plus", "exponent", "bare", "blanks")
GROUPS = (".", ",", " ", "'", "’", "\u00a0", "\u202f")


@dataclass(frozen=True, slots=True)
class ColumnType:
    """``mark`` is the decimal mark, ``format`` a strptime format for dates.

    group: the character between thousands, "" where there is none; numbers without it are read too.
    spellings: what numbers may look like beyond plain digits: "plus" a leading +, "exponent" 1E+3 (decimals
        only), "bare" .5 and 5., "blanks" around the number.
    """

    kind: Kind = "text"
    mark: str = "."
    format: str | None = None
    group: str = ""
    spellings: tuple[Spelling, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "decimal")

    @property
    def is_date(self) -> bool:
        return self.kind in ("date", "datetime")
