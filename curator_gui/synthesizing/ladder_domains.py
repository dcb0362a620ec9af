"""Domains told by a column's view or ladder, without a look at the rows.

A table of labels and bins with edges tell all of it. Bins of one width, parts of the calendar and first
characters go on without end: of those the owner says the first and the last, and the ladder the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from curator_gui.core.decimals import decimal_text, places, scaled
from curator_gui.core.errors import InputError
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.preparation import Shown
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import Bins, DatePart, Identity, Level, Prefix, Star, View, Width, coarsen
from curator_gui.core.view import Mapping as MapView
from curator_gui.synthesis.domain import ColumnDomain, DateBins, NumberBins, Provenance
from curator_gui.synthesizing.typed_domains import typed_number, typed_values

OpenView: TypeAlias = Bins | Width | DatePart | Prefix

MOST_VALUES = 10_000
_DECIMALS = 2
_LONGEST = 400  # years


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


# --- between two ends


@dataclass(frozen=True, eq=False)
class OpenLadder:
    """A view or ladder of a column that says the classes, but not where they begin and end.

    as_is: whether the column is shown as it is, so that values are drawn back inside the classes; else the
    classes' labels are what is synthesized.
    """

    column: Column
    view: OpenView
    as_is: bool
    provenance: Provenance

    def between(self, first: str, last: str, *, missing: bool = True) -> ColumnDomain:
        """The domain from one end to the other, both as typed: numbers with a point, ISO dates, codes.

        InputError where an end is none, the last is below the first, or there are too many classes between.
        """
        match self.view:
            case Bins() | Width():
                return self._numbers(first, last, missing)
            case DatePart():
                return self._dates(first, last, missing)
            case Prefix(length):
                return self._codes(first, last, None if self.as_is else length, missing)

    def _numbers(self, first: str, last: str, missing: bool) -> ColumnDomain:
        column = self.column
        low, high = (typed_number(column.name, text.strip()) for text in (first, last))
        cuts = _cuts(self.view, low, high, column.name)
        if not self.as_is:
            return self._labelled([low, *cuts], ColumnType("decimal"), missing)
        if low >= high:
            raise InputError(f"“{column.name}” needs a last number above the first.")
        if isinstance(self.view, Width):
            low, high = _outer(self.view, low, high)
        edges = (low, *(c for c in cuts if low < c < high), high)
        decimals = 0 if column.type.kind == "integer" else max(places(*edges), _DECIMALS)
        return NumberBins(column.name, edges, decimals, missing, column.type.mark, self.provenance)

    def _dates(self, first: str, last: str, missing: bool) -> ColumnDomain:
        column = self.column
        low, high = (_day(column.name, text) for text in (first, last))
        if not low < high or high.year - low.year > _LONGEST:
            raise InputError(
                f"“{column.name}” needs a last date after the first, {_LONGEST} years later at most."
            )
        days = [low + timedelta(n) for n in range((high - low).days + 1)]
        made = coarsen(self.view, Column.of("", [d.isoformat() for d in days], ColumnType("date")), None)
        _require_few(column.name, len(made.labels))
        if not self.as_is:
            return self._listed([str(label) for label in made.labels], missing)
        starts = [days[n] for n in np.flatnonzero(np.diff(made.codes)) + 1]
        edges = (low, *(d for d in starts if d < high), high)
        return DateBins(column.name, edges, missing, column.type.format or "%Y-%m-%d", self.provenance)

    def _codes(self, first: str, last: str, length: int | None, missing: bool) -> ColumnDomain:
        name = self.column.name
        low, high = (text.strip()[:length] for text in (first, last))
        if not all(t.isascii() and t.isdigit() for t in (low, high)) or len(low) != len(high) or low > high:
            raise InputError(
                f"“{name}” needs a first and a last code of as many digits, such as 92600 and 92799; list "
                "other values one by one."
            )
        _require_few(name, int(high) - int(low) + 1)
        return self._listed([f"{n:0{len(low)}}" for n in range(int(low), int(high) + 1)], missing)

    def _labelled(self, values: list[Decimal], type: ColumnType, missing: bool) -> ColumnDomain:
        """The labels of the classes in which these values lie."""
        scale = places(*values)
        texts = [decimal_text(scaled(v, scale), scale) for v in values]
        made = coarsen(self.view, Column.of("", texts, type), None)
        return self._listed([str(label) for label in made.labels], missing)

    def _listed(self, values: list[str], missing: bool) -> ColumnDomain:
        return typed_values(self.column.name, values, missing=missing, provenance=self.provenance)


def open_ladder(shown: Shown, ladder: Hierarchy | None) -> OpenLadder | None:
    """What two ends would make a domain of; None where the ladder tells all of it, or nothing."""
    view: View = shown.view
    provenance: Provenance = "typed"
    as_is = view in (Identity(), Level(0))
    if isinstance(view, Level) or as_is:
        if ladder is None:
            return None
        view = ladder.levels[0] if as_is else ladder.view(view.level if isinstance(view, Level) else 0)
        provenance = ladder.provenance
    if isinstance(view, DatePart) or (isinstance(view, Prefix) and as_is):
        provenance = "typed"  # the calendar, and whole codes, are the same whatever the data
    if isinstance(view, Width | DatePart | Prefix) or (isinstance(view, Bins) and as_is):
        return OpenLadder(shown.column, view, as_is, provenance)
    return None


def _cuts(view: OpenView, low: Decimal, high: Decimal, name: str) -> list[Decimal]:
    """Where a new class begins, above the one end and up to the other."""
    if low > high:
        raise InputError(f"“{name}” needs a last number that is not below the first.")
    if isinstance(view, Bins):
        return [e for e in view.edges if low < e <= high]
    assert isinstance(view, Width)
    start, end = (_steps(view, n) for n in (low, high))
    _require_few(name, end - start + 1)
    return [_at(view, k) for k in range(start + 1, end + 1)]


def _outer(view: Width, low: Decimal, high: Decimal) -> tuple[Decimal, Decimal]:
    """The ends moved outwards to where classes begin and end."""
    last = _steps(view, high)
    return _at(view, _steps(view, low)), _at(view, last if _at(view, last) == high else last + 1)


def _steps(view: Width, number: Decimal) -> int:
    return (Fraction(number) - Fraction(view.origin)) // Fraction(view.width)


def _at(view: Width, step: int) -> Decimal:
    scale = places(view.width, view.origin)
    return Decimal(decimal_text(scaled(view.origin, scale) + step * scaled(view.width, scale), scale))


def _require_few(name: str, values: int) -> None:
    if values > MOST_VALUES:
        raise InputError(
            f"Between these ends “{name}” has {values} values, and {MOST_VALUES} are the most; choose a "
            "coarser level, or nearer ends."
        )


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"“{text}” is no date of “{name}”; write the year, the month and the day, such as 2024-01-31."
        ) from None
