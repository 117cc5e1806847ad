"""Random matches by the rules alone, as input for the laws."""

from collections import Counter
from typing import Any

from msgspec import Struct, field

from warroom_games.api import AnyGame, Seat, Step
from warroom_games.rng import Rng

MAX_ACTIONS = 20_000
"""A longer random match counts as endless."""


class EndlessMatchError(AssertionError):
    """A random match did not end."""


class Move(Struct, frozen=True):
    """One action of a random match: the state before it, and its step."""

    state: Any
    seat: Seat
    action: Any
    step: Step


class Comparisons(Struct):
    """What the law about events compared in a match."""

    hidden: bool = False
    """Whether the match hides something, so that there are other worlds to compare with."""
    counts: Counter[str] = field(default_factory=Counter)
    """Number of comparisons by event type."""


class Playthrough(Struct, frozen=True):
    """A whole random match; the same key gives the same match."""

    game: AnyGame
    seats: int
    options: Any
    key: bytes
    opening: Any
    moves: tuple[Move, ...]
    compared: Comparisons = field(default_factory=Comparisons)

    @property
    def states(self) -> list[Any]:
        """Every state from the opening to the end."""
        return [self.opening, *(move.step.state for move in self.moves)]

    def sample(self, count: int) -> list[Any]:
        """Return the opening, the end, and at most *count* states between them, evenly spread."""
        states = self.states
        return [*states[: -1 : max(len(states) // count, 1)], states[-1]]


def play(game: AnyGame, seats: int, options: Any, key: bytes) -> Playthrough:
    """Play a random match to its end; raise `EndlessMatchError` if it has none."""
    coins, choices = Rng(key).spawn()
    opening = game.setup(seats, options, coins)
    moves = finish(game, opening, choices)
    return Playthrough(game, seats, options, key, opening, moves)


def finish(game: AnyGame, state: Any, rng: Rng) -> tuple[Move, ...]:
    """Continue from *state* with random legal actions until nobody is to act."""
    moves: list[Move] = []
    while asked := sorted(game.to_act(state)):
        if len(moves) == MAX_ACTIONS:
            raise EndlessMatchError(f"{game.info.id} did not end within {MAX_ACTIONS} random actions")
        seat, rng = rng.choice(asked)
        action, rng = rng.choice(list(game.legal_actions(state, seat)))
        step = game.apply(state, seat, action)
        moves.append(Move(state, seat, action, step))
        state = step.state
    return tuple(moves)
