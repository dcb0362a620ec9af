"""Views: functions of one source value, evaluated on a column's distinct values.

A plan speaks of ``Identity``, ``Level``, ``Bins``, ``Prefix`` and ``Mapping``; ladders add ``Width``,
``DatePart`` and ``Star``. Edges are ``Decimal`` and bins are found by integer arithmetic: 0.1 is one tenth.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.decimals import (
    decimal_text,
    json_number,
    json_text,
    number_from_json,
    number_text,
    places,
    require_plain,
    scaled,
)
from curator_gui.core.errors import ViewError
from curator_gui.core.table import Column

Part = Literal["day", "week", "month", "quarter", "year", "decade"]
PARTS: tuple[Part, ...] = get_args(Part)

NOT_A_NUMBER = "not a number"
NOT_A_DATE = "not a date"
STAR = "*"

_INT64_SAFE = 2**62


@dataclass(frozen=True)
class Identity:
    """The value itself: its text."""


@dataclass(frozen=True)
class Level:
    """Level ``level`` of the column's ladder; 0 is the value itself."""

    level: int

    def __post_init__(self) -> None:
        if self.level < 0:
            raise ViewError(f"A level is 0 or more, not {self.level}.")


@dataclass(frozen=True)
class Bins:
    """Left-closed bins with open tails: a number's bin is how many of the rising edges are at most it."""

    edges: tuple[Decimal, ...]

    def __post_init__(self) -> None:
        if not self.edges:
            raise ViewError("Bins need at least one edge.")
        for edge in self.edges:
            require_plain(edge)
        for low, high in zip(self.edges, self.edges[1:], strict=False):
            if low >= high:
                raise ViewError(
                    f"Bin edges must strictly increase, but {number_text(high)} follows {number_text(low)}."
                )


@dataclass(frozen=True)
class Width:
    """Bin ⌊(v - origin) / width⌋."""

    width: Decimal
    origin: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        require_plain(self.width)
        require_plain(self.origin)
        if self.width <= 0:
            raise ViewError(f"A bin width is more than 0, not {number_text(self.width)}.")


@dataclass(frozen=True)
class Prefix:
    """The first ``length`` code points of the text, whatever the column's type."""

    length: int

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ViewError(f"A prefix has at least 1 character, not {self.length}.")


@dataclass(frozen=True)
class Mapping:
    """Labels by the cell's text. None names the missing value; unnamed, it stays missing."""

    pairs: tuple[tuple[str | None, str], ...]

    def __post_init__(self) -> None:
        seen: set[str | None] = set()
        for value, _ in self.pairs:
            if value in seen:
                raise ViewError(f"{value_text(value)} is mapped twice; keep one of the entries.")
            seen.add(value)


@dataclass(frozen=True)
class DatePart:
    """The day, ISO week, month, quarter, year or decade of a date."""

    part: Part


@dataclass(frozen=True)
class Star:
    """One class of every value that is not missing."""


View: TypeAlias = Identity | Level | Bins | Width | Prefix | Mapping | DatePart | Star


class Ladder(Protocol):
    """What a view needs of a hierarchy: its levels by number, 1 … height."""

    @property
    def height(self) -> int: ...

    def view(self, level: int) -> View: ...


@dataclass(frozen=True, eq=False)
class Coarsening:
    """A view evaluated on one column.

    codes: [distinct values of the column] int32 class, numbered in order of first appearance among them.
    labels: [classes] the released text; None is missing. No two are equal.
    """

    codes: NDArray[np.int32]
    labels: tuple[str | None, ...]

    def refines(self, other: Coarsening) -> bool:
        """Whether every class of this lies within one class of ``other`` (of the same column)."""
        lies_in = np.zeros(len(self.labels), np.int32)
        lies_in[self.codes] = other.codes
        return bool(np.array_equal(lies_in[self.codes], other.codes))


def coarsen(view: View, column: Column, hierarchy: Ladder | None) -> Coarsening:
    """Evaluate a view on a column's distinct values; ``hierarchy`` is the column's ladder, if it has one.

    Raises ViewError, with the witness, where the view does not fit the column's type or values.
    """
    match view:
        case Identity() | Level(0):
            return Coarsening(np.arange(len(column.values), dtype=np.int32), tuple(column.values))
        case Level(level):
            return coarsen(_level_of(hierarchy, level, column), column, None)
        case Bins():
            return _binned(column, _bin_ids(view, column), lambda i: bin_label(view, i))
        case Width():
            return _binned(column, _width_ids(view, column), _width_labels(view))
        case Prefix(length):
            return _labelled(v if v is None else v[:length] for v in column.values)
        case Mapping():
            return _mapped(view, column)
        case DatePart(part):
            return _dated(column, part)
        case Star():
            return _labelled(v if v is None else STAR for v in column.values)


