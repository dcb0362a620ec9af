"""Ladder files: one line a value, then its label at each level; UTF-8, fields parted by ; or ,.

An empty first field is the missing value, a quoted empty one the empty text. In the line of the missing value
an empty label means that it stays missing at that level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator_gui.core.errors import FileError, ViewError
from curator_gui.core.hierarchy import Hierarchy, Rung, check_coverage
from curator_gui.core.table import Column
from curator_gui.core.view import STAR, Level, Mapping, Star, coarsen, value_text
from curator_gui.store.files import write_atomically
from curator_gui.store.ordinary import read_text

Field = str | None
"""A field's text; None where it is empty and not quoted."""


@dataclass(frozen=True)
class _Line:
    number: int
    fields: tuple[Field, ...]


def read_hierarchy(path: Path, column: Column | None) -> Hierarchy:
    """The table ladder of a file; a last level of “*” alone becomes the level “*”.

    FileError, with the line, on ragged, blank or repeated lines; ViewError, with the witness, if levels do
    not nest or, where the column is given, one of its values has no line.
    """
    lines = _lines(read_text(path, "a ladder"), path)
    try:
        hierarchy = Hierarchy("table", _rungs(lines), "imported")
        if column is not None:
            check_coverage(hierarchy, column)
    except ViewError as error:
        raise error.at(path.name) from None
    return hierarchy


def write_hierarchy(path: Path, hierarchy: Hierarchy, column: Column) -> None:
    """Write the labels of the column's distinct values, and of what else a table lists, at every level.

    The file is replaced whole or not at all, and readable by its owner alone: it holds the column's values.
    """
    values = [*column.values, *_listed_elsewhere(hierarchy, column)]
    wider = Column.of(column.name, values, column.type)
    levels = [coarsen(Level(k), wider, hierarchy) for k in range(1, hierarchy.height + 1)]
    labels = [[level.labels[c] for c in level.codes] for level in levels]
    rows = (row for row in zip(values, *labels, strict=True) if any(f is not None for f in row))
    text = "".join(";".join(map(_quoted, row)) + "\n" for row in rows)
    write_atomically(path, _utf8(text, path), mode=0o600)


# Reading


def _lines(text: str, path: Path) -> list[_Line]:
    lines = list(_fields_of_lines(text, _delimiter(text), path))
    if not lines:
        raise FileError(f"“{path.name}” is empty; a ladder has one line for each value.")
    width = len(lines[0].fields)
    if width < 2 and lines[0].fields != (None,):
        raise FileError(f"“{path.name}” has no level; write each value, then its labels, parted by ; or ,.")
    first_line: dict[Field, int] = {}
    for line in lines:
        _require_shape(line, width, path)
        value = line.fields[0]
        if value in first_line:
            raise _refusal(
                path, line, f"{value_text(value)} stands in line {first_line[value]} already; keep one"
            )
        first_line[value] = line.number
    return lines


def _require_shape(line: _Line, width: int, path: Path) -> None:
    if line.fields == (None,):
        raise _refusal(path, line, "the line is blank; remove it")
    if len(line.fields) != width:
        raise _refusal(
            path, line, f"{len(line.fields)} fields where line 1 has {width}; give each value all levels"
        )
    value, *labels = line.fields
    if value is not None and None in labels:
        raise _refusal(
            path, line, f"{value_text(value)} has no label at level {labels.index(None) + 1}; add it"
        )


def _refusal(path: Path, line: _Line, what: str) -> FileError:
    return FileError(f"“{path.name}”, line {line.number}: {what}.")


def _pattern(delimiter: str) -> re.Pattern[str]:
    """One field and what ends it: groups quoted, plain, end."""
    return re.compile(
        rf'(?:"(?P<quoted>[^"]*(?:""[^"]*)*)"|(?P<plain>(?:[^"{delimiter}\r\n][^{delimiter}\r\n]*)?))'
        rf"(?P<end>{delimiter}|\r\n|\n|\r|\Z)"
    )


def _delimiter(text: str) -> str:
    """“;” if it ends the first field, else “,”."""
    first = _pattern(";").match(text)
    return ";" if first is None or first["end"] == ";" else ","


def _fields_of_lines(text: str, delimiter: str, path: Path) -> Iterator[_Line]:
    pattern, position, number = _pattern(delimiter), 0, 1
    fields: list[Field] = []
    start = number
    while position < len(text) or fields:
        match = pattern.match(text, position)
        if match is None:
            raise FileError(
                f"“{path.name}”, line {number}: a quoted field is not closed or is followed by text."
            )
        quoted = match["quoted"]
        fields.append((match["plain"] or None) if quoted is None else quoted.replace('""', '"'))
        position = match.end()
        number += len(re.findall(r"\r\n|\n|\r", match[0]))
        if match["end"] != delimiter:
            yield _Line(start, tuple(fields))
            fields, start = [], number


def _rungs(lines: Sequence[_Line]) -> tuple[Rung, ...]:
    """One map a level. The last is “*” if it says so of every value, and says nothing of missing."""
    height = len(lines[0].fields) - 1
    rungs: list[Rung] = [Mapping(tuple(_pairs(lines, level))) for level in range(1, height + 1)]
    if all(label == STAR and value is not None for value, label in _pairs(lines, height)):
        rungs[-1] = Star()
    return tuple(rungs)


def _pairs(lines: Sequence[_Line], level: int) -> Iterator[tuple[str | None, str]]:
    for line in lines:
        label = line.fields[level]
        if label is not None:
            yield line.fields[0], label


# Writing


def _listed_elsewhere(hierarchy: Hierarchy, column: Column) -> list[str | None]:
    present = set(column.values)
    listed = (v for rung in hierarchy.levels if isinstance(rung, Mapping) for v, _ in rung.pairs)
    return [v for v in dict.fromkeys(listed) if v not in present]


def _utf8(text: str, path: Path) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise FileError(
            f"“{path.name}” was not written: a label holds half a character; write it anew."
        ) from None


def _quoted(field: Field) -> str:
    if field is None:
        return ""
    plain = field != "" and not field.startswith("\ufeff") and not re.search(r'[;,"\r\n]', field)
    return field if plain else '"' + field.replace('"', '""') + '"'
