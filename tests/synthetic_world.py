"""A small table with a ledger that knows it, for tests of synthesizing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curator_gui.session import Session
from curator_gui.store.ledger import Ledger, content_digest, init_ledger
from curator_gui.synthesizing import Order, domain_for, typed_numbers, typed_values

Json = dict[str, Any]

DOMAIN: Json = {
    "sex": {"values": ["F", "M"], "missing": False},
    "age": {"edges": [0, 30, 60, 90]},
    "smoker": {"values": ["no", "yes"], "missing": False},
}


def table_text(rows: int = 60) -> str:
    lines = [f"{i // 2},{'FM'[i % 2]},{20 + i % 50},{'yes' if i % 3 else 'no'}" for i in range(rows)]
    return "\n".join(["person,sex,age,smoker", *lines]) + "\n"


def session_file(folder: Path, plan: list[Json] | None = None, **changes: Any) -> Path:
    (folder / "people.csv").write_text(table_text(), encoding="utf-8")
    (folder / "domain.json").write_text(json.dumps(DOMAIN), encoding="utf-8")
    session: Json = {
        "format": "curation-session/1",
        "source": {"path": "people.csv"},
        "columns": {"age": {"type": "integer"}, "person": {"type": "code", "role": "identifier"}},
        "protection": {"budget": 5},
        "plan": plan or [],
    }
    path = folder / "people.curation.json"
    path.write_text(json.dumps(session | changes), encoding="utf-8")
    return path


def ledger_for(session: Session, folder: Path, *, total: str = "2", per_request: str = "1") -> Ledger:
    """A ρ-pool of ε 4 in which this account has a share."""
    ledger = init_ledger(str(folder / "ledger.sqlite"))
    pool = ledger.create_pool(content_digest(session.table), epsilon="4", delta=1e-6, size=1000)
    ledger.grant(pool.id, ledger.user, per_request=per_request, total=total)
    return ledger


def order_for(session: Session, epsilon: str = "1", **choices: Any) -> Order:
    """Three columns, two of them of interest, in the cheapest way."""
    columns = ("sex", "age", "smoker")
    declared = domain_for(session, choices.get("origin", "prepared"), columns)
    by_name = {c.name: c for c in declared.columns}
    by_name["age"] = typed_numbers("age", "0", "90", 3)
    by_name["sex"] = typed_values("sex", ["F", "M"], missing=False)
    domain = type(declared)(tuple(by_name.values()))
    return Order(domain, epsilon, **{"interest": (("sex", "smoker"),), **choices})
