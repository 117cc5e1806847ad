"""How kingdoms begin: docs/rules/thardferr.md, section 8."""

import pytest
from msgspec.structs import replace
from thardferr_positions import match, played, refused, told

from warroom_games.api import Event, OptionsError
from warroom_games.codec import decode_options
from warroom_games.rng import Rng
from warroom_games.thardferr.actions import EndTurn, PickRace
from warroom_games.thardferr.economy import spread_evenly
from warroom_games.thardferr.events import Founded, Picked, TurnBegan
from warroom_games.thardferr.founding import found
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State, Stores, Workers
from warroom_games.thardferr.units import RACES, UNITS, Race
from warroom_games.thardferr.views import Secret, Table

RNG = Rng(b"there is no luck")


def opened(seats: int = 3, **options: object) -> State:
    return GAME.setup(seats, decode_options(GAME, options), RNG)


class TestSeats:
    """§8.1"""

    @pytest.mark.parametrize("seats", [1, 7])
    def test_two_to_six_may_play(self, seats: int) -> None:
        with pytest.raises(OptionsError, match="2 to 6"):
            opened(seats)

    def test_an_unknown_race_is_refused_with_those_there_are(self) -> None:
        with pytest.raises(OptionsError, match="'race_2' of thardferr cannot be 'hobbit'; allowed: dwarf, elf, gnome"):
            opened(race_2="hobbit")


class TestRaces:
    """§8.2"""

    def test_all_pick_at_once_and_the_first_turn_follows(self) -> None:
        state = opened()
        assert (GAME.to_act(state), GAME.turn(state)) == (frozenset({0, 1, 2}), 0)
        assert list(GAME.legal_actions(state, 1)) == [PickRace(race) for race in RACES]
        state = played(played(state, PickRace("orc"), seat=2), PickRace("orc"), seat=0)
        assert GAME.to_act(state) == {1}
        assert GAME.legal_actions(state, 2) == []
        state = played(state, PickRace("elf"), seat=1)
        assert [each.race for each in state.kingdoms] == ["orc", "elf", "orc"]
        assert (GAME.to_act(state), GAME.turn(state), state.round) == (frozenset({0}), 1, 1)

    def test_nobody_sees_a_pick_before_all_are_made(self) -> None:
        state = opened(2)
        (event,) = told(state, PickRace("orc"), seat=1)
        assert event == Event(Picked(1, None), ((1, Picked(1, "orc")),))
        state = played(state, PickRace("orc"), seat=1)
        public, own, other = GAME.public(state), GAME.private(state, 1), GAME.private(state, 0)
        assert isinstance(public, Table)
        assert isinstance(own, Secret)
        assert isinstance(other, Secret)
        assert (public.picked, public.kingdoms) == ((False, True), ())
        assert (own.pick, own.kingdom, other.pick) == ("orc", None, None)

    def test_the_last_pick_is_followed_by_the_founding_and_the_first_turn(self) -> None:
        state = played(opened(2), PickRace("orc"), seat=1)
        events = [event.public for event in told(state, PickRace("gnome"))]
        assert events[1:3] == [Founded(("gnome", "orc")), TurnBegan(0, 1, 1)]

    def test_the_options_may_choose_for_some_or_all(self) -> None:
        assert GAME.to_act(opened(race_1="elf", race_3="undead")) == {1}
        state = opened(race_1="elf", race_2="elf", race_3="undead", race_4="orc")
        assert [each.race for each in state.kingdoms] == ["elf", "elf", "undead"]
        assert GAME.turn(state) == 1

    def test_before_that_nothing_else_may_be_done(self) -> None:
        state = opened(race_1="elf")
        assert refused(state, EndTurn(), seat=1) == ("pick.first", "pick your race first")
        assert refused(state, PickRace("orc"), seat=0)[0] == "pick.done"
        assert refused(match(), PickRace("orc")) == ("pick.over", "the kingdoms are already founded")

    @pytest.mark.parametrize(("seat", "race"), list(enumerate(RACES)))
    def test_the_clock_picks_by_the_order_of_seats(self, seat: int, race: Race) -> None:
        assert GAME.default_action(opened(6), seat) == PickRace(race)

    def test_a_seat_that_leaves_before_it_picked_has_its_usual_race(self) -> None:
        state = played(played(opened(), PickRace("orc"), seat=0), PickRace("orc"), seat=2)
        state = GAME.remove(state, 1).state
        assert [each.race for each in state.kingdoms] == ["orc", "elf", "orc"]
        assert GAME.to_act(state) == {0}

    def test_who_is_alone_after_the_others_left_has_won(self) -> None:
        state = GAME.remove(GAME.remove(opened(), 0).state, 2).state
        result = GAME.result(state)
        assert result is not None
        assert (result.ranks, result.reason) == ((3, 1, 2), "victory")


class TestStart:
    """§8.3"""

    @pytest.mark.parametrize("race", RACES)
    def test_a_kingdom_has_ten_of_each_unit_of_its_training_centers(self, race: Race) -> None:
        army = found(race).army
        assert [troop.unit for troop in army] == list(UNITS[race])
        assert sorted(troop.count for troop in army) == [0, 0, 0, 10, 10, 10]
        assert all(UNITS[race][troop.unit].trainer == "training_center" for troop in army if troop.count)

    def test_a_kingdom_has_land_castle_and_stores(self) -> None:
        start = found("human")
        assert (start.land, start.buildings.castle, start.buildings.on_slots) == (20, 1, 130)
        assert start.stores == Stores(gold=60_000, iron=1_500, wood=1_500, food=8_000)

    def test_the_options_do_not_change_the_start(self) -> None:
        state = opened(2, race_1="human", race_2="human", days_per_turn=1)
        assert state.kingdoms[1] == found("human")


class TestWorkers:
    """§8.4"""

    def test_all_jobs_have_their_best_number_if_there_are_enough_peasants(self) -> None:
        assert found("human").workers == Workers(mine=1000, lumber=850, agriculture=1200, blacksmithing=800)

    BEST = Workers(mine=1000, lumber=850, agriculture=1200, blacksmithing=800)

    def test_fewer_peasants_are_spread_evenly(self) -> None:
        assert spread_evenly(self.BEST, 2_000) == Workers(mine=500, lumber=500, agriculture=500, blacksmithing=500)

    def test_what_one_job_does_not_need_goes_to_the_others(self) -> None:
        few_mills = replace(self.BEST, lumber=170)
        assert spread_evenly(few_mills, 2_000) == Workers(mine=610, lumber=170, agriculture=610, blacksmithing=610)

    def test_the_last_peasants_find_work_too(self) -> None:
        assert spread_evenly(self.BEST, 3) == Workers(mine=1, lumber=1, agriculture=1)

    def test_without_peasants_nobody_works(self) -> None:
        assert spread_evenly(self.BEST, 0) == Workers()


def test_the_defaults_are_those_of_the_page() -> None:
    assert Options() == decode_options(GAME, {})
