"""The cards: docs/rules/tile_blitz.md, section 4."""

from msgspec import Struct

from warroom_games.rng import Rng
from warroom_games.tile_blitz.state import Card, Suit

SUITS: tuple[Suit, ...] = ("clubs", "diamonds", "hearts", "spades")
VALUES = 13
DECK = len(SUITS) * VALUES
_FACES = tuple((value, suit) for suit in SUITS for value in range(1, VALUES + 1))


class Drawn(Struct, frozen=True):
    """The cards that were drawn, and the deck and generator after it."""

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
    """Draw from the top, with a fresh shuffled deck whenever the old one is empty."""  # §4.2, §4.3
    cards: tuple[Card, ...] = ()
    while len(cards) < count:
        if not deck:
            deck, rng = rng.shuffle(deck_ids(decks))
            decks += 1
        taken = min(count - len(cards), len(deck))
        cards += tuple(map(card, deck[:taken]))
        deck = deck[taken:]
    return Drawn(cards, deck, decks, rng)
