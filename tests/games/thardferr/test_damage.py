"""One side strikes the other: docs/rules/thardferr.md, sections 6.3 to 6.9 and 7."""

import pytest
from thardferr_positions import force, fought, stack

from warroom_games.thardferr.damage import caragous_bonus
from warroom_games.thardferr.forces import Force


def raw(attacker: Force, defender: Force, phase: str, unit: str, **options: str) -> float:
    """The damage allotted to one stack of the defender."""
    return stack(fought(attacker, defender, **options), phase, "defender", unit).raw


WALL = force("dwarf", Shieldbearer=1000)


class TestDamage:
    """§6.4"""

    def test_damage_is_the_sum_of_count_times_attack(self) -> None:
        attacker = force("human", Knight=3, Archer=5)
        assert [raw(attacker, WALL, phase, "Shieldbearer") for phase in ("range", "short", "melee")] == [10, 3, 24]

    @pytest.mark.parametrize(
        ("strategy", "of_defender", "ruleset", "expected"),
        [
            pytest.param("Quick Retreat", None, "document", 4, id="§6.4 half of half"),
            pytest.param(None, "Quick Retreat", "document", 16, id="§6.4 the enemy's retreat changes nothing"),
            pytest.param("Quick Retreat", None, "calculator", 8, id="§7.1 halved once"),
            pytest.param(None, "Quick Retreat", "calculator", 8, id="§7.1 and on both sides"),
            pytest.param("Quick Retreat", "Quick Retreat", "calculator", 8, id="§7.1 but not twice"),
            pytest.param("Orc Berserker", None, "document", 22, id="§6.3 berserkers"),
            pytest.param("Orc Berserker", None, "calculator", 16, id="§7.6 no berserkers"),
        ],
    )
    def test_strategies_scale_it(
        self, strategy: str | None, of_defender: str | None, ruleset: str, expected: float
    ) -> None:
        attacker, defender = force("human", strategy, Knight=2), force("dwarf", of_defender, Shieldbearer=1000)
        assert raw(attacker, defender, "melee", "Shieldbearer", ruleset=ruleset) == expected

    @pytest.mark.parametrize("strategies", [("Gnome Far Fighting", None), (None, "Gnome Far Fighting")])
    def test_far_fighting_of_either_side_doubles_range_alone(self, strategies: tuple[str | None, str | None]) -> None:
        attacker = force("gnome", strategies[0], Balista=2)
        defender = force("gnome", strategies[1], Rider=1000)
        assert raw(attacker, defender, "range", "Rider") == 40
        assert raw(attacker, defender, "melee", "Rider") == 10

    def test_far_fighting_of_both_sides_doubles_once(self) -> None:
        far = force("gnome", "Gnome Far Fighting", Balista=2)
        assert raw(far, far, "range", "Balista") == 40

    def test_fortification_counts_for_the_defender_alone(self) -> None:
        knights = force("human", Knight=2, techs={"Fortification": 1})
        report = fought(knights, knights)
        assert stack(report, "melee", "defender", "Knight").raw == pytest.approx(15.2)
        assert stack(report, "melee", "attacker", "Knight").raw == 16

    def test_surrounding_warriors_strike_in_short_alone(self) -> None:
        attacker = force("orc", "Orc Surrounding", ShadowWarrior=2)
        assert [raw(attacker, WALL, phase, "Shieldbearer") for phase in ("range", "short", "melee")] == [0, 16, 0]


