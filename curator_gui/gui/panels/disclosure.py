"""The disclosure of the whole plan: as a chart, target by target, and as a table of the same numbers."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import CuratorError
from curator_gui.disclosure.trajectory import PrefixScore
from curator_gui.gui import words
from curator_gui.gui.asking import Asking, Dialogs
from curator_gui.gui.charts.disclosure_chart import DisclosureChart
from curator_gui.gui.charts.export import FILTERS, export_chart
from curator_gui.gui.controller import Controller
from curator_gui.gui.copy_table import CopyTable
from curator_gui.gui.elided_label import ElidedLabel
from curator_gui.gui.models.trajectory import TrajectoryModel, series_of
from curator_gui.gui.naming import named
from curator_gui.gui.panels.targets_page import TargetsPage
from curator_gui.gui.theme import MARKS, standing_of, standing_words

_WIDEST = 260


class DisclosurePanel(QWidget):
    """Tabs Chart, Targets and Numbers; under them what is worth knowing besides α and is not in the status
    bar, where the figures stand that must always be in sight."""

    def __init__(
        self, controller: Controller, asking: Asking | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("disclosure")
        self._controller = controller
        self._asking = asking or Dialogs()
        self.chart = DisclosureChart(self)
        self.targets = TargetsPage(controller, self)
        self.model = TrajectoryModel(self)
        self.numbers = named(CopyTable(self), "numbers", self.tr("Disclosure after each step, in numbers"))
        self._tabs = named(QTabWidget(self), "disclosure_tabs", self.tr("Disclosure"))
        self._secrets = named(QCheckBox(self.tr("Each secret"), self), "chart_secrets")
        self._band = named(QCheckBox(self.tr("Median to 90 %"), self), "chart_band")
        self._branches = named(QCheckBox(self.tr("Other branches"), self), "chart_branches")
        self._copy = named(QToolButton(self), "copy_numbers", self.tr("Copy the numbers"))
        self._export = named(QToolButton(self), "export_chart", self.tr("Export the chart or its numbers"))
        self._figures = named(ElidedLabel(self), "figures_beside", self.tr("Figures beside the disclosure"))
        self._note = named(QLabel(self), "disclosure_note", self.tr("What the disclosure alone does not say"))
        self._set_up_controls()
        self._set_up_numbers()
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Read the trajectory, the position and the preview again."""
        self.refresh_chart()
        session = self._controller.session
        position = 0 if session is None else session.position
        self.model.show(self._controller.trajectory, position, self._controller.describe)
        self.numbers.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            if self.numbers.columnWidth(column) > _WIDEST:
                self.numbers.setColumnWidth(column, _WIDEST)
        self._show_figures()

    def refresh_chart(self) -> None:
        """Read what the chart shows again, the preview included."""
        session, trajectory = self._controller.session, self._controller.trajectory
        if session is None or trajectory is None or not trajectory.secrets:
            self.chart.show_series(None, self._empty_text())
        else:
            preview, describe = self._controller.preview, self._controller.describe
            exposed, branches = session.record.exposed, self._controller.further.branches
            series = series_of(
                trajectory, session.position, preview, describe, exposed=exposed, branches=branches
            )
            self.chart.show_series(series)
        shown = self.chart.series is not None
        for control in (self._secrets, self._band, self._export, self._copy):
            control.setEnabled(shown)
        self._show_controls()

    # --- setting up ---

    def _set_up_controls(self) -> None:
        self._secrets.setToolTip(self.tr("A line for each secret alone"))
        self._band.setToolTip(self.tr("Half of all targets lie below the band, and one in ten above it"))
        self._branches.setToolTip(self.tr("Where the plan's other branches lead, as grey lines"))
        self._copy.setText(self.tr("Copy"))
        self._copy.setToolTip(self.tr("Copy the selected rows, or all of them, for a spreadsheet"))
        self._export.setText(self.tr("Export…"))
        self._export.setToolTip(self.tr("Save the chart as PNG or SVG, or its numbers as CSV"))
        for button in (self._copy, self._export):
            button.setAutoRaise(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note.setContentsMargins(8, 0, 8, 0)
        self._figures.setContentsMargins(8, 0, 8, 0)

    def _set_up_numbers(self) -> None:
        self.numbers.setModel(self.model)
        self.numbers.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def _lay_out(self) -> None:
        corner = QWidget(self)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        for control in (self._secrets, self._band, self._branches, self._copy, self._export):
            row.addWidget(control)
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self.chart, self.tr("Chart"))
        self._tabs.addTab(self.targets, self.tr("Targets"))
        self._tabs.addTab(self.numbers, self.tr("Numbers"))
        self._tabs.setCornerWidget(corner)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 4)
        box.setSpacing(4)
        box.addWidget(self._tabs, 1)
        box.addWidget(self._note)
        box.addWidget(self._figures)
        self._show_controls()

    def _connect(self) -> None:
        c = self._controller
        for signal in (c.session_changed, c.plan_changed, c.trajectory_changed):
            signal.connect(self.refresh)
        c.preview_changed.connect(self.refresh_chart)
        self._tabs.currentChanged.connect(self._show_controls)
        self._secrets.clicked.connect(self.chart.show_secrets)
        self._band.clicked.connect(self.chart.show_band)
        self._branches.clicked.connect(c.further.show_branches)
        c.further.branched.connect(self.refresh_chart)
        self._export.clicked.connect(self.export)
        self._copy.clicked.connect(self.numbers.copy)
        self.chart.prefix_clicked.connect(c.go_to)
        self.numbers.chosen.connect(self._stand_at_row)
        self.numbers.refused.connect(c.problem)

    def _show_controls(self) -> None:
        """Only what bears on the tab in sight."""
        page = self._tabs.currentWidget()
        for control in (self._secrets, self._band):
            control.setVisible(page is self.chart)
        session = self._controller.session
        branched = session is not None and bool(session.record.branches)
        self._branches.setVisible(page is self.chart and branched)
        self._copy.setVisible(page is self.numbers)
        self._export.setVisible(page is not self.targets)

    # --- what the user does ---

    def export(self) -> None:
        """Ask for a file and write the chart, or its numbers, as the file's ending says."""
        session = self._controller.session
        if session is None:
            return
        ending = "csv" if self._tabs.currentWidget() is self.numbers else "png"
        proposed = session.source_path.with_name(f"disclosure.{ending}")
        path = self._asking.file_to_write(self, self.tr("Export the chart"), FILTERS, proposed)
        if path is None:
            return
        try:
            export_chart(self.chart, path)
        except CuratorError as error:
            self._controller.problem.emit(str(error))
            return
        self._controller.notice.emit(self.tr("Exported {0}.").format(path.name))

    def _stand_at_row(self, index: QModelIndex) -> None:
        self._controller.go_to(index.row())

    # --- what is shown ---

    def _empty_text(self) -> str:
        session = self._controller.session
        if session is None:
            return self.tr("Open a table; then this shows what each step of its preparation discloses.")
        if not session.protection.secrets:
            return self.tr("Say what must not be learned (Protection…); then each step is scored here.")
        return self.tr("Scoring…")

    def _show_figures(self) -> None:
        text = " · ".join(self._figures_beside())
        self._figures.show_line(text)
        self._figures.setVisible(bool(text))
        note = self._note_text()
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def _score_here(self) -> PrefixScore | None:
        session, trajectory = self._controller.session, self._controller.trajectory
        if session is None or trajectory is None or session.position >= len(trajectory.prefixes):
            return None
        return trajectory.prefixes[session.position]

    def _figures_beside(self) -> list[str]:
        score = self._score_here()
        if score is None:
            return []
        return [self._of_utility(score), *self._of_targets(score), *self._of_prior()]

    def _of_utility(self, score: PrefixScore) -> str:
        return self.tr("utility {0}").format(words.percent(score.utility))

    def _of_targets(self, score: PrefixScore) -> list[str]:
        found, figures = [], score.figures
        if figures.median is not None and figures.ninth_decile is not None:
            median, ninth = words.factor(figures.median), words.factor(figures.ninth_decile)
            found.append(
                self.tr("half of the targets up to {0}, nine in ten up to {1}").format(median, ninth)
            )
        if score.no_evidence:
            found.append(self.tr("{0} without evidence").format(words.count(score.no_evidence)))
        return found

    def _of_prior(self) -> list[str]:
        prior = self._controller.prior
        if prior is None:
            return []
        found = []
        if prior.lone_profiles:
            found.append(self.tr("{0} alone in their group").format(words.records(prior.lone_profiles)))
        if prior.certain:
            found.append(self.tr("{0} certain beforehand").format(words.targets(prior.certain)))
        return found

    def _note_text(self) -> str:
        return " ".join(text for text in (self._removed_note(), self._released_note()) if text)

    def _removed_note(self) -> str:
        """An accumulating observer finds nobody to compare with: never as no disclosure without a word."""
        removed, session = self._controller.removed_between, self._controller.session
        if removed is None or session is None:
            return ""
        number, alpha = removed.targets, removed.alpha_membership_aware
        standing = standing_of(alpha, session.protection.budget)
        text = self.tr(
            "{0} removed between releases, and so not counted in the disclosure; for an observer who knows "
            "who is in the release it is {1}, {2} {3}."
        )
        told = words.disclosure(alpha), MARKS[standing], standing_words(standing)
        return text.format(words.targets(number), *told)

    def _released_note(self) -> str:
        """Other tables that left the house over the budget, under this plan or on another branch."""
        session, over = self._controller.session, self._controller.exposed_over
        if session is None or not over:
            return ""
        steps = [words.count(table.step) for table in over if table.step is not None]
        other = self.tr("“{0}”, of another branch")
        branches = [other.format(t.file or self.tr("a table")) for t in over if t.step is None]
        named = [self.tr("step {0}").format(", ".join(steps))] if steps else []
        text = self.tr("{0} Released before, and over budget: {1}.").format(
            words.RELEASED, "; ".join([*named, *branches])
        )
        if session.record.reading != "every-exposed":
            return text
        return f"{text} {self.tr('The budget holds for every release, so the next one needs a reason.')}"
