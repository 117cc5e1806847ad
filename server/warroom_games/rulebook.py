"""The rules page of a game and its sections."""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import warroom_games
from warroom_games.api import AnyGame

PAGE: Final = "RULES.md"
"""File name of the rules page in a game's package."""
FIRST: Final = "How to play"
"""The optional first section for new players."""
FOR_PROGRAMS: Final = frozenset(
    {
        "What each viewer sees",
        "Actions and refusals",
        "The list of legal actions",
        "Events",
        "What is conserved",
        "Readings",
    }
)
"""Sections for authors of clients and games."""

_SECTION: Final = re.compile(r"^## +(?:\d+\. +)?(.*?) *$", re.MULTILINE)


def rules_page(game: AnyGame) -> str | None:
    """Return the rules page of a game in Markdown, or None."""
    pages = (page.read_text(encoding="utf-8") for page in _places(game) if page.is_file())
    return next(pages, None)


def package_of(game: AnyGame) -> str:
    """Return the package of the rules module; empty for a top-level module."""
    return type(game).__module__.rpartition(".")[0]


def how_to_play(page: str) -> str | None:
    """Return the short how-to-play section without its heading."""
    return next((body for title, _, body in _sections(page) if title == FIRST), None)


def for_players(page: str) -> str:
    """Return a page without the technical sections."""
    first = _SECTION.search(page)
    head = page if first is None else page[: first.start()]
    return head + "".join(
        f"{heading}\n\n{body}" for title, heading, body in _sections(page) if title not in FOR_PROGRAMS
    )


def _sections(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield title, heading and body of each section."""
    found = [*_SECTION.finditer(page)]
    ends = [heading.start() for heading in found[1:]] + [len(page)]
    for heading, end in zip(found, ends, strict=False):
        yield heading[1], heading[0], page[heading.end() : end].lstrip("\n")


def _places(game: AnyGame) -> Iterator[Traversable]:
    """Yield the possible places of the page: the game's package, Warroom's own, or the folders of a checkout."""
    package = package_of(game)
    if package:
        yield files(package) / PAGE
    if package.partition(".")[0] == warroom_games.__name__:
        yield files(warroom_games) / "rules_pages" / f"{game.info.id}.md"
        yield Path(warroom_games.__file__).parents[2] / "docs" / "rules" / f"{game.info.id}.md"
