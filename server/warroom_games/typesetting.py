"""Formats rules pages for a terminal: the subset of Markdown that they use, wrapped to a width."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

_ITEM: Final = re.compile(r"^(\s*)(?:- \*\*(\d[\d.]*)\*\*|(-|\d+\.)) +(.*)$")
_RULE: Final = re.compile(r"^\|[ :|-]+\|$")
_GAP: Final = "  "


def typeset(markdown: str, width: int) -> list[str]:
    """Return the lines of a page; only verbatim blocks may exceed *width*."""
    lines: list[str] = []
    was_item = False
    for block in _blocks(markdown.splitlines()):
        is_item = _ITEM.match(block[0]) is not None
        # List items are not separated by blank lines; everything else is.
        if lines and not (was_item and is_item):
            lines.append("")
        lines += _set(block, width)
        was_item = is_item
    return lines


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield headings, paragraphs, list items, tables and fenced blocks."""
    block: list[str] = []
    is_fenced = False
    for line in lines:
        if line.startswith("```"):
            if not is_fenced and block:
                yield block
                block = []
            is_fenced = not is_fenced
            block.append(line)
            if not is_fenced:
                yield block
                block = []
        elif is_fenced:
            block.append(line)
        elif not line.strip() or line.startswith("#") or _ITEM.match(line) or _starts_table(block, line):
            if block:
                yield block
            block = [line] if line.strip() else []
        else:
            block.append(line)
        if len(block) == 1 and block[0].startswith("#"):
            yield block
            block = []
    if block:
        yield block


def _starts_table(block: Sequence[str], line: str) -> bool:
    return bool(block) and line.startswith("|") != block[0].startswith("|")


def _set(block: Sequence[str], width: int) -> list[str]:
    first = block[0]
    if first.startswith("```"):
        return [f"    {line}" for line in block[1:-1]]
    if first.startswith("#"):
        return _heading(first, width)
    if first.startswith("|"):
        return _table([_cells(line) for line in block if not _RULE.match(line)], width)
    item = _ITEM.match(first)
    if item is None:
        return wrap(_plain(" ".join(line.strip() for line in block)), width, break_on_hyphens=False)
    mark = f"{item[1]}{item[2] or item[3]} "
    text = _plain(" ".join([item[4], *(line.strip() for line in block[1:])]))
    hang = " " * max(len(mark), 5 if item[2] else 0)
    return wrap(text, width, initial_indent=mark.ljust(len(hang)), subsequent_indent=hang, break_on_hyphens=False)


def _heading(line: str, width: int) -> list[str]:
    level = len(line) - len(line.lstrip("#"))
    text = _plain(line.lstrip("# "))
    under = {1: "=", 2: "-"}.get(level)
    return [text, under * min(len(text), width)] if under else [text]


def _plain(text: str) -> str:
    """Return text without its marks; only code of several words keeps them, to show where it ends."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*|(?<!\w)\*(\S.*?)\*(?!\w)", lambda found: found[1] or found[2], text)
    return re.sub(r"`([^` ]*)`", r"\1", text)


def _cells(line: str) -> list[str]:
    return [_plain(cell.strip().replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return a table with aligned columns, or row by row if its words do not fit side by side."""
    columns = [*zip_longest(*rows, fillvalue="")]
    widths = [max(map(len, column)) for column in columns]
    least = [max((len(word) for cell in column for word in cell.split()), default=1) for column in columns]
    space = width - len(_GAP) * (len(widths) - 1)
    if sum(least) > space:
        return _records(rows, width)
    while sum(widths) > space:
        shrinkable = [index for index, each in enumerate(widths) if each > least[index]]
        widths[max(shrinkable, key=widths.__getitem__)] -= 1
    lines = _row(rows[0], widths)
    lines.append(_GAP.join("-" * each for each in widths))
    for row in rows[1:]:
        lines += _row(row, widths)
    return lines


def _records(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    header, *others = rows
    lines = []
    for row in others:
        told = ", ".join(f"{name} {cell}" for name, cell in zip(header[2:], row[2:], strict=False) if cell != "-")
        lines += wrap(
            f"{' '.join(row[:2])}: {told}", width, initial_indent="- ", subsequent_indent="    ", break_on_hyphens=False
        )
    return lines


def _row(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return a table row, whose cells may have several lines."""
    columns = [wrap(cell, each, break_on_hyphens=False) or [""] for cell, each in zip(cells, widths, strict=False)]
    return [
        _GAP.join(part.ljust(each) for part, each in zip(parts, widths, strict=False)).rstrip()
        for parts in zip_longest(*columns, fillvalue="")
    ]
