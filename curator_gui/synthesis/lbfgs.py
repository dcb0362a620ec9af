"""L-BFGS for smooth convex functions (Nocedal and Wright, "Numerical optimization", algorithm 7.4).

Ours because a library's calls a threaded linear algebra for matrices of twenty rows at each step: on
problems of this size its threads take five times as long to wait for each other as one needs for the work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Function = Callable[[Floats], tuple[float, Floats]]

_MEMORY = 20
_MEMORY_CELLS = 100_000
_LEAST_MEMORY = 5
_STILL = 3
_DECREASE = 1e-4
_CURVATURE = 0.9
_TRIALS = 40
_ROUNDING = 1e-13


def minimize(function: Function, start: Floats, tolerance: Floats | float, iterations: int) -> Floats:
    """A point where no entry of the gradient passes its tolerance, or the best after so many iterations.

    function: value and gradient at [n] numbers. It also ends where no entry has moved by more than its
    tolerance in three steps together, as on the way to a minimum at infinity, or where rounding hides any
    decrease.
    """
    point, (value, gradient) = start, function(start)
    kept = min(max(_MEMORY_CELLS // (start.size + 1), _LEAST_MEMORY), _MEMORY)
    memory: deque[tuple[Floats, Floats, float]] = deque(maxlen=kept)
    still = 0
    for _ in range(iterations):
        if still == _STILL or (np.abs(gradient) <= tolerance).all():
            break
        direction = _direction(gradient, memory)
        found = _search(function, point, value, gradient, direction)
        if found is None:
            break
        step, value, new_gradient = found
        change, bend = step * direction, new_gradient - gradient
        curvature = float(change @ bend)
        if curvature > _ROUNDING * float(bend @ bend):
            memory.append((change, bend, 1 / curvature))
        still = still + 1 if (np.abs(bend) <= tolerance / _STILL).all() else 0
        point, gradient = point + change, new_gradient
    return point


def _direction(gradient: Floats, memory: deque[tuple[Floats, Floats, float]]) -> Floats:
    """−H·gradient, H the approximate inverse Hessian of the last steps."""
    direction = -gradient
    kept = []
    for change, bend, inverse in reversed(memory):
        share = inverse * float(change @ direction)
        direction -= share * bend
        kept.append(share)
    if memory:
        _, bend, inverse = memory[-1]
        direction /= inverse * float(bend @ bend)
    for (change, bend, inverse), share in zip(memory, reversed(kept), strict=True):
        direction += (share - inverse * float(bend @ direction)) * change
    return direction


def _search(
    function: Function, point: Floats, value: float, gradient: Floats, direction: Floats
) -> tuple[float, float, Floats] | None:
    """A step, and value and gradient there, under the weak Wolfe conditions; by doubling, then halving.

    Where values agree to rounding the slope decides (Hager and Zhang 2005, the approximate Wolfe condition).
    """
    slope = float(gradient @ direction)
    low, high, step = 0.0, np.inf, 1.0
    for _ in range(_TRIALS):
        new_value, new_gradient = function(point + step * direction)
        new_slope = float(new_gradient @ direction)
        level = new_value <= value + _ROUNDING * abs(value) and new_slope <= -slope
        if not (new_value <= value + _DECREASE * step * slope or level):
            high = step
        elif new_slope < _CURVATURE * slope:
            low = step
        else:
            return step, new_value, new_gradient
        step = (low + high) / 2 if high < np.inf else 2 * low
    return None
