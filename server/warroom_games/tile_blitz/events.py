"""The events of a match, with everything that a client needs to animate them.

Each event is a map whose `type` names it. All are public except `drawn` and `discarded`: only the owner of the cards
gets them, together with the public event of the same moment.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.tile_blitz.state import Card, Color


class DeckRenewed(Struct, frozen=True, gc=False, tag_field="type", tag="deck"):
    """The deck was empty and a fresh one was shuffled: the number of decks so far."""

    decks: int


class TurnBegan(Struct, frozen=True, gc=False, tag_field="type", tag="turn"):
    """The next seat's turn began, with this additional gold, stamina and number of cards."""

    seat: Seat
    turn: int
    round: int
    gold: int
    stamina: int
    cards: int


class CardsDrawn(Struct, frozen=True, gc=False, tag_field="type", tag="drawn"):
    """For the seat whose turn began: the cards that it drew."""

    cards: tuple[Card, ...]


class InfantryBuilt(Struct, frozen=True, gc=False, tag_field="type", tag="infantry"):
    """A seat bought infantry for a tile."""

    seat: Seat
    tile: int
    count: int


class TankBuilt(Struct, frozen=True, gc=False, tag_field="type", tag="tank"):
    """A seat turned two of its cards into a tank."""

    seat: Seat
    tile: int


class CardsDiscarded(Struct, frozen=True, gc=False, tag_field="type", tag="discarded"):
    """For the seat that built a tank: the cards that it spent."""

    cards: tuple[Card, Card]


class UnitsMoved(Struct, frozen=True, gc=False, tag_field="type", tag="move"):
    """Units moved to the next tile, or marched along *path*, which contains every tile from source to target."""

    seat: Seat
    path: tuple[int, ...]
    troops: int
    tanks: int
    is_march: bool


class Attacked(Struct, frozen=True, gc=False, tag_field="type", tag="attack"):
    """An attack: the power of both sides, and the losses of the attacker."""

    seat: Seat
    source: int
    target: int
    power: int
    defence: int
    troops_lost: int
    tanks_lost: int


class Captured(Struct, frozen=True, gc=False, tag_field="type", tag="capture"):
    """The target changed its holder (*former* nil: it was neutral), and these units moved there from the source."""

    seat: Seat
    source: int
    target: int
    color: Color
    former: Color | None
    troops: int
    tanks: int


class Eliminated(Struct, frozen=True, gc=False, tag_field="type", tag="elimination"):
    """A seat lost its last tile to *by*, or resigned (nil) and left these *tiles* neutral."""

    seat: Seat
    by: Seat | None
    tiles: tuple[int, ...]


class TurnEnded(Struct, frozen=True, gc=False, tag_field="type", tag="turn_end"):
    """A seat's turn is over: it ended the turn or resigned."""

    seat: Seat
    turn: int
    reason: Literal["declined", "resigned"]


class Ended(Struct, frozen=True, gc=False, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether the victory rule or the limit of rounds ended it."""

    ranks: tuple[int, ...]
    reason: str


GameEvent: TypeAlias = (
    DeckRenewed | TurnBegan | CardsDrawn | InfantryBuilt | TankBuilt | CardsDiscarded | UnitsMoved | Attacked
    | Captured | Eliminated | TurnEnded | Ended
)  # fmt: skip
"""All events, in their public and private forms."""
