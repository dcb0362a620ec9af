"""``release`` as a process: signals, closed and full streams, several at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from worlds import paper_session, safe_session, write_session

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and streams of POSIX")

COMMAND = (sys.executable, "-c", "import sys; from curator_gui.__main__ import main; sys.exit(main())")
IGNORING = (
    sys.executable,
    "-c",
    "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    "from curator_gui.__main__ import main; sys.exit(main())",
)


def run(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], text=True, timeout=60, check=False, **options)


def lone_session(folder: Path) -> Path:
    """One whose release has nothing to warn of."""
    protection = {"visible": [], "secrets": [{"name": "HIV", "where": "diag = 'HIV'"}], "budget": 9}
    plan = [{"op": "project", "drop": ["diag"]}]
    return write_session(folder, paper_session(plan=plan, protection=protection))


def large_session(folder: Path) -> Path:
    """One whose release takes a second or more."""
    table = "age,sex,zip,med,diag\n" + "".join(
        f"{i % 90},{'FM'[i % 2]},{90000 + i % 9973},m{i % 89},d{i % 7}\n" for i in range(400_000)
    )
    protection = {"visible": [{"column": "sex"}], "secrets": [], "budget": 9}
    return write_session(folder, paper_session(plan=[], protection=protection), table)


def has_bytes(folder: Path) -> bool:
    """Whether a temporary file in the folder holds something; one may go away while it is looked at."""
    with suppress(FileNotFoundError):
        return any(p.stat().st_size for p in folder.glob(".curator-*"))
    return False


def interrupted_while_writing(
    folder: Path, number: int, command: tuple[str, ...] = COMMAND
) -> tuple[int, str]:
    """Exit status and stderr of a release that got a signal while its temporary file was there."""
    arguments = [*command, "release", str(large_session(folder)), "--out", str(folder / "out.csv")]
    running = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not has_bytes(folder) and time.monotonic() < deadline:
        time.sleep(0.002)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    return running.returncode, said


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_a_release_in_one_sentence_and_leaves_nothing(
    number: int, status: int, tmp_path: Path
) -> None:
    before = {"people.csv", "people.curation.json"}

    returned, said = interrupted_while_writing(tmp_path, number)

    assert (returned, said) == (status, "curator-gui: Interrupted; nothing was written.\n")
    assert {p.name for p in tmp_path.iterdir()} == before


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    returned, said = interrupted_while_writing(tmp_path, signal.SIGHUP, IGNORING)

    assert returned == 0, said
    assert (tmp_path / "out.csv").exists()


def test_what_a_killed_release_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    returned, _ = interrupted_while_writing(tmp_path, signal.SIGKILL)
    assert returned == -signal.SIGKILL
    assert list(tmp_path.glob(".curator-*"))

    assert run("release", safe_session(tmp_path), "--out", tmp_path / "out.csv").returncode == 0

    assert not list(tmp_path.glob(".curator-*"))


def test_ctrl_c_while_the_program_is_loaded_gives_no_traceback(tmp_path: Path) -> None:
    session = safe_session(tmp_path)

    for delay in (0.05, 0.15, 0.3):
        running = subprocess.Popen(
            [*COMMAND, "score", str(session)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        time.sleep(delay)  # the moment is what is tried; whatever it meets has to be quiet
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)

        # What happens before the program's own first line is not its own to tell.
        assert "Traceback" not in said or "in main" not in said


def test_of_eight_releases_at_once_every_one_is_recorded(tmp_path: Path) -> None:
    session = safe_session(tmp_path)
    outs = [tmp_path / f"out{i}.csv" for i in range(8)]

    running = [
        subprocess.Popen([*COMMAND, "release", str(session), "--out", str(out)], stdout=subprocess.DEVNULL)
        for out in outs
    ]

    assert [process.wait(timeout=120) for process in running] == [0] * 8
    saved = json.loads(session.read_text("utf-8"))
    assert sorted(r["file"] for r in saved["releases"]) == [out.name for out in outs]
    assert saved["exposed"] == [4]
    assert not list(tmp_path.glob(".curator-*"))


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_a_full_stdout_is_one_sentence_that_says_what_was_released(option: list[str], tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    out = tmp_path / "out.csv"

    with full.open("w") as stdout:
        done = run(
            "release", safe_session(tmp_path), "--out", out, *option, stdout=stdout, stderr=subprocess.PIPE
        )

    assert done.returncode == 2
    assert done.stderr.endswith(
        f"curator-gui: “{out}” was released, but what to say of it could not be (no space left on device); "
        "send it to another place.\n"
    )
    assert out.exists()


@pytest.mark.parametrize("command", [["score"], ["score", "--json"], ["release", "--out", "o.csv"]])
def test_a_reader_that_goes_away_ends_a_command_quietly(command: list[str], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = run(*command, lone_session(tmp_path), stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path)

    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
    assert (tmp_path / "o.csv").exists() == ("release" in command)


def test_help_for_a_reader_that_goes_away_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = run("--help", stdout=writing, stderr=subprocess.PIPE)

    os.close(writing)
    assert done.stderr == ""


def test_a_reader_that_goes_away_before_an_error_is_told_leaves_the_sentence_alone(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = run("score", tmp_path / "absent.json", "--json", stdout=writing, stderr=subprocess.PIPE)

    os.close(writing)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_full_stderr_stops_no_release(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")

    with full.open("w") as stderr:
        done = run(
            "release",
            safe_session(tmp_path),
            "--out",
            tmp_path / "out.csv",
            stderr=stderr,
            stdout=subprocess.PIPE,
        )

    assert done.returncode == 0
    assert (tmp_path / "out.csv").exists()


def test_closed_streams_stop_no_release_and_no_file_takes_their_place(tmp_path: Path) -> None:
    session, out = safe_session(tmp_path), tmp_path / "out.csv"
    shell = f'exec "$0" -c "$1" release "{session}" --out "{out}" <&- >&- 2>&-'

    done = subprocess.run(["sh", "-c", shell, *COMMAND[::2]], timeout=60, check=False)

    assert done.returncode == 0
    assert out.read_text("utf-8").startswith("age,sex,zip\n")