class TestNumbers:
    """§6.3, by the numbers of a phase"""

    @pytest.mark.parametrize(
        ("caragous", "enemies", "bonus"),
        [
            pytest.param(10, 10, 10.0, id="§6.3 as many as the enemies"),
            pytest.param(30, 10, 10.0, id="§6.3 more than the enemies"),
            pytest.param(1, 3, 3.3, id="§6.3 in steps of a tenth"),
            pytest.param(1, 200, 0.0, id="§6.3 too few"),
            pytest.param(1, 0, 10.0, id="§6.3 no enemy at all"),
        ],
    )
    def test_caragous_gain_by_their_share_of_the_enemies(self, caragous: int, enemies: int, bonus: float) -> None:
        assert caragous_bonus(caragous, enemies) == bonus

    def test_the_bonus_of_caragous_counts_in_melee_and_for_their_defence(self) -> None:
        report = fought(force("elf", "Quick Retreat", Caragous=5), force("dwarf", Shieldbearer=10))
        assert stack(report, "melee", "defender", "Shieldbearer").raw == 12.5
        caragous = stack(report, "melee", "attacker", "Caragous")
        assert (caragous.defence, caragous.effects) == (6.0, ("Caragous: +5 defence",))

    def test_wolf_masters_help_rushers_and_slothers_in_full_each(self) -> None:
        attacker = force("orc", Rusher=4, Slother=8, WolfMaster=6)
        assert raw(attacker, WALL, "short", "Shieldbearer") == 12
        assert raw(force("orc", Rusher=4), WALL, "short", "Shieldbearer") == 0


class TestMitigation:
    """§6.5"""

    @pytest.mark.parametrize(
        ("phase", "side", "building", "count", "expected"),
        [
            pytest.param("range", "defender", "Guard Towers", 2, 80, id="§6.5 towers"),
            pytest.param("range", "defender", "Guard Towers", 9, 200, id="§6.5 at most 2 a unit"),
            pytest.param("range", "attacker", "Guard Towers", 9, 0, id="§6.5 the attacker's do nothing"),
            pytest.param("melee", "defender", "Medical Center", 2, 150, id="§6.5 centers"),
            pytest.param("melee", "defender", "Medical Center", 9, 200, id="§6.5 at most 2 a unit in melee"),
            pytest.param("melee", "attacker", "Medical Center", 1, 50, id="§6.5 the attacker's centers"),
            pytest.param("melee", "attacker", "Medical Center", 9, 100, id="§6.5 at most 1 a unit"),
            pytest.param("short", "defender", "Medical Center", 9, 0, id="§6.5 nothing in short"),
        ],
    )
    def test_buildings_keep_damage_off(self, phase: str, side: str, building: str, count: int, expected: int) -> None:
        blades = force("elf", Swordman=60, Lanceman=40, buildings={building: count})
        report = fought(blades, blades)
        found = [stack(report, phase, side, unit) for unit in ("Swordman", "Lanceman")]
        assert [each.count for each in found] == [60, 40]
        assert [each.mitigation for each in found] == pytest.approx([0.6 * expected, 0.4 * expected])
        assert [building in each.effects for each in found] == [expected > 0] * 2

    def test_damage_never_falls_below_nothing(self) -> None:
        report = fought(force("human", Archer=1), force("human", Knight=10, buildings={"Guard Towers": 9}))
        assert stack(report, "range", "defender", "Knight").damage == 0


class TestStacks:
    """§6.6"""

    def test_a_stack_takes_its_part_by_weight(self) -> None:
        report = fought(force("human", Archer=100), force("elf", Swordman=10, EliteArcher=20))
        assert [stack(report, "range", "defender", unit).raw for unit in ("Swordman", "EliteArcher")] == [100, 100]

    @pytest.mark.parametrize(
        ("strategy", "unit", "expected"),
        [
            pytest.param(None, "Rider", 80 + 40, id="§6.6 twice the pikemen's half"),
            pytest.param(None, "Infantry", 80, id="§6.6 not against those on foot"),
            pytest.param("Anti-Cavalry", "Rider", 76 + 40 * 6, id="§6.6 seven times with anti-cavalry"),
        ],
    )
    def test_pikemen_hurt_the_mounted_more(self, strategy: str | None, unit: str, expected: float) -> None:
        attacker = force("human", strategy, Pikeman=10, Knight=5)
        assert raw(attacker, Force(race="gnome", army={unit: 50}), "melee", unit) == pytest.approx(expected)


