"""``ledger``, as a person types it: through the parser, to the exit status and the one JSON document."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from curator_gui.cli import ledger
from curator_gui.cli.output import Output
from curator_gui.core.errors import CuratorError
from curator_gui.store.ledger import Request, content_digest, open_ledger
from curator_gui.store.ledger_place import default_ledger
from curator_gui.store.readers import CsvDialect, detect_dialect, read_csv
from curator_gui.store.writers import OutColumn, write_table

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    Path("clinic.csv").write_text("name,zip\nAnn,02139\nBob,10001\n", encoding="utf-8")


def run(*arguments: str) -> int:
    """What main does, without the other commands; an error becomes its exit status."""
    parser = argparse.ArgumentParser()
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true")
    ledger.register(parser.add_subparsers(), common)
    parsed = parser.parse_args(["ledger", *arguments])
    output = Output(parsed.json)
    try:
        status: int = parsed.run(parsed, output)
    except CuratorError as error:
        output.error(str(error))
        return error.exit_status
    return status


def document(capture: Capture, *arguments: str) -> dict[str, Any]:
    capture.readouterr()
    run(*arguments, "--json")
    (line,) = capture.readouterr().out.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


@pytest.fixture
def pool(capsys: Capture) -> str:
    """A ρ-pool of ε 1 for clinic.csv, in which this account has a share of 0.8, 0.5 a request."""
    assert run("init") == 0
    created = document(
        capsys, "create", "--data", "clinic.csv", "--epsilon", "1", "--delta", "1e-9", "--size", "1000"
    )
    id = str(created["pool"])
    assert run("grant", id, "--user", me(), "--total", "0.8", "--per-request", "0.5") == 0
    capsys.readouterr()
    return id


def me() -> str:
    return open_ledger(str(default())).user


def default() -> Path:
    return default_ledger(Path.home(), {"XDG_DATA_HOME": "data", "LOCALAPPDATA": "data"}, sys.platform)


def charge(pool: str, epsilon: str) -> dict[str, Any]:
    """An anchor of a charge, as a manifest keeps it."""
    content = content_digest(read_csv(Path("clinic.csv"), detect_dialect(Path("clinic.csv"))).table)
    return dict(open_ledger(str(default())).charge(Request.of(pool, content, epsilon)).anchor())


def test_a_ledger_is_made_where_nobody_says_where(capsys: Capture) -> None:
    assert run("init") == 0
    assert run("init") == 0

    assert default().exists()
    assert "The ledger is at" in capsys.readouterr().out


def test_a_pool_is_created_once_for_a_dataset(pool: str, capsys: Capture) -> None:
    Path("resaved.csv").write_text("zip;name\r\n10001;Bob\r\n2139;Ann\r\n", encoding="utf-8")
    asked = ("create", "--data", "resaved.csv", "--epsilon", "1", "--delta", "1e-9", "--size", "1000")

    assert run(*asked) == 2
    assert "already has a pool" in capsys.readouterr().err


def test_a_preview_names_what_would_be_approved_and_what_binds(pool: str, capsys: Capture) -> None:
    preview = document(capsys, "preview", "--data", "clinic.csv", "--epsilon", "0.8", "--accept-less")

    assert (preview["requested"], preview["approved"], preview["bound"], preview["limit"]) == (
        0.8,
        0.5,
        "per-request",
        0.5,
    )
    assert preview["rho_units"] == 3_953_191_141_216
    assert preview["proven_loss"] == 0.5
    assert preview["entry"] is None
    assert document(capsys, "list")["pools"][0]["left"] == 1.0


def test_a_preview_of_a_smaller_approval_that_is_not_accepted_exits_with_4(
    pool: str, capsys: Capture
) -> None:
    assert run("preview", "--pool", pool, "--epsilon", "0.8") == 4
    assert "0.5 would be approved" in capsys.readouterr().out
    assert run("preview", "--pool", pool, "--epsilon", "0.8", "--accept-less") == 0


def test_a_list_shows_pools_and_a_pools_history(pool: str, capsys: Capture) -> None:
    charge(pool, "0.5")

    listed = document(capsys, "list", pool)

    assert [entry["event"] for entry in listed["entries"]] == ["create", "grant", "charge"]
    assert listed["entries"][-1]["approved"] == 0.5
    assert listed["users"] == [{"user": me(), "per_request": 0.5, "total": 0.8, "left": 0.610584682}]
    assert run("list") == run("list", pool) == 0
    assert "ε 0.5 of 0.5 asked, bound by none" in capsys.readouterr().out


def test_an_audit_without_anchors_says_that_the_tail_cannot_be_proven(pool: str, capsys: Capture) -> None:
    assert run("audit") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "consistent; the tail cannot be proven"


def test_an_audit_against_a_manifest_finds_a_release_nobody_charged(pool: str, capsys: Capture) -> None:
    anchor = charge(pool, "0.1")
    Path("good.json").write_text(json.dumps({"ledger": anchor}), encoding="utf-8")
    Path("bad.json").write_text(json.dumps({"ledger": {**anchor, "entry": 9}}), encoding="utf-8")

    assert run("audit", "--against", "good.json") == 0
    assert document(capsys, "audit", "--against", "good.json")["pools"][0]["proven"] == 3
    assert run("audit", "--against", "good.json", "bad.json") == 4
    assert "bad.json names entry 9" in capsys.readouterr().out


def test_a_file_that_names_no_entry_is_skipped_by_name(pool: str, capsys: Capture) -> None:
    Path("good.json").write_text(json.dumps({"ledger": charge(pool, "0.1")}), encoding="utf-8")
    Path("curated.json").write_text('{"format": "curation-release/1"}', encoding="utf-8")

    audit = document(capsys, "audit", "--against", "good.json", "curated.json")
    assert audit["consistent"]
    assert audit["skipped"] == ["curated.json"]
    assert audit["pools"][0]["proven"] == 3

    assert run("audit", "--against", "curated.json") == 0
    assert "“curated.json” names no ledger entry and was skipped." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (("--total", "5"), "--total ε 5 is more than the pool's ε 1"),
        (("--total", "0.1", "--per-request", "0.5"), "--per-request ε 0.5 is more than the total of ε 0.1"),
    ],
)
def test_a_share_nobody_could_use_is_refused(
    limits: tuple[str, ...], words: str, pool: str, capsys: Capture
) -> None:
    assert run("grant", pool, "--user", "ada", *limits) == 2

    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("delta", "words"), [("1e-400", "--delta 1e-400 is too near to 0"), ("small", "--delta is “small”")]
)
def test_a_delta_that_is_none_is_said_as_it_was_typed(delta: str, words: str, capsys: Capture) -> None:
    assert run("init") == 0

    options = ("--data", "clinic.csv", "--epsilon", "1", "--size", "1000", "--delta", delta)
    assert run("create", *options) == 2

    assert words in capsys.readouterr().err


def test_a_refused_preview_speaks_of_what_is_left_now(pool: str, capsys: Capture) -> None:
    assert run("preview", "--pool", pool, "--epsilon", "0.6") == 4

    assert "Left: 1 in the dataset's pool" in capsys.readouterr().out


def test_the_same_records_in_another_format_have_the_same_pool(pool: str, capsys: Capture) -> None:
    table = read_csv(Path("clinic.csv"), detect_dialect(Path("clinic.csv"))).table
    columns = [OutColumn(c.name, c.codes, tuple(c.values), c.type) for c in table.columns]
    write_table(Path("clinic.parquet"), "parquet", columns, CsvDialect())

    assert document(capsys, "preview", "--data", "clinic.parquet", "--epsilon", "0.1")["pool"] == pool


def test_a_changed_source_is_attached_to_its_pool(pool: str) -> None:
    Path("later.csv").write_text("name,zip\nAnn,02139\nBob,10001\nEve,60601\n", encoding="utf-8")

    assert run("preview", "--data", "later.csv", "--epsilon", "0.1") == 2
    assert run("attach", pool, "--data", "later.csv") == 0
    assert run("preview", "--data", "later.csv", "--epsilon", "0.1") == 0


@pytest.mark.parametrize("epsilon", ["nan", "0", "-1", "1e-12", "much"])
def test_what_is_no_epsilon_exits_with_2_and_one_sentence(pool: str, capsys: Capture, epsilon: str) -> None:
    assert run("preview", "--pool", pool, f"--epsilon={epsilon}") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_without_a_ledger_one_sentence_says_how_to_get_one(capsys: Capture) -> None:
    assert run("list") == 2
    assert "ledger init" in capsys.readouterr().err


def test_a_user_without_a_share_exits_with_4(capsys: Capture) -> None:
    run("init")
    created = document(
        capsys, "create", "--data", "clinic.csv", "--epsilon", "1", "--delta", "1e-9", "--size", "1000"
    )

    assert run("preview", "--pool", created["pool"], "--epsilon", "0.1") == 4


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("linux", {}, "/home/ada/.local/share/curator/ledger.sqlite"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/curator/ledger.sqlite"),
        ("darwin", {}, "/home/ada/Library/Application Support/curator/ledger.sqlite"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/curator/ledger.sqlite"),
    ],
)
def test_the_default_place_is_the_systems_own(platform: str, environment: dict[str, str], place: str) -> None:
    assert default_ledger(Path("/home/ada"), environment, platform) == Path(place)


def test_the_command_line_starts_without_sqlalchemy() -> None:
    import subprocess

    code = "import sys, curator_gui.cli.ledger; sys.exit('sqlalchemy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
