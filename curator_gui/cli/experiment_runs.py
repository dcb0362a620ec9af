"""The runs of an experiment, kept in a CSV, so that one that was stopped goes on where it ended."""

from __future__ import annotations

import csv
import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, TextIO, get_type_hints

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import FileError
from curator_gui.core.progress import Progress
from curator_gui.store.files import write_atomically
from curator_gui.synthesis import Domain, OpenDPNoise, write_dictionary
from curator_gui.synthesis.experiment import Design, Record, run

NOT_PRIVATE = "not private"

_COLUMNS = (*(f.name for f in fields(Record)), "priority", "privacy", "data")
_TYPES = {k: t for k, t in get_type_hints(Record).items() if t in (int, float)}

Case = tuple[str, float, int, int, int]


class Runs:
    """The runs of an experiment with one β on one table, kept in a CSV and appended as they end.

    data: the table's fingerprint. FileError where the CSV holds something else or runs on another table.
    """

    def __init__(self, path: Path, beta: float, data: str) -> None:
        self.path = path
        self._beta, self._data = beta, data
        self._known = {_case(r): r for r in _read_runs(path, beta, data)}

    def of(self, design: Design) -> list[Record]:
        """Those that belong to a design."""
        wanted = _cases(design)
        return [record for case, record in self._known.items() if case in wanted]

    def add_missing(self, design: Design, domain: Domain, codes: NDArray[Any], progress: Progress) -> None:
        """Run what is not there yet. What interrupts loses the run it falls into, and no other."""
        parts = list(_parts(design))
        with self._appending() as file:
            lines = csv.DictWriter(file, _COLUMNS)
            if file.tell() == 0:
                lines.writeheader()
            for done, part in enumerate(parts):
                if _cases(part) <= self._known.keys():
                    continue
                for record in _records(part, domain, codes, done / len(parts), progress):
                    self._add(record, lines)
                    file.flush()

    def _add(self, record: Record, lines: csv.DictWriter[str]) -> None:
        if _case(record) not in self._known:
            self._known[_case(record)] = record
            lines.writerow({**asdict(record), **self._marks})

    @property
    def _marks(self) -> dict[str, Any]:
        return {"priority": self._beta, "privacy": NOT_PRIVATE, "data": self._data}

    def _appending(self) -> TextIO:
        if self.path.exists() and not (whole := self.path.read_bytes()).endswith(b"\n"):
            write_atomically(self.path, whole[: whole.rfind(b"\n") + 1])  # a line that a crash cut short
        return self.path.open("a", encoding="utf-8", newline="")


def _read_runs(path: Path, beta: float, data: str) -> list[Record]:
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if None not in r.values()]
        others = {r["data"] for r in rows} - {data}
        records = [
            Record(**{f.name: _TYPES.get(f.name, str)(r[f.name]) for f in fields(Record)})
            for r in rows
            if float(r["priority"]) == beta
        ]
    except (OSError, KeyError, ValueError):
        raise FileError(
            f"“{path}” does not hold the runs of an experiment; move it away or choose another folder."
        ) from None
    if others:
        raise FileError(
            f"“{path}” holds the runs on another table or data dictionary; choose another folder with --out."
        )
    return records


def _case(record: Record) -> Case:
    return record.mechanism, record.epsilon, record.length, record.round, record.seed


def _cases(design: Design) -> set[Case]:
    points = product(design.mechanisms, design.epsilons, design.lengths, range(design.rounds), design.seeds)
    return set(points)


def _parts(design: Design) -> Iterator[Design]:
    """One mechanism at one point with one seed: what is run, or skipped, as a whole."""
    points = product(design.seeds, design.epsilons, design.lengths, design.mechanisms)
    for seed, epsilon, length, mechanism in points:
        yield replace(design, seeds=(seed,), epsilons=(epsilon,), lengths=(length,), mechanisms=(mechanism,))


def _records(
    part: Design, domain: Domain, codes: NDArray[Any], done: float, progress: Progress
) -> Iterator[Record]:
    def told(_: float, what: str) -> None:
        progress(done, f"seed {part.seeds[0]}, {part.mechanisms[0]}: {what}")

    # The noise takes no seed: the seed of a run draws its interest queries and nothing else.
    return run(part, domain.names, domain.sizes, codes, lambda _: OpenDPNoise(), time.perf_counter, told)


def fingerprint(domain: Domain, codes: NDArray[Any]) -> str:
    """What tells the runs of one table and data dictionary from those of another."""
    content = hashlib.sha256(json.dumps(write_dictionary(domain)).encode())
    content.update(np.ascontiguousarray(codes, np.int64).tobytes())
    return content.hexdigest()[:16]
