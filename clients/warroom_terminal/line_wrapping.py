"""Wraps or cuts lines that are too long for a window."""

from textwrap import wrap
from typing import Final

HANG: Final = "    "
NARROWEST: Final = 20
"""Narrower windows get no hanging indent, because it would leave no room for words."""


def wrapped(line: str, width: int) -> list[str]:
    """Wrap a line at *width* with a hanging indent; return a short line unchanged."""
    if len(line) <= width:
        return [line]
    lead = line[: len(line) - len(line.lstrip())] if width >= NARROWEST else ""
    hang = (lead + HANG)[: width // 2] if width >= NARROWEST else ""
    return wrap(
        line.lstrip(), max(1, width), initial_indent=lead[: width // 2], subsequent_indent=hang, break_on_hyphens=False
    )


def cut(line: str, width: int) -> str:
    """Cut a line to the width."""
    return line if len(line) <= width else f"{line[: max(0, width - 1)]}…"
