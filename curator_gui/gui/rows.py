"""Rows of lists with some air around their text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

_LEAST_HEIGHT = 24


class RoomyRows(QStyledItemDelegate):
    """The usual cell, never lower than 24 pixels."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 8, max(hint.height() + 6, _LEAST_HEIGHT))
