"""``experiments``: CuSyn's comparisons of mechanisms, repeated on public data. Nothing of it is private."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass, replace
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_gui.cli.experiment_figures import draw_figures
from curator_gui.cli.experiment_runs import NOT_PRIVATE, Runs, fingerprint
from curator_gui.cli.output import Output
from curator_gui.core.errors import InputError
from curator_gui.core.table import quoted
from curator_gui.store.files import write_atomically, write_error
from curator_gui.store.readers import detect_reader, read_table
from curator_gui.synthesis import Domain, Mechanism
from curator_gui.synthesis.experiment import Design, Ratio, Record, paired_ratio
from curator_gui.synthesizing import read_domain_file

MECHANISMS: tuple[Mechanism, ...] = ("aim", "mwem", "cusyn-aim", "cusyn-aim-last", "cusyn-mwem")
BASELINE: Mechanism = "aim"
DELTA = 1e-9
INTERRUPTED = 130

LENGTH = 10
LENGTHS = (5, 10, 15)
EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0)
RELEASES = 5
RELEASE_EPSILON = 0.2

_VARIES = {"len": "length", "bgt": "epsilon", "mul": "round"}


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the family."""
    family = subparsers.add_parser("experiments", help="the synthesis paper's experiments, on public data")
    actions = family.add_subparsers(dest="experiment", metavar="EXPERIMENT", required=True)
    for name, words in (
        ("len", "how the error depends on the number of interest queries"),
        ("bgt", "how it depends on ε"),
        ("mul", "several releases, each with interest queries of its own"),
    ):
        parser = actions.add_parser(name, parents=[common], help=words)
        _add_options(parser)
        parser.set_defaults(run=run_experiments)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--domain", type=Path, required=True, metavar="FILE", help="a data dictionary")
    parser.add_argument("--seeds", type=int, required=True, metavar="N", help="of the interest queries")
    parser.add_argument("--beta", type=float, default=0.3, metavar="B", help="the interest queries' share")
    parser.add_argument(
        "--length",
        type=int,
        metavar="L",
        help=f"so many interest queries; by default {LENGTH}, or for len all",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--public-data", action="store_true", help="the data is public: no ledger is charged")


@dataclass(frozen=True)
class Cell:
    """All seeds of one mechanism at one point of an experiment: medians, and ratios to the baseline."""

    mechanism: Mechanism
    epsilon: float
    length: int
    round: int
    runs: int
    interest_error: float
    workload_error: float
    seconds: float
    interest_ratio: Ratio
    workload_ratio: Ratio


def run_experiments(arguments: argparse.Namespace, output: Output) -> int:
    """Run what is not in the CSV yet, then summarize and draw all that is."""
    if not arguments.public_data:
        raise InputError(
            "An experiment looks at the rows and charges no ledger, so it is for public data alone; "
            "say that it is with --public-data."
        )
    domain = read_domain_file(arguments.domain)
    design = design_of(arguments, len(domain.names))
    codes = _codes(arguments.data, domain, output)
    name = arguments.experiment
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(arguments.out, error) from None
    runs = Runs(arguments.out / f"{name}-runs.csv", arguments.beta, fingerprint(domain, codes))
    status = _add_missing(runs, design, domain, codes, output)
    found = runs.of(design)
    cells = summarized(found)
    if cells:
        _write_summary(arguments.out / f"{name}-summary.csv", cells)
        draw_figures(arguments.out, name, found, _VARIES[name])
    _report(arguments.out, name, cells, len(found), output)
    return status


def _add_missing(runs: Runs, design: Design, domain: Domain, codes: NDArray[Any], output: Output) -> int:
    try:
        runs.add_missing(design, domain, codes, output.progress)
    except OSError as error:
        raise write_error(runs.path, error) from None
    except KeyboardInterrupt:
        output.error(
            f"Interrupted; the runs so far are in {runs.path}, and the same command goes on from there."
        )
        return INTERRUPTED
    return 0


def design_of(arguments: argparse.Namespace, columns: int) -> Design:
    """What an experiment varies: L at ε = 1; ε at L; or five releases of ε = 0.2 each.

    So many columns have a limited number of pairs; a length that was not asked for is at most that.
    """
    if arguments.seeds < 1:
        raise InputError(f"--seeds is {arguments.seeds}; give 1 or more.")
    if arguments.length is not None and arguments.length < 1:
        raise InputError(f"--length is {arguments.length}; give 1 or more.")
    pairs = comb(columns, 2)
    if pairs == 0:
        raise InputError("The domain names one column; an experiment compares pairs, so give two or more.")
    if arguments.length is not None and arguments.length > pairs:
        raise InputError(
            f"--length is {arguments.length}, and {columns} columns make {pairs} pairs; give at most that."
        )
    if not 0 <= arguments.beta <= 1:
        raise InputError(f"--beta is {arguments.beta}; give a number from 0 to 1.")
    one = (min(LENGTH, pairs) if arguments.length is None else arguments.length,)
    base = Design(
        MECHANISMS, (1.0,), one, tuple(range(arguments.seeds)), DELTA, options={"priority": arguments.beta}
    )
    match arguments.experiment:
        case "len":
            return replace(base, lengths=_lengths(pairs) if arguments.length is None else one)
        case "bgt":
            return replace(base, epsilons=EPSILONS)
    return replace(base, epsilons=(RELEASE_EPSILON,), rounds=RELEASES)


def _lengths(pairs: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(min(length, pairs) for length in LENGTHS))


def _codes(path: Path, domain: Domain, output: Output) -> NDArray[Any]:
    table = read_table(path, detect_reader(path), output.progress).table
    absent = [n for n in domain.names if n not in table]
    if absent:
        raise InputError(f"The domain names {quoted(absent)}, which “{path.name}” does not have.")
    return np.asarray(domain.encode(table))


def summarized(records: list[Record]) -> list[Cell]:
    """A line for each mechanism at each point, of those seeds that the baseline has too."""
    cells = []
    for epsilon, length, number in sorted({(r.epsilon, r.length, r.round) for r in records}):
        here = [r for r in records if (r.epsilon, r.length, r.round) == (epsilon, length, number)]
        based = {r.seed for r in here if r.mechanism == BASELINE}
        paired = [r for r in here if r.seed in based]
        for mechanism in MECHANISMS:
            own = [r for r in paired if r.mechanism == mechanism]
            if own:
                cells.append(_cell(mechanism, own, paired))
    return cells


def _cell(mechanism: Mechanism, own: list[Record], paired: list[Record]) -> Cell:
    interest_error, workload_error, seconds = (
        float(np.median([getattr(r, key) for r in own])) for key in _MEDIANS
    )
    interest, workload = (
        paired_ratio(paired, mechanism, BASELINE, error)
        for error in (lambda r: r.interest_error, lambda r: r.workload_error)
    )
    first = own[0]
    return Cell(
        mechanism,
        first.epsilon,
        first.length,
        first.round,
        len(own),
        interest_error,
        workload_error,
        seconds,
        interest,
        workload,
    )


_MEDIANS = ("interest_error", "workload_error", "seconds")


def _write_summary(path: Path, cells: list[Cell]) -> None:
    lines = [_flat(cell) for cell in cells]
    header = list(lines[0])
    rows = [header, *([str(line[key]) for key in header] for line in lines)]
    write_atomically(path, "".join(",".join(row) + "\n" for row in rows).encode())


def _flat(cell: Cell) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for key, value in asdict(cell).items():
        if isinstance(value, dict):
            line |= {key: value["median"], f"{key}_low": value["low"], f"{key}_high": value["high"]}
        else:
            line[key] = value
    return line | {"privacy": NOT_PRIVATE}


def _report(folder: Path, name: str, cells: list[Cell], runs: int, output: Output) -> None:
    output.document(
        {
            "format": "curation-experiment/1",
            "experiment": name,
            "privacy": NOT_PRIVATE,
            "folder": str(folder),
            "runs": runs,
            "summary": [_flat(c) for c in cells],
        }
    )
    output.say(f"{runs} runs, {NOT_PRIVATE}, in {folder}. Errors relative to {BASELINE}, medians of pairs:")
    output.say(f"{'mechanism':<15} {'ε':>5} {'L':>3} {'round':>5}  {'interest':<19} {'workload':<19} seconds")
    for c in cells:
        ratios = [f"{r.median:.2f} [{r.low:.2f}, {r.high:.2f}]" for r in (c.interest_ratio, c.workload_ratio)]
        output.say(
            f"{c.mechanism:<15} {c.epsilon:>5g} {c.length:>3} {c.round:>5}  {ratios[0]:<19} {ratios[1]:<19} "
            f"{c.seconds:.1f}"
        )
