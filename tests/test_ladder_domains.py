"""What a ladder tells of a column, and what two ends add where it goes on without end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curator_gui.core.errors import InputError
from curator_gui.session import Session
from curator_gui.synthesis.domain import Categories, DateBins, NumberBins
from curator_gui.synthesizing import code_labels, domain_between, domain_for, open_ladder_of
from curator_gui.synthesizing.source import prefix_of, shown_table

ROWS = (("34", "92617", "2023-02-28"), ("7", "92799", "2023-11-05"), ("61", "10001", ""))

WIDTHS = {"kind": "bins", "levels": [{"width": 10}, {"width": 20}, "*"]}
EDGES = {"kind": "bins", "levels": [{"edges": [18, 65]}, "*"]}
ONE_EDGE = {"kind": "bins", "levels": [{"edges": [18]}, "*"]}
MONTHS = {"kind": "date", "levels": ["month", "year", "*"]}
PREFIXES = {"kind": "prefix", "levels": [3, 1, "*"]}


def session_with(
    folder: Path, ladders: dict[str, Any], levels: dict[str, int] | None = None, rows: Sequence[Any] = ROWS
) -> Session:
    lines = ["age,zip,seen", *(",".join(row) for row in rows)]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    types = {"age": "integer", "zip": "code", "seen": "date"}
    columns: dict[str, Any] = {name: {"type": type} for name, type in types.items()}
    columns["seen"]["format"] = "%Y-%m-%d"
    steps = [{"op": "generalize", "column": n, "view": {"level": k}} for n, k in (levels or {}).items()]
    path = folder / "people.curation.json"
    document = {
        "format": "curation-session/1",
        "source": {"path": "people.csv"},
        "columns": columns,
        "hierarchies": ladders,
        "protection": {"budget": 5},
        "plan": steps,
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    return Session.load(path)


def test_widths_between_two_ends_are_bins_that_hold_both(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"age": WIDTHS})

    found = domain_between(session, "prepared", "age", "18", "65")

    assert isinstance(found, NumberBins)
    assert found.edges == tuple(Decimal(e) for e in (10, 20, 30, 40, 50, 60, 70))
    assert (found.decimals, found.provenance) == (0, "typed")


def test_an_end_on_an_edge_opens_no_bin_beyond_it(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"age": WIDTHS})

    found = domain_between(session, "prepared", "age", "0", "120")

    assert isinstance(found, NumberBins)
    assert (found.edges[0], found.edges[-1], found.bins) == (0, 120, 12)


def test_the_open_tails_of_bins_end_where_their_owner_says(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"age": EDGES})

    found = domain_between(session, "prepared", "age", "0", "120")

    assert isinstance(found, NumberBins)
    assert found.edges == tuple(Decimal(e) for e in (0, 18, 65, 120))


def test_bins_with_one_edge_need_ends(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"age": ONE_EDGE})

    assert domain_for(session, "prepared", ["age"]).proposed == ("age",)
    assert code_labels(domain_between(session, "prepared", "age", "0", "90"))[:2] == ["[0, 18)", "[18, 90]"]


def test_widths_of_a_coarsened_column_are_the_labels_it_is_shown_with(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"age": WIDTHS}, {"age": 2})

    found = domain_between(session, "prepared", "age", "0", "99")

    assert isinstance(found, Categories)
    assert found.values == ("[0, 20)", "[20, 40)", "[40, 60)", "[60, 80)", "[80, 100)")
    assert encoded(session, found) == [1, 0, 3]


def test_months_begin_and_end_where_the_owner_says(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"seen": MONTHS})

    found = domain_between(session, "prepared", "seen", "2023-01-15", "2023-03-31")

    assert isinstance(found, DateBins)
    assert found.edges == (date(2023, 1, 15), date(2023, 2, 1), date(2023, 3, 1), date(2023, 3, 31))


def test_months_of_a_coarsened_column_are_listed_by_their_labels(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"seen": MONTHS}, {"seen": 1})

    found = domain_between(session, "prepared", "seen", "2023-01-01", "2023-12-31")

    assert isinstance(found, Categories)
    assert found.values == tuple(f"2023-{m:02}" for m in range(1, 13))
    assert encoded(session, found) == [1, 10, found.size - 1]


def test_codes_between_two_codes_are_listed_and_all_others_are_other(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"zip": PREFIXES}, {"zip": 1})

    found = domain_between(session, "prepared", "zip", "92600", "92799")

    assert isinstance(found, Categories)
    assert found.values == ("926", "927")
    assert encoded(session, found) == [0, 1, 2]


def test_codes_as_they_are_keep_their_leading_zeros(tmp_path: Path) -> None:
    session = session_with(tmp_path, {"zip": PREFIXES})

    found = domain_between(session, "prepared", "zip", "00098", "00101")

    assert isinstance(found, Categories)
    assert found.values == ("00098", "00099", "00100", "00101")


def test_no_row_moves_a_domain_between_two_ends(tmp_path: Path) -> None:
    ladders = {"age": WIDTHS, "zip": PREFIXES, "seen": MONTHS}
    (tmp_path / "other").mkdir()
    one = session_with(tmp_path, ladders)
    other = session_with(tmp_path / "other", ladders, rows=[("0", "00501", "1999-01-01")])

    for name, first, last in (
        ("age", "0", "90"),
        ("zip", "90000", "90100"),
        ("seen", "2023-01-01", "2024-01-01"),
    ):
        assert domain_between(one, "prepared", name, first, last) == domain_between(
            other, "prepared", name, first, last
        )


def test_widths_proposed_from_the_data_stay_outside_the_guarantee_and_no_calendar_or_code_does(
    tmp_path: Path,
) -> None:
    proposed = {**WIDTHS, "provenance": "proposed-from-data"}
    dates = {**MONTHS, "provenance": "proposed-from-data"}
    codes = {**PREFIXES, "provenance": "proposed-from-data"}
    session = session_with(tmp_path, {"age": proposed, "seen": dates, "zip": codes})

    found = [
        domain_between(session, "prepared", "age", "0", "90"),
        domain_between(session, "prepared", "seen", "2023-01-01", "2024-01-01"),
        domain_between(session, "prepared", "zip", "92600", "92699"),
    ]

    assert [d.provenance for d in found] == ["proposed-from-data", "typed", "typed"]


@pytest.mark.parametrize(
    ("name", "first", "last", "sentence"),
    [
        ("age", "old", "90", "“old” is no bound"),
        ("age", "inf", "90", "finite"),
        ("age", "90", "0", "not below the first"),
        ("age", "5", "5", "above the first"),
        ("age", "0", "1e9", "10000 are the most"),
        ("seen", "yesterday", "2024-01-01", "is no date"),
        ("seen", "2024-01-01", "2023-01-01", "after the first"),
        ("seen", "0001-01-01", "9999-12-31", "400 years"),
        ("zip", "92600", "999", "of as many digits"),
        ("zip", "A", "B", "of as many digits"),
        ("zip", "00000", "99999", "10000 are the most"),
    ],
)
def test_ends_that_are_none_are_told_in_a_sentence(
    tmp_path: Path, name: str, first: str, last: str, sentence: str
) -> None:
    session = session_with(tmp_path, {"age": WIDTHS, "zip": PREFIXES, "seen": MONTHS})

    with pytest.raises(InputError, match=sentence):
        domain_between(session, "prepared", name, first, last)


def test_a_column_whose_ladder_tells_everything_needs_no_ends(tmp_path: Path) -> None:
    table = {"kind": "table", "levels": [[["34", "old"], ["7", "young"], ["61", "old"]]]}
    session = session_with(tmp_path, {"age": table})

    assert open_ladder_of(session, "prepared", "age") is None
    assert open_ladder_of(session, "prepared", "zip") is None
    with pytest.raises(InputError, match="has no ladder that goes on without end"):
        domain_between(session, "prepared", "zip", "0", "9")


def encoded(session: Session, domain: Categories) -> list[int]:
    table = shown_table(prefix_of(session, "prepared"), [domain.name])
    return list(np.asarray(domain.encode(table[domain.name])).tolist())
