"""The window: panels in docks around the table, and the commands that open, save, undo and release."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import CuratorError
from curator_gui.core.protection import ObserverKind
from curator_gui.gui.actions import Actions, commands_of, key_list, other_keys
from curator_gui.gui.appearance import Appearance
from curator_gui.gui.asking import Asking
from curator_gui.gui.commands import CommandSearch
from curator_gui.gui.controller import Controller
from curator_gui.gui.dialogs.help import HelpDialog
from curator_gui.gui.dialogs.operators import OperatorDialog, OperatorKind
from curator_gui.gui.dialogs.protection import ProtectionDialog
from curator_gui.gui.dialogs.release import ReleaseDialog
from curator_gui.gui.dialogs.settings import SettingsDialog
from curator_gui.gui.docks import Area, Docks
from curator_gui.gui.empty_state import EmptyState
from curator_gui.gui.files import Files
from curator_gui.gui.jobs import sentence_of
from curator_gui.gui.manifests import keep_manifest
from curator_gui.gui.message_bar import MessageBar
from curator_gui.gui.naming import named
from curator_gui.gui.observers import observer_of
from curator_gui.gui.panels.columns import ColumnsPanel
from curator_gui.gui.panels.disclosure import DisclosurePanel
from curator_gui.gui.panels.next_step import NextStepPanel
from curator_gui.gui.panels.plan import PlanPanel
from curator_gui.gui.panels.table import TablePanel
from curator_gui.gui.panels.why import WhyPanel
from curator_gui.gui.preferences import Preferences, preferences_of
from curator_gui.gui.recent import forget_older, recent_files
from curator_gui.gui.recovering import Recovery
from curator_gui.gui.recovery import Autosave
from curator_gui.gui.status import StatusLine
from curator_gui.gui.synthetic import SyntheticTables
from curator_gui.gui.toolbar import MainToolBar
from curator_gui.store.release import Released

_NEED_A_TABLE = (
    *("save_as", "release", "synthesize", "pools", "close"),
    *("protection", "save_steps", "worst", "refresh_data"),
)


class MainWindow(QMainWindow):
    """The parts and the commands of one window.

    settings: where the layout and the recent files are kept. data_folder: the user's own, for autosaves
    and the manifests of sessions that were never saved. log_folder: where errors of the program go.
    """

    def __init__(
        self, controller: Controller, settings: QSettings, data_folder: Path, log_folder: Path, asking: Asking
    ) -> None:
        super().__init__()
        self.controller = controller
        self._settings, self._asking = settings, asking
        self._data_folder, self._log_folder = data_folder, log_folder
        self._autosave = Autosave(
            controller, data_folder / "autosave", self, seconds=preferences_of(settings).autosave
        )
        self.synthetic = SyntheticTables(controller, settings, data_folder, asking, self)
        self.files = Files(controller, settings, asking, self, self._autosave.save)
        self.setObjectName("main_window")
        self.setAcceptDrops(True)
        self.actions_by_name = Actions(self)
        self._build_centre()
        copies = data_folder / "autosave"
        self._recovery = Recovery(controller, copies, self.messages, self.files, self._autosave)
        self._build_docks(settings)
        self._build_actions()
        self._build_menus()
        main = ("open", "save", "undo", "redo", "protection", "release", "synthesize")
        self._toolbar = MainToolBar([self.actions_by_name[name] for name in main], self)
        self.addToolBar(self._toolbar)
        self._connect()
        self.docks.restore_window()
        self._session_changed()
        self.refresh()

    # --- building ---

    def _build_centre(self) -> None:
        self.messages = MessageBar(self)
        self.empty = EmptyState(self)
        self._table = TablePanel(self.controller)
        self._pages = named(QStackedWidget(self), "centre")
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._table)
        centre = QWidget(self)
        box = QVBoxLayout(centre)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.messages)
        box.addWidget(self._pages, 1)
        self.setCentralWidget(centre)
        self._status = StatusLine(self.controller, self)
        self.setStatusBar(self._status)

    def _build_docks(self, settings: QSettings) -> None:
        self.docks = Docks(self, self._pages, settings)
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.BottomRightCorner, Area.RightDockWidgetArea)
        c = self.controller
        self.next_step = NextStepPanel(c)
        self.docks.arrange(PlanPanel(c), ColumnsPanel(c), self.next_step, WhyPanel(c), DisclosurePanel(c))
        self._budget_dock = self.docks.add_aside(self.tr("Privacy budget"), self.synthetic.panel)

    def _build_actions(self) -> None:
        add, c = self.actions_by_name.add, self.controller
        add("open", self.tr("&Open…"), self.files.open, keys=["Ctrl+O"])
        sample, paper = (
            partial(self.files.open_sample, f"{name}.curation.json") for name in ("clinic", "paper")
        )
        add("sample", self.tr("Open the &sample"), sample)
        add("paper", self.tr("Open the smallest &example"), paper)
        add("database", self.tr("Open a &database…"), self.files.open_database)
        add("ask_opening", self.tr("&Ask how each table is read"), self.files.ask_again)
        add("refresh_data", self.tr("Score the plan on &new data…"), self.files.open_new_data)
        add("save", self.tr("&Save session"), self.files.save, keys=["Ctrl+S"])
        add("save_as", self.tr("Save session &as…"), self.files.save_as, keys=["Ctrl+Shift+S"])
        add("release", self.tr("&Release…"), self.release, keys=["Ctrl+E"])
        add("synthesize", self.tr("S&ynthesize…"), self.synthetic.open, keys=["Ctrl+Shift+E"])
        add("pools", self.tr("Privacy &budget of this table…"), self.synthetic.open_pools)
        add("close", self.tr("&Close the table"), self.files.close_session, keys=["Ctrl+W"])
        add("quit", self.tr("&Quit"), self.close, keys=["Ctrl+Q"])
        add("undo", self.tr("&Undo"), c.undo, keys=["Ctrl+Z"], tip=self.tr("One step back; it can be redone"))
        add("redo", self.tr("&Redo"), c.redo, keys=["Ctrl+Shift+Z", "Ctrl+Y"])
        add(
            "commit",
            self.tr("&Commit the previewed step"),
            c.commit_preview,
            keys=["Ctrl+Return", "Ctrl+Enter"],
        )
        add("no_preview", self.tr("End the &preview"), lambda: c.set_preview(None))
        add("save_steps", self.tr("Keep these steps under a &name…"), self.files.save_steps)
        add("protection", self.tr("&Protection…"), self.edit_protection, keys=["Ctrl+P"])
        add("worst", self.tr("Look at the &worst target"), c.select_worst, keys=["Ctrl+T"])
        for kind, label in self._own_kinds():
            add(f"own_{kind}", label, partial(self.edit_own, kind))
        add("cancel", self.tr("Cancel the &job"), self.cancel_job, keys=["Esc"])
        add("next_panel", self.tr("&Next panel"), lambda: self.docks.focus_next(1), keys=["F6"])
        add(
            "previous_panel", self.tr("&Previous panel"), lambda: self.docks.focus_next(-1), keys=["Shift+F6"]
        )
        add("settings", self.tr("Se&ttings…"), self.edit_settings, keys=["Ctrl+,"])
        add("layout", self.tr("&Reset layout"), self.docks.reset)
        add("filter", self.tr("&Filter the next steps"), self.next_step.focus_filter, keys=["Ctrl+Shift+F"])
        add("help", self.tr("&Keys and words"), self.show_help, keys=["F1"])
        add("find", self.tr("&Find a command…"), self.find_command, keys=["Ctrl+K"])
        add("log", self.tr("Open the &log folder"), self.open_log_folder)
        for dock in self.docks.all:
            self.actions_by_name.adopt(f"show_{dock.objectName()}", dock.toggleViewAction())

    def _own_kinds(self) -> tuple[tuple[OperatorKind, str], ...]:
        return (
            ("drop", self.tr("&Drop columns…")),
            ("generalize", self.tr("&Generalize a column…")),
            ("delete", self.tr("D&elete records…")),
            ("delete-records", self.tr("Delete records by n&umber…")),
            ("select", self.tr("&Keep records…")),
            ("replace", self.tr("Re&place values…")),
        )

    def _build_menus(self) -> None:
        actions = self.actions_by_name
        self._recent_menu = named(QMenu(self.tr("Open &recent"), self), "recent_menu")
        self._recent_menu.aboutToShow.connect(lambda: self.files.fill_recent(self._recent_menu))
        own = [f"own_{kind}" for kind, _ in self._own_kinds()]
        opening: list[str | QMenu | None] = ["open", "database", self._recent_menu, "sample", "paper"]
        opening += ["refresh_data", "ask_opening"]
        leaving = ["save", "save_as", "release", "synthesize", "pools"]
        actions.menu(self.tr("&File"), [*opening, None, *leaving, None, "close", "quit"])
        edit = ["undo", "redo", None, "commit", "no_preview", "save_steps", None, "protection", "worst"]
        edit += [None, "settings"]
        actions.menu(self.tr("&Edit"), edit)
        actions.menu(self.tr("&Step"), own)
        shown = [f"show_{d.objectName()}" for d in self.docks.all]
        walking = ["next_panel", "previous_panel", "filter", "layout", None, "cancel"]
        actions.menu(self.tr("&View"), [*shown, None, *walking])
        actions.menu(self.tr("&Help"), ["help", "find", "log"])
        own_menu = QMenu(self.next_step)
        for name in own:
            own_menu.addAction(actions[name])
        self.next_step.own_button.setMenu(own_menu)

    def _connect(self) -> None:
        c = self.controller
        c.session_changed.connect(self._session_changed)
        for signal in (c.plan_changed, c.preview_changed):
            signal.connect(self.refresh)
        c.job_changed.connect(self.refresh_job)
        self._status.cancel_asked.connect(self.cancel_job)
        for signal in (c.plan_changed, c.session_changed):
            signal.connect(self.messages.clear_problem)
        c.problem.connect(self.messages.show_problem)
        c.notice.connect(self.messages.show_notice)
        c.released.connect(self._has_released)
        self.synthetic.used.connect(self._budget_dock.show)
        self.synthetic.budgets.changed.connect(lambda: self._status.show_pool(self.synthetic.in_words()))
        self._toolbar.budget_entered.connect(lambda budget: self._say_refusal(c.set_budget(budget)))
        self._toolbar.budget_refused.connect(self.messages.show_problem)
        self._toolbar.observer_chosen.connect(self._observer_chosen)
        self.empty.open_clicked.connect(self.files.open)
        self.empty.sample_clicked.connect(self.files.open_sample)
        self.empty.recent_clicked.connect(self.files.open_path)

    # --- reading the session again ---

    def refresh(self) -> None:
        """Titles, and which commands make sense now."""
        session, c = self.controller.session, self.controller
        for name in _NEED_A_TABLE:
            self.actions_by_name[name].setEnabled(session is not None)
        self.actions_by_name["save"].setEnabled(
            session is not None and (session.modified or session.path is None)
        )
        self.actions_by_name["undo"].setEnabled(session is not None and session.position > 0)
        self.actions_by_name["redo"].setEnabled(session is not None and session.position < len(session.plan))
        for name in ("commit", "no_preview"):
            self.actions_by_name[name].setEnabled(c.preview is not None)
        for kind, _ in self._own_kinds():
            self.actions_by_name[f"own_{kind}"].setEnabled(session is not None)
        self._show_title()
        self.refresh_job()

    def _show_title(self) -> None:
        session = self.controller.session
        if session is None:
            self.setWindowModified(False)
            self.setWindowTitle(self.tr("Curator"))
            return
        self.setWindowTitle(f"{self.files.session_name()}[*] – Curator")
        self.setWindowModified(session.modified)

    def refresh_job(self) -> None:
        """Whether there is something to cancel, and what is being opened."""
        self.actions_by_name["cancel"].setEnabled(bool(self.controller.cancellable))
        if self.controller.session is None:
            opening = [j for j in self.controller.jobs.running if j.kind == "open"]
            self.empty.refresh_opening(f"{opening[0].name}…" if opening else "")

    def _session_changed(self) -> None:
        session = self.controller.session
        self._show_workbench(session is not None)
        self._toolbar.show_protection(session.protection if session else None)
        self.refresh()
        if session is None:
            self.empty.refresh(recent_files(self._settings))

    def _show_workbench(self, shown: bool) -> None:
        if shown != (self._pages.currentWidget() is self._table):
            self._pages.setCurrentWidget(self._table if shown else self.empty)
            self.docks.show(shown)
            if shown and self.synthetic.budgets.exists:
                self._budget_dock.show()

    # --- commands ---

    def edit_protection(self) -> None:
        if self.controller.session is not None:
            self._show_dialog(ProtectionDialog(self.controller, self))

    def edit_own(self, kind: OperatorKind) -> None:
        """A step of the curator's own."""
        if self.controller.session is not None:
            self._show_dialog(OperatorDialog(self.controller, kind, self))

    def release(self) -> None:
        session = self.controller.session
        if session is not None:
            proposed = self.files.own_folder() / f"{session.source_path.stem}-released.csv"
            self._show_dialog(ReleaseDialog(self.controller, proposed, self._browse_release, self))

    def _browse_release(self, parent: QWidget, proposed: Path) -> Path | None:
        kinds = self.tr("Tables (*.csv *.tsv *.parquet *.xlsx *.dta)")
        return self._asking.file_to_write(parent, self.tr("Release to"), kinds, proposed)

    def edit_settings(self) -> None:
        dialog = SettingsDialog(self._settings, self.synthetic.budgets, self)
        dialog.preferred.connect(self._prefer)
        self._show_dialog(dialog)

    def _prefer(self, preferences: Preferences) -> None:
        """Live: nothing waits for the next start."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        Appearance.of(application).show(preferences.scheme, preferences.percent)
        self._autosave.every(preferences.autosave)
        forget_older(self._settings)

    def show_help(self) -> None:
        self._show_dialog(HelpDialog([*key_list(commands_of(self)), *other_keys()], self))

    def find_command(self) -> None:
        self._show_dialog(CommandSearch(commands_of(self), self))

    def open_log_folder(self) -> None:
        self._log_folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_folder)))

    def _show_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setModal(True)
        dialog.open()

    def cancel_job(self) -> None:
        """Cancel what runs; a release after a question, a synthesis only in its own window."""
        if self.files.release_is_over():
            self.controller.cancel_job()

    def _observer_chosen(self, kind: ObserverKind) -> None:
        session = self.controller.session
        if session is not None:
            observer = observer_of(kind, session.protection.observer.m)
            self._say_refusal(self.controller.set_observer(observer))

    def _say_refusal(self, sentence: str | None) -> None:
        if sentence:
            self.messages.show_problem(sentence)
            self._session_changed()

    # --- what happened ---

    def _has_released(self, released: Released) -> None:
        try:
            kept = keep_manifest(self._data_folder / "releases", released)
        except (CuratorError, OSError) as error:
            self.messages.show_problem(sentence_of(error))
            return
        self.messages.show_notice(
            self.tr("Released {0}; the manifest that stays with you is {1}.").format(released.path.name, kept)
        )

    # --- recovery ---

    def offer_recovery(self) -> None:
        """Offer to go on with what a crash left behind."""
        self._recovery.offer()

    # --- leaving ---

    def closeEvent(self, event: QCloseEvent) -> None:
        if not (self.synthetic.may_leave() and self.files.may_leave()):
            event.ignore()
            return
        if self.controller.session is not None:
            self.docks.save()
        self.docks.save_window()
        self.controller.shutdown()
        self._autosave.close()
        event.accept()

    # --- dropping files ---

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            _take_a_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if len(paths) > 1:
            self.messages.show_notice(self.tr("One table at a time: {0} is opened.").format(paths[0].name))
        if paths:
            _take_a_copy(event)
            self.messages.clear_problem()
            self.files.open_path(paths[0])


def _take_a_copy(event: QDropEvent) -> None:
    """Whatever was proposed: where a move is accepted, some file managers delete the file."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
