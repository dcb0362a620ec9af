"""A column on its way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.column_type import ColumnType
from curator_gui.store.readers import ValueLabel


@dataclass(frozen=True, eq=False)
class OutColumn:
    """A column to write: row r reads labels[codes[r]], None is missing.

    name: as the header says it. type: of the source column; where the format has numbers and dates, labels
    become such where they read back as the same text. value_labels: the code and label behind a text, where
    both are to be written and the format has both.
    """

    name: str
    codes: NDArray[np.integer[Any]]
    labels: Sequence[str | None]
    type: ColumnType = field(default_factory=ColumnType)
    value_labels: Mapping[str, ValueLabel] = field(default_factory=dict)
