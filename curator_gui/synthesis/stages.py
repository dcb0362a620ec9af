"""What a synthesis is doing, as a value: a window says it in its own words, a command line in these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from curator_gui.core.progress import Progress


class Phase(Enum):
    """In the order in which they come; from CHARGED on, nothing is given back.

    The first three and the last are those of whoever pays for a synthesis and spells what comes out.
    """

    STARTING = "starting"
    ASKING = "asking"
    CHARGED = "charged"
    MEASURING = "measuring"
    ROUND = "round"
    FITTING = "fitting"
    DRAWING = "drawing"
    SPELLING = "spelling"


@dataclass(frozen=True)
class Stage:
    """columns: those measured or spelled, if any. round: from 1, in the rounds of a mechanism; else 0."""

    phase: Phase
    columns: tuple[str, ...] = ()
    round: int = 0

    def __str__(self) -> str:
        columns = " × ".join(self.columns)
        match self.phase:
            case Phase.STARTING:
                return "Starting"
            case Phase.ASKING:
                return "Asking the ledger"
            case Phase.CHARGED:
                return "Charged"
            case Phase.MEASURING:
                return f"Measuring {columns}" if columns else "Measuring"
            case Phase.ROUND:
                return f"Round {self.round}: {columns}"
            case Phase.FITTING:
                return "Fitting the last model"
            case Phase.DRAWING:
                return "Drawing records"
            case Phase.SPELLING:
                return f"Spelling “{columns}”"


StageProgress = Callable[[float, Stage], None]
"""``progress(done, stage)``: ``done`` in [0, 1]. May raise ``Cancelled``."""


def in_words(progress: Progress) -> StageProgress:
    """For a listener to phrases."""
    return lambda done, stage: progress(done, str(stage))
