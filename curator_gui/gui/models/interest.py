"""The queries a user cares about, as lines: their cells and the errors to expect at one or more budgets."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from curator_gui.gui.domain_words import query_name
from curator_gui.gui.models.lines import Cell, Line, LinesModel
from curator_gui.gui.words import count, figures, full, percent
from curator_gui.synthesizing import QueryError


def _text(source: str) -> str:
    return QCoreApplication.translate("interest", source)


def chosen_model() -> LinesModel:
    return LinesModel((_text("Query"), _text("Cells")), numeric=(1,))


def errors_model() -> LinesModel:
    return LinesModel((_text("Query"), _text("Cells"), _text("Expected error")), numeric=(1, 2, 3, 4))


def moved_heads(epsilon: str, half: str, double: str) -> tuple[str, ...]:
    """The heads of errors at three budgets."""
    at = _text("At ε {0}")
    return (_text("Query"), _text("Cells"), at.format(half), at.format(epsilon), at.format(double))


def moved_lines(moves: Sequence[Sequence[QueryError]]) -> list[Line]:
    """A line a query, with its error at each of the budgets."""
    return [_line(errors) for errors in zip(*moves, strict=True)]


def error_lines(errors: Sequence[QueryError]) -> list[Line]:
    return [_line((error,)) for error in errors]


def _line(errors: Sequence[QueryError]) -> Line:
    first = errors[0]
    return (Cell(query_name(first.columns)), Cell(count(first.cells)), *(error_cell(e) for e in errors))


def error_cell(error: QueryError) -> Cell:
    """Records off, and their share of the declared size."""
    if error.rows is None or error.sigma is None:
        return Cell(
            _text("like the rest"),
            _text(
                "It is not measured by itself: the mechanism does not, or noise would drown it. More ε, "
                "fewer queries or coarser columns may change that."
            ),
        )
    tip = _text("Half the expected L1 error: {0} records; noise of σ {1} in each cell").format(
        full(error.rows), figures(error.sigma)
    )
    if error.share is None:
        return Cell(_text("{0} records").format(figures(error.rows)), tip)
    return Cell(_text("{0} ({1} records)").format(percent(error.share), figures(error.rows)), tip)
