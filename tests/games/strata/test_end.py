"""docs/rules/strata.md, sections 7 and 8: the end, dominion, the ranking, and leaving."""

import pytest
from strata_positions import at, position, shown

from warroom_games.api import IllegalActionError, Result
from warroom_games.rng import Rng
from warroom_games.strata.actions import Attack, EndTurn, TimeOut
from warroom_games.strata.board import Vertex
from warroom_games.strata.events import Eliminated, Ended, TurnEnded
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME

HERE, THERE, HOME = at(0, 1, 1), at(0, 1, 2), at(0, 0, 0)


class TestVictory:
    """§7.1, §7.5"""

    @pytest.mark.parametrize(
        ("stacks", "ranks"),
        [
            pytest.param({HERE: "A3*2", THERE: "B1*1"}, (1, 2), id="§7.1 the defender loses the last piece"),
            pytest.param({HERE: "A1*1", THERE: "B3*1"}, (2, 1), id="§7.1 the attacker loses the last piece"),
            pytest.param({HERE: "A1*2", THERE: "B1*1", HOME: "A1*0"}, (1, 2), id="§7.1 pieces without energy count"),
            pytest.param({HERE: "A2*2", THERE: "B2*1"}, None, id="§7.1 neither has a piece: play goes on"),
            pytest.param({HERE: "A3*2", THERE: "B1*1", HOME: "B1*0"}, None, id="§7.1 one piece is enough"),
        ],
    )
    def test_a_player_without_a_piece_loses(
        self, stacks: dict[Vertex, str], ranks: tuple[int, ...] | None
    ) -> None:  # fmt: skip
        state = position(stacks, pools="A0*0 B5*5", turn=3, placed=True, infused=True)
        step = GAME.apply(state, 0, Attack(HERE, THERE))
        assert GAME.result(step.state) == (ranks and Result(ranks, "victory"))
        if ranks:
            loser = ranks.index(2)
            told = [event.public for event in step.events][1:]
            assert told == [Eliminated(seat=loser, by=1 - loser), Ended(ranks, "victory")]

    def test_it_may_happen_in_the_second_players_first_turn(self) -> None:
        """§7.1"""
        state = position({at(4, 1, 1): "B1*2", at(4, 1, 2): "A1*1", HOME: "B2*1"}, seat=1, turn=2)
        assert GAME.result(GAME.apply(state, 1, Attack(at(4, 1, 1), at(4, 1, 2))).state) == Result((2, 1), "victory")

    def test_an_empty_board_is_no_loss_without_an_attack(self) -> None:
        """§7.1"""
        state = GAME.setup(2, Options(), Rng(bytes(16)))
        assert GAME.result(state) is None
        assert GAME.result(GAME.apply(state, 0, TimeOut()).state) is None

    def test_nobody_may_act_afterwards(self) -> None:
        """§7.5"""
        state = position({HERE: "A3*2"}, ended="victory")
        assert GAME.to_act(state) == frozenset()
        assert [list(GAME.legal_actions(state, seat)) for seat in (0, 1)] == [[], []]
        with pytest.raises(IllegalActionError, match="over") as refused:
            GAME.check(state, 0, TimeOut())
        assert refused.value.code == "match.over"


class TestCap:
    """§7.2"""

    @pytest.mark.parametrize(
        ("turn", "max_turns", "is_over"),
        [
            pytest.param(200, 200, True, id="§7.2 the last turn"),
            pytest.param(199, 200, False, id="§7.2 the turn before it"),
            pytest.param(3, 3, True, id="§7.2 an odd number of turns"),
        ],
    )
    def test_the_match_ends_after_its_turns(self, turn: int, max_turns: int, is_over: bool) -> None:
        state = position({HERE: "A1*1"}, moved=True, turn=turn, options=Options(max_turns=max_turns))
        step = GAME.apply(state, 0, EndTurn())
        assert GAME.result(step.state) == (Result((1, 2), "cap") if is_over else None)
        assert (step.events[-1].public == Ended((1, 2), "cap")) is is_over
        assert GAME.turn(step.state) == turn + (not is_over)

    def test_an_attack_in_the_last_turn_ends_it_as_well(self) -> None:
        """§7.2"""
        stacks = {HERE: "A3*2", THERE: "B1*1", at(4, 0, 0): "B1*1"}
        step = GAME.apply(position(stacks, turn=300), 0, Attack(HERE, THERE))
        assert GAME.result(step.state) == Result((1, 2), "cap")


