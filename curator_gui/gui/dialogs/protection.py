"""Protection: what an outsider knows, what must not be learned, of whom, and how much may be."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTabWidget, QVBoxLayout, QWidget

from curator_gui.core.errors import InputError
from curator_gui.core.protection import Protection
from curator_gui.disclosure.population import resolve
from curator_gui.disclosure.warnings import warnings
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.bounds_page import BoundsPage
from curator_gui.gui.dialogs.secrets_page import SecretsPage
from curator_gui.gui.dialogs.visible_page import VisiblePage
from curator_gui.gui.likely_column import likely_column
from curator_gui.gui.naming import named
from curator_gui.gui.theme import theme_of
from curator_gui.session import Session

_CHECK_AFTER_MS = 250
_FEW = 50  # values of a column whose every value may well be a secret
_START = 0.2
"""The budget that is proposed for a table nothing is said of yet: ×1.22."""


class ProtectionDialog(QDialog):
    """Three pages. What the draft would mean is checked in a thread while it is edited."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("protection")
        self.setWindowTitle(self.tr("Protection"))
        session = controller.session
        assert session is not None
        self._controller, self._source, self._key = controller, session.source, session.record.key
        protection = _begun(session.protection)
        known = [v.column for v in protection.visible]
        names, roles = session.table.names, session.record.roles
        identifiers = {n for n, role in roles.items() if role == "identifier"}
        ordinary = [c for c in session.table.columns if c.name not in identifiers]
        few = [c.name for c in ordinary if len(c.values) <= _FEW and c.name not in known]
        secret, first = likely_column(few or names, roles, known), likely_column(names, roles)
        self._visible = VisiblePage(session.source, protection.visible, identifiers)
        self._secrets = SecretsPage(session.source, protection.secrets, secret)
        self._bounds = BoundsPage(session.source, protection, session.record.reading, first)
        self._pages = named(QTabWidget(self), "protection_pages", self.tr("Parts of the protection"))
        self._warnings = self._sentence("protection_warnings")
        self._problem = self._sentence("protection_problem")
        self._is_done = False
        self._lay_out()
        self._soon = QTimer(self, singleShot=True, interval=_CHECK_AFTER_MS)
        self._soon.timeout.connect(self._check)
        for page in (self._visible, self._secrets, self._bounds):
            page.edited.connect(self._edited)
        for refusing in (self._visible, self._secrets):
            refusing.refused.connect(self._refuse)
        self._check()

    @property
    def draft(self) -> Protection:
        """The protection as edited. InputError where a part of it is not complete."""
        return Protection(
            visible=self._visible.visible,
            secrets=self._secrets.secrets,
            targets=self._bounds.targets,
            budget=self._bounds.budget,
            observer=self._bounds.observer,
        )

    def accept(self) -> None:
        """Take the draft, or say in one sentence why not and stay."""
        try:
            draft = self.draft
            refusal = self._controller.change_session(lambda session: self._take(session, draft))
        except InputError as error:
            refusal = str(error)
        if refusal is None:
            super().accept()
        else:
            self._refuse(refusal)

    def _take(self, session: Session, draft: Protection) -> None:
        session.set_protection(draft)
        session.set_reading(self._bounds.reading)

    def done(self, result: int) -> None:
        """Nothing is checked any more: what it found would be told to a dialog that is gone."""
        self._is_done = True
        self._soon.stop()
        self._controller.jobs.cancel("check")
        super().done(result)

    def _sentence(self, name: str) -> QLabel:
        label = named(QLabel(self), name)
        label.setWordWrap(True)
        label.hide()
        return label

    def _lay_out(self) -> None:
        self._pages.addTab(self._visible, self.tr("Known to an outsider"))
        self._pages.addTab(self._secrets, self.tr("Secrets"))
        self._pages.addTab(self._bounds, self.tr("Targets, budget, observer"))
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel, self)
        named(buttons.button(standard.Ok), "accept_protection")
        named(buttons.button(standard.Cancel), "cancel_protection")
        for button in buttons.buttons():
            button.setIcon(QIcon())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        for widget in (self._pages, self._warnings, self._problem, buttons):
            box.addWidget(widget, 1 if widget is self._pages else 0)
        self.resize(720, 600)

    def _edited(self) -> None:
        self._problem.hide()
        if not self._is_done:
            self._soon.start()

    def _check(self) -> None:
        """What the draft would mean, in a thread: a million records take a moment."""
        self._soon.stop()
        try:
            draft = self.draft
        except InputError:
            return  # something is half typed; the field itself says what is missing
        source, key = self._source, self._key

        def done(found: list[str]) -> None:
            self._warnings.setText("\n".join(f"• {sentence}" for sentence in found))
            self._warnings.setVisible(bool(found))

        self._controller.jobs.start(
            self.tr("Checking the protection"),
            lambda _: warnings(resolve(source, draft), key),
            kind="check",
            done=done,
            failed=self._refuse,
        )

    def _refuse(self, sentence: str) -> None:
        palette = self._problem.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme_of(self.palette()).over_text)
        self._problem.setPalette(palette)
        self._problem.setText(sentence)
        self._problem.show()


def _begun(protection: Protection) -> Protection:
    """Where nothing is protected yet, a budget of 0 is no decision but the absence of one."""
    untouched = not (protection.visible or protection.secrets or protection.budget)
    return replace(protection, budget=_START) if untouched else protection
