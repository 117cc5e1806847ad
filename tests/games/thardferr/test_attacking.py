"""Attacks: docs/rules/thardferr.md, sections 2.2 and 16."""

import pytest
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import Attack, EndTurn, SetStrategy
from warroom_games.thardferr.attacking import gain, marching, side_of
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.events import Attacked, Fell, Fought, Prepared, Ruined, TurnEnded
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.rulesets import RULESETS
from warroom_games.thardferr.state import Kingdom, State

KNIGHTS = {"Knight": 300}
STRONG = kingdom(army=KNIGHTS)


def taken(state: State, action: Attack) -> Attacked:
    told_to_all = [event.public for event in told(state, action)]
    (attack,) = [form for form in told_to_all if isinstance(form, Attacked)]
    return attack


class TestPermission:
    """§16.1"""

    STATE = match(STRONG, kingdom(), kingdom(land=4), out=(2,))

    @pytest.mark.parametrize(
        ("action", "code", "says"),
        [
            pytest.param(Attack(3, KNIGHTS), "attack.no_kingdom", "no seat 3; the seats are 0 to 2", id="§16.1 nobody"),
            pytest.param(Attack(0, KNIGHTS), "attack.yourself", "your own kingdom", id="§16.1 oneself"),
            pytest.param(Attack(2, KNIGHTS), "attack.fallen", "seat 2 has fallen", id="§16.7 a fallen kingdom"),
            pytest.param(Attack(1, {}), "attack.empty", "at least one unit", id="§16.1 no army"),
            pytest.param(Attack(1, {"Knight": 301}), "attack.too_many", "300 Knight, not 301", id="§16.1 too many"),
            pytest.param(Attack(1, {"Archer": 1}), "attack.too_many", "0 Archer, not 1", id="§16.1 none at home"),
            pytest.param(Attack(1, {"Knight": 0}), "attack.empty", "at least one", id="§16.1 none of a unit"),
            pytest.param(
                Attack(1, {"Ogre": 0}), "unknown.unit", "unknown human unit 'Ogre'", id="§1.3 none of an unknown unit"
            ),
            pytest.param(Attack(1, {"Ogre": 1}), "unknown.unit", "unknown human unit 'Ogre'", id="§1.3 unknown unit"),
            pytest.param(Attack(1, KNIGHTS, "Charge!"), "unknown.strategy", "Charging!", id="§1.3 unknown strategy"),
            pytest.param(
                Attack(1, KNIGHTS, "Berserker"), "strategy.foreign", "unknown strategy", id="§2.2 another race's"
            ),
        ],
    )
    def test_an_attack_that_is_not_allowed_is_refused(self, action: Attack, code: str, says: str) -> None:
        found, words = refused(self.STATE, action)
        assert found == code
        assert says in words

    def test_an_attack_ends_the_turn(self) -> None:
        events = told(match(STRONG), Attack(1, {"Knight": 1}))
        assert Event(TurnEnded(0, 1, "attacked")) in events
        assert played(match(STRONG), Attack(1, {"Knight": 1})).seat == 1

    def test_both_names_of_a_unit_march_together_in_the_order_of_units(self) -> None:
        army = {"WraithRider": 1, "Abomination": 2, "AbominationCaragous": 3}
        assert list(marching(kingdom("undead"), army).items()) == [("AbominationCaragous", 5), ("WraithRider", 1)]

    def test_units_of_which_none_goes_stay_at_home(self) -> None:
        """§16.1: so a form may send all its fields."""
        assert marching(kingdom(), {"Knight": 2, "Archer": 0}) == {"Knight": 2}
        all_fields, knights = (
            told(match(STRONG), Attack(1, army)) for army in ({"Knight": 1, "Archer": 0}, {"Knight": 1})
        )
        assert all_fields == knights


