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
    assert "Record 3 is not in the set: step 5 of the plan removed it." in said
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
