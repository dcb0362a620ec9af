"""WHERE expressions, read and evaluated row by row in SQL's three-valued logic; slow and obvious on purpose.

Every node renders itself (``sql``) and evaluates itself on one row (``value``). A scalar is a str, a
Fraction, a datetime or None for NULL; a truth is True, False or None for UNKNOWN. Nothing here comes
from the product.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Protocol

Row = Mapping[str, str | None]


class SqlError(Exception):
    """The text is outside the subset."""


class Node(Protocol):
    """An expression; ``kind`` is "text", "number", "date" or "truth"."""

    @property
    def kind(self) -> str: ...

    def sql(self) -> str: ...

    def value(self, row: Row) -> Any: ...


def reading(cell: str | None, type: Mapping[str, Any]) -> str | Fraction | datetime | None:
    """What a cell means under its column's type; None where it is missing or does not parse."""
    kind = type.get("type", "text")
    if cell is None or kind in ("text", "code", "category"):
        return cell
    if kind in ("integer", "decimal"):
        mark = type.get("mark", ".")
        pattern = "-?[0-9]+" if kind == "integer" else f"-?[0-9]+({re.escape(mark)}[0-9]+)?"
        return Fraction(cell.replace(mark, ".")) if re.fullmatch(pattern, cell) else None
    default = "%Y-%m-%d" if kind == "date" else "%Y-%m-%d %H:%M:%S"
    try:
        return datetime.strptime(cell, type.get("format") or default)
    except ValueError:
        return None


def kind_of(type: Mapping[str, Any]) -> str:
    """The kind of a column's readings."""
    kind = type.get("type", "text")
    if kind in ("integer", "decimal"):
        return "number"
    return "date" if kind in ("date", "datetime") else "text"


@dataclass(frozen=True)
class Column:
    name: str
    type: Any

    @property
    def kind(self) -> str:
        return kind_of(self.type)

    def sql(self) -> str:
        return '"' + self.name.replace('"', '""') + '"'

    def value(self, row: Row) -> Any:
        return reading(row[self.name], self.type)


@dataclass(frozen=True)
class Cell:
    """CAST(column AS VARCHAR): the cell's text as it stands."""

    column: Column
    kind: str = "text"

    def sql(self) -> str:
        return f"CAST({self.column.sql()} AS VARCHAR)"

    def value(self, row: Row) -> Any:
        return row[self.column.name]


@dataclass(frozen=True)
class Text:
    text: str
    kind: str = "text"

    def sql(self) -> str:
        return "'" + self.text.replace("'", "''") + "'"

    def value(self, row: Row) -> Any:
        return self.text


@dataclass(frozen=True)
class Number:
    digits: str
    kind: str = "number"

    def sql(self) -> str:
        return self.digits

    def value(self, row: Row) -> Any:
        return Fraction(self.digits)


@dataclass(frozen=True)
class Date:
    """A text literal that stands against a date."""

    text: str
    kind: str = "date"

    def sql(self) -> str:
        return f"'{self.text}'"

    def value(self, row: Row) -> Any:
        return datetime.strptime(self.text, "%Y-%m-%d")


@dataclass(frozen=True)
class Arithmetic:
    left: Node
    sign: str
    right: Node
    kind: str = "number"

    def sql(self) -> str:
        return f"({self.left.sql()} {self.sign} {self.right.sql()})"

    def value(self, row: Row) -> Any:
        a, b = self.left.value(row), self.right.value(row)
        if a is None or b is None or (self.sign == "/" and b == 0):
            return None
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b}[self.sign]()


@dataclass(frozen=True)
class Negative:
    inner: Node
    kind: str = "number"

    def sql(self) -> str:
        return f"-({self.inner.sql()})"

    def value(self, row: Row) -> Any:
        inner = self.inner.value(row)
        return None if inner is None else -inner


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple[Node, ...]

    @property
    def kind(self) -> str:
        return "number" if self.name in ("LENGTH", "YEAR", "MONTH") else "text"

    def sql(self) -> str:
        return f"{self.name}({', '.join(a.sql() for a in self.arguments)})"

    def value(self, row: Row) -> Any:
        values = [a.value(row) for a in self.arguments]
        return None if None in values else _FUNCTIONS[self.name](*values)


def _substr(text: str, start: Fraction, length: Fraction | None = None) -> str:
    first = int(start) - 1
    return text[first:] if length is None else text[first : first + int(length)]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "LOWER": lambda text: text.lower(),
    "UPPER": lambda text: text.upper(),
    "LENGTH": lambda text: Fraction(len(text)),
    "SUBSTR": _substr,
    "YEAR": lambda date: Fraction(date.year),
    "MONTH": lambda date: Fraction(date.month),
}