def require_listed(view: Mapping, column: Column) -> None:
    """ViewError, naming the first values and their records, if the map leaves out a value of the column."""
    listed = {value for value, _ in view.pairs}
    absent = [i for i, v in enumerate(column.values) if v is not None and v not in listed]
    if absent:
        values = int(np.count_nonzero(~column.missing))
        raise ViewError(
            f"{len(absent)} of {values} values {'has' if len(absent) == 1 else 'have'} no entry: "
            f"{_witnesses(column, absent)}; give {'it' if len(absent) == 1 else 'each'} a label "
            f"for column “{column.name}”."
        )


def require_fit(view: View, column: Column) -> None:
    """ViewError if the view reads numbers or dates and the column's type is another."""
    needs, fits = "", True
    if isinstance(view, Bins | Width):
        needs, fits = "numbers", column.type.is_number
    elif isinstance(view, DatePart):
        needs, fits = "dates", column.type.is_date
    if not fits:
        raise ViewError(
            f"Column “{column.name}” is read as {column.type.kind}, but “{describe_view(view, None)}” "
            f"needs {needs}; change the column's type or use a prefix or a map."
        )


def view_from_json(data: object, *, path: str) -> View:
    """A view of a session file, loaded with ``parse_float=Decimal``; ViewError names the path in the file."""
    if data is None or data == {}:
        return Identity()
    if not isinstance(data, dict) or len(data) != 1:
        raise ViewError("A view is {} or has one of level, bins, prefix, map.", path=path)
    [(key, value)] = data.items()
    if key not in _READERS:
        raise ViewError(f"A view has no “{key}”; use one of level, bins, prefix, map.", path=path)
    try:
        return _READERS[key](value)
    except ViewError as error:
        raise error.at(f"{path}.{key}") from None


def view_to_json(view: View) -> dict[str, Any]:
    """The view as in a session file; numbers are int where whole, else Decimal, to be written exactly."""
    match view:
        case Identity():
            return {}
        case Level(level):
            return {"level": level}
        case Bins(edges):
            return {"bins": [json_number(e) for e in edges]}
        case Prefix(length):
            return {"prefix": length}
        case Mapping(pairs):
            return {"map": [list(pair) for pair in pairs]}
        case _:
            raise ViewError(f"“{describe_view(view, None)}” is saved as a level of a ladder, not as a view.")


def describe_view(view: View, hierarchy: Ladder | None) -> str:
    """A few words for the screen, such as “by 10” or “level 2 of 3: by 20”."""
    match view:
        case Identity() | Level(0):
            return "as it is"
        case Level(level):
            if hierarchy is None or level > hierarchy.height:
                return f"level {level}"
            return f"level {level} of {hierarchy.height}: {describe_view(hierarchy.view(level), None)}"
        case Bins(edges):
            return "bins at " + ", ".join(map(number_text, edges[:8])) + (", …" if len(edges) > 8 else "")
        case Width(width, origin):
            return f"by {number_text(width)}" + (f" from {number_text(origin)}" if origin else "")
        case Prefix(length):
            return "1 character" if length == 1 else f"{length} characters"
        case Mapping(pairs):
            labels = len({label for _, label in pairs})
            return "1 label" if labels == 1 else f"{labels} labels"
        case DatePart(part):
            return part
        case Star():
            return STAR


# bins


def _bin_ids(view: Bins, column: Column) -> NDArray[Any]:
    """[distinct values] how many edges are at most each number: e is, from ⌈e·10^scale⌉ units on."""
    require_fit(view, column)
    numbers = column.numbers
    thresholds = [math.ceil(Fraction(e) * 10**numbers.scale) for e in view.edges]
    if numbers.scaled.dtype == object:
        return np.fromiter(
            (bisect_right(thresholds, n) for n in numbers.scaled), np.int64, len(numbers.scaled)
        )
    within = np.array([min(max(t, -_INT64_SAFE), _INT64_SAFE) for t in thresholds], np.int64)
    return np.searchsorted(within, numbers.scaled, side="right")


def bin_label(view: Bins, bin: int) -> str:
    """The label of the bin above ``bin`` edges."""
    if bin == 0:
        return f"< {number_text(view.edges[0])}"
    if bin == len(view.edges):
        return f"≥ {number_text(view.edges[-1])}"
    return f"[{number_text(view.edges[bin - 1])}, {number_text(view.edges[bin])})"


def _width_ids(view: Width, column: Column) -> NDArray[Any]:
    """[distinct values] ⌊(v - origin) / width⌋: in int64 where no step can overflow, else in Python ints."""
    require_fit(view, column)
    numbers = column.numbers
    scale = max(numbers.scale, places(view.width, view.origin))
    factor, origin = 10 ** (scale - numbers.scale), scaled(view.origin, scale)
    width, units = scaled(view.width, scale), numbers.scaled
    largest = max((abs(int(units.max())), abs(int(units.min()))) if len(units) else (0,))
    if max(largest * factor + abs(origin), width, factor) >= _INT64_SAFE:
        units = units.astype(object)
    ids: NDArray[Any] = (units * factor - origin) // width
    return ids


