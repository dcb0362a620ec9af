"""The columns: what each is, how it is shown, what may be done with it."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from curator_gui.core.column_type import KINDS, Kind
from curator_gui.gui.column_actions import add_column_actions, set_kind, set_weight
from curator_gui.gui.column_facts import ColumnFacts, facts_of, kind_words
from curator_gui.gui.column_header import marks_of
from curator_gui.gui.controller import Controller
from curator_gui.gui.counting import Counting
from curator_gui.gui.figures import Figures
from curator_gui.gui.models.columns import ColumnsModel, FactsRole, Field, FiguresRole, SortRole
from curator_gui.gui.naming import named
from curator_gui.gui.theme import theme_of
from curator_gui.gui.words import count

Index = QModelIndex | QPersistentModelIndex
_PADDING = 8


class ColumnsPanel(QWidget):
    """A list of the source's columns with a filter, in-place editing of type and weight, and a menu each."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "columns_panel", self.tr("Columns"))
        self._controller = controller
        self._counting = Counting.of(controller)
        self.model = ColumnsModel(self._counting.source, self)
        self.proxy = QSortFilterProxyModel(self)
        self.view = named(QTableView(), "columns", self.tr("Columns"))
        self._filter = named(QLineEdit(), "filter_columns", self.tr("Filter the columns"))
        self._said = named(QLabel(), "columns_said")
        self._set_up_view()
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Read the session and the plan again."""
        if not self.isVisible():
            return
        session = self._controller.session
        if session is None:
            self.model.show((), ())
        else:
            self.model.show(session.table.columns, facts_of(session, session.prefix))
        self._say_how_many()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.view.viewport().update()

    def selected_column(self) -> str | None:
        """The name of the column under the cursor."""
        index = self.view.currentIndex()
        return self.model.facts(self.proxy.mapToSource(index).row()).name if index.isValid() else None

    # --- building ---

    def _set_up_view(self) -> None:
        self.proxy.setSourceModel(self.model)
        self.proxy.setFilterKeyColumn(Field.NAME)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setSortRole(SortRole)
        self.proxy.setDynamicSortFilter(False)
        view, header = self.view, self.view.horizontalHeader()
        view.setModel(self.proxy)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        view.setSortingEnabled(True)
        for field, width in (
            (Field.NAME, 112),
            (Field.TYPE, 120),
            (Field.VIEW, 104),
            (Field.LADDER, 130),
            (Field.DISTINCT, 72),
            (Field.MISSING, 72),
            (Field.WEIGHT, 64),
            (Field.VALUES, 96),
        ):
            view.setColumnWidth(field, width)
        header.setSectionsMovable(True)
        header.moveSection(Field.VIEW, Field.TYPE)
        self._delegates = (NameDelegate(view), KindDelegate(view), WeightDelegate(view), BarsDelegate(view))
        for field, delegate in zip(
            (Field.NAME, Field.TYPE, Field.WEIGHT, Field.VALUES), self._delegates, strict=True
        ):
            view.setItemDelegateForColumn(field, delegate)

    def _lay_out(self) -> None:
        self._filter.setPlaceholderText(self.tr("Filter…"))
        self._filter.setClearButtonEnabled(True)
        above = QHBoxLayout()
        above.setContentsMargins(_PADDING, 0, _PADDING, 0)
        above.addWidget(self._filter, 1)
        above.addWidget(self._said)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, _PADDING, 0, 0)
        box.setSpacing(_PADDING)
        box.addLayout(above)
        box.addWidget(self.view, 1)

    def _connect(self) -> None:
        self._controller.session_changed.connect(self.refresh)
        self._controller.plan_changed.connect(self.refresh)
        self._counting.counted.connect(self.model.figures_arrived)
        self._filter.textChanged.connect(self._filter_typed)
        self.model.kind_asked.connect(self._kind_asked, Qt.ConnectionType.QueuedConnection)
        self.model.weight_asked.connect(self._weight_asked, Qt.ConnectionType.QueuedConnection)
        self.view.customContextMenuRequested.connect(self._menu)

    # --- clicks ---

    def _filter_typed(self, text: str) -> None:
        self.proxy.setFilterFixedString(text)
        self._say_how_many()

    def _say_how_many(self) -> None:
        shown, all_columns = self.proxy.rowCount(), self.model.rowCount()
        words = count(all_columns) if shown == all_columns else f"{count(shown)} / {count(all_columns)}"
        self._said.setText(words)

    def _kind_asked(self, name: str, kind: str) -> None:
        set_kind(self._controller, name, cast(Kind, kind))

    def _weight_asked(self, name: str, weight: float) -> None:
        set_weight(self._controller, name, weight)

    def _menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return
        menu = named(QMenu(self), "column_menu")
        facts: ColumnFacts = index.data(FactsRole)
        add_column_actions(menu, self._controller, facts.name)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(at))


class _Cell(QStyledItemDelegate):
    """A cell with the style's own background, and something painted in it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        blank = QStyleOptionViewItem(option)
        self.initStyleOption(blank, index)
        blank.text = ""
        widget = blank.widget
        style = widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, blank, painter, widget)
        selected = bool(blank.state & QStyle.StateFlag.State_Selected)
        painter.save()
        self.draw(painter, blank.rect.adjusted(_PADDING, 0, -_PADDING, 0), index, selected, widget)
        painter.restore()

    def draw(self, painter: QPainter, area: QRect, index: Index, selected: bool, widget: QWidget) -> None:
        raise NotImplementedError


