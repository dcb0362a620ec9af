"""A column's domain in words: how many values or bins, and where they come from."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from curator_gui.gui.words import count
from curator_gui.synthesis.domain import Categories, ColumnDomain, DateBins, NumberBins
from curator_gui.synthesizing import code_labels

_MOST = 60


def _text(source: str) -> str:
    return QCoreApplication.translate("domain", source)


def domain_words(domain: ColumnDomain) -> str:
    """Such as "4 values and other", "12 bins from 0 to 120"."""
    match domain:
        case Categories(values=values, other=None):
            said = _text("{0} values and no other").format(count(len(values)))
        case Categories(values=values):
            said = _text("{0} values and “{1}”").format(count(len(values)), domain.other)
        case NumberBins(edges=edges) | DateBins(edges=edges):
            said = _text("{0} bins from {1} to {2}").format(count(domain.bins), edges[0], edges[-1])
        case _:
            return _text("{0} codes").format(count(domain.size))
    return _text("{0}, may be missing").format(said) if domain.missing else said


def domain_origin(domain: ColumnDomain) -> str:
    """Where it comes from; what is proposed from the data bears a mark."""
    return {
        "typed": _text("declared"),
        "imported": _text("data dictionary"),
        "proposed-from-data": _text("● from the data"),
    }[domain.provenance]


def domain_tip(domain: ColumnDomain) -> str:
    """What its codes stand for, as many as are read at a glance."""
    labels = code_labels(domain)
    more = _text(" and {0} more").format(count(len(labels) - _MOST)) if len(labels) > _MOST else ""
    return ", ".join(labels[:_MOST]) + more


def query_name(query: tuple[str, ...]) -> str:
    return " × ".join(query)
