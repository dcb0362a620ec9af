"""Help: all keys, and the field's words as this window uses them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QTextBrowser, QVBoxLayout, QWidget

from curator_gui.gui.naming import named


def _text(source: str) -> str:
    return QCoreApplication.translate("help", source)


class HelpDialog(QDialog):
    """Two pages: keys and words."""

    def __init__(self, keys: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle(self.tr("Help"))
        pages = named(QTabWidget(self), "help_pages", self.tr("Pages of the help"))
        pages.addTab(_page("help_job", _job()), self.tr("The main job"))
        pages.addTab(_page("help_keys", _table(keys)), self.tr("Keys"))
        pages.addTab(_page("help_words", _table(_words())), self.tr("Words"))
        buttons = QDialogButtonBox(self)
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        named(close, "close_help")
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.addWidget(pages)
        box.addWidget(buttons)
        self.resize(600, 520)


def _page(name: str, html: str) -> QTextBrowser:
    page = named(QTextBrowser(), name, _text("Help text"))
    page.setHtml(html)
    return page


def _table(rows: Sequence[tuple[str, str]]) -> str:
    body = "".join(
        f"<tr><td style='padding:4px 24px 4px 4px;white-space:nowrap'><b>{left}</b></td>"
        f"<td style='padding:4px'>{right}</td></tr>"
        for left, right in rows
    )
    return f"<table>{body}</table>"


def _job() -> str:
    steps = (
        _text("Open a table, a saved session or the sample."),
        _text("Protection…: say what an outsider knows, what must not be learned, and the budget τ."),
        _text("In Next step, select a row: its effect is previewed in the chart, in Why and in the table."),
        _text("Commit it. Every step can be undone; a click on a step of the plan stands there."),
        _text("Release… writes the table and two manifests, reads the file back and checks it."),
    )
    return "<ol>" + "".join(f"<li style='margin:6px'>{step}</li>" for step in steps) + "</ol>"


def _words() -> Sequence[tuple[str, str]]:
    return (
        (
            _text("Visible attribute"),
            _text("What the outsider knows of a person beforehand, at the precision set."),
        ),
        (_text("Secret"), _text("What must not be learned of a person: a condition on the record.")),
        (_text("Target"), _text("A record that is protected; all records unless narrowed.")),
        (
            _text("Disclosure α"),
            _text(
                "How much better the best guess about the worst target becomes: ×1.5 is half as much again."
            ),
        ),
        (_text("Budget τ"), _text("The largest disclosure you accept.")),
        (_text("Class"), _text("Records that an outsider cannot tell apart in the release.")),
        (_text("Prior exposure"), _text("What the visible attributes give away by themselves.")),
        (_text("Worse, better"), _text("How many targets a step puts in a worse or a better place.")),
        (_text("Utility"), _text("How much of the information in the table is left.")),
        (_text("Exposed"), _text("A prefix of the plan whose table has left the house.")),
    )
