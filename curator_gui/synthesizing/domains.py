"""Where the domains of a synthesis come from: ladders, a data dictionary, bounds typed in, or the data."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from curator_gui.core.errors import FileError, InputError
from curator_gui.core.preparation import Prefix, Shown
from curator_gui.core.table import quoted
from curator_gui.session import Session
from curator_gui.store.ordinary import read_text
from curator_gui.synthesis import Domain, propose, read_dictionary
from curator_gui.synthesis.domain import Categories, ColumnDomain, DateBins, NumberBins
from curator_gui.synthesizing.ladder_domains import OpenLadder, ladder_domain, open_ladder
from curator_gui.synthesizing.source import Origin, prefix_of, shown_table


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
    declared = ladder_domain(_shown(prefix, name), prefix.source.hierarchies.get(name))
    return declared or propose(table).columns[0]


def open_ladder_of(session: Session, origin: Origin, name: str) -> OpenLadder | None:
    """What two ends would make a domain of the column; None where its ladder needs none, or has none."""
    prefix = prefix_of(session, origin)
    shown_table(prefix, [name])
    return open_ladder(_shown(prefix, name), prefix.source.hierarchies.get(name))


def domain_between(session: Session, origin: Origin, name: str, first: str, last: str) -> ColumnDomain:
    """The column's domain by its ladder from one end to the other. InputError where it has no such ladder."""
    found = open_ladder_of(session, origin, name)
    if found is None:
        raise InputError(
            f"“{name}” has no ladder that goes on without end, so two ends do not tell what it may hold; "
            "list it in a data dictionary."
        )
    return found.between(first, last)


def _shown(prefix: Prefix, name: str) -> Shown:
    return next(s for s in prefix.shown if s.name == name)


# --- data dictionary files


def read_domain_file(path: Path) -> Domain:
    """A data dictionary: JSON as ``read_dictionary`` takes it, or CSV with column, kind and value.

    In CSV each line adds to a column: kind is value (the default), edge, date, size, other, missing,
    decimals, mark, format or provenance; an empty other closes the list of values. FileError or InputError,
    naming the file or the place in it.
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
    return None if kind == "other" and not value else value


# --- on screen


def code_labels(column: ColumnDomain) -> list[str]:
    """[size] what each code of a domain stands for, for a person."""
    if isinstance(column, Categories):
        labels = [*column.values, *([] if column.other is None else [column.other])]
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
