"""The game's own quick bot as a policy: it orders actions and plays roll-outs."""

from functools import lru_cache
from typing import Any

from warroom_bots.api import Bot, BotKind, Decision
from warroom_bots.registry import LEVEL, best_first, bots_for
from warroom_games.api import AnyGame, IllegalActionError, Seat
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain


@lru_cache
def guide_for(game: str, name: str | None = None) -> BotKind | None:
    """Return the bot that guides the search: the one of that name, or the strongest quick bot made for the game."""
    kinds = bots_for(game)
    if name in kinds:
        return kinds[name]
    quick = [
        kind.name
        for kind in kinds.values()
        if kind.game is not None and not kind.is_slow and not kind.name.startswith(LEVEL)
    ]
    return kinds[best_first(quick)[0]] if quick else None


class Players:
    """One bot per seat for one line of play, or random actions if the game has no bot."""

    def __init__(self, game: AnyGame, kind: BotKind | None, rng: Rng) -> None:
        self._game = game
        self._kind = kind
        self._rng = rng
        self._bots: dict[Seat, Bot] = {}

    def action(self, state: Any, seat: Seat) -> Any:
        """Return what the seat plays, from its own views alone."""
        listed = tuple(self._game.legal_actions(state, seat))
        if self._kind is None:
            action, self._rng = self._rng.choice(listed)
            return action
        return self._chosen(state, seat, listed)

    def _chosen(self, state: Any, seat: Seat, listed: tuple[Any, ...]) -> Any:
        game, legal = self._game, plain(listed)
        decision = Decision(
            seat, plain(game.public(state)), plain(game.private(state, seat)), tuple(legal), game.info.complete
        )
        action = decode_action(game, encode(self._bot(seat).choose(decision)))
        try:
            game.check(state, seat, action)
        except IllegalActionError:
            return listed[0]
        return action

    def _bot(self, seat: Seat) -> Bot:
        if seat not in self._bots:
            assert self._kind is not None
            own, self._rng = self._rng.spawn()
            self._bots[seat] = self._kind.make(own)
        return self._bots[seat]
