"""Files of SPSS, Stata and SAS through pyreadstat: codes as they are, with their labels beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.core.table import Table
from curator_gui.store.ordinary import opened
from curator_gui.store.readers.arrow import float_text, value_text
from curator_gui.store.readers.column_coding import RowCoding
from curator_gui.store.readers.findings import distinct_names
from curator_gui.store.readers.settings import Settings
from curator_gui.store.readers.statistics_library import chunks
from curator_gui.store.readers.table_read import ValueLabel

StatisticsKind = Literal["spss", "stata", "sas"]
Labels = Literal["codes", "labels", "both"]
_KINDS = ("spss", "stata", "sas")
_XPORT = b"HEADER RECORD"


@dataclass(frozen=True)
class StatisticsReader:
    """How labelled values are read.

    labels: what the cells say: "both" is “North (1)” and for a code without a label the code alone.
    user_missing: whether values that the file declares missing, such as “refused”, are kept as they are or
        are missing cells.
    """

    kind: StatisticsKind = "spss"
    labels: Labels = "both"
    user_missing: Literal["kept", "missing"] = "kept"
    encoding: str = ""
    missing: tuple[str, ...] = ("",)
    evidence: tuple[str, ...] = field(default=(), compare=False)

    @property
    def decimal(self) -> str:
        return "."

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": self.kind, "labels": self.labels, "user_missing": self.user_missing}
        if self.encoding:
            data["encoding"] = self.encoding
        return {**data, "missing": list(self.missing)}

    @classmethod
    def from_json(cls, data: object, *, path: str) -> StatisticsReader:
        settings = Settings(data, path, ("kind", "labels", "user_missing", "encoding", "missing"))
        return cls(
            settings.one_of("kind", _KINDS, "spss"),
            settings.one_of("labels", ("codes", "labels", "both"), "both"),
            settings.one_of("user_missing", ("kept", "missing"), "kept"),
            settings.text("encoding", ""),
            settings.texts("missing", ("",)),
        )


@dataclass(frozen=True, eq=False)
class StatisticsTable:
    table: Table
    header: tuple[str, ...]
    notes: tuple[str, ...]
    value_labels: Mapping[str, Mapping[str, ValueLabel]]
    descriptions: Mapping[str, str]


def read_statistics(
    path: Path, reader: StatisticsReader, progress: Progress, most: int | None = None
) -> StatisticsTable:
    """The table, or its first ``most`` rows."""
    coding: RowCoding | None = None
    columns: list[_Variable] = []
    function = _function(path, reader.kind)
    settings = _settings(path, reader, function)
    for frame, about in chunks(path, function, settings, progress, most):
        if coding is None:
            columns = [_Variable(name, about, reader) for name in about.column_names]
            coding = RowCoding(len(columns), reader.missing)
        cells = [v.texts(frame[v.name]) for v in columns]
        for row in zip(*cells, strict=True):
            coding.add(row)
        total = max(about.number_rows or coding.rows, coding.rows, 1)
        progress(coding.rows / total, "Reading the file")
    if coding is None or not columns:
        raise FileError(f"“{path.name}” has no variables; choose another file.")
    header = tuple(v.name for v in columns)
    names, renamed = distinct_names(header)
    table = coding.table(names)
    pairs = list(zip(names, columns, strict=True))
    labels = {n: v.seen for n, v in pairs if v.seen}
    kinds = [n for n, v in pairs if v.declared_missing]
    notes = [f"Blank or repeated column names were read as {', '.join(renamed)}."] if renamed else []
    if kinds:
        how = "kept as values of their own" if reader.user_missing == "kept" else "read as missing"
        notes.append(f"Values declared missing occur in {', '.join(kinds)}: {how}.")
    return StatisticsTable(
        table, header, tuple(notes), labels, {n: v.description for n, v in pairs if v.description}
    )


def _function(path: Path, kind: StatisticsKind) -> str:
    with opened(path) as file:
        start = file.read(len(_XPORT))
    if kind == "sas":
        return "read_xport" if start == _XPORT else "read_sas7bdat"
    if kind == "spss":
        return "read_sav" if start.startswith(b"$FL") else "read_por"
    return "read_dta"


def _settings(path: Path, reader: StatisticsReader, function: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if function != "read_por":  # which the library reads as UTF-8 and nothing else
        settings["encoding"] = reader.encoding or None
    if function not in ("read_por", "read_xport"):
        settings["user_missing"] = True
    catalog = path.with_suffix(".sas7bcat")
    if function == "read_sas7bdat" and catalog.is_file():
        settings["catalog_file"] = str(catalog)
    return settings


class _Variable:
    """One variable: how its values are spelled, and which were seen with a label.

    seen: by the text of the cell, the code and the label.
    """

    def __init__(self, name: str, about: Any, reader: StatisticsReader) -> None:
        self.name = name
        self.description = (about.column_names_to_labels or {}).get(name) or ""
        self.seen: dict[str, ValueLabel] = {}
        self.declared_missing = False
        stored = (about.readstat_variable_types or {}).get(name)
        self._numeric, self._narrow = stored != "string", stored == "float"
        self._reader = reader
        labels = (about.variable_value_labels or {}).get(name) or {}
        self._labels = {self._code(code): str(label) for code, label in labels.items() if str(label)}
        self._ranges = (about.missing_ranges or {}).get(name) or ()
        self._spelled: dict[Any, str | None] = {}

    def texts(self, values: Any) -> list[str | None]:
        spelled = self._spelled
        out: list[str | None] = []
        for value in values.tolist():
            if _is_nothing(value):
                out.append(None)
                continue
            if value not in spelled:
                spelled[value] = self._text(value)
            out.append(spelled[value])
        return out

    def _text(self, value: Any) -> str | None:
        code = self._code(value)
        if self._is_declared_missing(value):
            self.declared_missing = True
            if self._reader.user_missing == "missing":
                return None
        label = self._labels.get(code)
        if label is None:
            return code
        shown = {"codes": code, "labels": label, "both": f"{label} ({code})"}[self._reader.labels]
        if self._reader.labels == "labels" and self.seen.get(shown, ValueLabel(code, label)).code != code:
            raise FileError(
                f"Two codes of “{self.name}” have the same label “{label}”; read its codes, or both."
            )
        self.seen[shown] = ValueLabel(code, label)
        return shown

    def _code(self, value: Any) -> str:
        if isinstance(value, str):
            return f".{value}" if self._is_kind_of_missing(value) else value
        if isinstance(value, float):
            return float_text(np.float32(value)) if self._narrow else float_text(value)
        if isinstance(value, datetime | date | time | timedelta):
            return value_text(value) or ""
        return str(value)

    def _is_kind_of_missing(self, value: object) -> bool:
        """Stata and SAS have 26 missing numbers more, .a to .z, which come as letters among the numbers."""
        return isinstance(value, str) and self._numeric and len(value) == 1 and self._reader.kind != "spss"

    def _is_declared_missing(self, value: Any) -> bool:
        return self._is_kind_of_missing(value) or any(_within(value, r["lo"], r["hi"]) for r in self._ranges)


def _is_nothing(value: Any) -> bool:
    """None, or one of the values that do not equal themselves: no number and no instant."""
    return value is None or bool(value != value)  # noqa: PLR0124


def _within(value: Any, low: Any, high: Any) -> bool:
    try:
        return bool(low <= value <= high)
    except TypeError:
        return bool(value == low)
