"""From text to tree: sqlglot arranges the words, and a fixed list of its nodes is carried over.

Every name, literal and function goes to sqlglot under the number of its word. So what sqlglot does to names,
numbers and texts cannot change what the expression says, and every leaf leads back to its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sqlglot import Parser, Token, TokenType, exp
from sqlglot.errors import SqlglotError

from curator_gui.core.errors import PredicateError
from curator_gui.core.predicate_tree import (
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Call,
    CellText,
    Compare,
    Condition,
    Function,
    IsNull,
    Like,
    Name,
    Negative,
    Not,
    Number,
    Operation,
    Scalar,
    Sign,
    Text,
)
from curator_gui.core.predicate_words import DEEPEST_NESTING, FUNCTIONS, Word, read_words, shown, unfinished

_TOKENS = {
    "AND": TokenType.AND,
    "OR": TokenType.OR,
    "NOT": TokenType.NOT,
    "IN": TokenType.IN,
    "BETWEEN": TokenType.BETWEEN,
    "LIKE": TokenType.LIKE,
    "ESCAPE": TokenType.ESCAPE,
    "IS": TokenType.IS,
    "NULL": TokenType.NULL,
    "AS": TokenType.ALIAS,
    "VARCHAR": TokenType.VARCHAR,
    "=": TokenType.EQ,
    "<>": TokenType.NEQ,
    "!=": TokenType.NEQ,
    "<": TokenType.LT,
    "<=": TokenType.LTE,
    ">": TokenType.GT,
    ">=": TokenType.GTE,
    "+": TokenType.PLUS,
    "-": TokenType.DASH,
    "*": TokenType.STAR,
    "/": TokenType.SLASH,
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    ",": TokenType.COMMA,
}
_SIGNS: dict[type[exp.Expression], Sign] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_OPERATIONS: dict[type[exp.Expression], Operation] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_ALLOWED: dict[type[exp.Expression], frozenset[str]] = {
    exp.Paren: frozenset({"this"}),
    exp.And: frozenset({"this", "expression"}),
    exp.Or: frozenset({"this", "expression"}),
    exp.Not: frozenset({"this"}),
    exp.Between: frozenset({"this", "low", "high", "negate"}),
    exp.In: frozenset({"this", "expressions", "negate"}),
    exp.Escape: frozenset({"this", "expression"}),
    exp.Like: frozenset({"this", "expression", "negate"}),
    exp.Is: frozenset({"this", "expression", "negate"}),
    **{kind: frozenset({"this", "expression"}) for kind in (*_SIGNS, *_OPERATIONS)},
    exp.Column: frozenset({"this"}),
    exp.Literal: frozenset({"this", "is_string"}),
    exp.Neg: frozenset({"this"}),
    exp.Anonymous: frozenset({"this", "expressions"}),
    exp.Cast: frozenset({"this", "to"}),
}
"""The nodes and the parts of them that are carried over; any other is refused."""

_FUNCTION_NAMES: dict[str, Function] = {
    "LOWER": "LOWER",
    "UPPER": "UPPER",
    "SUBSTR": "SUBSTR",
    "LENGTH": "LENGTH",
    "YEAR": "YEAR",
    "MONTH": "MONTH",
}
_NUMBERED = "word_"


def read_condition(text: str) -> Condition:
    """The tree of a WHERE expression.

    Raises:
        PredicateError: with the position of the first thing refused.
    """
    words = read_words(text)
    try:
        return _Reading(words).condition(_arranged(words, text))
    except RecursionError:
        raise PredicateError(
            f"The expression is nested too deeply; keep it below {DEEPEST_NESTING} levels.", position=0
        ) from None


def names_in(condition: Condition) -> frozenset[str]:
    """The columns a condition reads."""
    found: set[str] = set()
    waiting: list[Condition | Scalar] = [condition]
    while waiting:
        match waiting.pop():
            case Name(name):
                found.add(name)
            case AllOf(operands) | AnyOf(operands):
                waiting.extend(operands)
            case Compare(_, left, right) | Arithmetic(_, left, right):
                waiting.extend((left, right))
            case CellText(column):
                waiting.append(column)
            case Not(operand):
                waiting.append(operand)
            case Among(operand) | Like(operand) | IsNull(operand) | Negative(operand) | Call(_, operand):
                waiting.append(operand)
            case _:
                pass
    return frozenset(found)


def _arranged(words: Sequence[Word], text: str) -> exp.Expression:
    tokens = [_token(i, word) for i, word in enumerate(words)]
    try:
        tree = Parser().parse_into(exp.Condition, tokens, text)[0]
    except SqlglotError as error:
        raise _misplaced(words, error) from None
    if not isinstance(tree, exp.Expression):
        raise _misplaced(words, None)
    return tree


def _token(index: int, word: Word) -> Token:
    if word.kind in ("mark", "keyword"):
        kind, spelled = _TOKENS[word.text], word.text
    elif word.kind == "function":
        kind, spelled = TokenType.VAR, word.text if word.text == "CAST" else f"{_NUMBERED}{index}"
    elif word.kind == "name":
        kind, spelled = TokenType.IDENTIFIER, str(index)
    else:
        kind, spelled = (TokenType.STRING if word.kind == "text" else TokenType.NUMBER), str(index)
    # The column carries the character's position to where a parse error reports it.
    return Token(kind, spelled, 1, word.at, word.at, word.at + len(word.text) - 1)


def _misplaced(words: Sequence[Word], error: SqlglotError | None) -> PredicateError:
    details = getattr(error, "errors", None) or [{}]
    at = details[0].get("col")
    if at is None or (at >= words[-1].at and words[-1].text != ")"):
        return unfinished(words[-1])
    found = next((w for w in words if w.at >= at), words[-1])
    return PredicateError(
        f"The expression cannot be read at {shown(found.text)} (position {found.at}); "
        "look for a missing parenthesis, value or operator there.",
        position=found.at,
    )


class _Reading:
    """Carries the nodes of one parsed expression over, or refuses them at their first word."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words

    def condition(self, node: exp.Expression | None) -> Condition:
        read = self._condition(node) if _is_allowed(node) else None
        if node is None or read is None:
            raise self._refused(node, "a condition such as age >= 40")
        # Some versions of sqlglot write NOT LIKE as LIKE with this mark, others as NOT around it.
        return Not(read) if _marked_part(node).args.get("negate") else read

    def _condition(self, node: exp.Expression | None) -> Condition | None:
        match node:
            case exp.Paren():
                return self.condition(node.this)
            case exp.And():
                return AllOf(tuple(self.condition(n) for n in _chain(node, exp.And)))
            case exp.Or():
                return AnyOf(tuple(self.condition(n) for n in _chain(node, exp.Or)))
            case exp.Not():
                return Not(self.condition(node.this))
            case exp.Between():
                return self._between(node)
            case exp.In():
                return self._among(node)
            case exp.Escape() | exp.Like():
                return self._like(node)
            case exp.Is() if type(node.expression) is exp.Null:
                return IsNull(self.scalar(node.this))
        if node is not None and type(node) in _SIGNS:
            return Compare(_SIGNS[type(node)], self.scalar(node.this), self.scalar(node.expression))
        return None

    def scalar(self, node: exp.Expression | None) -> Scalar:
        read = self._scalar(node) if _is_allowed(node) else None
        if read is None:
            raise self._refused(node, "a column or a value")
        return read

    def _scalar(self, node: exp.Expression | None) -> Scalar | None:
        match node:
            case exp.Paren():
                return self.scalar(node.this)
            case exp.Column() | exp.Literal():
                return self._leaf(node)
            case exp.Neg():
                operand = self.scalar(node.this)
                return Negative(operand, operand.at)
            case exp.Anonymous():
                return self._call(node)
            case exp.Cast():
                return self._cell_text(node)
        if node is not None and type(node) in _OPERATIONS:
            left, right = self.scalar(node.this), self.scalar(node.expression)
            return Arithmetic(_OPERATIONS[type(node)], left, right, left.at)
        return None

    def _between(self, node: exp.Expression) -> Condition:
        operand = self.scalar(node.this)
        low, high = self.scalar(node.args["low"]), self.scalar(node.args["high"])
        return AllOf((Compare(">=", operand, low), Compare("<=", operand, high)))

    def _among(self, node: exp.Expression) -> Condition:
        listed = node.args.get("expressions") or [None]
        word = self._word(listed[0])
        if word is None or not isinstance(word.value, tuple):
            raise self._refused(node, "IN with a list")
        return Among(self.scalar(node.this), word.value)

    def _like(self, node: exp.Expression) -> Condition:
        escape: Word | None = None
        if isinstance(node, exp.Escape):
            escape, node = self._quoted(node.expression, "a text of one character after ESCAPE"), node.this
            if not isinstance(escape.value, str) or len(escape.value) != 1:
                raise _needed("one character in quotes after ESCAPE", escape)
        if type(node) is not exp.Like or not _is_allowed(node):
            raise self._refused(node, "LIKE")
        pattern = self._quoted(node.expression, "a pattern in single quotes after LIKE")
        return Like(self.scalar(node.this), _expression_of(pattern, str(escape.value) if escape else None))

    def _quoted(self, node: exp.Expression | None, what: str) -> Word:
        word = self._word(node)
        if word is None or word.kind != "text":
            raise self._refused(node, what)
        return word

    def _leaf(self, node: exp.Expression) -> Scalar:
        word = self._word(node)
        match word:
            case Word("name", value=str(name)):
                return Name(name, word.at)
            case Word("text", value=str(text)):
                return Text(text, word.at)
            case Word("number", value=Fraction() as number):
                return Number(number, word.at)
        raise self._refused(node, "a column or a value")

    def _cell_text(self, node: exp.Expression) -> Scalar:
        column = self.scalar(node.this)
        if not isinstance(column, Name):
            raise _needed("a column in CAST", self._first_word(node))
        return CellText(column, column.at)

    def _call(self, node: exp.Expression) -> Scalar:
        word = self._word(node)
        if word is None or word.text not in FUNCTIONS:
            raise self._refused(node, "a function")
        function, arguments = _FUNCTION_NAMES[word.text], node.expressions
        most = 3 if function == "SUBSTR" else 1
        if not min(most, 2) <= len(arguments) <= most:
            raise PredicateError(
                f"{function} (position {word.at}) takes {'2 or 3 values' if most == 3 else 'one value'}.",
                position=word.at,
            )
        operand = self.scalar(arguments[0])
        return Call(function, operand, tuple(self._limit(n) for n in arguments[1:]), word.at)

    def _limit(self, node: exp.Expression) -> int:
        limit = self.scalar(node)
        if not isinstance(limit, Number) or limit.value.denominator != 1 or limit.value < 1:
            raise PredicateError(
                f"SUBSTR counts characters from 1; write a whole number from 1 up at position {limit.at}.",
                position=limit.at,
            )
        return int(limit.value)

    def _word(self, node: exp.Expression | None) -> Word | None:
        """The word a leaf stands for; None for any other node."""
        match node:
            case exp.Column(this=exp.Identifier() as name) if _is_allowed(node):
                return self._words[int(name.this)]
            case exp.Literal():
                return self._words[int(node.this)]
            case exp.Anonymous(this=str(name)) if name.startswith(_NUMBERED):
                return self._words[int(name.removeprefix(_NUMBERED))]
        return None

    def _first_word(self, node: exp.Expression | None) -> Word:
        nodes = node.find_all(exp.Column, exp.Literal, exp.Anonymous) if node is not None else ()
        leaves = (self._word(n) for n in nodes)
        return min((w for w in leaves if w is not None), key=lambda w: w.at, default=self._words[0])

    def _refused(self, node: exp.Expression | None, what: str) -> PredicateError:
        return _needed(what, self._first_word(node))


