"""Write the sample table clinic.csv and its session clinic.curation.json: invented people, always the same.

    python sample_data/make_clinic.py [FOLDER]

What the table has to show, and how it comes about:

* Medication gives HIV away: nobody else takes ART. As long as that column is kept, the best guess about
  a treated person goes from their group's share of HIV to certain.
* Nothing else that the usual coarsening keeps says anything about HIV: each group of age by decade, sex and
  three ZIP digits is cut into strata by year, building and smoker, and each stratum holds HIV in the
  group's share, as nearly as its size allows. So one further step, dropping medication, is enough.
* The finer values do say something: within its building, HIV is treated mostly on one ward.
* Brucellosis, a rare diagnosis, occurs in one ZIP code only.
* Ages, sexes, ZIP codes, medications and costs are missing here and there; codes have leading zeros.

Only ``Random.random`` is drawn from, whose sequence Python keeps the same from version to version.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

SEED = 20240229
RECORDS = 5000
BUDGET = 0.2

COLUMNS = (
    "record_id", "admitted", "ward", "age", "sex", "zip",
    "smoker", "diagnosis", "medication", "cost", "consent",
)  # fmt: skip
ZIPS = {
    "021": ("02108", "02115", "02118", "02130", "02139", "02141"),
    "010": ("01002", "01007", "01040", "01060"),
    "018": ("01801", "01810", "01841", "01850"),
}
YEARS = (2023, 2024)
WARDS = {"North": ("North 1", "North 2"), "South": ("South 1", "South 2")}
HIV_WARD = {"North": "North 2", "South": "South 1"}
SMOKER_WEIGHT = {"yes": 1, "no": 2}
RARE, RARE_ZIP, RARE_RECORDS = "Brucellosis", "01002", 6

MEDICATION: Mapping[str, tuple[str, ...]] = {
    "HIV": ("ART",),
    "Influenza": ("Oseltamivir", "Paracetamol"),
    "Pneumonia": ("Amoxicillin", "Doxycycline"),
    "Asthma": ("Salbutamol", "Budesonide"),
    "Diabetes": ("Metformin", "Insulin"),
    "Hypertension": ("Lisinopril", "Amlodipine"),
    "Depression": ("Sertraline",),
    "Fracture": ("Paracetamol", "Ibuprofen"),
    RARE: ("Doxycycline",),
}
FAMILY = {
    "ART": "antiviral", "Oseltamivir": "antiviral",
    "Amoxicillin": "antibiotic", "Doxycycline": "antibiotic",
    "Paracetamol": "painkiller", "Ibuprofen": "painkiller",
    "Salbutamol": "respiratory", "Budesonide": "respiratory",
    "Metformin": "antidiabetic", "Insulin": "antidiabetic",
    "Lisinopril": "cardiovascular", "Amlodipine": "cardiovascular",
    "Sertraline": "antidepressant",
}  # fmt: skip
TYPICAL_COST = {
    "HIV": 4200, "Influenza": 600, "Pneumonia": 3100, "Asthma": 900, "Diabetes": 1800,
    "Hypertension": 700, "Depression": 1500, "Fracture": 5200, RARE: 3900,
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    """One admission. An empty text is a missing value."""

    admitted: date
    building: str
    ward: str
    age: str
    sex: str
    zip: str
    smoker: str
    diagnosis: str
    medication: str = ""
    cost: str = ""
    consent: str = "yes"


def records(random: Random) -> list[Record]:
    """The 5 000 admissions in order of admission."""
    people = list(_adults(random))
    people += _others(random, RECORDS - len(people))
    people = _with_rare_diagnosis(people, random)
    people = [_treated(p, random) for p in people]
    keyed = sorted((p.admitted, random.random(), i) for i, p in enumerate(people))
    return [people[i] for _, _, i in keyed]


def _adults(random: Random) -> Iterator[Record]:
    """Ages 20 to 79: in each stratum of a group, HIV in the group's share."""
    for decade in (20, 30, 40, 50, 60, 70):
        for sex in ("F", "M"):
            for zip3 in ZIPS:
                size, hiv = _group(decade, zip3)
                for year in YEARS:
                    for building in WARDS:
                        for smoker, weight in SMOKER_WEIGHT.items():
                            here = weight * size + _pick((-1, 0, 1) if weight > 1 else (0, 0, 1), random)
                            place = (decade, sex, zip3, year, building, smoker)
                            yield from _stratum(place, here, weight * hiv, random)