class TestDominion:
    """§7.3"""

    @pytest.mark.parametrize(
        ("stacks", "gain"),
        [
            pytest.param({}, 0, id="§7.3 nothing for nothing"),
            pytest.param({HERE: "A1*1"}, 1, id="§7.3 a 3x3 layer"),
            pytest.param({at(4, 1, 1): "A1*1"}, 1, id="§7.3 the enemy's 3x3 layer"),
            pytest.param({at(1, 0, 0): "A2*4"}, 4, id="§7.3 a 5x5 layer"),
            pytest.param({at(3, 0, 0): "A2*4"}, 4, id="§7.3 the other 5x5 layer"),
            pytest.param({at(2, 0, 0): "A3*9"}, 9, id="§7.3 the 7x7 layer"),
            pytest.param({at(2, 0, 0): "A2*13", HOME: "A5*0"}, 0, id="§7.3 occupied vertices alone"),
            pytest.param({at(2, 0, 0): "B3*9", HERE: "B1*1", HOME: "A1*1"}, 1, id="§7.3 own vertices alone"),
            pytest.param({at(2, 0, 0): "A3*9", at(1, 0, 0): "A2*4", HERE: "A1*1", HOME: "A9*1"}, 15, id="§7.3 all"),
        ],
    )
    def test_occupied_vertices_count_at_the_end_of_an_own_turn(self, stacks: dict[Vertex, str], gain: int) -> None:
        state = position(stacks, moved=True, dominion=(5, 7))
        step = GAME.apply(state, 0, EndTurn())
        assert step.state.dominion == (5 + gain, 7)
        assert step.events[0].public == TurnEnded(seat=0, turn=1, reason="ended", gain=gain, dominion=5 + gain)

    def test_the_second_player_counts_for_itself(self) -> None:
        """§7.3"""
        state = position({HERE: "A1*1", at(2, 0, 0): "B3*9"}, seat=1, turn=2, dominion=(5, 7), moved=True)
        assert GAME.apply(state, 1, EndTurn()).state.dominion == (5, 16)

    def test_it_counts_after_an_attack_and_a_time_out(self) -> None:
        """§7.3"""
        stacks = {HERE: "A3*2", THERE: "B1*1", HOME: "B1*0"}
        assert GAME.apply(position(stacks), 0, Attack(HERE, THERE)).state.dominion == (1, 0)
        assert GAME.apply(position(stacks), 0, TimeOut()).state.dominion == (1, 0)

    def test_a_winning_attack_adds_nothing(self) -> None:
        """§7.3"""
        state = position({HERE: "A3*2", THERE: "B1*1"}, dominion=(5, 7))
        assert GAME.apply(state, 0, Attack(HERE, THERE)).state.dominion == (5, 7)


class TestRanking:
    """§7.4"""

    @pytest.mark.parametrize(
        ("stacks", "dominion", "ranks"),
        [
            pytest.param({HOME: "A9*1"}, (4, 5), (2, 1), id="§7.4 dominion first"),
            pytest.param({HOME: "B9*1"}, (5, 4), (1, 2), id="§7.4 for either seat"),
            pytest.param({HOME: "A2*0", HERE: "B1*9"}, (5, 5), (1, 2), id="§7.4 then pieces on the board"),
            pytest.param({HOME: "A1*2", HERE: "B1*3"}, (5, 5), (2, 1), id="§7.4 then force"),
            pytest.param(
                {at(1, 0, 0): "A2*3", HERE: "B2*1"}, (5, 5), (2, 1), id="§7.4 force that is exerted, not raw force"
            ),
            pytest.param(
                {HOME: "A1*2", at(0, 2, 2): "A1*1", HERE: "B2*1"}, (5, 5), (1, 2), id="§7.4 the sum of all forces"
            ),
            pytest.param({HOME: "A1*2", HERE: "B1*2"}, (5, 5), (1, 1), id="§7.4 else a draw"),
            pytest.param({}, (0, 0), (1, 1), id="§7.4 a draw on an empty board"),
        ],
    )
    def test_a_match_at_its_cap_is_ranked(
        self, stacks: dict[Vertex, str], dominion: tuple[int, int], ranks: tuple[int, int]
    ) -> None:
        assert GAME.result(position(stacks, dominion=dominion, ended="cap")) == Result(ranks, "cap")


class TestLeaving:
    """§8.1"""

    @pytest.mark.parametrize(("seat", "ranks"), [(0, (2, 1)), (1, (1, 2))])
    def test_the_other_player_wins(self, seat: int, ranks: tuple[int, int]) -> None:
        """§8.1"""
        state = position({HOME: "A9*1"}, dominion=(5, 7), pools="A1*1 B0*0")
        step = GAME.remove(state, seat)
        assert GAME.result(step.state) == Result(ranks, "victory")
        assert [event.public for event in step.events] == [Eliminated(seat=seat, by=None), Ended(ranks, "victory")]
        assert (shown(step.state), step.state.pools, step.state.out) == (shown(state), state.pools, (seat,))

    @pytest.mark.parametrize("seat", [0, 1])
    def test_leaving_twice_or_late_changes_nothing(self, seat: int) -> None:
        """§8.1"""
        for over in (GAME.remove(position({}), seat).state, position({HOME: "A1*1"}, ended="cap")):
            step = GAME.remove(over, seat)
            assert (step.state, step.events) == (over, ())
