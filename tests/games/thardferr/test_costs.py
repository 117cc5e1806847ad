"""Costs and strength: docs/rules/thardferr.md, section 5."""

import pytest

from warroom_games.thardferr.costs import Efficiency, army_tegc, efficiency, initial_gold, tegc
from warroom_games.thardferr.strength import kingdom_strength
from warroom_games.thardferr.units import UNITS

KNIGHT = UNITS["human"]["Knight"]
SKELETON = UNITS["undead"]["SkeletalLegion"]


class TestCosts:
    """§5.2, §5.3"""

    def test_iron_and_wood_count_as_they_are(self) -> None:
        assert initial_gold(KNIGHT) == 1080 + 14

    def test_upkeep_of_two_days_is_added_with_food_at_its_price(self) -> None:
        assert tegc(KNIGHT) == 1094 + 2 * 18 + 2 * 5 * 60

    def test_half_gold_of_upkeep_is_not_lost(self) -> None:
        assert tegc(SKELETON) == 81 + 3

    def test_an_army_costs_what_its_units_cost(self) -> None:
        assert army_tegc([KNIGHT, SKELETON], [2, 3]) == 2 * 1730 + 3 * 84


class TestEfficiency:
    """§5.4"""

    def test_gold_per_point_is_none_where_there_is_no_point(self) -> None:
        assert efficiency(KNIGHT) == Efficiency(melee=1730 / 8, defence=1730 / 11, range=None)


class TestStrength:
    """§5.5"""

    @pytest.mark.parametrize(
        ("counts", "strength"),
        [
            pytest.param((0, 0, 0, 0), 0, id="§5.5 nothing"),
            pytest.param((1, 0, 0, 0), 3, id="§5.5 halves go up"),
            pytest.param((2, 0, 0, 0), 5, id="§5.5 units"),
            pytest.param((30, 130, 1, 2), 75 + 390 + 1500 + 2000, id="§5.5 all of it"),
        ],
    )
    def test_everything_adds_up(self, counts: tuple[int, int, int, int], strength: int) -> None:
        units, buildings, castles, levels = counts
        assert kingdom_strength(units=units, buildings=buildings, castles=castles, levels=levels) == strength
