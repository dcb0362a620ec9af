"""The charts: where things are painted, what clicks and keys do, what is exported and read out."""

import csv
import io
import math
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from curator_gui.core.errors import FileError
from curator_gui.disclosure.explain import Look
from curator_gui.gui.charts.disclosure_chart import DisclosureChart
from curator_gui.gui.charts.dots import DotsFigure
from curator_gui.gui.charts.export import export_chart, png
from curator_gui.gui.charts.group import dot_details, group_of, guess_words, read_group
from curator_gui.gui.charts.marks import budget_pen, text_width, wrapped
from curator_gui.gui.charts.scale import Scale, scale_for
from curator_gui.gui.charts.scatter import Plotted, PrivacyUtilityScatter, pareto_front
from curator_gui.gui.charts.series import ChartPoint, DisclosureSeries
from curator_gui.gui.colour import contrast
from curator_gui.gui.theme import theme_of

ALPHAS = (math.log(3), math.log(2), 0.19, 0.05)
LABELS = ("source", "Drop diagnosis", "Generalize age: by 10", "=Drop med")


def series(
    alphas: tuple[float | None, ...] = ALPHAS,
    position: int | None = None,
    preview: float | str | None = "none",
    budget: float = 0.2,
) -> DisclosureSeries:
    points = tuple(
        ChartPoint(
            LABELS[i % 4], a, over_budget=3, reason="Because.", median=0.1, ninth=0.3, by_secret=(a, 0.0)
        )
        for i, a in enumerate(alphas)
    )
    candidate = None if isinstance(preview, str) else ChartPoint("Drop zip", preview)
    here = len(alphas) - 1 if position is None else position
    return DisclosureSeries(points, here, budget, ("HIV", "Flu"), candidate)


def shown(
    qtbot: QtBot, given: DisclosureSeries | None, size: tuple[int, int] = (800, 300)
) -> DisclosureChart:
    chart = DisclosureChart()
    qtbot.addWidget(chart)
    chart.resize(*size)
    chart.show_series(given, "Say what is secret first.")
    chart.show()
    qtbot.waitExposed(chart)
    return chart


