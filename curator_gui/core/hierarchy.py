"""Hierarchies: ladders of views, each level nested in the next by construction.

A ladder that does not nest is refused with two values that share a class at one level and part at the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, pairwise
from typing import Any, Literal, TypeAlias, get_args

from curator_gui.core.decimals import (
    decimal_text,
    json_number,
    json_text,
    number_from_json,
    places,
    scaled,
)
from curator_gui.core.errors import ViewError
from curator_gui.core.table import Column, ColumnType
from curator_gui.core.view import (
    PARTS,
    STAR,
    Bins,
    DatePart,
    Identity,
    Mapping,
    Part,
    Prefix,
    Star,
    View,
    Width,
    bins_from_json,
    coarsen,
    list_from_json,
    mapping_from_json,
    require_fit,
    require_listed,
    whole_from_json,
)

HierarchyKind = Literal["bins", "prefix", "date", "table"]
Provenance = Literal["typed", "imported", "proposed-from-data"]
Rung: TypeAlias = Bins | Width | Prefix | DatePart | Mapping | Star

_RUNGS: dict[HierarchyKind, tuple[type, ...]] = {
    "bins": (Bins, Width, Star),
    "prefix": (Prefix, Star),
    "date": (DatePart, Star),
    "table": (Mapping, Star),
}


@dataclass(frozen=True)
class Hierarchy:
    """A ladder for one column: ``levels[k - 1]`` is level k, a view of the SOURCE value; level 0 is itself.

    Raises ViewError unless the levels are of the kind and each is nested in the next.
    """

    kind: HierarchyKind
    levels: tuple[Rung, ...]
    provenance: Provenance = "typed"

    def __post_init__(self) -> None:
        if not self.levels:
            raise ViewError("A ladder needs at least one level.")
        for number, rung in enumerate(self.levels, 1):
            if not isinstance(rung, _RUNGS[self.kind]):
                raise ViewError(f"Level {number} does not belong in a ladder of kind {self.kind}.")
            if rung == Star() and number < self.height:
                raise ViewError(f"“*” is level {number} of {self.height}; nothing can stand above it.")
        for number, (lower, upper) in enumerate(pairwise(self.levels), 1):
            _require_nested(lower, upper, number)

    @property
    def height(self) -> int:
        return len(self.levels)

    def view(self, level: int) -> View:
        """The view of a level, 0 … height; ViewError beyond the top."""
        if level == 0:
            return Identity()
        if not 1 <= level <= self.height:
            raise ViewError(f"The ladder has no level {level}; its top is level {self.height}.")
        return self.levels[level - 1]


def check_coverage(h: Hierarchy, column: Column) -> None:
    """ViewError, with the witness, if the ladder does not fit the column's type or leaves a value out."""
    for rung in h.levels:
        require_fit(rung, column)
        if isinstance(rung, Mapping):
            _require_some_listed(rung, column)
            require_listed(rung, column)


def _require_some_listed(rung: Mapping, column: Column) -> None:
    present = {v for v in column.values if v is not None}
    if present and present.isdisjoint(value for value, _ in rung.pairs):
        raise ViewError(
            f"0 of {len(present)} values matched; this looks like a ladder for another column "
            f"than “{column.name}”."
        )


# Nesting


def _require_nested(lower: Rung, upper: Rung, number: int) -> None:
    """Refuse level ``number + 1`` if it repeats level ``number`` or parts values that share a class there."""
    if _same(lower, upper):
        raise ViewError(f"Level {number + 1} repeats level {number}; remove one of them.")
    for value in _unlisted(lower, upper):
        raise ViewError(
            f"{_shown(value)} has a label at only one of levels {number} and {number + 1}; add the other."
        )
    for one, other, share in _split(lower, upper):
        raise ViewError(
            f"{_shown(one)} and {_shown(other)} share {_shown(share)} at level {number} but differ at level "
            f"{number + 1}; a ladder may only merge classes on the way up."
        )


def _same(lower: Rung, upper: Rung) -> bool:
    """Whether the levels are one view. Maps may repeat, as those written from short codes do."""
    if isinstance(lower, Mapping):
        return False
    if isinstance(lower, Width) and isinstance(upper, Width):
        return lower.width == upper.width and not any(_cuts_between(lower, upper))
    return lower == upper


def _unlisted(lower: Rung, upper: Rung) -> Iterator[str | None]:
    """Values that one of two maps lists and the other does not; missing may be named anywhere."""
    if isinstance(lower, Mapping) and isinstance(upper, Mapping):
        below, above = dict(lower.pairs), dict(upper.pairs)
        yield from (v for v in [*below, *above] if v is not None and (v not in below or v not in above))


