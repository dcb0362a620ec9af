"""What is written contrasts 4.5:1 and what marks 3:1, measured on the window and the dialogs as painted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QTabBar,
    QTreeView,
    QWidget,
)
from window_fixtures import Scored

from curator_gui.gui.appearance import Appearance, Scheme, palette_of, readable_palette
from curator_gui.gui.colour import MARK_CONTRAST, TEXT_CONTRAST, contrast
from curator_gui.gui.main_window import MainWindow
from curator_gui.gui.theme import Standing, theme_of

SCHEMES: tuple[Scheme, ...] = ("light", "dark", "system")
WRITTEN = (QLabel, QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QTabBar)
ROUNDING = 0.05
"""Palettes and images hold 8 bits a channel."""


@pytest.fixture(params=SCHEMES)
def scheme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Scheme]:
    Appearance.of(qapp).show(request.param, 100)
    yield request.param
    Appearance.of(qapp).show("system", 100)


def test_all_that_is_written_and_marked_contrasts(
    scheme: Scheme, window: MainWindow, scored: Scored, dialogs: Iterator[QDialog]
) -> None:
    faint = [f"start: {f}" for f in faint_in(window)]
    window.files.open_sample("clinic.curation.json")
    scored(window.controller)
    window.controller.apply_saved("usual coarsening")
    scored(window.controller)
    window.controller.set_preview(window.controller.candidates[0])
    window.messages.show_problem("A problem in one sentence.")
    faint += [f"window: {f}" for f in faint_in(window)]

    for dialog in dialogs:
        faint += [f"{dialog.objectName()}: {f}" for f in faint_in(dialog)]

    assert "\n".join(sorted(set(faint))) == ""


@pytest.mark.parametrize("scheme_", ["light", "dark"])
def test_every_colour_of_meaning_contrasts_in_the_own_palettes(scheme_: Scheme, qapp: QApplication) -> None:
    theme = theme_of(readable_palette(palette_of(scheme_)))

    for standing in Standing:
        assert contrast(theme.words(standing), theme.surface) >= TEXT_CONTRAST
        assert contrast(theme.mark(standing), theme.surface) >= MARK_CONTRAST
    for colour in (theme.axis, theme.secret, theme.plain, theme.preview):
        assert contrast(colour, theme.surface) >= MARK_CONTRAST


def test_a_palette_of_poor_contrast_is_mended_and_a_good_one_is_left_alone(qapp: QApplication) -> None:
    poor = QPalette()
    poor.setColor(QPalette.ColorRole.Window, QColor("#808080"))
    poor.setColor(QPalette.ColorRole.WindowText, QColor("#909090"))
    good = palette_of("dark")

    mended, same = readable_palette(poor), readable_palette(good)

    assert contrast(mended.windowText().color(), mended.window().color()) >= TEXT_CONTRAST
    assert same.windowText().color() == good.windowText().color()
    assert same.highlight().color() == good.highlight().color()


# --- measuring ---


def faint_in(top: QWidget) -> Iterator[str]:
    """What a widget shows below the contrast it needs. Disabled controls may be fainter."""
    QApplication.processEvents()
    image = top.grab().toImage()
    for widget in top.findChildren(QWidget):
        if not widget.isVisibleTo(top) or not widget.isEnabled() or widget.size().isEmpty():
            continue
        area = visible_area(widget, top)
        if area.isEmpty():
            continue
        if isinstance(widget, WRITTEN):
            yield from faint_words(widget, ground_of(image, area))
        if isinstance(widget, QCheckBox | QRadioButton) and not widget.isChecked():
            yield from faint_tick(widget, image, area, top)
        if isinstance(widget, QAbstractItemView):
            yield from faint_cells(widget)


def faint_words(widget: QWidget, ground: QColor) -> Iterator[str]:
    place = f"{type(widget).__name__} {widget.objectName()}"
    inks = [widget.palette().color(QPalette.ColorGroup.Active, widget.foregroundRole())]
    if isinstance(widget, QLineEdit) and not widget.text():
        inks = [widget.palette().color(QPalette.ColorGroup.Active, QPalette.ColorRole.PlaceholderText)]
    written = widget.text() if isinstance(widget, QLabel) else ""
    styled = re.findall(r"color:\s*(#\w{6})", written + widget.styleSheet())
    for ink in [QColor(name) for name in styled] or inks:
        ratio = contrast(blended(ink, ground), ground)
        if ratio < TEXT_CONTRAST - ROUNDING:
            yield f"{place}: {ink.name()} on {ground.name()} is {ratio:.2f}"


def faint_tick(button: QAbstractButton, image: QImage, area: QRect, top: QWidget) -> Iterator[str]:
    option = QStyleOptionButton()
    button.initStyleOption(option)
    radio = isinstance(button, QRadioButton)
    element = QStyle.SubElement.SE_RadioButtonIndicator if radio else QStyle.SubElement.SE_CheckBoxIndicator
    box = button.style().subElementRect(element, option, button)
    box.translate(button.mapTo(top, QPoint(0, 0)))
    if area.contains(box):
        ratio = strongest(image, box)
        if ratio < MARK_CONTRAST - ROUNDING:
            yield f"{type(button).__name__} {button.objectName()}: its empty box is {ratio:.2f}"


def faint_cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    base = view.palette().color(QPalette.ColorRole.Base)
    image = view.viewport().grab().toImage()
    for row in range(min(model.rowCount(), 12)):
        for column in range(min(columns, 6)):
            yield from faint_cell(view, model.index(row, column), base, image)


def faint_cell(view: QAbstractItemView, index: QModelIndex, base: QColor, image: QImage) -> Iterator[str]:
    brush = index.data(Qt.ItemDataRole.ForegroundRole)
    if isinstance(brush, QBrush | QColor) and index.flags() & Qt.ItemFlag.ItemIsEnabled:
        ink = brush.color() if isinstance(brush, QBrush) else brush
        if contrast(blended(ink, base), base) < TEXT_CONTRAST - ROUNDING:
            yield f"{view.objectName()} cell: {ink.name()} on {base.name()}"
    if index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked and isinstance(view, QTreeView):
        cell = view.visualRect(index).intersected(image.rect())
        box = QRect(cell.left(), cell.top(), 20, cell.height())
        if (
            cell.height() > 8
            and image.rect().contains(box)
            and strongest(image, box) < MARK_CONTRAST - ROUNDING
        ):
            yield f"{view.objectName()}: an empty tick is {strongest(image, box):.2f}"


def visible_area(widget: QWidget, top: QWidget) -> QRect:
    area = widget.visibleRegion().boundingRect()
    return area.translated(widget.mapTo(top, QPoint(0, 0)))


def ground_of(image: QImage, area: QRect) -> QColor:
    """The commonest colour of an area, its frame left out; a gradient counts as one colour."""
    inner = area.adjusted(3, 3, -3, -3) if min(area.width(), area.height()) > 12 else area
    seen: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for x in range(inner.left(), inner.right() + 1, 2):
        for y in range(inner.top(), inner.bottom() + 1, 2):
            if image.rect().contains(x, y):
                pixel = image.pixel(x, y)
                seen[tuple(v >> 4 for v in QColor(pixel).getRgb()[:3])][pixel] += 1
    commonest = max(seen.values(), key=lambda pixels: pixels.total(), default=Counter())
    return QColor(commonest.most_common(1)[0][0]) if commonest else QColor("white")


def strongest(image: QImage, area: QRect) -> float:
    """The largest contrast of any pixel of an area to the area's commonest colour."""
    ground = ground_of(image, area)
    pixels = {
        image.pixel(x, y)
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
    }
    return max(contrast(QColor(p), ground) for p in pixels)


def blended(ink: QColor, ground: QColor) -> QColor:
    """A see-through colour as it is painted."""
    share = ink.alphaF()
    mixed = (
        round(i * share + g * (1 - share)) for i, g in zip(ink.getRgb()[:3], ground.getRgb()[:3], strict=True)
    )
    return QColor(*mixed)
