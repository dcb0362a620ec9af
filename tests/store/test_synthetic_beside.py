from __future__ import annotations

from curator_gui.store.session_file import SyntheticRelease
from curator_gui.store.synthetic_beside import synthetic_beside

MADE = SyntheticRelease("made.csv", "0" * 64, "cusyn-aim", 0.3, "pool", 2, "1" * 64)


def test_a_synthetic_table_of_the_same_data_is_named_with_its_epsilon() -> None:
    assert synthetic_beside([MADE]) == (
        "A synthetic table of the same data was exported as “made.csv” with ε 0.3; such a guarantee does not "
        "cover what a curated table gives away, and the two do not add up."
    )
    assert "2 synthetic tables of the same data were exported, the last as" in str(
        synthetic_beside([MADE, MADE])
    )


def test_one_that_only_the_ledger_knows_of_is_told_too_and_none_is_not() -> None:
    assert "charged to its privacy budget" in str(synthetic_beside([], charged=True))
    assert synthetic_beside([]) is None