def compare(a: Any, sign: str, b: Any) -> bool | None:
    """One comparison; UNKNOWN where a side is NULL."""
    if a is None or b is None:
        return None
    return bool(_SIGNS[sign](a, b))


_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def both(a: bool | None, b: bool | None) -> bool | None:
    """AND."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def negation(a: bool | None) -> bool | None:
    """NOT."""
    return None if a is None else not a


def either(a: bool | None, b: bool | None) -> bool | None:
    """OR."""
    return negation(both(negation(a), negation(b)))


@dataclass(frozen=True)
class Compare:
    left: Node
    sign: str
    right: Node
    kind: str = "truth"

    def sql(self) -> str:
        return f"({self.left.sql()} {self.sign} {self.right.sql()})"

    def value(self, row: Row) -> Any:
        return compare(self.left.value(row), self.sign, self.right.value(row))


@dataclass(frozen=True)
class In:
    left: Node
    items: tuple[Node, ...]
    negated: bool = False
    kind: str = "truth"

    def sql(self) -> str:
        word = "NOT IN" if self.negated else "IN"
        return f"({self.left.sql()} {word} ({', '.join(i.sql() for i in self.items)}))"

    def value(self, row: Row) -> Any:
        found: bool | None = False
        for item in self.items:
            found = either(found, compare(self.left.value(row), "=", item.value(row)))
        return negation(found) if self.negated else found


@dataclass(frozen=True)
class Between:
    left: Node
    low: Node
    high: Node
    negated: bool = False
    kind: str = "truth"

    def sql(self) -> str:
        word = "NOT BETWEEN" if self.negated else "BETWEEN"
        return f"({self.left.sql()} {word} {self.low.sql()} AND {self.high.sql()})"

    def value(self, row: Row) -> Any:
        left = self.left.value(row)
        inside = both(compare(left, ">=", self.low.value(row)), compare(left, "<=", self.high.value(row)))
        return negation(inside) if self.negated else inside


@dataclass(frozen=True)
class Like:
    left: Node
    pattern: Text
    escape: Text | None = None
    negated: bool = False
    kind: str = "truth"

    def sql(self) -> str:
        escape = f" ESCAPE {self.escape.sql()}" if self.escape else ""
        return f"({self.left.sql()} {'NOT LIKE' if self.negated else 'LIKE'} {self.pattern.sql()}{escape})"

    def value(self, row: Row) -> Any:
        left = self.left.value(row)
        if left is None:
            return None
        return like(left, self.pattern.text, self.escape.text if self.escape else None) != self.negated


def like(text: str, pattern: str, escape: str | None) -> bool:
    """Whether ``text`` matches: % any run, _ any one code point, ``escape`` makes the next one literal."""
    if not pattern:
        return not text
    if pattern[0] == escape:
        return text[:1] == pattern[1:2] and like(text[1:], pattern[2:], escape)
    if pattern[0] == "%":
        return any(like(text[i:], pattern[1:], escape) for i in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and like(text[1:], pattern[1:], escape)


@dataclass(frozen=True)
class IsNull:
    inner: Node
    negated: bool = False
    kind: str = "truth"

    def sql(self) -> str:
        return f"({self.inner.sql()} IS {'NOT ' if self.negated else ''}NULL)"

    def value(self, row: Row) -> Any:
        return (self.inner.value(row) is None) != self.negated


@dataclass(frozen=True)
class Not:
    inner: Node
    kind: str = "truth"

    def sql(self) -> str:
        return f"(NOT {self.inner.sql()})"

    def value(self, row: Row) -> Any:
        return negation(self.inner.value(row))


@dataclass(frozen=True)
class Junction:
    left: Node
    word: str
    right: Node
    kind: str = "truth"

    def sql(self) -> str:
        return f"({self.left.sql()} {self.word} {self.right.sql()})"

    def value(self, row: Row) -> Any:
        join = both if self.word == "AND" else either
        return join(self.left.value(row), self.right.value(row))


def parse(text: str, types: Mapping[str, Mapping[str, Any]]) -> Node:
    """The tree of a WHERE expression over columns of these types."""
    reader = _Reader(_tokens(text), types)
    tree = reader.disjunction()
    if reader.at < len(reader.tokens) or tree.kind != "truth":
        raise SqlError(f"not a WHERE expression: {text}")
    return tree


_TOKEN = re.compile(
    r"""\s*(?:(?P<name>"(?:[^"]|"")*")|(?P<text>'(?:[^']|'')*')|(?P<number>[0-9]+(?:\.[0-9]+)?)"""
    r"""|(?P<word>\w+)|(?P<sign><=|>=|<>|!=|[=<>()+\-*/,]))""",
    re.DOTALL,
)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise SqlError(f"not understood: {text[at:]}")
        tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
        at = match.end()
    return tokens


