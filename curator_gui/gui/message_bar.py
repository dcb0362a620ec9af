"""One sentence inside the window: a refusal, a notice, or an offer with its buttons. Never a modal box."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from curator_gui.gui.colour import TEXT_CONTRAST, blend, faint, readable
from curator_gui.gui.naming import named
from curator_gui.gui.theme import Standing, theme_of

_NOTICE_MS = 8000
_TINT = 0.12
Choice = tuple[str, Callable[[], None]]


class MessageBar(QFrame):
    """Hidden while there is nothing to say. A problem and an offer stay; a notice goes by itself.

    An offer that a problem or a notice covers comes back after it, until it is answered or dismissed.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message_bar")
        self.setAccessibleName(self.tr("Message"))
        self._standing = Standing.NEAR
        self._sentence = named(QLabel(self, wordWrap=True), "message")
        self._sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._mark = named(QLabel(self), "message_mark")
        self._dismiss = named(QToolButton(self, autoRaise=True), "dismiss_message")
        self._dismiss.setText("✕")
        self._dismiss.setAccessibleName(self.tr("Dismiss the message"))
        self._dismiss.clicked.connect(self.clear)
        self._answers = QHBoxLayout()
        self._answers.addStretch(1)
        words = QVBoxLayout()  # the buttons below the sentence: beside it they leave it no room
        words.addWidget(self._sentence)
        words.addLayout(self._answers)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 6, 8, 6)
        top = Qt.AlignmentFlag.AlignTop
        line.addWidget(self._mark, 0, top)
        line.addLayout(words, 1)
        line.addWidget(self._dismiss, 0, top)
        self._choices: list[QPushButton] = []
        self._offered: tuple[str, Sequence[Choice]] | None = None
        self._timer = QTimer(self, singleShot=True, interval=_NOTICE_MS)
        self._timer.timeout.connect(self.clear)
        self.hide()

    @property
    def sentence(self) -> str:
        """What is shown; "" where nothing is."""
        return self._sentence.text() if not self.isHidden() else ""

    def show_problem(self, sentence: str) -> None:
        self._show(sentence, Standing.OVER, ())

    def show_notice(self, sentence: str) -> None:
        self._show(sentence, Standing.WITHIN, ())
        self._timer.start()

    def show_offer(self, sentence: str, choices: Sequence[Choice]) -> None:
        """Offer something; each button does its part and takes the offer away."""
        self._offered = (sentence, choices)
        self._show(sentence, Standing.NEAR, choices)

    def withdraw_offer(self) -> None:
        """Take the offer away; what covers it stays."""
        self._offered = None
        if self._standing is Standing.NEAR:
            self.clear()

    def clear(self) -> None:
        """Take away what is shown."""
        self._timer.stop()
        if self._offered is not None and self._standing is not Standing.NEAR:
            self.show_offer(*self._offered)
        else:
            self._offered = None
            self.hide()

    def clear_problem(self) -> None:
        """Take a problem away once something succeeded; an offer stays until it is answered."""
        if self._standing is Standing.OVER:
            self.clear()

    def _show(self, sentence: str, standing: Standing, choices: Sequence[Choice]) -> None:
        self._timer.stop()
        self._standing = standing
        self._mark.setText({Standing.OVER: "▲", Standing.NEAR: "●"}.get(standing, "✓"))
        self._sentence.setText(sentence)
        self._offer(choices)
        self._paint_mark()
        self.show()
        self.update()
        QAccessible.updateAccessibility(QAccessibleEvent(self._sentence, QAccessible.Event.Alert))

    def _offer(self, choices: Sequence[Choice]) -> None:
        for old in self._choices:
            old.hide()
            old.deleteLater()
        self._choices = [self._button(label, act) for label, act in choices]
        for i, button in enumerate(self._choices):
            self._answers.insertWidget(i, button)

    def _button(self, label: str, act: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(label, self), f"offer_{label}")

        def chosen() -> None:
            self.clear()
            act()

        button.clicked.connect(chosen)
        return button

    def _paint_mark(self) -> None:
        theme, window = theme_of(self.palette()), self.palette().window().color()
        ground = blend(window, theme.mark(self._standing), _TINT)
        colour = readable(theme.words(self._standing), ground, TEXT_CONTRAST)
        self._mark.setStyleSheet(f"color: {colour.name()}")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_mark()

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = theme_of(self.palette()).mark(self._standing)
        painter.fillRect(self.rect(), faint(colour, _TINT))
        painter.fillRect(0, 0, 4, self.height(), colour)
        painter.end()
