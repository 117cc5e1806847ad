"""The bots of every game: `search`, and the levels 1 to 5 that people choose from.

A level is made of the random bot, the game's own quick bot and the search. Without a quick bot, small searches take its
place; where the search is no stronger than the quick bot, that one is the highest level.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.random_bot import RandomBot
from warroom_bots.registry import LEVEL
from warroom_bots.search.bot import SearchBot
from warroom_bots.search.guide import guide_for
from warroom_bots.search.settings import settings_for
from warroom_games.api import AnyGame
from warroom_games.rng import Rng

FEW: Final = 16
"""Simulations of level 4, or of level 2 in a game without a quick bot."""
SOME: Final = 60
MANY: Final = 240
"""Simulations of levels 3 and 4 in a game without a quick bot."""
_CARE: Final = {2: 1, 3: 2, 4: 5}
"""By level, how many times as careful as level 2 the quick bot is where the search is no stronger."""


class CarelessBot:
    """Plays like another bot, except that some of its actions are random."""

    def __init__(self, make: Callable[[Rng], Bot], rng: Rng, *, percent: int) -> None:
        self._make = make
        self._rng = rng
        self._percent = percent

    def choose(self, decision: Decision) -> Action:
        """Return the other bot's choice, or any action."""
        roll, self._rng = self._rng.below(100)
        own, self._rng = self._rng.spawn()
        # A new bot each time: one that plans several actions relies on it that they are played.
        bot = RandomBot(own) if roll < self._percent else self._make(own)
        return bot.choose(decision)


def bots_of(game: AnyGame) -> Iterator[BotKind]:
    """Yield the search and the levels for a game."""
    summary = "searches for the best action as long as it may think"
    yield BotKind(
        name="search", game=game.info.id, summary=summary, make=partial(SearchBot, game), is_slow=True, is_timed=True
    )
    yield _level(game, 1, "plays any legal action")
    if settings_for(game.info.id).is_stronger:
        yield _level(game, 2, "knows the game, but makes mistakes")
        yield _level(game, 3, "plays by simple rules")
        yield _level(game, 4, "looks a little ahead", is_slow=True)
        yield _level(game, 5, "looks as far ahead as it can", is_slow=True)
    else:
        yield _level(game, 2, "knows the game, but makes many mistakes")
        yield _level(game, 3, "knows the game, but makes mistakes")
        yield _level(game, 4, "knows the game, but makes a few mistakes")
        yield _level(game, 5, "plays by simple rules")


def _level(game: AnyGame, level: int, summary: str, *, is_slow: bool = False) -> BotKind:
    name = f"{LEVEL}{level}"
    return BotKind(
        name=name,
        game=game.info.id,
        summary=summary,
        make=partial(_player, game, level),
        is_slow=is_slow,
        is_timed=is_slow,
    )


def _player(game: AnyGame, level: int, rng: Rng) -> Bot:
    """Return the bot that plays a level."""
    settings = settings_for(game.info.id)
    # Only now: to find the guide is to find all bots, these ones included.
    guide = guide_for(game.info.id, settings.guide)
    if level == 1:
        return RandomBot(rng)
    if guide is None:
        return _by_search(game, level, rng, settings.slips)
    if level == 2 or (level in _CARE and not settings.is_stronger):
        return CarelessBot(guide.make, rng, percent=settings.slips // _CARE[level])
    if level == 3 or not settings.is_stronger:
        return guide.make(rng)
    return SearchBot(game, rng, most=FEW if level == 4 else None)


def _by_search(game: AnyGame, level: int, rng: Rng, slips: int) -> Bot:
    """Return the bot that plays a level of a game without a quick bot."""
    match level:
        case 2:
            return CarelessBot(partial(SearchBot, game, most=FEW), rng, percent=slips)
        case 3:
            return SearchBot(game, rng, most=SOME)
        case 4:
            return SearchBot(game, rng, most=MANY)
        case _:
            return SearchBot(game, rng)
