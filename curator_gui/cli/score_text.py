"""What ``score`` and ``candidates`` tell a person, from the documents they give a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curator_gui.disclosure.scoring import RemovedTargets
from curator_gui.disclosure.trajectory import PrefixScore, Trajectory

Json = dict[str, Any]
_STATUS = {"present": "", "lookalikes": "removed, others look like it", "no_evidence": "nobody looks like it"}


def score_lines(
    name: str, trajectory: Trajectory, between: Mapping[int, RemovedTargets], document: Json
) -> list[str]:
    """A line a step; its evidence below, where the document has it."""
    count = len(trajectory.secrets)
    lines = [f"{name}: budget τ = {trajectory.budget:.4g}, {counted(count, 'secret')}"]
    for score, prefix in zip(trajectory.prefixes, document["prefixes"], strict=True):
        lines += [_step(score), *_evidence_table(document.get("prior", ()), prefix.get("evidence", ()))]
    if score.i in between:
        removed = between[score.i]
        aware = removed.alpha_membership_aware
        lines.append(
            f"       {_were(removed.targets)} removed between releases; for an observer who knows"
            f" that they are gone α is {'–' if aware is None else f'{aware:.4f}'}"
        )
    return lines


def _were(targets: int) -> str:
    return f"{counted(targets, 'target')} {'was' if targets == 1 else 'were'}"


def _step(score: PrefixScore) -> str:
    return (
        f"  {score.i:>3}  α {number(score.alpha):>8}  {counted(score.rows, 'record')}, utility "
        f"{score.utility:.3f}, {_verdict(score)}"
    )


def _verdict(score: PrefixScore) -> str:
    if not score.rows:
        return "nothing to release"
    if score.feasible:
        return "within the budget"
    return f"{counted(score.over_budget, 'target')} over the budget"


def counted(count: int, what: str) -> str:
    """“1 record”, “2 records”."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _evidence_table(prior: Sequence[Json], evidence: Sequence[Json]) -> list[str]:
    """Records are counted from 1, as everywhere a person reads."""
    if not evidence:
        return []
    rows = [("record", "secret", "in the group", "look-alikes", "e", "")]
    for known, found in zip(prior, evidence, strict=True):
        group, alike = f"{known['K']} of {known['N']}", f"{found['k']} of {found['n']}"
        record = str(found["target"] + 1)
        rows.append((record, found["secret"], group, alike, number(found["e"]), _STATUS[found["status"]]))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["       " + "  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]


def candidate_lines(name: str, documents: Sequence[Json]) -> list[str]:
    """A line a candidate; a note where some remove records."""
    lines = [f"{name}: {counted(len(documents), 'candidate')}"]
    for d in documents:
        mark = "within" if d["feasible"] else "above"
        counts = f"{d['worse']} worse, {d['better']} better, {d['same']} same, {d['lost']} lost"
        label = f"{d['label']} (removes {d['rows_removed']})" if d["rows_removed"] else d["label"]
        lines.append(f"  α {number(d['alpha']):>8} {mark:>6}  utility {d['utility']:.3f}  {counts}  {label}")
        if d.get("second_look"):
            best = d["second_look"]
            lines.append(f"             then at best α {number(best['alpha'])} by “{best['label']}”")
    if any(d["rows_removed"] for d in documents):
        lines.append(
            "  That a record is missing can itself tell something, to whoever knows that it was there; the"
            " membership-aware observer measures it."
        )
    if any(d["lost"] for d in documents):
        lines.append("  Lost: nobody in the release looks like them any more, so they are not in α.")
    return lines


def number(value: float | str | None) -> str:
    """α or evidence as a person reads it."""
    if value is None:
        return "–"
    return value.replace("inf", "∞").replace("-", "−") if isinstance(value, str) else _figures(value)


def _figures(value: float) -> str:
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text.replace("inf", "∞").replace("-", "−")