class TestReduction:
    """§6.7"""

    @pytest.mark.parametrize(
        ("defender", "phase", "unit", "expected"),
        [
            pytest.param(force("elf", Mage=9), "range", "Mage", 0, id="§6.7 mages in range"),
            pytest.param(force("elf", Mage=9), "short", "Mage", 1, id="§6.7 mages in short"),
            pytest.param(force("elf", Mage=9), "melee", "Mage", 1, id="§6.7 mages in melee"),
            pytest.param(force("elf", "Elf Energy Gathering", Mage=9), "melee", "Mage", 0, id="§6.7 gathering mages"),
            pytest.param(force("undead", SkeletalLegion=9), "range", "SkeletalLegion", 0, id="§6.7 skeletons"),
            pytest.param(
                force("undead", "Skeleton Swarm", SkeletalLegion=9), "range", "SkeletalLegion", 1, id="§6.7 swarm"
            ),
            pytest.param(
                force("undead", "Skeleton Swarm", SkeletalLegion=9), "short", "SkeletalLegion", 0, id="§6.7 swarm near"
            ),
            pytest.param(force("orc", ShadowWarrior=9), "range", "ShadowWarrior", 0, id="§6.7 no hiding from arrows"),
            pytest.param(force("orc", ShadowWarrior=9), "melee", "ShadowWarrior", 0.75, id="§6.7 hiding"),
            pytest.param(
                force("orc", "Orc Surrounding", ShadowWarrior=9), "melee", "ShadowWarrior", 0, id="§6.7 surrounding"
            ),
            pytest.param(
                force("orc", ShadowWarrior=9, techs={"Cloacking": 1}), "short", "ShadowWarrior", 0.9, id="§6.7 cloaked"
            ),
            pytest.param(
                force("human", "Archer Protection", Archer=90, Infantry=45), "melee", "Archer", 0.25, id="§6.7 screen"
            ),
            pytest.param(
                force("human", "Archer Protection", Archer=9, Infantry=45), "range", "Archer", 1, id="§6.7 full screen"
            ),
            pytest.param(
                force("human", "Archer Protection", Archer=9), "range", "Archer", 0, id="§6.7 nobody to screen them"
            ),
            pytest.param(
                force("human", "Archer Protection", MountedArcher=90, Infantry=45),
                "range",
                "MountedArcher",
                0.25,
                id="§6.7 mounted archers too",
            ),
            pytest.param(
                force("gnome", "Archer Protection", RockThrower=9, Infantry=9),
                "range",
                "RockThrower",
                0,
                id="§6.7 none",
            ),
            pytest.param(
                force("dwarf", "Dwarf Shield Line", Runner=90, Shieldbearer=10), "range", "Runner", 0.2, id="§6.7 line"
            ),
            pytest.param(
                force("dwarf", "Dwarf Shield Line", Runner=9, Shieldbearer=10), "range", "Runner", 1, id="§6.7 wall"
            ),
            pytest.param(force("dwarf", "Dwarf Shield Line", Runner=9), "range", "Runner", 0, id="§6.7 no shields"),
            pytest.param(
                force("dwarf", "Dwarf Shield Line", Runner=90, Shieldbearer=10), "short", "Runner", 0, id="§6.7 near"
            ),
        ],
    )
    def test_some_damage_does_not_reach_some(self, defender: Force, phase: str, unit: str, expected: float) -> None:
        reduction = stack(fought(force("human"), defender), phase, "defender", unit).reduction
        assert reduction == pytest.approx(expected)

    def test_the_calculator_screens_and_cloaks_otherwise(self) -> None:
        mounted = force("human", "Archer Protection", MountedArcher=90, Infantry=45)
        cloaked = force("orc", ShadowWarrior=9, techs={"Cloacking": 1})
        surrounding = force("orc", "Orc Surrounding", ShadowWarrior=9, techs={"Cloacking": 1})
        reports = [fought(force("human"), each, ruleset="calculator") for each in (mounted, cloaked, surrounding)]
        assert stack(reports[0], "range", "defender", "MountedArcher").reduction == 0  # §7.4
        assert stack(reports[1], "melee", "defender", "ShadowWarrior").reduction == pytest.approx(0.6)  # §7.3
        assert stack(reports[2], "melee", "defender", "ShadowWarrior").reduction == pytest.approx(-0.15)  # §7.3


