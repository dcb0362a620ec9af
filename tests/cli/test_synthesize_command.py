"""``synthesize``: what is charged, what is written and what is refused, by exit status and sentence."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from synthetic_world import ledger_for, session_file

from curator_gui.cli.main import main
from curator_gui.session import Session
from curator_gui.store import files
from curator_gui.store.ledger import Event, Ledger, open_ledger

Capture = pytest.CaptureFixture[str]
DOMAIN = ("--domain", "domain.json")


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "data"))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """ε 2 in all and 1 a request, for people.csv beside people.curation.json."""
    return ledger_for(Session.load(session_file(tmp_path)), tmp_path)


def synthesize(*arguments: str) -> int:
    return main(["synthesize", "people.curation.json", "--ledger", "ledger.sqlite", *arguments])


def document(capture: Capture) -> dict[str, Any]:
    (line,) = capture.readouterr().out.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def sentence(capture: Capture) -> str:
    (line,) = capture.readouterr().err.strip().splitlines()
    return line


def events(ledger: Ledger) -> list[str]:
    (pool,) = ledger.pools()
    return [e.event for e in ledger.history(pool.id) if e.event not in (Event.CREATE, Event.GRANT)]


def test_a_synthetic_table_is_written_with_its_manifests_and_noted_everywhere(
    ledger: Ledger, tmp_path: Path, capsys: Capture
) -> None:
    status = synthesize(
        "--epsilon", "1", "--interest", "sex,smoker", *DOMAIN, "--rows", "40", "--out", "o.csv", "--json"
    )

    made = document(capsys)
    assert status == 0
    assert made["format"] == "curation-synthesized/1"
    assert made["rows"] == 40
    assert len((tmp_path / "o.csv").read_text("utf-8").splitlines()) == 41
    assert json.loads((tmp_path / "o.csv.manifest.json").read_text("utf-8"))["interest"] == [
        ["sex", "smoker"]
    ]
    assert events(ledger) == [Event.CHARGE, Event.RELEASE]
    assert Session.load(tmp_path / "people.curation.json").record.synthetic[0].entry == made["entry"]
    assert main(["ledger", "audit", "--ledger", "ledger.sqlite", "--against", "o.csv.manifest.json"]) == 0


def test_a_preview_spends_nothing_and_tells_the_errors_to_expect(ledger: Ledger, capsys: Capture) -> None:
    status = synthesize("--epsilon", "1", "--interest", "sex,smoker", *DOMAIN, "--preview", "--json")

    shown = document(capsys)
    assert status == 0
    assert shown["format"] == "curation-synthesis-preview/1"
    assert shown["approved"] == 1
    assert shown["entry"] is None
    assert shown["expected_errors"][0]["columns"] == ["sex", "smoker"]
    assert {m["epsilon"] for m in shown["moves"]} == {0.5, 1.0, 2.0}
    assert events(ledger) == []


def test_a_smaller_approval_spends_nothing_and_exits_with_4(
    ledger: Ledger, tmp_path: Path, capsys: Capture
) -> None:
    status = synthesize("--epsilon", "1.5", *DOMAIN, "--out", "o.csv", "--json")

    captured = capsys.readouterr()
    assert status == 4
    assert "at most 1 a request; 1 would be approved" in json.loads(captured.out)["error"]
    assert not (tmp_path / "o.csv").exists()
    assert Event.CHARGE not in events(ledger)


def test_a_smaller_approval_is_taken_where_that_was_said(ledger: Ledger, capsys: Capture) -> None:
    status = synthesize("--epsilon", "1.5", "--accept-less", *DOMAIN, "--out", "o.csv", "--json")

    assert status == 0
    assert document(capsys)["approved"] == pytest.approx(1)


def test_asking_until_it_is_refused_ends_with_the_reason(tmp_path: Path, capsys: Capture) -> None:
    ledger_for(Session.load(session_file(tmp_path)), tmp_path, total="1.1")
    capsys.readouterr()

    first = synthesize("--epsilon", "1", "--mechanism", "independent", *DOMAIN, "--out", "o.csv")
    capsys.readouterr()
    second = synthesize("--epsilon", "1", "--mechanism", "independent", *DOMAIN, "--out", "p.csv", "--json")

    assert (first, second) == (0, 4)
    assert "is left in" in document(capsys)["error"]


@pytest.mark.parametrize("epsilon", ["nan", "0", "-1", "1e-12", "lots", "inf", ""])
def test_an_epsilon_that_is_none_is_one_sentence(ledger: Ledger, epsilon: str, capsys: Capture) -> None:
    assert synthesize(f"--epsilon={epsilon}", *DOMAIN, "--out", "o.csv") == 2

    assert "ε" in sentence(capsys)
    assert events(ledger) == []


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--interest", "sex,height"), "“height”"),
        (("--interest", "sex,sex"), "different columns"),
        (("--interest", ""), "different columns"),
        (("--mechanism", "magic"), "“magic” is no mechanism"),
        (("--priority", "2"), "from 0 to 1"),
        (("--priority", "nan"), "from 0 to 1"),
        (("--priority", "much"), "from 0 to 1"),
        (("--rows", "0"), "1 or more"),
        (("--columns", "height"), "“height”"),
        (("--key", "person"), "belong together"),
        (("--key", "nobody", "--rows-each", "2"), "“nobody”"),
        (("--key", "person", "--rows-each", "0"), "1 or more"),
        (("--domain", "absent.json"), "no file"),
        (("--between", "age,0"), "a column, its first and its last value"),
        (("--between", "age,0,90"), "no ladder that goes on without end"),
        (("--between", "height,0,90"), "“height”"),
        (("--out", "absent/o.csv"), "folder does not exist"),
        (("--out", "o.sav"), "read and not written"),
        (("--out", "."), "is a folder"),
    ],
)
def test_bad_input_costs_nothing_and_is_one_sentence(
    ledger: Ledger, options: tuple[str, ...], word: str, capsys: Capture
) -> None:
    assert synthesize("--epsilon", "1", "--out", "o.csv", *options) == 2

    assert word in sentence(capsys)
    assert events(ledger) == []


def test_two_ends_declare_what_a_ladder_leaves_open(tmp_path: Path, capsys: Capture) -> None:
    ladder = {"kind": "bins", "levels": [{"width": 30}, "*"]}
    ledger = ledger_for(Session.load(session_file(tmp_path, hierarchies={"age": ladder})), tmp_path)
    choices = ("--columns", "age", "--between", "age,0,90", "--rows", "50", "--out", "o.csv")

    assert synthesize("--epsilon", "1", "--mechanism", "independent", *choices, "--json") == 0

    made = document(capsys)
    manifest = json.loads((tmp_path / made["manifest"]).read_text("utf-8"))
    assert manifest["domains"]["age"]["edges"] == ["0", "30", "60", "90"]
    assert manifest["proposed_from_data"] == []
    assert events(ledger) == [Event.CHARGE, Event.RELEASE]


def test_a_user_without_a_share_is_refused(tmp_path: Path, capsys: Capture) -> None:
    session_file(tmp_path)
    create = "ledger create --ledger ledger.sqlite --data people.csv --epsilon 1 --delta 1e-6 --size 100"
    assert main(["ledger", "init", "--ledger", "ledger.sqlite"]) == 0
    assert main(create.split()) == 0
    capsys.readouterr()

    assert synthesize("--epsilon", "1", *DOMAIN, "--out", "o.csv") == 4

    assert "You have no share of this pool" in sentence(capsys)
    assert events(open_ledger("ledger.sqlite")) == []


def test_a_source_whose_pool_is_another_dataset_s_is_refused(
    ledger: Ledger, tmp_path: Path, capsys: Capture
) -> None:
    text = (tmp_path / "people.csv").read_text("utf-8")
    (tmp_path / "people.csv").write_text(text + "99,F,30,no\n", encoding="utf-8")

    assert synthesize("--epsilon", "1", *DOMAIN, "--out", "o.csv") == 2

    assert "has no pool in the ledger" in sentence(capsys)


def test_a_plan_that_deletes_by_number_is_refused_and_the_source_is_not(
    tmp_path: Path, capsys: Capture
) -> None:
    session = Session.load(session_file(tmp_path, [{"op": "delete", "rows": [2]}]))
    ledger = ledger_for(session, tmp_path)

    assert synthesize("--epsilon", "1", *DOMAIN, "--out", "o.csv") == 2
    assert "Step 1 deletes records by their number" in sentence(capsys)
    assert events(ledger) == []
    assert synthesize("--epsilon", "1", *DOMAIN, "--source", "--preview") == 0


def test_a_full_disk_is_charged_and_the_table_is_kept_where_there_is_room(
    ledger: Ledger, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = os.fsync

    def fail(descriptor: int) -> None:
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")).parent == tmp_path:
            raise OSError(errno.ENOSPC, "No space left on device")
        synced(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc to tell one disk from another")
    monkeypatch.setattr(files.os, "fsync", fail)

    assert synthesize("--epsilon", "1", *DOMAIN, "--out", "o.csv") == 2

    said = capsys.readouterr().err
    (kept,) = (tmp_path / "data" / "curator" / "synthetic").glob("*.csv")
    assert "the disk is full" in said
    assert "stays charged" in said
    assert str(kept) in said
    assert kept.with_name(kept.name + ".manifest.json").exists()
    assert not (tmp_path / "o.csv").exists()
    assert events(ledger) == [Event.CHARGE, Event.RELEASE]


def test_out_is_needed_unless_it_is_a_preview(ledger: Ledger, capsys: Capture) -> None:
    assert synthesize("--epsilon", "1") == 2

    assert "--preview" in sentence(capsys)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_after_the_charge_says_what_it_does_not_give_back(ledger: Ledger, tmp_path: Path) -> None:
    (pool,) = ledger.pools()
    command = [sys.executable, "-c", "from curator_gui.__main__ import main; raise SystemExit(main())"]
    options = ["synthesize", "people.curation.json", "--ledger", "ledger.sqlite", "--epsilon", "1"]
    interest = ["--rows", "3000000", "--source", "--out", "o.csv"]
    running = subprocess.Popen(
        [*command, *options, *interest], stderr=subprocess.PIPE, text=True, start_new_session=True
    )

    deadline = time.monotonic() + 30
    watched = open_ledger(str(tmp_path / "ledger.sqlite"))
    while Event.CHARGE not in events(watched) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=30)

    assert running.returncode == 130
    assert "charged" in said
    assert not (tmp_path / "o.csv").exists()
    assert "Traceback" not in said
    assert pool.id in said
