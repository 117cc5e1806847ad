"""The rules page, the code and the tests cite the same sections, codes, options and events."""

from rules_page import RulesPage

from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import Table


class TestThePage(RulesPage):
    game = GAME
    views = (Table,)
