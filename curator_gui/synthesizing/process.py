"""A synthesis in a child process: started before the charge, told to begin after it, killed at will."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import CuratorError
from curator_gui.synthesis import Phase, Stage, StageProgress, Synthesis, SynthesisRequest
from curator_gui.synthesis_child import Channel, made_from_json, request_to_json, stage_from_json

_POLL = 0.1  # seconds between two questions whether to go on
_START = (
    "import sys; sys.path.append(sys.argv[1]); from curator_gui.synthesis_child import main; main()",
    str(Path(__file__).parents[2]),
)


class ProcessEndedError(CuratorError):
    """The child ended without a result."""


class SynthesisProcess:
    """A child that can draw noise and has not been told of what."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._channel = Channel(cast(BinaryIO, process.stdout), cast(BinaryIO, process.stdin))
        self._messages: queue.Queue[tuple[dict[str, Any], Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self, progress: StageProgress) -> None:
        """Until the child has what it needs to draw noise; a broken installation shows here."""
        self._next(progress, (0.0, Stage(Phase.STARTING)))

    def synthesize(
        self, request: SynthesisRequest, codes: NDArray[np.unsignedinteger[Any]], progress: StageProgress
    ) -> Synthesis:
        """The result. Raises what ``progress`` does, and ProcessEndedError where the child fails or dies."""
        with suppress(OSError):  # a child that is gone is told by the silence that follows
            self._channel.send_array({"request": request_to_json(request)}, codes)
        said = (0.0, Stage(Phase.MEASURING))
        while True:
            message, made = self._next(progress, said)
            if "made" in message:
                return made_from_json(request, made, message["made"])
            said = (float(message["done"]), stage_from_json(message["stage"]))
            progress(*said)

    def end(self) -> None:
        """Kill it, if it is still there."""
        self._process.kill()
        with suppress(OSError):  # what was not yet sent goes nowhere
            cast(BinaryIO, self._process.stdin).close()
        self._process.wait()

    def _next(self, progress: StageProgress, said: tuple[float, Stage]) -> tuple[dict[str, Any], Any]:
        while True:
            try:
                received = self._messages.get(timeout=_POLL)
            except queue.Empty:
                progress(*said)
                continue
            if received is None:
                raise ProcessEndedError("The process of the synthesis ended before it was done")
            if "error" in received[0]:
                raise ProcessEndedError(str(received[0]["error"]).rstrip("."))
            return received

    def _listen(self) -> None:
        with cast(BinaryIO, self._process.stdout):
            try:
                while (message := self._channel.receive()) is not None:
                    self._messages.put((message, self._channel.array(message) if "made" in message else None))
            except (EOFError, ValueError, OSError):
                pass
            self._messages.put(None)


@contextmanager
def synthesis_process() -> Iterator[SynthesisProcess]:
    """A child of its own process group, so that Ctrl+C reaches the parent alone; gone at the end."""
    # -P: a file named like a module, in the folder the program runs in, must not be imported.
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", *_START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    child = SynthesisProcess(process)
    try:
        yield child
    finally:
        child.end()
