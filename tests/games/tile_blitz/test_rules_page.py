"""The rules page, the code and the tests cite the same sections, codes, options and events."""

import re

import msgspec
from rules_page import RulesPage

from warroom_games.codec import decode_action
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Card, Player, Table, Tile


class TestThePage(RulesPage):
    game = GAME
    views = (Table, Tile, Player, Card)

    def test_every_action_on_the_page_is_one(self) -> None:
        shown = re.findall(r'^\| `(\{"type".*\})` \|', self.page, re.MULTILINE)
        actions = [decode_action(GAME, msgspec.msgpack.encode(msgspec.json.decode(text))) for text in shown]
        assert {type(action) for action in actions} == set(GAME.action_type.__args__)
