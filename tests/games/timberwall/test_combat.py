"""docs/rules/timberwall.md, section 6: fights, and hits on bases."""

from fractions import Fraction
from typing import Any

import pytest
from scripted_rng import Chance, outcomes
from timberwall_positions import Place, act, after, points, position, refused, told, unit, units

from warroom_games.timberwall.actions import Attack, Pass
from warroom_games.timberwall.combat import Fight, fight
from warroom_games.timberwall.events import Attacked, BaseHit
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Unit


class TestReach:
    """§6.1"""

    @pytest.mark.parametrize(
        ("green", "red", "neutral", "action", "code"),
        [
            pytest.param({}, {}, [], Attack(4, 4, "e"), "attack.none", id="§6.1 nobody is there"),
            pytest.param({(5, 4): 1}, {}, [], Attack(4, 4, "e"), "attack.own", id="§6.1 a friend"),
            pytest.param({(2, 1): 1}, {}, [], Attack(2, 1, "w"), "attack.own", id="§6.1 the own base"),
            pytest.param({}, {(5, 4): 1}, [(4, 4, "east")], Attack(4, 4, "e"), "step.walled", id="§6.1 a wall"),
            pytest.param({}, {(5, 5): 1, (5, 4): 1}, [], Attack(4, 4, "se"), "step.corner", id="§6.1 a corner"),
            pytest.param({(7, 7): 1}, {}, [(7, 8, "east")], Attack(7, 7, "se"), "step.corner", id="§6.1 a walled base"),
        ],
    )
    def test_an_attack_that_is_not_allowed_is_refused(
        self,
        green: dict[tuple[int, int], int],
        red: dict[tuple[int, int], int],
        neutral: list[Place],
        action: Attack,
        code: str,
    ) -> None:
        state = position({(4, 4): 1, **green}, red, neutral=neutral)
        assert refused(state, action)[0] == code
        assert action not in GAME.legal_actions(state, 0)

    def test_a_base_is_reached_from_all_around(self) -> None:
        around: Any = {(7, 7): "se", (8, 7): "s", (9, 7): "sw", (9, 8): "w", (9, 9): "nw", (8, 9): "n", (7, 9): "ne"}
        for (x, y), direction in around.items():
            hit = after(position({(x, y): 30}), Attack(x, y, direction))
            assert hit.table.bases[1].hp == 70


