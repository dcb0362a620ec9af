"""Every error a person may see, in one tree. Each message is one sentence: what, where, what to do.

    CuratorError
    ├── InputError            bad input or wrong usage; nothing was changed       exit 2
    │   ├── PredicateError    a WHERE expression, with the position refused
    │   ├── PlanError         an operator that cannot follow its prefix, with its path
    │   ├── ViewError         a view or ladder that does not fit its column, with the witness
    │   ├── FileError         a file that cannot be read or written
    │   └── IdentifierError   a release would still hold an identifier
    ├── OverBudgetError       the release would disclose more than τ              exit 3
    └── BudgetRefusedError    the privacy budget refused                          exit 4

``Cancelled`` is not an error: it is how a job ends when its user asked it to.
"""

from __future__ import annotations

from copy import copy
from typing import Self


class CuratorError(Exception):
    """Base of all; ``str(error)`` is the sentence to show."""

    exit_status = 1


class InputError(CuratorError):
    """Bad input. ``path`` names the place in a file, such as ``plan[2].column``."""

    exit_status = 2

    def __init__(self, message: str, *, path: str | None = None) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path

    def at(self, path: str) -> Self:
        """The same error, named as standing at ``path``."""
        error = copy(self)
        error.path = path if self.path is None else f"{path}.{self.path}"
        error.args = (f"{error.path}: {self.message}",)
        return error


class PredicateError(InputError):
    """A WHERE expression was refused. ``position`` counts characters from 0; None where it has no place."""

    def __init__(self, message: str, *, position: int | None = None, path: str | None = None) -> None:
        super().__init__(message, path=path)
        self.position = position


class PlanError(InputError):
    """An operator cannot follow the steps before it."""


class ViewError(InputError):
    """A view or ladder does not fit its column; the message carries the witness."""


class FileError(InputError):
    """A file cannot be read or written as asked."""


class IdentifierError(InputError):
    """A release would still hold identifiers, ``columns``; ``fact`` is the sentence without the way out."""

    def __init__(self, fact: str, way_out: str, *, columns: tuple[str, ...]) -> None:
        super().__init__(f"{fact}; {way_out}.")
        self.fact = fact
        self.columns = columns


class OverBudgetError(CuratorError):
    """A release or re-run would disclose more than the budget τ; ``fact`` says so without the way out."""

    exit_status = 3

    def __init__(self, fact: str, way_out: str) -> None:
        super().__init__(f"{fact}; {way_out}.")
        self.fact = fact


class BudgetRefusedError(CuratorError):
    """The privacy budget refused a request."""

    exit_status = 4


class Cancelled(Exception):  # noqa: N818 - the end of a job, not an error
    """Raised by a progress callable when the user cancelled."""
