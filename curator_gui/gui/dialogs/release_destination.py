"""Where a release goes: the file's name, what is there already, and whether that may be replaced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from curator_gui.core.errors import CuratorError
from curator_gui.gui.naming import named
from curator_gui.gui.sentence import Sentence
from curator_gui.store.release import external_path, require_own_manifest
from curator_gui.store.writers import format_of

Browse = Callable[[QWidget, Path], Path | None]


class Destination(QWidget):
    """``changed``: another file, or another answer to whether one may be replaced.

    What is typed is completed: a relative name goes into the folder shown last, a name without a suffix gets
    that of the format. The tick to replace is for one file only.
    """

    changed = Signal()

    def __init__(self, proposed: Path, browse: Browse, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = proposed.absolute().parent
        self._suffix = proposed.suffix
        self._browse = browse
        self._settled = False
        self._text = named(QLineEdit(str(proposed), self), "release_path", self.tr("File to write"))
        self._choose = named(QPushButton(self.tr("Browse…"), self), "browse")
        self._completed = Sentence("release_goes_to", self)
        self._replace = named(QCheckBox(self), "replace_existing")
        self._lay_out()
        self._text.textEdited.connect(self._edited)
        self._text.editingFinished.connect(self._complete)
        self._choose.clicked.connect(self._choose_path)
        self._replace.clicked.connect(self.changed)
        self.refresh()

    # --- what others read ---

    @property
    def path(self) -> Path:
        """Absolute, with a suffix; a folder where no name is given."""
        path = self._folder / _at_home(Path(self._text.text().strip()))
        if path.suffix or not path.name or _is_folder(path):
            return path
        return path.with_name(path.name + self._suffix)

    @property
    def replace(self) -> bool:
        """Whether what is there may be replaced."""
        return self._replace.isChecked()

    def is_missing(self) -> str:
        """Why nothing can be written there yet; "" where it can. Looks at the folder anew."""
        if not self._text.text().strip():
            return self.tr("To save, name a file.")
        try:
            format_of(self.path)
        except CuratorError as error:
            return str(error)
        if self._taken() and not self.replace:
            return self.tr("To save, tick that the file may be replaced, or name another.")
        return ""

    # --- what others change ---

    def refresh(self) -> None:
        """Look again at what is there."""
        taken, path = self._taken(), self.path
        self._replace.setVisible(bool(taken) and not self._settled)
        self._replace.setText(taken or self.tr("Replace what is there"))
        typed = self._text.text().strip()
        said = "" if typed in ("", str(path)) else self.tr("It is written to “{0}”.").format(path)
        if said != self._completed.text():
            self._completed.tell(said)

    def take_suffix(self, suffix: str) -> None:
        """Another format: the name ends as it asks for."""
        self._suffix = suffix
        if self._text.text().strip():
            self._show(self.path.with_suffix(suffix))
            self._replace.setChecked(False)
        self.refresh()
        self.changed.emit()

    def settle(self) -> None:
        """What is there by now is the release."""
        self._settled = True
        self.refresh()
        self.setEnabled(False)

    # --- inside ---

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._text, 1)
        line.addWidget(self._choose)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("File"), line)
        form.addRow(self._completed)
        form.addRow(self._replace)

    def _edited(self) -> None:
        self._replace.setChecked(False)
        typed = Path(self._text.text().strip()).suffix
        if typed and _is_format(self.path):
            self._suffix = typed
        self.refresh()
        self.changed.emit()

    def _complete(self) -> None:
        """Once the name is typed, the field says where it goes."""
        if self._text.text().strip():
            self._show(self.path)
        self.refresh()

    def _choose_path(self) -> None:
        chosen = self._browse(self, self.path)
        if chosen is not None:
            self._text.setText(str(chosen))
            self._show(self.path)
            # The system's dialog has asked about the name it gave, not about a completed one.
            self._replace.setChecked(chosen == self.path and _is_file(chosen))
            self.refresh()
            self.changed.emit()

    def _show(self, path: Path) -> None:
        self._folder = path.parent
        self._text.setText(str(path))

    def _taken(self) -> str:
        """What would be replaced, as the tick says it; "" where nothing is."""
        path = self.path
        if not self._text.text().strip():
            return ""
        if _is_file(path):
            return self.tr("Replace the file that is there already")
        try:
            require_own_manifest(path)
        except CuratorError:
            return self.tr("Replace “{0}”, which belongs to something else").format(external_path(path).name)
        return ""


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # there is no such user
        return path


def _is_format(path: Path) -> bool:
    try:
        format_of(path)
    except CuratorError:
        return False
    return True


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False  # why it is no name is told when it is written


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
