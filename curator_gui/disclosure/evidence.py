"""Evidence: how far a compatibility set moves an observer's guess of a secret from the prior.

A rate is kept as a ratio of integers, ``share / of``; the logarithm is taken last. For observers that count,
``share`` is k and ``of`` is n. For the smoothed one, with m = a/b pseudo-observations at the prior rate K/N,
(k + m·K/N) / (n + m) is, times N, the ratio (b·k·N + a·K) / (b·n + a).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.decimals import MOST_DIGITS, is_plain
from curator_gui.core.errors import InputError
from curator_gui.disclosure.population import Population

UNDEFINED = -1.0
"""Stands for the lift of an empty compatibility set; below every real lift, so that maxima pass it by."""

_INT64_SAFE = 1 << 62
_FLOAT_SAFE = 1 << 51


@dataclass(frozen=True, eq=False)
class Rates:
    """The secret rates of some compatibility sets, and their lifts over the priors.

    share: [secrets, sets], of: [sets], integers; the rate is share / of, times the profile's rows where
    ``smoothed``. lift: [secrets, sets] float64, e^evidence: UNDEFINED for an empty set, 1 where the prior
    rate is 0. profile: [sets].
    """

    population: Population
    profile: NDArray[np.int32]
    share: NDArray[Any]
    of: NDArray[Any]
    lift: NDArray[np.float64]

    @property
    def lifts_differ(self) -> bool:
        """Whether different rates of one profile have different lifts in float64. Counted rates do: they
        differ by more than 1 / N² of themselves, N the profile's rows."""
        largest = int(self.population.profile_rows.max(initial=0))
        return self.population.observer.kind != "smoothed" and largest**2 < _FLOAT_SAFE

    def best(self) -> NDArray[np.float64]:
        """[sets] the largest lift over the secrets; UNDEFINED where there is none."""
        if not len(self.lift):
            return np.full(len(self.of), UNDEFINED)
        best: NDArray[np.float64] = self.lift.max(axis=0)
        return best

    def at(self, sets: NDArray[Any]) -> Rates:
        """The rates of some of the sets."""
        return Rates(
            self.population,
            self.profile.take(sets),
            self.share.take(sets, axis=1),
            self.of.take(sets),
            self.lift.take(sets, axis=1),
        )

    def ratios(self, secret: NDArray[np.int64], sets: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Lifts of some secrets on some sets as exact ratios of integers; bottom 0 where the prior is 0."""
        profile = self.profile[sets]
        top, bottom = self.share[secret, sets], self.of[sets]
        prior = self.population.profile_holding[secret, profile]
        if self.population.observer.kind != "smoothed":
            top = top * self.population.profile_rows[profile]
        return top, bottom * prior


def rates(
    population: Population, profile: NDArray[np.int32], size: NDArray[np.int64], holding: NDArray[np.int64]
) -> Rates:
    """Rates of sets within ``profile`` [sets], of ``size`` n [sets] and ``holding`` k [secrets, sets]."""
    if population.observer.kind == "smoothed":
        return _smoothed_rates(population, profile, size, holding)
    lift = np.ones(holding.shape)
    # Products of two counts are exact in float64, so equal ratios give equal quotients.
    rows = population.profile_rows.astype(np.float64).take(profile)
    of, empty = size.astype(np.float64), size == 0
    for s in range(len(holding)):
        bottom = population.profile_holding[s].astype(np.float64).take(profile)
        bottom *= of
        np.divide(holding[s] * rows, bottom, out=lift[s], where=bottom != 0)
        lift[s, empty] = UNDEFINED
    return Rates(population, profile, holding, size, lift)


def _smoothed_rates(
    population: Population, profile: NDArray[np.int32], size: NDArray[np.int64], holding: NDArray[np.int64]
) -> Rates:
    a, b = smoothing(population)
    rows = population.profile_rows.take(profile)
    most = int(rows.max(initial=1))
    width = _integers(b * most * most + a * most)
    of = b * size.astype(width) + a
    prior = population.profile_holding.take(profile, axis=1)
    share = holding.astype(width) * (b * rows.astype(width)) + a * prior.astype(width)
    lift = np.ones(holding.shape)
    bottom = of * prior
    np.divide(share.astype(np.float64), bottom.astype(np.float64), out=lift, where=prior != 0)
    return Rates(population, profile, share, of, lift)


def smoothing(population: Population) -> tuple[int, int]:
    """The smoothed observer's m as a ratio of integers."""
    m = population.observer.m
    if m is None or not is_plain(m) or m <= 0:
        raise InputError(
            "The smoothed observer needs “m”, a number of pseudo-observations above 0, of at most "
            f"{MOST_DIGITS} digits.",
            path="protection.observer.m",
        )
    return m.as_integer_ratio()


def logarithm(lift: float) -> float | None:
    """Evidence from a lift: null for an empty set, −∞ for a rate of 0."""
    if lift < 0:
        return None
    return math.log(lift) if lift > 0 else -math.inf


def lift_limit(limit: float) -> float:
    """The largest lift whose logarithm is at most ``limit``: lifts can be compared instead of logarithms."""
    low, high = 0, _bits(math.inf)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if math.log(_float(middle)) <= limit else (low, middle)
    return _float(low)


def _bits(value: float) -> int:
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits


def _float(bits: int) -> float:
    value: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return value


def _integers(bound: int) -> Any:
    """A dtype in which products up to ``bound`` are exact."""
    return np.int64 if bound < _INT64_SAFE else object


def exact_maximum(top: NDArray[Any], bottom: NDArray[Any]) -> NDArray[np.bool_]:
    """[n] which of several nearly equal ratios are exactly the largest. A bottom of 0 stands for 1 / 1."""
    if len(top) == 0 or (bottom[0] and np.all(top == top[0]) and np.all(bottom == bottom[0])):
        return np.ones(len(top), np.bool_)
    top, bottom = np.where(bottom == 0, 1, top), np.where(bottom == 0, 1, bottom)
    common = np.gcd(top, bottom)
    top, bottom = top // common, bottom // common
    if np.all(top == top[0]) and np.all(bottom == bottom[0]):
        return np.ones(len(top), np.bool_)
    pairs = set(zip(top.tolist(), bottom.tolist(), strict=True))
    largest = max(pairs, key=lambda p: Fraction(p[0], p[1]))
    result: NDArray[np.bool_] = (top == largest[0]) & (bottom == largest[1])
    return result


@dataclass(frozen=True, eq=False)
class Change:
    """How rates change from one set to another of the same profile. [secrets, sets] of bool.

    highest, lowest: the extremes of rate after / rate before, 1 where they are equal; 1 where there are none.
    """

    rises: NDArray[np.bool_]
    falls: NDArray[np.bool_]
    highest: float
    lowest: float


def compare(before: Rates, sets_before: NDArray[Any], after: Rates, sets_after: NDArray[Any]) -> Change:
    """Compare sets pairwise, exactly. Evidence is defined on all of them."""
    was, now = before.lift.take(sets_before, axis=1), after.lift.take(sets_after, axis=1)
    if before.lifts_differ and after.lifts_differ:
        rises, falls = now > was, now < was
    else:
        rises, falls = _compare_exactly(before.at(sets_before), after.at(sets_after))
    if not now.size:
        return Change(rises, falls, 1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = now / was
    highest, lowest = float(np.fmax.reduce(ratio, axis=None)), float(np.fmin.reduce(ratio, axis=None))
    if np.isnan(ratio).any():  # 0 / 0: no change
        highest, lowest = float(np.fmax(highest, 1.0)), float(np.fmin(lowest, 1.0))
    return Change(rises, falls, highest, lowest)


def _compare_exactly(before: Rates, after: Rates) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    bound = max(int(after.share.max(initial=0)), int(before.share.max(initial=0))) * max(
        int(after.of.max(initial=0)), int(before.of.max(initial=0))
    )
    width = _integers(bound)
    left = after.share.astype(width) * before.of.astype(width)
    right = before.share.astype(width) * after.of.astype(width)
    return left > right, left < right


@dataclass(frozen=True, slots=True)
class Worst:
    """The target with the most evidence against it, the smallest row on a tie, and its secret."""

    target: int
    secret: int
    lift: float


def worst_target(found: Rates, first_target: NDArray[np.int64]) -> Worst | None:
    """Among sets of targets (``first_target``: [sets] the smallest of each), the worst; None if undefined."""
    best = found.best()
    if not len(best) or (lift := float(best.max())) < 0:
        return None
    chosen = first_of_largest(largest_of_each_secret(found, lift, first_target))
    return Worst(chosen.target, chosen.secret, lift)


@dataclass(frozen=True, slots=True)
class Largest:
    """Of the sets with a secret's largest lift the one with the smallest target, and the exact lift."""

    target: int
    secret: int
    place: int
    ratio: tuple[int, int]


def largest_of_each_secret(
    found: Rates, lift: float, first_target: NDArray[np.int64], places: NDArray[np.int64] | None = None
) -> list[Largest]:
    """One a secret that has a set with this ``lift``. Secret by secret, for many sets may share it in many
    secrets. places: [targets] the set of each of ``first_target``; set i of target i where not given."""
    largest = []
    for s in range(len(found.lift)):
        lifts = found.lift[s] if places is None else found.lift[s].take(places)
        at = np.flatnonzero(lifts == lift)
        if len(at):
            sets = at if places is None else places[at]
            top, bottom = found.ratios(np.full(len(sets), s), sets)
            exact = np.flatnonzero(exact_maximum(top, bottom))
            i = exact[np.argmin(first_target[at[exact]])]
            ratio = (int(top[i]), int(bottom[i])) if bottom[i] else (1, 1)
            largest.append(Largest(int(first_target[at[i]]), s, int(at[i]), ratio))
    return largest


def first_of_largest(among: Sequence[Largest]) -> Largest:
    """The smallest target, then the first secret, of those whose lift is exactly the largest."""
    most = max(Fraction(*one.ratio) for one in among)
    exact = [one for one in among if Fraction(*one.ratio) == most]
    return min(exact, key=lambda one: (one.target, one.secret))
