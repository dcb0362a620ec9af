"""SIGINT, SIGTERM and SIGHUP end a command the same way: it cleans up, and says what became of its files."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGINT_STATUS = 128 + signal.SIGINT
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupted(KeyboardInterrupt):
    """A signal asked the command to end. ``sentence`` is what to tell; ``exit_status`` what shells expect."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_status = 128 + number
        self.sentence = "Interrupted."


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Inside, these signals raise ``Interrupted``; gives the numbers of those that came.

    Signals that are ignored stay so, as ``nohup`` and background jobs want it.
    """
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise Interrupted(number)

    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {n: signal.getsignal(n) for n in numbers}
    heard = {n: h for n, h in before.items() if h not in (signal.SIG_IGN, None)}
    try:
        for number in heard:
            signal.signal(number, interrupt)
        yield came
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
