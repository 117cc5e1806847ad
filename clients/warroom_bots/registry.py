"""Finds the bots of all installed packages by their entry points."""

import logging
from collections.abc import Iterable
from importlib.metadata import entry_points

from warroom_bots.api import BotKind
from warroom_games.registry import RegistryError, import_part

logger = logging.getLogger(__name__)

ENTRY_POINTS = "warroom.bots"
"""The entry point group of bots."""

USUAL = ("simple", "greedy", "random")
"""The default bots: the first of these that the game has."""


STRENGTH = ("warden", "greedy", "simple")
"""The order in which workers offer bots: strongest first, `random` last."""


class UnknownBotError(LookupError):
    """No bot of that name plays the game."""

    def __str__(self) -> str:
        return str(self.args[0])


def bots_for(game: str) -> dict[str, BotKind]:
    """Return the bots that can play a game, by name; one made for the game beats one for every game."""
    kinds = [kind for kind in _installed() if kind.game in (game, None)]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: (kind.game is not None, kind.name))}


def find_bot(game: str, name: str | None = None) -> BotKind:
    """Return the bot of that name, or the default; raise `UnknownBotError`, which lists the choices."""
    bots = bots_for(game)
    wanted = name or next((usual for usual in USUAL if usual in bots), USUAL[-1])
    if wanted not in bots:
        raise UnknownBotError(f"unknown bot {wanted!r} for {game}; installed: {', '.join(sorted(bots)) or 'none'}")
    return bots[wanted]


def best_first(bots: Iterable[str]) -> tuple[str, ...]:
    """Sort bot names of one game, best first."""
    ranks = {name: rank for rank, name in enumerate(STRENGTH)}
    return tuple(sorted(bots, key=lambda name: (name == USUAL[-1], ranks.get(name, len(STRENGTH)), name)))


def _installed() -> list[BotKind]:
    """Return every bot that loads; a broken one must not block the others."""
    kinds = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            kinds.append(_load(point.value))
        except (RegistryError, UnknownBotError) as error:
            logger.warning("bot skipped name=%s reason=%r", point.name, str(error))
    return kinds


def _load(reference: str) -> BotKind:
    module_name, _, name = reference.partition(":")
    found = getattr(import_part(module_name), name, None)
    if not isinstance(found, BotKind):
        raise UnknownBotError(f"{reference} is not a BotKind")
    return found
