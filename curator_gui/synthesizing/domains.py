"""Where the domains of a synthesis come from: ladders, a data dictionary, bounds typed in, or the data."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from curator_gui.core.decimals import decimal_text, places, scaled
from curator_gui.core.errors import FileError, InputError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import Column, ColumnType, quoted
from curator_gui.core.view import Bins, Identity, Level, Star, View, coarsen
from curator_gui.core.view import Mapping as MapView
from curator_gui.session import Session
from curator_gui.store.ordinary import read_text
from curator_gui.synthesis import Domain, propose, read_dictionary
from curator_gui.synthesis.domain import Categories, ColumnDomain, DateBins, NumberBins, Provenance
from curator_gui.synthesizing.source import Origin, prefix_of, shown_table

_DECIMALS = 2


def domain_for(
    session: Session, origin: Origin, columns: Sequence[str], declared: Domain | None = None
) -> Domain:
    """A domain for each column: as declared where it is, else by its ladder, else proposed from the data.

    What is proposed says so in its provenance; nothing else looks at the rows.
    """
    given = {c.name: c for c in declared.columns} if declared else {}
    prefix = prefix_of(session, origin)
    unknown = [n for n in given if n not in prefix.columns]
    if unknown:
        raise InputError(
            f"The domain names {quoted(unknown)}, which the table to synthesize does not have; it has "
            f"{quoted(prefix.columns)}."
        )
    return Domain(tuple(given.get(name) or column_domain(prefix, name) for name in columns))


def column_domain(prefix: Prefix, name: str) -> ColumnDomain:
    """One column's domain by its ladder or, where that leaves it open, proposed from the data."""
    table = shown_table(prefix, [name])
    shown = next(s for s in prefix.shown if s.name == name)
    declared = ladder_domain(shown, prefix.source.hierarchies.get(name))
    return declared or propose(table).columns[0]


def ladder_domain(shown: Shown, ladder: Hierarchy | None) -> ColumnDomain | None:
    """What a column's view, or its ladder where it is shown as it is, lists without a look at the rows."""
    view: View = shown.view
    provenance: Provenance = "typed"
    if isinstance(view, Level) and ladder is not None:
        view, provenance = ladder.view(view.level), ladder.provenance
    match view:
        case Identity():
            return _of_source_values(shown.column, ladder)
        case MapView(pairs):
            names_missing = any(value is None for value, _ in pairs)
            return typed_values(
                shown.name, [label for _, label in pairs], missing=not names_missing, provenance=provenance
            )
        case Bins():
            return typed_values(shown.name, _bin_labels(view), provenance=provenance)
        case Star():
            return typed_values(shown.name, ["*"], provenance=provenance)
    return None


def _of_source_values(column: Column, ladder: Hierarchy | None) -> ColumnDomain | None:
    match ladder.levels[0] if ladder else None:
        case MapView(pairs) if ladder:
            values = [value for value, _ in pairs if value is not None]
            return typed_values(column.name, values, provenance=ladder.provenance)
        case Bins(edges) if ladder and len(edges) > 1:
            decimals = 0 if column.type.kind == "integer" else max(places(*edges), _DECIMALS)
            return NumberBins(column.name, edges, decimals, True, column.type.mark, ladder.provenance)
    return None


def _bin_labels(bins: Bins) -> list[str]:
    """The labels of all bins, open tails included, in their order."""
    scale = places(*bins.edges)
    edges = [scaled(e, scale) for e in bins.edges]
    texts = [decimal_text(e, scale) for e in (edges[0] - 1, *edges)]
    made = coarsen(bins, Column.of("", texts, ColumnType("decimal")), None)
    return [str(label) for label in made.labels]


# --- typed in


def typed_values(
    name: str, values: Iterable[str], *, missing: bool = True, provenance: Provenance = "typed"
) -> Categories:
    """Listed values; “other” is spelled so that it is none of them."""
    listed = tuple(dict.fromkeys(values))
    other = "other"
    while other in listed:
        other += "…"
    return Categories(name, listed, missing, other, provenance)


def typed_integers(name: str, low: int, high: int, *, missing: bool = False) -> NumberBins:
    """Every whole number from ``low`` to ``high``, and none but these."""
    if high < low:
        raise InputError(f"“{name}” needs a last number that is not below the first.")
    half = Decimal("0.5")
    edges = tuple(Decimal(n) - half for n in range(low, high + 2))
    return NumberBins(name, edges, 0, missing)