class TestFight:
    """§6.2, §6.3, §6.4, §6.5"""

    @pytest.mark.parametrize(
        ("sides", "bonus", "rolls", "expected"),
        [
            pytest.param((10, 4), 0, [50], (0, None, 6, 0), id="§6.4 the difference moves in"),
            pytest.param((10, 4), 2, [50], (0, None, 4, 0), id="§6.2 shield and support count"),
            pytest.param((4, 10), 0, [50], (0, None, 0, 6), id="§6.4 the defender keeps the difference"),
            pytest.param((1, 10), 2, [50], (0, None, 0, 10), id="§6.4 never more than it had: the defender"),
            pytest.param((25, 1), 0, [0], (4, None, 25, 0), id="§6.4 never more than it had: the attacker"),
            pytest.param((5, 6), 0, [19], (2, None, 1, 0), id="§6.3 a roll of 19 is lucky"),
            pytest.param((5, 6), 0, [20], (0, None, 0, 1), id="§6.3 a roll of 20 is not"),
            pytest.param((5, 4), 0, [79], (0, None, 1, 0), id="§6.3 a roll of 79 is not unlucky"),
            pytest.param((5, 4), 0, [80], (-2, None, 0, 1), id="§6.3 a roll of 80 is"),
            pytest.param((1, 1), 0, [99], (-1, None, 0, 1), id="§6.2 never less than 0"),
            pytest.param((125, 120), 0, [99], (-8, None, 0, 3), id="§6.3 luck by the attacker's tier"),
            pytest.param((7, 7), 0, [50, 0], (0, 0, 0, 0), id="§6.5 both gone"),
            pytest.param((7, 7), 0, [50, 1], (0, 1, 0, 0), id="§6.5 both gone as well"),
            pytest.param((7, 7), 0, [50, 2], (0, 2, 5, 0), id="§6.5 the attacker survives at level 1"),
            pytest.param((7, 7), 0, [50, 3], (0, 3, 0, 5), id="§6.5 the defender survives at level 1"),
            pytest.param((24, 20), 2, [80, 3], (-2, 3, 0, 5), id="§6.5 a tie by luck and bonus"),
            pytest.param((26, 30), 0, [5, 2], (4, 2, 25, 0), id="§6.5 a lucky tie"),
        ],
    )
    def test_points_luck_and_bonuses_decide(
        self, sides: tuple[int, int], bonus: int, rolls: list[int], expected: tuple[int, int | None, int, int]
    ) -> None:
        script: Any = Chance(tuple(rolls))
        fought, left = fight(*sides, bonus, script)
        assert fought == Fight(rolls[0], *expected)
        assert getattr(left, "script", None) == ()

    def test_the_odds_are_exactly_those_of_the_document(self) -> None:
        """§6.3, §6.5"""

        def fought(chance: Any) -> Fight:
            return fight(5, 5, 0, chance)[0]

        ways = list(outcomes(fought))
        lucky = sum(share for share, way in ways if way.luck > 0)
        unlucky = sum(share for share, way in ways if way.luck < 0)
        both_gone = sum(share for share, way in ways if not way.attacker_left and not way.defender_left)
        assert (lucky, unlucky) == (Fraction(1, 5), Fraction(1, 5))
        assert both_gone == Fraction(3, 5) / 2

    @pytest.mark.parametrize(
        ("rolls", "green", "red"),
        [
            pytest.param([50, 2], {(5, 4): 5}, {}, id="§6.5 the attacker moves in"),
            pytest.param([50, 3], {}, {(5, 4): 5}, id="§6.5 the defender stays"),
            pytest.param([50, 0], {}, {}, id="§6.5 nobody is left"),
        ],
    )
    def test_a_tie_on_the_board(
        self, rolls: list[int], green: dict[tuple[int, int], int], red: dict[tuple[int, int], int]
    ) -> None:
        state = after(position({(4, 4): 7}, {(5, 4): 7}, rolls=rolls), Attack(4, 4, "e"))
        assert (points(state, 0), points(state, 1)) == (green, red)

    def test_the_event_tells_roll_luck_bonuses_and_outcome(self) -> None:
        state = position({(4, 4): 20}, {(5, 4): unit(10, still=3), (6, 5): 5}, rolls=[7])
        step = act(state, Attack(4, 4, "e"))
        assert step.events[0].public == Attacked(
            seat=0,
            source=(4, 4),
            target=(5, 4),
            attacker=20,
            defender=10,
            roll=7,
            luck=2,
            shield=1,
            support=1,
            draw=None,
            attacker_left=10,
            defender_left=0,
        )
        assert points(step.state, 0) == {(5, 4): 10}

    def test_a_surviving_defender_keeps_its_counters(self) -> None:
        """§6.4"""
        state = position({(8, 0): 1}, {(9, 0): unit(10, still=3, forest=3)}, rolls=[50])
        assert units(after(state, Attack(8, 0, "e")), 1) == {(9, 0): Unit(9, 0, 10, still=3, forest=3)}

    def test_an_attacker_in_a_forest_begins_to_count(self) -> None:
        """§6.4, §8.1"""
        state = position({(8, 0): 10}, {(9, 0): 1}, rolls=[50])
        assert units(after(state, Attack(8, 0, "e")), 0) == {(9, 0): Unit(9, 0, 9, still=1, forest=1)}


class TestBase:
    """§6.6"""

    def test_a_hit_takes_the_points_and_the_unit_stays(self) -> None:
        step = act(position({(7, 7): 30}, rolls=[]), Attack(7, 7, "se"))
        assert step.events[0].public == BaseHit(seat=0, source=(7, 7), damage=30, hp=70, is_spent=False)
        assert points(step.state, 0) == {(7, 7): 30}

    def test_there_is_no_luck_against_a_base(self) -> None:
        """§6.3"""
        assert after(position({(7, 7): 30}, rolls=[]), Attack(7, 7, "se")).table.bases[1].hp == 70

    def test_the_room_may_choose_that_the_unit_is_spent(self) -> None:
        state = position({(7, 7): 30, (5, 5): 1}, base_hit_spends_unit=True)
        step = act(state, Attack(7, 7, "se"))
        assert points(step.state, 0) == {(5, 5): 1}
        assert step.events[0].public == BaseHit(seat=0, source=(7, 7), damage=30, hp=70, is_spent=True)

    def test_red_hits_the_green_base(self) -> None:
        state = after(position({(5, 5): 1}, {(2, 2): 40}), Pass(), Attack(2, 2, "nw"))
        assert [base.hp for base in state.table.bases] == [60, 100]
        assert told(act(position({}, {(2, 2): 40}, seat=1), Attack(2, 2, "nw")).events)[0] == BaseHit(
            1, (2, 2), 40, 60, False
        )
