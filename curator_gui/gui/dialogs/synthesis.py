"""One synthesis, from its charge to its export. The window stays free meanwhile."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from curator_gui.bundled import sample
from curator_gui.gui.asking import Asking, Taken
from curator_gui.gui.budgets import Budgets
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.synthesis_progress import ProgressPage
from curator_gui.gui.dialogs.synthesis_result import ResultPage
from curator_gui.gui.jobs import Job
from curator_gui.gui.naming import named
from curator_gui.gui.synthesis_job import SynthesisJob
from curator_gui.gui.words import records
from curator_gui.store.files import write_atomically
from curator_gui.store.release import INTERNAL_SUFFIX
from curator_gui.synthesizing import Exported, Made, compare, export
from curator_gui.synthesizing.export import internal_manifest


class SynthesisDialog(QDialog):
    """Progress, then the result. It does not close over a table that was paid for and not exported, unless
    its user says so. kept: where the record that stays with the curator goes when the session has no file."""

    def __init__(
        self,
        controller: Controller,
        budgets: Budgets,
        job: SynthesisJob,
        asking: Asking,
        *,
        kept: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("synthesis")
        self.setWindowTitle(self.tr("Synthetic table of {0}").format(job.session.source_path.name))
        self._controller, self._budgets, self._job = controller, budgets, job
        self._asking, self._kept = asking, kept
        self._live = controller.session
        self._may_lose = True
        self._progress = ProgressPage(job, self)
        self._result = ResultPage(self)
        self._pages = named(QStackedWidget(self), "synthesis_pages")
        for page in (self._progress, self._result):
            self._pages.addWidget(page)
        box = QVBoxLayout(self)
        box.addWidget(self._pages)
        self.resize(760, 560)
        self._connect()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._job.outcome is None:
            self._progress.ask_to_wait()
            event.ignore()
        elif self._may_lose:
            event.accept()
        else:
            self._result.ask_to_stay()
            event.ignore()

    def reject(self) -> None:
        """Escape closes a table that is safe, and never cancels by accident."""
        if self._job.outcome is not None:
            self.close()

    def _connect(self) -> None:
        self._job.progressed.connect(self._progress.refresh)
        self._job.ended.connect(self._ended)
        self._progress.cancelled.connect(self._cancel)
        self._progress.closed.connect(self.close)
        self._result.closed.connect(self.close)
        self._result.anyway.clicked.connect(self._close_anyway)
        self._result.export_asked.connect(self._export)
        self._result.comparison.asked.connect(self._compare)

    def _cancel(self) -> None:
        self._job.cancel()
        self._progress.refresh()

    def _ended(self) -> None:
        self._budgets.read()
        self._progress.refresh()
        made = self._made
        if made is not None:
            self._may_lose = False
            self._result.show_made(made)
            self._pages.setCurrentWidget(self._result)

    @property
    def _made(self) -> Made | None:
        return self._job.outcome.made if self._job.outcome else None

    def _close_anyway(self) -> None:
        self._may_lose = True
        self.close()

    # --- comparing ---

    def _compare(self) -> None:
        made, session = self._made, self._job.session
        if made is None:
            return
        self._controller.jobs.start(
            self.tr("Comparing"),
            lambda _: compare(session, made),
            kind="compare",
            done=self._result.comparison.show_comparison,
            failed=self._result.comparison.refuse,
        )

    # --- exporting ---

    def _export(self) -> None:
        made = self._made
        proposed = self._folder() / f"{self._job.session.source_path.stem}-synthetic.csv"
        path = self._ask_where(proposed)
        if path is not None and made is not None:
            self._start_export(made, path)

    def _ask_where(self, proposed: Path) -> Path | None:
        """A file with a suffix, which may be replaced where it is there already."""
        kinds = self.tr("Tables (*.csv *.tsv *.parquet *.xlsx *.dta)")
        path = self._asking.file_to_write(self, self.tr("Export to"), kinds, proposed)
        if path is None or path.suffix:
            return path
        path = path.with_name(f"{path.name}.csv")
        if not path.exists():
            return path
        # The system's dialog has asked about the name without the suffix.
        answer = self._asking.about_file(
            self,
            self.tr("“{0}” exists already. Replace it?").format(path.name),
            self.tr("What it holds now is lost."),
        )
        if answer is Taken.OTHER_NAME:
            return self._ask_where(proposed)
        return path if answer is Taken.REPLACE else None

    def _start_export(self, made: Made, path: Path) -> None:
        session, ledger, kept = self._job.session, self._job.ledger, self._kept

        def work(job: Job) -> tuple[Exported, Path]:
            exported = export(made, path, session, ledger, job)
            return exported, exported.internal_path or _keep(kept, made, exported, self._job)

        self._result.exporting()
        self._controller.jobs.start(
            self.tr("Exporting {0}").format(path.name),
            work,
            kind="export",
            done=lambda found: self._exported(*found),
            failed=self._result.not_exported,
        )

    def _exported(self, exported: Exported, internal: Path) -> None:
        self._may_lose = True
        self._remember()
        said = self.tr(
            "Exported {0} to “{1}” with its manifest “{2}”. Your own record of it, not to be passed on: {3}."
        ).format(records(exported.rows), exported.path, exported.external_path.name, internal)
        self._result.exported(" ".join([said, *exported.warnings]), problems=bool(exported.warnings))
        self._budgets.read()

    def _remember(self) -> None:
        """The open session remembers the export, if it is still the one the table was made from."""
        live, known = self._live, self._job.session.record.synthetic
        if live is not None and live is self._controller.session and known:
            live.record_synthetic(known[-1])
            self._controller.plan_changed.emit()

    def _folder(self) -> Path:
        session = self._job.session
        if session.path is not None:
            return session.path.parent
        bundled = session.source_path.parent == sample("clinic.csv").parent
        return Path.home() if bundled else session.source_path.parent


def _keep(folder: Path, made: Made, exported: Exported, job: SynthesisJob) -> Path:
    """The internal manifest of a session that has no file of its own."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{exported.path.stem}.{exported.sha256[:8]}{INTERNAL_SUFFIX}"
    manifest = internal_manifest(made, job.session, exported.sha256)
    text = json.dumps(manifest, ensure_ascii=False, indent=1, default=float)
    write_atomically(path, f"{text}\n".encode(), mode=0o600)
    return path
