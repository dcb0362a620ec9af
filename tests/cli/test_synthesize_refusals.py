"""``synthesize``: what it never replaces, publishes or promises, told before anything is charged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic_world import ledger_for, session_file

from curator_gui.cli import synthesize as synthesize_module
from curator_gui.cli.main import main
from curator_gui.session import Session
from curator_gui.store.ledger import Event, Ledger
from curator_gui.synthesis import read_dictionary
from curator_gui.synthesizing import Made

Capture = pytest.CaptureFixture[str]
CHEAP = ("--epsilon", "0.2", "--mechanism", "independent")
DOMAIN = ("--domain", "domain.json")


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """ε 2 in all and 1 a request, for people.csv beside people.curation.json."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    return ledger_for(Session.load(session_file(tmp_path)), tmp_path)


def synthesize(*arguments: str, ledger: str = "ledger.sqlite") -> int:
    return main(["synthesize", "people.curation.json", "--ledger", ledger, *CHEAP, *arguments])


def charged(ledger: Ledger) -> bool:
    (pool,) = ledger.pools()
    return any(e.event == Event.CHARGE for e in ledger.history(pool.id))


def sentence(capture: Capture) -> str:
    (line,) = capture.readouterr().err.strip().splitlines()
    return line


def document(capture: Capture) -> dict[str, Any]:
    (line,) = capture.readouterr().out.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_a_file_that_is_there_stays_as_it_is(ledger: Ledger, capsys: Capture) -> None:
    Path("o.csv").write_text("mine\n", encoding="utf-8")

    assert synthesize(*DOMAIN, "--out", "o.csv") == 2

    assert "say --replace" in sentence(capsys)
    assert Path("o.csv").read_text("utf-8") == "mine\n"
    assert not charged(ledger)


