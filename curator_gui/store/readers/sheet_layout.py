"""Where the table of a sheet probably is, judged from its first and last rows, with the reasons."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from curator_gui.store.readers.sheet import GridRow, Merge, SheetKind, SheetReader, Workbook, filled

_TOP = 60
_BOTTOM = 12
_FOOTER_WORDS = ("total", "totals", "sum", "source", "note", "notes", "summe", "gesamt", "quelle", "*", "†",
                 "¹", "©")  # fmt: skip


def propose_layout(book: Workbook, sheet: str, kind: SheetKind) -> SheetReader:
    """The header block is the first row with several cells, with the rows its merged cells reach; rows of a
    single cell above it are titles, and at the end a footer."""
    rows = book.rows(sheet)
    top = list(islice(rows, _TOP))
    bottom = _last(rows, top)
    merges = [m for m in book.merges(sheet) if m.top <= _TOP]
    counts = [_cells(r) for r in top]
    width = max(counts, default=0)
    first = next((n for n, c in enumerate(counts, 1) if c > 1 or (c == 1 and width == 1)), 1)
    shown = list(filled(iter(top), merges))
    why = [f"Row {n} holds a title." for n, c in enumerate(counts[: first - 1], 1) if c]
    if _is_data(top[first - 1] if top else ()):
        why.append(f"Row {first} holds numbers or dates already, so there is no header.")
        header, start = None, first
    else:
        last = _header_end(first, merges, len(top))
        header, start = (first, last), last + 1
        why.append(_header_reason(first, last))
    while start <= len(shown) and not any(shown[start - 1]):
        start += 1
    footer = _footer_rows(bottom, start, width)
    if footer:
        text = next(c.text for _, r in bottom[-footer:] for c in r if c)
        why.append(f"The last {'row is' if footer == 1 else f'{footer} rows are'} a footer: “{text[:40]}”.")
    return SheetReader(kind, sheet, header, start, footer, evidence=tuple(why))


def _cells(row: GridRow) -> int:
    return sum(cell is not None and cell.text.strip() != "" for cell in row)


def _is_data(row: GridRow) -> bool:
    """Years and other numbers may name columns, but not most of them."""
    typed = sum(cell is not None and cell.typed for cell in row)
    return 2 * typed > _cells(row)


def _header_end(first: int, merges: Sequence[Merge], rows: int) -> int:
    last = first
    for _ in range(4):  # headers of more rows are not proposed
        reach = last
        for merge in merges:
            if first <= merge.top <= last:
                reach = max(reach, merge.bottom)
                if merge.right > merge.left and merge.bottom == last:
                    reach = max(reach, merge.bottom + 1)
        if reach == last:
            break
        last = reach
    return min(last, max(rows, first))


def _header_reason(first: int, last: int) -> str:
    if first == last:
        return f"Row {first} is the first with several cells: the header."
    return f"Rows {first} to {last} are the header, for its cells are merged across them."


def _last(rows: Iterator[GridRow], top: Sequence[GridRow]) -> list[tuple[int, GridRow]]:
    """The last rows that are not blank, with their numbers."""
    numbered = [(n, r) for n, r in enumerate(top, 1) if any(r)]
    last = deque(numbered, _BOTTOM)
    last.extend((n, r) for n, r in enumerate(rows, len(top) + 1) if any(r))
    return list(last)


def _footer_rows(bottom: Sequence[tuple[int, GridRow]], start: int, width: int) -> int:
    """Rows at the end with one cell where others have several, or that begin as footers do.

    After a blank row, a row of one cell is one in narrow tables too, and a row of totals may be full.
    """
    footer = 0
    gap = max((n for (before, _), (n, _) in pairwise(bottom) if n - before > 1), default=None)
    for number, row in reversed(bottom):
        apart = gap is not None and number >= gap and width > 1
        remark = _cells(row) == 1 and not any(c.typed for c in row if c)
        alone = remark and (width > 2 or apart or _begins_a_footer(row))
        if number <= start or not (alone or (_begins_a_footer(row) and (apart or _cells(row) < width))):
            break
        footer += 1
    return footer


def _begins_a_footer(row: GridRow) -> bool:
    first = next((c.text for c in row if c and c.text.strip()), "").strip().lower()
    words = first.replace(":", " ").split()
    return bool(words) and (words[0] in _FOOTER_WORDS or first[0] in "*†¹©")
