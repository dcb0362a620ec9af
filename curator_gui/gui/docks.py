"""The panels as docks that can be moved, hidden and restored, and the keys that walk through them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QScrollArea, QWidget

from curator_gui.gui.first_window import FIRST_SIZE
from curator_gui.gui.naming import named

Area = Qt.DockWidgetArea

_VERSION = 1
_PLAN = 240
"""The least width of the plan at first, in pixels: the name of a step has room there on two lines."""


class Docks:
    """The docks of a window, in the order F6 walks through them, then the centre.

    The layout is kept in the settings from one run to the next.
    """

    def __init__(self, window: QMainWindow, centre: QWidget, settings: QSettings) -> None:
        self._window = window
        self._centre = centre
        self._settings = settings
        self._first = QByteArray()
        self.all: list[QDockWidget] = []
        self._aside: list[QDockWidget] = []

    def arrange(
        self, plan: QWidget, columns: QWidget, next_step: QWidget, why: QWidget, disclosure: QWidget
    ) -> None:
        """The first layout: plan and columns left, next step and why right, disclosure below."""
        tr, down = self._window.tr, Qt.Orientation.Vertical
        left = self._add(tr("Plan"), plan, Area.LeftDockWidgetArea)
        below = self._add(tr("Columns"), columns, Area.LeftDockWidgetArea)
        self._window.splitDockWidget(left, below, down)
        right = self._add(tr("Next step"), next_step, Area.RightDockWidgetArea)
        under = self._add(tr("Why"), why, Area.RightDockWidgetArea)
        self._window.splitDockWidget(right, under, down)
        self._add(tr("Disclosure"), disclosure, Area.BottomDockWidgetArea)

    def add_aside(self, title: str, panel: QWidget) -> QDockWidget:
        """A panel behind the last one as a tab; it stays hidden until it is asked for."""
        before = self.all[-1]
        dock = self._add(title, panel, Area.BottomDockWidgetArea)
        self._window.tabifyDockWidget(before, dock)
        before.raise_()
        self._aside.append(dock)
        return dock

    def restore_window(self) -> None:
        """Size and place of the last run; the docks stay hidden while nothing is open."""
        geometry = self._settings.value("geometry")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._window.resize(FIRST_SIZE)
        self._first = self._window.saveState(_VERSION)
        self._show_all(False)

    def show(self, shown: bool) -> None:
        """Show the docks as they were left, or hide them all and keep how they stood."""
        if not shown:
            self.save()
        self._show_all(shown)
        if shown:
            layout = self._settings.value("layout")
            if not (isinstance(layout, QByteArray) and self._window.restoreState(layout, _VERSION)):
                QTimer.singleShot(0, self._window, self._share_space)

    def save(self) -> None:
        """Keep how the docks stand."""
        self._settings.setValue("layout", self._window.saveState(_VERSION))

    def save_window(self) -> None:
        """Keep size and place of the window."""
        self._settings.setValue("geometry", self._window.saveGeometry())

    def reset(self) -> None:
        """The first layout again."""
        self._settings.remove("layout")
        self._window.restoreState(self._first, _VERSION)
        self._show_all(True)
        self._share_space()

    def focus_next(self, step: int) -> None:
        """Give the keyboard to the next visible panel."""
        places = self._places()
        at = self._at(places)
        if places:
            _focus(places[(at + step) % len(places)])

    def _add(self, title: str, panel: QWidget, area: Area) -> QDockWidget:
        dock = named(QDockWidget(title, self._window), f"dock_{panel.objectName()}", title)
        dock.setWidget(panel)
        self._window.addDockWidget(area, dock)
        self.all.append(dock)
        return dock

    def _show_all(self, shown: bool) -> None:
        for dock in self.all:
            dock.setVisible(shown and dock not in self._aside)

    def _share_space(self) -> None:
        """Widths and heights that suit the panels, in proportion to the window."""
        plan, columns, step, why, disclosure = self.all[:5]
        width, height = self._window.width(), self._window.height()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([plan, step], [max(round(width * 0.21), _PLAN), round(width * 0.35)], across)
        self._window.resizeDocks([plan, columns], [round(height * 0.3), round(height * 0.28)], down)
        self._window.resizeDocks([step, why], [round(height * 0.48), round(height * 0.38)], down)
        self._window.resizeDocks([disclosure], [round(height * 0.3)], down)

    def _places(self) -> list[QWidget]:
        docked = [d.widget() for d in self.all if d.isVisible() and not d.visibleRegion().isEmpty()]
        return [*docked, self._centre]

    @staticmethod
    def _at(places: Sequence[QWidget]) -> int:
        focused = QApplication.focusWidget()
        for i, place in enumerate(places):
            if focused is not None and (place is focused or place.isAncestorOf(focused)):
                return i
        return -1


def _focus(place: QWidget) -> None:
    """The first control of a panel that takes the keyboard, a list before the rest."""
    controls = [w for w in place.findChildren(QWidget) if _takes_keys(w)]
    views = [w for w in controls if isinstance(w, QScrollArea) or w.inherits("QAbstractItemView")]
    for control in (views or controls)[:1]:
        control.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _takes_keys(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus.value
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy().value & tab)
