"""``score`` and ``candidates``: any number of sessions, one document a line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from curator_gui.cli.documents import (
    candidate_document,
    evidence_document,
    prior_document,
    score_document,
)
from curator_gui.cli.main import defect
from curator_gui.cli.output import Output, StdoutError
from curator_gui.cli.score_text import candidate_lines, score_lines
from curator_gui.core.errors import Cancelled, CuratorError, InputError, OverBudgetError
from curator_gui.core.operators import Operator, operator_from_json
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.warnings import warnings
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
        for i, removed in between.items():
            alpha = number_to_json(removed.alpha_membership_aware)
            document["prefixes"][i]["alpha_membership_aware"] = alpha
            document["prefixes"][i]["removed_between_releases"] = removed.targets
        if arguments.evidence:
            document["prior"] = prior_document(session.scoring.population)
            for i, prefix in enumerate(document["prefixes"]):
                prefix["evidence"] = evidence_document(session.scoring.standing(session.plan[:i]))
        document["warnings"] = warnings(session.scoring.population, session.record.key)
        warn(output, document["warnings"])
        output.say(*score_lines(path.name, trajectory, between, document))
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
        told = warnings(session.scoring.population, session.record.key)
        warn(output, told)
        output.say(*candidate_lines(path.name, documents))
        return {"format": "curation-candidates/1", "candidates": documents, "warnings": told}, 0

    return _each(arguments.sessions, one, output)


def _each(paths: Sequence[Path], one: Callable[[Path], tuple[Json, int]], output: Output) -> int:
    """Bad input (2) outweighs a plan over budget (3)."""
    statuses = [0]
    for path in paths:
        try:
            document, status = one(path)
        except (Cancelled, BrokenPipeError, StdoutError):
            raise
        except Exception as error:  # noqa: BLE001 - one session that fails never keeps the others from being read
            said, status = _failure(error)
            document = {"error": said, "session": str(path)}
            output.error(f"{shown(path)}: {said}" if len(paths) > 1 else said)
        output.document(document)
        statuses.append(status)
    bad = [s for s in statuses if s in (1, 2)]
    return min(bad) if bad else max(statuses)


def warn(output: Output, sentences: Sequence[str]) -> None:
    for sentence in sentences:
        output.error(sentence)


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
