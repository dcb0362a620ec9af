"""Why: the sentence, the figure, the counts and the links, from the session itself."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curator_gui.core.operators import Delete, Project
from curator_gui.gui.charts.dots import DotsFigure
from curator_gui.gui.charts.scatter import PrivacyUtilityScatter
from curator_gui.gui.controller import Controller
from curator_gui.gui.panels.why import WhyPanel


@pytest.fixture
def controller(qtbot: QtBot) -> Controller:
    made = Controller()
    yield made
    made.shutdown()


@pytest.fixture
def panel(qtbot: QtBot, controller: Controller) -> WhyPanel:
    shown = WhyPanel(controller)
    qtbot.addWidget(shown)
    shown.resize(360, 700)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def open_paper(qtbot: QtBot, controller: Controller) -> None:
    controller.open_sample("paper.curation.json")
    qtbot.waitUntil(lambda: controller.session is not None and controller.candidates_complete)


def text(panel: WhyPanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    return label.text() if not label.isHidden() else ""


def preview(controller: Controller, operator: object) -> None:
    controller.set_preview(next(c for c in controller.candidates if c.operator == operator))


def test_without_a_table_it_says_what_to_do(panel: WhyPanel) -> None:
    assert text(panel, "why_sentence").startswith("Open a table;")
    assert panel.findChild(DotsFigure).isHidden()
    assert panel.findChild(PrivacyUtilityScatter).isHidden()


def test_the_current_prefix_is_explained_in_one_sentence(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    assert text(panel, "why_title") == "After step 3: Generalize zip: 3 characters"
    assert text(panel, "why_sentence") == (
        "For record 1 the release raises the best guess from 2 in 3 to certain (×1.5) on “HIV”."
    )
    assert text(panel, "why_verdict") == "Disclosure ×1.5 (0.405): ▲ over budget"
    assert panel.findChild(DotsFigure).dots_layout().blocks == 1


def test_a_preview_is_named_and_its_reason_given(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    preview(controller, Project(("medication",)))

    candidate = controller.preview
    assert text(panel, "why_title") == "Preview, not committed: Drop medication"
    assert text(panel, "why_sentence") == candidate.why
    assert text(panel, "why_verdict").startswith("Disclosure ×1.5 → ×1")
    assert text(panel, "why_counts").startswith("1 target worse off")
    assert f"{candidate.better} better · {candidate.same} the same" in text(panel, "why_counts")
    group = panel.findChild(DotsFigure).group
    assert group.changes
    assert (group.before, group.after) == (candidate.worst.before, candidate.worst.after)


def test_a_record_that_joins_is_a_link_that_looks_at_it(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)
    preview(controller, Project(("medication",)))
    controller.select_target(0)
    links = panel.findChild(QLabel, "why_links")
    assert ">record 3</a>" in links.text()

    links.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(links, Qt.Key.Key_Tab)
    links.linkActivated.emit("2")

    assert controller.target == 2
    assert controller.secret == "HIV"
    assert controller.preview is not None


def test_clicking_a_dot_looks_at_its_record_and_a_link_leads_back(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)
    figure = panel.findChild(DotsFigure)

    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=figure.dots_layout().at(0, 2).toPoint())
    looked_at, links = controller.target, text(panel, "why_links")
    panel.findChild(QLabel, "why_links").linkActivated.emit("worst")

    assert looked_at == 2
    assert "Back to the worst target" in links
    assert controller.target == 0
    assert text(panel, "why_links") == ""


def test_a_step_without_privacy_work_is_called_so(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    controller.score_own(Delete(None, (7,)))
    qtbot.waitUntil(lambda: controller.preview is not None)

    assert controller.preview.does_no_privacy_work
    assert "does no privacy work" in text(panel, "why_counts")
    assert "1 record removed" in text(panel, "why_counts")


def test_clicking_a_candidate_in_the_scatter_previews_it(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)
    scatter = panel.findChild(PrivacyUtilityScatter)

    with qtbot.waitSignal(scatter.clicked) as clicked:
        place = scatter.scatter_layout().at(scatter.front[0]).toPoint()
        qtbot.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=place)

    assert controller.preview is controller.candidates[clicked.args[0]]


def test_names_from_the_data_are_never_read_as_markup(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    plain = [panel.findChild(QLabel, f"why_{n}") for n in ("title", "sentence", "verdict", "counts")]

    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in plain)


def test_every_label_has_a_name_for_those_who_hear_it(panel: WhyPanel) -> None:
    assert all(label.accessibleName() and label.objectName() for label in panel.findChildren(QLabel))


def clinic_preview(qtbot: QtBot, controller: Controller) -> None:
    controller.open_sample()
    qtbot.waitUntil(lambda: controller.candidates_complete, timeout=20_000)
    controller.apply_saved("usual coarsening")
    qtbot.waitUntil(lambda: controller.candidates_complete, timeout=20_000)
    preview(controller, Project(("medication",)))


def click_link(qtbot: QtBot, label: QLabel) -> None:
    """A click on the first word of the first link."""
    before, _, after = label.text().partition("<a href=")
    said = QFontMetrics(label.font()).boundingRect(label.rect(), Qt.TextFlag.TextWordWrap, f"{before}record")
    line = QFontMetrics(label.font()).height()
    assert after
    assert said.height() <= line
    qtbot.mouseClick(label, Qt.MouseButton.LeftButton, pos=QPoint(said.right() - 8, line // 2))


def test_the_target_worst_now_is_told_beside_the_one_worst_after_the_step(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    clinic_preview(qtbot, controller)
    now, after = controller.worst_here, controller.looked_at
    other = panel.findChild(QLabel, "why_other")
    assert other.text().startswith("Worst now: ")
    assert "takes the guess from certain to " in other.text()
    assert other.text().endswith("The worst after this step is another record.")

    click_link(qtbot, other)
    looked_at, said = controller.looked_at, other.text()
    click_link(qtbot, other)

    assert (looked_at, controller.looked_at) == (now, after)
    assert now != after
    assert "Worst after the step: " in said
    assert "Back to the worst" not in text(panel, "why_links")


def test_without_a_preview_there_is_only_one_worst(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    assert text(panel, "why_other") == ""


def test_lost_targets_are_counted_and_their_absence_is_spoken_of(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    controller.score_own(Delete(None, (0, 1)))
    qtbot.waitUntil(lambda: controller.preview is not None)

    assert "2 lost" in text(panel, "why_counts")
    assert "absence itself can tell something" in text(panel, "why_counts")


def test_a_target_that_the_step_leaves_without_look_alikes_is_said_to_be_so(
    qtbot: QtBot, controller: Controller, panel: WhyPanel
) -> None:
    open_paper(qtbot, controller)

    controller.score_own(Delete(None, (0, 1)))
    qtbot.waitUntil(lambda: controller.preview is not None)

    assert "after this step nobody left in the release looks like it." in text(panel, "why_other")
