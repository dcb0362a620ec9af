from __future__ import annotations

import math

import numpy as np
import pytest

from curator_gui.synthesis.quality import Marginals, marginal_error, mean_error


def test_counts_are_in_c_order_of_the_attributes() -> None:
    marginals = Marginals(np.array([[1, 2], [1, 2], [0, 1]]), (2, 3))

    assert marginals.counts((0, 1)).tolist() == [0, 1, 0, 0, 0, 2]
    assert marginals.counts((1,)).tolist() == [0, 1, 2]
    assert marginals.counts(()).tolist() == [3]


def test_the_error_is_half_the_l1_distance_of_shares() -> None:
    real = Marginals(np.array([[0], [0], [1], [1]]), (3,))
    made = Marginals(np.array([[0], [2]]), (3,))

    assert marginal_error(real, made, (0,)) == pytest.approx(0.5)


def test_a_copy_has_no_error_and_a_stranger_has_one() -> None:
    real = Marginals(np.zeros((5, 2), int), (2, 2))

    assert marginal_error(real, real, (0, 1)) == 0
    assert marginal_error(real, Marginals(np.ones((9, 2), int), (2, 2)), (0, 1)) == 1


def test_the_mean_over_no_query_is_undefined() -> None:
    real = Marginals(np.zeros((5, 1), int), (2,))

    assert math.isnan(mean_error(real, real, []))


def test_the_mean_weighs_every_query_alike() -> None:
    real = Marginals(np.array([[0, 0], [0, 1]]), (2, 2))
    made = Marginals(np.array([[1, 0], [1, 1]]), (2, 2))

    assert mean_error(real, made, [(0,), (1,)]) == pytest.approx(0.5)
