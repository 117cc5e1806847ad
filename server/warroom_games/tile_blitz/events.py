"""What happens in a match, told so that a client can animate it.

Each event is a map whose `type` names it. All are public but `drawn` and `discarded`, which only the seat whose cards
they are is told, together with the public event of the same moment.
"""

from typing import Literal

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.tile_blitz.state import Card, Color


class DeckRenewed(Struct, frozen=True, gc=False, tag_field="type", tag="deck"):
    """The deck was empty, and a fresh one was shuffled: the number of decks so far."""

    decks: int


class TurnBegan(Struct, frozen=True, gc=False, tag_field="type", tag="turn"):
    """The next seat's turn began, with so much gold, stamina and so many cards more."""

    seat: Seat
    turn: int
    round: int
    gold: int
    stamina: int
    cards: int


class CardsDrawn(Struct, frozen=True, gc=False, tag_field="type", tag="drawn"):
    """To the seat whose turn began: the cards it drew."""

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
    """To the seat that built a tank: the cards it gave for it."""

    cards: tuple[Card, Card]


class UnitsMoved(Struct, frozen=True, gc=False, tag_field="type", tag="move"):
    """Units went to the next tile, or marched along *path*, which names every tile from source to target."""

    seat: Seat
    path: tuple[int, ...]
    troops: int
    tanks: int
    is_march: bool


class Attacked(Struct, frozen=True, gc=False, tag_field="type", tag="attack"):
    """An attack: both sides' power, and what the attacker lost."""

    seat: Seat
    source: int
    target: int
    power: int
    defence: int
    troops_lost: int
    tanks_lost: int


class Captured(Struct, frozen=True, gc=False, tag_field="type", tag="capture"):
    """The target changed hands (*former* nil: it was neutral), and these units went there from the source."""

    seat: Seat
    source: int
    target: int
    color: Color
    former: Color | None
    troops: int
    tanks: int


class Eliminated(Struct, frozen=True, gc=False, tag_field="type", tag="elimination"):
    """A seat lost its last tile, by the hand of *by*, or gave up (nil) and left these *tiles* neutral."""

    seat: Seat
    by: Seat | None
    tiles: tuple[int, ...]


class TurnEnded(Struct, frozen=True, gc=False, tag_field="type", tag="turn_end"):
    """A seat's turn is over, because it said so or gave up."""

    seat: Seat
    turn: int
    reason: Literal["declined", "resigned"]


class Ended(Struct, frozen=True, gc=False, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether by victory or by the limit on rounds."""

    ranks: tuple[int, ...]
    reason: str
