"""Why a disclosure is what it is: one sentence, the records behind it, and who is better or worse off."""

from __future__ import annotations

import html
import math
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from curator_gui.disclosure.candidates import Candidate
from curator_gui.disclosure.explain import best_guess
from curator_gui.gui import words
from curator_gui.gui.candidate_words import absence
from curator_gui.gui.charts.dots import DotsFigure
from curator_gui.gui.charts.group import Group, group_of
from curator_gui.gui.charts.scatter import Plotted, PrivacyUtilityScatter
from curator_gui.gui.controller import Controller
from curator_gui.gui.naming import named
from curator_gui.gui.theme import MARKS, standing_of, standing_words

_MOST_LINKS = 5
_SCATTER_HEIGHT = 200


class WhyPanel(QWidget):
    """The target looked at, now and after the previewed step. Links and dots look at another record."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why")
        self._controller = controller
        self._title = _text_label(self, "why_title", self.tr("What is explained"))
        self._sentence = _text_label(self, "why_sentence", self.tr("Why"))
        self._verdict = _text_label(self, "why_verdict", self.tr("Disclosure"))
        self._counts = _text_label(self, "why_counts", self.tr("Targets better and worse off"))
        self._counts.setToolTip(
            self.tr(
                "Worse off: a guess about them gets better by this step, and stays within the budget unless "
                "they are counted as over it. Better: a guess about them gets worse."
            )
        )
        self._other = _link_label(self, "why_other", self.tr("The worst target now, or after the step"))
        self._links = _link_label(self, "why_links", self.tr("Records that join and leave"))
        self._dots = DotsFigure(self)
        self._scatter = PrivacyUtilityScatter(self)
        self._plotted: tuple[Candidate, ...] = ()
        self._points: tuple[Plotted, ...] = ()
        self._lay_out()
        self._connect()
        self.refresh()
        self.refresh_candidates()

    def refresh(self) -> None:
        """Read again what is looked at, and the preview."""
        seen = self._controller.look()
        preview = self._controller.preview
        group = None if seen is None else group_of(seen, changes=preview is not None)
        self._title.setText(self._title_text())
        self._sentence.setText(self._sentence_text(group))
        self._other.setText(self._other_text())
        self._verdict.setText(self._verdict_text())
        self._counts.setText("" if preview is None else self._counts_text(preview))
        self._links.setText("" if group is None else self._links_text(group))
        self._dots.show_group(group)
        for label in (self._title, self._other, self._verdict, self._counts, self._links):
            label.setVisible(bool(label.text()))
        self._dots.setVisible(group is not None)
        self._show_chosen()

    def refresh_candidates(self) -> None:
        """Read the candidates again."""
        self._plotted = self._controller.candidates
        describe = self._controller.describe
        self._points = tuple(
            Plotted(partial(describe, c.operator), c.utility, c.alpha) for c in self._plotted
        )
        self._scatter.setVisible(bool(self._plotted))
        self._show_chosen()

    # --- setting up ---

    def _lay_out(self) -> None:
        title = self._title.font()
        title.setBold(True)
        self._title.setFont(title)
        self._scatter.setMinimumHeight(_SCATTER_HEIGHT)
        inside = QWidget(self)
        box = QVBoxLayout(inside)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        said = (self._title, self._sentence, self._other, self._verdict)
        for widget in (*said, self._dots, self._links, self._counts):
            box.addWidget(widget)
        box.addWidget(self._scatter, 1)
        box.addStretch(0)
        scroll = named(QScrollArea(self), "why_scroll", self.tr("Why"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _connect(self) -> None:
        c = self._controller
        for signal in (
            c.session_changed,
            c.plan_changed,
            c.trajectory_changed,
            c.preview_changed,
            c.selection_changed,
        ):
            signal.connect(self.refresh)
        c.candidates_changed.connect(self.refresh_candidates)
        for label in (self._links, self._other):
            label.linkActivated.connect(self._follow)
        self._dots.rows_clicked.connect(self._look_at_first)
        self._scatter.clicked.connect(self._preview_point)

    # --- what the user does ---

    def _follow(self, link: str) -> None:
        now = self._controller.worst_here
        if link == "worst":
            self._controller.select_worst()
        elif link == "now" and now is not None:
            self._controller.select_target(*now)
        else:
            self._controller.select_target(int(link), self._controller.secret)

    def _look_at_first(self, rows: tuple[int, ...]) -> None:
        self._controller.select_target(rows[0], self._controller.secret)

    def _preview_point(self, index: int) -> None:
        if index < len(self._plotted):
            self._controller.set_preview(self._plotted[index])

    # --- what is shown ---

    def _title_text(self) -> str:
        session, preview = self._controller.session, self._controller.preview
        if session is None:
            return ""
        if preview is not None:
            return self.tr("Preview, not committed: {0}").format(self._controller.describe(preview.operator))
        if session.position == 0:
            return self.tr("The source, before any step")
        label = self._controller.describe(session.plan[session.position - 1])
        return self.tr("After step {0}: {1}").format(session.position, label)

    def _sentence_text(self, group: Group | None) -> str:
        session, preview = self._controller.session, self._controller.preview
        if session is None:
            return self.tr("Open a table; then this shows which records look alike and what that gives away.")
        if not session.protection.secrets:
            return self.tr("Say what must not be learned (Protection…); then this shows what gives it away.")
        if preview is not None and self._at_worst():
            return preview.why
        if group is not None:
            return self._guess_text(group)
        if self._controller.standing is None:
            return self.tr("Scoring…")
        return self.tr("Nobody can be compared with anything in the release, so there is no evidence.")

    def _guess_text(self, group: Group) -> str:
        if not group.prior[0]:
            return self.tr("Of record {0}, “{1}” is ruled out beforehand; the release adds nothing.").format(
                words.count(group.target + 1), group.secret
            )
        shown = group.after if group.changes else group.before
        guess = best_guess(*shown, *group.prior)
        subject = self.tr("the release after this step") if group.changes else self.tr("the release")
        text = self.tr("For record {0} {1} {2} on “{3}”.")
        return text.format(words.count(group.target + 1), subject, guess, group.secret)

    def _other_text(self) -> str:
        """While a step is previewed: the target that is worst now and what the step does to it, or the way
        back to the one that is worst afterwards. Rich text; names are escaped."""
        preview, now = self._controller.preview, self._controller.worst_here
        if preview is None or now is None:
            return ""
        if self._controller.looked_at == now:
            return self._way_on(preview, now)
        seen = self._controller.look_of(now)
        if seen is None:
            return ""
        group = group_of(seen, changes=True)
        who = _link("now", self.tr("{0}, “{1}”").format(words.record(now[0]), now[1]))
        return f"{self._what_becomes_of(who, group)}{self._changed_words(preview, now)}"

    def _changed_words(self, preview: Candidate, now: tuple[int, str]) -> str:
        """Why another person is spoken of than before the preview; "" where it is the same one."""
        worst = preview.worst
        if worst is None or not self._at_worst() or worst.target == now[0]:
            return ""
        return " " + self.tr("The worst after this step is another record.")

    def _what_becomes_of(self, who: str, group: Group) -> str:
        if not group.after[1]:
            return self.tr(
                "Worst now: {0}; after this step nobody left in the release looks like it."
            ).format(who)
        guesses = words.guess(*group.before), words.guess(*group.after)
        if guesses[0] == guesses[1]:
            return self.tr("Worst now: {0}; this step changes nothing for it, the guess stays {1}.").format(
                who, guesses[0]
            )
        return self.tr("Worst now: {0}; this step takes the guess from {1} to {2}.").format(who, *guesses)

    def _way_on(self, preview: Candidate, now: tuple[int, str]) -> str:
        worst = preview.worst
        if worst is None:
            return self.tr("This target is the worst now; after the step nobody can be compared.")
        if (worst.target, worst.secret) == now:
            return self.tr("This target is the worst now, and after the step too.")
        name = self.tr("{0}, “{1}”").format(words.record(worst.target), worst.secret)
        return self.tr("This target is the worst now. Worst after the step: {0}").format(_link("worst", name))

    def _verdict_text(self) -> str:
        """α now, or before and after the preview, with mark and words."""
        session, preview = self._controller.session, self._controller.preview
        trajectory = self._controller.trajectory
        if session is None:
            return ""
        budget = session.protection.budget
        if preview is not None:
            before = words.factor(preview.alpha_before)
            return self.tr("Disclosure {0} → {1}").format(before, _verdict(preview.alpha, budget))
        if trajectory is None or session.position >= len(trajectory.prefixes) or not trajectory.secrets:
            return ""
        return self.tr("Disclosure {0}").format(_verdict(trajectory.alphas[session.position], budget))

    def _counts_text(self, preview: Candidate) -> str:
        counted = [
            self.tr("{0} worse off").format(words.targets(preview.worse).capitalize()),
            self.tr("{0} better").format(words.count(preview.better)),
            self.tr("{0} the same").format(words.count(preview.same)),
            self.tr("{0} over budget").format(words.count(preview.over_budget)),
        ]
        if preview.lost:
            counted.append(self.tr("{0} lost").format(words.count(preview.lost)))
        if preview.rows_removed:
            counted.append(self.tr("{0} removed").format(words.records(preview.rows_removed)))
        lines = [" · ".join(counted)]
        if preview.lost:
            lines.append(absence(preview.lost))
        if preview.does_no_privacy_work:
            lines.append(self.tr("It does no privacy work: nobody over budget gains by it."))
        elif preview.improves_still_above:
            lines.append(self.tr("It improves, and is still above the budget: a first step of two."))
        return "\n".join(lines)

    def _links_text(self, group: Group) -> str:
        """Who joins and leaves, each a link; rich text, of numbers alone."""
        joined, left = _size(group, joins=True), _size(group, joins=False)
        parts = []
        if group.changes and joined:
            parts.append(self.tr("Joins: {0}").format(_linked(group.joined, joined)))
        if group.changes and left:
            parts.append(self.tr("Leaves: {0}").format(_linked(group.left, left)))
        if not self._at_worst() and (self._controller.preview is None or not self._at_worst_now()):
            parts.append(f'<a href="worst">{self.tr("Back to the worst target")}</a>')
        return "<br>".join(parts)

    def _at_worst(self) -> bool:
        """Whether what is looked at is the worst of the preview or position, not another one chosen."""
        at, preview = self._controller.looked_at, self._controller.preview
        if preview is not None and preview.worst is not None:
            return at == (preview.worst.target, preview.worst.secret)
        session, trajectory = self._controller.session, self._controller.trajectory
        if preview is not None or session is None or trajectory is None:
            return True
        if session.position >= len(trajectory.prefixes):
            return True
        worst = trajectory.prefixes[session.position].worst
        return worst is None or at == (worst.target, worst.secret)

    def _at_worst_now(self) -> bool:
        return self._controller.looked_at == self._controller.worst_here

    def _show_chosen(self) -> None:
        session, preview = self._controller.session, self._controller.preview
        budget = session.protection.budget if session else 0.0
        chosen = next((i for i, c in enumerate(self._plotted) if c is preview), None)
        self._scatter.show_points(self._points, budget, chosen)


def _verdict(alpha: float | None, budget: float) -> str:
    standing = standing_of(alpha, budget)
    if alpha is None or alpha == -math.inf:
        return f"{MARKS[standing]} {words.factor(alpha)}, {standing_words(standing)}"
    return f"{words.factor(alpha)} ({words.logarithm(alpha)}): {MARKS[standing]} {standing_words(standing)}"


def _size(group: Group, *, joins: bool) -> int:
    return sum(d.count for d in group.dots if (d.joins if joins else d.leaves))


def _linked(rows: tuple[int, ...], number: int) -> str:
    links = ", ".join(f'<a href="{row}">{words.record(row)}</a>' for row in rows[:_MOST_LINKS])
    more = number - min(len(rows), _MOST_LINKS)
    return f"{links}, +{words.count(more)}" if more else links


def _text_label(parent: QWidget, name: str, accessible: str) -> QLabel:
    """A label of plain text: names of secrets and columns come from the data."""
    label = named(QLabel(parent), name, accessible)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return label


def _link(target: str, text: str) -> str:
    return f'<a href="{target}">{html.escape(text)}</a>'


def _link_label(parent: QWidget, name: str, accessible: str) -> QLabel:
    label = named(QLabel(parent), name, accessible)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return label
