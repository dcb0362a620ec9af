"""Small sessions on disk for tests: the paper's example, and one that turns over budget when refreshed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PAPER = (
    "age,sex,zip,med,diag\n34,F,92617,ART,HIV\n37,F,92614,ART,HIV\n31,F,92612,None,Flu\n45,M,92697,None,Flu\n"
)
READER = {
    "kind": "csv",
    "encoding": "utf-8",
    "delimiter": ",",
    "quote": '"',
    "decimal": ".",
    "missing": [""],
}
COARSENING: list[Json] = [
    {"op": "project", "drop": ["diag"]},
    {"op": "generalize", "column": "age", "view": {"bins": [20, 30, 40, 50]}},
    {"op": "generalize", "column": "zip", "view": {"prefix": 3}},
]


def paper_session(**changes: Any) -> Json:
    """The paper's example: women in their thirties, R1 as the plan, τ = 0.2."""
    session: Json = {
        "format": "curation-session/1",
        "source": {"path": "people.csv", "reader": READER},
        "columns": {"age": {"type": "integer"}},
        "hierarchies": {},
        "protection": {
            "visible": [
                {"column": "age", "view": {"bins": [20, 30, 40, 50]}},
                {"column": "sex"},
                {"column": "zip", "view": {"prefix": 3}},
            ],
            "secrets": [{"name": "HIV", "where": "diag = 'HIV'"}],
            "budget": 0.2,
        },
        "plan": COARSENING,
    }
    return session | changes


def write_session(folder: Path, session: Json, table: str = PAPER) -> Path:
    """Write the table and the session; returns the session's path."""
    (folder / "people.csv").write_text(table, encoding="utf-8")
    path = folder / "people.curation.json"
    path.write_text(json.dumps(session), encoding="utf-8")
    return path


def safe_session(folder: Path) -> Path:
    """The paper's example within its budget: medication dropped too."""
    plan = [*COARSENING, {"op": "project", "drop": ["med"]}]
    return write_session(folder, paper_session(plan=plan))


REFRESHED = {
    "before": "id,age,sex,zip,diag,consent\n1,31,F,92612,HIV,yes\n2,33,F,92614,Flu,yes\n",
    "after": "id,age,sex,zip,diag,consent\n1,31,F,92612,HIV,yes\n2,33,F,92614,Flu,yes\n3,35,F,92615,Flu,no\n",
}


def refreshed_session(folder: Path) -> tuple[Path, Path]:
    """A plan that keeps consenting records, and new data with a record that does not consent."""
    session = paper_session(
        plan=[
            {"op": "project", "drop": ["id"]},
            *COARSENING,
            {"op": "select", "where": "consent = 'yes'"},
        ],
        key="id",
    )
    new = folder / "new.csv"
    new.write_text(REFRESHED["after"], encoding="utf-8")
    return write_session(folder, session, REFRESHED["before"]), new
