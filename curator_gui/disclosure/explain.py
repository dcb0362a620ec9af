"""Why a disclosure is what it is, in one sentence, with the records behind it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curator_gui.disclosure.classes import Reading
from curator_gui.disclosure.population import Population
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.transition import WorstAfter

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Look:
    """A target's profile with its compatibility set before and after an operator.

    profile: the rows of the prior group; holds: [profile] whether the secret holds of each;
    before, after: [profile] whether each stands in the set. Rows are numbered from 0.
    """

    target: int
    secret: str
    profile: NDArray[np.int64]
    holds: NDArray[np.bool_]
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]


def look(population: Population, target: int, secret: int, before: Reading, after: Reading) -> Look:
    """Everybody of the target's profile, with and without the secret, in and out of the target's set."""
    profile = np.flatnonzero(population.profile == population.profile[target])
    resolved = population.secrets[secret]
    return Look(
        target,
        resolved.name,
        profile,
        resolved.holds[profile],
        compatible(before, profile, target),
        compatible(after, profile, target),
    )


def compatible(reading: Reading, profile: NDArray[np.int64], target: int) -> NDArray[np.bool_]:
    """[profile] which rows of a profile stand in the compatibility set of one of its rows."""
    alike = reading.counted[profile].copy()
    mine = np.array([target])
    if reading.fate is not None:
        alike &= reading.fate[profile] == reading.fate[target]
        if reading.fate[target]:
            return alike
    for column in reading.columns:
        alike &= column.joint.at(profile) == column.joint.at(mine)
    return alike


def why(worst: WorstAfter | None, name: str, prior: tuple[int, int], seen: Callable[[], Look]) -> str:
    """One sentence on the worst target after an operator. ``seen`` is asked only where records are named."""
    if worst is None:
        return "Nobody can be compared with anything in the release any more, so there is no evidence."
    if worst.before == worst.after and worst.joined == (0, 0) and worst.left == (0, 0):
        return (
            f"Nothing changes for record {worst.target + 1}, the worst off: {_of(worst.after)} that look like"
            f" it have “{name}”, against {_of(prior)} beforehand."
        )
    if worst.before[1] == 0:
        return f"Record {worst.target + 1} can be compared again: {_of(worst.after)} have “{name}”."
    moves = [_move(worst.joined, "join", seen), _move(worst.left, "leave", seen)]
    moved = " and ".join(m for m in moves if m)
    return f"{moved[:1].upper()}{moved[1:]}{_company(worst, seen)}: {_rate_change(worst)}."


def _move(moved: tuple[int, int], verb: str, seen: Callable[[], Look]) -> str:
    with_secret, total = moved
    if total == 0:
        return ""
    if total > _MOST_NAMED:
        return f"{total} records, {_with_secret(with_secret, total)}, {verb}"
    look = seen()
    rows = look.profile[(look.after & ~look.before) if verb == "join" else (look.before & ~look.after)]
    if total == 1:
        return f"{records(rows.tolist())}, {'with' if with_secret else 'without'} the secret, {verb}s"
    return f"{records(rows.tolist())}, {_with_secret(with_secret, total)}, {verb}"


def _with_secret(with_secret: int, total: int) -> str:
    if with_secret == 0:
        return "none with the secret"
    return "all with the secret" if with_secret == total else f"{with_secret} with the secret"


def _company(worst: WorstAfter, seen: Callable[[], Look]) -> str:
    stay = worst.before[1] - worst.left[1]
    if not worst.joined[1] or worst.left[1] or not stay:
        return f" the set of record {worst.target + 1}"
    if stay > _MOST_NAMED:
        return f" the {stay} that look like record {worst.target + 1}"
    look = seen()
    return f" {records(look.profile[look.before & look.after].tolist())}"


def _rate_change(worst: WorstAfter) -> str:
    (k0, n0), (k1, n1) = worst.before, worst.after
    if n1 == 0:
        return "nobody is left to compare it with"
    if k0 * n1 == k1 * n0:
        return f"the rate stays at {_of(worst.after)}"
    verb = "falls" if k1 * n0 < k0 * n1 else "rises"
    return f"the rate {verb} from {_of(worst.before)} to {_of(worst.after)}"


def records(rows: Sequence[int]) -> str:
    """Records in words, counted from 1: "record 3", "records 1 and 2"."""
    numbers = [str(r + 1) for r in rows]
    if len(numbers) == 1:
        return f"record {numbers[0]}"
    return f"records {', '.join(numbers[:-1])} and {numbers[-1]}"


def _of(counts: tuple[int, int]) -> str:
    return f"{counts[0]} of {counts[1]}"


def best_guess(k: int, n: int, prior_k: int, prior_n: int) -> str:
    """Disclosure in plain words: "raises the best guess from 2 in 3 to certain (×1.5)"."""
    if n == 0:
        return "leaves nobody to compare with"
    if prior_k == 0 or k * prior_n == prior_k * n:
        return f"leaves the best guess at {_in(prior_k, prior_n)}"
    verb = "raises" if k * prior_n > prior_k * n else "lowers"
    lift = times(k * prior_n, n * prior_k)
    return f"{verb} the best guess from {_in(prior_k, prior_n)} to {_in(k, n)} ({lift})"


def times(top: int, bottom: int) -> str:
    """A ratio as "×1.5"."""
    return f"×{_figures(top / bottom)}" if top else "×0"


def _figures(value: float) -> str:
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _in(k: int, n: int) -> str:
    if k == 0:
        return "ruled out"
    return "certain" if k == n else f"{k} in {n}"


@dataclass(frozen=True, slots=True)
class Absent:
    """A row that would lower the worst target's rate but is not in its set. ``step``: the step, from 1, that
    removed it, or None; ``columns``: the released columns in which it differs."""

    row: int
    step: int | None
    columns: tuple[str, ...]

    @property
    def sentence(self) -> str:
        if self.step is not None:
            reason = f"step {self.step} of the plan removed it"
        else:
            reason = f"it differs in {', '.join(self.columns)}"
        return f"Record {self.row + 1}, without the secret, is not among the look-alikes: {reason}."


@dataclass(frozen=True, slots=True)
class Blocked:
    """Why a plan is over budget on this data: the worst target and the company it lacks."""

    target: int
    secret: str
    sentence: str
    absent: tuple[Absent, ...]


def why_over_budget(standing: Standing) -> Blocked:
    """The worst target, and every row of its profile without the secret that is not in its set."""
    worst = standing.worst
    assert worst is not None
    population, prefix, target = standing.population, standing.prefix, worst.target
    seen = look(population, target, worst.secret, standing.reading, standing.reading)
    absent = []
    for row in seen.profile[~seen.holds & ~seen.after].tolist():
        step = int(prefix.removed_at[row])
        differs = tuple(
            s.name
            for s in prefix.shown
            if s.coarsening.codes[s.column.codes[row]] != s.coarsening.codes[s.column.codes[target]]
        )
        absent.append(Absent(row, step or None, () if step else differs))
    at = standing.classes.of_row[target]
    k, n = int(standing.classes.holding[worst.secret, at]), int(standing.classes.size[at])
    guess = best_guess(k, n, *population.prior(worst.secret, target))
    sentence = f"For record {target + 1} the release {guess} for “{seen.secret}”."
    return Blocked(target, seen.secret, sentence, tuple(absent))
