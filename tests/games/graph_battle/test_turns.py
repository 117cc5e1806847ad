"""docs/rules/graph_battle.md, sections 2 and 3: order, rounds and turns."""

from fractions import Fraction

import pytest
from graph_positions import KEY, coins, position, shown
from scripted_rng import Chance, outcomes

from warroom_games.api import Event, IllegalActionError
from warroom_games.graph_battle.actions import Attack, EndTurn
from warroom_games.graph_battle.events import Eliminated, OrderDrawn, Reinforced, TurnBegan, TurnEnded
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.reinforcement import Gain
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import State
from warroom_games.rng import Rng


def told(events: tuple[Event, ...]) -> list[object]:
    return [event.public for event in events]


class TestOrder:
    """Section 2."""

    def test_the_colours_come_in_their_order(self) -> None:
        """§2.1"""
        state = GAME.setup(5, Options(), Rng(KEY))
        assert state.table.colors == ("red", "green", "yellow", "blue", "purple")
        assert GAME.setup(3, Options(), Rng(KEY)).table.colors == ("red", "green", "yellow")

    @pytest.mark.parametrize(
        ("picture", "seat", "following"),
        [
            pytest.param("R2 G2 Y2", 0, (1, 1), id="§2.2 the next seat"),
            pytest.param("R2 Y2", 0, (2, 1), id="§2.2 who is out is skipped"),
            pytest.param("R2 G2 Y2", 2, (0, 2), id="§2.3 a new round after the last seat"),
            pytest.param("G2 B2", 3, (1, 2), id="§2.3 a new round skips who is out, too"),
        ],
    )
    def test_play_goes_round(self, picture: str, seat: int, following: tuple[int, int]) -> None:
        state = GAME.apply(position(picture, seat=seat, turn=7), seat, EndTurn()).state
        assert (state.table.seat, state.table.round) == following
        assert (GAME.turn(state), GAME.to_act(state)) == (8, frozenset(following[:1]))

    def test_a_player_without_nodes_is_out_at_once(self) -> None:
        """§2.4"""
        step = GAME.apply(position("R2 G0 Y9", rng=coins("a")), 0, Attack(0, 1))
        assert step.state.table.out == (1,)
        assert Eliminated(seat=1, by=0) in told(step.events)

    def test_a_player_with_another_node_is_not(self) -> None:
        """§2.4"""
        step = GAME.apply(position("R2 G0 G9", rng=coins("a")), 0, Attack(0, 1))
        assert step.state.table.out == ()


class TestRandomOrder:
    """§2.5"""

    OPTIONS = Options(order="random_each_round")

    def test_the_next_seat_is_that_of_the_round(self) -> None:
        """§2.5"""
        state = position("R2 G2 Y2", order=(2, 0, 1), options=self.OPTIONS)
        assert GAME.to_act(state) == {2}
        state = GAME.apply(state, 2, EndTurn()).state
        assert (state.table.seat, state.table.round, state.table.order) == (0, 1, (2, 0, 1))

    def test_each_round_has_an_order_of_its_own(self) -> None:
        """§2.5"""

        def following(chance: Chance) -> tuple[tuple[int, ...], int]:
            state = position("R2 G2 Y2", order=(2, 0, 1), seat=1, out=(0,), options=self.OPTIONS, rng=chance)
            step = GAME.apply(state, 1, EndTurn())
            table = step.state.table
            assert OrderDrawn(round=2, order=table.order) in told(step.events)
            assert told(step.events)[-1] == TurnBegan(table.order[0], turn=2, round=2)
            return table.order, table.seat

        half = Fraction(1, 2)
        assert {ways: share for share, ways in outcomes(following)} == {((1, 2), 1): half, ((2, 1), 2): half}

    def test_the_first_round_is_drawn_as_well(self) -> None:
        """§2.5"""
        tables = [GAME.setup(3, self.OPTIONS, Rng(KEY, 1000 * n)).table for n in range(60)]
        assert len({table.order for table in tables if table.round == 1}) == 6
        assert all(table.seat in table.order for table in tables)

    def test_a_fixed_order_is_not_told(self) -> None:
        """§2.2"""
        step = GAME.apply(position("R2 G2", seat=1), 1, EndTurn())
        assert not any(isinstance(event, OrderDrawn) for event in told(step.events))