def _group(decade: int, zip3: str) -> tuple[int, int]:
    """Records, and records with HIV, for each unit of weight in a group of age, sex and ZIP digits."""
    if decade == 70:
        return 7, 0
    if zip3 == "021":
        return (18, 2) if decade in (30, 40) else (12, 1)
    return (10, 1) if decade < 50 else (9, 1)


def _stratum(
    place: tuple[int, str, str, int, str, str], size: int, hiv: int, random: Random
) -> Iterator[Record]:
    decade, sex, zip3, year, building, smoker = place
    refuses = int(random.random() * size) if random.random() < size / 25 else -1
    for i in range(size):
        diagnosis = "HIV" if i < hiv else ""
        admitted = date(year, 1, 1) + timedelta(int(random.random() * 365))
        record = Record(
            admitted, building, _ward(building, diagnosis, random),
            str(decade + int(random.random() * 10)), sex, _pick(ZIPS[zip3], random), smoker,
            diagnosis or _diagnosis(decade, admitted.month, random),
        )  # fmt: skip
        # A refusal takes no more than one record from a stratum, and its only one with HIV never.
        yield replace(record, consent="no") if i == refuses and (i >= hiv or hiv > 2) else record


def _others(random: Random, count: int) -> Iterator[Record]:
    """The young, the very old and those of whom age, sex or ZIP is missing; none of them has HIV."""
    for i in range(count):
        age = _pick((*range(12, 20), *range(80, 97)), random)
        if i % 6 == 0:
            age = 20 + int(random.random() * 60)
        admitted = date(_pick(YEARS, random), 1, 1) + timedelta(int(random.random() * 365))
        building = _pick(tuple(WARDS), random)
        record = Record(
            admitted, building, _ward(building, "", random), str(age), _pick(("F", "M"), random),
            _pick(ZIPS[_pick(tuple(ZIPS), random)], random), _pick(("no", "no", "yes"), random),
            _diagnosis(age // 10 * 10, admitted.month, random),
        )  # fmt: skip
        yield _without(record, ("age", "sex", "zip")[i // 6 % 3]) if i % 6 == 0 else record


def _without(record: Record, column: str) -> Record:
    missing: dict[str, Any] = {column: ""}
    return replace(record, **missing)


def _with_rare_diagnosis(people: Sequence[Record], random: Random) -> list[Record]:
    eligible = [i for i, p in enumerate(people) if p.zip == RARE_ZIP and p.diagnosis != "HIV" and p.age]
    chosen = sorted(eligible, key=lambda _: random.random())[:RARE_RECORDS]
    return [replace(p, diagnosis=RARE) if i in chosen else p for i, p in enumerate(people)]


def _treated(record: Record, random: Random) -> Record:
    """The record with its medication and cost; each may be missing."""
    medication = _pick(MEDICATION[record.diagnosis], random)
    cost = TYPICAL_COST[record.diagnosis] * (0.4 + random.random() + random.random() ** 4 * 3)
    return replace(
        record,
        medication="" if random.random() < 0.1 else medication,
        cost="" if random.random() < 0.04 else f"{cost:.2f}",
    )


def _ward(building: str, diagnosis: str, random: Random) -> str:
    if diagnosis == "HIV" and random.random() < 0.75:
        return HIV_WARD[building]
    return _pick(WARDS[building], random)


def _diagnosis(decade: int, month: int, random: Random) -> str:
    """A frequent diagnosis: influenza in winter, the heart and sugar with age, fractures at both ends."""
    weights = {
        "Influenza": 5 if month in (12, 1, 2, 3) else 1,
        "Pneumonia": 2 if month in (11, 12, 1, 2) else 1,
        "Asthma": 3 if decade < 40 else 1,
        "Diabetes": decade / 20,
        "Hypertension": decade / 15,
        "Depression": 2,
        "Fracture": 3 if decade < 30 or decade >= 70 else 1,
    }
    point = random.random() * sum(weights.values())
    for name, weight in weights.items():
        point -= weight
        if point < 0:
            return name
    return "Depression"


def _pick(values: Sequence[T], random: Random) -> T:
    return values[int(random.random() * len(values))]


def table_bytes(people: Sequence[Record]) -> bytes:
    """The table as CSV: UTF-8, comma, one header line, line feeds."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, p in enumerate(people, start=1):
        cells = {**vars(p), "record_id": f"{number:06d}", "admitted": p.admitted.isoformat()}
        writer.writerow([cells[name] for name in COLUMNS])
    return out.getvalue().encode()


def session(table: bytes) -> dict[str, Any]:
    """The session beside the table: what to protect, τ, and the usual coarsening ready to apply."""
    wards = [[ward, building] for building, names in WARDS.items() for ward in names]
    return {
        "format": "curation-session/1",
        "source": {
            "path": "clinic.csv",
            "sha256": hashlib.sha256(table).hexdigest(),
            "rows": RECORDS,
            "reader": {
                "kind": "csv",
                "encoding": "utf-8",
                "delimiter": ",",
                "quote": '"',
                "decimal": ".",
                "missing": [""],
            },
        },
        "columns": {
            "record_id": {"type": "code", "role": "identifier"},
            "admitted": {"type": "date", "format": "%Y-%m-%d"},
            "ward": {"type": "category"},
            "age": {"type": "integer"},
            "sex": {"type": "category"},
            "zip": {"type": "code"},
            "smoker": {"type": "category"},
            "diagnosis": {"type": "category"},
            "medication": {"type": "category"},
            "cost": {"type": "decimal"},
            "consent": {"type": "category"},
        },
        "hierarchies": {
            "admitted": {"kind": "date", "levels": ["month", "quarter", "year", "*"], "provenance": "typed"},
            "ward": {"kind": "table", "levels": [wards], "provenance": "typed"},
            "age": {
                "kind": "bins",
                "levels": [{"width": 10, "origin": 0}, {"width": 20, "origin": 0}, "*"],
                "provenance": "typed",
            },
            "zip": {"kind": "prefix", "levels": [3, 1, "*"], "provenance": "typed"},
            "medication": {
                "kind": "table",
                "levels": [[list(pair) for pair in FAMILY.items()]],
                "provenance": "typed",
            },
            "cost": {
                "kind": "bins",
                "levels": [{"width": 1000, "origin": 0}, {"width": 5000, "origin": 0}, "*"],
                "provenance": "typed",
            },
        },
        "protection": {
            "visible": [
                {"column": "age", "view": {"level": 1}},
                {"column": "sex"},
                {"column": "zip", "view": {"prefix": 3}},
            ],
            "secrets": [{"name": "HIV", "where": "diagnosis = 'HIV'", "two_sided": False}],
            "targets": None,
            "budget": BUDGET,
            "observer": {"kind": "release-only"},
        },
        "plan": [],
        "position": 0,
        "branches": [],
        "saved_steps": [
            {
                "name": "usual coarsening",
                "steps": [
                    {"op": "project", "drop": ["record_id", "diagnosis"]},
                    {"op": "select", "where": "consent = 'yes'"},
                    {"op": "project", "drop": ["consent", "cost"]},
                    {"op": "generalize", "column": "age", "view": {"level": 1}},
                    {"op": "generalize", "column": "zip", "view": {"prefix": 3}},
                    {"op": "generalize", "column": "admitted", "view": {"level": 3}},
                    {"op": "generalize", "column": "ward", "view": {"level": 1}},
                ],
            }
        ],
    }


def files() -> dict[str, bytes]:
    """The two files, by name."""
    table = table_bytes(records(Random(SEED)))
    text = json.dumps(session(table), indent=2, ensure_ascii=False) + "\n"
    return {"clinic.csv": table, "clinic.curation.json": text.encode()}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, content in files().items():
        (folder / name).write_bytes(content)
