import hmac

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.core.table import Column, Table
from curator_gui.store.ledger.fingerprint import Secret, content_digest, keyed

CELLS = st.one_of(st.none(), st.text(max_size=4), st.integers(-20, 20).map(str))


def table(**columns: list[str | None]) -> Table:
    return Table.of([Column.of(name, cells) for name, cells in columns.items()])


@settings(deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), max_size=12), st.randoms())
def test_the_order_of_rows_and_columns_does_not_matter(
    rows: list[tuple[str | None, str | None]], chance
) -> None:
    shuffled = rows.copy()
    chance.shuffle(shuffled)

    one = table(a=[r[0] for r in rows], b=[r[1] for r in rows])
    other = table(b=[r[1] for r in shuffled], a=[r[0] for r in shuffled])

    assert content_digest(one) == content_digest(other)


@pytest.mark.parametrize(
    ("cell", "saved"),
    [
        (" Ann ", "Ann"),
        ("02139", "2139"),
        ("1.50", "1.5"),
        ("1.0", "1"),
        ("1,5", "1.5"),
        ("+3", "3"),
        ("-0", "0"),
        ("-0.50", "-0.5"),
        ("", None),
        ("NA", None),
        ("n/a", ""),
        ("2024-01-31 00:00:00", "2024-01-31"),
        ("2024-01-31T00:00:00Z", "2024-01-31"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_what_another_program_makes_of_a_cell_does_not_matter(cell: str, saved: str | None) -> None:
    assert content_digest(table(a=[cell, "x"])) == content_digest(table(a=["x", saved]))


@pytest.mark.parametrize(
    "other",
    [
        table(a=["1", "2"], b=["x", "z"]),
        table(a=["1", "2"], c=["x", "y"]),
        table(a=["1", "2"], b=["y", "x"]),
        table(a=["1", "2", "2"], b=["x", "y", "y"]),
        table(a=["1"], b=["x"]),
        table(a=["1", "2"]),
        table(a=["1", "-2"], b=["x", "y"]),
        table(),
    ],
)
def test_other_content_has_another_digest(other: Table) -> None:
    assert content_digest(other) != content_digest(table(a=["1", "2"], b=["x", "y"]))


def test_values_that_no_row_holds_do_not_matter() -> None:
    whole = Column.of("a", ["x", "y", "z"])
    rest = Column("a", whole.codes[:2].copy(), whole.values)

    assert content_digest(Table.of([rest])) == content_digest(table(a=["x", "y"]))


def test_the_fingerprint_is_an_hmac_under_the_ledgers_secret() -> None:
    key = bytes(range(32)).ljust(64, b"\0")
    secret = Secret(bytes(b ^ 0x36 for b in key), bytes(b ^ 0x5C for b in key))

    assert keyed(secret, b"content") == hmac.new(bytes(range(32)), b"content", "sha256").hexdigest()
    assert keyed(Secret.new(), b"content") != keyed(Secret.new(), b"content")
