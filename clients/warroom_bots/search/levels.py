"""The bots of every game: `search`, and the levels 1 to 5 that people choose from.

A level is made of the random bot, the game's own quick bot and the search. Without a quick bot, small searches take its
place; where the search is no stronger than the quick bot, that one is the highest level.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.random_bot import RandomBot
from warroom_bots.registry import LEVEL
from warroom_bots.search.bot import SearchBot
from warroom_bots.search.guide import guide_for
from warroom_bots.search.settings import Settings, settings_for
from warroom_games.api import AnyGame
from warroom_games.rng import Rng

FEW: Final = 16
"""Simulations of level 4, or of level 2 in a game without a quick bot."""
SOME: Final = 60
MANY: Final = 240
"""Simulations of levels 3 and 4 in a game without a quick bot."""


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
    settings = settings_for(game.info.id)
    guide = guide_for(game.info.id, settings.guide)
    summary = "searches for the best action as long as it may think"
    yield BotKind(name="search", game=game.info.id, summary=summary, make=partial(SearchBot, game), is_slow=True)
    if guide is None:
        rungs = _searches(game, settings)
    elif settings.is_stronger:
        rungs = _rules_then_searches(game, guide, settings)
    else:
        rungs = _rules(guide, settings)
    for level, rung in enumerate((_Rung("plays any legal action", RandomBot), *rungs), 1):
        yield BotKind(name=f"{LEVEL}{level}", game=game.info.id, **asdict(rung))


class _Rung(Struct, frozen=True):
    """A level of a game, without its number."""

    summary: str
    make: Callable[[Rng], Bot]
    is_slow: bool = False


def _searches(game: AnyGame, settings: Settings) -> Iterator[_Rung]:
    """Yield the levels 2 to 5 of a game without a quick bot."""
    yield _Rung("knows the game, but makes mistakes", _careless(partial(SearchBot, game, most=FEW), settings.slips))
    yield _Rung("looks a little ahead", partial(SearchBot, game, most=SOME))
    yield _Rung("looks further ahead", partial(SearchBot, game, most=MANY), is_slow=True)
    yield _Rung("looks as far ahead as it can", partial(SearchBot, game), is_slow=True)


def _rules_then_searches(game: AnyGame, guide: BotKind, settings: Settings) -> Iterator[_Rung]:
    """Yield the levels 2 to 5 of a game whose search is stronger than its quick bot."""
    yield _Rung("knows the game, but makes mistakes", _careless(guide.make, settings.slips))
    yield _Rung("plays by simple rules", guide.make)
    yield _Rung("looks a little ahead", partial(SearchBot, game, most=FEW), is_slow=True)
    yield _Rung("looks as far ahead as it can", partial(SearchBot, game), is_slow=True)


def _rules(guide: BotKind, settings: Settings) -> Iterator[_Rung]:
    """Yield the levels 2 to 5 of a game whose quick bot is as strong as the search."""
    yield _Rung("knows the game, but makes many mistakes", _careless(guide.make, settings.slips))
    yield _Rung("knows the game, but makes mistakes", _careless(guide.make, settings.slips // 2))
    yield _Rung("knows the game, but makes a few mistakes", _careless(guide.make, settings.slips // 5))
    yield _Rung("plays by simple rules", guide.make)


def _careless(make: Callable[[Rng], Bot], percent: int) -> Callable[[Rng], Bot]:
    return partial(CarelessBot, make, percent=percent)
