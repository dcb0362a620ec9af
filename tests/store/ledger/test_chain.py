from hypothesis import given, settings
from hypothesis import strategies as st

from curator_gui.store.ledger.chain import from_netstrings, netstrings

FIELDS = st.lists(st.one_of(st.none(), st.text("-1:a", max_size=3)), max_size=4)


@settings(deadline=None)
@given(st.lists(st.text(max_size=10)))
def test_netstrings_are_read_back_as_they_were_written(fields: list[str]) -> None:
    assert from_netstrings(netstrings(*fields)) == fields


@settings(deadline=None)
@given(FIELDS, FIELDS)
def test_no_two_lists_of_fields_have_one_text(one: list[str | None], other: list[str | None]) -> None:
    assert (netstrings(*one) == netstrings(*other)) == (one == other)
