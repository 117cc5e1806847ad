"""Finds bots: those of installed packages (entry points), and those given by reference."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from typing import TypeAlias, cast

from warroom_bots.api import BotKind
from warroom_bots.bot_references import BotReferenceError, is_reference, load_bot
from warroom_games.api import AnyGame
from warroom_games.registry import RegistryError, import_part, load_games

logger = logging.getLogger(__name__)

ENTRY_POINTS = "warroom.bots"
"""The entry point group of bots: each is a `BotKind`, or a function that makes the bots of any game."""

BotsOfGame: TypeAlias = Callable[[AnyGame], Iterable[BotKind]]
"""Returns the bots that a package offers for a game."""

USUAL = ("simple", "greedy", "random")
"""The default bots: the first of these that the game has."""

LEVEL = "level:"
"""Prefix of the names of levels, which look like references."""

STRENGTH = ("warden", "ranger", "greedy", "simple", "search", *(f"{LEVEL}{level}" for level in range(5, 0, -1)))
"""The order in which workers offer bots: quick ones first, strongest first, `random` last."""


class UnknownBotError(LookupError):
    """No bot of that name plays the game, or a reference leads to none."""

    def __str__(self) -> str:
        return str(self.args[0])


def bots_for(game: str, *, rules: AnyGame | None = None) -> dict[str, BotKind]:
    """Return the installed bots that can play a game, by name; one made for the game beats one for every game.

    *rules* are those of a game that is not installed; bots that need the rules of a game are made with them.
    """
    installed = _installed()
    named = [kind for kind in installed.values() if isinstance(kind, BotKind) and kind.game in (game, None)]
    makers = {name: maker for name, maker in installed.items() if not isinstance(maker, BotKind)}
    by_precedence = sorted(named, key=lambda kind: (kind.game is not None, kind.name))
    return {kind.name: kind for kind in (*_made_for(game, rules, makers), *by_precedence)}


def find_bot(game: str, reference: str | None = None, *, rules: AnyGame | None = None) -> BotKind:
    """Return the bot that a text names; raise `UnknownBotError` with one line that says what is wrong.

    *reference* is the name of an installed bot, `MODULE:OBJECT`, `PATH.py` or `PATH.py:OBJECT`; None: the default bot.
    """
    bots = bots_for(game, rules=rules)
    wanted = reference or next((usual for usual in USUAL if usual in bots), USUAL[-1])
    if wanted in bots:
        return bots[wanted]
    if not is_reference(wanted) or wanted.startswith(LEVEL):
        raise UnknownBotError(f"unknown bot {wanted!r} for {game}; installed: {', '.join(sorted(bots)) or 'none'}")
    try:
        return load_bot(game, wanted)
    except BotReferenceError as error:
        raise UnknownBotError(str(error)) from error


def best_first(bots: Iterable[str]) -> tuple[str, ...]:
    """Sort bot names of one game, best first."""
    ranks = {name: rank for rank, name in enumerate(STRENGTH)}
    return tuple(sorted(bots, key=lambda name: (name == USUAL[-1], ranks.get(name, len(STRENGTH)), name)))


def _made_for(game: str, rules: AnyGame | None, makers: Mapping[str, BotsOfGame]) -> Iterator[BotKind]:
    """Yield the bots that packages make for a game; none without its rules."""
    try:
        rules = rules or (load_games().get(game) if makers else None)
    except RegistryError:
        return
    if rules is None:
        return
    for name, maker in makers.items():
        try:
            yield from maker(rules)
        except Exception as error:  # noqa: BLE001 - a package of somebody else must not block the others
            logger.warning("bots skipped name=%s game=%s reason=%r", name, game, f"{type(error).__name__}: {error}")


def _installed() -> dict[str, BotKind | BotsOfGame]:
    """Return what the packages register, as far as it loads; a broken bot must not block the others."""
    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            found[f"{point.name} = {point.value}"] = _load(point.value)
        except (RegistryError, UnknownBotError) as error:
            logger.warning("bot skipped name=%s reason=%r", point.name, str(error))
    return found


def _load(reference: str) -> BotKind | BotsOfGame:
    module_name, _, name = reference.partition(":")
    found: object = getattr(import_part(module_name), name, None)
    if isinstance(found, BotKind):
        return found
    if not callable(found) or isinstance(found, type):
        raise UnknownBotError(f"{reference} is neither a BotKind nor a function that makes some")
    return cast(BotsOfGame, found)