class TestTurns:
    """Section 3."""

    @pytest.mark.parametrize("action", [Attack(1, 0), EndTurn()], ids=["attack", "end_turn"])
    def test_only_the_seat_whose_turn_it_is_may_act(self, action: Attack | EndTurn) -> None:
        """§3.1"""
        state = position("R2 G2", seat=0)
        with pytest.raises(IllegalActionError, match="red's turn") as refused:
            GAME.check(state, 1, action)
        assert refused.value.code == "turn.not_yours"
        assert list(GAME.legal_actions(state, 1)) == []

    def test_a_player_may_attack_again_and_again(self) -> None:
        """§3.2"""
        state = GAME.apply(position("R5 G0\nG0 G9", rng=coins("a")), 0, Attack(0, 1)).state
        assert (GAME.to_act(state), GAME.turn(state)) == (frozenset({0}), 1)
        assert list(GAME.legal_actions(state, 0)) == [Attack(1, 2), Attack(1, 3), EndTurn()]

    def test_the_player_may_decline_to_go_on(self) -> None:
        """§3.3, §3.5"""
        step = GAME.apply(position("R2 G2"), 0, EndTurn())
        assert told(step.events) == [
            TurnEnded(seat=0, turn=1, reason="declined"),
            Reinforced(seat=0, gains=(Gain(node=0, strength=1),)),
            TurnBegan(seat=1, turn=2, round=1),
        ]
        assert shown(step.state.table) == "R3 G2"

    @pytest.mark.parametrize(
        ("picture", "flips", "after"),
        [
            pytest.param("R2 G5", "d", "R2 G5", id="§3.4 too weak after a failure"),
            pytest.param("R2 G0 Y5", "a", "R1 R3 Y5", id="§3.4 the army stands, but is too weak"),
            pytest.param("R9 R2 G5", "d", "R9 R3 G5", id="§3.4 a strong node among own ones does not count"),
        ],
    )
    def test_a_turn_ends_by_itself_without_an_attacker(self, picture: str, flips: str, after: str) -> None:
        source = picture.split().index("R2")
        step = GAME.apply(position(picture, rng=coins(flips)), 0, Attack(source, source + 1))
        assert TurnEnded(seat=0, turn=1, reason="exhausted") in told(step.events)
        assert step.state.table.turn == 2
        assert shown(step.state.table).split()[:source] == after.split()[:source]

    def test_a_turn_that_begins_without_an_attacker_ends_at_once(self) -> None:
        """§3.4, §3.5"""
        step = GAME.apply(position("R2 G1 Y2"), 0, EndTurn())
        assert told(step.events)[-4:] == [
            TurnBegan(seat=1, turn=2, round=1),
            TurnEnded(seat=1, turn=2, reason="exhausted"),
            Reinforced(seat=1, gains=(Gain(node=1, strength=1),)),
            TurnBegan(seat=2, turn=3, round=1),
        ]
        assert shown(step.state.table) == "R3 G2 Y2"

    def test_the_clock_ends_the_turn(self) -> None:
        """§3.6"""
        assert GAME.default_action(position("R2 G2"), 0) == EndTurn()

    def test_the_opening_waits_for_somebody_who_can_attack(self) -> None:
        """§3.4"""
        states: list[State] = [GAME.setup(5, Options(), Rng(KEY, 1000 * n)) for n in range(60)]
        assert all(len(list(GAME.legal_actions(state, state.table.seat))) > 1 for state in states)
