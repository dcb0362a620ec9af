"""Run by another Python, one that has mbi: the marginals that mbi fits to noisy ones.

In, as JSON: sizes, total, measurements as [attributes, values, sigma], wanted attribute sets, iterations.
Out: the counts of every wanted set, flat in C order.
"""

from __future__ import annotations

import json
import sys

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_enable_compilation_cache", False)

import mbi  # noqa: E402 - after its precision is set
import numpy as np  # noqa: E402


def main() -> None:
    problem = json.load(sys.stdin)
    names = [f"a{i}" for i in range(len(problem["sizes"]))]
    domain = mbi.Domain(names, problem["sizes"])
    measured = [
        mbi.LinearMeasurement(np.array(values, float), tuple(names[a] for a in attributes), sigma)
        for attributes, values, sigma in problem["measurements"]
    ]
    model = mbi.estimation.MirrorDescent().estimate(
        domain, measured, known_total=problem["total"], iters=problem["iterations"]
    )
    counts = [
        np.asarray(model.project(tuple(names[a] for a in s)).datavector()).tolist() for s in problem["wanted"]
    ]
    json.dump(counts, sys.stdout)


if __name__ == "__main__":
    main()
