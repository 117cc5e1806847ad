"""docs/rules/tile_blitz.md, section 4: the deck, the ids of cards, and that none is lost."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tile_blitz_positions import KEY, cards, number, position

from warroom_games.playthrough import Move, play
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.tile_blitz.actions import EndTurn
from warroom_games.tile_blitz.cards import DECK, card, deck_ids, draw_cards
from warroom_games.tile_blitz.events import CardsDiscarded, CardsDrawn, DeckRenewed, TurnBegan
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Card, State

MATCHES = settings(max_examples=min(settings().max_examples // 20, 200))


class TestDeck:
    """§4.1 to §4.4"""

    @pytest.mark.parametrize("deck", [0, 1, 7])
    def test_a_deck_has_each_value_in_each_suit(self, deck: int) -> None:
        """§4.1"""
        faces = Counter((card(one).value, card(one).suit) for one in deck_ids(deck))
        assert set(faces) == {
            (value, suit) for value in range(1, 14) for suit in ("clubs", "diamonds", "hearts", "spades")
        }
        assert set(faces.values()) == {1}

    @pytest.mark.parametrize(
        ("one", "face"),
        [
            pytest.param(0, Card(0, 1, "clubs"), id="§4.4 the ace of clubs"),
            pytest.param(51, Card(51, 13, "spades"), id="§4.4 the king of spades"),
            pytest.param(52 + 13 + 6, Card(71, 7, "diamonds"), id="§4.4 the 7 of diamonds of the second deck"),
        ],
    )
    def test_an_id_tells_the_face_and_the_deck(self, one: int, face: Card) -> None:
        assert card(one) == face

    def test_cards_come_from_the_top(self) -> None:
        """§4.2"""
        drawn = draw_cards(2, (5, 9, 3), 1, Rng(KEY))
        assert (drawn.cards, drawn.deck, drawn.decks, drawn.rng) == ((card(5), card(9)), (3,), 1, Rng(KEY))

    def test_the_first_deck_is_shuffled_by_the_key(self) -> None:
        """§4.2"""
        decks = [GAME.setup(2, Options(), Rng(key)).deck for key in (KEY, bytes(KEY_BYTES))]
        assert [len(deck) for deck in decks] == [50, 50]
        assert decks[0] != decks[1] != tuple(sorted(decks[1]))

    @pytest.mark.parametrize(
        ("deck", "old", "left"),
        [
            pytest.param("", 0, 50, id="§4.3 both cards are of the fresh deck"),
            pytest.param("4h", 1, 51, id="§4.3 one is the last of the old deck"),
        ],
    )
    def test_an_empty_deck_is_replaced_before_the_next_card(self, deck: str, old: int, left: int) -> None:
        step = GAME.apply(position("9:R5 41:O5", deck=deck, hands={1: "4c"}), 0, EndTurn())
        table, hand = step.state.table, step.state.secrets[1].hand
        assert hand[: 1 + old] == cards(f"4c {deck}")
        assert all(DECK <= drawn.id < 2 * DECK for drawn in hand[1 + old :])
        assert (table.deck, table.decks, len(step.state.deck), len(hand)) == (left, 2, left, 3)
        assert [type(event.public) for event in step.events[1:]] == [DeckRenewed, TurnBegan]
        assert step.events[1].public == DeckRenewed(2)

    def test_a_deck_that_becomes_empty_is_not_replaced_yet(self) -> None:
        """§4.3"""
        step = GAME.apply(position("9:R5 41:O5", deck="4h 9s"), 0, EndTurn())
        assert (step.state.table.deck, step.state.table.decks, step.state.deck) == (0, 1, ())
        assert not any(isinstance(event.public, DeckRenewed) for event in step.events)

    def test_the_same_face_of_two_decks_has_two_ids(self) -> None:
        """§4.4"""
        assert number("7d") != number("7d2")
        assert {(one.value, one.suit) for one in cards("7d 7d2")} == {(7, "diamonds")}


class TestConservation:
    """§4.6"""

    @given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), seats=st.integers(2, 5))
    @MATCHES
    def test_cards_are_in_the_deck_in_a_hand_or_spent(self, key: bytes, seats: int) -> None:
        for state in play(GAME, seats, Options(), key).states:
            hold_cards(state)
            hold_cards(GAME.remove(state, seats - 1).state)

    @given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), seats=st.integers(2, 5))
    @MATCHES
    def test_every_card_is_drawn_once_and_spent_at_most_once(self, key: bytes, seats: int) -> None:
        match = play(GAME, seats, Options(losses="attrition"), key)
        drawn = [held.id for held in match.opening.secrets[0].hand] + told(match.moves, CardsDrawn)
        given_up = told(match.moves, CardsDiscarded)
        assert len(set(drawn)) == len(drawn)
        assert len(set(given_up)) == len(given_up)
        held = {one.id for secret in match.states[-1].secrets for one in secret.hand}
        lost = set(drawn) - set(given_up) - held
        assert set(given_up) <= set(drawn)
        assert held.isdisjoint(given_up)
        assert len(given_up) + len(lost) == match.states[-1].table.spent


def hold_cards(state: State) -> None:
    """Every card of every deck is accounted for, and what is public agrees with what is hidden."""
    table = state.table
    held = [one.id for secret in state.secrets for one in secret.hand]
    assert DECK * table.decks == table.deck + sum(player.cards for player in table.players) + table.spent
    assert [player.cards for player in table.players] == [len(secret.hand) for secret in state.secrets]
    assert table.deck == len(state.deck)
    assert len({*held, *state.deck}) == len(held) + len(state.deck)
    assert set(state.deck) <= set(deck_ids(table.decks - 1))
    assert all(0 <= one < DECK * table.decks for one in held)


def told(moves: tuple[Move, ...], kind: type[Any]) -> list[int]:
    """Return the ids of the cards that all private events of a kind tell of."""
    forms = [form for move in moves for event in move.step.events for _, form in event.private]
    return [one.id for form in forms if isinstance(form, kind) for one in form.cards]
