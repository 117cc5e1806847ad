"""The battle as a whole: docs/rules/thardferr.md, sections 6.1, 6.2 and 6.10 to 6.12, and 7.5."""

import pytest
from thardferr_positions import force, fought

from warroom_games.thardferr.forces import Force


class TestCastles:
    """§6.1"""

    @pytest.mark.parametrize(
        ("castles", "field"),
        [
            pytest.param(0, 99, id="§6.1 none"),
            pytest.param(1, 99, id="§6.1 one"),
            pytest.param(2, 79, id="§6.1 two"),
            pytest.param(9, 79, id="§6.1 nine"),
            pytest.param(10, 74, id="§6.1 ten"),
            pytest.param(19, 74, id="§6.1 nineteen"),
            pytest.param(20, 69, id="§6.1 twenty"),
        ],
    )
    def test_castles_keep_a_part_of_the_defenders_out(self, castles: int, field: int) -> None:
        army = force("human", Knight=99, buildings={"Castle": castles})
        report = fought(army, army)
        assert report.scaled_defender_army == {"Knight": field}
        assert report.phases[0].attacker_army == {"Knight": 99}


class TestRounds:
    """§6.2"""

    def test_both_sides_strike_with_what_they_had_at_the_start_of_the_phase(self) -> None:
        report = fought(force("gnome", Militia=100), force("gnome", Militia=100))
        assert [phase.phase for phase in report.phases] == ["range", "short", "melee"]
        assert (report.phases[2].attacker_losses, report.phases[2].defender_losses) == (
            {"Militia": 100},
            {"Militia": 100},
        )

    @pytest.mark.parametrize(
        ("attacker", "defender", "winner", "ending", "rounds"),
        [
            pytest.param(
                force("human", Knight=30), force("human", Knight=100), "defender", "retreat", 1, id="§6.2 attacker"
            ),
            pytest.param(
                force("human", Knight=100), force("human", Knight=30), "attacker", "retreat", 1, id="§6.2 defender"
            ),
            pytest.param(
                force("human", Knight=20), force("human", Knight=20), "draw", "retreat", 1, id="§6.2 both alike"
            ),
            pytest.param(
                force("human", Knight=21),
                force("human", Knight=19),
                "attacker",
                "retreat",
                1,
                id="§6.2 both, the worse",
            ),
            pytest.param(
                force("dwarf", Shieldbearer=9), force("dwarf", Shieldbearer=9), "draw", "casualties", 3, id="§6.2 none"
            ),
            pytest.param(
                force("human", "Quick Retreat", Knight=100),
                force("orc", Slother=9),
                "attacker",
                "quick_retreat",
                1,
                id="§6.2 a quick attacker wins",
            ),
            pytest.param(
                force("orc", Slother=9),
                force("human", "Quick Retreat", Knight=100),
                "defender",
                "quick_retreat",
                1,
                id="§6.2 a quick defender wins",
            ),
            pytest.param(
                force("dwarf", "Quick Retreat", Shieldbearer=10),
                force("human", HeavyInfantry=9),
                "defender",
                "retreat",
                2,
                id="§6.2 the quick hold out longer",
            ),
        ],
    )
    def test_who_has_lost_enough_retreats_before_the_next_round(
        self, attacker: Force, defender: Force, winner: str, ending: str, rounds: int
    ) -> None:
        report = fought(attacker, defender, max_rounds=3)
        assert (report.winner, report.ended_by, report.rounds) == (winner, ending, rounds)
        assert len(report.phases) == 3 * rounds

    def test_nobody_retreats_from_a_single_round(self) -> None:
        assert fought(force("human", Knight=30), force("human", Knight=100)).ended_by == "casualties"

    def test_castles_drive_nobody_off(self) -> None:
        walls = force("dwarf", Shieldbearer=10, buildings={"Castle": 2})
        report = fought(force("dwarf", Shieldbearer=10), walls, max_rounds=2)
        assert (report.rounds, report.winner) == (2, "attacker")


class TestWinner:
    """§6.10"""

    @pytest.mark.parametrize(
        ("attacker", "defender", "winner"),
        [
            pytest.param(force(), force(), "draw", id="§6.10 nobody there"),
            pytest.param(force(), force(Knight=1), "defender", id="§6.10 no attacker"),
            pytest.param(force(Knight=1), force(), "attacker", id="§6.10 no defender"),
            pytest.param(force(Knight=50), force(Knight=40), "attacker", id="§6.10 lower share"),
            pytest.param(force("dwarf", Shieldbearer=2), force("dwarf", Shieldbearer=3), "defender", id="§6.10 more"),
            pytest.param(force("dwarf", Shieldbearer=3), force("dwarf", Shieldbearer=3), "draw", id="§6.10 equal"),
            pytest.param(
                force("dwarf", Shieldbearer=3),
                force("dwarf", Shieldbearer=90, buildings={"Castle": 2}),
                "attacker",
                id="§6.10 those set aside count as lost",
            ),
        ],
    )
    def test_the_lower_share_of_losses_wins(self, attacker: Force, defender: Force, winner: str) -> None:
        assert fought(attacker, defender).winner == winner


class TestHealing:
    """§6.11"""

    @pytest.mark.parametrize(
        ("centers", "land", "healed"),
        [
            pytest.param(20, 20, {"Shieldbearer": 5}, id="§6.11 one per land"),
            pytest.param(10, 20, {"Shieldbearer": 2}, id="§6.11 one per two land"),
            pytest.param(9, 20, {}, id="§6.11 fewer"),
            pytest.param(9, 0, {}, id="§6.11 no land"),
        ],
    )
    def test_a_part_of_the_losses_comes_back(self, centers: int, land: int, healed: dict[str, int]) -> None:
        attacker = force("dwarf", Shieldbearer=29, buildings={"Medical Center": centers}, land=land)
        report = fought(attacker, force("human", HeavyInfantry=90))
        assert report.attacker_before_healing == {"Shieldbearer": 0}
        assert report.attacker_healing == healed
        assert report.attacker_final == {"Shieldbearer": healed.get("Shieldbearer", 0)}

    def test_losses_count_from_the_field(self) -> None:
        defender = force("human", Knight=100, buildings={"Castle": 2, "Medical Center": 20}, land=20)
        report = fought(force("human"), defender)
        assert (report.defender_healing, report.defender_final) == ({}, {"Knight": 80})


class TestReport:
    """§6.12"""

    def test_stacks_without_units_are_left_out(self) -> None:
        report = fought(force("human", Knight=0, Archer=2), force("human"))
        assert [(stack.side, stack.unit) for stack in report.phases[0].stacks] == [("attacker", "Archer")]

    def test_strength_cost_and_efficiency_are_those_before_the_battle(self) -> None:
        attacker = force(
            "human", Knight=3, techs={"Sharper Blades": 2, "Cloacking": True}, buildings={"Castle": 2, "House": 5}
        )
        report = fought(attacker, force("dwarf", Shieldbearer=2))
        assert (report.ks.attacker, report.ks.defender) == (8 + 3 * 5 + 3000 + 3000, 5)
        assert (report.tegc.attacker, report.tegc.defender) == (3 * 1730, 2 * 1437)
        assert report.efficiency.attacker["Knight"].melee == 1730 / 8
        assert report.efficiency.defender["Shieldbearer"].melee is None

    def test_strangers_of_the_calculator_count_and_cost_nothing(self) -> None:
        report = fought(force("orc", Ogre=3), force("human", Knight=1), ruleset="calculator")
        assert (report.ks.attacker, report.tegc.attacker) == (8, 0)  # §7.5
        assert report.ruleset == "calculator"
