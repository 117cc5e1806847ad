"""Golden counts of histories: the openings of a game, and how deep each of them is counted."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

PERFT = Path(__file__).parents[1] / "golden" / "perft"


def openings(game: str) -> list[dict[str, Any]]:
    """Return the openings of a game, each with its counts from depth 1 on."""
    found: list[dict[str, Any]] = tomllib.loads((PERFT / f"{game}.toml").read_text())["opening"]
    return found


def cases(game: str, *, quick: int) -> list[Any]:
    """Return opening, depth and count for each count; those above *quick* are left to the long run."""
    return [
        pytest.param(
            entry,
            depth,
            count,
            id=f"{entry['name']}, depth {depth}",
            marks=[pytest.mark.long] if count > quick else [],
        )
        for entry in openings(game)
        for depth, count in enumerate(entry["counts"], start=1)
    ]
