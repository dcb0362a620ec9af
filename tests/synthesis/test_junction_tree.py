from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from curator_gui.synthesis.beliefs import Layout, Model, calibrate
from curator_gui.synthesis.junction_tree import (
    JunctionTree,
    junction_tree,
    model_cells,
)
from curator_gui.synthesis.sampling import draw_rows, rounded_shares

Floats = NDArray[np.float64]


@st.composite
def structures(draw: Any) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=6)))
    attributes = st.sets(st.integers(0, len(sizes) - 1), min_size=1, max_size=3)
    sets = draw(st.lists(attributes, max_size=8))
    return sizes, [tuple(sorted(s)) for s in sets]


def calibrated(tree: JunctionTree, seed: int, spread: float) -> tuple[Model, float, Floats]:
    """A model of random potentials, its log normalizer, and by brute force the log of the joint table."""
    layout = Layout(tree)
    potentials = np.random.default_rng(seed).normal(size=layout.starts[-1]) * spread
    log_normalizer, marginals, conditionals = calibrate(layout, potentials)
    joint = np.zeros(tree.sizes)
    for i, axes in enumerate(layout.axes):
        joint = joint + layout.clique(potentials, i).transpose([axes.index(a) for a in sorted(axes)]).reshape(
            [n if a in axes else 1 for a, n in enumerate(tree.sizes)]
        )
    return Model(layout, marginals, conditionals), log_normalizer, joint


def summed(joint: Floats, attributes: tuple[int, ...]) -> Floats:
    return joint.sum(axis=tuple(a for a in range(joint.ndim) if a not in attributes))


@given(structures())
def test_every_set_lies_in_a_clique_and_every_attribute_too(structure: Any) -> None:
    sizes, sets = structure

    tree = junction_tree(sizes, sets)

    assert all(tree.home(s) is not None for s in sets)
    assert set().union(*tree.cliques) == set(range(len(sizes)))


@given(structures())
def test_an_attribute_shared_by_two_cliques_lies_in_all_between(structure: Any) -> None:
    tree = junction_tree(*structure)

    for a in range(len(tree.sizes)):
        tops = [
            i
            for i, clique in enumerate(tree.cliques)
            if a in clique and (tree.parents[i] < 0 or a not in tree.cliques[tree.parents[i]])
        ]
        assert len(tops) == 1


@given(structures())
def test_the_size_of_a_model_is_known_before_it_is_built(structure: Any) -> None:
    sizes, sets = structure

    assert model_cells(sizes, sets) == junction_tree(sizes, sets).cells


def test_a_chain_needs_its_pairs_alone() -> None:
    assert model_cells((10,) * 6, [(i, i + 1) for i in range(5)]) == 500


def test_a_cycle_needs_triples() -> None:
    assert model_cells((10,) * 4, [(0, 1), (1, 2), (2, 3), (0, 3)]) == 2000


def test_the_smaller_of_two_triangulations_is_kept() -> None:
    wide = model_cells((100, 2, 2, 100), [(0, 1), (1, 3), (2, 3), (0, 2)])

    assert wide == 2 * (100 * 2 * 2)


@given(structures(), st.integers(0, 99), st.sampled_from([0.1, 3.0, 400.0]))
def test_marginals_of_any_set_equal_brute_force(structure: Any, seed: int, spread: float) -> None:
    model, log_normalizer, joint = calibrated(junction_tree(*structure), seed, spread)
    peak = joint.max()
    probabilities = np.exp(joint - peak) / np.exp(joint - peak).sum()

    sets = [s for k in range(len(structure[0]) + 1) for s in combinations(range(len(structure[0])), k)]
    found = model.all_marginals(sets)

    assert log_normalizer == pytest.approx(peak + np.log(np.exp(joint - peak).sum()), abs=1e-9)
    for s, table in zip(sets, found, strict=True):
        assert table.shape == tuple(structure[0][a] for a in s)
        np.testing.assert_allclose(table, summed(probabilities, s), atol=1e-9)


@given(structures(), st.integers(0, 99), st.integers(1, 400))
def test_rows_follow_every_clique_to_within_rounding(structure: Any, seed: int, rows: int) -> None:
    model, _, _ = calibrated(junction_tree(*structure), seed, 1.0)

    codes = draw_rows(model, rows, np.random.default_rng(seed), lambda: None)

    assert codes.shape == (rows, len(structure[0]))
    assert (codes < np.array(structure[0])).all()
    root = model.layout.tree.cliques[0]
    counts = np.zeros(model.layout.shape(root))
    np.add.at(counts, tuple(codes[:, a] for a in root), 1)
    assert np.abs(counts - rows * model.marginal(root)).max() < 1


def test_rows_of_one_clique_leave_another_independent_of_it() -> None:
    tree = junction_tree((2, 2, 2), [(0, 1), (1, 2)])
    model = Model.uniform(Layout(tree))

    codes = draw_rows(model, 80_000, np.random.default_rng(1), lambda: None)

    cells_ = np.bincount(codes @ np.array([4, 2, 1]), minlength=8)
    assert cells_ == pytest.approx(np.full(8, 10_000), rel=0.05)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_shares_are_rounded_to_within_one_and_keep_their_totals(groups: int, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    table = random.dirichlet(np.full(width, 0.3), groups)
    totals = random.integers(0, 50, groups)

    counts = rounded_shares(table, totals, random)

    assert (counts.sum(axis=1) == totals).all()
    assert (counts >= 0).all()
    assert (np.abs(counts - table * totals[:, None]) < 1 + 1e-9).all()


def test_a_value_that_cannot_be_is_never_drawn() -> None:
    counts = rounded_shares(np.array([[0.0, 1.0, 0.0]] * 200), np.full(200, 3), np.random.default_rng(0))

    assert (counts == [0, 3, 0]).all()


def test_all_states_of_a_tiny_model_sum_to_one() -> None:
    model, _, _ = calibrated(junction_tree((3, 2, 2), [(0, 1), (1, 2)]), 3, 2.0)

    table = model.marginal((0, 1, 2))

    states = [table[state] for state in product(range(3), range(2), range(2))]
    assert sum(states) == pytest.approx(1, abs=1e-12)
