"""The session file: one curator's work as JSON, without a row of data.

Format ``curation-session/1``; its JSON Schema is ``schemas/curation-session-1.json`` in this package.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from curator_gui.core.column_type import GROUPS, SPELLINGS
from curator_gui.core.errors import FileError, InputError
from curator_gui.core.hierarchy import Hierarchy, hierarchy_from_json, hierarchy_to_json
from curator_gui.core.operators import (
    Plan,
    operator_from_json,
    operator_to_json,
    predicate_from_json,
    row_numbers,
)
from curator_gui.core.predicate import Predicate
from curator_gui.core.protection import (
    OBSERVER_KINDS,
    EachValue,
    Observer,
    Protection,
    Secret,
    VisibleAttribute,
)
from curator_gui.core.table import KINDS, ColumnType, quoted
from curator_gui.core.view import Identity, view_from_json, view_to_json
from curator_gui.store.files import write_atomically

FORMAT = "curation-session/1"
_KNOWN = re.compile(r"curation-session/[0-9]+")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

Role = Literal["ordinary", "identifier"]
Reading = Literal["endpoint", "every-exposed"]


@dataclass(frozen=True)
class SourceReference:
    """The source file: ``path`` as written, relative to the session file; ``reader`` as its reader's JSON."""

    path: str
    sha256: str | None = None
    rows: int | None = None
    reader: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class SavedSteps:
    """Named steps that can be applied to any plan they fit."""

    name: str
    steps: Plan


@dataclass(frozen=True)
class Branch:
    """Another plan kept aside."""

    name: str
    plan: Plan


@dataclass(frozen=True)
class LastScored:
    """The trajectory when the session was last scored, and on which bytes."""

    sha256: str | None
    alphas: tuple[float | None, ...]
    worst: tuple[int, str] | None = None


@dataclass(frozen=True)
class Release:
    """A release made from this session: the plan it had, and the released file's hash."""

    plan: Plan
    file: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class SyntheticRelease:
    """A synthetic table exported from this session, and the ledger entry that paid for it."""

    file: str
    sha256: str
    mechanism: str
    epsilon: float
    pool: str
    entry: int
    hash: str


@dataclass(frozen=True)
class SessionRecord:
    """What a session file holds. ``position``: the prefix candidates are scored from."""

    source: SourceReference
    protection: Protection
    plan: Plan
    position: int
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    saved_steps: tuple[SavedSteps, ...] = ()
    exposed: tuple[int, ...] = ()
    reading: Reading = "endpoint"
    releases: tuple[Release, ...] = ()
    synthetic: tuple[SyntheticRelease, ...] = ()
    last_scored: LastScored | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    key: str | None = None


