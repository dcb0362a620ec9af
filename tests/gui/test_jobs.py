"""Work in threads reports, is cancelled, and never delivers what nobody waits for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from curator_gui.core.errors import InputError
from curator_gui.gui.jobs import Job, Jobs, sentence_of


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def start(jobs: Jobs, work: Any, kind: str = "test", **callbacks: Any) -> Job:
    usual: dict[str, Any] = {"done": lambda _: None, "failed": lambda _: None}
    return jobs.start("Testing", work, kind=kind, **(usual | callbacks))


def test_a_result_arrives_in_the_thread_of_the_window(jobs: Jobs, qtbot: QtBot) -> None:
    found: list[tuple[Any, threading.Thread]] = []

    start(jobs, lambda _: 42, done=lambda result: found.append((result, threading.current_thread())))

    qtbot.waitUntil(lambda: bool(found))
    assert found == [(42, threading.main_thread())]


def test_parts_arrive_in_order_and_before_the_result(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[Any] = []

    def work(job: Job) -> str:
        for i in range(100):
            job.give(i)
        return "end"

    start(jobs, work, part=heard.extend, done=heard.append)

    qtbot.waitUntil(lambda: "end" in heard)
    assert heard == [*range(100), "end"]


def test_a_refusal_arrives_as_its_sentence(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[str] = []

    def work(_: Job) -> None:
        raise InputError("The column is not there; choose another.")

    start(jobs, work, failed=heard.append)

    qtbot.waitUntil(lambda: bool(heard))
    assert heard == ["The column is not there; choose another."]


def test_a_defect_arrives_without_its_values(
    jobs: Jobs, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    def work(_: Job) -> None:
        raise ValueError("diagnosis of record 7 is HIV")

    start(jobs, work, failed=heard.append)

    qtbot.waitUntil(lambda: bool(heard))
    assert "HIV" not in heard[0]
    assert "HIV" not in caplog.text
    assert "ValueError" in caplog.text


def test_a_cancelled_job_ends_and_delivers_nothing(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[Any] = []
    begun = Event()

    def work(job: Job) -> None:
        begun.set()
        while True:
            job(0.5, "turning")

    job = start(jobs, work, done=heard.append, failed=heard.append)
    assert begun.wait(5)
    jobs.cancel()

    qtbot.waitUntil(job.ended.is_set)
    jobs.collect()
    assert heard == []
    assert jobs.running == ()


def test_a_new_job_of_a_kind_replaces_the_older_one(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[str] = []
    free = Event()

    def slow(job: Job) -> str:
        free.wait(5)
        return "old"

    start(jobs, slow, done=heard.append)
    start(jobs, lambda _: "new", done=heard.append)
    free.set()

    qtbot.waitUntil(lambda: "new" in heard)
    jobs.close()
    jobs.collect()
    assert heard == ["new"]


def test_closing_waits_for_every_thread(jobs: Jobs) -> None:
    def work(job: Job) -> None:
        while True:
            job(0.1, "turning")

    started = [start(jobs, work, kind=str(i)) for i in range(3)]
    jobs.close()

    assert all(job.thread is not None and not job.thread.is_alive() for job in started)


def test_progress_is_seen_while_the_job_runs(jobs: Jobs, qtbot: QtBot) -> None:
    free = Event()

    def work(job: Job) -> None:
        job(0.25, "reading")
        free.wait(5)

    job = start(jobs, work)
    qtbot.waitUntil(lambda: job.fraction == 0.25)

    assert job.phase == "reading"
    free.set()


def test_memory_running_out_is_told_as_such() -> None:
    assert "memory" in sentence_of(MemoryError())


def test_what_a_lasting_job_had_done_by_the_time_it_was_cancelled_is_delivered(
    jobs: Jobs, qtbot: QtBot
) -> None:
    heard: list[str] = []
    asked = Event()

    def work(_: Job) -> str:
        asked.wait()
        return "written"

    start(jobs, work, kind="lasting", lasting=True, done=heard.append)
    dropped = start(jobs, work, kind="passing", done=heard.append)
    jobs.cancel()
    asked.set()

    qtbot.waitUntil(lambda: bool(heard) and dropped.ended.is_set())
    jobs.collect()
    assert heard == ["written"]


def test_a_lasting_job_is_not_replaced_by_another_of_its_kind(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[str] = []
    go_on = Event()

    def work(_: Job) -> str:
        go_on.wait(20)
        return "first"

    start(jobs, work, kind="lasting", lasting=True, done=heard.append)
    start(jobs, lambda _: "second", kind="lasting", lasting=True, done=heard.append)
    qtbot.waitUntil(lambda: heard == ["second"])
    go_on.set()

    qtbot.waitUntil(lambda: heard == ["second", "first"])