class _Reader:
    """Recursive descent over the tokens, loosest binding first."""

    def __init__(self, tokens: Sequence[tuple[str, str]], types: Mapping[str, Mapping[str, Any]]) -> None:
        self.tokens, self.types, self.at = tokens, types, 0

    def next(self) -> tuple[str, str]:
        if self.at == len(self.tokens):
            raise SqlError("the expression ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def takes(self, *wanted: str) -> bool:
        """Step over these signs or words if they come next."""
        ahead = self.tokens[self.at : self.at + len(wanted)]
        if [value.upper() if kind in ("word", "sign") else None for kind, value in ahead] != list(wanted):
            return False
        self.at += len(wanted)
        return True

    def need(self, wanted: str) -> None:
        if not self.takes(wanted):
            raise SqlError(f"{wanted} expected at token {self.at}")

    def disjunction(self) -> Node:
        left = self.conjunction()
        while self.takes("OR"):
            left = Junction(left, "OR", self.conjunction())
        return left

    def conjunction(self) -> Node:
        left = self.negation()
        while self.takes("AND"):
            left = Junction(left, "AND", self.negation())
        return left

    def negation(self) -> Node:
        return Not(self.negation()) if self.takes("NOT") else self.predicate()

    def predicate(self) -> Node:
        left = self.sum()
        for sign in ("<=", ">=", "<>", "!=", "=", "<", ">"):
            if self.takes(sign):
                return Compare(*_alike(left, self.sum(), sign="<>" if sign == "!=" else sign))
        if self.takes("IS", "NOT", "NULL"):
            return IsNull(left, negated=True)
        if self.takes("IS", "NULL"):
            return IsNull(left)
        negated = self.takes("NOT")
        if self.takes("IN"):
            return self.listing(left, negated)
        if self.takes("BETWEEN"):
            low = self.sum()
            self.need("AND")
            high = self.sum()
            return Between(_alike(left, low)[0], _alike(left, low)[2], _alike(left, high)[2], negated)
        if self.takes("LIKE"):
            pattern = self.string()
            return Like(left, pattern, self.string() if self.takes("ESCAPE") else None, negated)
        return left

    def listing(self, left: Node, negated: bool) -> Node:
        self.need("(")
        items = [_alike(left, self.sum())[2]]
        while self.takes(","):
            items.append(_alike(left, self.sum())[2])
        self.need(")")
        return In(left, tuple(items), negated)

    def string(self) -> Text:
        kind, value = self.next()
        if kind != "text":
            raise SqlError(f"a text expected, not {value}")
        return Text(value[1:-1].replace("''", "'"))

    def sum(self) -> Node:
        left = self.product()
        while self.takes("+") or self.takes("-"):
            left = Arithmetic(left, self.tokens[self.at - 1][1], self.product())
        return left

    def product(self) -> Node:
        left = self.atom()
        while self.takes("*") or self.takes("/"):
            left = Arithmetic(left, self.tokens[self.at - 1][1], self.atom())
        return left

    def atom(self) -> Node:
        if self.takes("-"):
            return Negative(self.atom())
        if self.takes("("):
            inner = self.disjunction()
            self.need(")")
            return inner
        if self.takes("CAST", "("):
            column = self.atom()
            self.need("AS")
            self.need("VARCHAR")
            self.need(")")
            if not isinstance(column, Column):
                raise SqlError("CAST of anything but a column")
            return Cell(column)
        kind, value = self.next()
        if kind == "number":
            return Number(value)
        if kind == "text":
            return Text(value[1:-1].replace("''", "'"))
        if kind == "word" and value.upper() in _FUNCTIONS and self.takes("("):
            return self.call(value.upper())
        name = value[1:-1].replace('""', '"') if kind == "name" else value
        if kind == "sign" or name not in self.types:
            raise SqlError(f"no column {name}")
        return Column(name, self.types[name])

    def call(self, name: str) -> Node:
        arguments = [self.sum()]
        while self.takes(","):
            arguments.append(self.sum())
        self.need(")")
        return Call(name, tuple(arguments))


def _alike(left: Node, right: Node, sign: str = "=") -> tuple[Node, str, Node]:
    """Both sides of a comparison, a text literal turned into a date where it stands against one."""
    if left.kind == "date" and isinstance(right, Text):
        right = Date(right.text)
    if right.kind == "date" and isinstance(left, Text):
        left = Date(left.text)
    if left.kind != right.kind or left.kind == "truth":
        raise SqlError(f"{left.kind} against {right.kind}")
    return left, sign, right
