"""docs/rules/tile_blitz.md, sections 4.5 and 14: what each viewer sees, and nothing more."""

import msgspec
import pytest
from tile_blitz_positions import cards, pair, position

from warroom_games.codec import encode
from warroom_games.law import refusal
from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import Action, BuildTank, EndTurn
from warroom_games.tile_blitz.cards import DECK, deck_ids
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State
from warroom_protocol.canonical import canonical, plain

THREE = "9:R5 10:G1 41:O5"
HANDS = {0: "7c 7d 2s", 1: "9c 9d 9s", 3: "1c 13s"}
OTHERS = {0: "7c 7d 2s", 1: "4c 11d 6s", 3: "2c 5s"}


def seen(state: State, seat: int | None) -> bytes:
    private = None if seat is None else GAME.private(state, seat)
    return canonical([GAME.public(state), private])


class TestViews:
    """§14.1, §14.2"""

    def test_everybody_sees_how_many_cards_there_are(self) -> None:
        """§14.1, §4.5"""
        public = plain(GAME.public(position(THREE, hands=HANDS)))
        assert [player["cards"] for player in public["players"]] == [3, 3, 0, 2, 0]
        assert (public["deck"], public["decks"], public["spent"]) == (44, 1, 0)
        assert b"suit" not in canonical(public)

    def test_a_seat_sees_its_own_hand_and_no_other(self) -> None:
        """§14.2, §4.5"""
        state = position(THREE, hands=HANDS)
        assert plain(GAME.private(state, 0)) == {
            "hand": [
                {"id": 6, "value": 7, "suit": "clubs"},
                {"id": 19, "value": 7, "suit": "diamonds"},
                {"id": 40, "value": 2, "suit": "spades"},
            ]
        }
        assert GAME.private(state, 2) == msgspec.convert({"hand": []}, type(state.secrets[2]))

    def test_views_are_parts_of_the_state_itself(self) -> None:
        """§14.1: so that a diff can skip what did not change."""
        state = position(THREE, hands=HANDS)
        assert GAME.public(state) is state.table
        assert GAME.private(state, 1) is state.secrets[1]


class TestSecrecy:
    """§4.5"""

    @pytest.mark.parametrize("action", [EndTurn(), BuildTank(9, pair("7c 7d"))], ids=["end_turn", "build_tank"])
    def test_other_hands_and_another_deck_change_nothing_that_a_seat_receives(self, action: Action) -> None:
        one = position(THREE, hands=HANDS, deck="3c 8d 12h")
        other = position(THREE, hands=OTHERS, deck="10h 3h 3s")
        other = State(other.table, other.secrets, other.deck, Rng(b"another key here"))
        for seat in (None, 0):
            assert seen(one, seat) == seen(other, seat)
        steps = [GAME.apply(state, 0, action) for state in (one, other)]
        for seat in (None, 0):
            assert len({seen(step.state, seat) for step in steps}) == 1
        told = {encode([(event.public, dict(event.private).get(0)) for event in step.events]) for step in steps}
        assert len(told) == 1

    def test_nobody_else_can_tell_which_cards_became_a_tank(self) -> None:
        one, other = (position(THREE, hands={0: hand}, deck="") for hand in ("7c 7d", "5h 5s"))
        steps = [GAME.apply(one, 0, BuildTank(9, pair("7c 7d"))), GAME.apply(other, 0, BuildTank(9, pair("5h 5s")))]
        for seat in (None, 1, 3):
            assert len({seen(step.state, seat) for step in steps}) == 1
        assert len({encode([event.public for event in step.events]) for step in steps}) == 1

    def test_refusals_tell_of_no_hand_but_the_own(self) -> None:
        asked = BuildTank(9, pair("9c 9d"))
        refusals = [refusal(GAME, position(THREE, hands=hands), 0, asked) for hands in (HANDS, OTHERS)]
        assert [(refused.code, refused.detail) for refused in refusals if refused] == [
            ("card.not_held", "card 8 is not in your hand; you hold: 6, 19, 40")
        ] * 2


class TestImagination:
    """§14.3"""

    def test_a_seat_keeps_what_it_knows_and_the_rest_is_dealt_anew(self) -> None:
        state = position(THREE, hands=HANDS, decks=2, deck="3c2 8d2 12h2")
        worlds = []
        rng = Rng(bytes(16))
        for _ in range(30):
            dreams, rng = rng.spawn()
            world = GAME.imagine(plain(GAME.public(state)), plain(GAME.private(state, 0)), 0, dreams)
            assert seen(world, 0) == seen(state, 0)
            worlds.append(world)
        assert len({world.secrets[1] for world in worlds}) > 20
        assert len({world.deck for world in worlds}) > 20

    @pytest.mark.parametrize("seat", [None, 0, 3])
    def test_an_imagined_world_has_every_card_once(self, seat: int | None) -> None:
        state = position(THREE, hands=HANDS, decks=2, deck="3c2 8d2 12h2")
        private = None if seat is None else plain(GAME.private(state, seat))
        world = GAME.imagine(plain(GAME.public(state)), private, seat, Rng(bytes(16)))
        held = [card.id for secret in world.secrets for card in secret.hand]
        assert len({*held, *world.deck}) == 3 + 3 + 2 + 3
        assert set(world.deck) <= set(deck_ids(1))
        assert set(held) <= set(range(2 * DECK))

    def test_a_seat_does_not_imagine_its_own_cards_elsewhere(self) -> None:
        low = " ".join(f"{value}{suit}" for value in range(1, 13) for suit in "cdhs")
        state = position("9:R5 41:O5", hands={0: low}, deck="13c 13d")
        world = GAME.imagine(plain(GAME.public(state)), plain(GAME.private(state, 0)), 0, Rng(bytes(16)))
        assert {*world.deck} < {card.id for card in cards("13c 13d 13h 13s")}
