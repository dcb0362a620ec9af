"""``demo``: the main job on the bundled sample, without a window; at its end a synthetic table."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_gui.bundled import sample
from curator_gui.cli.output import Output
from curator_gui.core.describe import describe_operator
from curator_gui.core.errors import FileError
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.explain import best_guess
from curator_gui.disclosure.trajectory import PrefixScore
from curator_gui.session import Session
from curator_gui.store.files import write_error
from curator_gui.store.release import external_path
from curator_gui.synthesis import Domain, in_words
from curator_gui.synthesizing import (
    Exported,
    Made,
    Order,
    domain_for,
    export,
    preview,
    run,
    typed_numbers,
    typed_values,
)

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger

_DEFAULT_FOLDER = Path("curator-demo")
_TABLE, _SESSION, _LEDGER = "clinic.csv", "clinic.curation.json", "demo-ledger.sqlite"
_RELEASED, _SYNTHETIC = "clinic-released.csv", "clinic-synthetic.csv"
_MANIFESTS = tuple(external_path(Path(name)).name for name in (_RELEASED, _SYNTHETIC))
_WRITTEN = (_TABLE, _SESSION, _LEDGER, _RELEASED, _SYNTHETIC, *_MANIFESTS)
_SYNTHESIZED = ("sex", "age", "ward", "smoker", "medication")
_INTEREST = (("sex", "medication"), ("age", "smoker"))


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "demo", parents=[common], help="the main job on the bundled sample, in a window where there is one"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="do it without a window and leave the results in this folder"
    )
    parser.set_defaults(run=run_demo)


def run_demo(arguments: argparse.Namespace, output: Output) -> int:
    """Open the sample, apply its saved steps, commit the best next one, release; then synthesize."""
    meant = arguments.out or _DEFAULT_FOLDER
    folder = free_folder(meant)
    if folder != meant:
        output.say(f"“{meant}” holds files of these names already, so this demo is in “{folder}”.")
    session_path = _copied_sample(folder)
    session = Session.load(session_path, progress=output.progress)
    output.say(f"Opened {session.source_path.name}: {session.table.rows} records about people.")
    steps = session.record.saved_steps[0]
    session.apply_saved(steps.name)
    before = session.snapshot().trajectory().last
    output.say(f"Applied the saved steps “{steps.name}”: {_words(before)}.")
    chosen = _best(session)
    label = describe_operator(chosen.operator, session.source.hierarchies)
    output.say(f"Of the next steps scored, “{label}” is the best. {chosen.why}")
    session.commit(chosen.operator)
    after = session.snapshot().trajectory().last
    output.say(f"Committed it: {_words(after)}.")
    released = session.release(folder / _RELEASED, progress=output.progress)
    session.save(session_path)
    output.say(f"Released {released.rows} records to {released.path}, read back and found as scored.")
    made, exported = _synthetic(session, folder, output)
    session.save(session_path)
    output.say(
        f"Made {exported.rows} synthetic records from the same source for ε 0.5, charged to a ledger of the "
        f"demo's own, and exported them to {exported.path}."
    )
    for warning in made.warnings:
        output.say(warning)
    output.document(
        {
            "format": "curation-demo/1",
            "alpha_before": before.alpha,
            "step": label,
            "alpha": after.alpha,
            "budget": session.protection.budget,
            "session": str(session_path),
            "file": str(released.path),
            "sha256": released.sha256,
            "synthetic": str(exported.path),
            "ledger": made.decision.anchor(),
        }
    )
    return 0


def _synthetic(session: Session, folder: Path, output: Output) -> tuple[Made, Exported]:
    """A small synthetic table of the source, for half of what a fresh ledger allows."""
    declared = Domain(
        (
            typed_values("sex", ["F", "M"], missing=False),
            typed_numbers("age", "0", "120", 12, missing=False),
            typed_values("smoker", ["no", "yes"], missing=False),
        )
    )
    domain = domain_for(session, "source", _SYNTHESIZED, declared)
    order = Order(domain, "0.5", _INTEREST, origin="source")
    ledger = _fresh_ledger(session, folder)
    shown = preview(session, ledger, order)
    made = run(session, ledger, order, shown.request, in_words(output.progress))
    return made, export(made, folder / _SYNTHETIC, session, ledger, output.progress)


def _fresh_ledger(session: Session, folder: Path) -> Ledger:
    """A ledger nobody has charged, with a pool for the sample."""
    from curator_gui.store.ledger import content_digest, init_ledger  # heavy: SQLAlchemy

    ledger = init_ledger(str(folder / _LEDGER))
    pool = ledger.create_pool(
        content_digest(session.table), epsilon="1", delta=1e-9, size=5000, name="the clinic sample"
    )
    ledger.grant(pool.id, ledger.user, per_request="0.5", total="1")
    return ledger


def _copied_sample(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (_TABLE, _SESSION):
            shutil.copyfile(sample(name), folder / name)
    except OSError as error:
        raise write_error(folder, error) from None
    return folder / _SESSION


def free_folder(meant: Path) -> Path:
    """The folder, or the first of folder-2, folder-3, … in which the demo replaces no file."""
    folder, number = meant, 1
    whole = meant if meant.name not in ("", "..") else meant.resolve()
    while any(os.path.lexists(folder / name) for name in _WRITTEN):
        number += 1
        folder = whole.with_name(f"{whole.name}-{number}")
    return folder


def _best(session: Session) -> Candidate:
    """The most useful step within the budget that removes nobody."""
    scored = [
        c
        for c in session.snapshot().candidates()
        if isinstance(c, Candidate) and c.feasible and not c.rows_removed
    ]
    if not scored:
        raise FileError("No single step brings the sample within its budget; install the program again.")
    return max(scored, key=lambda c: c.utility)


def _words(score: PrefixScore) -> str:
    worst = score.worst
    if score.alpha is None or worst is None:
        return "nothing can be learned"
    guess = best_guess(worst.k, worst.n, worst.prior_k, worst.prior_n)
    verdict = "within the budget" if score.feasible else f"{score.over_budget} targets over the budget"
    return f"for the worst target it {guess}, disclosure {score.alpha:.3f}, {verdict}"
