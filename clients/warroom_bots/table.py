"""A match between bots in memory: the rules step by step, and only what a bot asks for besides.

A room encodes, hashes and shows every step; here nobody watches. A decision makes its views and lists when the bot
reads them, so that a match costs little more than its rules.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from warroom_bots.api import UNLIMITED, Action, Decision, Limit
from warroom_bots.position import Position, decision_at, encoded
from warroom_games.api import AnyGame, IllegalActionError, Result, Seat
from warroom_games.codec import check_seats, decode_action, decode_options
from warroom_games.rng import Rng, derived_key
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
        self._position: Position | None = None
        """What the last decision was made from."""

    def generator(self, seat: Seat) -> Rng:
        """Return the generator of the bot at *seat*."""
        return Rng(derived_key(self.seed, f"bot {seat}"))

    def decision(self, seat: Seat, *, has_notes: bool = False) -> Decision:
        """Return what the seat would see over the wire; *has_notes* says whether its bot wants the game's notes."""
        self._position = position = Position(self.game, self.state, seat, has_notes)
        return decision_at(position, self._limit)

    @property
    def failure(self) -> BaseException | None:
        """The error of the rules while the last decision was read, if there was one."""
        return None if self._position is None else self._position.failure

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
        move = decode_action(self.game, encoded(self.game, action))
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