class TestBattle:
    """§16.2"""

    def test_the_target_defends_with_all_it_has(self) -> None:
        target = kingdom("dwarf", strategy="Dwarf Shield Line", army={"Shieldbearer": 40, "AxeMan": 5})
        battle = dict(told(match(STRONG, target), Attack(1, {"Knight": 7}, "Human Charging!"))[0].private)[0]
        assert isinstance(battle, Fought)
        assert (battle.record.attacker_strategy, battle.record.target_strategy) == (
            "Human Charging!",
            "Dwarf Shield Line",
        )
        assert [(each.unit, each.army) for each in battle.record.defenders] == [("Shieldbearer", 40), ("AxeMan", 5)]

    def test_the_event_tells_every_blow_of_the_report_in_thousandths(self) -> None:
        ours = kingdom(army={"Knight": 70, "Archer": 35}, buildings={"medical_center": 3})
        theirs = kingdom("dwarf", strategy="Dwarf Shield Line", army={"Shieldbearer": 41, "LightCrossbowman": 13})
        army = {"Knight": 70, "Archer": 35}
        battle = dict(told(match(ours, theirs), Attack(1, army))[0].private)[0]
        assert isinstance(battle, Fought)
        defenders = {troop.unit: troop.count for troop in theirs.army}
        report = fight(side_of(ours, army, None), side_of(theirs, defenders, theirs.strategy), RULESETS["document"])
        stacks = [stack for phase in report.phases for stack in phase.stacks]
        blows = [blow for clash in battle.clashes for blow in clash.blows]
        names = ("raw", "mitigation", "reduction", "damage", "defence")
        assert [[getattr(blow, name) for name in names] for blow in blows] == [
            [round(1000 * getattr(stack, name)) for name in names] for stack in stacks
        ]
        assert all(any(getattr(blow, name) for blow in blows) for name in names)

    def test_armies_are_home_at_once_less_what_fell(self) -> None:
        state = match(STRONG, kingdom("elf"))
        record = played(state, Attack(1, {"Knight": 100})).records[0][0]
        after = played(state, Attack(1, {"Knight": 100}))
        lost = record.attackers[0].lost - record.attackers[0].healed
        assert lost > 0
        assert after.kingdoms[0].army[0].count == 300 - lost
        for tally, troop in zip(
            record.defenders, (troop for troop in state.kingdoms[1].army if troop.count), strict=True
        ):
            assert (tally.unit, tally.army) == (troop.unit, troop.count)

    def test_those_whom_castles_set_aside_come_back(self) -> None:
        target = kingdom("dwarf", army={"Shieldbearer": 99}, buildings={"castle": 2})
        after = played(match(kingdom(army={"Knight": 1}), target), Attack(1, {"Knight": 1}))
        assert after.kingdoms[1].units == 99

    def test_the_ruleset_and_the_rounds_are_options(self) -> None:
        options = Options(ruleset="calculator", battle_rounds=3, peace_rounds=0)
        events = told(match(STRONG, STRONG, options=options), Attack(1, KNIGHTS))
        battle = dict(events[0].private)[0]
        assert isinstance(battle, Fought)
        assert battle.ended_by == "retreat"


class TestStandingStrategy:
    """§16.3"""

    def test_it_is_set_at_no_cost(self) -> None:
        after = played(match(), SetStrategy("Charging")).kingdoms[0]
        assert (after.strategy, after.stores) == ("Human Charging!", kingdom().stores)
        assert told(match(), SetStrategy(None)) == [Event(None, ((0, Prepared(0, None)),))]

    def test_another_races_is_refused(self) -> None:
        assert refused(match(), SetStrategy("Skeleton Swarm"))[0] == "strategy.foreign"
        assert refused(match(), SetStrategy("Swarm"))[0] == "unknown.strategy"


class TestLand:
    """§16.4, §16.5"""

    @pytest.mark.parametrize(
        ("land", "whole", "of_weak"),
        [
            pytest.param(20, 5, 2, id="§16.4 a quarter"),
            pytest.param(23, 5, 2, id="§16.4 rounded down"),
            pytest.param(40, 10, 5, id="§16.5 half of it"),
            pytest.param(9, 3, 1, id="§16.4 at least three"),
            pytest.param(5, 3, 1, id="§16.5 at least one"),
        ],
    )
    def test_a_won_attack_takes_a_part_of_the_land(self, land: int, whole: int, of_weak: int) -> None:
        assert gain(land, is_bottom_feeding=False) == whole
        assert gain(land, is_bottom_feeding=True) == of_weak

    def test_land_goes_from_the_target_to_the_attacker(self) -> None:
        state = match(STRONG, kingdom(buildings={"castle": 2}, techs={"Transport": 1}))
        assert taken(state, Attack(1, KNIGHTS)) == Attacked(0, 1, "attacker", 5, False)
        after = played(state, Attack(1, KNIGHTS))
        assert [each.land for each in after.kingdoms] == [25, 15]

    @pytest.mark.parametrize(
        ("army", "outcome"), [({"Knight": 1}, "defender"), ({"Knight": 300}, "draw")], ids=["lost", "drawn"]
    )
    def test_no_other_outcome_takes_any(self, army: dict[str, int], outcome: str) -> None:
        state = match(STRONG, STRONG)
        assert taken(state, Attack(1, army)).land == 0
        assert taken(state, Attack(1, army)).outcome == outcome
        assert [each.land for each in played(state, Attack(1, army)).kingdoms] == [20, 20]

    @pytest.mark.parametrize(
        ("archers", "houses", "strength", "is_bottom_feeding", "land"),
        [
            pytest.param(40, 38, 3_984, False, 5, id="§16.5 just sixty percent"),
            pytest.param(42, 36, 3_983, True, 2, id="§16.5 below"),
        ],
    )
    def test_a_much_weaker_target_yields_half(
        self, archers: int, houses: int, strength: int, is_bottom_feeding: bool, land: int
    ) -> None:
        ours = kingdom(army=KNIGHTS, techs={"New Spells": 4})
        theirs = kingdom(army={"Archer": archers}, buildings={"house": houses}, techs={"New Spells": 2})
        assert (ours.strength, theirs.strength) == (6_640, strength)
        assert taken(match(ours, theirs), Attack(1, KNIGHTS)) == Attacked(0, 1, "attacker", land, is_bottom_feeding)