def _needed(what: str, found: Word) -> PredicateError:
    return PredicateError(
        f"The part starting with {shown(found.text)} (position {found.at}) should be {what}; rewrite it.",
        position=found.at,
    )


def _is_allowed(node: exp.Expression | None) -> bool:
    given = {name for name, value in node.args.items() if value} if node is not None else set()
    return node is not None and given <= _ALLOWED.get(type(node), frozenset())


def _marked_part(node: exp.Expression) -> exp.Expression:
    part: exp.Expression = node.this if type(node) is exp.Escape else node
    return part


def _chain(node: exp.Expression, kind: type[exp.Expression]) -> list[exp.Expression]:
    """The operands of a chain of ANDs or ORs, in order; sqlglot leans them to the left."""
    operands: list[exp.Expression] = []
    while type(node) is kind:
        operands.append(node.expression)
        node = node.this
    return [node, *reversed(operands)]


def _expression_of(pattern: Word, escape: str | None) -> str:
    """The regular expression of a LIKE pattern; linear in the text, whatever the pattern."""
    pieces = [""]
    characters = iter(str(pattern.value))
    for character in characters:
        if character == escape:
            character = next(characters, "")  # noqa: PLW2901
            if character not in ("%", "_", escape):
                raise _needed("a pattern: its escape character stands before %, _ or itself", pattern)
            pieces[-1] += re.escape(character)
        elif character == "%":
            pieces.append("")
        else:
            pieces[-1] += "." if character == "_" else re.escape(character)
    if len(pieces) == 1:
        return pieces[0]
    # The leftmost place of each piece is always good enough: an atomic group never tries another.
    middle = "".join(f"(?>.*?{piece})" for piece in pieces[1:-1] if piece)
    return f"{pieces[0]}{middle}.*{pieces[-1]}"
