"""The end: docs/rules/thardferr.md, section 17."""

from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event, Result
from warroom_games.thardferr.actions import Attack, EndTurn
from warroom_games.thardferr.events import Ended, Resigned, TurnBegan, TurnEnded
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME

KNIGHTS = {"Knight": 300}
STRONG = kingdom(army=KNIGHTS)
WEAK = kingdom(land=6, buildings={"castle": 3})


class TestVictory:
    """§17.1"""

    def test_the_last_player_in_play_wins(self) -> None:
        state = played(match(STRONG, WEAK), Attack(1, KNIGHTS))
        assert GAME.to_act(state) == frozenset()
        assert GAME.result(state) == Result((1, 2), "victory")
        assert told(match(STRONG, WEAK), Attack(1, KNIGHTS))[-1] == Event(Ended((1, 2), "victory"))

    def test_until_then_there_is_no_result(self) -> None:
        assert GAME.result(match()) is None


class TestCap:
    """§17.2"""

    def test_the_match_ends_with_the_last_round(self) -> None:
        options = Options(max_turns=3)
        state = match(kingdom(), STRONG, options=options, round=3)
        state = played(state, EndTurn())
        assert GAME.result(state) is None
        state = played(state, EndTurn(), seat=1)
        assert GAME.result(state) == Result((2, 1), "cap")

    def test_before_it_another_round_follows(self) -> None:
        state = match(kingdom(), STRONG, options=Options(max_turns=3), round=2, seat=1)
        assert played(state, EndTurn(), seat=1).round == 3


class TestRanking:
    """§17.3"""

    def test_strength_ranks_and_those_who_are_out_come_last(self) -> None:
        state = match(kingdom(), STRONG, kingdom(), WEAK, STRONG, kingdom(), out=(4, 3), round=40, seat=5)
        assert GAME.result(played(state, EndTurn(), seat=5)) == Result((2, 1, 2, 5, 6, 2), "cap")


class TestAfterwards:
    """§17.4"""

    def test_nobody_may_act(self) -> None:
        over = played(match(STRONG, WEAK), Attack(1, KNIGHTS))
        assert refused(over, EndTurn()) == ("match.over", "the match is over")
        assert GAME.legal_actions(over, 0) == []


class TestLeaving:
    """§17.5"""

    def test_the_kingdom_stands_and_takes_no_turn(self) -> None:
        step = GAME.remove(match(kingdom(), kingdom(), kingdom()), 1)
        assert step.events == (Event(Resigned(1)),)
        assert played(step.state, EndTurn()).seat == 2
        assert Attack(1, {"Archer": 10, "Infantry": 10, "Pikeman": 10}) in GAME.legal_actions(step.state, 0)

    def test_whose_turn_it_is_ends_it_by_leaving(self) -> None:
        step = GAME.remove(match(kingdom(), kingdom(), kingdom()), 0)
        assert [event.public for event in step.events][:3] == [
            Resigned(0),
            TurnEnded(0, 1, "resigned"),
            TurnBegan(1, 2, 1),
        ]

    def test_the_last_one_there_wins(self) -> None:
        step = GAME.remove(match(), 0)
        assert GAME.result(step.state) == Result((2, 1), "victory")

    def test_leaving_twice_or_after_the_end_changes_nothing(self) -> None:
        state = GAME.remove(match(kingdom(), kingdom(), kingdom()), 1).state
        assert GAME.remove(state, 1).state is state
        over = GAME.remove(match(), 0).state
        assert GAME.remove(over, 1).state is over
