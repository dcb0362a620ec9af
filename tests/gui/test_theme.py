"""Colours of meaning: contrast in light and dark, and what near, over and within are."""

import math

import pytest
from PySide6.QtGui import QColor, QPalette

from curator_gui.gui.colour import MARK_CONTRAST, TEXT_CONTRAST, contrast, luminance, readable
from curator_gui.gui.theme import MARKS, Standing, standing_of, standing_words, theme_of


def palette(base: str, text: str, highlight: str = "#308cc6", highlighted: str = "#ffffff") -> QPalette:
    made = QPalette()
    made.setColor(QPalette.ColorRole.Base, QColor(base))
    made.setColor(QPalette.ColorRole.Text, QColor(text))
    made.setColor(QPalette.ColorRole.Highlight, QColor(highlight))
    made.setColor(QPalette.ColorRole.HighlightedText, QColor(highlighted))
    return made


LIGHT = [("#ffffff", "#000000"), ("#fcfcfc", "#232629"), ("#eff0f1", "#31363b")]
DARK = [("#1e1e1e", "#ffffff"), ("#232629", "#fcfcfc"), ("#2d2d2d", "#e0e0e0"), ("#000000", "#c0c0c0")]


@pytest.mark.parametrize(("base", "ink"), LIGHT + DARK)
def test_text_contrasts_four_and_a_half_to_one(base: str, ink: str, qapp: object) -> None:
    theme = theme_of(palette(base, ink))

    written = (
        theme.text,
        theme.muted,
        theme.over_text,
        theme.near_text,
        theme.within_text,
        theme.preview_text,
        *(theme.words(s) for s in Standing),
    )

    assert all(contrast(colour, theme.surface) >= TEXT_CONTRAST for colour in written)
    assert contrast(theme.selected_text, theme.selection) >= TEXT_CONTRAST


@pytest.mark.parametrize(("base", "ink"), LIGHT + DARK)
def test_marks_contrast_three_to_one(base: str, ink: str, qapp: object) -> None:
    theme = theme_of(palette(base, ink))

    marks = (theme.axis, theme.secret, theme.plain, theme.preview, *(theme.mark(s) for s in Standing))

    assert all(contrast(colour, theme.surface) >= MARK_CONTRAST for colour in marks)


def test_the_palette_of_the_running_application_is_readable(qapp: object) -> None:
    theme = theme_of(qapp.palette())

    assert contrast(theme.text, theme.surface) >= TEXT_CONTRAST
    assert contrast(theme.muted, theme.surface) >= TEXT_CONTRAST


def test_dark_is_told_from_light_by_the_palette_alone(qapp: object) -> None:
    assert not theme_of(palette(*LIGHT[0])).dark
    assert theme_of(palette(*DARK[0])).dark


def test_a_palette_of_no_contrast_still_gives_readable_text(qapp: object) -> None:
    theme = theme_of(palette("#808080", "#808080"))

    assert contrast(theme.text, theme.surface) >= TEXT_CONTRAST


def test_over_and_within_differ_in_blue_not_in_red_and_green(qapp: object) -> None:
    for base, ink in (*LIGHT, *DARK):
        theme = theme_of(palette(base, ink))

        assert theme.over.red() > theme.over.blue()
        assert theme.within.blue() > theme.within.red()
        assert theme.within.blue() >= theme.within.green()


def test_a_colour_that_contrasts_enough_is_left_alone(qapp: object) -> None:
    blue = QColor("#0072b2")

    assert readable(blue, QColor("white"), TEXT_CONTRAST) == blue


def test_contrast_is_the_one_of_the_web_guidelines() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("white"), QColor("white")) == pytest.approx(1)
    assert luminance(QColor("#808080")) == pytest.approx(0.2159, abs=1e-4)


@pytest.mark.parametrize(
    ("alpha", "budget", "standing"),
    [
        (None, 0.2, Standing.NO_EVIDENCE),
        (-math.inf, 0.2, Standing.WITHIN),
        (0.0, 0.2, Standing.WITHIN),
        (0.17, 0.2, Standing.WITHIN),
        (0.18, 0.2, Standing.NEAR),
        (0.2, 0.2, Standing.NEAR),
        (0.2 + 5e-13, 0.2, Standing.NEAR),
        (0.2 + 2e-12, 0.2, Standing.OVER),
        (1.5, 0.2, Standing.OVER),
    ],
)
def test_standing_follows_the_budget_and_its_tolerance(
    alpha: float | None, budget: float, standing: Standing
) -> None:
    assert standing_of(alpha, budget) is standing


def test_every_standing_has_a_mark_and_words_of_its_own() -> None:
    assert len({MARKS[s] for s in Standing}) == len(Standing)
    assert len({standing_words(s) for s in Standing}) == len(Standing)
