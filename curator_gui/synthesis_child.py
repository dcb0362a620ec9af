"""The child process of a synthesis: what it is sent, what it does with it, what it sends back.

A process of its own can be killed, and takes no processor time from a window. Both sides speak lines of JSON,
each followed by the bytes of an array where it describes one:

    child  → {"ready": true}                        the noise can be drawn; the parent charges the ledger now
    parent → {"request": {…}, "dtype": …, "shape": …} and the codes
    child  → {"done": 0.2, "stage": {"phase": "round", "columns": ["age", "sex"], "round": 3}}, now and then
    child  → {"made": {…}, "dtype": …, "shape": …} and the codes, or {"error": "a sentence"}

The child ends when its input does, so it never outlives its parent.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curator_gui.core.errors import CuratorError
from curator_gui.synthesis import (
    Entry,
    OpenDPNoise,
    Phase,
    Stage,
    Synthesis,
    SynthesisRequest,
    expected_errors,
    synthesize,
)

Json = dict[str, Any]
Codes = NDArray[np.unsignedinteger[Any]]

_NEWS = 0.05  # seconds between two reports of the same stage


def main() -> None:
    """Serve one synthesis on standard input and output."""
    channel = Channel(sys.stdin.buffer, sys.stdout.buffer)
    try:
        noise = OpenDPNoise()
        channel.send({"ready": True})
        message, codes = channel.receive_array()
        threading.Thread(target=_end_with_parent, daemon=True).start()
        made = synthesize(request_from_json(message["request"]), codes, noise, _Reporter(channel))
    except CuratorError as error:
        channel.send({"error": str(error)})
    except MemoryError:
        channel.send({"error": "It does not fit into memory; use coarser domains or fewer columns."})
    except Exception as error:  # noqa: BLE001 - the edge of the process; its type holds no value
        channel.send({"error": f"The synthesis failed ({type(error).__name__}); please report this."})
    else:
        channel.send_array({"made": made_to_json(made)}, made.codes)


class Channel:
    """Messages over two pipes."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source = source
        self._target = target

    def send(self, message: Json) -> None:
        self._target.write(json.dumps(message).encode() + b"\n")
        self._target.flush()

    def send_array(self, message: Json, array: Codes) -> None:
        self._target.write(
            json.dumps({**message, "dtype": array.dtype.str, "shape": array.shape}).encode() + b"\n"
        )
        self._target.write(np.ascontiguousarray(array).tobytes())
        self._target.flush()

    def receive(self) -> Json | None:
        """The next message; None where the other side is gone."""
        line = self._source.readline()
        message: Json | None = json.loads(line) if line.endswith(b"\n") else None
        return message

    def receive_array(self) -> tuple[Json, Codes]:
        """The next message and the array it describes. EOFError where the other side is gone."""
        message = self.receive()
        if message is None:
            raise EOFError
        return message, self.array(message)

    def array(self, message: Json) -> Codes:
        """The array that a message just received describes. EOFError where it is cut off."""
        dtype, shape = np.dtype(message["dtype"]), tuple(message["shape"])
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        data = self._source.read(size)
        if len(data) < size:
            raise EOFError
        return np.frombuffer(data, dtype).reshape(shape)


class _Reporter:
    """Passes progress on, a new stage at once and an old one now and then."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._said: Stage | None = None
        self._at = -_NEWS

    def __call__(self, done: float, stage: Stage) -> None:
        now = time.monotonic()
        if stage != self._said or now - self._at >= _NEWS:
            self._said, self._at = stage, now
            self._channel.send({"done": done, "stage": stage_to_json(stage)})


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def request_to_json(request: SynthesisRequest) -> Json:
    return asdict(request)


def request_from_json(data: Mapping[str, Any]) -> SynthesisRequest:
    sets = {
        key: None if data[key] is None else tuple(tuple(q) for q in data[key])
        for key in ("interest", "workload")
    }
    return SynthesisRequest(**{**data, **sets, "names": tuple(data["names"]), "sizes": tuple(data["sizes"])})


def stage_to_json(stage: Stage) -> Json:
    return {"phase": stage.phase.value, "columns": stage.columns, "round": stage.round}


def stage_from_json(data: Mapping[str, Any]) -> Stage:
    return Stage(Phase(data["phase"]), tuple(data["columns"]), int(data["round"]))


def made_to_json(made: Synthesis) -> Json:
    """All of a synthesis but its request and its codes."""
    return {
        "log": [asdict(entry) for entry in made.log],
        "spent": made.spent,
        "total": made.total,
        "model_cells": made.model_cells,
        "private": made.private,
    }


def made_from_json(request: SynthesisRequest, codes: Codes, data: Mapping[str, Any]) -> Synthesis:
    log = tuple(Entry(**{**entry, "attributes": tuple(entry["attributes"])}) for entry in data["log"])
    rest = {key: data[key] for key in ("spent", "total", "model_cells", "private")}
    return Synthesis(request=request, codes=codes, log=log, expected=expected_errors(request), **rest)
