from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_gui.core.errors import InputError
from curator_gui.core.table import Column, ColumnType, Table
from curator_gui.synthesis import Domain, Unit, propose, read_dictionary, write_dictionary
from curator_gui.synthesis.domain import Categories, Codebook, DateBins, NumberBins

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"

texts = st.one_of(st.none(), st.text(max_size=4), st.sampled_from(["7", "-3", "12.5", "2020-02-29", "HIV"]))


def encoded(domain: Any, *cells: str | None) -> list[int]:
    codes: list[int] = domain.encode(Column.of("c", cells)).tolist()
    return codes


def decoded(domain: Any, *codes: int) -> list[str | None]:
    column = domain.decode(np.array(codes), np.random.default_rng(0))
    return [column.cell(i) for i in range(column.rows)]


ADMITTED = DateBins("c", (date(2020, 1, 1), date(2021, 1, 1), date(2021, 12, 31)))
DOMAINS = [
    Categories("c", ("HIV", "flu", "")),
    Categories("c", ("HIV",), missing=False),
    NumberBins("c", (Decimal(0), Decimal(10), Decimal("12.5")), decimals=1),
    NumberBins("c", (Decimal(0), Decimal(10)), missing=False),
    ADMITTED,
    Codebook("c", 5),
]


@pytest.mark.parametrize("domain", DOMAINS)
@given(cells=st.lists(texts, max_size=6))
def test_no_cell_makes_encoding_fail(domain: Any, cells: list[str | None]) -> None:
    codes = encoded(domain, *cells)

    assert all(0 <= c < domain.size for c in codes)


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_a_code_stands_for_has_that_code(domain: Any) -> None:
    codes = [c for c in range(domain.size) for _ in range(20)]

    assert encoded(domain, *decoded(domain, *codes)) == codes


def test_a_category_that_is_not_listed_is_other() -> None:
    assert encoded(Categories("c", ("HIV", "flu")), "flu", "malaria", None, "hiv") == [1, 2, 3, 2]


@pytest.mark.parametrize(("missing", "codes"), [(True, [1, 2, 0, 2]), (False, [1, 0, 0, 0])])
def test_what_a_closed_list_lacks_is_missing_or_the_first(missing: bool, codes: list[int]) -> None:
    domain = Categories("c", ("a", "b"), missing, other=None)

    encoded = domain.encode(Column.of("c", ["b", "x", "a", None]))

    assert encoded.tolist() == codes
    assert domain.size == 2 + missing
    drawn = domain.decode(np.arange(domain.size), np.random.default_rng(0))
    assert [drawn.cell(r) for r in range(domain.size)] == ["a", "b", None][: domain.size]


def test_a_closed_list_is_written_and_read_again_and_holds_something() -> None:
    domain = Domain((Categories("c", ("a",), False, other=None, provenance="imported"),))

    assert read_dictionary(write_dictionary(domain)) == domain
    with pytest.raises(InputError, match="No value is listed"):
        read_dictionary({"c": {"values": [], "other": None}})


def test_a_missing_category_is_other_where_missing_is_not_declared() -> None:
    assert encoded(Categories("c", ("HIV",), missing=False), None) == [1]


def test_numbers_outside_are_clipped_to_the_end_bins() -> None:
    bins = NumberBins("c", tuple(map(Decimal, (0, 10, 20))))

    assert encoded(bins, "-5", "0", "9", "10", "20", "999", "x", None) == [0, 0, 0, 1, 1, 1, 2, 2]


def test_edges_are_compared_exactly() -> None:
    bins = NumberBins("c", (Decimal(0), Decimal("0.3"), Decimal(1)), decimals=2)

    assert encoded(bins, "0.29", "0.30", "0.2999999999999999999999") == [0, 1, 0]


def test_numbers_are_read_and_written_with_their_decimal_mark() -> None:
    bins = NumberBins("c", (Decimal("-0.5"), Decimal("0.5")), decimals=2, mark=",")

    assert encoded(bins, "0,25", "0.25") == [0, 1]
    assert all("," in str(v) for v in decoded(bins, *[0] * 30))


