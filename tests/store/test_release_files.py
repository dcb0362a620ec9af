"""A release is put in place as a whole or not at all, and stays recorded whoever has the session open."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from worlds import PAPER, paper_session, safe_session, write_session

from curator_gui.core.errors import FileError, OverBudgetError
from curator_gui.session import Session
from curator_gui.store import files
from curator_gui.store.files import temporary_beside, write_atomically
from curator_gui.store.locking import held
from curator_gui.store.session_file import read_session


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def stopping_at(number: int, error: BaseException) -> Callable[[Path, Path], None]:
    """``os.replace`` that raises the number-th time, from 1, and works again afterwards."""
    calls: list[Path] = []
    replace_file = os.replace

    def stopping(old: Path, new: Path) -> None:
        calls.append(new)
        if len(calls) == number:
            raise error
        replace_file(old, new)

    return stopping


@pytest.mark.parametrize("error", [KeyboardInterrupt(), PermissionError(13, "not permitted")])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("again", [False, True])
def test_what_stops_a_release_between_its_files_leaves_every_file_as_it_was(
    number: int, error: BaseException, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session.load(safe_session(tmp_path))
    if again:
        session.release(tmp_path / "out.csv", save=True)
        session.go_to(3)
    before = contents(tmp_path)
    monkeypatch.setattr(files.os, "replace", stopping_at(number, error))

    with pytest.raises((KeyboardInterrupt, FileError)):
        session.release(tmp_path / "out.csv", over_budget="a test", save=True)

    assert contents(tmp_path) == before


def test_an_interruption_after_the_last_file_leaves_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session.load(safe_session(tmp_path))
    replace_file = os.replace

    def interrupted(old: Path, new: Path) -> None:
        replace_file(old, new)
        if new.name == "out.csv":
            raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupted)

    with pytest.raises(KeyboardInterrupt):
        session.release(tmp_path / "out.csv", save=True)

    assert {"out.csv", "out.csv.manifest.json"} <= set(contents(tmp_path))
    assert list(tmp_path.glob("*.internal.json"))
    assert json.loads((tmp_path / "people.curation.json").read_text())["releases"][0]["file"] == "out.csv"


def test_the_table_gets_its_name_after_all_that_records_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session.load(safe_session(tmp_path))
    named: list[str] = []
    replace_file = os.replace

    def noted(old: Path, new: Path) -> None:
        named.append(new.name)
        replace_file(old, new)

    monkeypatch.setattr(files.os, "replace", noted)
    session.release(tmp_path / "out.csv", save=True)

    assert named[-1] == "out.csv"
    assert len(named) == 4


def refused(session: Session, out: Path, word: str) -> None:
    """The release is refused with a sentence, and nothing but what was there is there."""
    before = contents(out.parent)
    with pytest.raises(FileError, match=word):
        session.release(out, save=True)
    assert contents(out.parent) == before


def test_a_manifest_that_cannot_be_written_leaves_no_table(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    (tmp_path / "out.csv.manifest.json").mkdir()

    refused(session, tmp_path / "out.csv", "is a folder")


def test_a_name_too_long_for_its_manifest_leaves_no_table(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))

    refused(session, tmp_path / ("x" * 250 + ".csv"), "name")


def test_a_name_too_long_for_the_curators_own_manifest_leaves_no_table(tmp_path: Path) -> None:
    long = safe_session(tmp_path).rename(tmp_path / ("s" * 200 + ".curation.json"))

    refused(Session.load(long), tmp_path / ("x" * 100 + ".csv"), "shorter name")


@pytest.mark.skipif(os.name != "posix", reason="names of bytes")
def test_a_name_that_no_manifest_can_hold_leaves_no_table(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))

    refused(session, Path(os.fsdecode(bytes(tmp_path) + b"/\xff.csv")), "no name for a file")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_session_in_a_folder_that_is_read_only_leaves_no_table(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    session = Session.load(safe_session(folder))
    folder.chmod(0o500)

    refused(session, tmp_path / "out.csv", "stays with you")
    folder.chmod(0o700)


@pytest.mark.parametrize("own", ["people.csv", "people.curation.json"])
def test_a_manifest_never_replaces_the_source_or_the_session(own: str, tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    (tmp_path / "out.csv.manifest.json").symlink_to(tmp_path / own)

    refused(session, tmp_path / "out.csv", "choose another name")


def test_the_own_manifest_never_replaces_the_source(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    once = Session.load(safe_session(tmp_path / "a")).release(tmp_path / "a" / "out.csv")
    assert once.internal_path is not None
    session = Session.load(safe_session(tmp_path))
    (tmp_path / once.internal_path.name).symlink_to(tmp_path / "people.csv")

    refused(session, tmp_path / "out.csv", "choose another name")


def test_a_manifest_never_replaces_its_table(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    (tmp_path / "out.csv.manifest.json").symlink_to(tmp_path / "out.csv")

    with pytest.raises(FileError, match="another name"):
        session.release(tmp_path / "out.csv", save=True)
    assert not (tmp_path / "out.csv").exists()


def test_a_new_file_never_replaces_one_that_appeared_while_it_was_written(tmp_path: Path) -> None:
    session, out = Session.load(safe_session(tmp_path)), tmp_path / "out.csv"

    def appears(done: float, what: str) -> None:
        out.write_text("precious")

    with pytest.raises(FileError, match="is there by now"):
        session.release(out, new=True, progress=appears)
    assert out.read_text() == "precious"
    assert not session.record.releases


# --- several programs with the same session ---


def test_a_release_made_meanwhile_survives_the_saving_of_the_session(tmp_path: Path) -> None:
    path = safe_session(tmp_path)
    opened, other = Session.load(path), Session.load(path)
    other.release(tmp_path / "out.csv", save=True)

    opened.go_to(2)
    opened.save(path)

    saved = read_session(path)
    assert [r.file for r in saved.releases] == ["out.csv"]
    assert saved.exposed == (4,)
    assert saved.position == 2
    assert not opened.modified


def test_a_release_keeps_what_was_saved_meanwhile(tmp_path: Path) -> None:
    path = safe_session(tmp_path)
    session, window = Session.load(path), Session.load(path)
    window.go_to(2)
    window.set_weight("age", 3)
    window.save(path)

    session.release(tmp_path / "out.csv", save=True)

    saved = read_session(path)
    assert (saved.position, saved.weights["age"]) == (2, 3)
    assert [r.file for r in saved.releases] == ["out.csv"]


def test_a_session_saved_over_another_one_takes_nothing_of_it_over(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = safe_session(tmp_path / "other")
    Session.load(other).release(tmp_path / "out.csv", save=True)

    Session.load(safe_session(tmp_path)).save(other)

    assert read_session(other).releases == ()


def test_a_release_made_meanwhile_counts_for_the_accumulating_observer(tmp_path: Path) -> None:
    protection = paper_session()["protection"] | {"observer": {"kind": "accumulating"}}
    steps = [{"op": "project", "drop": ["diag", "age", "zip"]}, {"op": "project", "drop": ["med"]}]
    path = write_session(tmp_path, paper_session(protection=protection, plan=steps, reading="endpoint"))
    session, other = Session.load(path), Session.load(path)
    assert session.snapshot().standing().feasible
    other.go_to(1)
    other.release(tmp_path / "first.csv", over_budget="a test", save=True)

    with pytest.raises(OverBudgetError):
        session.release(tmp_path / "out.csv", save=True)

    assert not (tmp_path / "out.csv").exists()


def test_a_file_is_held_by_one_at_a_time_even_when_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "counter"
    path.write_text("0")

    def count() -> None:
        for _ in range(20):
            with held(path):
                write_atomically(path, str(int(path.read_text()) + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert path.read_text() == "80"


# --- what is left behind ---


def test_a_temporary_file_that_nobody_writes_is_removed_and_a_living_one_stays(tmp_path: Path) -> None:
    (tmp_path / ".curator-dead.tmp").write_text("secret")

    with temporary_beside(tmp_path / "a") as living:
        write_atomically(tmp_path / "b", b"b")

        assert {p.name for p in tmp_path.iterdir()} == {"b", living.path.name}


def test_a_link_named_like_a_temporary_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PAPER)
    (tmp_path / ".curator-link.tmp").symlink_to(tmp_path / "people.csv")

    write_atomically(tmp_path / "b", b"b")

    assert (tmp_path / "people.csv").read_text() == PAPER
    assert (tmp_path / ".curator-link.tmp").is_symlink()


def test_a_release_of_the_source_as_it_is_says_that_its_hash_is_the_sources(tmp_path: Path) -> None:
    session = Session.load(write_session(tmp_path, paper_session(plan=[])))

    released = session.release(tmp_path / "out.csv", keep_order=True, over_budget="a test")

    assert any("byte for byte" in w for w in released.warnings)
    assert released.manifest["warnings"] == list(released.warnings)


def test_a_release_that_changed_something_does_not_say_so(tmp_path: Path) -> None:
    released = Session.load(safe_session(tmp_path)).release(tmp_path / "out.csv")

    assert not any("byte for byte" in w for w in released.warnings)


def test_a_session_unlike_the_file_is_still_unsaved_after_its_release(tmp_path: Path) -> None:
    path = safe_session(tmp_path)
    session = Session.load(path)
    session.set_weight("age", 3)

    session.release(tmp_path / "out.csv", save=True)

    assert session.modified
    assert replace(session.record, weights={}) == session.saved_record


def test_a_session_whose_file_is_gone_can_be_released_all_the_same(tmp_path: Path) -> None:
    path = safe_session(tmp_path)
    session = Session.load(path)
    path.unlink()

    session.release(tmp_path / "out.csv")

    assert (tmp_path / "out.csv").exists()


def test_a_file_of_the_manifests_name_that_is_no_manifest_is_kept(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    (tmp_path / "out.csv.manifest.json").write_text('{"precious": 1}', encoding="utf-8")

    refused(session, tmp_path / "out.csv", "is no manifest of “out.csv”")


def test_a_manifest_of_an_earlier_release_is_replaced_with_it(tmp_path: Path) -> None:
    session = Session.load(safe_session(tmp_path))
    first = session.release(tmp_path / "out.csv")

    again = session.release(tmp_path / "out.csv", byte_order_mark=True)

    assert first.sha256 != again.sha256
    assert again.sha256 in again.external_path.read_text("utf-8")
