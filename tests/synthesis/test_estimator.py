from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize as reference_minimize

from curator_gui.core.errors import Cancelled
from curator_gui.synthesis.beliefs import Layout, Model
from curator_gui.synthesis.estimator import CONVERGED, LAMBDA, LOOSE, Estimator
from curator_gui.synthesis.interactions import Measurement, MergedMeasurements, centred, subsets
from curator_gui.synthesis.junction_tree import cells, junction_tree
from curator_gui.synthesis.lbfgs import minimize

Floats = NDArray[np.float64]
Set = tuple[int, ...]


def random_table(sizes: tuple[int, ...], total: int, seed: int) -> NDArray[np.int64]:
    random = np.random.default_rng(seed)
    cells_ = random.multinomial(total, random.dirichlet(np.full(np.prod(sizes), 0.4)))
    return cells_.reshape(sizes)


def marginal(table: NDArray[np.int64], s: Set) -> NDArray[np.int64]:
    return table.sum(axis=tuple(a for a in range(table.ndim) if a not in s))


def measured(
    table: NDArray[np.int64], sets: list[Set], sigma: float, seed: int = 0
) -> tuple[MergedMeasurements, list[Measurement]]:
    random = np.random.default_rng(seed)
    merged = MergedMeasurements(table.shape)
    log = []
    for s in sets:
        exact = marginal(table, s).ravel()
        log.append(Measurement(s, exact + np.rint(random.normal(0, sigma, exact.size)).astype(int), sigma))
        merged.add(log[-1])
    return merged, log


def fitted(sizes: tuple[int, ...], sets: list[Set], merged: MergedMeasurements) -> Model:
    return Estimator(lambda: None).fit(Layout(junction_tree(sizes, sets)), merged, CONVERGED)


def squared_error(log: list[Measurement], total: float, joint: Floats) -> float:
    """½·Σ ‖N·M p − y‖²/σ² with every y shifted to the total, which alone no model can change."""
    error = 0.0
    for m in log:
        tables = joint.sum(axis=tuple(a for a in range(joint.ndim) if a not in m.attributes)).ravel()
        values = m.values - m.values.mean() + total / m.values.size
        error += 0.5 * (((total * tables - values) / m.sigma) ** 2).sum()
    return error


def test_exact_marginals_are_fitted_exactly() -> None:
    sizes, sets = (3, 2, 4), [(0, 1), (1, 2)]
    table = random_table(sizes, 10_000, 1)

    model = fitted(sizes, sets, measured(table, sets, sigma=0.01)[0])

    for s in [(0,), (1,), (2,), *sets]:
        np.testing.assert_allclose(model.marginal(s) * 10_000, marginal(table, s), atol=0.01)


def test_what_was_not_measured_is_as_independent_as_it_can_be() -> None:
    sizes, sets = (3, 2, 4), [(0, 1), (1, 2)]
    table = random_table(sizes, 10_000, 2)

    model = fitted(sizes, sets, measured(table, sets, sigma=0.01)[0])

    left, right, middle = (marginal(table, s) / 10_000 for s in ((0, 1), (1, 2), (1,)))
    expected = left[:, :, None] * right[None] / middle[None, :, None]
    np.testing.assert_allclose(model.marginal((0, 1, 2)), expected, atol=1e-4)


@pytest.mark.parametrize("sigma", [0.5, 8.0, 60.0])
def test_the_fit_equals_a_direct_minimization_over_all_cells(sigma: float) -> None:
    sizes: tuple[int, ...] = (2, 3, 2)
    sets: list[Set] = [(0, 1), (1, 2), (0,), (0, 1)]
    merged, log = measured(random_table(sizes, 400, 3), sets, sigma)
    total = max(merged.total or 0.0, 1.0)
    noise = 1 / np.sqrt(max(i.weight for i in merged.interactions))

    def objective(logits: Floats) -> float:
        p = np.exp(logits - logits.max())
        p /= p.sum()
        entropy = -(p * np.log(np.maximum(p, 1e-300))).sum()
        return squared_error(log, total, p.reshape(sizes)) - LAMBDA * total / noise * entropy

    model = fitted(sizes, sets, merged)
    ours = objective(np.log(np.maximum(model.marginal((0, 1, 2)).ravel(), 1e-300)))
    direct = reference_minimize(objective, np.zeros(12), method="L-BFGS-B", options={"ftol": 1e-15})
    p = np.exp(direct.x - direct.x.max()).reshape(sizes)

    assert ours <= direct.fun + 1e-6 * (1 + abs(direct.fun))
    for s in [(0, 1), (1, 2)]:
        theirs = p.sum(axis=tuple({0, 1, 2} - set(s))) / p.sum()
        np.testing.assert_allclose(model.marginal(s), theirs, atol=2e-3)