def image(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def near(picture: QImage, at: QPointF, colour: QColor, reach: int = 1) -> bool:
    """Whether some pixel around a place has nearly this colour."""
    around = range(-reach, reach + 1)
    pixels = [picture.pixelColor(round(at.x()) + dx, round(at.y()) + dy) for dx in around for dy in around]
    return any(
        abs(p.red() - colour.red()) + abs(p.green() - colour.green()) + abs(p.blue() - colour.blue()) < 60
        for p in pixels
    )


# --- the scale ---


def test_a_scale_maps_its_ends_to_its_pixels() -> None:
    scale = Scale(0.0, 2.0, 200.0, 0.0)

    assert scale.y(0.0) == 200
    assert scale.y(2.0) == 0
    assert scale.y(1.0) == 100
    assert scale.y(99.0) == 0


@pytest.mark.parametrize(
    "alphas", [(0.0,), (0.001,), (0.4, 1.1), (-2.0, 0.3), (9.0,), (None, -math.inf), (600.0,)]
)
def test_ticks_are_apart_and_within_the_scale(alphas: tuple[float | None, ...]) -> None:
    scale = scale_for(alphas, 0.2, 200.0, 20.0)

    ticks = scale.ticks(26)

    heights = [scale.y(t) for t in ticks]
    assert len(ticks) >= 2
    assert all(a - b >= 26 for a, b in pairwise(heights))
    assert all(scale.low - 1e-6 <= t <= scale.high + 1e-6 for t in ticks)


def test_the_scale_always_holds_the_budget() -> None:
    assert scale_for([0.1], 3.0, 200.0, 0.0).high >= 3.0
    assert scale_for([], 0.0, 200.0, 0.0).high > 0


# --- the disclosure chart ---


def test_the_budget_is_a_line_at_its_height_across_the_plot(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    painting = chart.painting()
    assert painting is not None
    ink = theme_of(chart.palette()).text

    picture = image(chart)

    y = painting.scale.y(0.2)
    for x in (painting.plot.left() + 20, painting.plot.center().x(), painting.plot.right() - 3):
        assert near(picture, QPointF(x, y), ink, reach=8)  # dashes are some pixels apart


def test_only_the_area_above_the_budget_is_hatched(qtbot: QtBot) -> None:
    chart = shown(qtbot, series((0.1,)))
    painting = chart.painting()
    assert painting is not None
    theme = theme_of(chart.palette())

    picture = image(chart)

    y, left = painting.scale.y(0.2), round(painting.plot.right()) - 60
    above = {picture.pixelColor(x, round(y) - 8).name() for x in range(left, left + 40)}
    below = {picture.pixelColor(x, round(y) + 6).name() for x in range(left, left + 40)}
    assert len(above) > 1
    assert below == {theme.surface.name()}


def test_every_prefix_over_the_budget_has_a_ring_even_when_the_end_is_fine(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    painting = chart.painting()
    assert painting is not None
    over = theme_of(chart.palette()).over

    picture = image(chart)

    def ringed(i: int) -> bool:
        at = painting.at(i)
        corners = [QPointF(dx, dy) for dx in (-6.7, 6.7) for dy in (-6.7, 6.7)]
        return all(near(picture, at + c, over) for c in corners)

    assert [ringed(i) for i in range(4)] == [True, True, False, False]


def test_the_line_is_a_step_never_a_slope(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    painting = chart.painting()
    assert painting is not None
    theme = theme_of(chart.palette())

    picture = image(chart)

    one, other = painting.at(0), painting.at(1)
    assert near(picture, QPointF(other.x(), (one.y() + other.y()) / 2), theme.muted)
    assert near(picture, QPointF((one.x() + other.x()) / 2, one.y()), theme.muted)
    assert not near(picture, (one + other) / 2, theme.muted)


def test_a_previewed_candidate_is_hollow_and_a_committed_point_solid(qtbot: QtBot) -> None:
    chart = shown(qtbot, series(preview=math.log(2)))
    painting = chart.painting()
    assert painting is not None
    theme = theme_of(chart.palette())

    picture = image(chart)

    place = painting.preview_at()
    assert place is not None
    assert near(picture, place, theme.surface, reach=0)
    assert near(picture, painting.at(1), theme.over, reach=0)


def test_previewing_moves_no_committed_point_sideways(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    before = [chart.painting().at(i).x() for i in range(4)]

    chart.show_series(series(preview=0.1))

    assert [chart.painting().at(i).x() for i in range(4)] == before


def test_undone_steps_are_paler_than_committed_ones(qtbot: QtBot) -> None:
    chart = shown(qtbot, series((0.05, 0.05, 0.05), position=0))
    painting = chart.painting()
    surface = theme_of(chart.palette()).surface

    picture = image(chart)

    here = contrast(picture.pixelColor(painting.at(0).toPoint()), surface)
    undone = contrast(picture.pixelColor(painting.at(2).toPoint()), surface)
    assert 1.2 < undone < here


def test_minus_infinity_and_no_evidence_stand_on_the_floor(qtbot: QtBot) -> None:
    chart = shown(qtbot, series((0.3, -math.inf, None)))
    painting = chart.painting()
    theme = theme_of(chart.palette())

    picture = image(chart)

    assert painting.at(1).y() == painting.at(2).y() == painting.floor > painting.scale.y(0)
    assert near(picture, painting.at(1), theme.within)
    assert near(picture, painting.at(2) + QPointF(4, 0), theme.no_evidence)
    assert not near(picture, painting.at(2) + QPointF(0, 4), theme.no_evidence)


def test_a_line_a_secret_and_the_band_come_on_demand(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    plain = image(chart)

    chart.show_secrets(True)
    with_secrets = image(chart)
    chart.show_secrets(False)
    chart.show_band(True)
    with_band = image(chart)
    chart.show_band(False)

    assert with_secrets != plain
    assert with_band not in (plain, with_secrets)
    assert image(chart) == plain


def test_clicking_a_point_asks_for_its_prefix(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())

    with qtbot.waitSignal(chart.prefix_clicked) as asked:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.painting().at(1).toPoint())

    assert asked.args == [1]


def test_clicking_beside_every_prefix_asks_for_nothing(qtbot: QtBot) -> None:
    chart = shown(qtbot, series(preview=0.1))
    preview = chart.painting().preview_at().toPoint()

    with qtbot.assertNotEmitted(chart.prefix_clicked):
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=preview)
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))


def test_arrows_walk_from_point_to_point_and_enter_asks(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    chart.setFocus(Qt.FocusReason.TabFocusReason)

    qtbot.keyClick(chart, Qt.Key.Key_Left)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    with qtbot.waitSignal(chart.prefix_clicked) as second:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    with qtbot.waitSignal(chart.prefix_clicked) as first:
        qtbot.keyClick(chart, Qt.Key.Key_Space)

    assert (second.args, first.args) == ([1], [0])


def test_the_focused_point_is_read_out_in_full(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    chart.setFocus(Qt.FocusReason.TabFocusReason)

    qtbot.keyClick(chart, Qt.Key.Key_Home)

    assert chart.accessibleDescription().startswith(
        "Source, before any step. ▲ ×3 (1.0986122886681098), over budget"
    )


def test_the_accessible_description_holds_the_numbers_and_follows_them(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    before = chart.accessibleDescription()

    chart.show_series(series(preview=math.log(1.5)))

    assert "Budget ×1.22 (0.200)." in before
    assert "You are here: Step 3 · =Drop med: ▼ ×1.05 (0.050), within budget." in before
    assert "Preview of Drop zip: ▲ ×1.5 (0.405), over budget." in chart.accessibleDescription()


def test_the_tooltip_has_the_full_value_and_the_reason(qtbot: QtBot) -> None:
    chart = shown(qtbot, series(preview=0.25))

    point = chart.details_at(chart.painting().at(1))
    preview = chart.details_at(chart.painting().preview_at())

    assert (
        point
        == "Step 1 · Drop diagnosis\n▲ ×2 (0.6931471805599453), over budget\nBecause.\n3 targets over budget"
    )
    assert preview.startswith("Preview, not committed: Drop zip\n▲ ×1.28 (0.25), over budget")
    assert chart.details_at(QPointF(2, 2)) == ""


def test_an_empty_chart_says_what_to_do(qtbot: QtBot) -> None:
    chart = shown(qtbot, None)

    assert chart.accessibleDescription() == "Say what is secret first."
    assert len({image(chart).pixelColor(x, 150).name() for x in range(200, 600)}) > 1


@pytest.mark.parametrize("size", [(280, 130), (1400, 500)])
def test_the_chart_paints_at_any_size_and_with_many_steps(qtbot: QtBot, size: tuple[int, int]) -> None:
    many = tuple(0.01 * (i % 70) for i in range(400))

    chart = shown(qtbot, series(many), size)

    assert image(chart).size() == chart.size()
    assert len(chart.accessibleDescription()) < 1000


def test_the_chart_follows_a_dark_palette_at_once(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    dark = QPalette(chart.palette())
    dark.setColor(QPalette.ColorRole.Base, QColor("#1e1e1e"))
    dark.setColor(QPalette.ColorRole.Text, QColor("#f0f0f0"))

    chart.setPalette(dark)

    assert image(chart).pixelColor(2, 2) == QColor("#1e1e1e")


# --- export ---


def test_a_chart_is_exported_as_png_at_twice_its_size(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, series())

    export_chart(chart, tmp_path / "chart.png")

    picture = QImage(str(tmp_path / "chart.png"))
    assert (picture.width(), picture.height()) == (1600, 600)
    assert len({picture.pixelColor(x, 300).name() for x in range(0, 1600, 3)}) > 3


def test_a_chart_is_exported_as_svg_with_its_texts(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, series())

    export_chart(chart, tmp_path / "chart.svg")

    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    texts = "".join(root.itertext())
    assert "budget ×1.22" in texts
    assert "Drop diagnosis" in texts


def test_a_chart_is_exported_as_csv_in_full_precision(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, series((math.log(3), -math.inf, None, 0.05), position=2, preview=0.1))

    export_chart(chart, tmp_path / "chart.CSV")

    rows = list(csv.DictReader(io.StringIO((tmp_path / "chart.CSV").read_text(encoding="utf-8"))))
    assert [r["alpha"] for r in rows] == ["1.0986122886681098", "-inf", "", "0.05", "0.1"]
    assert [r["state"] for r in rows] == ["committed"] * 3 + ["undone", "preview"]
    assert rows[0]["factor"] == "3"
    assert rows[0]["alpha: HIV"] == "1.0986122886681098"
    assert rows[3]["label"] == "'=Drop med"


def test_an_export_to_an_unknown_format_or_place_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, series())

    with pytest.raises(FileError, match=r"\.png, \.svg or \.csv"):
        export_chart(chart, tmp_path / "chart.pdf")
    with pytest.raises(FileError, match="folder does not exist"):
        export_chart(chart, tmp_path / "nowhere" / "chart.png")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_chart_can_be_exported_too(qtbot: QtBot) -> None:
    assert png(shown(qtbot, None)).startswith(b"\x89PNG")


# --- the scatter ---

POINTS = (
    Plotted("Drop med", 0.8, 0.15),
    Plotted("Drop zip", 0.9, 0.7),
    Plotted("Delete all", 0.0, None),
    Plotted("Generalize age", 0.6, 0.15),
    Plotted("Keep a", 0.3, -math.inf),
)


def scattered(
    qtbot: QtBot, points: tuple[Plotted, ...] = POINTS, chosen: int | None = None
) -> PrivacyUtilityScatter:
    scatter = PrivacyUtilityScatter()
    qtbot.addWidget(scatter)
    scatter.resize(400, 260)
    scatter.show_points(points, 0.2, chosen)
    scatter.show()
    qtbot.waitExposed(scatter)
    return scatter


def test_the_front_is_what_no_other_point_beats() -> None:
    assert pareto_front(POINTS) == (1, 0, 4)
    assert pareto_front(()) == ()
    assert pareto_front((Plotted("a", 0.5, 0.1), Plotted("b", 0.5, 0.1))) == (0,)


def test_points_stand_by_utility_and_disclosure(qtbot: QtBot) -> None:
    layout = scattered(qtbot).scatter_layout()

    assert layout.at(0).x() > layout.at(3).x() > layout.at(4).x() > layout.at(2).x()
    assert layout.at(1).y() < layout.scale.y(0.2) < layout.at(0).y()
    assert layout.at(2).y() == layout.at(4).y() > layout.scale.y(0)


def test_points_on_the_front_are_solid_and_others_hollow(qtbot: QtBot) -> None:
    scatter = scattered(qtbot)
    theme, layout = theme_of(scatter.palette()), scatter.scatter_layout()

    picture = image(scatter)

    assert near(picture, layout.at(0), theme.within, reach=0)
    assert near(picture, layout.at(3), theme.surface, reach=0)


def test_clicking_and_hovering_name_the_point(qtbot: QtBot) -> None:
    scatter = scattered(qtbot)
    place = scatter.scatter_layout().at(3).toPoint()

    with qtbot.waitSignal(scatter.hovered) as over:
        qtbot.mouseMove(scatter, place)
    with qtbot.waitSignal(scatter.clicked) as clicked:
        qtbot.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=place)

    assert over.args == clicked.args == [3]
    assert (
        scatter.accessibleDescription() == "Generalize age\n▼ ×1.16 (0.15), within budget\nutility 60\u202f%"
    )


def test_keys_walk_the_points_by_utility(qtbot: QtBot) -> None:
    scatter = scattered(qtbot, chosen=3)

    qtbot.keyClick(scatter, Qt.Key.Key_Right)
    with qtbot.waitSignal(scatter.clicked) as clicked:
        qtbot.keyClick(scatter, Qt.Key.Key_Return)

    assert clicked.args == [0]


def test_the_scatter_says_the_most_useful_step_within_the_budget(qtbot: QtBot) -> None:
    assert "5 next steps, 4 within the budget. Most useful of these: Drop med" in (
        scattered(qtbot).accessibleDescription()
    )
    assert scattered(qtbot, ()).accessibleDescription() == "No next steps scored yet."


# --- the dots ---


def seen(holds: list[int], before: list[int], after: list[int], target: int = 0) -> Look:
    flags = (np.array(v, np.bool_) for v in (holds, before, after))
    return Look(target, "HIV", np.arange(len(holds)), *flags)


PAPER = ([1, 1, 0], [1, 1, 0], [1, 1, 1])


def drawn(qtbot: QtBot, look: Look, *, changes: bool = True) -> DotsFigure:
    figure = DotsFigure()
    qtbot.addWidget(figure)
    figure.resize(360, 100)
    figure.show_group(group_of(look, changes=changes))
    figure.show()
    qtbot.waitExposed(figure)
    return figure


def test_a_dot_is_filled_with_the_secret_and_open_without(qtbot: QtBot) -> None:
    figure = drawn(qtbot, seen(*PAPER))
    theme, layout = theme_of(figure.palette()), figure.dots_layout()

    picture = image(figure)

    assert near(picture, layout.at(0, 0), theme.secret, reach=0)
    assert near(picture, layout.at(0, 2), theme.surface, reach=0)


def test_those_in_the_set_are_ringed_and_who_joins_is_marked(qtbot: QtBot) -> None:
    figure = drawn(qtbot, seen(*PAPER))
    theme, layout = theme_of(figure.palette()), figure.dots_layout()
    ring = QPointF(-8.5, 0)

    picture = image(figure)

    assert near(picture, layout.at(0, 0) + ring, theme.within)
    assert near(picture, layout.at(0, 2) + ring, theme.surface, reach=0)
    assert near(picture, layout.at(1, 0) + ring, theme.within)
    assert near(picture, layout.at(1, 2) + ring, theme.preview)
    assert near(picture, layout.at(1, 2) + QPointF(8.5, -8.5), theme.preview_text)


def test_without_a_step_there_is_one_block(qtbot: QtBot) -> None:
    assert drawn(qtbot, seen([1, 0], [1, 0], [1, 0]), changes=False).dots_layout().blocks == 1
    assert drawn(qtbot, seen(*PAPER)).dots_layout().blocks == 2


def test_clicking_a_dot_gives_its_rows(qtbot: QtBot) -> None:
    figure = drawn(qtbot, seen(*PAPER))

    with qtbot.waitSignal(figure.rows_clicked) as clicked:
        qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=figure.dots_layout().at(1, 2).toPoint())

    assert clicked.args == [(2,)]


def test_dots_can_be_walked_by_keys(qtbot: QtBot) -> None:
    figure = drawn(qtbot, seen(*PAPER))
    figure.setFocus(Qt.FocusReason.TabFocusReason)

    qtbot.keyClick(figure, Qt.Key.Key_Right)
    with qtbot.waitSignal(figure.rows_clicked) as clicked:
        qtbot.keyClick(figure, Qt.Key.Key_Return)

    assert clicked.args == [(1,)]
    assert figure.accessibleDescription().startswith("Record 2, with the secret “HIV”, looks like record 1")


@pytest.mark.parametrize("size", [1, 59, 60, 61, 500, 20_000])
def test_at_most_sixty_dots_and_a_few_stand_for_everybody(size: int) -> None:
    random = np.random.default_rng(7)
    holds, before, after = (random.random(size) < share for share in (0.3, 0.6, 0.5))

    group = group_of(Look(0, "HIV", np.arange(size), holds, before, after), changes=True)

    assert sum(d.count for d in group.dots) == size
    assert len(group.dots) <= 60 + 8
    assert group.each == max(1, math.ceil(size / 60))
    assert all(d.count <= group.each for d in group.dots)
    assert sum(d.count for d in group.dots if d.secret) == int(holds.sum())
    assert sum(d.count for d in group.dots if d.joins) == int((after & ~before).sum())
    assert group.after == (int((holds & after).sum()), int(after.sum()))


def test_the_figure_is_read_out_in_sentences() -> None:
    group = group_of(seen(*PAPER), changes=True)

    assert read_group(group) == (
        "Of 3 records that the observer cannot tell apart beforehand, 2 have the secret “HIV”. "
        "In the set of record 1: 2 of 2 now, 2 of 3 after the step."
    )
    assert (
        dot_details(group, group.dots[-1]) == "Record 3, without the secret “HIV”, joins the set of record 1"
    )
    assert guess_words((2, 2)) == "2 of 2: certain"
    assert guess_words((2, 3)) == "2 of 3: 67\u202f%"
    assert guess_words((0, 0)) == "nobody left to compare with"


def test_the_figure_is_as_tall_as_its_dots_need(qtbot: QtBot) -> None:
    few, many = drawn(qtbot, seen(*PAPER)), drawn(qtbot, seen([1] * 60, [1] * 60, [0] * 60))

    assert many.height() > few.height() > 60
    last = many.dots_layout().at(1, 59)
    assert last.y() < many.height()


def test_the_line_of_the_budget_is_not_in_the_colour_of_what_is_over_it(qtbot: QtBot) -> None:
    chart = shown(qtbot, series())
    theme = theme_of(chart.palette())

    assert budget_pen(theme).color() != theme.over
    assert budget_pen(theme).style() is not Qt.PenStyle.SolidLine


@pytest.mark.parametrize(
    ("alphas", "words"),
    [
        ((1.0, -math.inf), "ruled out ↓"),
        ((1.0, None), "no evidence –"),
        ((1.0, None, -math.inf), "ruled out ↓, none –"),
    ],
)
def test_the_floor_says_what_stands_there(
    qtbot: QtBot, tmp_path: Path, alphas: tuple[float | None, ...], words: str
) -> None:
    points = tuple(ChartPoint(f"step {i}", alpha) for i, alpha in enumerate(alphas))
    chart = shown(qtbot, DisclosureSeries(points, 0, 0.2))

    export_chart(chart, tmp_path / "chart.svg")

    assert words in ElementTree.parse(tmp_path / "chart.svg").getroot().itertext()


def test_names_on_the_axis_go_on_a_second_line_before_they_are_cut(qtbot: QtBot) -> None:
    font = DisclosureChart().font()
    wide = text_width("record_id,", font)

    assert wrapped("− record_id, diagnosis", font, text_width("− record_id,", font)) == [
        "−\u00a0record_id,",
        "diagnosis",
    ]
    assert wrapped("age: by 10", font, 10 * wide) == ["age: by 10"]
    assert [line[0] for line in wrapped("− medication and more of it", font, wide)] == ["−", "a"]
