"""Numbers for people: ratios and words first, logarithms second, nothing that looks exact and is not."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

NO_EVIDENCE = "–"
FLOOR = "↓"
RELEASED = "↗"
"""Beside a step whose table has left the house."""
THIN = "\u202f"
"""The narrow space that groups digits and never breaks a line."""

_MOST_DIGITS = 6
_HARDLY_ANY = 0.001


def factor(alpha: float | None) -> str:
    """A disclosure, or a change of evidence, as a ratio: 0.405 → "×1.5", null → "–", −∞ → "↓"."""
    if alpha is None or math.isnan(alpha):
        return NO_EVIDENCE
    if alpha == -math.inf:
        return FLOOR
    if alpha > math.log(1e15):
        return "×∞" if alpha == math.inf else f"×10^{math.floor(alpha / math.log(10))}"
    return f"×{figures(math.exp(alpha))}"


def logarithm(alpha: float | None) -> str:
    """A disclosure as it stands: three decimals, "–" for null, "↓" for −∞."""
    if alpha is None or math.isnan(alpha):
        return NO_EVIDENCE
    if math.isinf(alpha):
        return FLOOR if alpha < 0 else "∞"
    return f"{alpha + 0.0:.3f}".replace("-0.000", "0.000").replace("-", "−")


def disclosure(alpha: float | None) -> str:
    """Both readings: "×1.5 (0.405)"; where they are one sign, that sign."""
    first, second = factor(alpha), logarithm(alpha)
    return first if first == second else f"{first} ({second})"


def disclosure_in_words(alpha: float | None) -> str:
    """Both readings for a tooltip or a screen reader, the logarithm with all its digits."""
    if alpha is None or math.isnan(alpha):
        return QCoreApplication.translate("words", "no evidence")
    if alpha == -math.inf:
        return QCoreApplication.translate("words", "ruled out (↓, minus infinity)")
    return f"{factor(alpha)} ({full(alpha)})"


def full(value: float | None) -> str:
    """Every digit, as it would be computed with: for tooltips and the clipboard."""
    if value is None or math.isnan(value):
        return NO_EVIDENCE
    return repr(float(value)).replace("inf", "∞").replace("-", "−")


def figures(value: float) -> str:
    """A positive number in three figures, with more where it would pass for 1: 1.5, 0.667, 1 200, 1.0004."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    while value != 1 and round(value, digits) == 1 and digits < _MOST_DIGITS:
        digits += 1
    text = f"{round(value, digits):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    whole, point, rest = text.partition(".")
    return f"{count(int(whole))}{point}{rest}" if abs(value) >= 1000 else text


def count(number: int) -> str:
    """A whole number in groups of three: 4 983, 1 000 000."""
    return f"{number:,}".replace(",", THIN).replace("-", "−")


def percent(share: float | None) -> str:
    """A share as "12 %"; one decimal below 10 %, and never "0 %" or "100 %" of what is not all or nothing."""
    if share is None or math.isnan(share):
        return NO_EVIDENCE
    hundredths = 100 * share
    if 0 < hundredths < 0.1:
        return f"<0.1{THIN}%"
    if 99.5 <= hundredths < 100:
        return f">99{THIN}%"
    text = f"{hundredths:.1f}" if abs(hundredths) < 10 else f"{hundredths:.0f}"
    return f"{text.removesuffix('.0')}{THIN}%"


def percent_points(change: float) -> str:
    """A change of a share with its sign: "−3.1 %", "+2 %", "0 %"; "≈ 0 %" where it is hardly any."""
    if change == 0:
        return percent(0)
    if abs(change) < _HARDLY_ANY:
        return f"≈ {percent(0)}"
    return f"{'+' if change > 0 else '−'}{percent(abs(change))}"


def share_of(part: int, whole: int) -> str:
    """Counts as "2 of 3"; nobody is "–"."""
    if whole == 0:
        return NO_EVIDENCE
    return QCoreApplication.translate("words", "{0} of {1}").format(count(part), count(whole))


def guess(part: int, whole: int) -> str:
    """The observer's best guess: "2 in 3", "certain", "ruled out", "–"."""
    if whole == 0:
        return NO_EVIDENCE
    if part == 0:
        return QCoreApplication.translate("words", "ruled out")
    if part == whole:
        return QCoreApplication.translate("words", "certain")
    return QCoreApplication.translate("words", "{0} in {1}").format(count(part), count(whole))


def record(row: int) -> str:
    """A row, numbered from 0, as people count: "record 1"."""
    return QCoreApplication.translate("words", "record {0}").format(count(row + 1))


def records(number: int) -> str:
    """How many records: "1 record", "12 345 records"."""
    if number == 1:
        return QCoreApplication.translate("words", "1 record")
    return QCoreApplication.translate("words", "{0} records").format(count(number))


def targets(number: int) -> str:
    """How many targets: "1 target", "no targets"."""
    if number == 1:
        return QCoreApplication.translate("words", "1 target")
    if number == 0:
        return QCoreApplication.translate("words", "no targets")
    return QCoreApplication.translate("words", "{0} targets").format(count(number))


def steps(number: int) -> str:
    """How many steps: "1 step", "7 steps"."""
    if number == 1:
        return QCoreApplication.translate("words", "1 step")
    return QCoreApplication.translate("words", "{0} steps").format(count(number))


def listed(rows: tuple[int, ...], most: int = 5) -> str:
    """Rows, numbered from 0, as "records 1, 2, 3 and 14 more"."""
    if len(rows) < 2:
        return record(rows[0]) if rows else QCoreApplication.translate("words", "no records")
    shown = [count(r + 1) for r in rows[:most]]
    if len(rows) > most:
        return QCoreApplication.translate("words", "records {0} and {1} more").format(
            ", ".join(shown), count(len(rows) - most)
        )
    return QCoreApplication.translate("words", "records {0} and {1}").format(", ".join(shown[:-1]), shown[-1])
