"""The committed samples are what their generator writes, and they show what they are meant to show."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest

from curator_gui.bundled import sample

Row = dict[str, str]


def _rows(name: str) -> list[Row]:
    with sample(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _session(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(sample(name).read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def clinic() -> list[Row]:
    return _rows("clinic.csv")


def _visible(row: Row) -> tuple[str, str, str]:
    return (row["age"] and str(int(row["age"]) // 10), row["sex"], row["zip"][:3])


def _coarsened(row: Row) -> tuple[str, ...]:
    """What the usual coarsening leaves of a row beside medication: the visible attributes and three more."""
    return (*_visible(row), row["smoker"], row["admitted"][:4], row["ward"].split()[0])


def _largest_rise(rows: list[Row], shown: Callable[[Row], tuple[str, ...]]) -> Fraction:
    """The most a consenting record's class, as shown, raises the rate of HIV above its group's."""
    groups, groups_with = Counter(map(_visible, rows)), Counter(_visible(r) for r in rows if _has_hiv(r))
    released = [r for r in rows if r["consent"] == "yes"]
    classes: Counter[tuple[Any, ...]] = Counter((_visible(r), shown(r)) for r in released)
    with_secret = Counter((_visible(r), shown(r)) for r in released if _has_hiv(r))
    return max(
        Fraction(k * groups[group], classes[group, values] * groups_with[group])
        for (group, values), k in with_secret.items()
    )


def _has_hiv(row: Row) -> bool:
    return row["diagnosis"] == "HIV"


def test_generating_the_clinic_again_gives_the_committed_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(sample("make_clinic.py")), str(tmp_path)], check=True)

    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {name: sample(name).read_bytes() for name in ("clinic.csv", "clinic.curation.json")}


@pytest.mark.parametrize("name", ["clinic", "paper"])
def test_a_sample_session_names_its_table_by_hash_and_row_count(name: str) -> None:
    source = _session(f"{name}.curation.json")["source"]

    assert source["sha256"] == hashlib.sha256(sample(source["path"]).read_bytes()).hexdigest()
    assert source["rows"] == len(_rows(source["path"]))


def test_the_clinic_keeps_leading_zeros_and_has_missing_values(clinic: list[Row]) -> None:
    assert len(clinic) == 5000
    assert all(r["zip"].startswith("0") and len(r["zip"]) == 5 for r in clinic if r["zip"])
    assert {name for r in clinic for name, cell in r.items() if not cell} == {
        "age", "sex", "zip", "medication", "cost",
    }  # fmt: skip


def test_only_people_with_hiv_take_art(clinic: list[Row]) -> None:
    assert {r["diagnosis"] for r in clinic if r["medication"] == "ART"} == {"HIV"}


def test_the_rare_diagnosis_occurs_in_one_zip_code(clinic: list[Row]) -> None:
    assert Counter(r["zip"] for r in clinic if r["diagnosis"] == "Brucellosis") == {"01002": 6}


def test_after_the_usual_coarsening_medication_makes_the_guess_certain(clinic: list[Row]) -> None:
    rise = _largest_rise(clinic, lambda r: (*_coarsened(r), r["medication"]))

    assert rise == Fraction(25, 2)


def test_dropping_medication_brings_the_clinic_within_its_budget(clinic: list[Row]) -> None:
    rise = _largest_rise(clinic, _coarsened)

    assert rise == Fraction(125, 108)
    assert rise < exp(_session("clinic.curation.json")["protection"]["budget"])


@pytest.mark.parametrize("column", range(6))
def test_dropping_another_column_instead_does_not_help(clinic: list[Row], column: int) -> None:
    def without(row: Row) -> tuple[str, ...]:
        kept = list(_coarsened(row))
        del kept[column]
        return (*kept, row["medication"])

    assert _largest_rise(clinic, without) == Fraction(25, 2)


def test_the_papers_example_rises_from_two_in_three_to_certain() -> None:
    women = [r for r in _rows("paper.csv") if _visible(r) == ("3", "F", "926")]

    assert [_has_hiv(r) for r in women] == [True, True, False]
    assert [r["medication"] for r in women] == ["ART", "ART", "None"]
