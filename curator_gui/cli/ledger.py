"""``ledger``: create a privacy-budget ledger, give out shares of it, look at it and audit it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_gui.budget.amounts import epsilon_limit, epsilon_text
from curator_gui.budget.pool import Kind
from curator_gui.cli.ledger_documents import (
    audit_document,
    decision_document,
    entry_document,
    entry_line,
    pool_document,
    pool_line,
    share_document,
)
from curator_gui.cli.output import Output
from curator_gui.core.errors import FileError, InputError
from curator_gui.core.table import quoted
from curator_gui.store.ledger_place import default_ledger
from curator_gui.store.readers import detect_reader, read_table

Run = Callable[[argparse.Namespace, Output], int]

if TYPE_CHECKING:
    from curator_gui.store.ledger import Ledger

REFUSED = 4
MOST_ROWS = 10**12


def register(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add ``ledger`` and what can be done to one."""
    family = subparsers.add_parser("ledger", help="the privacy-budget ledger")
    actions = family.add_subparsers(dest="action", metavar="ACTION", required=True)
    place = argparse.ArgumentParser(add_help=False)
    place.add_argument(
        "--ledger",
        metavar="URL",
        help="a file or a postgresql:// address; by default a file of your account's",
    )
    parents = [common, place]
    for add in (_add_init, _add_create, _add_attach, _add_grant, _add_preview, _add_list, _add_audit):
        add(actions, parents)
    for action in actions.choices.values():
        action.set_defaults(run=_readable(action.get_default("run")))


def _readable(run: Run) -> Run:
    """The same, refusing arguments whose bytes are no text in the terminal's encoding."""

    def checked(arguments: argparse.Namespace, output: Output) -> int:
        for name, given in vars(arguments).items():
            if isinstance(given, str) and not given.isascii() and given != _as_text(given):
                message = f"“{name}” holds bytes that are no text (“{_as_text(given)[:40]}”); write it again."
                raise InputError(message)
        return run(arguments, output)

    return checked


def _as_text(given: str) -> str:
    return given.encode("utf-8", "replace").decode()


