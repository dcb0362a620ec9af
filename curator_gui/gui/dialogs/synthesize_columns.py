"""What is synthesized: the table, its columns with their domains, and whose rows are protected together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.errors import CuratorError, InputError
from curator_gui.core.table import quoted
from curator_gui.gui.dialogs.declare_domain import DeclareDialog
from curator_gui.gui.domain_words import domain_origin, domain_tip, domain_words
from curator_gui.gui.naming import named
from curator_gui.gui.rows import RoomyRows
from curator_gui.gui.sentence import Sentence
from curator_gui.gui.synthesis_draft import SynthesisDraft
from curator_gui.gui.theme import theme_of
from curator_gui.gui.words import count
from curator_gui.synthesis import Unit
from curator_gui.synthesis.domain import ColumnDomain
from curator_gui.synthesizing import read_domain_file, require_per_row

_NAME, _VALUES, _CELLS, _ORIGIN = range(4)


class ColumnsPage(QWidget):
    """``edited``: the draft changed. ``origin_chosen``: its domains are to be found anew."""

    edited = Signal()
    origin_chosen = Signal()

    def __init__(
        self, draft: SynthesisDraft, browse: Callable[[QWidget], Path | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._draft, self._browse = draft, browse
        self._prepared = named(QRadioButton(self), "from_prepared")
        self._source = named(QRadioButton(self), "from_source")
        self._tree = named(QTreeWidget(self), "domains", self.tr("Columns to synthesize and their domains"))
        self._declare = named(QPushButton(self.tr("Declare…"), self, autoDefault=False), "declare_domain")
        self._dictionary = named(
            QPushButton(self.tr("Data dictionary…"), self, autoDefault=False), "data_dictionary"
        )
        self._one = named(QRadioButton(self.tr("One record"), self), "protect_record")
        self._all = named(QRadioButton(self.tr("All records of one"), self), "protect_key")
        self._key = named(QComboBox(self), "key_column", self.tr("Column that tells whose a record is"))
        self._bound = named(QSpinBox(self), "key_bound", self.tr("At most so many records of each"))
        self._warning = Sentence("domain_warning", self)
        self._problem = Sentence("domain_problem", self)
        self._origins, self._units = QButtonGroup(self), QButtonGroup(self)
        self._set_up()
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Show the draft again."""
        self._tree.itemChanged.disconnect(self._ticked)
        current = self._current()
        self._tree.clear()
        for name in self._draft.domains:
            item = self._item(name)
            self._tree.addTopLevelItem(item)
            if name == current:
                self._tree.setCurrentItem(item)
        self._tree.itemChanged.connect(self._ticked)
        self._adapt()

    def _item(self, name: str) -> QTreeWidgetItem:
        domain = self._draft.domain(name)
        item = QTreeWidgetItem([name, domain_words(domain), count(domain.size), domain_origin(domain)])
        ticked = name not in self._draft.left_out
        item.setCheckState(_NAME, Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        item.setTextAlignment(_CELLS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(_VALUES, domain_tip(domain))
        if domain.provenance == "proposed-from-data":
            item.setForeground(_ORIGIN, theme_of(self.palette()).near_text)
            item.setToolTip(_ORIGIN, self.tr("Proposed from the rows, which is outside the guarantee"))
        return item

    def _set_up(self) -> None:
        for group, buttons in (
            (self._origins, (self._prepared, self._source)),
            (self._units, (self._one, self._all)),
        ):
            for button in buttons:
                group.addButton(button)
        session = self._draft.session
        steps = len(session.current_plan)
        self._prepared.setText(
            self.tr("The table as prepared ({0} steps)").format(steps) if steps else self.tr("The table")
        )
        self._source.setText(self.tr("The source as opened, without the plan"))
        self._source.setVisible(bool(steps))
        self._prepared.setChecked(self._draft.origin == "prepared")
        self._source.setChecked(self._draft.origin == "source")
        try:
            require_per_row(session.current_plan)
        except InputError as error:
            self._prepared.setEnabled(False)
            self._prepared.setToolTip(error.message)
            self._problem.refuse(error.message)
        heads = (self.tr("Column"), self.tr("Values it may take"), self.tr("Cells"), self.tr("From"))
        self._tree.setHeaderLabels(list(heads))
        self._tree.setRootIsDecorated(False)
        self._tree.setItemDelegate(RoomyRows(self._tree))
        header = self._tree.header()
        header.setStretchLastSection(False)
        for column in (_NAME, _CELLS, _ORIGIN):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_VALUES, QHeaderView.ResizeMode.Stretch)
        self._key.addItems(list(session.table.names))
        roles = session.record.roles
        identifiers = [n for n in session.table.names if roles.get(n) == "identifier"]
        self._key.setCurrentText(identifiers[0] if identifiers else session.table.names[0])
        self._one.setChecked(True)
        self._bound.setRange(1, 10_000)
        self._bound.setValue(1)

    def _lay_out(self) -> None:
        beneath = QHBoxLayout()
        beneath.addWidget(self._declare)
        beneath.addWidget(self._dictionary)
        beneath.addStretch(1)
        unit = QHBoxLayout()
        unit.setSpacing(8)
        unit.addWidget(QLabel(self.tr("Protects"), self))
        for widget in (self._one, self._all, self._key):
            unit.addWidget(widget)
        unit.addWidget(QLabel(self.tr("of which at most"), self))
        unit.addWidget(self._bound)
        unit.addWidget(QLabel(self.tr("are used"), self))
        unit.addStretch(1)
        origin = QWidget(self)
        rows = QVBoxLayout(origin)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self._prepared)
        rows.addWidget(self._source)
        persons = QWidget(self)
        persons.setLayout(unit)
        unit.setContentsMargins(0, 0, 0, 0)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(origin)
        box.addWidget(self._problem)
        box.addWidget(self._tree, 1)
        box.addLayout(beneath)
        box.addWidget(self._warning)
        box.addWidget(persons)

    def _connect(self) -> None:
        self._prepared.clicked.connect(lambda: self._choose_origin("prepared"))
        self._source.clicked.connect(lambda: self._choose_origin("source"))
        self._tree.itemChanged.connect(self._ticked)
        self._tree.currentItemChanged.connect(self._adapt)
        self._tree.itemDoubleClicked.connect(self._declare_domain)
        self._declare.clicked.connect(self._declare_domain)
        self._dictionary.clicked.connect(self._read_dictionary)
        for widget in (self._one, self._all):
            widget.clicked.connect(self._unit_changed)
        self._key.activated.connect(self._unit_changed)
        self._bound.valueChanged.connect(self._unit_changed)

    def _adapt(self) -> None:
        self._declare.setEnabled(bool(self._current()))
        by_key = self._all.isChecked()
        self._key.setEnabled(by_key)
        self._bound.setEnabled(by_key)
        draft = self._draft
        proposed = [n for n in draft.columns if draft.domain(n).provenance == "proposed-from-data"]
        if proposed:
            self._warning.warn(
                self.tr(
                    "● What {0} may hold is proposed from the rows themselves, which is outside the "
                    "guarantee; declare it where you know it."
                ).format(quoted(proposed))
            )
        else:
            self._warning.clear()

    def _current(self) -> str:
        item = self._tree.currentItem()
        return item.text(_NAME) if item is not None else ""

    def _choose_origin(self, origin: str) -> None:
        self._draft.origin = "source" if origin == "source" else "prepared"
        self._problem.clear()
        self.origin_chosen.emit()

    def _ticked(self, item: QTreeWidgetItem) -> None:
        name = item.text(_NAME)
        if item.checkState(_NAME) == Qt.CheckState.Checked:
            self._draft.left_out.discard(name)
        else:
            self._draft.left_out.add(name)
        self._adapt()
        self.edited.emit()

    def _declare_domain(self) -> None:
        name = self._current()
        if name:
            draft = self._draft
            dialog = DeclareDialog(draft.domain(name), draft.type(name), draft.open_ladder(name), self)
            dialog.declared.connect(self._take_domain)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _take_domain(self, domain: ColumnDomain) -> None:
        self._draft.declared[domain.name] = domain
        self.refresh()
        self.edited.emit()

    def _read_dictionary(self) -> None:
        path = self._browse(self)
        if path is None:
            return
        try:
            found = read_domain_file(path).columns
            self._require_known([d.name for d in found], path)
        except CuratorError as error:
            self._problem.refuse(str(error))
            return
        self._problem.clear()
        self._draft.declared.update({d.name: d for d in found})
        self.refresh()
        self.edited.emit()

    def _require_known(self, names: list[str], path: Path) -> None:
        unknown = [n for n in names if n not in self._draft.domains]
        if unknown:
            raise InputError(
                self.tr("“{0}” describes {1}, which is not among the columns here; take it out.").format(
                    path.name, quoted(unknown)
                )
            )

    def _unit_changed(self) -> None:
        by_key = self._all.isChecked()
        self._draft.unit = Unit(self._key.currentText(), self._bound.value()) if by_key else None
        self._adapt()
        self.edited.emit()
