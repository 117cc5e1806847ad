"""Who knows what: docs/rules/thardferr.md, section 15."""

import msgspec
import pytest
from msgspec.structs import replace
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import Attack, Build, EndTurn, Scout, SetStrategy, Train
from warroom_games.thardferr.courses import Course
from warroom_games.thardferr.events import Attacked, Fought, Spied
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State
from warroom_games.thardferr.views import Glimpse, Secret, Standing, Table


def public(state: State) -> Table:
    view = GAME.public(state)
    assert isinstance(view, Table)
    return view


def secret(state: State, seat: int) -> Secret:
    view = GAME.private(state, seat)
    assert isinstance(view, Secret)
    return view


class TestStandings:
    """§15.1"""

    def test_race_land_castles_and_strength_are_public(self) -> None:
        state = match(kingdom("orc", land=30, buildings={"castle": 2}))
        assert public(state).kingdoms[0] == Standing("orc", 30, 2, 75 + 390 + 3_000)
        assert sorted(msgspec.to_builtins(public(state))) == sorted(
            ["options", "picked", "kingdoms", "out", "seat", "turn", "round", "latest", "ended"]
        )

    def test_a_battle_is_told_to_all_without_its_course(self) -> None:
        events = told(match(kingdom(army={"Knight": 50}), kingdom("elf"), kingdom()), Attack(1, {"Knight": 50}))
        assert events[0].public == Attacked(0, 1, "attacker", 5, False)
        assert [seat for seat, _ in events[0].private] == [0, 1]

    @pytest.mark.parametrize(
        ("sent", "outcome", "land"),
        [
            pytest.param(50, "attacker", 5, id="§15.1 a victory"),
            pytest.param(1, "defender", 0, id="§15.1 a defeat"),
        ],
    )
    def test_everybody_sees_the_last_battle(self, sent: int, outcome: str, land: int) -> None:
        state = match(kingdom(army={"Knight": 50}), kingdom("elf"), kingdom())
        assert public(state).latest is None
        fought = played(state, Attack(1, {"Knight": sent}))
        latest = public(fought).latest
        assert latest is not None
        assert (latest.turn, latest.attacker, latest.target) == (1, 0, 1)
        assert (latest.outcome, latest.land) == (outcome, land)
        assert public(played(fought, EndTurn(), seat=1)).latest == latest


class TestLedgers:
    """§15.2"""

    def test_a_seat_sees_its_own_ledger_and_what_it_comes_to(self) -> None:
        state = match(kingdom("orc"), kingdom("elf"))
        view = secret(state, 1)
        assert view.kingdom is state.kingdoms[1]
        assert view.forecast is not None
        assert view.forecast.income.wood == 600
        assert view.forecast.upkeep.food == 10 * (819 + 10 * (2 + 2 + 1))
        assert (view.forecast.peasants, view.forecast.soldier_room, view.forecast.mage_room) == (4_000, 400, 400)
        assert (view.forecast.slots, view.forecast.castle_cap) == (200, 3)
        assert view.forecast.capacity == {
            "Mage": 10,
            "Swordman": 20,
            "Lanceman": 20,
            "Caragous": 20,
            "Archer": 30,
            "EliteArcher": 20,
        }

    def test_what_others_train_and_plan_shows_nowhere(self) -> None:
        state = match(kingdom("orc"), kingdom("elf"))
        busy = played(state, Train("Rusher", 5), SetStrategy("Orc Surrounding"))
        assert public(busy) == public(state)
        assert secret(busy, 1) == secret(state, 1)


class TestScouting:
    """§15.3, §15.4"""

    def test_a_look_shows_the_whole_ledger_until_the_end_of_the_turn(self) -> None:
        state = played(match(kingdom(), kingdom("elf")), Scout(1))
        assert secret(state, 0).scouted == Glimpse(1, state.kingdoms[1])
        assert secret(played(state, Build("farm")), 0).scouted is not None
        ended = played(state, EndTurn())
        assert secret(ended, 0).scouted is None

    def test_one_kingdom_a_turn_can_be_scouted(self) -> None:
        state = played(match(kingdom(), kingdom(), kingdom()), Scout(1))
        assert refused(state, Scout(2)) == ("scout.again", "you already scouted seat 1 this turn")
        state = played(state, EndTurn())
        assert played(state, Scout(2), seat=1).scouted == 2

    def test_one_cannot_scout_nobody(self) -> None:
        state = match(kingdom(), kingdom(), kingdom(land=4), out=(2,))
        assert refused(state, Scout(0)) == ("scout.yourself", "you cannot scout your own kingdom")
        assert refused(state, Scout(2)) == ("scout.fallen", "the kingdom of seat 2 has fallen")
        assert refused(state, Scout(3)) == ("scout.no_kingdom", "no seat 3; the seats are 0 to 2")

    def test_nobody_learns_of_it(self) -> None:
        state = match(kingdom(), kingdom("elf"))
        assert told(state, Scout(1)) == [Event(None, ((0, Spied(0, 1)),))]
        looked = played(state, Scout(1))
        assert public(looked) == public(state)
        assert secret(looked, 1) == secret(state, 1)


class TestReports:
    """§15.5"""

    def test_both_sides_get_the_course_in_thousandths(self) -> None:
        state = match(kingdom(army={"Knight": 50}), kingdom("elf"))
        battle = dict(told(state, Attack(1, {"Knight": 50}))[0].private)[1]
        assert isinstance(battle, Fought)
        assert [clash.phase for clash in battle.clashes] == ["range", "short", "melee"]
        blow = battle.clashes[0].blows[0]
        assert (blow.side, blow.unit, blow.raw, blow.defence, blow.lost) == ("attacker", "Knight", 30_000, 11_000, 2)
        assert battle.record.land == 5

    def test_both_sides_keep_the_course_of_their_last_battle(self) -> None:
        state = match(kingdom(army={"Knight": 50}), kingdom("elf"), kingdom("orc"))
        battle = dict(told(state, Attack(1, {"Knight": 50}))[0].private)[1]
        assert isinstance(battle, Fought)
        fought = played(state, Attack(1, {"Knight": 50}))
        assert [secret(fought, seat).course for seat in (0, 1, 2)] == [
            *[Course(battle.ended_by, battle.clashes)] * 2,
            None,
        ]
        again = played(replace(fought, seat=2), Attack(1, {"Rusher": 1}), seat=2)
        assert secret(again, 0).course == secret(fought, 0).course != secret(again, 1).course == secret(again, 2).course

    def test_both_sides_remember_their_last_three(self) -> None:
        state = match(kingdom(army={"Knight": 200}), kingdom("elf"), kingdom("orc"))
        for target in (1, 2, 1, 1):
            state = played(state, Attack(target, {"Knight": 10}))
            state = replace(state, seat=0)
        assert [record.target for record in secret(state, 0).records] == [2, 1, 1]
        assert len(secret(state, 1).records) == 3
        assert len(secret(state, 2).records) == 1
        tally = secret(state, 2).records[0].attackers[0]
        assert (tally.unit, tally.army, tally.field) == ("Knight", 10, 10)
