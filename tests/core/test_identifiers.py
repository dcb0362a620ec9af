"""Direct identifiers are told by their names and their values, and quasi-identifiers are left alone."""

from __future__ import annotations

import pytest

from curator_gui.core.identifiers import birth_dates, identifier_reason, propose_identifiers
from curator_gui.core.table import Column, ColumnType, Table


def reason(name: str, cells: list[str | None]) -> str:
    return identifier_reason(Column.of(name, cells)) or ""


@pytest.mark.parametrize(
    ("name", "cells", "words"),
    [
        ("contact", ["a@b.org", "c.d@e.co.uk", "n/a"], "E-mail"),
        ("x", ["+49 30 1234567", "+1 (555) 123-4567"], "Telephone"),
        ("x", ["030/1234567", "0171 2345678"], "Telephone"),
        ("patient_id", ["7", "7", "8"], "number of a person"),
        ("MRN", ["7", "9"], "number of a person"),
        ("record id", ["1", "2", "3"], "record number"),
        ("Name", ["M.", "N.", "O."], "names"),
        ("lastName", ["Smith", "Jones", "Lee"], "names"),
        ("姓名", ["甲", "乙"], "names"),
        ("notes", ["fell down the stairs", "no remarks"], "free text"),
        ("x", ["she said that it hurts", "he came with his brother Paul"], "Free text"),
        ("a", [f"{n}" for n in range(1000, 1050)], "Running numbers"),
        ("a", [f"{n * 7919 % 900000 + 100000}" for n in range(50)], "6 digits"),
        ("a", [f"Anna{chr(97 + n)} Smith" for n in range(26)], "names"),
        ("a", ["409-19-7042", "219-09-9999"], "social security numbers"),
        ("a", ["10.42.137.238", "10.0.0.1"], "Network addresses"),
        ("a", ["48.466138, 11.545294", "48.1, 11.5", "47.99901, 10.0002"], "Coordinates of places"),
        ("lat", [f"48.{n * 7919 % 100000:05}" for n in range(30)], "coordinates of a place"),
        ("full_name", ["Dora Ivanov", "Émile Ng"] * 20, "names of persons"),
        ("patientName", ["D.", "E."] * 20, "names of persons"),
        ("id", [f"{n}" for n in range(8)] * 5, "number of a person or record"),
        ("insurance no", [f"A12345{n}" for n in range(8)] * 5, "number of a person"),
        ("personnummer", [f"1950010{n}-123{n}" for n in range(8)] * 5, "number of a person"),
        ("nhs_number", [f"943476590{n}" for n in range(8)] * 5, "number of a person"),
        ("social security number", ["unknown", "refused"], "number of a person"),
        ("name", [f"{first} Smith" for first in ("Ann", "Bob", "Eve", "Fay", "Gus")] * 5, "names of persons"),
        (
            "patient",
            [f"{first} Lee" for first in ("Ann", "Bob", "Eve", "Fay", "Gus")] * 5,
            "names of persons",
        ),
        ("a", [f"x{n}-{n * 31}-{n * 17}" for n in range(50)], "different in nearly every row"),
    ],
)
def test_a_direct_identifier_is_proposed_with_the_reason(
    name: str, cells: list[str | None], words: str
) -> None:
    assert words in reason(name, cells)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("age", ["34", "35", "36"]),
        ("zip", ["02134", "90210", "00501"]),
        ("clinic name", ["North", "South"] * 20),
        ("diagnosis", ["HIV", "Flu", "Asthma"]),
        ("admitted", [f"2020-01-{n:02}" for n in range(1, 31)]),
        ("income", [f"{n * 1237}.{n % 100:02}" for n in range(1, 60)]),
        ("lab", [f"{n * 0.000123:.5e}" for n in range(60)]),
        ("cost", [f"${n}.{n % 100:02}" for n in range(60)]),
        ("weight", [f"{n * 1.37:.2f} kg" for n in range(60)]),
        ("pressure", [f"{n}/{n * 7 % 60 + 50}" for n in range(90, 150)]),
        ("at", [f"{n % 24:02}:{n % 60:02}:{n * 7 % 60:02}" for n in range(60)]),
        ("name", ["Paris", "Rome", "Lyon", "Oslo", "Bonn", "New York"] * 5),
        ("name", ["garden chair", "table", "red lamp", "oak shelf", "stool"] * 5),
        ("name", ["Main Street", "High Street", "Mill Lane", "North Road", "Park Lane"] * 500),
        ("patient", ["yes", "no"] * 20),
        ("member", ["full member", "guest", "honorary", "former", "none"] * 5),
        ("insurance no", ["1", "2", "3"] * 20),
        ("id", ["1", "2"] * 20),
        ("dob", [f"19{n}-01-{n % 28 + 1:02}" for n in range(50, 90)]),
        ("lat_band", ["1.5", "2.5"] * 30),
        ("ward_id", ["1", "2"] * 30),
        ("id", [None, None]),
        ("name", []),
        ("score", ["10", "11"]),
    ],
)
def test_what_describes_people_is_no_identifier(name: str, cells: list[str | None]) -> None:
    assert reason(name, cells) == ""


@pytest.mark.parametrize(
    ("cells", "format"),
    [
        ([f"199{n % 10}{n % 12 + 1:02}{n % 28 + 1:02}" for n in range(60)], "%Y%m%d"),
        ([f"{n % 28 + 1:02} March 19{n + 10}" for n in range(60)], "%d %B %Y"),
    ],
)
def test_days_are_no_identifiers_however_they_are_written(cells: list[str], format: str) -> None:
    born = Column.of("born", cells)

    assert identifier_reason(born.retyped(ColumnType("date", format=format))) is None


def test_a_table_proposes_only_its_identifiers() -> None:
    table = Table.of([Column.of("id", ["1", "2"]), Column.of("age", ["34", "34"])])

    assert list(propose_identifiers(table)) == ["id"]


def test_days_of_birth_are_named_whatever_the_words() -> None:
    names = ["dob", "Geburtsdatum", "date of birth", "birth_date", "birth_year", "admitted"]
    table = Table.of([Column.of(name, ["1970-01-01", "1980-02-02"]) for name in names])

    assert birth_dates(table) == ("dob", "Geburtsdatum", "date of birth", "birth_date")
