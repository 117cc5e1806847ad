"""Lines that are too long for a window, broken between words or cut off."""

from textwrap import wrap
from typing import Final

HANG: Final = "    "
NARROWEST: Final = 20
"""Below this the hanging indent would leave no room for words."""


def folded(line: str, width: int) -> list[str]:
    """Return a line as lines of at most *width* letters, the later ones indented; one that fits stays as it is."""
    if len(line) <= width:
        return [line]
    lead = line[: len(line) - len(line.lstrip())] if width >= NARROWEST else ""
    hang = (lead + HANG)[: width // 2] if width >= NARROWEST else ""
    return wrap(
        line.lstrip(), max(1, width), initial_indent=lead[: width // 2], subsequent_indent=hang, break_on_hyphens=False
    )


def cut(line: str, width: int) -> str:
    """Return as much of a line as fits into one."""
    return line if len(line) <= width else f"{line[: max(0, width - 1)]}…"
