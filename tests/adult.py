"""A session on the Adult table and its ladders, where they stand beside the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curator_gui.core.hierarchy import hierarchy_to_json
from curator_gui.store.hierarchy_file import read_hierarchy
from curator_gui.store.readers import CsvDialect, read_csv

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
ADULT = DATA / "adult.csv"
NAMES = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "salary-class",
)  # fmt: skip
OPERATORS: list[dict[str, Any]] = [
    {"op": "project", "drop": ["occupation"]},
    {"op": "generalize", "column": "native-country", "view": {"level": 1}},
    {"op": "generalize", "column": "education", "view": {"level": 2}},
    {"op": "generalize", "column": "age", "view": {"level": 3}},
    {"op": "project", "drop": ["workclass"]},
]


def adult_session(folder: Path, visible: list[str], secret: dict[str, Any], plan: list[Any]) -> Path:
    """Write the session; ladders are read from their files."""
    dialect = CsvDialect(delimiter=";")
    table = read_csv(ADULT, dialect).table
    ladders = {n: read_hierarchy(DATA / f"adult_hierarchy_{n}.csv", table[n]) for n in NAMES}
    session = {
        "format": "curation-session/1",
        "source": {"path": str(ADULT.resolve()), "reader": dialect.to_json()},
        "columns": {"age": {"type": "integer"}},
        "hierarchies": {n: hierarchy_to_json(h) for n, h in ladders.items()},
        "protection": {
            "visible": [{"column": c} for c in visible],
            "secrets": [secret],
            "budget": 1.0,
        },
        "plan": plan,
    }
    path = folder / "adult.curation.json"
    path.write_text(json.dumps(session), encoding="utf-8")
    return path
