"""``experiments``: every run in a CSV, gone on with where it ended, and nothing of it taken for private."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from synthetic_world import table_text

from curator_gui.cli import experiment_runs, experiments
from curator_gui.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three columns, so three pairs; two lengths and two budgets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
    monkeypatch.setattr(experiments, "LENGTHS", (1, 2))
    monkeypatch.setattr(experiments, "EPSILONS", (1.0, 2.0))
    monkeypatch.setattr(experiments, "RELEASES", 2)
    Path("people.csv").write_text(table_text(), encoding="utf-8")
    domain = {
        "sex": {"values": ["F", "M"], "missing": False},
        "age": {"edges": [0, 30, 60, 90], "missing": False},
        "smoker": {"values": ["no", "yes"], "missing": False},
    }
    Path("domain.json").write_text(json.dumps(domain), encoding="utf-8")


def experiment(name: str, *options: str) -> int:
    files = ("--data", "people.csv", "--domain", "domain.json", "--out", "out")
    return main(["experiments", name, *files, "--seeds", "2", "--length", "1", *options])


def runs(name: str) -> list[dict[str, str]]:
    with (Path("out") / f"{name}-runs.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_without_the_word_that_the_data_is_public_nothing_runs(capsys: Capture) -> None:
    assert experiment("len") == 2

    assert "--public-data" in capsys.readouterr().err
    assert not Path("out").exists()


def test_each_run_is_a_line_with_its_errors_and_is_marked_not_private(capsys: Capture) -> None:
    assert experiment("bgt", "--public-data", "--json") == 0

    lines = runs("bgt")
    assert len(lines) == 2 * 2 * 5
    assert {line["privacy"] for line in lines} == {"not private"}
    expected = {"mechanism", "epsilon", "length", "round", "seed", "interest_error", "workload_error"}
    assert {*expected, "seconds", "rho_spent"} <= set(lines[0])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["privacy"] == "not private"
    baseline = [line for line in document["summary"] if line["mechanism"] == "aim"]
    assert {line["interest_ratio"] for line in baseline} == {1.0}
    assert sorted(p.name for p in Path("out").iterdir()) == [
        "bgt-errors.png",
        "bgt-runs.csv",
        "bgt-seconds.png",
        "bgt-summary.csv",
    ]


def test_a_second_time_goes_on_where_the_first_ended(capsys: Capture) -> None:
    experiment("len", "--public-data", "--seeds", "1")
    first = Path("out/len-runs.csv").read_bytes()
    Path("out/len-runs.csv").write_bytes(first[:-20])  # as if the program had died in the last line

    assert experiment("len", "--public-data") == 0

    lines = runs("len")
    assert len(lines) == 2 * 5
    assert Path("out/len-runs.csv").read_bytes().startswith(first[: first[:-20].rfind(b"\n")])
    assert len({(line["mechanism"], line["seed"]) for line in lines}) == 10


def test_an_interrupted_experiment_keeps_what_it_has(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = experiment_runs._records
    begun: list[object] = []

    def interrupted(*arguments: Any) -> Any:
        if len(begun) == 3:
            raise KeyboardInterrupt
        begun.append(arguments)
        return begin(*arguments)

    monkeypatch.setattr(experiment_runs, "_records", interrupted)

    assert experiment("len", "--public-data") == 130

    assert "goes on from there" in capsys.readouterr().err
    assert len(runs("len")) == 3


def test_several_releases_have_queries_of_their_own(capsys: Capture) -> None:
    assert experiment("mul", "--public-data", "--seeds", "1") == 0

    assert {line["round"] for line in runs("mul")} == {"0", "1"}
    assert {line["epsilon"] for line in runs("mul")} == {"0.2"}


def test_length_is_varied_unless_one_is_given(capsys: Capture) -> None:
    arguments = ["experiments", "len", "--data", "people.csv", "--domain", "domain.json", "--out", "out"]

    assert main([*arguments, "--seeds", "1", "--public-data"]) == 0

    assert {line["length"] for line in runs("len")} == {"1", "2"}


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--seeds", "0"), "1 or more"),
        (("--length", "0"), "1 or more"),
        (("--length", "4"), "3 columns make 3 pairs"),
        (("--beta", "2"), "from 0 to 1"),
        (("--data", "absent.csv"), "absent.csv"),
        (("--domain", "absent.json"), "no file “absent.json”"),
    ],
)
def test_bad_input_is_one_sentence(options: tuple[str, ...], word: str, capsys: Capture) -> None:
    assert experiment("len", "--public-data", *options) == 2

    (line,) = capsys.readouterr().err.strip().splitlines()
    assert word in line


def test_a_file_that_holds_something_else_is_left_alone(capsys: Capture) -> None:
    Path("out").mkdir()
    Path("out/len-runs.csv").write_text("a,b\n1,2\n", encoding="utf-8")

    assert experiment("len", "--public-data") == 2

    assert Path("out/len-runs.csv").read_text("utf-8") == "a,b\n1,2\n"


def test_the_runs_on_another_table_are_no_runs_on_this_one(capsys: Capture) -> None:
    assert experiment("len", "--public-data") == 0
    before = runs("len")
    Path("people.csv").write_text(table_text(50), encoding="utf-8")
    capsys.readouterr()

    assert experiment("len", "--public-data") == 2

    assert "on another table or data dictionary" in capsys.readouterr().err
    assert runs("len") == before


def test_no_more_queries_are_drawn_than_there_are_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "LENGTHS", (2, 5, 10))
    arguments = ["experiments", "len", "--data", "people.csv", "--domain", "domain.json", "--out", "out"]

    assert main([*arguments, "--seeds", "1", "--public-data"]) == 0

    assert {line["length"] for line in runs("len")} == {"2", "3"}
