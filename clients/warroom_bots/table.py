"""A match between bots in memory: the rules step by step, and only what a bot asks for besides.

A room encodes, hashes and shows every step; here nobody watches. A decision makes its views and lists when the bot
reads them, so that a match costs little more than its rules.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from warroom_bots.api import UNLIMITED, Action, Decision, Limit
from warroom_games.api import (
    AnyGame,
    IllegalActionError,
    MalformedActionError,
    Noting,
    Result,
    Seat,
    View,
)
from warroom_games.codec import check_seats, decode_action, decode_options, encode
from warroom_games.rng import Rng, derived_key
from warroom_protocol.canonical import plain
from warroom_protocol.codes import ACT_CLOCK_ONLY, ACT_STALE, END_RESIGNED

Move: TypeAlias = tuple[Seat, Any]
"""A seat and its action; None in place of the action: the seat was removed."""


class Table:
    """One match: whose turn it is, what a seat sees, and its next action."""

    __slots__ = ("_limit", "_position", "asked", "game", "moves", "options", "seats", "seed", "state")

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        *,
        seed: str,
        options: Mapping[str, object] | None = None,
        limit: Limit = UNLIMITED,
    ) -> None:
        """Set the game up; raise `OptionsError` if the seats or options are invalid."""
        check_seats(game, seats)
        self.game = game
        self.seats = seats
        self.seed = seed
        self.options = decode_options(game, options or {})
        self.moves: list[Move] = []
        self.state = game.setup(seats, self.options, Rng(derived_key(seed, "match")))
        self.asked = game.to_act(self.state)
        """The seats to act; empty once the match is over."""
        self._limit = limit
        self._position: _Position | None = None
        """What the last decision was made from."""

    def generator(self, seat: Seat) -> Rng:
        """Return the generator of the bot at *seat*."""
        return Rng(derived_key(self.seed, f"bot {seat}"))

    def decision(self, seat: Seat, *, has_notes: bool = False) -> Decision:
        """Return what the seat would see over the wire; *has_notes* says whether its bot wants the game's notes."""
        game = self.game
        self._position = position = _Position(game, self.state, seat, has_notes=has_notes)
        return _LazyDecision(seat, None, None, (), game.info.complete, limit=self._limit, _position=position)

    def play(self, seat: Seat, action: Action) -> None:
        """Play the choice of a bot; raise `MalformedActionError` or `IllegalActionError` if it may not."""
        self.apply(seat, self.judge(seat, action))

    def judge(self, seat: Seat, action: Action) -> Any:
        """Return the choice of a bot as an action of the rules; raise as `play` does."""
        position = self._position
        if position is not None and position.state is self.state and position.seat == seat:
            # The rules need not check what they listed for this very decision; a law says that it passes.
            move = position.listed(action)
            if move is not None:
                return move
        move = _decoded(self.game, action)
        self._check(seat, move)
        return move

    def apply(self, seat: Seat, move: Any) -> None:
        """Play an action of the rules that `judge` returned."""
        self.state = self.game.apply(self.state, seat, move).state
        self.asked = self.game.to_act(self.state)
        self.moves.append((seat, move))

    def remove(self, seat: Seat) -> None:
        """Remove a seat, as if its player resigned."""
        self.state = self.game.remove(self.state, seat).state
        self.asked = self.game.to_act(self.state)
        self.moves.append((seat, None))

    def result(self) -> Result:
        """Return how the finished match ended."""
        result = self.game.result(self.state)
        assert result is not None, "the match is over"
        return replace(result, reason=END_RESIGNED) if self.moves and self.moves[-1][1] is None else result

    def _check(self, seat: Seat, move: Any) -> None:
        if seat not in self.asked:
            raise IllegalActionError(ACT_STALE, f"seat {seat} is not to act")
        tag = move.__struct_config__.tag
        if tag == self.game.info.clock_action:
            raise IllegalActionError(ACT_CLOCK_ONLY, f"{tag} is reserved for the clock")
        self.game.check(self.state, seat, move)


