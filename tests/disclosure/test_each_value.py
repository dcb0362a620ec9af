"""One secret for each value of a column: as many as can be scored in a few seconds, and a sentence beyond."""

from __future__ import annotations

import pytest

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Source
from curator_gui.core.protection import EachValue, Protection
from curator_gui.core.table import Column, Table
from curator_gui.disclosure.population import resolve


def table(values: int, rows: int) -> Source:
    return Source(Table.of([Column.of("id", [f"x{i % values}" for i in range(rows)])]))


def test_every_value_of_a_long_column_is_too_many_and_the_sentence_says_how_many_can_be() -> None:
    with pytest.raises(InputError, match=r"secrets\[0\].*has 30000 values.*it can be 1666; name"):
        resolve(table(30_000, 30_000), Protection(secrets=(EachValue("id"),)))


def test_both_sides_of_every_value_count_twice() -> None:
    with pytest.raises(InputError, match="it can be 833; name"):
        resolve(table(1_000, 30_000), Protection(secrets=(EachValue("id", two_sided=True),)))


def test_thousands_of_values_of_a_short_table_are_protected() -> None:
    assert len(resolve(table(3_000, 5_000), Protection(secrets=(EachValue("id"),))).secrets) == 3_000
