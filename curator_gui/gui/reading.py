"""The table before, after and in between, for one position of the plan and one previewed step."""

from __future__ import annotations

from dataclasses import dataclass, field

from curator_gui.core.errors import InputError
from curator_gui.core.operators import Operator
from curator_gui.core.preparation import Prefix
from curator_gui.core.view import Identity
from curator_gui.gui.sheet import Kind, Sheet, difference_sheet, prepared_sheet, source_sheet
from curator_gui.session import Session


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of the source is left; ``changed`` columns are kept and show other values."""

    records: int
    all_records: int
    columns: int
    all_columns: int
    changed: int


@dataclass(frozen=True, eq=False)
class Reading:
    """A prefix with the previewed operator, if there is one, already applied. ``steps`` leaves it out."""

    prefix: Prefix
    operator: Operator | None
    _here: Prefix
    _sheets: dict[Kind, Sheet] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session, operator: Operator | None, last: Reading | None = None) -> Reading:
        """The reading at the session's position; the ``last`` one again where nothing moved."""
        here = session.prefix
        if last is not None and last._here is here and last.operator == operator:
            return last
        if operator is not None:
            try:
                return cls(here.follow(operator), operator, here)
            except InputError:  # a preview that no longer follows is none
                pass
        return cls(here, None, here)

    @property
    def steps(self) -> int:
        return len(self._here.plan)

    @property
    def counts(self) -> Counts:
        """What is left of the source."""
        table = self.prefix.source.table
        shown = self.prefix.shown
        changed = sum(s.view != Identity() or s.column is not table[s.name] for s in shown)
        return Counts(self.prefix.rows, table.rows, len(shown), len(table.columns), changed)

    def sheet(self, kind: Kind) -> Sheet:
        """One of the three sheets, made once."""
        makers = {"before": source_sheet, "after": prepared_sheet, "difference": difference_sheet}
        if kind not in self._sheets:
            self._sheets[kind] = makers[kind](self.prefix)
        return self._sheets[kind]
