"""What a bot is: something that chooses an action from what its seat may know."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat, View
from warroom_games.rng import Rng

Action: TypeAlias = View
"""An action in its plain form: a map whose `type` names it."""


class Decision(Struct, frozen=True):
    """All that a bot gets to see when its seat is asked: its own views, as plain trees, and what it may do."""

    seat: Seat
    public: View
    private: View | None
    legal: tuple[Action, ...]
    """What the seat may do, in the game's own order; never empty."""
    complete: bool
    """Whether *legal* is everything, or a selection."""


class Bot(Protocol):
    """A player that is a program. One bot plays one seat of one match; it may remember what it saw there."""

    def choose(self, decision: Decision) -> Action:
        """Return the action to play."""
        ...


class BotKind(Struct, frozen=True, kw_only=True):
    """A sort of bot: what a package offers under the entry point group `warroom.bots`."""

    name: str
    game: str | None
    """The game it can play; None: every game."""
    summary: str
    make: Callable[[Rng], Bot]
    """Makes a bot with randomness of its own; equal generators make bots that play alike."""
    least_think_ms: int = 0
    """How long it waits at least before each action, over the wire."""
    is_slow: bool = False
    """Whether it thinks longer than a few milliseconds: a worker then lets it do so in another process."""
