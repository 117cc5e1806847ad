"""The rules page, the code and the tests cite the same sections, codes, options, views and events."""

import re

from rules_page import RulesPage

from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Board, Cooling, Holding, Knowledge, Table, Unit, Wall
from warroom_games.timberwall.units import LEVELS, level, luck_of, tier, wall_damage


class TestThePage(RulesPage):
    """§13.1"""

    game = GAME
    views = (Table, Knowledge, Board, Holding, Unit, Wall, Cooling)

    def test_the_table_of_units_is_that_of_the_code(self) -> None:
        """§2.2"""
        row = r"^\| (\d) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d) \| (\d+) \|$"
        numbers = [tuple(map(int, found)) for found in re.findall(row, self.section("Units"), re.MULTILINE)]
        assert [points for found in numbers for points in found[1:5]] == list(LEVELS)
        for rank, *points, luck, damage in numbers:
            assert [(tier(each), level(each)) for each in points] == [(rank, step) for step in (1, 2, 3, 4)]
            assert (luck_of(points[0]), wall_damage(points[0])) == (luck, damage)
