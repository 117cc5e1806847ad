"""docs/rules/graph_battle.md, sections 6 and 7: the end, the ranking, and leaving."""

from typing import Any

import pytest
from graph_positions import coins, position, shown

from warroom_games.api import IllegalActionError, Result
from warroom_games.graph_battle.actions import Attack, EndTurn
from warroom_games.graph_battle.events import Eliminated, Ended, TurnBegan, TurnEnded
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME


class TestVictory:
    """§6.1, §6.5"""

    def test_who_holds_every_node_wins(self) -> None:
        step = GAME.apply(position("R3 G0", rng=coins("aa")), 0, Attack(0, 1))
        assert GAME.result(step.state) == Result((1, 2), "victory")
        assert [event.public for event in step.events][-2:] == [Eliminated(1, by=0), Ended((1, 2), "victory")]
        assert shown(step.state.table) == "R1 R2"

    def test_nobody_may_act_afterwards(self) -> None:
        state = GAME.apply(position("R3 G0", rng=coins("aa")), 0, Attack(0, 1)).state
        assert GAME.to_act(state) == frozenset()
        assert list(GAME.legal_actions(state, 0)) == []
        with pytest.raises(IllegalActionError, match="over") as refused:
            GAME.check(state, 0, EndTurn())
        assert refused.value.code == "match.over"

    def test_a_match_goes_on_while_two_are_in_play(self) -> None:
        assert GAME.result(position("R3 G1")) is None


class TestCaps:
    """§6.2, §6.3"""

    @pytest.mark.parametrize(
        ("fields", "is_over"),
        [
            pytest.param({"round": 100, "last_attack_round": 99, "seat": 1}, True, id="§6.2 the last round is over"),
            pytest.param({"round": 100, "last_attack_round": 99, "seat": 0}, False, id="§6.2 the last round goes on"),
            pytest.param({"round": 99, "last_attack_round": 99, "seat": 1}, False, id="§6.2 not the last round"),
            pytest.param({"round": 10, "last_attack_round": 0, "seat": 1}, True, id="§6.3 ten quiet rounds at first"),
            pytest.param({"round": 9, "last_attack_round": 0, "seat": 1}, False, id="§6.3 nine quiet rounds"),
            pytest.param({"round": 25, "last_attack_round": 15, "seat": 1}, True, id="§6.3 ten quiet rounds later on"),
            pytest.param({"round": 25, "last_attack_round": 16, "seat": 1}, False, id="§6.3 an attack in time"),
        ],
    )
    def test_a_match_ends_with_a_round(self, fields: dict[str, Any], is_over: bool) -> None:
        step = GAME.apply(position("R2 R2 G2", **fields), fields["seat"], EndTurn())
        assert GAME.result(step.state) == (Result((1, 2), "cap") if is_over else None)
        assert (step.events[-1].public == Ended((1, 2), "cap")) is is_over

    def test_the_last_round_is_an_option(self) -> None:
        state = position("R2 R2 G2", round=3, last_attack_round=3, seat=1, options=Options(max_rounds=3))
        assert GAME.result(GAME.apply(state, 1, EndTurn()).state) == Result((1, 2), "cap")


class TestMajority:
    """§6.6"""

    @pytest.mark.parametrize(
        ("picture", "percent", "ranks"),
        [
            pytest.param("R2 R2 R2 G2 Y2", 60, (1, 2, 2), id="§6.6 exactly the share"),
            pytest.param("R2 R2 R2 G2 Y2", 61, None, id="§6.6 less than the share"),
            pytest.param("R1 G2 G2 G2 Y2", 60, (2, 1, 2), id="§6.6 whoever holds it"),
            pytest.param("R2 R2 R2 R2 G2", 100, None, id="§6.6 all of them is conquest"),
        ],
    )
    def test_a_share_of_the_nodes_wins_at_the_end_of_a_turn(
        self, picture: str, percent: int, ranks: tuple[int, ...] | None
    ) -> None:
        state = position(picture, options=Options(victory="majority", majority_percent=percent))
        step = GAME.apply(state, 0, EndTurn())
        assert GAME.result(step.state) == (ranks and Result(ranks, "victory"))
        assert (step.events[-1].public == Ended(ranks or (), "victory")) is bool(ranks)

    def test_not_before_the_turn_is_over(self) -> None:
        """§6.6"""
        state = position("R5 G0\nR5 G9", options=Options(victory="majority"), rng=coins("aaaa"))
        state = GAME.apply(state, 0, Attack(0, 1)).state
        assert (shown(state.table), GAME.result(state)) == ("R1 R4 R5 G9", None)
        assert GAME.result(GAME.apply(state, 0, EndTurn()).state) == Result((1, 2), "victory")

    def test_nodes_of_who_left_win_nothing(self) -> None:
        """§6.6"""
        state = position("R2 G2 G2 G2 Y2", out=(1,), options=Options(victory="majority"))
        assert GAME.result(GAME.apply(state, 0, EndTurn()).state) is None

    def test_conquest_wins_as_well(self) -> None:
        """§6.1, §6.6"""
        state = position("R3 G0", rng=coins("aa"), options=Options(victory="majority"))
        assert GAME.result(GAME.apply(state, 0, Attack(0, 1)).state) == Result((1, 2), "victory")