def typed_numbers(
    name: str, low: str, high: str, bins: int, *, decimals: int = 0, mark: str = ".", missing: bool = True
) -> NumberBins:
    """Bins of one width, up to rounding, from ``low`` to ``high``, both texts as typed, with a point."""
    first, last = _number(name, low), _number(name, high)
    if bins < 1 or not first < last:
        raise InputError(f"“{name}” needs bounds that increase and one or more bins.")
    unit = Decimal(1).scaleb(-decimals)
    inner = [(first + (last - first) * i / bins).quantize(unit) for i in range(1, bins)]
    return NumberBins(name, (first, *inner, last), decimals, missing, mark)


def typed_dates(
    name: str, first: date, last: date, bins: int, *, format: str = "%Y-%m-%d", missing: bool = True
) -> DateBins:
    """Bins of about as many days each, from one day to another."""
    days = last.toordinal() - first.toordinal()
    if bins < 1 or days < bins:
        raise InputError(f"“{name}” needs a last date after the first, and no more bins than days.")
    edges = tuple(date.fromordinal(first.toordinal() + days * i // bins) for i in range(bins + 1))
    return DateBins(name, edges, missing, format)


def _number(name: str, text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except ArithmeticError:
        raise InputError(f"“{text}” is no bound of “{name}”; type a number, with a point.") from None
    if not number.is_finite():
        raise InputError(f"“{text}” is no bound of “{name}”; type a finite number.")
    return number


# --- data dictionary files


def read_domain_file(path: Path) -> Domain:
    """A data dictionary: JSON as ``read_dictionary`` takes it, or CSV with column, kind and value.

    In CSV each line adds to a column: kind is value (the default), edge, date, size, other, missing,
    decimals, mark, format or provenance. FileError or InputError, naming the file or the place in it.
    """
    text = read_text(path, "a data dictionary")
    read = _csv_entries if path.suffix.lower() in (".csv", ".tsv") else _json_entries
    try:
        return read_dictionary(read(path, text))
    except InputError as error:
        raise error.at(path.name) from None


def _json_entries(path: Path, text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text, parse_float=Decimal, object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        raise FileError(f"“{path.name}” is no data dictionary: its JSON cannot be read.") from None
    if not isinstance(data, dict) or not data:
        raise InputError(f"“{path.name}” must be a JSON object with an entry for each column.")
    return data


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise InputError(f"The domain file names {quoted([n for n in found if names.count(n) > 1])} twice.")
    return found


_LISTS = {"value": "values", "edge": "edges", "date": "dates"}
_OPTIONS = ("other", "missing", "decimals", "mark", "format", "provenance")


def _csv_entries(path: Path, text: str) -> Mapping[str, Any]:
    reader = csv.DictReader(text.splitlines(), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    if not {"column", "value"} <= set(reader.fieldnames or ()):
        raise InputError(f"“{path.name}” needs the columns column and value, and may have kind.")
    entries: dict[str, Any] = {}
    for line in reader:
        where = f"{path.name}, line {reader.line_num}"
        try:
            _add(entries, line["column"] or "", (line.get("kind") or "value").strip(), line["value"] or "")
        except ValueError:
            raise InputError(
                f"“{line['value']}” is no {line.get('kind')}; check the line.", path=where
            ) from None
        except InputError as error:
            raise error.at(where) from None
    if not entries:
        raise InputError(f"“{path.name}” lists no column.")
    return entries


def _add(entries: dict[str, Any], column: str, kind: str, value: str) -> None:
    if kind == "size":
        entries[column] = int(value)
        return
    entry = entries.setdefault(column, {})
    if not isinstance(entry, dict):
        raise InputError(f"“{column}” has a size already; it needs nothing else.")
    if kind in _LISTS:
        entry.setdefault(_LISTS[kind], []).append(value)
    elif kind in _OPTIONS:
        entry[kind] = _option(kind, value)
    else:
        raise InputError(f"“{kind}” is no kind; use one of {quoted([*_LISTS, 'size', *_OPTIONS], 12)}.")


def _option(kind: str, value: str) -> Any:
    if kind == "decimals":
        return int(value)
    if kind == "missing":
        if value.lower() not in ("true", "false"):
            raise InputError("“missing” is true or false.")
        return value.lower() == "true"
    return value


# --- on screen


def code_labels(column: ColumnDomain) -> list[str]:
    """[size] what each code of a domain stands for, for a person."""
    if isinstance(column, Categories):
        labels = [*column.values, column.other]
    elif isinstance(column, NumberBins | DateBins):
        labels = [_bin_label(column, a, b) for a, b in pairwise(column.edges)]
        labels[-1] = labels[-1].replace(")", "]")
    else:
        return [str(i) for i in range(column.size)]
    return [*labels, "(missing)"][: column.size]


def _bin_label(column: NumberBins | DateBins, low: Any, high: Any) -> str:
    """A bin; the number itself where a bin holds one whole number."""
    if isinstance(column, NumberBins) and column.decimals == 0 and high - low == 1:
        return str(math.ceil(low))
    return f"[{low}, {high})"
