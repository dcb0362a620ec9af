"""Every sentence on the screen can be translated: none is given to a widget without tr()."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import curator_gui.gui

FOLDER = Path(curator_gui.gui.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))

SHOWING = {
    *("setText", "setPlainText", "setHtml", "setTitle", "setWindowTitle", "setToolTip", "setStatusTip"),
    *("setWhatsThis", "setPlaceholderText", "setAccessibleName", "setAccessibleDescription", "setSuffix"),
    *("setPrefix", "setHeaderLabels", "setInformativeText", "setLabelText", "setSpecialValueText"),
    *(
        "addAction",
        "addMenu",
        "addTab",
        "addItem",
        "addItems",
        "addRow",
        "addButton",
        "insertItem",
        "insertTab",
    ),
    *("drawText", "drawStaticText", "setHorizontalHeaderLabels", "refuse", "tell", "warn", "say"),
    *("show_problem", "show_notice", "show_offer", "show_line"),
    *("QLabel", "QPushButton", "QToolButton", "QCheckBox", "QRadioButton", "QAction", "QMenu", "QGroupBox"),
    *("QDockWidget", "QTreeWidgetItem", "QListWidgetItem", "QStandardItem", "QLineEdit", "QMessageBox"),
}
"""What puts its texts before the user's eyes or ears."""

SIGNALS = {"problem", "notice", "refused", "budget_refused"}
TRANSLATING = {"tr", "translate", "_text", "_tr"}
NAMES = {"Curator", "Parquet", "SPSS", "Stata", "SAS", "Arrow", "Feather", "CSV", "TSV", "Excel", "SELECT"}
"""The same in every language."""


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(FOLDER)))
def test_no_sentence_reaches_a_widget_untranslated(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))

    found = [f"line {line}: {text!r}" for line, text in bare_sentences(tree)]

    assert found == []


def test_a_bare_sentence_is_found_wherever_it_hides() -> None:
    bare = """
label.setText("Plain words")
label.setText(f"Read {n} of it")
label.setText("Yes please" if ok else self.tr("No"))
box.addItem("One more " + name)
form.addRow(QLabel("Deep inside"))
self.problem.emit("Told by a signal")
"""

    assert [line for line, _ in bare_sentences(ast.parse(bare))] == [2, 3, 4, 5, 6, 7]


def test_translated_texts_marks_and_figures_are_left_in_peace() -> None:
    fine = """
label.setText(self.tr("Plain words"))
label.setText(QCoreApplication.translate("page", "Plain words").format(n))
label.setText("×")
label.setText(f"{a} · {b}")
label.setText(f"<b style='color:{colour}'>{self.tr('Words')}</b>")
edit.setPlaceholderText("3, 5, 9-12")
named(QLabel(self), "an_object_name")
"""

    assert bare_sentences(ast.parse(fine)) == []


def bare_sentences(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, text) of each literal with words in it that is shown, or reads like a sentence, untranslated."""
    shown = [a for call in ast.walk(tree) if isinstance(call, ast.Call) for a in arguments_shown(call)]
    found = {(node.lineno, text) for a in shown for node, text in untranslated(a) if has_words(text)}
    loose = set(sentences(tree))
    return sorted(found | {(line, text) for line, text in loose if not any(text in t for _, t in found)})


def arguments_shown(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that the user gets to see."""
    match call.func:
        case ast.Attribute(attr="emit", value=ast.Attribute(attr=signal)):
            return call.args if signal in SIGNALS else []
        case ast.Attribute(attr="addItem" | "addRow"):
            return call.args[:1]  # the second is data, or a widget
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return [*call.args, *(k.value for k in call.keywords)] if name in SHOWING else []
    return []


def untranslated(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The texts that make up a value, those that another call makes left out."""
    match node:
        case ast.Constant(value=str(text)):
            yield node, text
        case ast.JoinedStr(values=parts):
            yield node, "".join(str(p.value) if isinstance(p, ast.Constant) else "0" for p in parts)
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            yield from untranslated(one)
            yield from untranslated(other)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from untranslated(part)
        case ast.Call(func=ast.Attribute(attr="format", value=text)):
            yield from untranslated(text)


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Literals anywhere that begin like a sentence; docstrings and arguments of a translation are none,
    nor are refusals and phases of work, which come in one language from below the window too."""
    exempt = {id(node) for node in exempted(tree)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in exempt else None
        if isinstance(text, str) and re.match(r"[A-Z][a-z]+,? [a-z“{]", text):
            yield node.lineno, text


def exempted(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node.value
            case ast.Raise() | ast.Call(func=ast.Name(id="progress" | "_whole")):
                yield from ast.walk(node)
            case ast.Assign(targets=[ast.Name(id="HEADS")]):  # translated where they are shown
                yield from ast.walk(node)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in TRANSLATING:
                yield from ast.walk(node)


def has_words(text: str) -> bool:
    """Whether a text holds a word of a language: two letters together, outside of tags and addresses."""
    plain = re.sub(r"<[^>]*>|\w+://\S+|&\w+;|\[\*\]", " ", text)
    for name in NAMES:
        plain = plain.replace(name, " ")
    return bool(re.search(r"[A-Za-zÀ-ž]{2,}", plain))
