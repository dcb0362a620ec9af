"""One call from a synthetic table to files: the table and its manifests, noted by ledger and session."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_gui import __version__
from curator_gui.budget.amounts import EPSILON, RHO
from curator_gui.core.errors import CuratorError, FileError, InputError
from curator_gui.core.progress import Progress, silent
from curator_gui.session import Session
from curator_gui.store.files import (
    place_together,
    prepared_beside,
    temporary_beside,
    write_atomically,
    write_error,
)
from curator_gui.store.readers import CsvDialect
from curator_gui.store.release import SYNTHETIC_FORMAT, external_path, internal_path
from curator_gui.store.session_file import SyntheticRelease, plan_to_json
from curator_gui.store.writers import OutColumn, format_of, write_table
from curator_gui.synthesis import write_dictionary
from curator_gui.synthesizing.destination import require_free, require_text
from curator_gui.synthesizing.run import Made, stays_charged

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger

_TOKENS = ("", "NA", "NULL", "(missing)")


@dataclass(frozen=True)
class Exported:
    """What was written. warnings: what went wrong after the table was."""

    path: Path
    sha256: str
    rows: int
    external_path: Path
    internal_path: Path | None
    warnings: tuple[str, ...] = ()


def export(
    made: Made,
    path: Path,
    session: Session,
    ledger: Ledger,
    progress: Progress = silent,
    *,
    replace_manifest: bool = False,
) -> Exported:
    """Write the table in the format of the path's suffix, with its manifests.

    FileError where it cannot be written; ``made`` is as it was, to be exported again. Once the table is
    written, what fails is told in ``warnings``. The session's record changes and is not saved here.
    """
    require_free(path, session, ledger, replace_manifest=replace_manifest)
    if not made.synthesis.private:
        raise InputError("This table was made with a seed, so it is not private and cannot be exported.")
    try:
        sha256 = _write(made, path, progress)
    except FileError as error:
        raise FileError(
            f"{str(error).rstrip('.')}; the table is still here to be exported again, and "
            f"{stays_charged(made.decision)}"
        ) from None
    warnings = []
    try:
        ledger.mark_released(made.decision, sha256)
    except CuratorError as error:
        warnings.append(f"Exported, but the ledger could not record it: {error}")
    internal = internal_path(session.path, path, sha256)
    if internal is not None:
        try:
            write_atomically(internal, _json(internal_manifest(made, session, sha256)), mode=0o600)
        except FileError as error:
            warnings.append(f"Exported, but your own record of it was not kept: {error}")
    session.record_synthetic(synthetic_release(made, path.name, sha256))
    rows = made.table.rows
    return Exported(path, sha256, rows, external_path(path), internal, tuple(warnings))


def _write(made: Made, path: Path, progress: Progress) -> str:
    """The hash of the table, which is there only if its manifest is."""
    require_text(path)
    format = format_of(path)
    columns = [OutColumn(c.name, c.codes, tuple(c.values), c.type) for c in made.table.columns]
    with temporary_beside(path) as temporary:
        try:
            write_table(temporary.path, format, columns, CsvDialect(missing=_TOKENS), progress=progress)
            with temporary.path.open("rb") as written:
                sha256 = hashlib.file_digest(written, "sha256").hexdigest()
            temporary.prepare(mode=0o644)
            manifest = _json(external_manifest(made, path.name, sha256))
            with prepared_beside(external_path(path), manifest, mode=0o644) as external:
                place_together([external], temporary)
        except OSError as error:
            raise write_error(path, error) from None
    return sha256


def synthetic_release(made: Made, name: str, sha256: str) -> SyntheticRelease:
    """What the session remembers: enough to hold the ledger against."""
    decision = made.decision
    return SyntheticRelease(
        name,
        sha256,
        made.order.mechanism,
        decision.approved / EPSILON,
        decision.pool,
        decision.entry or 0,
        decision.hash or "",
    )


def external_manifest(made: Made, name: str, sha256: str) -> dict[str, Any]:
    """What may leave the house with the table: nothing of the source, of α, of the plan or its conditions."""
    order, decision = made.order, made.decision
    return {
        "format": SYNTHETIC_FORMAT,
        "program": f"Curator {__version__}",
        "file": name,
        "sha256": sha256,
        "mechanism": order.mechanism,
        "epsilon": decision.approved / EPSILON,
        "delta": decision.delta,
        "rho": decision.rho / RHO,
        "protects": {"records_of_one_unit": order.unit.bound if order.unit else 1},
        "interest": [list(q) for q in order.interest],
        "domains": write_dictionary(order.domain),
        "proposed_from_data": list(order.domain.proposed),
        "ledger": decision.anchor(),
    }


def internal_manifest(made: Made, session: Session, sha256: str) -> dict[str, Any]:
    """The curator's own record: plan, source, choices, what was measured, expected errors, warnings."""
    order, decision, synthesis = made.order, made.decision, made.synthesis
    plan = session.current_plan if order.origin == "prepared" else ()
    return {
        "format": "curation-synthetic-internal/1",
        "program": f"Curator {__version__}",
        "released_sha256": sha256,
        "source": {"sha256": session.sha256, "rows": session.table.rows},
        "origin": order.origin,
        "plan": plan_to_json(plan),
        "unit": None if order.unit is None else asdict(order.unit),
        "mechanism": order.mechanism,
        "priority": order.priority,
        "workload": None if order.workload is None else [list(q) for q in order.workload],
        "requested_epsilon": decision.requested / EPSILON,
        "epsilon": decision.approved / EPSILON,
        "delta": decision.delta,
        "rho_units": decision.rho,
        "rho_units_spent": synthesis.spent,
        "user": decision.user,
        "request": decision.request,
        "ledger": decision.anchor(),
        "measured": [
            {**asdict(e), "attributes": [order.domain.names[a] for a in e.attributes]} for e in synthesis.log
        ],
        "expected_errors": [asdict(e) for e in made.errors],
        "kept_identifiers": list(order.keep_identifiers),
        "warnings": list(made.warnings),
    }


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1, default=float) + "\n").encode()
