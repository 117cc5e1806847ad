"""How the search is set for each game; `settings_for` has usable defaults for a game that nobody tuned."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """The parameters of the search."""

    guide: str | None = None
    """The bot that orders actions and plays roll-outs; None: the strongest quick one of the game."""
    is_typed: bool = False
    """Whether that bot takes views and actions as the rules have them, which saves the time for their plain forms."""
    horizon: int | None = None
    """Turns after the decision at which a roll-out is cut off and estimated, in a match of two; more seats have as many
    more. None: by what the game offers.
    """
    exploration: float = 0.4
    """Weight of rarely tried actions."""
    widening: float = 1.0
    """So many actions are considered after a visit, times the square root of the visits."""
    caution: float = 0.05
    """How much worse than its parent an untried action is taken to be."""
    trust: int = 0
    """So many tries more than the guide's action another one needs to be played."""
    slips: int = 50
    """How many of a hundred actions of level 2 are random."""
    is_stronger: bool = True
    """Whether the search beats its guide; otherwise the levels 3 and 4 are the guide with fewer slips, and 5 is it."""


TUNED: Final[Mapping[str, Settings]] = {
    "graph_battle": Settings(guide="greedy", is_typed=True),
    "strata": Settings(guide="greedy", is_typed=True, horizon=3),
    "timberwall": Settings(guide="ranger", is_typed=True),
    # An action changes the estimate less than what rivals may have: it takes many worlds to see the difference.
    "thardferr": Settings(guide="greedy", is_typed=True, trust=20, is_stronger=False),
    # Its turns have many actions, and one random one spoils a plan.
    "tile_blitz": Settings(guide="greedy", is_typed=True, horizon=4, slips=10),
}
"""The settings of the games that ship with Warroom; docs/SEARCH.md says what they are worth."""

DEFAULT: Final = Settings()


def settings_for(game: str) -> Settings:
    """Return the settings for a game."""
    return TUNED.get(game, DEFAULT)
