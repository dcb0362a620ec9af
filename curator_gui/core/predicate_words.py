"""The words and marks a WHERE expression may be written with; anything else is refused where it stands.

The list is shorter than any SQL dialect's, so that no dialect's reading of escapes, comments, prefixes or
keywords can slip in: what is not listed here never reaches the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from curator_gui.core.errors import PredicateError
from curator_gui.core.predicate_tree import Number, Text

FUNCTIONS = ("LOWER", "UPPER", "SUBSTR", "LENGTH", "YEAR", "MONTH")
LONGEST_TEXT = 10_000_000
MOST_WORDS = 50_000
DEEPEST_NESTING = 24
MOST_ARITHMETIC = 100
MOST_DIGITS = 1_000

_GRAMMAR = frozenset(["AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "ESCAPE", "IS", "NULL", "AS", "VARCHAR"])
_RESERVED = frozenset(
    """ALL ANY CASE COLLATE DISTINCT DIV ELSE END EXISTS FALSE FROM GLOB HAVING ILIKE INTERSECT INTERVAL JOIN
    LIMIT OVER REGEXP RLIKE SELECT SIMILAR SOME SYMMETRIC THEN TRUE TRY_CAST UNION USING VALUES WHEN WHERE
    WITH XOR""".split()  # noqa: SIM905 - one word a line would hide the list
)
_COMMENT = re.compile(r"--|/\*|#")
_WORD = re.compile(
    r"""(?: (?P<comment>--|/\*|\#)
      | (?P<text>'[^']*+(?:''[^']*+)*+')
      | (?P<quoted>"[^"]*+(?:""[^"]*+)*+")
      | (?P<number>[0-9]++(?:\.[0-9]++)?)(?![\w.])
      | (?P<word>[^\W\d]\w*+)
      | (?P<mark><>|!=|<=|>=|[=<>+\-*/(),]))\s*""",
    re.VERBOSE,
)
_ARITHMETIC = frozenset("+-*/")
_COMPARISONS = frozenset(["=", "<>", "!=", "<", "<=", ">", ">="])
_AFTER_OPERAND = _COMPARISONS | {"+", "*", "/", ",", ")"} | (_GRAMMAR - {"NOT", "NULL", "VARCHAR"})


class Word(NamedTuple):
    """One word: ``text`` is what stands at ``at``, keywords and function names in capitals.

    ``value`` is a name's or a text's content, a number, or the literals of an IN list.
    """

    kind: Literal["text", "number", "name", "function", "keyword", "mark", "list"]
    text: str
    at: int
    value: str | Fraction | tuple[Text | Number, ...] = ""

    @property
    def ends_operand(self) -> bool:
        return self.kind in ("text", "number", "name", "list") or self.text in (")", "NULL")

    @property
    def starts_operand(self) -> bool:
        return self.kind in ("text", "number", "name", "function")


def read_words(text: str) -> tuple[Word, ...]:
    """The words of ``text``, each IN list one of them.

    Raises:
        PredicateError: at the first thing that no expression may hold at that place.
    """
    if len(text) > LONGEST_TEXT:
        raise PredicateError(
            f"The expression has {len(text):,} characters and may have {LONGEST_TEXT:,}; split it.",
            position=LONGEST_TEXT,
        )
    words = tuple(_with_lists(_signed(_spelled(text))))
    if not words:
        raise PredicateError("The expression is empty; write a condition such as age >= 40.", position=0)
    _check_places(words)
    _check_depth(words)
    return words


def shown(text: str) -> str:
    """A piece of an expression for a sentence, cut short."""
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"


def _spelled(text: str) -> Iterator[Word]:
    position = len(text) - len(text.lstrip())
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None or match.lastgroup is None or match.lastgroup == "comment":
            raise _unreadable(text, position)
        yield _word(text, match.lastgroup, match[match.lastgroup], position, match.end())
        position = match.end()


def _word(text: str, kind: str, found: str, at: int, following: int) -> Word:
    if kind == "text":
        return Word("text", found, at, found[1:-1].replace("''", "'"))
    if kind == "quoted":
        return Word("name", found, at, found[1:-1].replace('""', '"'))
    if kind == "number":
        return _number(found, at)
    if kind == "word":
        return _keyword_or_name(found, at, text.startswith("(", following))
    return Word("mark", found, at)


def _number(digits: str, at: int) -> Word:
    if len(digits) > MOST_DIGITS:
        raise PredicateError(
            f"The number at position {at} has more than {MOST_DIGITS:,} digits; write a shorter one.",
            position=at,
        )
    return Word("number", digits, at, Fraction(digits))


def _keyword_or_name(found: str, at: int, is_called: bool) -> Word:
    # Only ASCII words are keywords: capitals of other letters ("ı") may fold into one.
    capitals = found.upper() if found.isascii() else found
    if capitals in _GRAMMAR:
        return Word("keyword", capitals, at)
    if capitals in _RESERVED:
        raise PredicateError(
            f"{shown(found)} (position {at}) is not allowed in an expression; "
            "put it in double quotes if it is a column.",
            position=at,
        )
    if not is_called:
        return Word("name", found, at, found)
    if capitals in FUNCTIONS or capitals == "CAST":
        return Word("function", capitals, at)
    raise PredicateError(
        f"There is no function {shown(found)} (position {at}); there are {', '.join(FUNCTIONS)} and CAST.",
        position=at,
    )


def _unreadable(text: str, at: int) -> PredicateError:
    here = text[at]
    if _COMMENT.match(text, at):
        message = f"A comment starts at position {at}; comments are not allowed in an expression."
    elif here == ";":
        message = f"A second statement starts at position {at}; write one condition, without “;”."
    elif here in "'\"":
        message = (
            f"The quote at position {at} is never closed; add the closing one, or double a quote within."
        )
    elif here.isascii() and here.isdigit():
        message = f"The number at position {at} cannot be read; write it as 12 or 12.5."
    else:
        message = (
            f"{shown(here)} (position {at}) is not allowed in an expression; remove it or quote the text."
        )
    return PredicateError(message, position=at)


def _signed(words: Iterator[Word]) -> Iterator[Word]:
    """Minus and number become one word where the minus cannot be a subtraction."""
    before: Word | None = None
    sign: Word | None = None
    for word in words:
        if sign is not None and word.kind == "number" and isinstance(word.value, Fraction):
            word, sign = Word("number", sign.text + word.text, sign.at, -word.value), None  # noqa: PLW2901
        if sign is not None:
            yield sign
            before, sign = sign, None
        if word.text == "-" and (before is None or not before.ends_operand):
            sign = word
            continue
        yield word
        before = word
    if sign is not None:
        yield sign


def _with_lists(words: Iterator[Word]) -> Iterator[Word]:
    """What stands in parentheses after IN becomes one word, so that its length costs the parser nothing."""
    for word in words:
        yield word
        if word.kind == "keyword" and word.text == "IN":
            opening = _next(words, word)
            if opening.text != "(":
                raise _expected("a list in parentheses", opening)
            yield opening
            yield Word("list", opening.text, opening.at, _literals(words, opening))
            yield Word("mark", ")", opening.at)


def _literals(words: Iterator[Word], last: Word) -> tuple[Text | Number, ...]:
    literals: list[Text | Number] = []
    while last.text != ")" or last.kind != "mark":
        word = _next(words, last)
        if word.kind == "text" and isinstance(word.value, str):
            literals.append(Text(word.value, word.at))
        elif word.kind == "number" and isinstance(word.value, Fraction):
            literals.append(Number(word.value, word.at))
        else:
            raise _expected("a text or a number in the list", word)
        last = _next(words, word)
        if last.kind != "mark" or last.text not in (",", ")"):
            raise _expected("“,” or “)”", last)
    return tuple(literals)


def _next(words: Iterator[Word], last: Word) -> Word:
    following = next(words, None)
    if following is None:
        raise unfinished(last)
    return following


def unfinished(last: Word) -> PredicateError:
    end = last.at + len(last.text)
    return PredicateError(
        f"The expression ends too early, after {shown(last.text)} (position {end}); complete it.",
        position=end,
    )


def _expected(what: str, found: Word) -> PredicateError:
    return PredicateError(
        f"{shown(found.text)} (position {found.at}) stands where {what} is expected.", position=found.at
    )


def _check_places(words: tuple[Word, ...]) -> None:
    """Refuse words that cannot follow one another, with a better position than a parser gives."""
    if len(words) > MOST_WORDS:
        at = words[MOST_WORDS].at
        raise PredicateError(
            f"The expression has more than {MOST_WORDS:,} words (position {at}); use IN for long lists.",
            position=at,
        )
    texts = ["", *(w.text if w.kind in ("keyword", "mark") else w.kind for w in words), "", ""]
    for i, word in enumerate(words, 1):
        negated = texts[i] in ("IN", "LIKE", "BETWEEN") and texts[i - 1] == "NOT"
        last = i - 1 - negated
        after_operand = last > 0 and (texts[last] == "VARCHAR" or words[last - 1].ends_operand)
        _check_order(word, texts[i], texts[i + 1], after_operand)
        _check_keyword(word, texts[max(i - 2, 0) : i + 3] if i > 1 else ["", *texts[:4]])


def _check_order(word: Word, text: str, after: str, after_operand: bool) -> None:
    """Operands and operators take turns."""
    if after_operand and (word.starts_operand or text == "("):
        raise _expected("an operator", word)
    if after_operand and text == "NOT" and after not in ("IN", "LIKE", "BETWEEN"):
        raise _expected("an operator", word)
    if not after_operand and text in _AFTER_OPERAND:
        raise _expected("a column or a value", word)


def _check_keyword(word: Word, around: list[str]) -> None:
    """``around``: two words before, the word itself and two after."""
    earlier, before, text, after, later = around
    if text == "NULL" and "IS" not in (before, earlier if before == "NOT" else ""):
        raise PredicateError(
            f"NULL (position {word.at}) cannot be compared; write IS NULL or IS NOT NULL.", position=word.at
        )
    if text == "IS" and "NULL" not in (after, later if after == "NOT" else ""):
        raise PredicateError(
            f"IS (position {word.at}) must be followed by NULL or NOT NULL; use = or <>.", position=word.at
        )
    if (before == "AS") != (text == "VARCHAR"):
        raise _expected("VARCHAR" if before == "AS" else "a column or a value", word)
    if before == "VARCHAR" and text != ")":
        raise _expected("“)”", word)


def _check_depth(words: tuple[Word, ...]) -> None:
    """Bound nesting and chains, so that neither the parser nor the walk can exhaust the stack."""
    opened: list[Word] = []
    prefixes = arithmetic = 0
    for word in words:
        if word.kind not in ("mark", "keyword"):
            continue
        if word.text in ("AND", "OR"):
            prefixes = arithmetic = 0
        if word.text == "(":
            opened.append(word)
        elif word.text == ")" and not opened:
            raise _unpaired(word)
        elif word.text == ")":
            opened.pop()
        prefixes += word.text == "NOT"
        arithmetic += word.text in _ARITHMETIC
        if len(opened) + prefixes > DEEPEST_NESTING:
            raise PredicateError(
                f"The expression is nested over {DEEPEST_NESTING} deep (position {word.at}); simplify it.",
                position=word.at,
            )
        if arithmetic > MOST_ARITHMETIC:
            raise PredicateError(
                f"One condition holds over {MOST_ARITHMETIC} calculations (position {word.at}); simplify it.",
                position=word.at,
            )
    if opened:
        raise _unpaired(opened[-1])


def _unpaired(word: Word) -> PredicateError:
    return PredicateError(
        f"The parenthesis {shown(word.text)} at position {word.at} has no partner; add or remove one.",
        position=word.at,
    )
