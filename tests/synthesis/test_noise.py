from __future__ import annotations

import numpy as np
import pytest

from curator_gui.synthesis.accounting import RHO_UNITS, marginal_cost, selection_cost
from curator_gui.synthesis.noise import Noise, OpenDPNoise, SeededNoise, selection_scale


@pytest.mark.parametrize("sigma", [0.7, 10.0, 333.3])
@pytest.mark.parametrize("bound", [1, 3])
def test_opendp_charges_a_marginal_what_we_charge(sigma: float, bound: int) -> None:
    map_ = OpenDPNoise().gaussian_measurement(sigma).map

    assert map_(bound) == pytest.approx(marginal_cost(sigma, bound) / RHO_UNITS, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 4.0])
@pytest.mark.parametrize("bound", [1, 3])
def test_opendp_charges_a_selection_no_more_than_we_charge(epsilon: float, bound: int) -> None:
    sensitivity = 30 * 1024
    map_ = OpenDPNoise().selection_measurement(selection_scale(sensitivity, epsilon)).map

    cost = selection_cost(epsilon, bound) / RHO_UNITS
    assert map_(bound * sensitivity) == pytest.approx(cost, rel=1e-9)
    assert map_(bound * sensitivity) <= cost


@pytest.mark.parametrize("noise", [OpenDPNoise(), SeededNoise(1)], ids=["opendp", "seeded"])
def test_a_selection_is_the_exponential_mechanism(noise: Noise) -> None:
    scores, sensitivity, epsilon = np.array([0, 1024, 3072]), 1024, 1.5
    weights = np.exp(epsilon * scores / (2 * sensitivity))

    chosen = np.bincount([noise.noisy_max(scores, sensitivity, epsilon) for _ in range(4000)], minlength=3)

    assert chosen / 4000 == pytest.approx(weights / weights.sum(), abs=0.04)


@pytest.mark.parametrize("noise", [OpenDPNoise(), SeededNoise(2)], ids=["opendp", "seeded"])
def test_gaussian_noise_has_its_scale_and_stays_whole(noise: Noise) -> None:
    noisy = noise.gaussian(np.full(4000, 7), 25.0)

    assert noisy.dtype == np.int64
    assert noisy.mean() == pytest.approx(7, abs=2.5)
    assert noisy.std() == pytest.approx(25, rel=0.06)


def test_only_opendp_is_private() -> None:
    assert OpenDPNoise().private
    assert not SeededNoise(0).private


def test_a_seed_gives_the_same_noise_again() -> None:
    counts = np.arange(50)

    assert (SeededNoise(5).gaussian(counts, 9.0) == SeededNoise(5).gaussian(counts, 9.0)).all()
    assert (SeededNoise(5).gaussian(counts, 9.0) != SeededNoise(6).gaussian(counts, 9.0)).any()
