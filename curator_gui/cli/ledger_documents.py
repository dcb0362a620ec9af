"""What ``ledger`` prints: JSON documents, with amounts in ε, and lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curator_gui.budget.amounts import EPSILON, RHO, epsilon_text

if TYPE_CHECKING:
    from curator_gui.store.ledger import Audit, Dataset, Decision, Entry, Limits


def decision_document(decision: Decision) -> dict[str, Any]:
    """A decision as JSON: amounts in ε, and the ρ a mechanism may use, also as an exact integer of 1e-15."""
    return {
        "pool": decision.pool,
        "user": decision.user,
        "delta": decision.delta,
        "requested": decision.requested / EPSILON,
        "offered": decision.offered / EPSILON,
        "approved": decision.approved / EPSILON,
        "bound": str(decision.bound),
        "limit": None if decision.limit is None else decision.limit / EPSILON,
        "rho": decision.rho / RHO,
        "rho_units": decision.rho,
        "dataset_left": decision.dataset_left / EPSILON,
        "user_left": decision.user_left / EPSILON,
        "proven_loss": decision.proven_loss / EPSILON,
        "entry": decision.entry,
        "hash": decision.hash,
        "sentence": decision.sentence(),
    }


def pool_document(dataset: Dataset) -> dict[str, Any]:
    pool = dataset.pool
    return {
        "pool": dataset.id,
        "name": dataset.name,
        "kind": str(pool.kind),
        "epsilon": pool.epsilon / EPSILON,
        "delta": pool.delta,
        "size": dataset.size,
        "per_operation": pool.epsilon_left(pool.per_operation) / EPSILON,
        "left": pool.epsilon_left(dataset.balance.left) / EPSILON,
        "proven_loss": dataset.proven_loss / EPSILON,
    }


def share_document(dataset: Dataset, limits: Limits) -> dict[str, Any]:
    pool = dataset.pool
    return {
        "user": limits.user,
        "per_request": pool.epsilon_left(limits.balance.per_request) / EPSILON,
        "total": pool.epsilon_left(limits.total) / EPSILON,
        "left": pool.epsilon_left(limits.balance.left) / EPSILON,
    }


def entry_document(dataset: Dataset, entry: Entry) -> dict[str, Any]:
    def epsilon(amount: int | None) -> float | None:
        return None if amount is None else dataset.pool.epsilon_spent(amount) / EPSILON

    return {
        "entry": entry.number,
        "at": entry.at,
        "event": entry.event,
        "actor": entry.actor,
        "user": entry.user_name,
        "request": entry.request,
        "requested": epsilon(entry.requested),
        "approved": epsilon(entry.approved),
        "bound": entry.bound,
        "rho_units": entry.rho,
        "hash": entry.hash,
    }


def audit_document(audit: Audit) -> dict[str, Any]:
    return {
        "format": "curation-ledger-audit/1",
        "consistent": audit.consistent,
        "sentence": audit.sentence(),
        "findings": [{"pool": f.pool, "entry": f.entry, "sentence": f.sentence} for f in audit.findings],
        "pools": [{"pool": p.pool, "entries": p.entries, "proven": p.proven} for p in audit.pools],
    }


def pool_line(dataset: Dataset) -> str:
    pool, name = dataset.pool, dataset.name or "(no name)"
    left = epsilon_text(pool.epsilon_left(dataset.balance.left))
    lost = epsilon_text(dataset.proven_loss)
    whole = epsilon_text(pool.epsilon)
    return f"{dataset.id}  {name}: {left} of ε {whole} left, δ {pool.delta:g}, proven loss {lost}"


def entry_line(dataset: Dataset, entry: Entry) -> str:
    line = f"  {entry.number:>4} {entry.at} {entry.event} {entry.user_name or ''}"
    if entry.requested is None or entry.approved is None:
        return line.rstrip()
    asked, given = (dataset.pool.epsilon_spent(amount) for amount in (entry.requested, entry.approved))
    return f"{line}: ε {epsilon_text(given)} of {epsilon_text(asked)} asked, bound by {entry.bound}"
