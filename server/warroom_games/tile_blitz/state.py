"""The state of a match: the public table, the hand of each seat, and the deck."""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.tile_blitz.options import Options

Color: TypeAlias = Literal["red", "green", "yellow", "orange", "purple"]
Suit: TypeAlias = Literal["clubs", "diamonds", "hearts", "spades"]


class Tile(Struct, frozen=True, gc=False):
    """The holder of a tile (None: neutral) and its units."""

    color: Color | None = None
    troops: int = 0
    tanks: int = 0

    @property
    def power(self) -> int:
        """The worth of the units in attack and defence (§8.3)."""
        return self.troops + 2 * self.tanks


NEUTRAL = Tile()


class Player(Struct, frozen=True, gc=False):
    """The public part of a seat: its colour, what it can spend, and its number of cards."""

    color: Color
    gold: int = 0
    stamina: int = 0
    cards: int = 0


class Table(Struct, frozen=True, gc=False, kw_only=True):
    """The public view: everything except the faces of the cards."""

    options: Options
    tiles: tuple[Tile, ...]
    """The tile with id *n* is item *n* - 1."""
    players: tuple[Player, ...]
    """By seat."""
    deck: int
    """The number of cards left in the deck."""
    decks: int
    """The number of decks so far."""
    spent: int = 0
    """The number of cards that were spent on tanks or left with eliminated players."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order of leaving."""
    seat: Seat = 0
    """Whose turn it is."""
    first: Seat = 0
    """The first seat of this round."""
    upcoming: tuple[Seat, ...] = ()
    """The next two seats, if nobody is eliminated before; fewer at the end of the last round."""
    turn: int = 1
    round: int = 1
    ended: Literal["victory", "cap"] | None = None


class Card(Struct, frozen=True, gc=False):
    """A card with an id of its own: later decks have the same faces, but other ids (§4.4)."""

    id: int
    value: int
    suit: Suit


class Secret(Struct, frozen=True, gc=False):
    """The private view of a seat: its hand, in the order of drawing."""

    hand: tuple[Card, ...] = ()


class State(Struct, frozen=True, gc=False):
    """The table, the private views, the ids of the cards in the deck from the top, and the generator."""

    table: Table
    secrets: tuple[Secret, ...]
    deck: tuple[int, ...]
    rng: Rng
