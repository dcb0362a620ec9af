"""The observers a curator can choose, in words."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QCoreApplication

from curator_gui.core.protection import Observer, ObserverKind

CHOICES: tuple[ObserverKind, ...] = (
    "release-only",
    "membership-aware",
    "plan-aware",
    "accumulating",
    "smoothed",
)
USUAL_M = Decimal(1)


def observer_name(kind: ObserverKind) -> str:
    """A short name for lists."""
    names = {
        "release-only": QCoreApplication.translate("observers", "Sees the release"),
        "membership-aware": QCoreApplication.translate("observers", "Knows who is in it"),
        "plan-aware": QCoreApplication.translate("observers", "Knows the plan"),
        "accumulating": QCoreApplication.translate("observers", "Collects all releases"),
        "smoothed": QCoreApplication.translate("observers", "Trusts a prior (smoothed)"),
        "dependency-explicit": QCoreApplication.translate("observers", "Knows rules"),
    }
    return names[kind]


def observer_sentence(kind: ObserverKind) -> str:
    """What the observer knows, in one sentence."""
    sentences = {
        "release-only": QCoreApplication.translate(
            "observers", "Sees only the released table and the visible attributes of a person."
        ),
        "membership-aware": QCoreApplication.translate(
            "observers", "Also knows whether a person is in the release."
        ),
        "plan-aware": QCoreApplication.translate(
            "observers", "Also reads the plan, and so knows at which step a record was removed."
        ),
        "accumulating": QCoreApplication.translate(
            "observers", "Puts together every release of this source, earlier ones included."
        ),
        "smoothed": QCoreApplication.translate(
            "observers", "Keeps to the prior group's rate as if m more records had shown it."
        ),
        "dependency-explicit": QCoreApplication.translate("observers", "Knows rules between columns."),
    }
    return sentences[kind]


def observer_of(kind: ObserverKind, m: Decimal | None = None) -> Observer:
    """The observer, with ``m`` where its kind asks for one."""
    return Observer(kind, (m or USUAL_M) if kind == "smoothed" else None)