def read_session(path: Path) -> SessionRecord:
    """Read a session file. FileError or InputError, naming the path in the file; nothing is half loaded."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        message = f"There is no session file “{path}”; check the name and the folder."
        raise FileError(message) from None
    except IsADirectoryError:
        raise FileError(f"“{path}” is a folder; name the session file in it.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise FileError(f"The session file “{path}” cannot be read: {reason}.") from None
    try:
        data = json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        message = f"“{path.name}” is not a session file: its JSON cannot be read{where}."
        raise FileError(message) from None
    if _HALF_CHARACTER.search(json.dumps(data, ensure_ascii=False, default=str)):
        message = f"“{path.name}” holds half a character (a lone surrogate), which no text may; remove it."
        raise FileError(message)
    return session_from_json(data)


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


def _no_constant(name: str) -> None:
    raise ValueError(name)


def session_from_json(data: object) -> SessionRecord:
    """Build a record from parsed JSON (fractions as Decimal)."""
    top = _object(data, "the session", "")
    version = top.get("format")
    if version != FORMAT:
        if isinstance(version, str) and _KNOWN.fullmatch(version):
            message = f"This session is of version “{version}”; this program reads “{FORMAT}”."
        else:
            message = f"This is not a session file: “format” must be “{FORMAT}”."
        raise InputError(message, path="format")
    _keys(top, _TOP, "")
    columns = _mapping(top, "columns", "")
    plan = _plan(_list(top, "plan", "", required=True), "plan")
    position = _whole(top.get("position", len(plan)), "position")
    if position > len(plan):
        raise InputError(
            f"The plan has {len(plan)} steps, so there is no position {position}.", path="position"
        )
    return SessionRecord(
        source=_source(top),
        protection=protection_from_json(_required(top, "protection", ""), path="protection"),
        plan=plan,
        position=position,
        types={name: _type(column, f"columns.{name}") for name, column in columns.items()},
        roles={name: _role(column, f"columns.{name}") for name, column in columns.items()},
        hierarchies={
            name: hierarchy_from_json(ladder, path=f"hierarchies.{name}")
            for name, ladder in _mapping(top, "hierarchies", "").items()
        },
        branches=tuple(_branch(b, f"branches[{i}]") for i, b in enumerate(_list(top, "branches", ""))),
        saved_steps=tuple(
            _saved(s, f"saved_steps[{i}]") for i, s in enumerate(_list(top, "saved_steps", ""))
        ),
        exposed=tuple(
            _exposed(e, len(plan), f"exposed[{i}]") for i, e in enumerate(_list(top, "exposed", ""))
        ),
        reading=_one_of(top.get("reading", "endpoint"), ("endpoint", "every-exposed"), "reading"),
        releases=tuple(_release(r, f"releases[{i}]") for i, r in enumerate(_list(top, "releases", ""))),
        synthetic=tuple(_synthetic(r, f"synthetic[{i}]") for i, r in enumerate(_list(top, "synthetic", ""))),
        last_scored=_last_scored(top["last_scored"]) if top.get("last_scored") is not None else None,
        weights=_weights(_mapping(top, "utility", "")),
        key=_text(top["key"], "key") if top.get("key") is not None else None,
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
    names = list(dict.fromkeys([*record.types, *record.roles]))
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


def protection_from_json(data: object, *, path: str) -> Protection:
    """What an observer knows, what must not be learned and how much may be."""
    fields = _object(data, "“protection”", path)
    _keys(fields, ("visible", "secrets", "targets", "budget", "observer"), path)
    visible = tuple(_visible(v, f"{path}.visible[{i}]") for i, v in enumerate(_list(fields, "visible", path)))
    names = [v.column for v in visible]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"“{name}” is listed twice; list it once.", path=f"{path}.visible[{i}]")
    return Protection(
        visible=visible,
        secrets=tuple(
            _secret(s, f"{path}.secrets[{i}]") for i, s in enumerate(_list(fields, "secrets", path))
        ),
        targets=_targets(fields.get("targets"), f"{path}.targets"),
        budget=budget_from_json(_required(fields, "budget", path), f"{path}.budget"),
        observer=observer_from_json(fields.get("observer", {"kind": "release-only"}), f"{path}.observer"),
    )


def protection_to_json(protection: Protection) -> dict[str, Any]:
    """The protection as in a session file."""
    observer: dict[str, Any] = {"kind": protection.observer.kind}
    if protection.observer.m is not None:
        observer["m"] = protection.observer.m
    targets: Any = protection.targets
    if isinstance(targets, Predicate):
        targets = targets.text
    elif targets is not None:
        targets = list(targets)
    return {
        "visible": [_visible_to_json(v) for v in protection.visible],
        "secrets": [_secret_to_json(s) for s in protection.secrets],
        "targets": targets,
        "budget": protection.budget,
        "observer": observer,
    }


def budget_from_json(value: object, path: str) -> float:
    """τ: a finite number from 0 up."""
    number = float(value) if _is_number(value) else math.nan  # type: ignore[arg-type]
    if not (math.isfinite(number) and number >= 0):
        raise InputError(f"The budget τ is {value!s}; it must be a number from 0 up.", path=path)
    return number


def observer_from_json(data: object, path: str) -> Observer:
    """Who reads the release."""
    fields = _object(data, "“observer”", path)
    _keys(fields, ("kind", "m", "rules"), path)
    kind = _one_of(fields.get("kind"), OBSERVER_KINDS, f"{path}.kind")
    m = fields.get("m")
    if (m is not None) != (kind == "smoothed"):
        raise InputError("“m” belongs to the smoothed observer, which needs it.", path=f"{path}.m")
    if kind == "dependency-explicit":
        message = "The dependency-explicit observer is not built yet; choose another one."
        raise InputError(message, path=f"{path}.kind")
    if "rules" in fields:
        message = "“rules” belong to the dependency-explicit observer."
        raise InputError(message, path=f"{path}.rules")
    if m is None:
        return Observer(kind)
    if not _is_number(m) or not m > 0:
        raise InputError(f"“m” is {m!s}; it must be a number above 0.", path=f"{path}.m")
    return Observer(kind, Decimal(m))


def _visible(data: object, path: str) -> VisibleAttribute:
    fields = _object(data, "A visible attribute", path)
    _keys(fields, ("column", "view"), path)
    view = view_from_json(fields.get("view"), path=f"{path}.view")
    return VisibleAttribute(_text(_required(fields, "column", path), f"{path}.column"), view)


def _visible_to_json(attribute: VisibleAttribute) -> dict[str, Any]:
    if attribute.view == Identity():
        return {"column": attribute.column}
    return {"column": attribute.column, "view": view_to_json(attribute.view)}


def _secret(data: object, path: str) -> Secret | EachValue:
    fields = _object(data, "A secret", path)
    two_sided = fields.get("two_sided", False)
    if not isinstance(two_sided, bool):
        raise InputError("“two_sided” must be true or false.", path=f"{path}.two_sided")
    if "each" in fields:
        _keys(fields, ("column", "each", "two_sided"), path)
        if fields["each"] is not True:
            raise InputError("“each” must be true.", path=f"{path}.each")
        return EachValue(_text(_required(fields, "column", path), f"{path}.column"), two_sided)
    _keys(fields, ("name", "where", "two_sided"), path)
    name = _text(_required(fields, "name", path), f"{path}.name")
    return Secret(name, predicate_from_json(fields.get("where"), path=f"{path}.where"), two_sided)


def _secret_to_json(secret: Secret | EachValue) -> dict[str, Any]:
    if isinstance(secret, EachValue):
        return {"column": secret.column, "each": True, "two_sided": secret.two_sided}
    return {"name": secret.name, "where": secret.where.text, "two_sided": secret.two_sided}


def _targets(data: object, path: str) -> Predicate | tuple[int, ...] | None:
    if data is None:
        return None
    if isinstance(data, str):
        return predicate_from_json(data, path=path)
    return row_numbers(data, path)


def _source(top: Mapping[str, Any]) -> SourceReference:
    fields = _object(_required(top, "source", ""), "“source”", "source")
    _keys(fields, ("path", "sha256", "rows", "reader"), "source")
    sha256, rows, reader = fields.get("sha256"), fields.get("rows"), fields.get("reader")
    return SourceReference(
        _text(_required(fields, "path", "source"), "source.path"),
        None if sha256 is None else _text(sha256, "source.sha256"),
        None if rows is None else _whole(rows, "source.rows"),
        None if reader is None else _object(reader, "“reader”", "source.reader"),
    )


def _type(data: object, path: str) -> ColumnType:
    fields = _object(data, "A column", path)
    _keys(fields, ("type", "mark", "format", "group", "spellings", "role"), path)
    kind = _one_of(fields.get("type", "text"), KINDS, f"{path}.type")
    mark = _text(fields.get("mark", "."), f"{path}.mark")
    if len(mark) != 1 or mark.isdigit() or mark == "-":
        raise InputError(f"“{mark}” cannot be a decimal mark; use “.” or “,”.", path=f"{path}.mark")
    group = fields.get("group", "")
    if group != "":
        _one_of(group, GROUPS, f"{path}.group")
    if group == mark:
        message = "The decimal mark and the mark between thousands must differ."
        raise InputError(message, path=f"{path}.group")
    accepted = [
        _one_of(s, SPELLINGS, f"{path}.spellings[{i}]")
        for i, s in enumerate(_list(fields, "spellings", path))
    ]
    pattern = fields.get("format")
    return ColumnType(
        kind,
        mark,
        None if pattern is None else _text(pattern, f"{path}.format"),
        group,
        tuple(s for s in SPELLINGS if s in accepted),
    )


def _role(data: object, path: str) -> Role:
    given = _object(data, "A column", path).get("role", "ordinary")
    role: Role = _one_of(given, ("ordinary", "identifier"), f"{path}.role")
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
    if record.roles.get(name, "ordinary") != "ordinary":
        out["role"] = record.roles[name]
    return out


def _plan(steps: Sequence[object], path: str) -> Plan:
    return tuple(operator_from_json(step, path=f"{path}[{i}]") for i, step in enumerate(steps))


def _branch(data: object, path: str) -> Branch:
    fields = _object(data, "A branch", path)
    _keys(fields, ("name", "plan"), path)
    name = _text(_required(fields, "name", path), f"{path}.name")
    return Branch(name, _plan(_list(fields, "plan", path, required=True), f"{path}.plan"))


def _saved(data: object, path: str) -> SavedSteps:
    fields = _object(data, "Saved steps", path)
    _keys(fields, ("name", "steps"), path)
    name = _text(_required(fields, "name", path), f"{path}.name")
    return SavedSteps(name, _plan(_list(fields, "steps", path, required=True), f"{path}.steps"))


def _release(data: object, path: str) -> Release:
    fields = _object(data, "A release", path)
    _keys(fields, ("plan", "file", "sha256"), path)
    texts = [fields.get(k) for k in ("file", "sha256")]
    file, sha256 = (None if t is None else _text(t, path) for t in texts)
    return Release(_plan(_list(fields, "plan", path, required=True), f"{path}.plan"), file, sha256)


def _release_to_json(release: Release) -> dict[str, Any]:
    out: dict[str, Any] = {"plan": plan_to_json(release.plan)}
    if release.file is not None:
        out["file"] = release.file
    if release.sha256 is not None:
        out["sha256"] = release.sha256
    return out


def _synthetic(data: object, path: str) -> SyntheticRelease:
    fields = _object(data, "A synthetic release", path)
    names = ("file", "sha256", "mechanism", "epsilon", "pool", "entry", "hash")
    _keys(fields, names, path)
    texts = {
        key: _text(_required(fields, key, path), f"{path}.{key}")
        for key in names
        if key not in ("epsilon", "entry")
    }
    epsilon = _required(fields, "epsilon", path)
    if not _is_number(epsilon) or not epsilon > 0:
        raise InputError("An ε is a number above 0.", path=f"{path}.epsilon")
    entry = _whole(_required(fields, "entry", path), f"{path}.entry")
    return SyntheticRelease(**texts, epsilon=float(epsilon), entry=entry)


def _last_scored(data: object) -> LastScored:
    path = "last_scored"
    fields = _object(data, "“last_scored”", path)
    _keys(fields, ("sha256", "alphas", "worst"), path)
    sha256 = fields.get("sha256")
    worst = fields.get("worst")
    if worst is not None:
        inner = _object(worst, "“worst”", f"{path}.worst")
        _keys(inner, ("target", "secret"), f"{path}.worst")
        worst = (
            _whole(inner.get("target"), f"{path}.worst.target"),
            _text(inner.get("secret"), f"{path}.worst.secret"),
        )
    alphas = tuple(
        _alpha(a, f"{path}.alphas[{i}]") for i, a in enumerate(_list(fields, "alphas", path, required=True))
    )
    return LastScored(None if sha256 is None else _text(sha256, f"{path}.sha256"), alphas, worst)


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
    if not _is_number(value):
        raise InputError("A disclosure is a number, “-inf” or null.", path=path)
    return float(value)  # type: ignore[arg-type]


def _weights(fields: Mapping[str, Any]) -> dict[str, float]:
    _keys(fields, ("weights",), "utility")
    weights = _mapping(fields, "weights", "utility")
    for name, weight in weights.items():
        if not _is_number(weight) or not (math.isfinite(float(weight)) and weight >= 0):
            message = f"The weight of “{name}” is {weight!s}; it must be a number from 0 up."
            raise InputError(message, path=f"utility.weights.{name}")
    return {name: float(weight) for name, weight in weights.items()}


def _exposed(value: object, steps: int, path: str) -> int:
    prefix = _whole(value, path)
    if prefix > steps:
        raise InputError(f"The plan has {steps} steps, so there is no prefix {prefix}.", path=path)
    return prefix


def _object(data: object, what: str, path: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"{what} must be a JSON object.", path=path or None)
    return data


def _required(fields: Mapping[str, Any], key: str, path: str) -> Any:
    if key not in fields:
        raise InputError(f"“{key}” is missing.", path=path or None)
    return fields[key]


def _mapping(fields: Mapping[str, Any], key: str, path: str) -> Mapping[str, Any]:
    where = f"{path}.{key}" if path else key
    return _object(fields.get(key, {}), f"“{key}”", where)


def _list(fields: Mapping[str, Any], key: str, path: str, *, required: bool = False) -> list[Any]:
    value = _required(fields, key, path) if required else fields.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"“{key}” must be a list.", path=f"{path}.{key}" if path else key)
    return value


def _keys(fields: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    for key in fields:
        if key not in known:
            message = f"“{key}” is not known here; the keys are {quoted(known, 20)}."
            raise InputError(message, path=f"{path}.{key}" if path else key)


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise InputError("This must be text.", path=path)
    return value


def _whole(value: object, path: str) -> int:
    if type(value) is not int or value < 0:
        raise InputError("This must be a whole number from 0.", path=path)
    return value


def _one_of(value: object, allowed: Sequence[Any], path: str) -> Any:
    if value not in allowed or not isinstance(value, str):
        raise InputError(f"“{value}” is not known; use one of {quoted(allowed)}.", path=path)
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