def _add_init(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("init", parents=parents, help="create a ledger, or update an older one")
    parser.set_defaults(run=run_init)


def _add_create(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("create", parents=parents, help="create the pool of a dataset; owners only")
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--epsilon", required=True, metavar="E", help="all the dataset may ever disclose")
    parser.add_argument("--delta", required=True, metavar="D", help="below 1 / N; 1 / N² is prudent")
    parser.add_argument(
        "--size", type=int, required=True, metavar="N", help="about how many rows; stated, never counted"
    )
    parser.add_argument("--kind", choices=[str(kind) for kind in Kind], default=str(Kind.RHO))
    parser.add_argument("--per-operation", metavar="E", help="the most one request may ask; by default all")
    parser.add_argument("--name", default="", help="what to call the dataset in lists")
    parser.set_defaults(run=run_create)


def _add_attach(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "attach", parents=parents, help="let a changed source use its pool; owners only"
    )
    parser.add_argument("pool", metavar="POOL")
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.set_defaults(run=run_attach)


def _add_grant(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("grant", parents=parents, help="give a user a share of a pool; owners only")
    parser.add_argument("pool", metavar="POOL")
    parser.add_argument("--user", required=True, metavar="NAME")
    parser.add_argument("--total", required=True, metavar="E")
    parser.add_argument("--per-request", metavar="E", help="by default the total")
    parser.set_defaults(run=run_grant)


def _add_preview(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("preview", parents=parents, help="what a request would get; spends nothing")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--pool", metavar="POOL")
    which.add_argument("--data", type=Path, metavar="FILE")
    parser.add_argument("--epsilon", required=True, metavar="E")
    parser.add_argument("--accept-less", action="store_true", help="a smaller approval will do")
    parser.set_defaults(run=run_preview)


def _add_list(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("list", parents=parents, help="the pools, or what happened to one")
    parser.add_argument("pool", nargs="?", metavar="POOL")
    parser.set_defaults(run=run_list)


def _add_audit(actions: Any, parents: list[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("audit", parents=parents, help="whether the ledger is what it was")
    parser.add_argument(
        "--against",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="manifests and sessions",
    )
    parser.set_defaults(run=run_audit)


def run_init(arguments: argparse.Namespace, output: Output) -> int:
    """Create the ledger; running it twice changes nothing."""
    from curator_gui.store.ledger import init_ledger  # heavy: SQLAlchemy

    if arguments.ledger is None:
        _make_folder(_default().parent)
    ledger = init_ledger(_address(arguments))
    output.document({"format": "curation-ledger-init/1", "ledger": ledger.where})
    output.say(f"The ledger is at {ledger.where}.")
    return 0


def run_create(arguments: argparse.Namespace, output: Output) -> int:
    """Create a dataset's pool."""
    if not 1 <= arguments.size <= MOST_ROWS:
        raise InputError(f"--size must be a whole number from 1 to {MOST_ROWS}.")
    ledger = _opened(arguments)
    dataset = ledger.create_pool(
        _content(arguments.data, output),
        epsilon=arguments.epsilon,
        delta=_delta(arguments.delta),
        size=arguments.size,
        per_operation=arguments.per_operation,
        kind=Kind(arguments.kind),
        name=arguments.name,
    )
    output.document({"format": "curation-ledger-pool/1", **pool_document(dataset)})
    output.say(f"Pool {dataset.id} holds ε {epsilon_text(dataset.pool.epsilon)} at δ {dataset.pool.delta:g}.")
    return 0


def _delta(text: str) -> float:
    """δ as typed. InputError for what is no number, or above 0 and nearer to it than a float comes."""
    try:
        delta = float(text)
    except ValueError:
        raise InputError(f"--delta is “{text}”; give a number such as 1e-9.") from None
    if delta == 0 and Decimal(text) > 0:
        raise InputError(f"--delta {text} is too near to 0 to be kept; give 1e-300 or more.")
    return delta


def run_attach(arguments: argparse.Namespace, output: Output) -> int:
    """Attach a changed source to a pool."""
    ledger = _opened(arguments)
    ledger.attach(arguments.pool, _content(arguments.data, output))
    output.document({"format": "curation-ledger-attach/1", "pool": arguments.pool})
    output.say(f"{arguments.data} is charged to pool {arguments.pool} from now on.")
    return 0


def run_grant(arguments: argparse.Namespace, output: Output) -> int:
    """Give a user a share."""
    ledger = _opened(arguments)
    per_request = arguments.total if arguments.per_request is None else arguments.per_request
    _require_sensible(arguments.total, per_request, ledger.pool(arguments.pool).pool.epsilon)
    limits = ledger.grant(arguments.pool, arguments.user, per_request=per_request, total=arguments.total)
    share = share_document(ledger.pool(arguments.pool), limits)
    output.document({"format": "curation-ledger-grant/1", "pool": arguments.pool, **share})
    output.say(
        f"{limits.user} has a share of ε {arguments.total} in pool {arguments.pool}, {per_request} a request."
    )
    return 0


def _require_sensible(total: str, per_request: str, most: int) -> None:
    """InputError for more than the pool's ``most`` ε units, or for more at once than in all."""
    share, once = epsilon_limit(total), epsilon_limit(per_request)
    if share > most:
        raise InputError(
            f"--total ε {epsilon_text(share)} is more than the pool's ε {epsilon_text(most)}; "
            "give at most that."
        )
    if once > share:
        raise InputError(
            f"--per-request ε {epsilon_text(once)} is more than the total of ε {epsilon_text(share)}; "
            "give at most that."
        )


def run_preview(arguments: argparse.Namespace, output: Output) -> int:
    """Say what a request would get. Exits with 4 where it would be refused."""
    from curator_gui.store.ledger import Request  # heavy: SQLAlchemy

    ledger = _opened(arguments)
    pool = _pool_of(ledger, arguments.data, output) if arguments.pool is None else arguments.pool
    request = Request.of(pool, b"", arguments.epsilon, accept_less=arguments.accept_less)
    decision = ledger.preview(request)
    output.document({"format": "curation-ledger-preview/1", **decision_document(decision)})
    output.say(decision.sentence())
    when = "Left" if decision.refused else "Left afterwards"
    output.say(
        f"{when}: {epsilon_text(decision.dataset_left)} in the dataset's pool, "
        f"{epsilon_text(decision.user_left)} in {decision.user}'s. "
        f"Proven loss of all releases: ε {epsilon_text(decision.proven_loss)} at δ {decision.delta:g}."
    )
    return REFUSED if decision.refused else 0


def run_list(arguments: argparse.Namespace, output: Output) -> int:
    """List pools, or one pool with its users and history."""
    ledger = _opened(arguments)
    if arguments.pool is None:
        datasets = ledger.pools()
        documents = [pool_document(dataset) for dataset in datasets]
        output.document({"format": "curation-ledger-list/1", "pools": documents})
        for dataset in datasets:
            output.say(pool_line(dataset))
        if not datasets:
            output.say("There are no pools you have a share of.")
        return 0
    dataset = ledger.pool(arguments.pool)
    users, history = ledger.users(dataset.id), ledger.history(dataset.id)
    output.document(
        {
            "format": "curation-ledger-history/1",
            **pool_document(dataset),
            "users": [share_document(dataset, limits) for limits in users],
            "entries": [entry_document(dataset, entry) for entry in history],
        }
    )
    output.say(pool_line(dataset))
    for limits in users:
        share = share_document(dataset, limits)
        output.say(f"  {limits.user}: {share['left']} left, at most {share['per_request']} a request")
    for entry in history:
        output.say(entry_line(dataset, entry))
    return 0


def run_audit(arguments: argparse.Namespace, output: Output) -> int:
    """Check the ledger, also against what manifests and sessions remember. Exits with 4 on any finding."""
    from curator_gui.store.ledger import read_anchors  # heavy: SQLAlchemy

    found = {path: read_anchors(path) for path in arguments.against}
    audit = _opened(arguments).audit([anchor for anchors in found.values() for anchor in anchors])
    skipped = [str(path) for path, anchors in found.items() if not anchors]
    output.document({**audit_document(audit), "skipped": skipped})
    if skipped:
        end = "names no ledger entry and was" if len(skipped) == 1 else "name no ledger entry and were"
        output.error(f"{quoted(skipped)} {end} skipped.")
    for finding in audit.findings:
        output.say(f"pool {finding.pool}: {finding.sentence}")
    for pool in audit.pools:
        output.say(f"pool {pool.pool}: {pool.entries} entries, proven up to {pool.proven}")
    output.say(audit.sentence())
    return 0 if audit.consistent else REFUSED


def _opened(arguments: argparse.Namespace) -> Ledger:
    from curator_gui.store.ledger import open_ledger  # heavy: SQLAlchemy

    return open_ledger(_address(arguments))


def _address(arguments: argparse.Namespace) -> str:
    return str(_default()) if arguments.ledger is None else str(arguments.ledger)


def _default() -> Path:
    return default_ledger(Path.home(), os.environ, sys.platform)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The folder {folder} cannot be made: {error.strerror}; use --ledger.") from None


def _content(path: Path, output: Output) -> bytes:
    from curator_gui.store.ledger import content_digest  # heavy: SQLAlchemy

    return content_digest(read_table(path, detect_reader(path), output.progress).table)


def _pool_of(ledger: Ledger, path: Path, output: Output) -> str:
    pool = ledger.pool_of(_content(path, output))
    if pool is None:
        raise InputError(f"{path} has no pool in this ledger; its owner creates one with “ledger create”.")
    return pool
