"""The interface of a bot: it chooses an action from what its seat may know."""

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from warroom_bots.typed_decision import ShowsType, TypedDecision
from warroom_games.api import Seat, View
from warroom_games.rng import Rng

Action: TypeAlias = View
"""An action in its plain form, a map whose `type` names it, or as the Struct of the game's rules."""

P = TypeVar("P")


class Limit(Struct, frozen=True):
    """How much a bot may think about one decision; without a limit, as much as it likes within the turn."""

    time_ms: int | None = None
    simulations: int | None = None
    """Number of simulated matches; a bot that obeys it is a function of its generator alone."""


UNLIMITED: Final = Limit()


class Decision(Struct, frozen=True):
    """Everything a bot sees when its seat must act: its own views, as plain trees, and its legal actions."""

    seat: Seat
    public: View
    private: View | None
    legal: tuple[Action, ...]
    """The legal actions in the game's order; never empty."""
    complete: bool
    """Whether *legal* is complete, or a selection."""
    notes: tuple[str, ...] = ()
    """The game's note on each legal action, which may be empty; () if there are none, or the bot does not want them."""
    left_ms: int | None = None
    """Time until the decision is closed, the time bank included; None: no clock runs."""
    lag_ms: int = 0
    """Measured round trip to the server."""
    limit: Limit = UNLIMITED

    def pick(self, rng: Rng) -> tuple[Action, Rng]:
        """Draw one of the legal actions; in a simulation that is cheaper than reading all of them."""
        return rng.choice(self.legal)

    def typed(self, game: ShowsType[P]) -> TypedDecision[P]:
        """Return the views and actions as the Structs of the game's rules, converted when they are read."""
        return TypedDecision(self, game)


class Bot(Protocol):
    """A program that plays one seat of one match; it may remember what it saw there."""

    def choose(self, decision: Decision) -> Action:
        """Return the action to play."""
        ...


class BotKind(Struct, frozen=True, kw_only=True):
    """A kind of bot, offered by a package under the entry point group `warroom.bots`, or by a file."""

    name: str
    game: str | None
    """The game it can play; None: every game."""
    summary: str
    make: Callable[[Rng], Bot]
    """Creates a bot with its own generator; equal generators give bots that play alike."""
    least_think_ms: int = 0
    """Minimum delay before each action on a server."""
    is_slow: bool = False
    """Whether it thinks longer than a few milliseconds; it then runs in another process."""
    source: str = ""
    """The file after which it is named, if its author did not name it: bots of one name from several files differ."""
    is_timed: bool = False
    """Whether it thinks as long as it may: equal seeds then give equal play only with `Limit.simulations`."""
    wants_notes: bool = False
    """Whether it reads `Decision.notes`; they cost the server time, so other bots do not get them."""
