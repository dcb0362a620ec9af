"""What a curator should know of a column before dropping or keeping it, in a few words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.core.protection import EachValue
from curator_gui.session import Session


def column_marks(session: Session) -> dict[str, str]:
    """By column: identifier, holds a secret, known beforehand; the others are left out."""
    marks: dict[str, list[str]] = {}
    for name, role in session.record.roles.items():
        if role == "identifier":
            marks.setdefault(name, []).append(QCoreApplication.translate("marks", "identifier"))
    for name in _secret_columns(session):
        marks.setdefault(name, []).append(QCoreApplication.translate("marks", "holds a secret"))
    for visible in session.protection.visible:
        marks.setdefault(visible.column, []).append(QCoreApplication.translate("marks", "known beforehand"))
    return {name: ", ".join(words) for name, words in marks.items()}


def _secret_columns(session: Session) -> list[str]:
    found: list[str] = []
    for secret in session.protection.secrets:
        found += [secret.column] if isinstance(secret, EachValue) else sorted(secret.where.columns)
    return list(dict.fromkeys(found))