def test_a_file_that_comes_while_the_table_is_made_stays_and_the_table_is_kept_elsewhere(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    made = synthesize_module.run

    def slow(*arguments: Any) -> Made:
        Path("o.csv").write_text("theirs\n", encoding="utf-8")
        return made(*arguments)

    monkeypatch.setattr(synthesize_module, "run", slow)

    assert synthesize(*DOMAIN, "--out", "o.csv", "--json") == 2

    assert Path("o.csv").read_text("utf-8") == "theirs\n"
    assert Path(document(capsys)["kept"]).read_text("utf-8").startswith("sex,age,smoker\n")
    assert charged(ledger)


def test_a_file_that_is_there_is_replaced_where_that_was_said(capsys: Capture) -> None:
    Path("o.csv").write_text("mine\n", encoding="utf-8")

    assert synthesize(*DOMAIN, "--out", "o.csv", "--replace", "--json") == 0

    assert document(capsys)["replaced"] is True
    assert Path("o.csv").read_text("utf-8").startswith("sex,age,smoker\n")


def test_an_earlier_synthetic_table_cannot_be_made_again_and_stays(capsys: Capture) -> None:
    assert synthesize(*DOMAIN, "--out", "o.csv") == 0
    first = Path("o.csv").read_bytes()
    capsys.readouterr()

    assert synthesize(*DOMAIN, "--out", "o.csv") == 2

    assert Path("o.csv").read_bytes() == first


@pytest.mark.parametrize(
    ("own", "what"),
    [
        ("led.csv", "the ledger"),
        ("domain.csv", "the data dictionary"),
        ("people.csv", "the source table"),
    ],
)
def test_what_the_synthesis_lives_on_is_never_replaced(
    own: str, what: str, ledger: Ledger, capsys: Capture
) -> None:
    Path("ledger.sqlite").rename("led.csv")
    Path("domain.csv").write_text("column,value\nsex,F\nsex,M\n", encoding="utf-8")
    before = Path(own).read_bytes()

    assert synthesize("--domain", "domain.csv", "--out", own, "--replace", ledger="led.csv") == 2

    assert what in sentence(capsys)
    assert Path(own).read_bytes() == before


def test_a_link_to_the_ledger_is_the_ledger(capsys: Capture) -> None:
    Path("o.csv").symlink_to("ledger.sqlite")

    assert synthesize(*DOMAIN, "--out", "o.csv", "--replace") == 2

    assert "the ledger" in sentence(capsys)


def test_another_file_in_the_place_of_the_manifest_stays(ledger: Ledger, capsys: Capture) -> None:
    Path("o.csv.manifest.json").write_text('{"mine": 1}', encoding="utf-8")

    assert synthesize(*DOMAIN, "--out", "o.csv") == 2

    assert "o.csv.manifest.json" in sentence(capsys)
    assert Path("o.csv.manifest.json").read_text("utf-8") == '{"mine": 1}'
    assert not charged(ledger)


@pytest.mark.parametrize("preview", [True, False])
def test_an_identifier_is_refused_with_the_option_that_keeps_it(
    preview: bool, ledger: Ledger, capsys: Capture
) -> None:
    end = ("--preview",) if preview else ("--out", "o.csv")

    assert synthesize("--columns", "sex,person", *end) == 2

    assert "keep it on purpose with --keep-identifier person" in sentence(capsys)
    assert not charged(ledger)


def test_an_identifier_is_synthesized_where_it_is_named_on_purpose(capsys: Capture) -> None:
    status = synthesize("--columns", "sex,person", "--keep-identifier", "person", "--out", "o.csv", "--json")

    made = document(capsys)
    assert status == 0
    assert "The identifier “person” is synthesized on purpose." in made["warnings"]
    assert json.loads(Path(made["internal_manifest"]).read_text("utf-8"))["kept_identifiers"] == ["person"]


def test_a_column_the_session_says_nothing_of_is_told_by_its_name_and_values(capsys: Capture) -> None:
    lines = Path("people.csv").read_text("utf-8").splitlines()
    lines = [f"{line},{'email' if i == 0 else f'p{i}@example.org'}" for i, line in enumerate(lines)]
    Path("people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("data").mkdir()
    ledger_for(Session.load(Path("people.curation.json")), Path("data"))

    assert synthesize("--columns", "sex,email", "--preview", ledger="data/ledger.sqlite") == 2

    assert "--keep-identifier email" in sentence(capsys)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"values": []}, "domain.json.sex.values: No value is listed"),
        ({"values": ["F", "M"], "other": "F"}, "domain.json.sex.other: “F” is among the values"),
        (
            {"dates": ["2020-01-01", "2021-01-01"], "format": "%Q"},
            "domain.json.sex.format: No date is read by",
        ),
    ],
)
def test_a_domain_nothing_fits_is_refused_with_its_place(
    entry: dict[str, Any], words: str, capsys: Capture
) -> None:
    Path("domain.json").write_text(json.dumps({"sex": entry}), encoding="utf-8")

    assert synthesize(*DOMAIN, "--preview") == 2

    assert words in sentence(capsys)


def test_a_listed_value_called_other_is_not_the_rest() -> None:
    domain = read_dictionary({"sex": {"values": ["F", "other"]}})

    (column,) = domain.columns
    decoded = column.decode(np.array([1, 2]), np.random.default_rng())
    assert [decoded.cell(row) for row in (0, 1)] == ["other", "other…"]


@pytest.mark.parametrize("columns", ["", " ", ","])
def test_no_column_is_not_all_of_them(columns: str, capsys: Capture) -> None:
    assert synthesize("--columns", columns, "--preview") == 2

    assert "--columns names no column" in sentence(capsys)


def test_two_ends_of_a_column_that_is_left_out_are_refused(tmp_path: Path, capsys: Capture) -> None:
    session_file(tmp_path, hierarchies={"age": {"kind": "bins", "levels": [{"width": 10, "origin": 0}, "*"]}})

    assert synthesize("--columns", "sex", "--between", "age,0,120", "--preview") == 2

    assert "--between names “age”" in sentence(capsys)


@pytest.mark.parametrize("preview", [True, False])
def test_more_rows_than_fit_into_memory_are_refused_before_they_are_paid_for(
    preview: bool, ledger: Ledger, capsys: Capture
) -> None:
    end = ("--preview",) if preview else ("--out", "o.csv")

    assert synthesize(*DOMAIN, "--rows", "100000000000", *end) == 2

    assert "100,000,000,000 rows would need" in sentence(capsys)
    assert not charged(ledger)
