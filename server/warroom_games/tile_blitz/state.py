"""All that is true of a match: the table that everybody sees, the hand of each seat, and the deck."""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.tile_blitz.options import Options

Color: TypeAlias = Literal["red", "green", "yellow", "orange", "purple"]
Suit: TypeAlias = Literal["clubs", "diamonds", "hearts", "spades"]


class Tile(Struct, frozen=True, gc=False):
    """Who holds a tile (None: it is neutral), and with what."""

    color: Color | None = None
    troops: int = 0
    tanks: int = 0

    @property
    def power(self) -> int:
        """What the units are worth, in attack and in defence (§8.3)."""
        return self.troops + 2 * self.tanks


NEUTRAL = Tile()


class Player(Struct, frozen=True, gc=False):
    """What everybody knows of a seat: its colour, what it can spend, and how many cards it holds."""

    color: Color
    gold: int = 0
    stamina: int = 0
    cards: int = 0


class Table(Struct, frozen=True, gc=False, kw_only=True):
    """The public view: all but the faces of the cards."""

    options: Options
    tiles: tuple[Tile, ...]
    """The tile with id *n* is item *n* - 1."""
    players: tuple[Player, ...]
    """By seat."""
    deck: int
    """How many cards are left in the deck."""
    decks: int
    """How many decks there have been."""
    spent: int = 0
    """How many cards have been turned into tanks, or went with a player who is out."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order in which they left it."""
    seat: Seat = 0
    """Whose turn it is."""
    first: Seat = 0
    """Who began this round."""
    upcoming: tuple[Seat, ...] = ()
    """Who plays next and after that, if nobody goes out of play before; fewer where the last round ends."""
    turn: int = 1
    round: int = 1
    ended: Literal["victory", "cap"] | None = None


class Card(Struct, frozen=True, gc=False):
    """A card with an id of its own: later decks have the same faces, but other ids (§4.4)."""

    id: int
    value: int
    suit: Suit


class Secret(Struct, frozen=True, gc=False):
    """What one seat knows besides: its hand, in the order in which it was drawn."""

    hand: tuple[Card, ...] = ()


class State(Struct, frozen=True, gc=False):
    """The table, what each seat knows, the ids of the cards in the deck from the top, and the generator."""

    table: Table
    secrets: tuple[Secret, ...]
    deck: tuple[int, ...]
    rng: Rng
