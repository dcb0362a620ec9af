"""The JSON documents of the command line, as docs/command-line.md describes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from curator_gui.core.describe import describe_operator
from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import operator_to_json
from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import PrefixScore, Trajectory, WorstOf, evidence
from curator_gui.store.session_file import number_to_json

Json = dict[str, Any]


def score_document(trajectory: Trajectory, exposed: Collection[int] = ()) -> Json:
    """``curation-score/1`` without evidence. ``exposed``: the prefixes that left the curator's hands."""
    return {
        "format": "curation-score/1",
        "budget": trajectory.budget,
        "feasible": trajectory.last.feasible,
        "prefixes": [{**_prefix(p), "exposed": p.i in exposed} for p in trajectory.prefixes],
    }


def _prefix(score: PrefixScore) -> Json:
    return {
        "i": score.i,
        "rows": score.rows,
        "columns": list(score.columns),
        "alpha": number_to_json(score.alpha),
        "feasible": score.feasible,
        "over_budget": score.over_budget,
        "no_evidence": score.no_evidence,
        "worst": _worst(score.worst),
        "utility": score.utility,
        "smallest_class": score.figures.smallest_class,
        "alone": score.figures.alone,
        "median": number_to_json(score.figures.median),
        "ninth_decile": number_to_json(score.figures.ninth_decile),
    }


def _worst(worst: WorstOf | None) -> Json | None:
    if worst is None:
        return None
    return {
        "target": worst.target,
        "secret": worst.secret,
        "k": worst.k,
        "n": worst.n,
        "K": worst.prior_k,
        "N": worst.prior_n,
    }


def prior_document(population: Population) -> list[Json]:
    """K and N for every secret and target."""
    names = [s.name for s in population.secrets]
    targets = [int(t) for t in population.target.nonzero()[0]]
    out = []
    for s, name in enumerate(names):
        for target in targets:
            prior_k, prior_n = population.prior(s, target)
            out.append({"secret": name, "target": target, "K": prior_k, "N": prior_n})
    return out


def evidence_document(standing: Standing) -> list[Json]:
    """k, n, status and e for every secret and target."""
    found = evidence(standing)
    out = []
    for s, secret in enumerate(standing.population.secrets):
        columns = found.targets.tolist(), found.k[s].tolist(), found.n.tolist(), found.e[s].tolist()
        for target, k, n, e, status in zip(*columns, found.status, strict=True):
            entry = {"secret": secret.name, "target": target, "k": k, "n": n, "status": status}
            out.append({**entry, "e": number_to_json(e)})
    return out


def candidate_document(candidate: Candidate, ladders: Mapping[str, Hierarchy]) -> Json:
    """One candidate of ``curation-candidates/1``."""
    worst: Json | None = None
    if candidate.worst is not None:
        worst = {**asdict(candidate.worst), "e": number_to_json(candidate.worst.e)}
    return {
        "operator": operator_to_json(candidate.operator),
        "label": describe_operator(candidate.operator, ladders),
        "alpha": number_to_json(candidate.alpha),
        "feasible": candidate.feasible,
        "max_delta": number_to_json(candidate.max_delta),
        "min_delta": number_to_json(candidate.min_delta),
        "worse": candidate.worse,
        "better": candidate.better,
        "same": candidate.same,
        "lost": candidate.lost,
        "affected": candidate.affected,
        "over_budget": candidate.over_budget,
        "rows_removed": candidate.rows_removed,
        "does_no_privacy_work": candidate.does_no_privacy_work,
        "improves_still_above": candidate.improves_still_above,
        "classes": asdict(candidate.classes),
        "worst": worst,
        "utility": candidate.utility,
        "utility_change": candidate.utility_change,
        "why": candidate.why,
    }
