"""Data dictionaries: domains as JSON-like values, read, written, and proposed from the data.

A dictionary maps each column, in order, to its domain::

    {"sex":      2,                                            integers 0 and 1, as they are
     "disease":  {"values": ["flu", "HIV"], "other": "other", "missing": true},
     "age":      {"edges": [0, 18, 40, 65, 120], "decimals": 0, "mark": ".", "missing": true},
     "admitted": {"dates": ["2020-01-01", "2021-01-01", "2022-12-31"], "format": "%Y-%m-%d"}}

``values``, ``edges`` or ``dates`` is required, the rest has the defaults of domain.py; edges may be numbers
or texts such as "0.5", and ``other`` may be null, which closes the list of values. Each object may hold
``provenance``: typed, imported (the default here) or proposed-from-data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import numpy as np

from curator_gui.core.date_formats import unknown_directives
from curator_gui.core.errors import InputError
from curator_gui.core.table import Column, Table, quoted
from curator_gui.synthesis.domain import (
    Categories,
    Codebook,
    ColumnDomain,
    DateBins,
    Domain,
    NumberBins,
    Provenance,
    other_than,
)

_BINS = 32
_VALUES = 1000


def read_dictionary(dictionary: Mapping[str, Any]) -> Domain:
    """The domain a dictionary declares. Raises InputError with the path of what is wrong."""
    columns = []
    for name, entry in dictionary.items():
        try:
            columns.append(_column(name, entry))
        except InputError as error:
            raise error.at(name) from None
    return Domain(tuple(columns))


def write_dictionary(domain: Domain) -> dict[str, Any]:
    """What ``read_dictionary`` reads back as the same domain."""
    return {c.name: _entry(c) for c in domain.columns}


def propose(table: Table) -> Domain:
    """Domains made from the rows themselves: outside the guarantee, and marked so.

    Categories are the values found, the most frequent thousand; numbers and dates get up to 32 bins of one
    width.
    """
    return Domain(tuple(_proposed(c) for c in table.columns))


def _column(name: str, entry: Any) -> ColumnDomain:
    if isinstance(entry, int) and not isinstance(entry, bool):
        return Codebook(name, entry)
    if not isinstance(entry, Mapping):
        raise InputError("A domain is a size or an object with values, edges or dates.")
    kinds = [k for k in _READERS if k in entry]
    if len(kinds) != 1:
        raise InputError("A domain needs exactly one of values, edges and dates.")
    read, allowed = _READERS[kinds[0]]
    unknown = [str(k) for k in entry if k not in {kinds[0], "missing", "provenance", *allowed}]
    if unknown:
        raise InputError(f"A domain of {kinds[0]} knows no {quoted(unknown)}.")
    options = {k: _typed(k, v) for k, v in entry.items() if k != kinds[0]}
    return read(name, entry[kinds[0]], {"provenance": "imported"} | options)


def _typed(key: str, value: Any) -> Any:
    """An option of the type its key asks for."""
    if key == "provenance" and value not in get_args(Provenance):
        raise InputError(f"“{value}” is no provenance; give one of {quoted(get_args(Provenance))}.", path=key)
    if key == "other" and value is None:
        return None
    wanted = {"missing": bool, "decimals": int}.get(key, str)
    if type(value) is not wanted:
        raise InputError(f"{value!r} is not a {wanted.__name__}.", path=key)
    return value


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError("A list is needed here.", path=key)
    return value


def _categories(name: str, values: Any, options: dict[str, Any]) -> ColumnDomain:
    texts = _list(values, "values")
    if not all(isinstance(v, str) for v in texts):
        raise InputError("Every value must be a text.", path="values")
    if not texts:
        raise InputError("No value is listed; list one or more.", path="values")
    other = options.setdefault("other", other_than(texts))
    if other in texts:
        raise InputError(
            f"“{other}” is among the values, too; call all others by another name.", path="other"
        )
    return Categories(name, tuple(texts), **options)


def _numbers(name: str, edges: Any, options: dict[str, Any]) -> ColumnDomain:
    try:
        read = tuple(Decimal(str(e)) for e in _list(edges, "edges") if not isinstance(e, bool))
    except InvalidOperation:
        raise InputError("Every edge must be a number.", path="edges") from None
    if not all(e.is_finite() for e in read):
        raise InputError("Every edge must be a finite number.", path="edges")
    return NumberBins(name, read, **options)


def _dates(name: str, edges: Any, options: dict[str, Any]) -> ColumnDomain:
    try:
        read = tuple(date.fromisoformat(e) for e in _list(edges, "dates"))
    except (TypeError, ValueError):
        raise InputError("Every date must be written as YYYY-MM-DD.", path="dates") from None
    if unknown := unknown_directives(options.get("format", "")):
        raise InputError(f"No date is read by {quoted(unknown)}; use %Y, %m, %d or the like.", path="format")
    return DateBins(name, read, **options)


_Reader = Callable[[str, Any, dict[str, Any]], ColumnDomain]
_READERS: dict[str, tuple[_Reader, tuple[str, ...]]] = {
    "values": (_categories, ("other",)),
    "edges": (_numbers, ("decimals", "mark")),
    "dates": (_dates, ("format",)),
}


def _entry(column: ColumnDomain) -> Any:
    if isinstance(column, Codebook):
        return column.size
    entry: dict[str, Any]
    if isinstance(column, Categories):
        entry = {"values": list(column.values), "other": column.other}
    elif isinstance(column, NumberBins):
        entry = {"edges": [str(e) for e in column.edges], "decimals": column.decimals, "mark": column.mark}
    elif isinstance(column, DateBins):
        entry = {"dates": [e.isoformat() for e in column.edges], "format": column.format}
    else:
        raise TypeError(type(column))
    return entry | {"missing": column.missing, "provenance": column.provenance}


def _proposed(column: Column) -> ColumnDomain:
    if column.type.is_number and column.numbers.valid.any():
        return _proposed_numbers(column)
    if column.type.kind == "date" and column.dates.valid.any():
        return _proposed_dates(column)
    frequent = np.argsort(-column.counts, kind="stable")[:_VALUES]
    values = sorted(v for v in column.values[frequent] if v is not None)
    missing = bool(column.missing.any())
    return Categories(
        column.name, tuple(values), missing, other_than(values), provenance="proposed-from-data"
    )


def _proposed_numbers(column: Column) -> ColumnDomain:
    numbers = column.numbers
    valid = [int(v) for v in numbers.scaled[numbers.valid]]
    unit = Decimal(1).scaleb(-numbers.scale)
    edges = tuple(unit * e for e in _even_edges(min(valid), max(valid)))
    missing = bool((~numbers.valid).any())
    return NumberBins(
        column.name, edges, numbers.scale, missing, column.type.mark, provenance="proposed-from-data"
    )


def _proposed_dates(column: Column) -> ColumnDomain:
    days = column.dates.instants[column.dates.valid].astype("datetime64[D]").astype(np.int64)
    edges = tuple(date(1970, 1, 1) + timedelta(e) for e in _even_edges(int(days.min()), int(days.max())))
    missing = bool((~column.dates.valid).any())
    pattern = column.type.format or "%Y-%m-%d"
    return DateBins(column.name, edges, missing, pattern, provenance="proposed-from-data")


def _even_edges(low: int, high: int) -> list[int]:
    """Whole edges of at most 32 bins of one width, from the least value to above the greatest."""
    width = max(1, -(-(high + 1 - low) // _BINS))
    bins = -(-(high + 1 - low) // width)
    return [low + width * i for i in range(bins + 1)]
