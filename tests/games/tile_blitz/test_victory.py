"""docs/rules/tile_blitz.md, sections 9 and 10: elimination, the end, the ranking, and leaving."""

from typing import Any

import pytest
from tile_blitz_positions import position, shown

from warroom_games.api import IllegalActionError, Result
from warroom_games.tile_blitz.actions import Attack, EndTurn
from warroom_games.tile_blitz.events import Eliminated, Ended, TurnBegan, TurnEnded
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Player, Secret

THREE = "9:R5 10:G1 41:O5"


class TestElimination:
    """§9.1, §9.2"""

    def test_a_player_without_tiles_is_out_at_once(self) -> None:
        """§9.1"""
        step = GAME.apply(position(THREE), 0, Attack(9, 10))
        assert step.state.table.out == (2, 4, 1)
        assert step.events[-1].public == Eliminated(seat=1, by=0, tiles=())
        assert GAME.to_act(step.state) == {0}

    def test_a_player_with_another_tile_is_not(self) -> None:
        """§9.1"""
        assert GAME.apply(position(f"{THREE} 49:G0"), 0, Attack(9, 10)).state.table.out == (2, 4)

    def test_the_hand_and_the_gold_are_gone(self) -> None:
        """§9.2"""
        state = position(THREE, hands={0: "3c", 1: "7c 7d 8s"}, gold={1: 4}, stamina={1: 2})
        after = GAME.apply(state, 0, Attack(9, 10)).state
        assert (after.table.players[1], after.secrets[1]) == (Player("green", 0, 0, 0), Secret(()))
        assert after.table.spent == state.table.spent + 3
        assert after.secrets[0] is state.secrets[0]


class TestTheEnd:
    """§9.3 to §9.6"""

    def test_the_last_colour_wins(self) -> None:
        """§9.3"""
        step = GAME.apply(position("9:R5 10:O1"), 0, Attack(9, 10))
        assert GAME.result(step.state) == Result((1, 2), "victory")
        assert [event.public for event in step.events][-2:] == [Eliminated(1, 0, ()), Ended((1, 2), "victory")]

    def test_nobody_may_act_afterwards(self) -> None:
        """§9.6"""
        state = GAME.apply(position("9:R5 10:O1"), 0, Attack(9, 10)).state
        assert (GAME.to_act(state), list(GAME.legal_actions(state, 0))) == (frozenset(), [])
        with pytest.raises(IllegalActionError, match="the match is over") as refused:
            GAME.check(state, 0, EndTurn())
        assert refused.value.code == "match.over"

    @pytest.mark.parametrize(
        ("fields", "is_over"),
        [
            pytest.param({"round": 40, "seat": 1}, True, id="§9.4 the last round is over"),
            pytest.param({"round": 40, "seat": 0}, False, id="§9.4 the last round goes on"),
            pytest.param({"round": 40, "seat": 1, "first": 1}, False, id="§9.4 it goes on after its first seat"),
            pytest.param({"round": 40, "seat": 0, "first": 1}, True, id="§9.4 it ends with its last seat"),
            pytest.param({"round": 39, "seat": 1}, False, id="§9.4 not the last round"),
        ],
    )
    def test_a_match_ends_with_its_last_round(self, fields: dict[str, Any], is_over: bool) -> None:
        step = GAME.apply(position("9:R5 10:R0 41:O5", **fields), fields["seat"], EndTurn())
        assert GAME.result(step.state) == (Result((1, 2), "cap") if is_over else None)
        assert (step.events[-1].public == Ended((1, 2), "cap")) is is_over

    def test_the_last_round_is_an_option(self) -> None:
        """§9.4"""
        state = position("9:R5 41:O5", round=3, seat=1, options=Options(max_rounds=3))
        assert GAME.result(GAME.apply(state, 1, EndTurn()).state) == Result((1, 1), "cap")

    @pytest.mark.parametrize(
        ("picture", "out", "ranks"),
        [
            pytest.param("1:R0 2:R0 9:G9 13:Y1 25:P1 41:O1", (), (1, 2, 3, 3, 3), id="§9.5 tiles come first"),
            pytest.param("1:R3 2:G1+1 3:Y0+2 4:O2 5:P2", (), (2, 2, 1, 4, 4), id="§9.5 then troops + 2 x tanks"),
            pytest.param("1:R3 2:P3", (2, 1, 3), (1, 4, 5, 3, 1), id="§9.5 who left later ranks higher"),
        ],
    )
    def test_a_capped_match_is_ranked(self, picture: str, out: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        assert GAME.result(position(picture, out=out, ended="cap")) == Result(ranks, "cap")


class TestLeaving:
    """§10.1"""

    def test_the_tiles_turn_neutral_with_their_units_gone(self) -> None:
        """§10.1"""
        state = position("9:R5 10:G1+3 17:G2 41:O5", hands={1: "7c 8d"}, gold={1: 3})
        step = GAME.remove(state, 1)
        assert shown(step.state) == "9:R5 41:O5"
        assert [event.public for event in step.events] == [Eliminated(1, by=None, tiles=(10, 17))]
        assert (step.state.table.out, GAME.to_act(step.state)) == ((2, 4, 1), frozenset({0}))
        assert (step.state.secrets[1], step.state.table.spent) == (Secret(()), state.table.spent + 2)

    def test_the_turn_of_who_leaves_ends(self) -> None:
        """§10.1"""
        step = GAME.remove(position(THREE), 0)
        assert [event.public for event in step.events] == [
            Eliminated(0, by=None, tiles=(9,)),
            TurnEnded(0, turn=1, reason="resigned"),
            TurnBegan(1, turn=2, round=1, gold=2, stamina=1, cards=2),
        ]

    def test_the_last_in_play_wins(self) -> None:
        """§9.3"""
        step = GAME.remove(position("9:R5 41:O5"), 0)
        assert GAME.result(step.state) == Result((2, 1), "victory")
        assert step.events[-1].public == Ended((2, 1), "victory")

    @pytest.mark.parametrize(
        "fields", [pytest.param({"out": (1,)}, id="already out"), pytest.param({"ended": "cap"}, id="match is over")]
    )
    def test_leaving_twice_or_late_changes_nothing(self, fields: dict[str, Any]) -> None:
        state = position(THREE, **fields)
        step = GAME.remove(state, 1)
        assert (step.state, step.events) == (state, ())
