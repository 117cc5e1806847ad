"""States that fit what a viewer knows."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thardferr_positions import kingdom, match, played

from warroom_games.rng import Rng
from warroom_games.thardferr.actions import Attack, PickRace, Scout
from warroom_games.thardferr.imagining import imagine_kingdom
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State
from warroom_games.thardferr.units import RACES
from warroom_games.thardferr.views import Standing, standing
from warroom_protocol.canonical import plain

RNG = Rng(b"dreams of a king")


def imagined(state: State, seat: int | None) -> State:
    private = None if seat is None else plain(GAME.private(state, seat))
    return GAME.imagine(plain(GAME.public(state)), private, seat, RNG)


@given(
    race=st.sampled_from(RACES),
    land=st.integers(1, 90),
    castles=st.integers(0, 12),
    units=st.integers(0, 3000),
    share=st.floats(0, 1),
    levels=st.integers(0, 36),
    key=st.binary(min_size=16, max_size=16),
)
def test_any_standing_can_be_that_of_some_kingdom(
    race: str, land: int, castles: int, units: int, share: float, levels: int, key: bytes
) -> None:
    strength = (5 * units + 1) // 2 + 3 * int(share * 10 * land) + 1500 * castles + 1000 * levels
    known = msgspec.convert({"race": race, "land": land, "castles": castles, "strength": strength}, Standing)
    dreamt, _ = imagine_kingdom(known, Rng(key))
    assert standing(dreamt) == known
    assert dreamt.buildings.on_slots <= 10 * land
    assert dreamt.workers.total <= 115 * dreamt.buildings.house


def test_an_impossible_standing_is_that_of_none() -> None:
    with pytest.raises(ValueError, match="no kingdom looks like"):
        imagine_kingdom(Standing("orc", 20, 0, 1), RNG)


def test_own_and_scouted_ledgers_are_kept_and_others_dreamt() -> None:
    state = played(match(kingdom(), kingdom("elf"), kingdom("orc")), Scout(1))
    world = imagined(state, 0)
    assert world.kingdoms[:2] == state.kingdoms[:2]
    assert world.kingdoms[2] != state.kingdoms[2]
    assert (world.scouted, world.seat) == (1, 0)


def test_a_spectator_dreams_all_of_them() -> None:
    state = match(kingdom(), kingdom("elf"))
    world = imagined(state, None)
    assert GAME.public(world) == GAME.public(state)
    assert all(one != other for one, other in zip(world.kingdoms, state.kingdoms, strict=True))


def test_the_other_side_of_a_battle_remembers_it_too() -> None:
    state = played(match(kingdom(), kingdom("elf"), kingdom("orc")), Attack(1, {"Archer": 5}))
    world = imagined(state, 0)
    assert world.records == state.records
    assert world.courses == state.courses
    assert world.latest == state.latest


def test_picks_are_kept_secret_or_dreamt() -> None:
    state = GAME.setup(4, Options(race_4="undead"), RNG)
    state = played(played(state, PickRace("orc"), seat=0), PickRace("gnome"), seat=1)
    world = imagined(state, 0)
    assert (world.picks[0], world.picks[2], world.picks[3]) == ("orc", None, "undead")
    assert world.picks[1] in RACES
    assert imagined(state, 2).picks[2] is None
