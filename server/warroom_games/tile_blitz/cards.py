"""The cards: docs/rules/tile_blitz.md, section 4."""

from msgspec import Struct

from warroom_games.rng import Rng
from warroom_games.tile_blitz.state import Card, Suit

SUITS: tuple[Suit, ...] = ("clubs", "diamonds", "hearts", "spades")
VALUES = 13
DECK = len(SUITS) * VALUES
_FACES = tuple((value, suit) for suit in SUITS for value in range(1, VALUES + 1))


class Drawn(Struct, frozen=True, gc=False):
    """The drawn cards, and the deck and generator afterwards."""

    cards: tuple[Card, ...]
    deck: tuple[int, ...]
    decks: int
    rng: Rng


def card(number: int) -> Card:
    """Return the card with this id: 52 x deck + 13 x suit + value - 1, deck and suit counted from 0."""  # §4.4
    value, suit = _FACES[number % DECK]
    return Card(number, value, suit)


def deck_ids(number: int) -> range:
    """Return the ids of all cards of a deck, counted from 0."""
    return range(DECK * number, DECK * (number + 1))


def draw_cards(count: int, deck: tuple[int, ...], decks: int, rng: Rng) -> Drawn:
    """Draw from the top; an empty deck is replaced by a fresh shuffled one."""  # §4.2, §4.3
    taken, deck = deck[:count], deck[count:]
    if len(taken) < count:
        fresh, rng = rng.shuffle(deck_ids(decks))
        missing = count - len(taken)
        taken, deck = taken + fresh[:missing], fresh[missing:]
        decks += 1
    return Drawn(tuple(map(card, taken)), deck, decks, rng)
