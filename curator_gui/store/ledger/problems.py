"""What goes wrong in a database, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from curator_gui.core.errors import BudgetRefusedError, CuratorError, FileError, InputError


class LedgerUnavailableError(FileError):
    """The ledger cannot be read or written; no release may follow."""


class LedgerBusyError(LedgerUnavailableError):
    """Somebody holds the ledger; nothing was charged."""


class ConnectionLostError(LedgerUnavailableError):
    """The connection broke; whether the last transaction was committed is unknown."""


class OutcomeUnknownError(CuratorError):
    """A charge may have been committed; asking again with the same request id tells, and charges once."""


_INPUT = {
    "bad-amount": "The amount asked of the ledger is not one it accounts for; ask for ε = 0.0001 or more.",
    "bad-name": "Names in a ledger have 1 to 200 characters and no control characters; choose another.",
    "unknown-pool": "The ledger has no such pool, or no share of it is yours; see “ledger list”.",
    "bad-request": "A request id has 1 to 64 letters, digits, dots, dashes and underscores; choose another.",
    "unsafe-role": "A role of the ledger's may log in or has rights it must not have; drop it, or take them.",
    "reused-id": "This request id already stands for another request; use a new one.",
    "dataset-has-pool": "This dataset already has a pool, and a dataset has only one; use that.",
    "raised": "A user's pool is never refilled: a later grant may lower its total, not raise it.",
    "not-a-charge": "No approved charge of yours has this number, so nothing can be marked released.",
    "bad-hash": "A released file is named by its SHA-256 in hexadecimal.",
}
_REFUSED = {
    "unknown-user": "You have no share of this pool; ask the ledger's owner to grant you one.",
    "other-dataset": "The pool belongs to another dataset; charge the pool of the source itself, "
    "or have the ledger's owner attach this source to it.",
}


class Refusal(Exception):  # noqa: N818 - a token on its way to its sentence
    """A rule of the ledger broken inside a transaction; ``token`` names it."""

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.token = token


@contextmanager
def spoken(where: str) -> Iterator[None]:
    """Turn what a database raises into a CuratorError about the ledger at ``where``."""
    try:
        yield
    except Refusal as refusal:
        raise _told(refusal.token) from None
    except DBAPIError as error:
        raise _translated(error, where) from None
    except SQLAlchemyError as error:
        raise LedgerUnavailableError(f"The ledger at {where} cannot be used: {_first_line(error)}.") from None


def _told(token: str) -> CuratorError:
    if token in _REFUSED:
        return BudgetRefusedError(_REFUSED[token])
    return InputError(_INPUT.get(token, f"The ledger refused this: {token}."))


def _translated(error: DBAPIError, where: str) -> CuratorError:
    original = error.orig
    state = getattr(original, "sqlstate", None)
    said = _first_line(original)
    if state == "LG001":
        return _told(said)
    kind = _by_state(state) if hasattr(original, "sqlstate") else _by_text(said)
    return {
        "busy": LedgerBusyError(
            f"The ledger at {where} is in use and did not answer in time; nothing was charged, try again."
        ),
        "readonly": LedgerUnavailableError(
            f"The ledger at {where} is read-only, so nothing can be charged; get write access to it."
        ),
        "full": LedgerUnavailableError(
            f"The disk of the ledger at {where} is full or fails; nothing was charged, make room, try again."
        ),
        "missing": LedgerUnavailableError(
            f"There is no ledger at {where}, or you may not see it; “curator-gui ledger init” creates one."
        ),
        "forbidden": InputError(
            f"Your account may not do this to the ledger at {where}; ask its owner for the role it needs."
        ),
        "damaged": LedgerUnavailableError(
            f"What is at {where} is not a ledger, or it is damaged; restore a backup and audit it."
        ),
        "lost": ConnectionLostError(
            f"The ledger at {where} cannot be reached; check the connection and try again."
        ),
    }.get(kind) or LedgerUnavailableError(f"The ledger at {where} failed: {said}.")


def _by_state(state: str | None) -> str:
    """PostgreSQL's SQLSTATE classes; a connection that breaks has none."""
    if state is None or state[:2] in ("08", "57"):
        return "lost"
    codes = {
        "55P03": "busy",
        "40001": "busy",
        "40P01": "busy",
        "25006": "readonly",
        "42501": "forbidden",
        "42P01": "missing",
        "42883": "missing",
        "3F000": "missing",
        "3D000": "missing",
    }
    return codes.get(state, "full" if state.startswith("53") else "")


def _by_text(said: str) -> str:
    """SQLite's messages, which are its interface."""
    signs = {
        "locked": "busy",
        "readonly": "readonly",
        "disk is full": "full",
        "disk I/O": "full",
        "unable to open": "missing",
        "no such table": "missing",
        "not a database": "damaged",
        "malformed": "damaged",
    }
    return next((kind for sign, kind in signs.items() if sign in said), "")


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
