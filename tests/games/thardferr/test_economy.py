"""People and production: docs/rules/thardferr.md, sections 3.2 and 11."""

from typing import Any

import pytest
from msgspec.structs import replace
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr import economy
from warroom_games.thardferr.actions import Assign, EndTurn, Raze, Train
from warroom_games.thardferr.events import Assigned, Deserted
from warroom_games.thardferr.state import Kingdom, Stores, Workers


class TestPeople:
    """§11.1"""

    def test_houses_hold_peasants_and_other_buildings_ten_people_each(self) -> None:
        assert (economy.peasants(kingdom()), economy.max_population(kingdom())) == (4_000, 4_910)

    def test_habitation_makes_houses_larger(self) -> None:
        larger = kingdom(techs={"Habitation": 1})
        assert (economy.peasants(larger), economy.max_population(larger)) == (4_600, 5_510)

    def test_soldiers_do_not_reduce_them(self) -> None:
        assert economy.peasants(kingdom(army={"Knight": 400})) == 4_000


class TestWork:
    """§11.2"""

    def test_peasants_do_the_work_they_are_given(self) -> None:
        action = Assign(mine=1, lumber=2, agriculture=3, blacksmithing=4)
        state = played(match(), action)
        workers = Workers(mine=1, lumber=2, agriculture=3, blacksmithing=4)
        assert state.kingdoms[0].workers == workers
        assert told(match(), action) == [Event(None, ((0, Assigned(0, workers)),))]

    def test_there_are_no_more_workers_than_peasants(self) -> None:
        assert refused(match(), Assign(mine=4_000, lumber=1, agriculture=0)) == (
            "assign.peasants",
            "you have only 4000 peasants, not 4001",
        )


class TestProduction:
    """§3.2, §11.3"""

    @pytest.mark.parametrize(
        ("given", "good", "expected"),
        [
            pytest.param({}, "iron", 40, id="§11.3 mines at their best"),
            pytest.param({"workers": {"mine": 500}}, "iron", 20, id="§11.3 half the workers"),
            pytest.param({"workers": {"mine": 1500}}, "iron", 50, id="§11.3 half as many more"),
            pytest.param({"workers": {"mine": 2000}}, "iron", 60, id="§11.3 twice as many"),
            pytest.param({"workers": {"mine": 3000}}, "iron", 60, id="§11.3 no more than that"),
            pytest.param({"workers": {"mine": 12}}, "iron", 0, id="§11.3 less than half is nothing"),
            pytest.param({"workers": {"mine": 13}}, "iron", 1, id="§11.3 more than half is one"),
            pytest.param({"workers": {"lumber": 85}}, "wood", 5, id="§11.3 one mill's hands"),
            pytest.param({"buildings": {"mine": 0}}, "iron", 0, id="§11.3 no mines"),
            pytest.param({"race": "dwarf"}, "iron", 50, id="§11.3 dwarven mines"),
            pytest.param({"race": "orc"}, "iron", 60, id="§11.3 orcish mines"),
            pytest.param({"race": "elf"}, "wood", 60, id="§11.3 elven mills"),
            pytest.param({"race": "orc"}, "wood", 70, id="§11.3 orcish mills"),
            pytest.param({"race": "orc"}, "food", 2_300, id="§11.3 orcish farms"),
            pytest.param({"techs": {"Machinery": 1}, "workers": {"mine": 850}}, "iron", 40, id="§3.2 machinery"),
            pytest.param({"techs": {"Wood Recycling": 1}}, "wood", 65, id="§3.2 wood recycling"),
            pytest.param({"techs": {"Irrigation": 1}}, "food", 2_300, id="§3.2 irrigation"),
            pytest.param({"race": "orc", "techs": {"Irrigation": 1}}, "food", 2_600, id="§3.2 both"),
        ],
    )
    def test_buildings_make_goods(self, given: dict[str, Any], good: str, expected: int) -> None:
        assert getattr(economy.produced(kingdom(**given)), good) == expected

    def test_forges_make_nothing(self) -> None:
        """§11.4"""
        idle = kingdom(workers={"blacksmithing": 0})
        assert economy.produced(kingdom()) == economy.produced(idle)

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            pytest.param({}, 3_069, id="§11.6 ten markets on twenty land"),
            pytest.param({"techs": {"Commerce": 1}}, 3_376, id="§3.2 commerce"),
            pytest.param({"buildings": {"market": 20}}, 6_263, id="§11.6 one per land"),
            pytest.param({"buildings": {"market": 30}}, 6_388, id="§11.6 more than land do not count"),
            pytest.param({"buildings": {"market": 0}}, 0, id="§11.6 no markets"),
        ],
    )
    def test_markets_bring_gold_by_the_people_of_the_land(self, given: dict[str, Any], expected: int) -> None:
        assert economy.produced(kingdom(**given)).gold == expected


