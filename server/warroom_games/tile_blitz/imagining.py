"""A full state that fits what a viewer sees: docs/rules/tile_blitz.md, section 14."""

import msgspec

from warroom_games.api import Seat, View
from warroom_games.rng import Rng
from warroom_games.tile_blitz.cards import DECK, card, deck_ids
from warroom_games.tile_blitz.state import Secret, State, Table


def imagine_state(public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
    """Deal the unseen cards to the deck and to the other hands, keeping their sizes."""
    table = msgspec.convert(public, Table)
    own = Secret() if seat is None else msgspec.convert(private, Secret)
    known = {held.id for held in own.hand}
    # The deck holds only cards of the newest deck. Hands may hold any card so far, and the others are spent.
    deck, rng = rng.sample([number for number in deck_ids(table.decks - 1) if number not in known], table.deck)
    known.update(deck)
    others = [0 if other == seat else player.cards for other, player in enumerate(table.players)]
    dealt = [number for number in range(DECK * table.decks) if number not in known]
    cards, rng = rng.sample(dealt, sum(others))
    secrets: list[Secret] = []
    for other, count in enumerate(others):
        secrets.append(own if other == seat else Secret(tuple(map(card, cards[:count]))))
        cards = cards[count:]
    coins, _ = rng.spawn()
    return State(table, tuple(secrets), deck, coins)
