"""How fast candidates are scored, beside pandas and DuckDB in one run: run this file with Python.

The other sides get their group keys ready-made as integer columns and compute only sizes and secret counts of
the groups; Curator computes the whole report of a candidate. Medians over ``--runs``.
"""

from __future__ import annotations

import argparse
import gc
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from curator_gui.core.hierarchy import Hierarchy
from curator_gui.core.operators import Delete, Generalize, Operator, Project, Select
from curator_gui.core.predicate import parse_predicate
from curator_gui.core.preparation import Source
from curator_gui.core.protection import Protection, Secret, VisibleAttribute
from curator_gui.core.table import Column, ColumnType, Table, as_objects, code_dtype
from curator_gui.core.view import Level, Mapping
from curator_gui.disclosure.candidates import score_candidate
from curator_gui.disclosure.population import resolve
from curator_gui.disclosure.scoring import Scoring
from curator_gui.disclosure.standing import Standing
from curator_gui.disclosure.trajectory import score_prefix

HIGH = {
    "age": 90, "sex": 2, "zip": 900, "ward": 40, "admitted": 1095, "medication": 60, "smoker": 3,
    "insurer": 25, "job": 300, "education": 16, "income": 200, "children": 8, "height": 60,
    "visits": 30, "status": 5,
}  # fmt: skip
LOW = {
    "age": 10, "sex": 2, "zip": 12, "ward": 6, "admitted": 4, "medication": 8, "smoker": 2,
    "insurer": 3, "education": 3, "children": 2, "visits": 3, "status": 2,
}  # fmt: skip


@dataclass(frozen=True)
class World:
    """A coded table with one ladder level a column, two secrets and a prior of three columns."""

    scoring: Scoring
    frame: pd.DataFrame | None
    operators: list[Operator]


