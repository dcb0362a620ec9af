"""Release: what leaves, what stays, and where it goes; then progress, and where it went."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.disclosure.trajectory import PrefixScore
from curator_gui.disclosure.warnings import warnings
from curator_gui.gui import words
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.release_columns import ReleaseColumns
from curator_gui.gui.dialogs.release_destination import Browse, Destination
from curator_gui.gui.dialogs.release_format import FormatChoice
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.theme import MARKS, Standing, standing_of, standing_words, theme_of
from curator_gui.session import Session
from curator_gui.store.release import EXTERNAL_SUFFIX, INTERNAL_SUFFIX, Released
from curator_gui.store.synthetic_beside import synthetic_beside


class ReleaseDialog(QDialog):
    """Over the budget only with a reason; identifiers only by a tick; then written, read back and checked."""

    def __init__(
        self, controller: Controller, proposed: Path, browse: Browse, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("release")
        self.setWindowTitle(self.tr("Release"))
        self._controller = controller
        session = controller.session
        assert session is not None
        self._session: Session = session
        self._written = False
        self._identifiers = self._identifier_ticks()
        self._build(proposed, browse)
        self._connect()
        self._refresh()

    @property
    def path(self) -> Path:
        return self._destination.path

    # --- setting up ---

    def _build(self, proposed: Path, browse: Browse) -> None:
        self._summary = named(QLabel(self), "release_summary")
        self._summary.setWordWrap(True)
        self._unmeasured = Sentence("release_unmeasured", self)
        self._all_the_same = named(QCheckBox(self), "release_all_the_same")
        self._all_the_same.setText(self.tr("Release it all the same"))
        self._columns = ReleaseColumns(self._session, self)
        self._reason = named(QLineEdit(self), "reason", self.tr("Reason to release over the budget"))
        self._reason.setPlaceholderText(self.tr("Above the budget: why is it released all the same?"))
        self._reason_row = self._labelled(self.tr("Reason"), self._reason)
        self._order = named(QCheckBox(self), "keep_order")
        self._order.setText(self.tr("Keep the order of the source (otherwise sorted by the released values)"))
        self._order.setToolTip(self.tr("The order of the source can give people away."))
        self._format = named(FormatChoice(self._session, self), "format_choice")
        self._format.follow(proposed)
        self._destination = named(Destination(proposed, browse, self), "destination")
        self._leaves = named(QLabel(self), "release_leaves")
        self._leaves.setWordWrap(True)
        self._warnings = named(QLabel(self), "release_warnings")
        self._warnings.setWordWrap(True)
        self._blocked = Sentence("release_blocked", self)
        self._problem = Sentence("release_problem", self)
        self._bar = named(QProgressBar(self), "release_progress", self.tr("Progress of the release"))
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._lay_out()

    def _lay_out(self) -> None:
        self._buttons = QDialogButtonBox(self)
        self._save = self._buttons.addButton(
            self.tr("Save released table"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        named(self._save, "save_release")
        self._reveal = named(QPushButton(self.tr("Reveal in folder"), self), "reveal")
        self._buttons.addButton(self._reveal, QDialogButtonBox.ButtonRole.ActionRole)
        self._close = self._buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        named(self._close, "close_release")
        box = QVBoxLayout(self)
        box.setSpacing(8)
        asked = (*self._identifiers.values(), self._reason_row, self._destination, self._format, self._order)
        said = (self._leaves, self._warnings, self._blocked, self._problem)
        above: tuple[QWidget, ...] = (self._summary, self._unmeasured, self._all_the_same)
        for widget in (*above, self._columns, *asked, *said, self._bar, self._buttons):
            box.addWidget(widget, 1 if widget is self._columns else 0)
        self._bar.hide()
        self._reveal.hide()
        self.resize(640, 620)

    def _labelled(self, label: str, field: QWidget) -> QWidget:
        row = QWidget(self)
        form = QFormLayout(row)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(label, field)
        return row

    def _identifier_ticks(self) -> dict[str, QCheckBox]:
        return {n: self._identifier_tick(n) for n in self._session.kept_identifiers()}

    def _identifier_tick(self, name: str) -> QCheckBox:
        label = self.tr("Release the identifier “{0}” on purpose").format(name)
        return named(QCheckBox(label, self), f"keep_{name}")

    def _connect(self) -> None:
        self._save.clicked.connect(self._start)
        self._close.clicked.connect(self.reject)
        self._reveal.clicked.connect(self._reveal_folder)
        self._reason.textEdited.connect(self._refresh)
        self._destination.changed.connect(self._refresh)
        self._format.suffix_chosen.connect(self._destination.take_suffix)
        for tick in (self._all_the_same, *self._identifiers.values()):
            tick.clicked.connect(self._refresh)
        self._controller.job_changed.connect(self._refresh_job)
        self._controller.released.connect(self._done)
        self._controller.release_failed.connect(self._failed)
        self._controller.trajectory_changed.connect(self._refresh)

    # --- what is shown ---

    def _refresh(self) -> None:
        if self._written:
            return
        score = self._score()
        self._summary.setText(self._summary_of(score))
        self._reason_row.setVisible(self._over)
        self._refresh_unmeasured()
        self._format.follow(self.path)
        self._leaves.setText(self._leaves_and_stays())
        found = [
            *warnings(self._session.scoring.population, self._session.record.key),
            *filter(None, [synthetic_beside(self._session.record.synthetic), self._left_over()]),
        ]
        self._warnings.setText("\n".join(f"• {sentence}" for sentence in found))
        self._warnings.setVisible(bool(found))
        missing = "" if self._controller.releasing else self._what_is_missing()
        self._blocked.tell(missing)
        self._save.setToolTip(missing)
        self._save.setEnabled(not missing and not self._controller.releasing)

    @property
    def _over(self) -> bool:
        """Whether the budget does not hold, for the released prefix or for an earlier one that counts too."""
        score, session = self._score(), self._session
        if score is None:
            return False
        every = session.record.reading == "every-exposed"
        return not score.feasible or (every and bool(self._controller.exposed_over))

    def _left_over(self) -> str:
        """The tables that left above the budget, this one aside; "" where there are none."""
        names = [
            self.tr("step {0}").format(words.count(table.step))
            if table.step is not None
            else self.tr("“{0}”, of another branch").format(table.file or self.tr("a table"))
            for table in self._controller.exposed_over
        ]
        return self.tr("Released before, and over the budget: {0}.").format("; ".join(names)) if names else ""

    def _refresh_unmeasured(self) -> None:
        """Without a secret there is no disclosure to be within any budget: never as an all-clear."""
        said = self.tr("{0} Nothing has been measured: no secret is named (Protection…).").format(
            MARKS[Standing.NEAR]
        )
        if self._is_measured:
            self._unmeasured.clear()
        elif self._unmeasured.text() != said:
            self._unmeasured.warn(said)
        self._all_the_same.setVisible(not self._is_measured)

    @property
    def _is_measured(self) -> bool:
        return bool(self._session.protection.secrets)

    def _score(self) -> PrefixScore | None:
        trajectory, position = self._controller.trajectory, self._session.position
        if trajectory is None or position >= len(trajectory.prefixes):
            return None
        return trajectory.prefixes[position]

    def _summary_of(self, score: PrefixScore | None) -> str:
        if score is None:
            return self.tr("Scoring…")
        disclosed = [self._disclosed(score)] if self._is_measured else []
        return " ".join([self._leaving(score), *disclosed, self._alone(score)])

    def _leaving(self, score: PrefixScore) -> str:
        return self.tr("{0} of {1} leave in {2} columns.").format(
            words.count(score.rows), words.records(self._session.table.rows), len(score.columns)
        )

    def _disclosed(self, score: PrefixScore) -> str:
        budget = self._session.protection.budget
        standing = standing_of(score.alpha, budget)
        colour = theme_of(self.palette()).words(standing).name()
        return self.tr(
            "Disclosure <b>{0}</b>, budget {1}: <b style='color:{2}'>{3} {4}</b>; {5} over it."
        ).format(
            words.disclosure(score.alpha),
            words.disclosure(budget),
            colour,
            MARKS[standing],
            standing_words(standing),
            words.targets(score.over_budget),
        )

    def _alone(self, score: PrefixScore) -> str:
        """The figure “alone” in words: records nobody of their group looks like in the release."""
        alone = round(score.figures.alone * score.rows)
        if not alone:
            return self.tr("No record is alone: each has a look-alike in its group.")
        said = (
            self.tr("{0} ({1}) is alone: nobody else in its group has the same released values.")
            if alone == 1
            else self.tr("{0} ({1}) are alone: nobody else in their group has the same released values.")
        )
        return said.format(words.records(alone), words.percent(score.figures.alone))

    def _leaves_and_stays(self) -> str:
        name = self.path.name or self.tr("the file")
        return self.tr(
            "With “{0}” leaves “{0}{1}”: its columns and hash, nothing of the source. A second manifest "
            "(“*{2}”) with the plan, the scores and the reason stays with you."
        ).format(name, EXTERNAL_SUFFIX, INTERNAL_SUFFIX)

    def _what_is_missing(self) -> str:
        """Why it cannot be saved yet; "" where it can."""
        if self._score() is None:
            return self.tr("The table can be saved once it is scored.")
        if not self._is_measured and not self._all_the_same.isChecked():
            return self.tr("To save, name a secret first, or tick that it is released all the same.")
        if not all(t.isChecked() for t in self._identifiers.values()):
            return self.tr("To save, tick that the identifier is released on purpose, or drop it first.")
        if self._over and not self._reason.text().strip():
            return self._why_a_reason()
        return self._destination.is_missing()

    def _why_a_reason(self) -> str:
        score = self._score()
        if score is not None and not score.feasible:
            return self.tr("To save above the budget, give a reason; it is kept in your manifest.")
        return self.tr("To save, give a reason: the budget holds for every table that leaves. {0}").format(
            self._left_over()
        )

    def _refresh_job(self) -> None:
        running = [j for j in self._controller.jobs.running if j.kind == "release"]
        self._bar.setVisible(bool(running))
        if running:
            self._bar.setValue(round(1000 * running[0].fraction))

    # --- what the user does ---

    def _start(self) -> None:
        self._problem.clear()
        self._destination.refresh()
        self._refresh()  # a file may have appeared since
        if not self._save.isEnabled():
            return
        self._save.setEnabled(False)
        self._controller.release(
            self.path,
            over_budget=self._reason.text().strip() or None,
            keep_identifiers=tuple(self._identifiers),
            keep_order=self._order.isChecked(),
            replace_manifest=self._destination.replace,
            new=not self._destination.replace,
            **self._format.spelling,
        )

    def _failed(self, sentence: str) -> None:
        self._problem.refuse(sentence)
        self._bar.hide()
        self._refresh()

    def _done(self, released: Released) -> None:
        self._written = True
        self._bar.hide()
        said = self.tr("Released {0} to “{1}”; the file was read back and is what was scored.")
        order = "" if self._order.isChecked() else self.tr("Records are sorted by their released values.")
        self._summary.setText(f"{said.format(words.records(released.rows), released.path)} {order}".rstrip())
        ticks = (self._order, self._all_the_same, *self._identifiers.values())
        for widget in (self._columns, self._reason_row, *ticks, self._format):
            widget.setEnabled(False)
        self._destination.settle()
        for widget in (self._blocked, self._problem, self._save):
            widget.hide()
        self._reveal.show()
        self._close.setText(self.tr("Close"))
        self._close.setFocus()

    def reject(self) -> None:
        """Cancel, Esc and the window's cross: what is being written is cancelled first."""
        if self._controller.releasing:
            self._controller.cancel_job()
            self._problem.tell(self.tr("Cancelled."))
            self._refresh()
        else:
            super().reject()

    def _reveal_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.path.resolve().parent)))