class TestFewerHouses:
    """§11.5"""

    @pytest.mark.parametrize(
        ("razed", "left"),
        [
            pytest.param(1, Workers(mine=1000, lumber=850, agriculture=1200, blacksmithing=800), id="§11.5 idlers"),
            pytest.param(3, Workers(mine=1000, lumber=850, agriculture=1200, blacksmithing=650), id="§11.5 smiths"),
            pytest.param(12, Workers(mine=1000, lumber=600, agriculture=1200), id="§11.5 then lumber"),
            pytest.param(20, Workers(mine=800, agriculture=1200), id="§11.5 then miners"),
            pytest.param(35, Workers(agriculture=500), id="§11.5 farmers last"),
        ],
    )
    def test_workers_without_a_house_leave(self, razed: int, left: Workers) -> None:
        assert played(match(), Raze("house", razed)).kingdoms[0].workers == left


class TestUpkeep:
    """§11.7"""

    def test_people_and_units_eat(self) -> None:
        assert economy.food_upkeep(kingdom()) == 819 + 10 * (2 + 2 + 3)
        assert economy.food_upkeep(kingdom("undead")) == 819

    @pytest.mark.parametrize(
        ("count", "days", "gold"),
        [
            pytest.param(3, 1, 5, id="§11.7 rounded up"),
            pytest.param(3, 10, 45, id="§11.7 once a turn, not a day"),
            pytest.param(2, 1, 3, id="§11.7 even"),
        ],
    )
    def test_half_gold_is_rounded_up_for_the_turn(self, count: int, days: int, gold: int) -> None:
        assert economy.gold_upkeep(kingdom("undead", army={"SkeletalLegion": count}), days) == gold


def turned(poor: Kingdom) -> tuple[Kingdom, Deserted]:
    """A kingdom at the start of its turn, and what it was told of those who left."""
    state = match(kingdom(), poor)
    (left,) = [form for event in told(state, EndTurn()) for _, form in event.private if isinstance(form, Deserted)]
    return played(state, EndTurn()).kingdoms[1], left


class TestShortage:
    """§11.8"""

    def test_unpaid_gold_empties_the_store_stops_training_and_drives_units_off(self) -> None:
        army = {"Knight": 45, "Archer": 19, "Infantry": 200}
        after, left = turned(kingdom(army=army, stores={"gold": 100}, buildings={"market": 0}))
        assert after.stores.gold == 0
        assert left.missing == Stores(gold=10 * (45 * 18 + 19 * 3 + 200 * 4) - 100)
        assert left.units == {"Knight": 2, "Infantry": 10}
        assert [troop.count for troop in after.army if troop.count] == [43, 190, 19]
        state = match(after)
        assert refused(replace(state, seat=0), Train("Archer"))[0] == "train.stopped"

    def test_missing_food_does_the_same(self) -> None:
        after, left = turned(kingdom(stores={"food": 0}, buildings={"farm": 0}))
        assert (after.stores.food, left.missing, left.units) == (0, Stores(food=10 * (785 + 70)), {})
        assert not after.can_train

    def test_it_is_over_when_the_next_upkeep_is_paid(self) -> None:
        poor = kingdom(can_train=False)
        assert played(match(kingdom(), poor), EndTurn()).kingdoms[1].can_train