def make(rows: int, sizes: dict[str, int], seed: int, correlated: bool, *, framed: bool = True) -> World:
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 400, rows)
    columns: list[Column] = []
    ladders: dict[str, Hierarchy] = {}
    for i, (name, size) in enumerate(sizes.items()):
        noise = rng.integers(0, size, rows)
        # Low: most columns follow a hidden type, so that about 100 000 combinations occur.
        codes = np.where(rng.random(rows) < 0.9, (base * (i + 3)) % size, noise) if correlated else noise
        codes = codes.astype(code_dtype(size))
        values = as_objects([f"{name} {v:04d}" for v in range(size)])
        columns.append(Column(name, codes, values, ColumnType("category")))
        coarse = max(size // 4, 1)
        ladders[name] = Hierarchy(
            "table", (Mapping(tuple((v, f"group {j % coarse}") for j, v in enumerate(values))),)
        )
    source = Source(Table.of(columns), ladders)
    protection = Protection(
        visible=(
            VisibleAttribute("age", Level(1)),
            VisibleAttribute("zip", Level(1)),
            VisibleAttribute("sex"),
        ),
        secrets=(
            Secret("first", parse_predicate("medication = 'medication 0003'")),
            Secret("second", parse_predicate("status = 'status 0001'")),
        ),
        budget=0.5,
    )
    names = list(sizes)
    operators: list[Operator] = [Project((n,)) for n in names] + [Generalize(n, Level(1)) for n in names]
    for i in range(5):
        operators.append(Delete(parse_predicate(f"ward = 'ward {i:04d}'")))
        operators.append(Select(parse_predicate(f"medication <> 'medication {i:04d}'")))
    frame = as_frame(columns) if framed else None
    return World(Scoring(resolve(source, protection)), frame, operators)


def as_frame(columns: list[Column]) -> pd.DataFrame:
    """What pandas and DuckDB get: columns, coarser levels, profile and secrets, all as integers."""
    data = pd.DataFrame({c.name: c.codes for c in columns})
    for column in columns:
        size = len(column.values)
        coarse = max(size // 4, 1)
        data[f"{column.name}_1"] = (np.arange(size) % coarse)[column.codes].astype(code_dtype(coarse))
    data["profile"] = data.groupby(["age_1", "zip_1", "sex"], sort=False).ngroup().astype(np.int32)
    data["first"] = data["medication"] == 3
    data["second"] = data["status"] == 1
    return data


def curator(world: World, operators: list[Operator]) -> float:
    standing = world.scoring.standing(())
    standing.utility  # noqa: B018 - what stands already is not part of a candidate

    def run() -> None:
        fresh = Standing(world.scoring.population, standing.prefix)
        fresh.usefulness = standing.usefulness  # type: ignore[misc]
        start = time.perf_counter()
        for operator in operators:
            score_candidate(fresh, operator)
        spent.append(time.perf_counter() - start)

    spent: list[float] = []
    run()
    return spent[0]


def keys(world: World, operator: Operator) -> list[str]:
    names = [c.name for c in world.scoring.population.source.table.columns]
    if isinstance(operator, Project):
        return ["profile", *(n for n in names if n not in operator.drop)]
    if isinstance(operator, Generalize):
        return ["profile", *(f"{n}_1" if n == operator.column else n for n in names)]
    return ["profile", *names]


def condition(operator: Operator) -> tuple[str, int, bool] | None:
    if isinstance(operator, Delete | Select):
        assert operator.where is not None
        column, _, value = operator.where.text.split(maxsplit=2)
        return column, int(value.strip("'").split()[-1]), isinstance(operator, Delete)
    return None


def with_pandas(world: World, operator: Operator) -> None:
    frame = world.frame
    assert frame is not None
    removed = condition(operator)
    if removed:
        frame = frame[frame[removed[0]] != removed[1]]
    frame.groupby(keys(world, operator), sort=False, observed=True).agg(
        n=("first", "size"), first=("first", "sum"), second=("second", "sum")
    )


def with_duckdb(connection: duckdb.DuckDBPyConnection, world: World, operator: Operator) -> None:
    removed = condition(operator)
    where = f"WHERE {removed[0]} <> {removed[1]}" if removed else ""
    group = ", ".join(keys(world, operator))
    connection.execute(
        f"SELECT max(k1 / n), max(k2 / n) FROM (SELECT count(*) n, sum(first::INT) k1, sum(second::INT) k2 "
        f"FROM t {where} GROUP BY {group})"
    ).fetchall()


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def report(name: str, world: World, runs: int, sample: int) -> None:
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.register("frame", world.frame)
    connection.execute("CREATE TABLE t AS SELECT * FROM frame")
    some = world.operators[:: max(len(world.operators) // sample, 1)]
    ours = [curator(world, world.operators) / len(world.operators) for _ in range(runs)]
    theirs = {
        "pandas": [timed(lambda o=o: with_pandas(world, o)) for o in some],
        "DuckDB": [timed(lambda o=o: with_duckdb(connection, world, o)) for o in some],
    }
    mine = statistics.median(ours)
    print(f"{name}: {len(world.operators)} candidates, {mine * 1000:.1f} ms each")
    for other, spent in theirs.items():
        median = statistics.median(spent)
        print(f"  {other}: {median * 1000:.0f} ms each, {median / mine:.0f} times as long")


def first_ten(world: World, runs: int) -> None:
    """A commit, then the first ten scores, from nothing remembered."""
    spent = []
    for _ in range(runs):
        scoring = Scoring(world.scoring.population)
        scoring.standing(())
        plan = (Project(("status",)),)
        start = time.perf_counter()
        standing = scoring.standing(plan)
        score_prefix(standing)
        after_alpha = time.perf_counter() - start
        left = [o for o in world.operators if o != plan[0]]
        for operator in left[:10]:
            score_candidate(standing, operator)
        spent.append((after_alpha, time.perf_counter() - start))
    alpha, ten = (statistics.median(s[i] for s in spent) * 1000 for i in (0, 1))
    print(f"after a commit: α in {alpha:.0f} ms, the first ten scores in {ten:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--sample", type=int, default=8, help="candidates timed for pandas and DuckDB")
    parser.add_argument("--large", action="store_true", help="also 1e7 rows of the low table")
    options = parser.parse_args()
    world = make(options.rows, HIGH, 1, correlated=False)
    report(f"high, {options.rows} rows × {len(HIGH)} columns", world, options.runs, options.sample)
    first_ten(world, options.runs)
    del world
    gc.collect()
    world = make(options.rows, LOW, 2, correlated=True)
    cells = world.scoring.standing(()).classes.count
    report(
        f"low, {options.rows} rows × {len(LOW)} columns, {cells} cells", world, options.runs, options.sample
    )
    if options.large:
        del world
        gc.collect()
        large(options.runs)


def large(runs: int) -> None:
    """Ten million rows, without pandas beside them; DuckDB answers one query on the same columns."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on (Linux, own process)
    world = make(10_000_000, LOW, 3, correlated=True, framed=False)
    prefix = world.scoring.prefix(())
    population = world.scoring.population
    spent = [timed(lambda: Standing(population, prefix)) for _ in range(runs)]
    each = curator(world, world.operators) / len(world.operators)
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])  # type: ignore[index]
    print(f"1e7 rows: standing in {statistics.median(spent):.2f} s, {each * 1000:.1f} ms a candidate")
    print(f"peak memory of the process {peak / 1e6:.2f} GB")
    table = population.source.table
    frame = as_frame(list(table.columns))
    del world
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.execute("SET enable_progress_bar = false")
    connection.register("frame", frame)
    connection.execute("CREATE TABLE t AS SELECT * FROM frame")
    names = ", ".join(["profile", *table.names[1:]])
    query = f"SELECT max(k) FROM (SELECT sum(first::INT) k, count(*) n FROM t GROUP BY {names})"
    print(f"DuckDB takes {timed(lambda: connection.execute(query).fetchall()):.2f} s for one candidate")


if __name__ == "__main__":
    main()
