"""The session file: one curator's work as JSON, without a row of data.

Format ``curation-session/1``; its JSON Schema is ``schemas/curation-session-1.json`` in this package.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from curator_gui.core.column_type import GROUPS, KINDS, SPELLINGS, ColumnType
from curator_gui.core.decimals import json_text
from curator_gui.core.errors import InputError
from curator_gui.core.hierarchy import hierarchy_from_json, hierarchy_to_json
from curator_gui.core.operators import Plan, operator_from_json, operator_to_json
from curator_gui.disclosure.utility import MOST_WEIGHT
from curator_gui.store.files import write_atomically
from curator_gui.store.json_fields import (
    json_object,
    listed,
    mapping,
    one_of,
    only_keys,
    real,
    required,
    text,
    whole,
)
from curator_gui.store.json_text import read_json
from curator_gui.store.protection_json import protection_from_json, protection_to_json
from curator_gui.store.session_record import (
    Branch,
    LastScored,
    Reading,
    Release,
    Role,
    SavedSteps,
    SessionRecord,
    SourceReference,
    SyntheticRelease,
)

__all__ = [
    "Branch",
    "LastScored",
    "Reading",
    "Release",
    "Role",
    "SavedSteps",
    "SessionRecord",
    "SourceReference",
    "SyntheticRelease",
    "number_to_json",
    "plan_to_json",
    "read_session",
    "session_from_json",
    "session_text",
    "session_to_json",
    "write_session",
]

FORMAT = "curation-session/1"
_KNOWN = re.compile(r"curation-session/[0-9]+")


def read_session(path: Path) -> SessionRecord:
    """Read a session file. FileError or InputError, naming the path in the file; nothing is half loaded."""
    return session_from_json(read_json(path, "a session"))


def write_session(path: Path, record: SessionRecord) -> None:
    """Write a session file atomically, readable by its owner alone (mode 0600)."""
    write_atomically(path, session_text(record).encode(), mode=0o600)


def session_text(record: SessionRecord) -> str:
    """The session as JSON text; fractions keep their exact digits."""
    text = json.dumps(session_to_json(record), ensure_ascii=False, indent=1, default=_mark_number)
    return _MARKED_NUMBER.sub(r"\1", text) + "\n"


_MARK = "\ue000number "
_MARKED_NUMBER = re.compile(f'"{_MARK}(-?[0-9.]+(?:E[-+]?[0-9]+)?)"')


def _mark_number(value: object) -> str:
    # The json module can write no Decimal; it goes in as a marked text and loses its quotes afterwards.
    if isinstance(value, Decimal):
        return f"{_MARK}{value}"
    raise TypeError(type(value).__name__)


def session_from_json(data: object) -> SessionRecord:
    """Build a record from parsed JSON (fractions as Decimal)."""
    top = json_object(data, "the session", "")
    version = top.get("format")
    if version != FORMAT:
        if isinstance(version, str) and _KNOWN.fullmatch(version):
            message = f"This session is of version “{version}”; this program reads “{FORMAT}”."
        else:
            message = f"This is not a session file: “format” must be “{FORMAT}”."
        raise InputError(message, path="format")
    only_keys(top, _TOP, "")
    columns = mapping(top, "columns", "")
    plan = _plan(listed(top, "plan", "", needed=True), "plan")
    position = whole(top.get("position", len(plan)), "position")
    if position > len(plan):
        raise InputError(
            f"The plan has {len(plan)} steps, so there is no position {position}.", path="position"
        )
    return SessionRecord(
        source=_source(top),
        protection=protection_from_json(required(top, "protection", ""), path="protection"),
        plan=plan,
        position=position,
        types={name: _type(column, f"columns.{name}") for name, column in columns.items()},
        missing={name: words for name in columns if (words := _missing(columns[name], f"columns.{name}"))},
        roles={name: _role(column, f"columns.{name}") for name, column in columns.items()},
        hierarchies={
            name: hierarchy_from_json(ladder, path=f"hierarchies.{name}")
            for name, ladder in mapping(top, "hierarchies", "").items()
        },
        branches=tuple(_branch(b, f"branches[{i}]") for i, b in enumerate(listed(top, "branches", ""))),
        saved_steps=tuple(
            _saved(s, f"saved_steps[{i}]") for i, s in enumerate(listed(top, "saved_steps", ""))
        ),
        exposed=tuple(
            _exposed(e, len(plan), f"exposed[{i}]") for i, e in enumerate(listed(top, "exposed", ""))
        ),
        reading=one_of(top.get("reading", "endpoint"), ("endpoint", "every-exposed"), "reading"),
        releases=tuple(_release(r, f"releases[{i}]") for i, r in enumerate(listed(top, "releases", ""))),
        synthetic=tuple(_synthetic(r, f"synthetic[{i}]") for i, r in enumerate(listed(top, "synthetic", ""))),
        last_scored=_last_scored(top["last_scored"]) if top.get("last_scored") is not None else None,
        weights=_weights(mapping(top, "utility", "")),
        key=text(top["key"], "key") if top.get("key") is not None else None,
    )


_TOP = (
    "format",
    "source",
    "columns",
    "hierarchies",
    "protection",
    "plan",
    "position",
    "branches",
    "saved_steps",
    "exposed",
    "reading",
    "releases",
    "synthetic",
    "last_scored",
    "utility",
    "key",
)


def session_to_json(record: SessionRecord) -> dict[str, Any]:
    """The record as JSON values; fractions may be Decimal."""
    names = list(dict.fromkeys([*record.types, *record.missing, *record.roles]))
    source: dict[str, Any] = {"path": record.source.path}
    if record.source.sha256 is not None:
        source["sha256"] = record.source.sha256
    if record.source.rows is not None:
        source["rows"] = record.source.rows
    if record.source.reader is not None:
        source["reader"] = dict(record.source.reader)
    out: dict[str, Any] = {
        "format": FORMAT,
        "source": source,
        "columns": {name: _column_to_json(record, name) for name in names},
        "hierarchies": {name: hierarchy_to_json(h) for name, h in record.hierarchies.items()},
        "protection": protection_to_json(record.protection),
        "plan": plan_to_json(record.plan),
        "position": record.position,
        "branches": [{"name": b.name, "plan": plan_to_json(b.plan)} for b in record.branches],
        "saved_steps": [{"name": s.name, "steps": plan_to_json(s.steps)} for s in record.saved_steps],
        "exposed": list(record.exposed),
        "reading": record.reading,
        "releases": [_release_to_json(r) for r in record.releases],
        "utility": {"weights": dict(record.weights)},
    }
    if record.synthetic:
        out["synthetic"] = [asdict(r) for r in record.synthetic]
    if record.last_scored is not None:
        out["last_scored"] = _last_scored_to_json(record.last_scored)
    if record.key is not None:
        out["key"] = record.key
    return out


def plan_to_json(plan: Plan) -> list[dict[str, Any]]:
    """The steps as in a session file."""
    return [operator_to_json(o) for o in plan]


def _source(top: Mapping[str, Any]) -> SourceReference:
    fields = json_object(required(top, "source", ""), "“source”", "source")
    only_keys(fields, ("path", "sha256", "rows", "reader"), "source")
    sha256, rows, reader = fields.get("sha256"), fields.get("rows"), fields.get("reader")
    return SourceReference(
        text(required(fields, "path", "source"), "source.path"),
        None if sha256 is None else text(sha256, "source.sha256"),
        None if rows is None else whole(rows, "source.rows"),
        None if reader is None else json_object(reader, "“reader”", "source.reader"),
    )


def _type(data: object, path: str) -> ColumnType:
    fields = json_object(data, "A column", path)
    only_keys(fields, ("type", "mark", "format", "group", "spellings", "missing", "role"), path)
    kind = one_of(fields.get("type", "text"), KINDS, f"{path}.type")
    mark = text(fields.get("mark", "."), f"{path}.mark")
    if len(mark) != 1 or mark.isdigit() or mark == "-":
        raise InputError(f"“{mark}” cannot be a decimal mark; use “.” or “,”.", path=f"{path}.mark")
    group = fields.get("group", "")
    if group != "":
        one_of(group, GROUPS, f"{path}.group")
    if group == mark:
        message = "The decimal mark and the mark between thousands must differ."
        raise InputError(message, path=f"{path}.group")
    accepted = [
        one_of(s, SPELLINGS, f"{path}.spellings[{i}]")
        for i, s in enumerate(listed(fields, "spellings", path))
    ]
    pattern = fields.get("format")
    return ColumnType(
        kind,
        mark,
        None if pattern is None else text(pattern, f"{path}.format"),
        group,
        tuple(s for s in SPELLINGS if s in accepted),
    )


def _missing(data: object, path: str) -> tuple[str, ...]:
    words = listed(json_object(data, "A column", path), "missing", path)
    return tuple(text(word, f"{path}.missing[{i}]") for i, word in enumerate(words))


def _role(data: object, path: str) -> Role:
    given = json_object(data, "A column", path).get("role", "ordinary")
    role: Role = one_of(given, ("ordinary", "identifier"), f"{path}.role")
    return role


def _column_to_json(record: SessionRecord, name: str) -> dict[str, Any]:
    type = record.types.get(name, ColumnType())
    out: dict[str, Any] = {"type": type.kind}
    if type.mark != ".":
        out["mark"] = type.mark
    if type.format is not None:
        out["format"] = type.format
    if type.group:
        out["group"] = type.group
    if type.spellings:
        out["spellings"] = list(type.spellings)
    if record.missing.get(name):
        out["missing"] = list(record.missing[name])
    if record.roles.get(name, "ordinary") != "ordinary":
        out["role"] = record.roles[name]
    return out


def _plan(steps: Sequence[object], path: str) -> Plan:
    return tuple(operator_from_json(step, path=f"{path}[{i}]") for i, step in enumerate(steps))


def _branch(data: object, path: str) -> Branch:
    fields = json_object(data, "A branch", path)
    only_keys(fields, ("name", "plan"), path)
    name = text(required(fields, "name", path), f"{path}.name")
    return Branch(name, _plan(listed(fields, "plan", path, needed=True), f"{path}.plan"))


def _saved(data: object, path: str) -> SavedSteps:
    fields = json_object(data, "Saved steps", path)
    only_keys(fields, ("name", "steps"), path)
    name = text(required(fields, "name", path), f"{path}.name")
    return SavedSteps(name, _plan(listed(fields, "steps", path, needed=True), f"{path}.steps"))


def _release(data: object, path: str) -> Release:
    fields = json_object(data, "A release", path)
    only_keys(fields, ("plan", "file", "sha256"), path)
    texts = [fields.get(k) for k in ("file", "sha256")]
    file, sha256 = (None if t is None else text(t, path) for t in texts)
    return Release(_plan(listed(fields, "plan", path, needed=True), f"{path}.plan"), file, sha256)


def _release_to_json(release: Release) -> dict[str, Any]:
    out: dict[str, Any] = {"plan": plan_to_json(release.plan)}
    if release.file is not None:
        out["file"] = release.file
    if release.sha256 is not None:
        out["sha256"] = release.sha256
    return out


def _synthetic(data: object, path: str) -> SyntheticRelease:
    fields = json_object(data, "A synthetic release", path)
    names = ("file", "sha256", "mechanism", "epsilon", "pool", "entry", "hash")
    only_keys(fields, names, path)
    texts = {
        key: text(required(fields, key, path), f"{path}.{key}")
        for key in names
        if key not in ("epsilon", "entry")
    }
    epsilon = real(required(fields, "epsilon", path))
    if epsilon is None or not epsilon > 0:
        raise InputError("An ε is a number above 0.", path=f"{path}.epsilon")
    entry = whole(required(fields, "entry", path), f"{path}.entry")
    return SyntheticRelease(**texts, epsilon=epsilon, entry=entry)


def _last_scored(data: object) -> LastScored:
    path = "last_scored"
    fields = json_object(data, "“last_scored”", path)
    only_keys(fields, ("sha256", "alphas", "worst"), path)
    sha256 = fields.get("sha256")
    worst = fields.get("worst")
    if worst is not None:
        inner = json_object(worst, "“worst”", f"{path}.worst")
        only_keys(inner, ("target", "secret"), f"{path}.worst")
        worst = (
            whole(inner.get("target"), f"{path}.worst.target"),
            text(inner.get("secret"), f"{path}.worst.secret"),
        )
    alphas = tuple(
        _alpha(a, f"{path}.alphas[{i}]") for i, a in enumerate(listed(fields, "alphas", path, needed=True))
    )
    return LastScored(None if sha256 is None else text(sha256, f"{path}.sha256"), alphas, worst)


def _last_scored_to_json(scored: LastScored) -> dict[str, Any]:
    out: dict[str, Any] = {"alphas": [number_to_json(a) for a in scored.alphas]}
    if scored.sha256 is not None:
        out["sha256"] = scored.sha256
    if scored.worst is not None:
        out["worst"] = {"target": scored.worst[0], "secret": scored.worst[1]}
    return out


def number_to_json(value: float | None) -> float | str | None:
    """Infinite values as the strings "inf" and "-inf", undefined as null."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _alpha(value: object, path: str) -> float | None:
    if value is None:
        return None
    if value == "-inf":
        return -math.inf
    number = real(value)
    if number is None:
        raise InputError("A disclosure is a number, “-inf” or null.", path=path)
    return number


def _weights(fields: Mapping[str, Any]) -> dict[str, float]:
    only_keys(fields, ("weights",), "utility")
    weights = mapping(fields, "weights", "utility")
    read = {name: real(weight, 0, MOST_WEIGHT) for name, weight in weights.items()}
    for name, weight in read.items():
        if weight is None:
            message = (
                f"The weight of “{name}” is {json_text(weights[name])}; it must be a number from 0 to "
                f"{MOST_WEIGHT:.0e}."
            )
            raise InputError(message, path=f"utility.weights.{name}")
    return {name: weight for name, weight in read.items() if weight is not None}


def _exposed(value: object, steps: int, path: str) -> int:
    prefix = whole(value, path)
    if prefix > steps:
        raise InputError(f"The plan has {steps} steps, so there is no prefix {prefix}.", path=path)
    return prefix
