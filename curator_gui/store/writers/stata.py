"""A table to a Stata file: codes with labels; numbers and dates where they read back as the same text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.store.readers import ValueLabel
from curator_gui.store.readers.arrow import float_text
from curator_gui.store.writers.out_column import OutColumn
from curator_gui.store.writers.typed import typed_values

_LONGEST = 2045  # bytes of a text
_LONGEST_NAME = 32
_LONGEST_LABEL = 80  # of a variable
_MOST_COLUMNS = 32_767
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?")
_KIND_OF_MISSING = re.compile(r"\.[a-z]")
_FIRST_YEAR = 1678  # of instants in nanoseconds, which the library has on the way
_LEAST_LABELLED, _MOST_LABELLED = -(2**31) + 1, 2**31 - 28  # the whole numbers that can have a label
_LEAST, _MOST = -(2**53), 2**53  # whole numbers that a double holds exactly
_NAME_IN_USE = re.compile(
    "byte|double|float|if|in|int|long|str[0-9]+|strL|using|with|_all|_b|_coef|_cons|_n|_N|_pi|_pred|_rc|_skip"
)


@dataclass(frozen=True)
class _Variable:
    """values: for each class, None for missing. labels: by code. kinds: the kinds of missing that occur."""

    values: Sequence[Any]
    labels: Mapping[float, str] = field(default_factory=dict)
    kinds: Sequence[str] = ()
    text: bool = False


def write_stata(path: Path, columns: Sequence[OutColumn], progress: Progress) -> None:
    """Raises FileError where a text is one that Stata cannot hold.

    Names that it does not allow are changed, and stand as they were in the labels of the variables.
    """
    import pandas as pd  # heavy: only when such a file is written
    import pyreadstat

    if len(columns) > _MOST_COLUMNS:
        raise FileError(f"A Stata file holds {_MOST_COLUMNS:,} columns; write .csv or .parquet instead.")
    names = variable_names([c.name for c in columns])
    variables = dict(zip(names, map(_variable, columns), strict=True))
    progress(0.1, "Writing the file")
    frame = pd.DataFrame(
        {n: _cells(v)[c.codes] for (n, v), c in zip(variables.items(), columns, strict=True)}, columns=names
    )
    progress(0.4, "Writing the file")
    try:
        pyreadstat.write_dta(
            frame,
            str(path),
            column_labels=[c.name[:_LONGEST_LABEL] for c in columns],
            variable_value_labels={n: dict(v.labels) for n, v in variables.items() if v.labels},
            missing_user_values={n: list(v.kinds) for n, v in variables.items() if v.kinds},
        )
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError) as error:
        raise FileError(f"The table does not fit into a Stata file ({error}); write .csv instead.") from None
    progress(1.0, "Writing the file")


def variable_names(names: Sequence[str]) -> list[str]:
    """Names that Stata allows: letters, digits and _, no digit first, at most 32, none twice or reserved."""
    found: list[str] = []
    for place, name in enumerate(names, 1):
        plain = re.sub(r"\W", "_", name)[:_LONGEST_NAME] or f"column_{place}"
        if plain[0].isdigit() or _NAME_IN_USE.fullmatch(plain):
            plain = f"_{plain}"[:_LONGEST_NAME]
        tried, number = plain, 1
        while tried in found:
            number += 1
            tried = f"{plain[: _LONGEST_NAME - len(str(number)) - 1]}_{number}"
        found.append(tried)
    return found


def shown_as(columns: Sequence[OutColumn]) -> Literal["labels", "both"]:
    """How the values with labels are read back as the texts of the columns."""
    alone = [text == known.label for c in columns for text, known in c.value_labels.items()]
    return "labels" if alone and all(alone) else "both"


def _variable(column: OutColumn) -> _Variable:
    used = np.zeros(len(column.labels), np.bool_)
    used[column.codes] = True
    labels = [label if u else None for u, label in zip(used, column.labels, strict=True)]
    coded = _coded(labels, column.value_labels)
    if coded is not None:
        return coded
    typed = typed_values(labels, column.type, float_text)
    if typed is not None and all(map(_fits, typed[1])):
        return _Variable([float(v) if isinstance(v, int) else v for v in typed[1]])
    for label in labels:
        _require_text(label, column.name)
    return _Variable(["" if label is None else label for label in labels], text=True)


def _coded(labels: Sequence[str | None], known: Mapping[str, ValueLabel]) -> _Variable | None:
    """The codes behind shown values; None where one of them is no number, or none has a label."""
    present = [label for label in labels if label is not None]
    if not any(label in known for label in present):
        return None
    codes = {label: known[label].code if label in known else label for label in present}
    named = {known[label] for label in present if label in known}
    if not all(map(_is_code, codes.values())) or not all(_can_have_a_label(v.code) for v in named):
        return None
    kinds = sorted({code[1:] for code in codes.values() if _KIND_OF_MISSING.fullmatch(code)})
    values = [None if label is None else _value_of(codes[label]) for label in labels]
    return _Variable(values, {_value_of(v.code): v.label for v in named}, kinds)


def _is_code(text: str) -> bool:
    return bool(_KIND_OF_MISSING.fullmatch(text)) or (
        _NUMBER.fullmatch(text) is not None and float_text(float(text)) == text
    )


def _can_have_a_label(code: str) -> bool:
    if _KIND_OF_MISSING.fullmatch(code):
        return True
    value = float(code)
    return value.is_integer() and _LEAST_LABELLED <= value <= _MOST_LABELLED


def _value_of(code: str) -> Any:
    return code[1:] if _KIND_OF_MISSING.fullmatch(code) else float(code)


def _fits(value: object) -> bool:
    if isinstance(value, datetime):
        return value.year >= _FIRST_YEAR
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or _LEAST <= value <= _MOST


def _require_text(label: str | None, name: str) -> None:
    if label is None:
        return
    if not label:
        raise FileError(
            f"The empty text in column “{name}” would be read back as missing; write .parquet instead."
        )
    try:
        size = len(label.encode())
    except UnicodeEncodeError:
        size = _LONGEST + 1
    if size > _LONGEST or "\0" in label:
        raise FileError(
            f"A text in column “{name}” does not fit into a Stata file, which holds {_LONGEST:,} bytes of "
            "each; write .csv or .parquet instead."
        )


def _cells(variable: _Variable) -> Any:
    """[classes] the values, of one dtype."""
    if variable.text or variable.kinds or not all(v is None or isinstance(v, float) for v in variable.values):
        cells = np.empty(len(variable.values), object)
        cells[:] = variable.values
        return cells
    return np.array([math.nan if v is None else v for v in variable.values], np.float64)