class _Position:
    """A seat's decision as the rules have it. Plain forms are made when they are read, and once."""

    __slots__ = ("_actions", "_has_notes", "_legal", "_picked", "_private", "_public", "game", "seat", "state")

    def __init__(self, game: AnyGame, state: Any, seat: Seat, *, has_notes: bool) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self._has_notes = has_notes
        self._actions: Sequence[Any] | None = None
        self._legal: tuple[Action, ...] | None = None
        self._picked: tuple[Action, Any] | None = None
        self._public: tuple[View] | None = None
        self._private: tuple[View] | None = None

    def listed(self, action: Action) -> Any | None:
        """Return the listed action that a bot chose; None if it has another one, or changed it."""
        picked = self._picked
        if picked is None or picked[0] is not action:
            if self._legal is None or self._actions is None:
                return None
            try:
                picked = action, self._actions[self._legal.index(action)]
            except ValueError:
                return None
        # Equal is not the same: True equals 1. And a bot may have changed the very object that it got.
        return picked[1] if _encoded(self.game, action) == encode(picked[1]) else None

    def pick(self, rng: Rng) -> tuple[Action, Rng]:
        actions = self._actions
        if actions is None:
            actions = self._actions = tuple(self.game.legal_actions(self.state, self.seat))
        action, rng = rng.choice(actions)
        chosen = plain(action)
        self._picked = chosen, action
        return chosen, rng

    def legal(self) -> tuple[Action, ...]:
        if self._legal is None:
            if self._actions is None:
                self._actions = tuple(self.game.legal_actions(self.state, self.seat))
            self._legal = _plain_list(self.game.action_type)(self._actions)
        return self._legal

    def public(self) -> View:
        if self._public is None:
            self._public = (plain(self.game.public(self.state)),)
        return self._public[0]

    def private(self) -> View:
        if self._private is None:
            self._private = (plain(self.game.private(self.state, self.seat)),)
        return self._private[0]

    def notes(self) -> tuple[str, ...]:
        if not self._has_notes or not isinstance(self.game, Noting):
            return ()
        notes = tuple(self.game.notes(self.public(), self.private(), self.legal()))
        return notes if any(notes) else ()


class _LazyDecision(Decision, frozen=True, kw_only=True):
    """A decision that makes its views and lists when they are read, and travels as an ordinary one.

    To its readers it is an ordinary `Decision`. To mypy a property cannot take the place of a field; to msgspec it can.
    """

    _position: _Position

    @property  # type: ignore[misc]
    def public(self) -> View:
        return self._position.public()

    @property  # type: ignore[misc]
    def private(self) -> View | None:
        return self._position.private()

    @property  # type: ignore[misc]
    def legal(self) -> tuple[Action, ...]:
        return self._position.legal()

    @property  # type: ignore[misc]
    def notes(self) -> tuple[str, ...]:
        return self._position.notes()

    def pick(self, rng: Rng) -> tuple[Action, Rng]:
        return self._position.pick(rng)

    def __repr__(self) -> str:
        kind, fields = self.__reduce__()
        return repr(kind(*fields))

    def __reduce__(self) -> tuple[type[Decision], tuple[Any, ...]]:
        return Decision, (
            self.seat,
            self.public,
            self.private,
            self.legal,
            self.complete,
            self.notes,
            self.left_ms,
            self.lag_ms,
            self.limit,
        )


def _decoded(game: AnyGame, action: Action) -> Any:
    """Return the action that the wire would make of a bot's choice."""
    return decode_action(game, _encoded(game, action))


def _encoded(game: AnyGame, action: Action) -> bytes:
    try:
        return encode(action)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise MalformedActionError(f"not an action of {game.info.id}: {error}") from error


@cache
def _plain_list(action_type: Any) -> Callable[[Sequence[Any]], tuple[Action, ...]]:
    """Return what gives a list of actions its plain form, by the shortest way that their type allows."""
    if b'"array"' in msgspec.json.encode(msgspec.json.schema(action_type)):
        return lambda actions: tuple(plain(actions))
    # Less than half the cost, but an array inside an action would become a tuple, not a list.
    return lambda actions: msgspec.to_builtins(actions, builtin_types=(bytes,))
