"""Settings: how the window looks, how a new table begins, what is kept on this computer. Each takes effect
at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from curator_gui.gui import words
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.naming import named
from curator_gui.gui.observers import CHOICES, observer_name, observer_sentence
from curator_gui.gui.preferences import AUTOSAVE_S, RECENT, SIZES, Preferences, prefer, preferences_of
from curator_gui.gui.recent import forget_all, recent_files
from curator_gui.gui.sentence import Sentence


class SettingsDialog(QDialog):
    """``preferred`` carries the preferences after each change, once they are stored."""

    preferred = Signal(object)

    def __init__(self, settings: QSettings, budgets: Budgets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "settings")
        self.setWindowTitle(self.tr("Settings"))
        self._settings, self._budgets = settings, budgets
        self._scheme = self._list("scheme", self.tr("Colours"), self._schemes())
        sizes = [(words.percent(s / 100), s) for s in SIZES]
        self._percent = self._list("reading_size", self.tr("Reading size"), sizes)
        observers = [(observer_name(kind), kind) for kind in CHOICES]
        self._observer = self._list("usual_observer", self.tr("Observer of a new table"), observers)
        self._knows = named(QLabel(self, wordWrap=True), "usual_observer_knows")
        self._autosave = self._number(
            "autosave_interval", self.tr("Seconds between safety copies"), AUTOSAVE_S
        )
        self._autosave.setSuffix(self.tr(" s"))
        self._recent = self._number("recent_kept", self.tr("Recent files kept"), RECENT)
        self._forget = self._button(self.tr("Forget them"), "forget_recent")
        self._ledger = named(QLineEdit(self), "settings_ledger", self.tr("Where the ledger is"))
        self._use = named(
            QPushButton(self.tr("Use this ledger"), self, autoDefault=False), "settings_use_ledger"
        )
        self._usual = named(
            QPushButton(self.tr("The usual place"), self, autoDefault=False), "settings_usual_ledger"
        )
        self._problem = Sentence("settings_problem", self)
        self._lay_out()
        self.refresh()
        self._connect()

    def refresh(self) -> None:
        """Show what is stored."""
        now = preferences_of(self._settings)
        for combo, value in ((self._scheme, now.scheme), (self._observer, now.observer)):
            combo.setCurrentIndex(max(combo.findData(value), 0))
        nearest = min(SIZES, key=lambda s: abs(s - now.percent))
        self._percent.setCurrentIndex(self._percent.findData(nearest))
        self._knows.setText(observer_sentence(self._observer.currentData()))
        self._autosave.setValue(now.autosave)
        self._recent.setValue(now.recent)
        self._show_recent()
        self._show_ledger()

    # --- building ---

    def _schemes(self) -> list[tuple[str, str]]:
        return [
            (self.tr("As the system has them"), "system"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        ]

    def _list(self, name: str, accessible: str, choices: list[Any]) -> QComboBox:
        combo = named(QComboBox(self), name, accessible)
        for label, value in choices:
            combo.addItem(label, value)
        return combo

    def _number(self, name: str, accessible: str, within: tuple[int, int]) -> QSpinBox:
        box = named(QSpinBox(self), name, accessible)
        box.setRange(*within)
        box.setKeyboardTracking(False)
        return box

    def _button(self, label: str, name: str) -> QPushButton:
        return named(QPushButton(label, self, autoDefault=False), name)

    def _lay_out(self) -> None:
        inside = QWidget()
        groups = QVBoxLayout(inside)
        for group in (self._looks(), self._begins(), self._kept(), self._paid()):
            groups.addWidget(group)
        groups.addStretch(1)
        area = named(QScrollArea(self), "settings_page", self.tr("Settings"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self._buttons = QDialogButtonBox(self)
        self._restore = named(
            self._buttons.addButton(self.tr("Restore defaults"), QDialogButtonBox.ButtonRole.ResetRole),
            "restore_defaults",
        )
        self._restore.setAutoDefault(False)
        close = self._buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        named(close, "close_settings").setDefault(True)
        box = QVBoxLayout(self)
        box.addWidget(area, 1)
        box.addWidget(self._problem)
        box.addWidget(self._buttons)
        self.resize(560, 560)

    def _looks(self) -> QGroupBox:
        group, form = self._group(self.tr("Look"))
        form.addRow(self.tr("Colours"), self._scheme)
        form.addRow(self.tr("Reading size"), self._percent)
        return group

    def _begins(self) -> QGroupBox:
        group, form = self._group(self.tr("A new table"))
        form.addRow(self.tr("Observer"), self._observer)
        form.addRow("", self._knows)
        return group

    def _kept(self) -> QGroupBox:
        group, form = self._group(self.tr("Kept on this computer"))
        form.addRow(self.tr("Safety copy of unsaved work every"), _left(self._autosave))
        form.addRow(self.tr("Recent files kept"), _left(self._recent, self._forget))
        return group

    def _paid(self) -> QGroupBox:
        group, form = self._group(self.tr("Privacy budget"))
        form.addRow(self.tr("Ledger"), self._ledger)
        form.addRow("", _left(self._use, self._usual))
        return group

    def _group(self, title: str) -> tuple[QGroupBox, QFormLayout]:
        group = QGroupBox(title, self)
        form = QFormLayout(group)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        return group, form

    def _connect(self) -> None:
        self._scheme.activated.connect(lambda _: self._prefer(scheme=self._scheme.currentData()))
        self._percent.activated.connect(lambda _: self._prefer(percent=self._percent.currentData()))
        self._observer.activated.connect(lambda _: self._prefer(observer=self._observer.currentData()))
        self._autosave.valueChanged.connect(lambda seconds: self._prefer(autosave=seconds))
        self._recent.valueChanged.connect(lambda number: self._prefer(recent=number))
        self._forget.clicked.connect(self._forget_recent)
        self._ledger.textEdited.connect(lambda _: self._show_use())
        self._use.clicked.connect(lambda: self._choose_ledger(self._ledger.text().strip()))
        self._usual.clicked.connect(lambda: self._choose_ledger(""))
        self._restore.clicked.connect(self._restore_defaults)
        self._buttons.rejected.connect(self.reject)

    def _show_recent(self) -> None:
        number = len(recent_files(self._settings))
        self._forget.setEnabled(number > 0)
        self._forget.setToolTip(self.tr("Forget the {0} remembered now").format(words.count(number)))

    def _show_ledger(self) -> None:
        self._ledger.setText(self._budgets.url)
        self._ledger.setCursorPosition(0)
        self._ledger.setToolTip(self._budgets.url)
        self._show_use()

    def _show_use(self) -> None:
        typed = self._ledger.text().strip()
        self._use.setEnabled(bool(typed) and typed != self._budgets.url)
        self._usual.setEnabled(self._budgets.is_chosen)

    # --- what the user does ---

    def _prefer(self, **changed: Any) -> None:
        self._take(replace(preferences_of(self._settings), **changed))

    def _restore_defaults(self) -> None:
        """The usual preferences; the ledger and the list of recent files are no matter of taste."""
        self._take(Preferences())

    def _take(self, preferences: Preferences) -> None:
        if preferences == preferences_of(self._settings):
            return
        prefer(self._settings, preferences)
        self.preferred.emit(preferences)
        self.refresh()

    def _forget_recent(self) -> None:
        forget_all(self._settings)
        self._show_recent()
        self._problem.tell(self.tr("The recent files are forgotten; the files themselves are untouched."))

    def _choose_ledger(self, url: str) -> None:
        if _names_a_password(url):
            self._problem.refuse(
                self.tr(
                    "The address holds a password, which is never stored; leave it out and keep it where the "
                    "database's own client looks for it."
                )
            )
            return
        self._problem.clear()
        self._budgets.choose(url)
        self._show_ledger()


def _names_a_password(url: str) -> bool:
    """Whether an address such as postgresql://ann:secret@host/db holds a password."""
    _, scheme, rest = url.partition("://")
    user, at, _ = rest.rpartition("@")
    return bool(scheme and at and ":" in user) or "password=" in url.lower()


def _left(*widgets: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    for widget in widgets:
        line.addWidget(widget)
    line.addStretch(1)
    return line
