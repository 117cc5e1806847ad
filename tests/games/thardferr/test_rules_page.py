"""The rules page, the code and the tests cite the same sections, codes, options, events and figures."""

import re

from rules_page import RulesPage

from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Kingdom, Record
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS
from warroom_games.thardferr.views import Forecast, Secret, Standing, Table


class TestThePage(RulesPage):
    game = GAME
    views = (Table, Standing, Secret, Kingdom, Forecast, Record)

    def test_every_field_of_a_blow_is_on_the_page(self) -> None:
        fields = ("side", "unit", "count", "raw", "mitigation", "reduction", "damage")
        assert ", ".join(f"`{name}`" for name in fields) in self.page

    def test_every_unit_is_on_the_page_with_its_figures(self) -> None:
        for unit in (unit for race in RACES for unit in UNITS[race].values()):
            row = rf"\| {unit.race} \| {unit.name} \| {unit.melee} / {unit.short} / {unit.range} \| {unit.defence} \|"
            assert re.search(rf"{row}.*\| {unit.gold} / {unit.iron} / {unit.wood} \|", self.page)

    def test_every_building_is_on_the_page_with_its_figures(self) -> None:
        for kind, building in BUILDINGS.items():
            figures = f"| `{kind}` | {building.name} | {building.gold} | {building.iron} | {building.wood} |"
            assert f"{figures} {building.effect} (" in self.page

    def test_every_technology_is_on_the_page_with_its_figures(self) -> None:
        for each in TECHNOLOGIES.values():
            figures = f"| {each.name} | {each.max_level} | {each.gold} | {each.days} | {each.after or '-'} |"
            assert f"{figures} {each.race or '-'} | {each.effect} |" in self.page