class TestDefence:
    """§6.8"""

    @pytest.mark.parametrize(
        ("defender", "unit", "document", "calculator"),
        [
            pytest.param(force("human", Knight=9), "Knight", 11, 11, id="§6.8 plain"),
            pytest.param(
                force("human", Knight=9, techs={"Tougher Heavy Armor": 1}), "Knight", 12, 12, id="§6.8 technologies"
            ),
            pytest.param(force("elf", "Elf Energy Gathering", Mage=9), "Mage", 4, 4, id="§6.8 gathering mages"),
            pytest.param(
                force("human", "Infantry Attack", Infantry=10, Knight=5),
                "Infantry",
                1.25,
                0.3125,
                id="§7.2 exposed infantry",
            ),
            pytest.param(
                force("human", "Infantry Attack", Infantry=10, Knight=5),
                "Knight",
                18.5,
                18.5,
                id="§6.8 given to others",
            ),
            pytest.param(
                force("human", "Infantry Attack", Infantry=10), "Infantry", 1.25, 0.3125, id="§6.8 nobody to give it to"
            ),
            pytest.param(
                force("dwarf", "Dwarf Shield Line", Shieldbearer=10, Runner=20),
                "Shieldbearer",
                10,
                5,
                id="§7.2 exposed shieldbearers",
            ),
            pytest.param(
                force("dwarf", "Dwarf Shield Line", Shieldbearer=10, Runner=20), "Runner", 8, 8, id="§6.8 shields"
            ),
            pytest.param(force("orc", "Orc Berserker", Rusher=5), "Rusher", 1.5, 3, id="§7.6 berserkers"),
        ],
    )
    def test_defence_is_what_technology_strategy_and_neighbours_make_it(
        self, defender: Force, unit: str, document: float, calculator: float
    ) -> None:
        nobody = force("human")
        assert stack(fought(nobody, defender), "melee", "defender", unit).defence == document
        report = fought(nobody, defender, ruleset="calculator")
        assert stack(report, "melee", "defender", unit).defence == calculator

    def test_mages_gather_no_defence_in_range(self) -> None:
        report = fought(force("human"), force("elf", "Elf Energy Gathering", Mage=9))
        assert stack(report, "range", "defender", "Mage").defence == 2

    def test_effects_say_what_made_the_defence(self) -> None:
        army = force("orc", "Orc Berserker", Rusher=5, techs={"Tougher Light Armor": 2})
        found = stack(fought(force("human"), army), "range", "defender", "Rusher")
        assert found.effects == ("Tougher Light Armor: +2 defence", "Orc Berserker: defence x0.5")


class TestLosses:
    """§6.9"""

    @pytest.mark.parametrize(
        ("blades", "lost"), [pytest.param(8, 2, id="§6.9 rounded down"), pytest.param(90, 10, id="§6.9 at most all")]
    )
    def test_damage_kills_by_defence(self, blades: int, lost: int) -> None:
        report = fought(force("human", HeavyInfantry=blades), force("dwarf", Shieldbearer=10))
        assert stack(report, "melee", "defender", "Shieldbearer").lost == lost

    def test_a_stack_without_defence_is_lost(self) -> None:
        report = fought(force("human", Archer=1), force("orc", Ogre=7), ruleset="calculator")
        assert stack(report, "range", "defender", "Ogre").lost == 7  # §7.5
        assert report.phases[1].defender_losses == {}
