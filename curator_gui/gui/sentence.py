"""A sentence under a form: hidden while there is nothing to say, a refusal in the colour of refusals."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPalette
from PySide6.QtWidgets import QLabel, QWidget

from curator_gui.gui.naming import named
from curator_gui.gui.theme import Standing, theme_of


class Sentence(QLabel):
    """``refuse`` and ``tell`` show a sentence, ``clear`` takes it away."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name)
        self.setWordWrap(True)
        self._standing = Standing.NO_EVIDENCE
        self.hide()

    def refuse(self, sentence: str) -> None:
        self._show(sentence, Standing.OVER)

    def warn(self, sentence: str) -> None:
        self._show(sentence, Standing.NEAR)

    def tell(self, sentence: str) -> None:
        self._show(sentence, Standing.NO_EVIDENCE)

    def clear(self) -> None:
        super().clear()
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ApplicationPaletteChange, QEvent.Type.StyleChange):
            self._paint_words()

    def _show(self, sentence: str, standing: Standing) -> None:
        self._standing = standing
        self.setText(sentence)
        self._paint_words()
        self.setVisible(bool(sentence))
        if sentence:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _paint_words(self) -> None:
        parent = self.parentWidget()
        surroundings = self.palette() if parent is None else parent.palette()
        palette = QPalette(surroundings)
        if self._standing is not Standing.NO_EVIDENCE:
            colour = theme_of(surroundings).words(self._standing)
            palette.setColor(QPalette.ColorRole.WindowText, colour)
        self.setPalette(palette)
