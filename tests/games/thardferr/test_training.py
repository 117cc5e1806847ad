"""Training: docs/rules/thardferr.md, section 12."""

from typing import Any

import pytest
from msgspec.structs import replace
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr import economy
from warroom_games.thardferr.actions import EndTurn, Train
from warroom_games.thardferr.events import Enlisted
from warroom_games.thardferr.state import Stores, Troop
from warroom_games.thardferr.training import capacity, free_rooms, trainable
from warroom_games.thardferr.units import Race

RICH = {"gold": 10**7, "iron": 10**6, "wood": 10**6}


class TestPrice:
    """§12.1"""

    def test_units_are_paid_in_full_and_arrive_at_the_start_of_the_next_turn(self) -> None:
        state = played(match(), Train("Pikeman", 5))
        after = state.kingdoms[0]
        assert after.army[2] == Troop("Pikeman", 10, 5)
        assert after.stores == Stores(gold=60_000 - 5 * 280, iron=1_500 - 5 * 5, wood=1_500 - 5 * 3, food=8_000)
        assert after.strength == kingdom().strength
        state = played(played(state, EndTurn()), EndTurn(), seat=1)
        assert state.kingdoms[0].army[2] == Troop("Pikeman", 15)

    def test_what_cannot_be_paid_is_refused(self) -> None:
        assert refused(match(kingdom(stores={"gold": 279})), Train("Pikeman"))[0] == "price.short"

    def test_a_unit_may_be_called_as_in_the_text(self) -> None:
        assert played(match(), Train("MountedArchers", 2)).kingdoms[0].army[5] == Troop("MountedArcher", 0, 2)

    def test_an_unknown_unit_is_refused_with_the_nearest(self) -> None:
        code, says = refused(match(), Train("Pikemen"))
        assert code == "unknown.unit"
        assert "unknown human unit 'Pikemen'; did you mean 'Pikeman'" in says

    def test_only_the_owner_is_told(self) -> None:
        assert told(match(), Train("Archer", 2)) == [Event(None, ((0, Enlisted(0, "Archer", 2)),))]


class TestCapacity:
    """§12.2"""

    @pytest.mark.parametrize(
        ("race", "unit", "buildings", "a_day"),
        [
            pytest.param("human", "Infantry", {}, 1 + 1, id="§12.2 one group of three and the castle"),
            pytest.param("human", "Infantry", {"training_center": 6}, 2 + 1, id="§12.2 two groups"),
            pytest.param("human", "Infantry", {"training_center": 2}, 1, id="§12.2 no group"),
            pytest.param("human", "Infantry", {"castle": 3}, 1 + 3, id="§12.2 three castles"),
            pytest.param("human", "Infantry", {"castle": 0, "training_center": 0}, 0, id="§12.2 nothing"),
            pytest.param("human", "Knight", {"advanced_training_center": 12}, 2 + 1, id="§12.2 advanced centers"),
            pytest.param("gnome", "Militia", {}, 50 + 1, id="§12.2 ten a day"),
            pytest.param("undead", "SkeletalLegion", {}, 1 + 1, id="§12.2 skeletons"),
        ],
    )
    def test_centers_and_castles_train_so_many_a_day(
        self, race: Race, unit: str, buildings: dict[str, int], a_day: int
    ) -> None:
        assert capacity(kingdom(race, buildings=buildings), unit, 10) == 10 * a_day

    def test_what_a_turn_trains_is_for_all_its_days_together(self) -> None:
        state = played(match(), Train("Archer", 15))
        assert refused(state, Train("Archer", 6)) == ("train.capacity", "you can train only 5 more Archer this turn")
        assert played(state, Train("Archer", 5), Train("Infantry", 20)).kingdoms[0].army[4].training == 20

    def test_a_razed_center_takes_no_training_back(self) -> None:
        busy = kingdom(buildings={"training_center": 0, "advanced_training_center": 0, "castle": 0})
        busy = replace(busy, army=tuple(replace(troop, training=3) for troop in busy.army))
        assert trainable(busy, 10) == [0] * 6
        assert refused(match(busy), Train("Archer")) == ("train.capacity", "you can train only 0 more Archer this turn")


class TestRoom:
    """§12.3"""

    @pytest.mark.parametrize(
        ("given", "soldiers", "mages"),
        [
            pytest.param({}, 400, 400, id="§12.3 forty each"),
            pytest.param({"race": "orc"}, 500, 400, id="§12.3 orcs"),
            pytest.param({"race": "gnome"}, 600, 600, id="§12.3 gnomes"),
            pytest.param({"techs": {"Barrack": 1}}, 650, 400, id="§3.2 barrack"),
            pytest.param({"race": "orc", "techs": {"Barrack": 1}}, 750, 400, id="§12.3 orcs with barrack"),
            pytest.param({"race": "gnome", "techs": {"Barrack": 1}}, 850, 600, id="§12.3 gnomes with barrack"),
        ],
    )
    def test_guard_houses_and_schools_hold_so_many(self, given: dict[str, Any], soldiers: int, mages: int) -> None:
        held = kingdom(**given)
        assert (economy.soldier_room(held), economy.mage_room(held)) == (soldiers, mages)

    def test_those_in_training_need_room_too(self) -> None:
        full = kingdom(army={"Knight": 370}, stores=RICH)
        state = played(match(full), Train("Archer", 20))
        assert refused(state, Train("Infantry", 11)) == ("train.room", "there is room for only 10 more Infantry")
        assert trainable(state.kingdoms[0], 10) == [10, 10, 10, 10, 0, 10]

    def test_mages_live_apart(self) -> None:
        elves = kingdom("elf", army={"Mage": 395, "Archer": 400}, stores=RICH)
        assert free_rooms(elves) == (0, 5)
        assert refused(match(elves), Train("Mage", 6)) == ("train.room", "there is room for only 5 more Mage")
        assert refused(match(elves), Train("Archer")) == ("train.room", "there is room for only 0 more Archer")

    def test_units_that_lost_their_room_stay(self) -> None:
        crowded = kingdom(army={"Knight": 900})
        assert free_rooms(crowded)[0] == 0
        assert played(match(crowded), EndTurn()).kingdoms[0].units == 900

    def test_where_training_stopped_nothing_can_be_trained(self) -> None:
        assert trainable(kingdom(can_train=False), 10) == [0] * 6
