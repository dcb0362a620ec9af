"""A monkey at the window: clicks, keys, wheel, drags and resizes at random, from a seed."""

from __future__ import annotations

import random
import string
from collections import deque
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QWidget

from curator_gui.gui.main_window import MainWindow

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
PLAIN_KEYS = (
    *("Tab", "Backtab", "Return", "Enter", "Escape", "Space", "Up", "Down", "Left", "Right", "Home", "End"),
    *("PageUp", "PageDown", "Delete", "Backspace", "F1", "F2", "F6", "Menu"),
)
CONTROLLED = "ACEFIKPSTVWXYZ"  # every shortcut but the one that quits
TYPED = string.ascii_lowercase + string.digits + " ,.-;×%'()=<>*αß"
"""Neither a slash nor a tilde: a path that is typed stays in the folder it is in."""


class Monkey(QObject):
    """Acts every few milliseconds by a timer, so that it goes on in menus and modal boxes too.

    ``acts``: the last ones, for the report. ``slowest``: the longest act, in seconds, and what it was.
    """

    def __init__(self, window: MainWindow, seed: int) -> None:
        super().__init__(window)
        self.window, self.draw = window, random.Random(seed)
        self.acts: deque[str] = deque(maxlen=40)
        self.number = 0
        self.slowest = (0.0, "")
        self._acting = False

    def start(self) -> None:
        self._acting = True
        self._again()

    def stop(self) -> None:
        self._acting = False

    def _again(self) -> None:
        """A new timer each time: one that is being served is not served again in a menu's own loop."""
        QTimer.singleShot(4, self, self._act)

    def _act(self) -> None:
        if not self._acting:
            return
        self._again()
        top = self._top()
        if self.window.controller.session is None and top is self.window and self.draw.random() < 0.05:
            self._note("open the sample")
            self.window.files.open_sample(self.draw.choice(("clinic", "paper")) + ".curation.json")
            return
        act = self.draw.choices(
            (self._click, self._key, self._type, self._wheel, self._drag, self._resize),
            (50, 25, 8, 8, 6, 1),
        )[0]
        began = perf_counter()
        act(top)
        self.number += 1
        took = perf_counter() - began
        if took > self.slowest[0] and self.acts:
            self.slowest = (took, self.acts[-1])

    def _top(self) -> QWidget:
        """What takes the user's input: a popup, a modal dialog, or any window shown."""
        above = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if above is not None:
            return above
        shown = [w for w in QApplication.topLevelWidgets() if w.isVisible() and not isinstance(w, QMenu)]
        return self.draw.choice(sorted(shown, key=lambda w: w.objectName())) if shown else self.window

    def _place(self, top: QWidget) -> tuple[QWidget, QPoint]:
        area = QRect(QPoint(0, 0), top.size())
        at = QPoint(self.draw.randrange(max(area.width(), 1)), self.draw.randrange(max(area.height(), 1)))
        parts = [w for w in top.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        if parts and self.draw.random() < 0.7:
            part = self.draw.choice(parts)
            if not part.size().isEmpty():
                inside = QPoint(self.draw.randrange(part.width()), self.draw.randrange(part.height()))
                at = part.mapTo(top, inside)
        child = top.childAt(at)
        return (child, child.mapFrom(top, at)) if child is not None else (top, at)

    def _click(self, top: QWidget) -> None:
        widget, at = self._place(top)
        button = RIGHT if self.draw.random() < 0.1 else LEFT
        twice = self.draw.random() < 0.1
        self._note(f"{'double ' if twice else ''}{button.name} on {_name(widget)} at {at.x()},{at.y()}")
        click = QTest.mouseDClick if twice else QTest.mouseClick
        click(widget, button, self.draw.choice((NONE, NONE, NONE, CONTROL, SHIFT)), at)

    def _key(self, top: QWidget) -> None:
        target = QApplication.focusWidget() or top
        if self.draw.random() < 0.3:
            key, held = self.draw.choice(CONTROLLED), CONTROL
        else:
            key, held = self.draw.choice(PLAIN_KEYS), self.draw.choice((NONE, NONE, NONE, SHIFT, CONTROL))
        self._note(f"{held.name} {key} to {_name(target)}")
        QTest.keyClick(target, getattr(Qt.Key, f"Key_{key}"), held)

    def _type(self, top: QWidget) -> None:
        target = QApplication.focusWidget() or top
        text = "".join(self.draw.choices(TYPED, k=self.draw.randrange(1, 6)))
        self._note(f"type {text!r} to {_name(target)}")
        for sign in text:  # as an input method sends them: any letter of any script
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(target, QKeyEvent(kind, 0, NONE, sign))

    def _wheel(self, top: QWidget) -> None:
        widget, at = self._place(top)
        if isinstance(widget.parentWidget(), QAbstractScrollArea):
            widget = widget.parentWidget().viewport()
            at = widget.rect().center()
        turn = QPoint(0, self.draw.choice((-240, -120, 120, 240)))
        self._note(f"wheel {turn.y()} on {_name(widget)}")
        there = QPointF(widget.mapToGlobal(at))
        held = self.draw.choice((NONE, NONE, CONTROL))
        phase = Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(QPointF(at), there, QPoint(), turn, Qt.MouseButton.NoButton, held, phase, False)
        QApplication.sendEvent(widget, event)

    def _drag(self, top: QWidget) -> None:
        widget, at = self._place(top)
        by = QPoint(self.draw.randrange(-200, 200), self.draw.randrange(-200, 200))
        self._note(f"drag {_name(widget)} from {at.x()},{at.y()} by {by.x()},{by.y()}")
        QTest.mousePress(widget, LEFT, NONE, at)
        for part in (0.3, 0.6, 1.0):
            QTest.mouseMove(widget, at + QPoint(round(by.x() * part), round(by.y() * part)))
        QTest.mouseRelease(widget, LEFT, NONE, at + by)

    def _resize(self, top: QWidget) -> None:
        size = QSize(self.draw.randrange(640, 1500), self.draw.randrange(480, 1000))
        self._note(f"resize to {size.width()}×{size.height()}")
        self.window.resize(size)

    def _note(self, act: str) -> None:
        self.acts.append(act)


def _name(widget: QWidget) -> str:
    parent = widget.parentWidget()
    own = widget.objectName() or type(widget).__name__
    return f"{own} in {parent.objectName() or type(parent).__name__}" if parent is not None else own
