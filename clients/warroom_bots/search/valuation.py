"""What a state is worth to each seat, from 0 (lost) to 1 (won)."""

from typing import Any, Final, TypeAlias

from warroom_games.api import AnyGame, Evaluating, Result, Seat

Values: TypeAlias = tuple[float, ...]
"""By seat."""

_THOUSAND: Final = 1000


class Valuation:
    """Values ends by rank, and cut-off lines by the game's own estimate."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        offered: object = game
        self._evaluate = offered.evaluate if isinstance(offered, Evaluating) else None

    @property
    def can_estimate(self) -> bool:
        """Whether the game estimates states that are not over."""
        return self._evaluate is not None

    def worth(self, state: Any, seat: Seat) -> int:
        """Return the estimate of one seat, to compare its actions; 0 without an estimate of the game."""
        if self._evaluate is None:
            return 0
        return self._evaluate(self._game.public(state), self._game.private(state, seat), seat)

    def estimate(self, state: Any, seats: int) -> Values:
        """Return the value of a state that is not over; without an estimate of the game all seats are even."""
        if self._evaluate is None:
            return (0.5,) * seats
        game, public = self._game, self._game.public(state)
        told = [self._evaluate(public, game.private(state, seat), seat) for seat in range(seats)]
        if seats == 2:
            edge = (told[0] - told[1]) / (4 * _THOUSAND)
            return 0.5 + edge, 0.5 - edge
        return tuple([0.5 + each / (2 * _THOUSAND) for each in told])


def value_of(result: Result) -> Values:
    """Return the share of rivals that each seat leaves behind; seats that share a rank share its places."""
    ranks = result.ranks
    if len(ranks) == 1:
        return (1.0,)
    rivals = len(ranks) - 1
    return tuple([(sum(other > rank for other in ranks) + (ranks.count(rank) - 1) / 2) / rivals for rank in ranks])


def seat_count(game: AnyGame, state: Any) -> int:
    """Return the number of seats of a match: the result ranks all once nobody is left to play on."""
    for seat in range(game.info.max_seats):
        if (result := game.result(state)) is not None:
            break
        state = game.remove(state, seat).state
    result = game.result(state)
    assert result is not None, "a match that all seats left is over"
    return len(result.ranks)