class TestRuins:
    """§16.6"""

    def test_the_cheapest_buildings_go_first_and_castles_by_the_land(self) -> None:
        crowded = kingdom(land=14, buildings={"castle": 3, "house": 50})
        state = match(STRONG, crowded)
        events = told(state, Attack(1, KNIGHTS))
        (ruin,) = [form for event in events for seat, form in event.private if isinstance(form, Ruined)]
        assert ruin == Ruined(1, {"castle": 1, "mill": 10, "mine": 10, "school": 10})
        after = played(state, Attack(1, KNIGHTS)).kingdoms[1]
        assert (after.land, after.buildings.castle, after.buildings.on_slots) == (11, 2, 110)

    def test_only_the_target_is_told(self) -> None:
        events = told(match(STRONG, kingdom(land=14, buildings={"castle": 3})), Attack(1, KNIGHTS))
        assert [event for event in events if event.public is None and dict(event.private).keys() == {1}]

    def test_workers_without_a_house_leave(self) -> None:
        full = kingdom(land=16, buildings={"house": 70, "mill": 0, "mine": 0, "school": 0, "farm": 40})
        after = played(match(STRONG, full), Attack(1, KNIGHTS)).kingdoms[1]
        assert after.buildings.house < 70
        assert after.workers.total <= 100 * after.buildings.house


class TestFall:
    """§16.7"""

    def test_a_kingdom_with_less_than_five_land_is_out(self) -> None:
        state = match(STRONG, kingdom(land=7, buildings={"castle": 2}), kingdom())
        events = told(state, Attack(1, KNIGHTS))
        assert Event(Fell(1, 0)) in events
        after = played(state, Attack(1, KNIGHTS))
        assert (after.out, after.kingdoms[1].land, after.seat) == ((1,), 4, 2)

    def test_five_land_are_enough(self) -> None:
        after = played(match(STRONG, kingdom(land=8, buildings={"castle": 2}), kingdom()), Attack(1, KNIGHTS))
        assert (after.out, after.seat) == ((), 1)

    def test_a_kingdom_whose_player_left_can_fall_too(self) -> None:
        state = match(STRONG, kingdom(land=7, buildings={"castle": 2}), kingdom(), out=(1,))
        assert Event(Fell(1, 0)) in told(state, Attack(1, KNIGHTS))
        assert played(state, Attack(1, KNIGHTS)).out == (1,)


class TestConservation:
    """§16.8"""

    @pytest.mark.parametrize("target", [kingdom(), kingdom(land=6)], ids=["standing", "falling"])
    def test_land_only_changes_hands(self, target: Kingdom) -> None:
        state = match(STRONG, target, kingdom())
        assert GAME.conserved(played(state, Attack(1, KNIGHTS))) == GAME.conserved(state)

    def test_before_the_kingdoms_are_founded_it_is_that_of_the_start(self) -> None:
        assert GAME.conserved(State(options=Options(), picks=(None, None), records=((), ()), courses=(None, None))) == {
            "land": 40
        }


class TestPeace:
    """§16.9"""

    def test_nobody_attacks_before_the_rounds_of_peace_are_over(self) -> None:
        state = match(STRONG, kingdom(), options=Options(peace_rounds=1))
        assert refused(state, Attack(1, KNIGHTS)) == (
            "attack.peace",
            "attacks are not allowed before the end of round 1",
        )
        assert not any(isinstance(action, Attack) for action in GAME.legal_actions(state, 0))
        later = played(played(state, EndTurn()), EndTurn(), seat=1)
        assert played(later, Attack(1, KNIGHTS)).seat == 1