def test_numbers_are_drawn_all_over_their_bin_and_not_outside() -> None:
    bins = NumberBins("c", (Decimal(0), Decimal(3), Decimal(5)))

    assert set(decoded(bins, *[0] * 200)) == {"0", "1", "2"}
    assert set(decoded(bins, *[1] * 200)) == {"3", "4", "5"}


def test_negative_decimals_are_written_as_they_are_read() -> None:
    bins = NumberBins("c", (Decimal("-0.05"), Decimal("-0.04")), decimals=2)

    assert set(decoded(bins, *[0] * 50)) == {"-0.05", "-0.04"}


def test_dates_are_drawn_inside_their_bin() -> None:
    drawn = decoded(ADMITTED, *[1] * 300)

    assert all("2021-01-01" <= str(d) <= "2021-12-31" for d in drawn)
    assert len(set(drawn)) > 100


def test_dates_outside_are_clipped_and_others_are_missing() -> None:
    assert encoded(ADMITTED, "1999-01-01", "2030-01-01", "2020-12-31", "soon", None) == [0, 1, 0, 2, 2]


def test_a_codebook_keeps_integers_and_clips_the_rest() -> None:
    assert encoded(Codebook("c", 3), "0", "2", "7", "-1", "x", None) == [0, 2, 2, 0, 0, 0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Categories("c", ("a", "a")),
        lambda: NumberBins("c", (Decimal(1),)),
        lambda: NumberBins("c", (Decimal(2), Decimal(1))),
        lambda: NumberBins("c", (Decimal("0.1"), Decimal("0.2"), Decimal(5))),
        lambda: DateBins("c", (date(2020, 1, 1), date(2020, 1, 1))),
        lambda: Codebook("c", 0),
        lambda: Unit("id", 0),
        lambda: Domain(()),
        lambda: Domain((Codebook("c", 2), Codebook("c", 2))),
    ],
)
def test_a_domain_that_makes_no_sense_is_refused(make: Any) -> None:
    with pytest.raises(InputError):
        make()


PEOPLE = Table.of(
    [
        Column.of("id", ["x", "y", "x", None, "x", "y", None]),
        Column.of("v", ["3", "1", "0", "2", "1", "1", "0"]),
    ]
)


def test_with_a_key_no_more_rows_a_person_are_used_than_the_bound() -> None:
    codes = Domain((Codebook("v", 4),)).encode(PEOPLE, Unit("id", 2))

    assert sorted(codes[:, 0]) == [0, 0, 1, 1, 1, 2]


def test_a_missing_key_is_one_person() -> None:
    codes = Domain((Codebook("v", 4),)).encode(PEOPLE, Unit("id", 1))

    assert sorted(codes[:, 0]) == [0, 0, 1]


@given(st.permutations(range(7)), st.integers(1, 3))
def test_the_rows_used_do_not_depend_on_their_order(order: list[int], bound: int) -> None:
    cells = [[c.cell(i) for i in order] for c in PEOPLE.columns]
    shuffled = Table.of([Column.of(c.name, v) for c, v in zip(PEOPLE.columns, cells, strict=True)])
    domain, unit = Domain((Codebook("v", 4),)), Unit("id", bound)

    assert sorted(domain.encode(shuffled, unit)[:, 0]) == sorted(domain.encode(PEOPLE, unit)[:, 0])


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("0123")), max_size=12),
    st.sampled_from("xyz"),
    st.integers(1, 3),
)
def test_one_person_more_changes_no_more_rows_than_the_bound(
    rows: list[tuple[str, str]], person: str, bound: int
) -> None:
    def used(kept: list[tuple[str, str]]) -> Any:
        columns = [Column.of(n, [r[i] for r in kept]) for i, n in enumerate(("id", "v"))]
        codes = Domain((Codebook("v", 4),)).encode(Table.of(columns), Unit("id", bound))
        return np.bincount(codes[:, 0], minlength=4)

    change = used(rows) - used([r for r in rows if r[0] != person])

    assert (change >= 0).all()
    assert change.sum() <= bound


