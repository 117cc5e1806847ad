"""Effective stats: docs/rules/thardferr.md, sections 2.3, 3.1 and 6.3."""

import pytest
from thardferr_positions import force

from warroom_games.thardferr.forces import muster
from warroom_games.thardferr.rulesets import RULESETS, RulesetName
from warroom_games.thardferr.stats import Stats, effective_stats


def stats_of(
    race: str,
    unit: str,
    strategy: str | None = None,
    techs: dict[str, int] | None = None,
    ruleset: RulesetName = "document",
) -> Stats:
    rules = RULESETS[ruleset]
    side = muster(force(race, strategy, techs=techs or {}, **{unit: 1}), rules)
    ((changed, _),) = effective_stats(side, rules)
    return changed


class TestTechnologies:
    """§3.1, §6.3"""

    @pytest.mark.parametrize(
        ("race", "unit", "techs", "expected"),
        [
            pytest.param("human", "Knight", {}, Stats(0, 1, 8, 11), id="§6.3 base"),
            pytest.param("human", "Knight", {"Sharper Blades": 3}, Stats(0, 1, 11, 11), id="§6.3 blades"),
            pytest.param("human", "Archer", {"Sharper Blades": 3}, Stats(2, 0, 0, 3), id="§6.3 no blade"),
            pytest.param("human", "Archer", {"Tougher Light Armor": 4}, Stats(2, 0, 0, 7), id="§6.3 light armour"),
            pytest.param("human", "Knight", {"Tougher Light Armor": 4}, Stats(0, 1, 8, 11), id="§6.3 not light"),
            pytest.param("human", "Knight", {"Tougher Heavy Armor": 2}, Stats(0, 1, 8, 13), id="§6.3 heavy armour"),
            pytest.param("elf", "Mage", {"Tougher Heavy Armor": 2}, Stats(7, 0, 3, 2), id="§6.3 no armour"),
            pytest.param("elf", "EliteArcher", {"Improve Bow Range": 1}, Stats(7.5, 0, 0, 3), id="§6.3 bows"),
            pytest.param("elf", "EliteArcher", {"Improve Bow Range": 2}, Stats(10, 0, 0, 3), id="§6.3 above the top"),
            pytest.param("orc", "AxeThrower", {"Improve Bow Range": 1}, Stats(3, 0, 3, 2), id="§6.3 no bow"),
            pytest.param("human", "Knight", {"Transport": 1}, Stats(0, 1, 8, 11), id="§3.3 others do nothing"),
        ],
    )
    def test_a_technology_changes_the_units_it_is_for(
        self, race: str, unit: str, techs: dict[str, int], expected: Stats
    ) -> None:
        assert stats_of(race, unit, techs=techs) == expected


class TestStrategies:
    """§2.3, §6.3"""

    @pytest.mark.parametrize(
        ("race", "unit", "strategy", "expected"),
        [
            pytest.param("human", "Knight", "Human Charging!", Stats(0, 1, 12, 11), id="§6.3 charging Knights"),
            pytest.param("human", "Infantry", "Human Charging!", Stats(0, 0, 3, 5), id="§6.3 others do not charge"),
            pytest.param("human", "Knight", "Anti-Cavalry", Stats(0, 0.9, 7.2, 11), id="§6.3 anti-cavalry"),
            pytest.param("human", "Pikeman", "Anti-Cavalry", Stats(0, 0, 4, 3), id="§6.3 pikemen keep all"),
            pytest.param("human", "Infantry", "Archer Protection", Stats(0, 0, 1.5, 5), id="§6.3 infantry protects"),
            pytest.param("human", "Archer", "Archer Protection", Stats(2, 0, 0, 3), id="§6.3 archers shoot on"),
            pytest.param("dwarf", "Runner", "Dwarf Shield Line", Stats(0, 1.8, 5.4, 3), id="§6.3 shield line"),
            pytest.param("dwarf", "Shieldbearer", "Dwarf Shield Line", Stats(0, 0, 0, 10), id="§6.3 shieldbearers"),
            pytest.param("orc", "ShadowWarrior", "Orc Surrounding", Stats(0, 8, 0, 3), id="§6.3 surrounding"),
            pytest.param("orc", "Rusher", "Orc Surrounding", Stats(0, 0, 4, 3), id="§6.3 others do not surround"),
            pytest.param("elf", "Mage", "Elf Energy Gathering", Stats(11, 0, 6, 2), id="§6.3 gathering"),
            pytest.param("elf", "Archer", "Elf Energy Gathering", Stats(3, 0, 0, 2), id="§6.3 only mages gather"),
            pytest.param("dwarf", "Runner", "Quick Retreat", Stats(0, 1, 3, 3), id="§6.3 quick retreat"),
            pytest.param("orc", "WolfMaster", "Orc Berserker", Stats(4, 3, 9, 1.5), id="§6.3 berserker"),
            pytest.param("human", "Infantry", "Infantry Attack", Stats(0, 0, 3, 1.25), id="§6.3 infantry attack"),
            pytest.param("human", "Knight", "Infantry Attack", Stats(0, 1, 8, 11), id="§6.3 others keep theirs"),
            pytest.param("gnome", "Catapult", "Gnome Far Fighting", Stats(15, 0, 0, 25), id="§6.3 far is not here"),
            pytest.param("undead", "SkeletalLegion", "Skeleton Swarm", Stats(0, 0, 1, 1), id="§6.3 nor swarm"),
        ],
    )
    def test_a_strategy_changes_the_stats_of_its_user(
        self, race: str, unit: str, strategy: str, expected: Stats
    ) -> None:
        changed = stats_of(race, unit, strategy)
        assert changed.melee == pytest.approx(expected.melee)
        assert (changed.range, changed.short, changed.defence) == (expected.range, expected.short, expected.defence)

    def test_a_strategy_works_on_what_technologies_made(self) -> None:
        techs = {"Sharper Blades": 2, "Tougher Heavy Armor": 1}
        assert stats_of("human", "Knight", "Human Charging!", techs) == Stats(0, 1, 15, 12)

    def test_the_calculator_leaves_the_stats_of_a_quick_retreat_and_of_berserkers_alone(self) -> None:
        assert stats_of("dwarf", "Runner", "Quick Retreat", ruleset="calculator") == Stats(0, 2, 6, 3)  # §7.1
        assert stats_of("orc", "Rusher", "Orc Berserker", ruleset="calculator") == Stats(0, 0, 4, 3)  # §7.6