def test_two_measurements_of_a_marginal_count_by_their_precision() -> None:
    merged = MergedMeasurements((2,))
    merged.add(Measurement((0,), np.array([100, 300]), 1.0))
    merged.add(Measurement((0,), np.array([200, 200]), 3.0))

    assert merged.total == pytest.approx(400)
    assert merged.interactions[0].values == pytest.approx([-90, 90])
    assert merged.interactions[0].weight == pytest.approx(1 + 1 / 9)


def test_the_total_is_the_inverse_variance_mean_of_the_totals() -> None:
    merged = MergedMeasurements((2, 4))
    merged.add(Measurement((0,), np.array([60, 40]), 2.0))
    merged.add(Measurement((1,), np.array([30, 30, 30, 30]), 1.0))

    weights = np.array([1 / (2 * 4), 1 / 4])
    assert merged.total == pytest.approx((weights * [100, 120]).sum() / weights.sum())


def test_interactions_add_up_to_the_marginal_again() -> None:
    table = np.random.default_rng(0).normal(size=(3, 2, 4))

    total = np.zeros(table.shape)
    for s in subsets((0, 1, 2)):
        part = table.sum(axis=tuple(a for a in range(3) if a not in s))
        shape = [n if a in s else 1 for a, n in enumerate(table.shape)]
        total += centred(part, s).reshape(shape) / (table.size / part.size)

    np.testing.assert_allclose(total, table, atol=1e-12)


def test_a_marginal_of_seven_attributes_is_fitted_too() -> None:
    sizes, sets = (2,) * 8, [tuple(range(7)), (6, 7)]
    table = random_table(sizes, 50_000, 4)

    model = fitted(sizes, sets, measured(table, sets, sigma=0.01)[0])

    for s in sets:
        np.testing.assert_allclose(model.marginal(s) * 50_000, marginal(table, s), atol=0.5)


@pytest.mark.parametrize("sigma", [0.05, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("total", [1, 50, 660_000])
def test_a_fit_is_a_distribution_at_any_noise_and_any_size(sigma: float, total: int) -> None:
    sizes = (2, 5, 1, 30)
    sets: list[Set] = [(0, 1), (1, 3), (0, 2)]

    model = fitted(sizes, sets, measured(random_table(sizes, total, 5), sets, sigma)[0])

    for s in combinations(range(4), 2):
        table = model.marginal(s)
        assert np.isfinite(table).all()
        assert table.min() >= 0
        assert table.sum() == pytest.approx(1, abs=1e-9)


def test_a_later_fit_starts_where_the_last_one_ended() -> None:
    sizes, sets = (4, 4, 4), [(0, 1), (1, 2)]
    merged, _ = measured(random_table(sizes, 10_000, 6), sets, 5.0)
    layout = Layout(junction_tree(sizes, sets))
    steps: list[int] = []
    estimator = Estimator(lambda: steps.append(1))

    estimator.fit(layout, merged, CONVERGED)
    cold = len(steps)
    estimator.fit(layout, merged, LOOSE)

    assert len(steps) - cold == 1 < cold


def test_a_fit_ends_when_its_user_cancels() -> None:
    sizes, sets = (4, 4), [(0, 1)]
    merged, _ = measured(random_table(sizes, 100, 7), sets, 5.0)

    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Estimator(cancel).fit(Layout(junction_tree(sizes, sets)), merged, CONVERGED)


def test_the_large_and_the_small_way_to_sum_cliques_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, sets = (3, 4, 5, 2), [(0, 1), (1, 2), (0, 2), (2, 3)]
    merged, _ = measured(random_table(sizes, 5_000, 8), sets, 20.0)

    small = fitted(sizes, sets, merged).marginal((0, 1, 2, 3))
    monkeypatch.setattr("curator_gui.synthesis.estimator._SPARSE_CELLS", 1)
    large = fitted(sizes, sets, merged).marginal((0, 1, 2, 3))

    np.testing.assert_allclose(large, small, atol=1e-9)


def test_lbfgs_finds_the_minimum_of_an_ill_conditioned_bowl() -> None:
    bends = np.geomspace(1e-4, 1, 200)
    goal = np.linspace(-1, 2, 200)

    def bowl(x: Floats) -> tuple[float, Floats]:
        return float(0.5 * (bends * (x - goal) ** 2).sum()), bends * (x - goal)

    found = minimize(bowl, np.zeros(200), tolerance=1e-9, iterations=2000)

    assert np.abs(bowl(found)[1]).max() <= 1e-9


def test_lbfgs_stays_where_the_gradient_is_flat() -> None:
    start = np.array([1.0, 2.0])

    assert (minimize(lambda x: (0.0, np.zeros(2)), start, 1e-6, 100) == start).all()


def test_no_set_has_more_cells_than_its_product() -> None:
    assert cells((3, 4, 5), (0, 2)) == 15
    assert cells((3, 4, 5), ()) == 1