def _split(lower: Rung, upper: Rung) -> Iterator[tuple[str | None, str | None, str]]:
    """Pairs of values with the lower label they share while their upper classes differ; none if nested."""
    match lower, upper:
        case Mapping(), _:
            yield from _split_labels(lower, upper)
        case _, Star():
            return
        case ((Bins() | Width()), (Bins() | Width())):
            yield from _cuts_between(lower, upper)
        case Prefix(short), Prefix(long):
            if long > short:
                share = "0" * min(short, 2 * _MOST_SHOWN)
                yield f"{share}0", f"{share}1", share
        case DatePart(), DatePart():
            yield from _split_dates(lower, upper)


def _split_labels(lower: Mapping, upper: Rung) -> Iterator[tuple[str | None, str | None, str]]:
    above: dict[str | None, str | None] = dict.fromkeys((v for v, _ in lower.pairs if v is not None), STAR)
    if isinstance(upper, Mapping):
        above = dict(upper.pairs)
    first: dict[str, str | None] = {}
    for value, label in lower.pairs:
        one = first.setdefault(label, value)
        if above.get(one) != above.get(value):  # None: missing stays missing
            yield one, value, label


def _split_dates(lower: DatePart, upper: DatePart) -> Iterator[tuple[str, str, str]]:
    """The sample holds a witness for every pair of parts that do not nest."""
    column = Column.of("", _WITNESS_DATES, ColumnType("date"))
    below, above = coarsen(lower, column, None), coarsen(upper, column, None)
    for i, j in combinations(range(len(_WITNESS_DATES)), 2):
        if below.codes[i] == below.codes[j] and above.codes[i] != above.codes[j]:
            yield _WITNESS_DATES[i], _WITNESS_DATES[j], str(below.labels[below.codes[i]])


_WITNESS_DATES = (
    "2024-01-01",
    "2024-01-08",  # another week of the same month
    "2024-01-31",
    "2024-02-01",  # the same week, another month
    "2024-06-15",  # another quarter of the same year
    "2024-09-30",
    "2024-10-01",  # the same week, another quarter
    "2019-12-31",
    "2020-01-01",  # the same week, another decade
)


def _cuts_between(lower: Bins | Width, upper: Bins | Width) -> Iterator[tuple[str, str, str]]:
    """For each upper cut inside a lower bin: a number of that bin below the cut, and the cut itself.

    Where an upper width has infinitely many cuts, the finitely many that decide are tried.
    """
    scale = places(*_numbers(lower), *_numbers(upper))
    edges = sorted(scaled(e, scale) for e in lower.edges) if isinstance(lower, Bins) else []
    for cut in _deciding_cuts(lower, upper, scale):
        if isinstance(lower, Width):
            width, origin = scaled(lower.width, scale), scaled(lower.origin, scale)
            start = cut - (cut - origin) % width
        else:
            start = max((e for e in edges if e <= cut), default=cut - 1)
        if start != cut:
            one, other = decimal_text(start, scale), decimal_text(cut, scale)
            bins = coarsen(lower, Column.of("", [one], ColumnType("decimal")), None)
            yield one, other, str(bins.labels[0])


def _deciding_cuts(lower: Bins | Width, upper: Bins | Width, scale: int) -> list[int]:
    if isinstance(upper, Bins):
        return [scaled(e, scale) for e in upper.edges]
    width, origin = scaled(upper.width, scale), scaled(upper.origin, scale)
    tries = 2 if isinstance(lower, Width) else len(lower.edges) + 1
    return [origin + k * width for k in range(tries)]


def _numbers(rung: Bins | Width) -> tuple[Any, ...]:
    return rung.edges if isinstance(rung, Bins) else (rung.width, rung.origin)


_MOST_SHOWN = 40


def _shown(value: str | None) -> str:
    if value is None:
        return "missing"
    return value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…"


# JSON


def hierarchy_from_json(data: object, *, path: str) -> Hierarchy:
    """A ladder of a session file, read with ``parse_float=Decimal``; ViewError names the path in the file."""
    try:
        return _hierarchy_from_json(data)
    except ViewError as error:
        raise error.at(path) from None


def _hierarchy_from_json(data: object) -> Hierarchy:
    if not isinstance(data, dict) or not {"kind", "levels"} <= data.keys():
        raise ViewError("A ladder has a kind and levels.")
    for key in data.keys() - {"kind", "levels", "provenance"}:
        raise ViewError(f"A ladder has no “{key}”; it has kind, levels and provenance.")
    kind, provenance = data["kind"], data.get("provenance", "typed")
    if kind not in get_args(HierarchyKind):
        raise ViewError(f"{json_text(kind)} is none of bins, prefix, date, table.", path="kind")
    if provenance not in get_args(Provenance):
        raise ViewError(
            f"{json_text(provenance)} is none of typed, imported, proposed-from-data.", path="provenance"
        )
    levels = list_from_json(data["levels"], "levels")
    return Hierarchy(kind, tuple(_rung_from_json(kind, r, i) for i, r in enumerate(levels)), provenance)