class NameDelegate(_Cell):
    """The name after the marks of its roles, the roles in words after it; struck out where it was dropped."""

    def draw(self, painter: QPainter, area: QRect, index: Index, selected: bool, widget: QWidget) -> None:
        facts: ColumnFacts = index.data(FactsRole)
        theme = theme_of(widget.palette())
        ink = theme.selected_text if selected else theme.text
        faded = theme.selected_text if selected else theme.muted
        x = area.left()
        for draw in marks_of(facts):
            draw(painter, QRectF(x, area.center().y() - 4.5, 10, 10), ink)
            x += 14
        font = QFont(widget.font())
        font.setStrikeOut(facts.is_dropped)
        painter.setFont(font)
        painter.setPen(faded if facts.is_dropped else ink)
        room = area.right() - x
        shown = QFontMetrics(font).elidedText(facts.name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(x, area.top(), room + 4, area.height()), _LEFT, shown)


class KindDelegate(QStyledItemDelegate):
    """The type, chosen from a list."""

    def createEditor(self, parent: QWidget, _: QStyleOptionViewItem, __: Index) -> QWidget:
        combo = named(QComboBox(parent), "column_kind", self.tr("Type"))
        for kind in KINDS:
            combo.addItem(kind_words(kind), kind)
        combo.activated.connect(lambda _: self._chosen(combo))
        return combo

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        combo = cast(QComboBox, editor)
        combo.setCurrentIndex(combo.findData(index.data(Qt.ItemDataRole.EditRole)))
        combo.showPopup()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(cast(QModelIndex, index), cast(QComboBox, editor).currentData())

    def _chosen(self, combo: QComboBox) -> None:
        self.commitData.emit(combo)
        self.closeEditor.emit(combo)


class WeightDelegate(QStyledItemDelegate):
    """The weight in the utility, a number from 0 up."""

    def createEditor(self, parent: QWidget, _: QStyleOptionViewItem, __: Index) -> QWidget:
        spin = named(QDoubleSpinBox(parent), "column_weight", self.tr("Weight in the utility"))
        spin.setRange(0.0, 1_000.0)
        spin.setDecimals(2)
        spin.setSingleStep(0.5)
        return spin

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        spin = cast(QDoubleSpinBox, editor)
        spin.interpretText()
        model.setData(cast(QModelIndex, index), spin.value())


class BarsDelegate(_Cell):
    """A tiny histogram of the values."""

    def draw(self, painter: QPainter, area: QRect, index: Index, selected: bool, widget: QWidget) -> None:
        figures: Figures | None = index.data(FiguresRole)
        if figures is None or not figures.bars:
            return
        theme = theme_of(widget.palette())
        colour = theme.selected_text if selected else theme.axis
        width = min(area.width() / len(figures.bars), 10.0)
        bottom, full = area.bottom() - 4, area.height() - 8
        for i, share in enumerate(figures.bars):
            height = max(1.0, share * full) if share else 0.0
            bar = QRectF(area.left() + i * width, bottom - height, max(width - 1, 0.7), height)
            painter.fillRect(bar, colour)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(96, super().sizeHint(option, index).height())


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
