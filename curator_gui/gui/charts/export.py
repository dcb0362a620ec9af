"""A chart as a file: PNG, SVG or its numbers as CSV; written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize
from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from curator_gui.core.errors import FileError
from curator_gui.store.files import write_atomically

_PIXELS = 2
FILTERS = "PNG (*.png);;SVG (*.svg);;CSV (*.csv)"


class Exportable(Protocol):
    """A chart that can paint itself anywhere and tell its numbers."""

    def paint_on(self, painter: QPainter, size: QSize) -> None: ...
    def size(self) -> QSize: ...
    def windowTitle(self) -> str: ...
    def csv(self) -> str: ...
    def surface(self) -> QColor: ...


def export_chart(chart: Exportable, path: Path) -> None:
    """Write the chart as the path's ending says. FileError where it is another or cannot be written."""
    formats: dict[str, Callable[[Exportable], bytes]] = {".png": png, ".svg": svg, ".csv": numbers}
    make = formats.get(path.suffix.lower())
    if make is None:
        raise FileError(f"“{path.name}” must end in .png, .svg or .csv; give the file one of these endings.")
    write_atomically(path, make(chart))


def png(chart: Exportable) -> bytes:
    """The chart at twice its size on screen."""
    image = QImage(chart.size() * _PIXELS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_PIXELS)
    image.fill(chart.surface())
    painter = QPainter(image)
    chart.paint_on(painter, chart.size())
    painter.end()
    return _collected(lambda buffer: QImageWriter(buffer, QByteArray(b"PNG")).write(image))


def svg(chart: Exportable) -> bytes:
    """The chart as drawing instructions; text stays text."""

    def paint(buffer: QBuffer) -> None:
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(chart.size())
        generator.setViewBox(QRect(0, 0, chart.size().width(), chart.size().height()))
        generator.setTitle(chart.windowTitle())
        painter = QPainter(generator)
        painter.fillRect(QRect(0, 0, chart.size().width(), chart.size().height()), chart.surface())
        chart.paint_on(painter, chart.size())
        painter.end()

    return _collected(paint)


def numbers(chart: Exportable) -> bytes:
    """The numbers behind the chart, UTF-8."""
    return chart.csv().encode()


def _collected(write: Callable[[QBuffer], object]) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(data.data())
