"""Building and razing: docs/rules/thardferr.md, section 10."""

import pytest
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import Build, Raze
from warroom_games.thardferr.events import Built, Razed
from warroom_games.thardferr.state import Stores

RICH = {"gold": 10**6, "iron": 10**5, "wood": 10**5}


class TestPrice:
    """§10.1"""

    def test_buildings_are_paid_and_stand_at_once(self) -> None:
        after = played(match(), Build("mine", 3)).kingdoms[0]
        assert after.buildings.mine == 13
        assert after.stores == Stores(gold=60_000 - 1_800, iron=1_200, wood=1_350, food=8_000)

    @pytest.mark.parametrize(
        ("stores", "says"),
        [
            pytest.param({"gold": 599}, "that costs 600 gold; you have 599", id="§10.1 gold"),
            pytest.param({"iron": 99}, "that costs 100 iron; you have 99", id="§10.1 iron"),
            pytest.param({"wood": 49}, "that costs 50 wood; you have 49", id="§10.1 wood"),
        ],
    )
    def test_what_cannot_be_paid_is_refused(self, stores: dict[str, int], says: str) -> None:
        assert refused(match(kingdom(stores=stores)), Build("mine")) == ("price.short", says)

    def test_a_building_may_be_called_by_its_name(self) -> None:
        state = played(match(), Build("Guard House", 2), Raze("Guard House"))
        assert state.kingdoms[0].buildings.guard_house == 11

    def test_an_unknown_building_is_refused_with_the_nearest(self) -> None:
        code, says = refused(match(), Build("guardhouse"))
        assert code == "unknown.building"
        assert "did you mean 'guard_house'" in says

    def test_only_the_owner_is_told(self) -> None:
        assert told(match(), Build("farm", 2)) == [Event(None, ((0, Built(0, "farm", 2)),))]
        assert told(match(), Raze("farm", 2)) == [Event(None, ((0, Razed(0, "farm", 2)),))]


class TestRoom:
    """§10.2, §10.3"""

    def test_ten_buildings_stand_on_one_land(self) -> None:
        state = match(kingdom(stores=RICH))
        assert refused(state, Build("farm", 71)) == ("build.no_slot", "your land has room for only 70 more buildings")
        assert played(state, Build("farm", 70)).kingdoms[0].buildings.on_slots == 200

    @pytest.mark.parametrize(
        ("land", "castles"),
        [
            pytest.param(6, 1, id="§10.3 one always"),
            pytest.param(7, 2, id="§10.3 two on seven"),
            pytest.param(20, 3, id="§10.3 three"),
        ],
    )
    def test_castles_need_land_and_no_room(self, land: int, castles: int) -> None:
        full = kingdom(stores=RICH, land=land, buildings={"castle": 0, "house": 10 * land, "farm": 0})
        state = match(full)
        assert refused(state, Build("castle", castles + 1)) == (
            "build.castle_cap",
            f"your land has room for only {castles} more castles",
        )
        assert played(state, Build("castle", castles)).kingdoms[0].buildings.castle == castles


class TestRazing:
    """§10.4"""

    def test_razing_gives_nothing_back(self) -> None:
        after = played(match(), Raze("castle")).kingdoms[0]
        assert (after.buildings.castle, after.stores) == (0, kingdom().stores)

    def test_more_than_there_are_cannot_be_razed(self) -> None:
        assert refused(match(), Raze("farm", 21)) == ("raze.too_many", "you have only 20 of farm, not 21")
        assert refused(match(), Raze("farms"))[0] == "unknown.building"