class TestRounds:
    """§6.7"""

    @pytest.mark.parametrize(
        ("fields", "reason"),
        [
            pytest.param({"round": 30, "seat": 1}, "victory", id="§6.7 the last round is over"),
            pytest.param({"round": 30, "seat": 0}, None, id="§6.7 the last round goes on"),
            pytest.param({"round": 29, "seat": 1}, None, id="§6.7 not the last round"),
        ],
    )
    def test_most_nodes_win_after_the_last_round(self, fields: dict[str, int], reason: str | None) -> None:
        options = Options(victory="rounds")
        state = position("R2 R2 G2", last_attack_round=29, options=options, **fields)
        result = GAME.result(GAME.apply(state, fields["seat"], EndTurn()).state)
        assert result == (reason and Result((1, 2), reason))

    def test_a_cap_that_comes_before_is_a_cap(self) -> None:
        """§6.2, §6.7"""
        options = Options(victory="rounds", victory_rounds=8, max_rounds=7)
        state = position("R2 R2 G2", round=7, seat=1, last_attack_round=6, options=options)
        assert GAME.result(GAME.apply(state, 1, EndTurn()).state) == Result((1, 2), "cap")


class TestRanking:
    """§6.4"""

    @pytest.mark.parametrize(
        ("picture", "out", "ranks"),
        [
            pytest.param("R1 G1 G1 Y9", (), (3, 1, 2), id="§6.4 nodes first, then strength"),
            pytest.param("R2 G2 Y1", (), (1, 1, 3), id="§6.4 equals share the rank"),
            pytest.param("R1 B1 B1 P1", (2, 1), (2, 4, 5, 1, 2), id="§6.4 who left later ranks higher"),
            pytest.param("R1 G9 G9 Y1 Y1", (1,), (2, 3, 1), id="§6.4 nodes of who left do not count"),
        ],
    )
    def test_a_capped_match_is_ranked(self, picture: str, out: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        assert GAME.result(position(picture, out=out, ended="cap")) == Result(ranks, "cap")


class TestLeaving:
    """Section 7."""

    def test_the_nodes_stay_and_take_no_turn(self) -> None:
        """§7.1"""
        state = GAME.remove(position("R2 G7 Y2"), 1).state
        assert (state.table.out, shown(state.table)) == ((1,), "R2 G7 Y2")
        assert GAME.apply(state, 0, EndTurn()).state.table.seat == 2

    def test_the_turn_of_who_leaves_ends_without_reinforcements(self) -> None:
        """§7.1"""
        step = GAME.remove(position("R2 G7 Y2"), 0)
        assert [event.public for event in step.events] == [
            Eliminated(0, by=None),
            TurnEnded(0, turn=1, reason="resigned"),
            TurnBegan(1, turn=2, round=1),
        ]
        assert shown(step.state.table) == "R2 G7 Y2"

    def test_the_turn_of_another_goes_on(self) -> None:
        """§7.1"""
        step = GAME.remove(position("R2 G7 Y2"), 2)
        assert [event.public for event in step.events] == [Eliminated(2, by=None)]
        assert GAME.to_act(step.state) == {0}

    def test_the_nodes_can_be_conquered_and_nobody_is_beaten_twice(self) -> None:
        """§7.1"""
        step = GAME.apply(position("R5 G0 Y2", out=(1,), rng=coins("aaaa")), 0, Attack(0, 1))
        assert shown(step.state.table) == "R1 R4 Y2"
        assert step.state.table.out == (1,)
        assert not any(isinstance(event.public, Eliminated) for event in step.events)

    def test_the_last_in_play_wins(self) -> None:
        """§7.2"""
        step = GAME.remove(position("R2 G7 Y2", out=(1,)), 0)
        assert GAME.result(step.state) == Result((2, 3, 1), "victory")
        assert step.events[-1].public == Ended((2, 3, 1), "victory")

    @pytest.mark.parametrize(
        "fields", [pytest.param({"out": (1,)}, id="already out"), pytest.param({"ended": "cap"}, id="match is over")]
    )
    def test_leaving_twice_or_late_changes_nothing(self, fields: dict[str, Any]) -> None:
        state = position("R2 G7 Y2", **fields)
        step = GAME.remove(state, 1)
        assert (step.state, step.events) == (state, ())
