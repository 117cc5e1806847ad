"""The game's own quick bot as a policy: it orders actions and plays roll-outs."""

from functools import lru_cache
from typing import Any

from msgspec import Struct

from warroom_bots.api import Action, Bot, BotKind, Decision
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
    """One bot per seat for one line of play, or random actions if the game has no bot.

    If *is_typed*, the bots take views and actions as the rules have them; making plain forms takes time.
    """

    def __init__(self, game: AnyGame, kind: BotKind | None, rng: Rng, *, is_typed: bool = False) -> None:
        self._game = game
        self._kind = kind
        self._rng = rng
        self._is_typed = is_typed
        self._bots: dict[Seat, Bot] = {}

    def action(self, state: Any, seat: Seat) -> Any:
        """Return what the seat plays, from its own views alone."""
        game = self._game
        if self._kind is None:
            action, self._rng = self._rng.choice(tuple(game.legal_actions(state, seat)))
            return action
        chosen = self._bot(seat, self._kind).choose(self._decision(state, seat))
        action = chosen if self._is_typed and isinstance(chosen, Struct) else decode_action(game, encode(chosen))
        try:
            game.check(state, seat, action)
        except IllegalActionError:
            return next(iter(game.legal_actions(state, seat)))
        return action

    def _decision(self, state: Any, seat: Seat) -> Decision:
        game = self._game
        public, private = game.public(state), game.private(state, seat)
        if self._is_typed:
            return _TypedViews(seat, public, private, (), game.info.complete, _game=game, _state=state)
        legal = tuple(map(plain, game.legal_actions(state, seat)))
        return Decision(seat, plain(public), plain(private), legal, game.info.complete)

    def _bot(self, seat: Seat, kind: BotKind) -> Bot:
        if seat not in self._bots:
            own, self._rng = self._rng.spawn()
            self._bots[seat] = kind.make(own)
        return self._bots[seat]


class _TypedViews(Decision, frozen=True, kw_only=True):
    """A decision in an imagined world, in the types of the game. It lists the actions when they are read."""

    _game: AnyGame
    _state: Any

    # To mypy a property cannot take the place of a field; to msgspec it can.
    @property  # type: ignore[misc]
    def legal(self) -> tuple[Action, ...]:
        return tuple(self._game.legal_actions(self._state, self.seat))
