"""How released values are spelled in the file: with codes or labels, and safe for spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from curator_gui.core.errors import InputError
from curator_gui.core.preparation import Shown
from curator_gui.core.view import Identity
from curator_gui.store.readers import ValueLabel
from curator_gui.store.writers import formula_labels, neutral

Labels = Literal["as shown", "codes", "labels", "both"]


@dataclass(frozen=True)
class Spelling:
    """Choices of a release. None of them changes which values are alike.

    for_spreadsheet: text cells that a spreadsheet would run get an apostrophe, in delimited text.
    byte_order_mark: UTF-8 text begins with one, as Excel wants it.
    labels: what values of a labelled source say. value_labels: for a column, by the text that is shown.
    """

    for_spreadsheet: bool = False
    byte_order_mark: bool = False
    labels: Labels = "as shown"
    value_labels: Mapping[str, Mapping[str, ValueLabel]] = field(default_factory=dict)

    def of(self, shown: Shown, *, delimited: bool) -> tuple[str | None, ...]:
        """[classes] the released texts; no two are equal. InputError where labels would make them so."""
        labels = self._translated(shown)
        if self.for_spreadsheet and delimited:
            risky = formula_labels(labels, shown.column.type)
            labels = [neutral(t) if r and t is not None else t for t, r in zip(labels, risky, strict=True)]
        return tuple(labels)

    def labelled(self, shown: Shown) -> dict[str, ValueLabel]:
        """By released text, the code and label behind it; nothing where codes alone are released."""
        if self.labels == "codes" or shown.view != Identity():
            return {}
        known = self.value_labels.get(shown.name, {})
        pairs = zip(shown.coarsening.labels, self._translated(shown), strict=True)
        return {
            text: known[was] for was, text in pairs if was in known and text is not None and was is not None
        }

    def neutralized(self, shown: Sequence[Shown], present: np.ndarray) -> dict[str, int]:
        """For each column with cells that a spreadsheet would run, how many in the present rows."""
        found = {}
        for column in shown:
            risky = np.array(formula_labels(self._translated(column), column.column.type), np.bool_)
            cells = (
                int(risky[column.coarsening.codes[column.column.codes[present]]].sum()) if risky.any() else 0
            )
            if cells:
                found[column.name] = cells
        return found

    def _translated(self, shown: Shown) -> list[str | None]:
        known = self.value_labels.get(shown.name, {})
        if self.labels == "as shown" or not known or shown.view != Identity():
            return list(shown.coarsening.labels)
        texts = [self._text(label, known) for label in shown.coarsening.labels]
        if len(set(texts)) < len(texts):
            raise InputError(
                f"Two values of “{shown.name}” would be written alike as {self.labels}; write codes, or both."
            )
        return texts

    def _text(self, shown: str | None, known: Mapping[str, ValueLabel]) -> str | None:
        found = known.get(shown) if shown is not None else None
        if found is None:
            return shown
        both = f"{found.label} ({found.code})"
        return {"codes": found.code, "labels": found.label, "both": both}[self.labels]
