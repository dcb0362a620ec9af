"""``score`` and ``candidates``: any number of sessions, one document a line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from curator_gui.cli.documents import (
    candidate_document,
    evidence_document,
    prior_document,
    score_document,
)
from curator_gui.cli.main import defect
from curator_gui.cli.output import Output
from curator_gui.core.errors import Cancelled, CuratorError, InputError, OverBudgetError
from curator_gui.core.operators import Operator, operator_from_json
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.trajectory import Trajectory
from curator_gui.session import Session
from curator_gui.store.json_text import read_json
from curator_gui.store.ordinary import is_there, shown
from curator_gui.store.session_file import number_to_json

Json = dict[str, Any]


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the two subcommands."""
    score = subparsers.add_parser("score", parents=[common], help="the disclosure of every step of a plan")
    _sessions(score)
    score.add_argument(
        "--evidence", action="store_true", help="add the prior, and evidence on every secret and target"
    )
    score.set_defaults(run=run_score)
    candidates = subparsers.add_parser(
        "candidates", parents=[common], help="score next operators before one is committed"
    )
    _sessions(candidates)
    candidates.add_argument(
        "--operators", type=Path, metavar="FILE", help="a JSON list of operators to score instead"
    )
    candidates.add_argument(
        "--second-look", action="store_true", help="add the best that one further step can reach"
    )
    candidates.set_defaults(run=run_candidates)


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION")
    parser.add_argument("--data", type=Path, metavar="FILE", help="score on this table instead")


def run_score(arguments: argparse.Namespace, output: Output) -> int:
    """Score every session. Exit status 3 where the last prefix of any is over budget."""

    def one(path: Path) -> tuple[Json, int]:
        session = Session.load(path, data=arguments.data, progress=output.progress)
        trajectory = session.snapshot().trajectory(output.progress)
        document = score_document(trajectory, session.record.exposed)
        between = session.scoring.removed_between_releases(trajectory)
        for i, alpha in between.items():
            document["prefixes"][i]["alpha_membership_aware"] = number_to_json(alpha)
        if arguments.evidence:
            document["prior"] = prior_document(session.scoring.population)
            for i, prefix in enumerate(document["prefixes"]):
                prefix["evidence"] = evidence_document(session.scoring.standing(session.plan[:i]))
        output.say(*_score_lines(path, trajectory, between))
        return document, 0 if trajectory.last.feasible else OverBudgetError.exit_status

    return _each(arguments.sessions, one, output)


def run_candidates(arguments: argparse.Namespace, output: Output) -> int:
    """Score the next operators of every session."""

    def one(path: Path) -> tuple[Json, int]:
        session = Session.load(path, data=arguments.data, progress=output.progress)
        operators = None
        if arguments.operators is not None:
            operators = read_operators(_beside(path, arguments.operators))
        scored: list[Candidate] = []
        for result in session.snapshot().candidates(operators):
            if isinstance(result, InputError):
                place = len(scored)
                raise result.at(f"operators[{place}]")
            scored.append(result)
        ladders = session.source.hierarchies
        documents = [candidate_document(c, ladders) for c in scored]
        if arguments.second_look:
            for candidate, document in zip(scored, documents, strict=True):
                after = session.scoring.second_look(session.current_plan, candidate)
                document["second_look"] = None if after is None else candidate_document(after, ladders)
        output.say(*_candidate_lines(path, documents))
        return {"format": "curation-candidates/1", "candidates": documents}, 0

    return _each(arguments.sessions, one, output)


def _each(paths: Sequence[Path], one: Callable[[Path], tuple[Json, int]], output: Output) -> int:
    """Bad input (2) outweighs a plan over budget (3)."""
    statuses = [0]
    for path in paths:
        try:
            document, status = one(path)
        except (Cancelled, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001 - one session that fails never keeps the others from being read
            said, status = _failure(error)
            document = {"error": said, "session": str(path)}
            output.error(f"{shown(path)}: {said}" if len(paths) > 1 else said)
        output.document(document)
        statuses.append(status)
    bad = [s for s in statuses if s in (1, 2)]
    return min(bad) if bad else max(statuses)


def _failure(error: Exception) -> tuple[str, int]:
    """What to say of it, and the exit status."""
    if isinstance(error, CuratorError):
        return str(error), error.exit_status
    if isinstance(error, MemoryError):
        return "The table does not fit into memory; close other programs or use a smaller extract.", 1
    return defect(error), 1


def read_operators(path: Path) -> list[Operator]:
    """A JSON list of operators. FileError or InputError naming the place."""
    data = read_json(path, "a JSON list of operators")
    if not isinstance(data, list):
        raise InputError(f"“{path.name}” must hold a list of operators.")
    return [operator_from_json(o, path=f"operators[{i}]") for i, o in enumerate(data)]


def _beside(session: Path, operators: Path) -> Path:
    beside = session.parent / operators
    return beside if not operators.is_absolute() and is_there(beside) else operators


def _score_lines(path: Path, trajectory: Trajectory, between: Mapping[int, float | None]) -> list[str]:
    lines = [f"{path.name}: budget τ = {trajectory.budget:.4g}, {len(trajectory.secrets)} secrets"]
    for score in trajectory.prefixes:
        alpha = "–" if score.alpha is None else f"{score.alpha:.4f}"
        verdict = "within the budget" if score.feasible else f"{score.over_budget} targets over the budget"
        lines.append(
            f"  {score.i:>3}  α {alpha:>8}  {score.rows} records, utility {score.utility:.3f}, {verdict}"
        )
    if score.i in between:
        aware = between[score.i]
        lines.append(
            f"       {score.no_evidence} targets were removed between releases; for an observer who knows"
            f" that they are gone α is {'–' if aware is None else f'{aware:.4f}'}"
        )
    return lines


def _candidate_lines(path: Path, documents: Sequence[Json]) -> list[str]:
    lines = [f"{path.name}: {len(documents)} candidates"]
    for d in documents:
        alpha = _number(d["alpha"])
        mark = "within" if d["feasible"] else "above"
        counts = f"{d['worse']} worse, {d['better']} better, {d['same']} same"
        lines.append(f"  α {alpha:>8} {mark:>6}  utility {d['utility']:.3f}  {counts}  {d['label']}")
        if d.get("second_look"):
            best = d["second_look"]
            lines.append(f"             then at best α {_number(best['alpha'])} by “{best['label']}”")
    return lines


def _number(alpha: float | str | None) -> str:
    if alpha is None:
        return "–"
    return alpha if isinstance(alpha, str) else f"{alpha:.4f}"
