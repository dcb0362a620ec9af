"""``release`` and ``apply``: what is written, what is refused, and what stays as it was."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from worlds import PAPER, REFRESHED, paper_session, refreshed_session, safe_session, write_session

from curator_gui.cli.main import main
from curator_gui.store import files

Capture = pytest.CaptureFixture[str]


def sentence(capture: Capture) -> str:
    lines = capture.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    return lines[0]


def test_a_release_holds_the_curated_table_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"

    assert main(["release", str(safe_session(tmp_path)), "--out", str(out)]) == 0

    assert out.read_text("utf-8") == (
        'age,sex,zip\n"[30, 40)",F,926\n"[30, 40)",F,926\n"[30, 40)",F,926\n"[40, 50)",M,926\n'
    )
    assert stat.S_IMODE(out.stat().st_mode) == 0o644


def test_the_external_manifest_gives_nothing_of_the_source_away(tmp_path: Path) -> None:
    session, out = safe_session(tmp_path), tmp_path / "out.csv"
    main(["release", str(session), "--out", str(out)])

    text = (tmp_path / "out.csv.manifest.json").read_text("utf-8")

    manifest = json.loads(text)
    assert manifest["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert manifest["columns"][2] == {"name": "zip", "view": "3 characters"}
    assert hashlib.sha256((tmp_path / "people.csv").read_bytes()).hexdigest() not in text
    assert not {"rows", "alpha", "alphas", "plan", "budget"} & set(manifest)
    assert "HIV" not in text


def test_the_internal_manifest_is_for_its_owner_alone(tmp_path: Path) -> None:
    session = safe_session(tmp_path)
    main(["release", str(session), "--out", str(tmp_path / "out.csv")])

    (internal,) = tmp_path.glob("*.internal.json")

    assert stat.S_IMODE(internal.stat().st_mode) == 0o600
    assert json.loads(internal.read_text("utf-8"))["alphas"][-1] == 0


def test_a_release_is_recorded_in_its_session(tmp_path: Path) -> None:
    session = safe_session(tmp_path)
    main(["release", str(session), "--out", str(tmp_path / "out.csv")])

    saved: dict[str, Any] = json.loads(session.read_text("utf-8"))

    assert saved["exposed"] == [4]
    assert saved["releases"][0]["file"] == "out.csv"
    assert saved["last_scored"]["alphas"][-1] == 0
    assert stat.S_IMODE(session.stat().st_mode) == 0o600


def test_over_budget_nothing_is_written_without_a_reason(tmp_path: Path, capsys: Capture) -> None:
    session, out = write_session(tmp_path, paper_session()), tmp_path / "out.csv"

    assert main(["release", str(session), "--out", str(out)]) == 3
    assert "above the budget" in sentence(capsys)
    assert not out.exists()


def test_a_reason_to_release_over_budget_is_recorded(tmp_path: Path) -> None:
    session, out = write_session(tmp_path, paper_session()), tmp_path / "out.csv"

    assert main(["release", str(session), "--out", str(out), "--over-budget", "court order"]) == 0

    (internal,) = tmp_path.glob("*.internal.json")
    assert json.loads(internal.read_text("utf-8"))["over_budget_reason"] == "court order"


def test_an_identifier_blocks_a_release_until_it_is_kept_by_name(tmp_path: Path, capsys: Capture) -> None:
    plan = [{"op": "project", "drop": ["diag", "med", "zip", "age"]}]
    columns = {"age": {"type": "integer"}, "sex": {"role": "identifier"}}
    session = write_session(tmp_path, paper_session(plan=plan, columns=columns))
    arguments = ["release", str(session), "--out", str(tmp_path / "out.csv")]

    assert main(arguments) == 2
    assert "identifier “sex”" in sentence(capsys)
    assert main([*arguments, "--keep-identifier", "sex"]) == 0


def test_no_rows_left_is_no_release(tmp_path: Path, capsys: Capture) -> None:
    plan = [{"op": "delete", "where": "age > 0"}]
    session = write_session(tmp_path, paper_session(plan=plan))

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 2
    assert "No record is left" in sentence(capsys)


def test_a_byte_corrupted_on_its_way_is_caught_and_the_old_file_stays(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, out = safe_session(tmp_path), tmp_path / "out.csv"
    out.write_text("the old file", encoding="utf-8")
    prepare = files.TemporaryFile.prepare

    def corrupted(self: files.TemporaryFile, **arguments: Any) -> None:
        written = self.path.read_bytes()
        self.path.write_bytes(written.replace(b"F,926", b"F,927", 1))
        prepare(self, **arguments)

    monkeypatch.setattr(files.TemporaryFile, "prepare", corrupted)

    assert main(["release", str(session), "--out", str(out), "--replace"]) == 2
    assert "“out.csv” did not read back" in sentence(capsys)
    assert out.read_text("utf-8") == "the old file"
    assert not list(tmp_path.glob(".curator-*"))


@pytest.mark.parametrize("place", ["absent/out.csv", "people.csv/out.csv", "."])
def test_a_place_that_cannot_be_written_is_refused(place: str, tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert main(["release", str(session), "--out", str(tmp_path / place)]) == 2
    sentence(capsys)


@pytest.mark.parametrize(
    ("number", "word"), [(errno.ENOSPC, "full"), (errno.EACCES, "may not"), (errno.EROFS, "may not")]
)
def test_a_failing_disk_is_one_sentence_and_leaves_nothing(
    number: int, word: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, out = safe_session(tmp_path), tmp_path / "out.csv"

    def fail(descriptor: int) -> None:
        raise OSError(number, "as the disk says")

    monkeypatch.setattr(files.os, "fsync", fail)

    assert main(["release", str(session), "--out", str(out)]) == 2
    assert word in sentence(capsys)
    assert not out.exists()
    assert not list(tmp_path.glob(".curator-*"))


def test_a_really_full_disk_is_one_sentence(tmp_path: Path, capsys: Capture) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    session = safe_session(tmp_path)

    assert main(["release", str(session), "--out", str(full / "out.csv")]) == 2
    sentence(capsys)


def test_a_plan_on_refreshed_data_is_blocked_with_the_records_that_moved_the_prior(
    tmp_path: Path, capsys: Capture
) -> None:
    session, new = refreshed_session(tmp_path)
    out = tmp_path / "out.csv"

    status = main(["apply", str(session), "--data", str(new), "--out", str(out)])

    said = capsys.readouterr().err
    assert status == 3
    assert not out.exists()
    assert (
        "Record 3, without the secret, is not among the look-alikes: step 5 of the plan removed it." in said
    )
    assert "Record 3 is new" in said


def test_the_same_plan_on_the_old_data_is_released(tmp_path: Path) -> None:
    session, _ = refreshed_session(tmp_path)
    old = tmp_path / "old.csv"
    old.write_text(REFRESHED["before"], encoding="utf-8")

    assert main(["apply", str(session), "--data", str(old), "--out", str(tmp_path / "out.csv")]) == 0


def test_the_order_of_the_source_is_kept_only_on_request(tmp_path: Path) -> None:
    table = PAPER.replace("34,F,92617,ART,HIV\n", "")
    plan = [{"op": "project", "drop": ["diag", "med", "zip"]}]
    protection = {"visible": [], "secrets": [], "budget": 0}
    session = write_session(tmp_path, paper_session(plan=plan, protection=protection), table)
    out = tmp_path / "out.csv"

    main(["release", str(session), "--out", str(out)])
    assert out.read_text().splitlines()[1:] == ["31,F", "37,F", "45,M"]
    main(["release", str(session), "--out", str(out), "--keep-order"])
    assert out.read_text().splitlines()[1:] == ["37,F", "31,F", "45,M"]


@pytest.mark.parametrize("command", ["score", "candidates", "release", "apply", "demo"])
def test_wrong_usage_exits_with_2(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--no-such-option"])

    assert ended.value.code == 2


def test_every_exposed_prefix_counts_where_the_session_says_so(tmp_path: Path, capsys: Capture) -> None:
    plan = [*paper_session()["plan"], {"op": "project", "drop": ["med"]}]
    session = write_session(tmp_path, paper_session(plan=plan, exposed=[1], reading="every-exposed"))

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 3
    assert "0.405" in sentence(capsys)


@pytest.mark.parametrize("own", ["people.csv", "people.curation.json", "link.csv"])
def test_the_source_and_the_session_are_never_written_over(own: str, tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)
    (tmp_path / "link.csv").symlink_to(tmp_path / "people.csv")

    assert main(["release", str(session), "--out", str(tmp_path / own)]) == 2
    assert "another name" in sentence(capsys)
    assert (tmp_path / "people.csv").read_text("utf-8") == PAPER


def test_a_device_is_never_replaced(tmp_path: Path, capsys: Capture) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)

    assert main(["release", str(safe_session(tmp_path)), "--out", str(pipe)]) == 2
    assert "device" in sentence(capsys)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "out.csv"
    link.symlink_to(tmp_path / "elsewhere" / "real.csv")

    assert main(["release", str(safe_session(tmp_path)), "--out", str(link)]) == 0
    assert link.is_symlink()
    assert (tmp_path / "elsewhere" / "real.csv").exists()


@pytest.mark.parametrize("name", ["x" * 300 + ".csv", "nul\0.csv"])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["release", str(safe_session(tmp_path)), "--out", str(tmp_path / name)]) == 2
    sentence(capsys)


# --- what is told, and what is asked for ---


def test_a_refusal_names_the_option_that_resolves_it(tmp_path: Path, capsys: Capture) -> None:
    over = write_session(tmp_path, paper_session())
    main(["release", str(over), "--out", str(tmp_path / "out.csv")])
    assert "--over-budget REASON" in sentence(capsys)

    named = paper_session(columns={"age": {"type": "integer"}, "sex": {"role": "identifier"}})
    kept = write_session(tmp_path, named)
    main(["release", str(kept), "--out", str(tmp_path / "out.csv")])
    assert "--keep-identifier sex" in sentence(capsys)


def test_an_identifier_the_session_says_nothing_of_blocks_a_release(tmp_path: Path, capsys: Capture) -> None:
    table = "email,diag\n" + "".join(f"p{i}@example.org,Flu\n" for i in range(30))
    protection: dict[str, Any] = {"visible": [], "secrets": [], "budget": 0}
    session = write_session(tmp_path, paper_session(plan=[], columns={}, protection=protection), table)
    arguments = ["release", str(session), "--out", str(tmp_path / "out.csv")]

    assert main(arguments) == 2
    assert "identifier “email”" in sentence(capsys)
    assert main([*arguments, "--keep-identifier", "email"]) == 0
    assert "The identifier “email” is released on purpose." in capsys.readouterr().err


def test_a_column_the_session_calls_ordinary_blocks_nothing(tmp_path: Path) -> None:
    table = "email,diag\n" + "".join(f"p{i}@example.org,Flu\n" for i in range(30))
    protection: dict[str, Any] = {"visible": [], "secrets": [], "budget": 0}
    columns = {"email": {"role": "ordinary"}}
    session = write_session(tmp_path, paper_session(plan=[], columns=columns, protection=protection), table)

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 0


def test_steps_after_the_position_are_not_released_and_that_is_told(tmp_path: Path, capsys: Capture) -> None:
    session = write_session(tmp_path, paper_session(position=1))

    main(["release", str(session), "--out", str(tmp_path / "o.csv"), "--over-budget", "a test", "--json"])

    said = capsys.readouterr()
    told = "The session stands at step 1 of 3; the later 2 steps are not in the release."
    assert f"curator-gui: {told}" in said.err
    assert told in json.loads(said.out)["warnings"]
    assert (tmp_path / "o.csv").read_text("utf-8").startswith("age,sex,zip,med\n31,F,92612,None\n")


def test_what_is_wrong_with_the_protection_is_told(tmp_path: Path, capsys: Capture) -> None:
    secrets = [{"name": "HIV", "where": "diag = 'hiv'"}]
    protection = paper_session()["protection"] | {"secrets": secrets}
    session = write_session(tmp_path, paper_session(protection=protection))

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 0

    assert "No record has the secret “HIV”" in capsys.readouterr().err
    (internal,) = tmp_path.glob("*.internal.json")
    assert "No record has the secret" in internal.read_text("utf-8")


def test_a_release_without_a_secret_says_that_nothing_was_scored(tmp_path: Path, capsys: Capture) -> None:
    protection: dict[str, Any] = {"visible": [], "secrets": [], "budget": 0}
    session = write_session(tmp_path, paper_session(protection=protection))

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 0

    assert "No secret is declared" in capsys.readouterr().err


def test_the_session_file_is_said_to_be_updated(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    main(["release", str(session), "--out", str(tmp_path / "out.csv")])

    assert f"The session {session} was updated" in capsys.readouterr().out


def test_a_file_that_is_no_release_is_replaced_only_on_request(tmp_path: Path, capsys: Capture) -> None:
    session, out = safe_session(tmp_path), tmp_path / "out.csv"
    out.write_text("somebody's work", encoding="utf-8")
    arguments = ["release", str(session), "--out", str(out)]

    assert main(arguments) == 2
    assert "--replace" in sentence(capsys)
    assert out.read_text("utf-8") == "somebody's work"
    assert main([*arguments, "--replace"]) == 0
    assert "in the place of the file that was there" in capsys.readouterr().out


def test_an_earlier_release_is_replaced_and_that_is_told(tmp_path: Path, capsys: Capture) -> None:
    arguments = ["release", str(safe_session(tmp_path)), "--out", str(tmp_path / "out.csv"), "--json"]
    main(arguments)
    assert json.loads(capsys.readouterr().out)["replaced"] is False

    assert main(arguments) == 0

    assert json.loads(capsys.readouterr().out)["replaced"] is True


def test_a_release_that_was_edited_since_is_somebodys_work(tmp_path: Path, capsys: Capture) -> None:
    arguments = ["release", str(safe_session(tmp_path)), "--out", str(tmp_path / "out.csv")]
    main(arguments)
    capsys.readouterr()
    with (tmp_path / "out.csv").open("a", encoding="utf-8") as released:
        released.write("x,y,z\n")

    assert main(arguments) == 2
    assert "--replace" in sentence(capsys)


@pytest.mark.parametrize("suffix", [".gz", ".zip", ".json", ".pdf", ".csv.bak"])
def test_a_suffix_that_is_no_format_is_refused(suffix: str, tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert main(["release", str(session), "--out", str(tmp_path / f"out{suffix}")]) == 2

    assert "choose .csv, .tsv, .parquet" in sentence(capsys)
    assert {p.name for p in tmp_path.iterdir()} == {"people.csv", "people.curation.json"}


HOSTILE = "\x1b[31mred\nnext\u202eline\u2028.csv"


def test_no_control_character_of_a_name_reaches_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    session = safe_session(tmp_path)

    assert main(["release", str(session), "--out", str(tmp_path / HOSTILE)]) == 0
    said = capsys.readouterr()
    assert main(["release", str(tmp_path / HOSTILE), "--out", str(tmp_path / "out.csv")]) == 2
    said_of_error = sentence(capsys)

    assert r"\x1b[31mred\nnext\u202eline\u2028.csv" in said.out
    assert r"\x1b[31mred\nnext\u202eline\u2028.csv" in said_of_error
    assert not {"\x1b", "\u202e", "\u2028"} & set(said.out + said.err + said_of_error)


def test_no_control_character_of_an_argument_reaches_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["release", "s.json", "--out", "o.csv", f"--no-such{HOSTILE}"])

    said = capsys.readouterr().err
    assert r"--no-such\x1b[31mred\nnext" in said
    assert "\x1b" not in said


def test_no_control_character_of_a_header_reaches_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    columns = {"age": {"type": "integer"}, "se\x1bx": {"role": "identifier"}}
    protection: dict[str, Any] = {"visible": [], "secrets": [], "budget": 0}
    table = PAPER.replace("sex", "se\x1bx", 1)
    session = write_session(tmp_path, paper_session(columns=columns, protection=protection), table)

    assert main(["release", str(session), "--out", str(tmp_path / "out.csv")]) == 2

    assert r"identifier “se\x1bx”" in sentence(capsys)
