"""What the bots of Timberwall derive from their views."""

from typing import Any

import pytest
from timberwall_bots import situation
from timberwall_positions import position, unit

from warroom_bots.games.timberwall.situation import CROWD, MENACE, advance, field
from warroom_games.timberwall.actions import HitWall, Move
from warroom_games.timberwall.state import Unit

STRONG, WEAK = Unit(0, 0, 25), Unit(0, 0, 1)


def tile(x: int, y: int) -> int:
    return 10 * y + x


class TestField:
    @pytest.mark.parametrize(
        ("spot", "fields", "turns"),
        [
            pytest.param((4, 4), {}, 4, id="a straight line"),
            pytest.param((2, 2), {"neutral": [(3, 2, "east")]}, 6, id="around a neutral wall"),
            pytest.param((8, 0), {"neutral": [(7, 0, "east"), (8, 0, "south"), (8, 0, "east")]}, 2, id="through it"),
        ],
    )
    def test_it_counts_turns_to_the_goal(self, spot: tuple[int, int], fields: dict[str, Any], turns: int) -> None:
        ground = situation(position(**fields)).ground
        goal = tile(8, 4) if spot != (8, 0) else tile(7, 0)
        assert field(ground, [goal], STRONG)[tile(*spot)] == turns

    def test_a_built_wall_takes_as_many_turns_as_hits(self) -> None:
        cage: Any = {(8, 0, "east"): (1, 100), (8, 0, "south"): (1, 100), (7, 0, "east"): (1, 100)}
        ground = situation(position({(5, 1): 1, (9, 2): 1, (6, 1): 1}, walls=cage)).ground
        assert field(ground, [tile(8, 0)], WEAK)[tile(7, 0)] == 4
        assert field(ground, [tile(8, 0)], STRONG)[tile(7, 0)] == 2

    def test_units_in_the_way_cost_more_the_stronger_they_are(self) -> None:
        walls: Any = [(x, 0, "south") for x in range(10)]
        friend = situation(position({(5, 0): 1, (3, 0): 1}, neutral=walls)).ground
        foe = situation(position({(3, 0): 1}, {(5, 0): 7}, neutral=walls)).ground
        assert field(friend, [tile(6, 0)], STRONG)[tile(4, 0)] == 2 + CROWD
        assert field(foe, [tile(6, 0)], STRONG)[tile(4, 0)] == 2 + CROWD
        assert 2 + CROWD < field(foe, [tile(6, 0)], WEAK)[tile(4, 0)] <= 2 + MENACE

    def test_no_unit_walks_over_a_base(self) -> None:
        ground = situation(position({(1, 0): 1})).ground
        assert field(ground, [tile(1, 2)], WEAK)[tile(1, 0)] == 2
        assert field(ground, [ground.goal], WEAK)[tile(7, 7)] == 1


class TestAdvance:
    def test_a_unit_takes_the_step_that_brings_it_nearest(self) -> None:
        assert advance(situation(position({(4, 4): 1})), tile(4, 4), [tile(7, 7)]) == (3, Move(4, 4, "se"))

    def test_it_hits_the_wall_that_keeps_it_away(self) -> None:
        cage: Any = [(8, 0, "east"), (8, 0, "south"), (7, 0, "east")]
        found = advance(situation(position({(7, 0): 5}, neutral=cage)), tile(7, 0), [tile(8, 0)])
        assert found == (2, HitWall(7, 0, "e"))

    def test_a_unit_that_cannot_move_does_not_advance(self) -> None:
        crowd = {(0, 0): 1, (1, 0): 1, (0, 1): 1}
        assert advance(situation(position(crowd)), tile(0, 0), [tile(5, 5)]) is None

    def test_it_does_not_turn_its_back_on_the_goal(self) -> None:
        jam: Any = {(9, 9): 1, (8, 9): unit(25), (9, 8): unit(25)}
        assert advance(situation(position(jam)), tile(9, 9), [tile(0, 0)]) is None