def _rung_from_json(kind: HierarchyKind, data: object, index: int) -> Rung:
    try:
        return Star() if data == STAR else _RUNG_READERS[kind](data)
    except ViewError as error:
        raise error.at(f"levels[{index}]") from None


def _bins_rung(data: object) -> Rung:
    match data:
        case {"edges": edges, **rest} if not rest:
            return bins_from_json(edges)
        case {"width": width, **rest} if rest.keys() <= {"origin"}:
            return Width(number_from_json(width), number_from_json(rest.get("origin", 0)))
    raise ViewError("A level of bins is {“width”: w, “origin”: o}, {“edges”: [e1, …]} or “*”.")


def _date_rung(data: object) -> Rung:
    for part in PARTS:
        if part == data:
            return DatePart(part)
    raise ViewError(f"{json_text(data)} is none of {', '.join(PARTS)}, *.")


_RUNG_READERS: dict[HierarchyKind, Callable[[object], Rung]] = {
    "bins": _bins_rung,
    "prefix": lambda data: Prefix(whole_from_json(data)),
    "date": _date_rung,
    "table": mapping_from_json,
}


def hierarchy_to_json(h: Hierarchy) -> dict[str, Any]:
    """The ladder as in a session file; numbers are int where whole, else Decimal, to be written exactly."""
    return {"kind": h.kind, "levels": [_rung_to_json(r) for r in h.levels], "provenance": h.provenance}


def _rung_to_json(rung: Rung) -> object:
    match rung:
        case Bins(edges):
            return {"edges": [json_number(e) for e in edges]}
        case Width(width, origin):
            return {"width": json_number(width), "origin": json_number(origin)}
        case Prefix(length):
            return length
        case DatePart(part):
            return part
        case Mapping(pairs):
            return [list(pair) for pair in pairs]
        case Star():
            return STAR


# Proposals


def propose_hierarchy(column: Column) -> Hierarchy | None:
    """A ladder to start from, by type and values: nice widths, prefixes or calendar parts, with “*” on top.

    None where nothing but dropping the column would help: no values, or free text of many values.
    """
    texts = [v for v in column.values if v is not None]
    if not texts:
        return None
    if column.type.is_number:
        return _proposed("bins", _nice_widths(column))
    if column.type.is_date:
        parts: tuple[Part, ...] = ("day", "month", "quarter", "year")
        return _proposed("date", [DatePart(p) for p in parts if p != "day" or column.type.kind == "datetime"])
    if column.type.kind == "code" or _are_codes(texts):
        return _proposed("prefix", _even_prefixes(max(map(len, texts))))
    return _proposed("table", []) if len(texts) <= _MOST_CATEGORIES else None


_MOST_CATEGORIES = 200
_MOST_BINS = 20
_NICE_STEPS = {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}
"""Widths that start at 1, 2 or 5 times a power of ten, each a multiple of the one before."""


def _proposed(kind: HierarchyKind, rungs: Sequence[Rung]) -> Hierarchy:
    return Hierarchy(kind, (*rungs, Star()), "proposed-from-data")


def _nice_widths(column: Column) -> list[Width]:
    """Up to three widths inside the range, the first with at most about ``_MOST_BINS`` bins."""
    numbers = column.numbers
    units = numbers.scaled[numbers.valid]
    span = int(units.max()) - int(units.min()) if len(units) else 0
    exponent = 0
    while 5 * 10**exponent * _MOST_BINS < span:
        exponent += 1
    start = next((m for m in _NICE_STEPS if m * 10**exponent * _MOST_BINS >= span), 5)
    # Whole numbers by 1 are as they are.
    widths = [m * 10**exponent for m in _NICE_STEPS[start] if m * 10**exponent > 1]
    return [Width(Decimal(decimal_text(w, numbers.scale))) for w in widths if w < span]


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether all texts are ASCII digits of one length of 2 or more, as postal codes are."""
    length = len(texts[0])
    return length > 1 and all(len(t) == length and t.isascii() and t.isdigit() for t in texts)


def _even_prefixes(longest: int) -> list[Prefix]:
    """At most four lengths, evenly spaced below the longest text's: 4, 3, 2, 1 for five characters."""
    lengths = {round(longest * k / 5) for k in (4, 3, 2, 1)} - {0, longest}
    return [Prefix(n) for n in sorted(lengths, reverse=True)]
