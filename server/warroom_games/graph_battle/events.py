"""The events of a match, with everything that a client needs to animate them; all of them are public.

Each event is a map whose `type` names it.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.graph_battle.reinforcement import Gain
from warroom_games.graph_battle.state import Color


class Attacked(Struct, frozen=True, tag_field="type", tag="attack"):
    """A battle: every flip (`a` won by the attacker, `d` by the defender) and the remaining strengths."""

    seat: Seat
    source: int
    target: int
    flips: str
    source_strength: int
    target_strength: int


class Conquered(Struct, frozen=True, tag_field="type", tag="conquest"):
    """The target changed its colour, and *moved* strength went there from the source."""

    seat: Seat
    source: int
    target: int
    color: Color
    former: Color
    moved: int


class Eliminated(Struct, frozen=True, tag_field="type", tag="elimination"):
    """A seat lost its last node to *by*, or resigned (nil)."""

    seat: Seat
    by: Seat | None


class TurnEnded(Struct, frozen=True, tag_field="type", tag="turn_end"):
    """A seat's turn is over: it ended the turn, had no attack left, or resigned."""

    seat: Seat
    turn: int
    reason: Literal["declined", "exhausted", "resigned"]


class Reinforced(Struct, frozen=True, tag_field="type", tag="reinforcement"):
    """The seat's largest territory gained strength, at these nodes."""

    seat: Seat
    gains: tuple[Gain, ...]


class OrderDrawn(Struct, frozen=True, tag_field="type", tag="order"):
    """The order of the seats in the next round was drawn."""

    round: int
    order: tuple[Seat, ...]


class TurnBegan(Struct, frozen=True, tag_field="type", tag="turn"):
    """The next seat's turn began."""

    seat: Seat
    turn: int
    round: int


class Ended(Struct, frozen=True, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether the victory rule or a limit ended it."""

    ranks: tuple[int, ...]
    reason: str


GameEvent: TypeAlias = Attacked | Conquered | Eliminated | TurnEnded | Reinforced | OrderDrawn | TurnBegan | Ended
"""All events, in their public and private forms."""
