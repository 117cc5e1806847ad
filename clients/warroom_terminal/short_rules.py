"""Shows the short rules during a match."""

import os

from warroom_games.api import AnyGame
from warroom_games.invocation import program
from warroom_games.rulebook import how_to_play, rules_page
from warroom_games.typesetting import typeset


def rules_in_short(game: AnyGame | None, width: int) -> list[str]:
    """Return how to play a game in a few lines, and where to read the full rules."""
    page = None if game is None else rules_page(game)
    if game is None or page is None:
        return ["the rules of this game are not installed"]
    rest = f"full rules: {program(os.environ)} rules {game.info.id}"
    return [*typeset(how_to_play(page) or "", width), rest]