def _width_labels(view: Width) -> Callable[[int], str]:
    scale = places(view.width, view.origin)
    width, origin = scaled(view.width, scale), scaled(view.origin, scale)

    def whole(bin: int) -> str:
        low = origin + bin * width
        return f"[{low}, {low + width})"

    def label(bin: int) -> str:
        low = origin + bin * width
        return f"[{decimal_text(low, scale)}, {decimal_text(low + width, scale)})"

    return label if scale else whole  # a million bins are not rare, and whole widths are the rule


# classes


def _binned(column: Column, ids: NDArray[Any], label: Callable[[int], str]) -> Coarsening:
    return _classes(column, ids, column.numbers.valid, label, NOT_A_NUMBER)


def _dated(column: Column, part: Part) -> Coarsening:
    require_fit(DatePart(part), column)
    days = column.dates.instants.astype("datetime64[D]").astype(np.int64)
    months = column.dates.instants.astype("datetime64[M]").astype(np.int64)
    ids = {
        "day": days,
        "week": (days + 3) // 7,  # 1970-01-01 was a Thursday
        "month": months,
        "quarter": months // 3,
        "year": months // 12 + 1970,
        "decade": (months // 12 + 1970) // 10,
    }[part]
    return _classes(column, ids, column.dates.valid, _DATE_LABELS[part], NOT_A_DATE)


def _day(days: int) -> date:
    return date(1970, 1, 1) + timedelta(days=days)


def _week_label(week: int) -> str:
    year, number, _ = _day(7 * week - 3).isocalendar()
    return f"{year:04}-W{number:02}"


_DATE_LABELS: dict[Part, Callable[[int], str]] = {
    "day": lambda d: _day(d).isoformat(),
    "week": _week_label,
    "month": lambda m: f"{1970 + m // 12:04}-{m % 12 + 1:02}",
    "quarter": lambda q: f"{1970 + q // 4:04}-Q{q % 4 + 1}",
    "year": lambda y: f"{y:04}",
    "decade": lambda d: f"{d * 10:04}s",
}


def _classes(
    column: Column, ids: NDArray[Any], valid: NDArray[np.bool_], label: Callable[[int], str], unread: str
) -> Coarsening:
    """Classes by id where valid; the rest share the label ``unread``, but missing stays missing."""
    keys = ids.astype(object)
    keys[~valid] = unread
    keys[column.missing] = None
    codes, distinct = _grouped(keys)
    return Coarsening(codes, tuple(label(k) if isinstance(k, int) else k for k in distinct))


def _mapped(view: Mapping, column: Column) -> Coarsening:
    label_of = dict(view.pairs)
    labels = [label_of.get(value) for value in column.values]
    if None in labels:
        require_listed(view, column)
    return _labelled(labels)


def _labelled(labels: Iterable[str | None]) -> Coarsening:
    """Classes by label, so that no two share one."""
    codes, distinct = _grouped(list(labels))
    return Coarsening(codes, tuple(distinct))


def _grouped(keys: Sequence[Any] | NDArray[np.object_]) -> tuple[NDArray[np.int32], list[Any]]:
    """Number equal keys alike, in order of first appearance."""
    index: dict[Hashable, int] = {}
    codes = np.fromiter((index.setdefault(k, len(index)) for k in keys), np.int32, len(keys))
    return codes, list(index)


def _level_of(hierarchy: Ladder | None, level: int, column: Column) -> View:
    if hierarchy is None:
        raise ViewError(
            f"Column “{column.name}” has no ladder, so it has no level {level}; give it a ladder first."
        )
    return hierarchy.view(level)


# words and JSON


def value_text(value: str | None) -> str:
    """A value for a sentence."""
    return "the missing value" if value is None else f"“{value}”"


def _witnesses(column: Column, at: list[int], most: int = 3) -> str:
    shown = ", ".join(f"“{column.values[i]}” ({_records(int(column.counts[i]))})" for i in at[:most])
    return shown if len(at) <= most else f"{shown} and {len(at) - most} more"


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def list_from_json(data: object, what: str) -> list[Any]:
    """The data if it is a list; else ViewError."""
    if not isinstance(data, list):
        raise ViewError(f"This must be a list of {what}.")
    return data


def whole_from_json(value: object) -> int:
    """An int as loaded from JSON; ViewError on anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ViewError(f"{json_text(value)} is not a whole number.")
    return value


def bins_from_json(data: object) -> Bins:
    """Bins from a list of edges."""
    return Bins(tuple(number_from_json(e) for e in list_from_json(data, "edges")))


def mapping_from_json(data: object) -> Mapping:
    """A map from a list of [value or null, label] pairs of texts."""
    return Mapping(tuple(map(_pair_from_json, list_from_json(data, "[value, label] pairs"))))


def _pair_from_json(pair: object) -> tuple[str | None, str]:
    match pair:
        case [(str() | None) as value, str(label)]:
            return value, label
    raise ViewError("Each entry of a map is [value, label], both texts; the value may be null for missing.")


_READERS: dict[object, Callable[[object], View]] = {
    "level": lambda data: Level(whole_from_json(data)),
    "bins": bins_from_json,
    "prefix": lambda data: Prefix(whole_from_json(data)),
    "map": mapping_from_json,
}
