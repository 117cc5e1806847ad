"""The rules page, the code and the tests cite the same sections, codes, options and events."""

from rules_page import RulesPage

from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State


class TestThePage(RulesPage):
    game = GAME
    views = (State,)
    refusals = r'"([a-z]+\.[a-z_]+)"'
