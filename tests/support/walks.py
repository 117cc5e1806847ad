"""The walks through the code that the architecture document shows, and how a recorded trace compares with one."""

import re
from collections.abc import Sequence
from pathlib import Path

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "ARCHITECTURE.md"
_WALK = re.compile(r"^### (?P<title>[^\n]+)\n(?:(?!^#).)*?^```walk\n(?P<lines>.*?)^```$", re.DOTALL | re.MULTILINE)


def documented_walks() -> dict[str, list[str]]:
    """Return the functions of each walk by its title."""
    text = ARCHITECTURE.read_text()
    return {found["title"]: [line.split()[0] for line in found["lines"].splitlines()] for found in _WALK.finditer(text)}


def first_missing(walk: Sequence[str], trace: Sequence[str]) -> str | None:
    """Return the first function of a walk that was not called after those before it; None if all were."""
    calls = iter(trace)
    return next((function for function in walk if function not in calls), None)
