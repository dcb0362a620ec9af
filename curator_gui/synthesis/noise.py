"""Where the randomness of a synthesis comes from: OpenDP for what is protected, a seed only in tests."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Noise(Protocol):
    """A source of noise. ``private`` says whether its results may be released."""

    @property
    def private(self) -> bool: ...

    def gaussian(self, counts: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
        """[cells] counts plus discrete Gaussian noise of scale σ, independent a cell."""
        ...

    def noisy_max(self, scores: NDArray[np.int64], sensitivity: int, epsilon: float) -> int:
        """The index of a high score: index i with probability ∝ exp(ε·score_i / (2·sensitivity)).

        scores: [candidates] integers, each changed by at most ``sensitivity`` by one unit of protection.
        """
        ...

    def generator(self) -> np.random.Generator:
        """For what happens after the noise (drawing rows), where any randomness will do."""
        ...


class OpenDPNoise:
    """OpenDP's discrete Gaussian and its noisy max under zero-concentrated divergence. Takes no seed.

    For a scale s and an L2 distance Δ the first costs Δ²/(2s²). The second adds Gumbel noise of scale s to
    integer scores and costs (2Δ/s)²/8 for scores that move by at most Δ in either direction.
    """

    def __init__(self) -> None:
        import opendp.prelude as dp  # a quarter of a second and a shared library: only when noise is drawn

        dp.enable_features("contrib")
        self._dp: Any = dp

    @property
    def private(self) -> bool:
        return True

    def gaussian(self, counts: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
        noisy = self.gaussian_measurement(sigma)(np.ascontiguousarray(counts, np.int64))
        return np.asarray(noisy, np.int64)

    def noisy_max(self, scores: NDArray[np.int64], sensitivity: int, epsilon: float) -> int:
        scale = selection_scale(sensitivity, epsilon)
        return int(self.selection_measurement(scale)(np.ascontiguousarray(scores, np.int64)))

    def generator(self) -> np.random.Generator:
        return np.random.default_rng()

    def gaussian_measurement(self, sigma: float) -> Any:
        """Of integer vectors under L2 distance; its ``map`` gives the ρ that a distance costs."""
        dp = self._dp
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
        return dp.m.make_gaussian(*space, scale=sigma)

    def selection_measurement(self, scale: float) -> Any:
        """Of integer scores under L∞ distance; its ``map`` gives the ρ that a distance costs."""
        dp = self._dp
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
        return dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)


class SeededNoise:
    """Reproducible noise of the same distributions for tests and experiments: never private."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    @property
    def private(self) -> bool:
        return False

    def gaussian(self, counts: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
        return counts + np.rint(self._random.normal(0.0, sigma, counts.shape)).astype(np.int64)

    def noisy_max(self, scores: NDArray[np.int64], sensitivity: int, epsilon: float) -> int:
        scale = selection_scale(sensitivity, epsilon)
        return int(np.argmax(scores + self._random.gumbel(0.0, scale, scores.shape)))

    def generator(self) -> np.random.Generator:
        return self._random


def selection_scale(sensitivity: int, epsilon: float) -> float:
    """The Gumbel scale 2·sensitivity/ε, rounded up so that the selection costs no more than ε²/8."""
    return math.nextafter(2 * sensitivity / epsilon, math.inf)