RICH = {
    "sex": 2,
    "disease": {"values": ["flu", "HIV"], "other": "rest", "missing": False, "provenance": "typed"},
    "age": {"edges": [0, 18, "64.5", 120], "decimals": 1},
    "admitted": {"dates": ["2020-01-01", "2021-01-01"], "format": "%d.%m.%Y"},
}


def test_a_dictionary_is_read_into_domains() -> None:
    domain = read_dictionary(RICH)

    assert domain.names == ("sex", "disease", "age", "admitted")
    assert domain.sizes == (2, 3, 4, 2)
    assert [c.provenance for c in domain.columns] == ["imported", "typed", "imported", "imported"]


def test_a_dictionary_written_reads_back_the_same_through_json() -> None:
    domain = read_dictionary(RICH)

    assert read_dictionary(json.loads(json.dumps(write_dictionary(domain)))) == domain


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (True, "size or an object"),
        (0, "size 0"),
        ("many", "size or an object"),
        ({}, "exactly one of"),
        ({"values": ["a"], "edges": [1, 2]}, "exactly one of"),
        ({"values": "abc"}, r"c\.values: A list"),
        ({"values": [1]}, "must be a text"),
        ({"values": ["a"], "format": "%Y"}, "knows no “format”"),
        ({"values": ["a"], "missing": "no"}, r"c\.missing"),
        ({"values": ["a"], "provenance": "guessed"}, "no provenance"),
        ({"edges": ["a", "b"]}, "must be a number"),
        ({"edges": ["0", "Infinity"]}, "finite"),
        ({"edges": [0, 1], "decimals": True}, r"c\.decimals"),
        ({"edges": [1, 0]}, "each above the one before"),
        ({"dates": ["yesterday", "2020-01-01"]}, "YYYY-MM-DD"),
        ({"dates": [2020, 2021]}, "YYYY-MM-DD"),
    ],
)
def test_a_wrong_dictionary_is_refused_with_the_path(entry: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        read_dictionary({"c": entry})

    assert str(refused.value).startswith("c")


def test_a_proposed_domain_says_that_it_saw_the_data() -> None:
    table = Table.of(
        [
            Column.of("word", ["b", "a", None, "other"]),
            Column.of("age", ["3", "90", "x", "17"], ColumnType("integer")),
            Column.of("cost", ["0.5", "0.25", "1", "7"], ColumnType("decimal")),
            Column.of("day", ["2020-01-05", "2020-03-01", None, "2020-01-05"], ColumnType("date")),
        ]
    )

    domain = propose(table)

    assert domain.proposed == ("word", "age", "cost", "day")
    assert domain.decode(domain.encode(table), np.random.default_rng(0))["word"].cell(0) == "b"
    assert write_dictionary(domain)["word"]["other"] != "other"
    assert domain.sizes[1] == 32 - 2 + 1
    assert read_dictionary(write_dictionary(domain)) == domain


def test_a_column_of_missing_cells_alone_is_encoded_and_decoded() -> None:
    table = Table.of([Column.of("c", [None] * 5, ColumnType("integer"))])
    domain = propose(table)

    codes = domain.encode(table)

    assert domain.decode(codes, np.random.default_rng(0))["c"].values.tolist() == [None]


@pytest.mark.skipif(
    not (DATA / "nltcs-domain.json").exists(), reason="the public tables are not beside the project"
)
@pytest.mark.parametrize("name", ["nltcs", "titanic", "salary"])
def test_published_domains_of_integer_codes_are_read_as_they_are(name: str) -> None:
    sizes = json.loads((DATA / f"{name}-domain.json").read_text())

    domain = read_dictionary(sizes)

    assert dict(zip(domain.names, domain.sizes, strict=True)) == sizes
