"""docs/rules/tile_blitz.md, section 5: infantry and tanks."""

import pytest
from tile_blitz_positions import cards, number, pair, position, shown

from warroom_games.api import Event, IllegalActionError
from warroom_games.tile_blitz.actions import BuildInfantry, BuildTank
from warroom_games.tile_blitz.events import CardsDiscarded, InfantryBuilt, TankBuilt
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Player


class TestInfantry:
    """§5.1, §5.2"""

    @pytest.mark.parametrize(
        ("build", "code", "says"),
        [
            pytest.param(BuildInfantry(0, 1), "tile.unknown", "no tile 0; the tiles are 1 to 49", id="§1.1 no tile 0"),
            pytest.param(
                BuildInfantry(50, 1), "tile.unknown", "no tile 50; the tiles are 1 to 49", id="§1.1 no tile 50"
            ),
            pytest.param(BuildInfantry(41, 1), "tile.not_yours", "tile 41 is orange; you are red", id="§5.1 a rival's"),
            pytest.param(BuildInfantry(10, 1), "tile.not_yours", "tile 10 is neutral; you are red", id="§5.1 neutral"),
            pytest.param(BuildInfantry(9, 0), "infantry.none", "buy 1 infantry or more, not 0", id="§5.2 none"),
            pytest.param(BuildInfantry(9, 4), "infantry.gold", "4 infantry cost 4 gold; you have 3", id="§5.2 gold"),
        ],
    )
    def test_what_is_not_allowed_is_refused(self, build: BuildInfantry, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position("9:R5 41:O5", gold={0: 3, 1: 9}), 0, build)
        assert refused.value.code == code

    @pytest.mark.parametrize(
        ("count", "picture"),
        [
            pytest.param(1, "9:R1+2 41:O5", id="§5.1 one gold each"),
            pytest.param(3, "9:R3+2 41:O5", id="§5.2 several at once"),
        ],
    )
    def test_gold_buys_infantry(self, count: int, picture: str) -> None:
        state = position("9:R0+2 41:O5", gold={0: 3}, stamina={0: 1}, hands={0: "3c"})
        GAME.check(state, 0, BuildInfantry(9, count))
        step = GAME.apply(state, 0, BuildInfantry(9, count))
        assert shown(step.state) == picture
        assert step.state.table.players[0] == Player("red", 3 - count, 1, 1)
        assert step.events == (Event(InfantryBuilt(seat=0, tile=9, count=count)),)


class TestTanks:
    """§5.3, §5.4"""

    HAND = "7c 2h 7d 7c2"

    @pytest.mark.parametrize(
        ("build", "code", "says"),
        [
            pytest.param(BuildTank(77, pair("7c 7d")), "tile.unknown", "no tile 77", id="§1.1 no such tile"),
            pytest.param(BuildTank(41, pair("7c 7d")), "tile.not_yours", "tile 41 is orange", id="§5.3 a rival's tile"),
            pytest.param(
                BuildTank(9, pair("7c 7h")), "card.not_held", "card 32 is not in your hand", id="§5.4 a rival's"
            ),
            pytest.param(BuildTank(9, (9999, 6)), "card.not_held", "you hold: 6, 27, 19, 58", id="§5.4 no such card"),
            pytest.param(BuildTank(9, pair("7c 7c")), "card.same", "not card 6 twice", id="§5.4 one card twice"),
            pytest.param(
                BuildTank(9, pair("7c 2h")),
                "card.no_pair",
                "6 and 27 have different values: 7 and 2",
                id="§5.3 no pair",
            ),
        ],
    )
    def test_what_is_not_allowed_is_refused(self, build: BuildTank, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position("9:R5 41:O5", hands={0: self.HAND, 1: "7h"}, decks=2), 0, build)
        assert refused.value.code == code

    def test_an_empty_hand_holds_no_card(self) -> None:
        """§5.4"""
        with pytest.raises(IllegalActionError, match="you hold: none"):
            GAME.check(position("9:R5 41:O5"), 0, BuildTank(9, (0, 1)))

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            pytest.param("7c 7d", "2h 7c2", id="§5.3 two of a value"),
            pytest.param("7d 7c", "2h 7c2", id="§5.4 in any order"),
            pytest.param("7c2 7c", "2h 7d", id="§5.4 the same face of two decks"),
        ],
    )
    def test_a_pair_becomes_a_tank(self, given: str, kept: str) -> None:
        state = position("9:R5+1 41:O5", hands={0: self.HAND}, decks=2, gold={0: 1}, stamina={0: 2})
        GAME.check(state, 0, BuildTank(9, pair(given)))
        step = GAME.apply(state, 0, BuildTank(9, pair(given)))
        assert shown(step.state) == "9:R5+2 41:O5"
        assert step.state.secrets[0].hand == cards(kept)
        assert step.state.table.players[0] == Player("red", 1, 2, 2)
        assert step.state.table.spent == state.table.spent + 2

    def test_a_tank_may_stand_without_troops(self) -> None:
        """§5.3, §1.4"""
        state = position("9:R0 41:O5", hands={0: "7c 7d"})
        assert shown(GAME.apply(state, 0, BuildTank(9, pair("7c 7d"))).state) == "9:R0+1 41:O5"

    def test_only_the_builder_is_told_which_cards(self) -> None:
        """§4.5"""
        state = position("9:R5 41:O5", hands={0: self.HAND}, decks=2)
        (event,) = GAME.apply(state, 0, BuildTank(9, (number("7d"), number("7c")))).events
        assert event.public == TankBuilt(seat=0, tile=9)
        one, other = cards("7c 7d")
        assert event.private == ((0, CardsDiscarded((one, other))),)
