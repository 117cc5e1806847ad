"""docs/rules/timberwall.md, §6.7 and §7.7: what an attack or a hit does is told before it is made."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from msgspec.structs import replace
from scripted_rng import Chance, outcomes
from timberwall_positions import points, position, unit

from warroom_games.api import Step
from warroom_games.noting import LONGEST_NOTE, notes_on
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.timberwall.actions import Attack, HitWall, Pass
from warroom_games.timberwall.events import Attacked, BaseHit, WallHit
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State
from warroom_protocol.canonical import plain

LEAVES = re.compile(r"leaves (\d+)(?:-(\d+))? of (\d+)")
KEEPS = re.compile(r"enemy keeps (\d+)(?:-(\d+))? of (\d+)")
HIT = re.compile(r"(\d+) of (\d+) HP(, it falls)?(, the unit is spent)?")
HERE = (4, 4)
EAST = Attack(4, 4, "e")


@pytest.mark.parametrize(
    ("own", "enemies", "note"),
    [
        pytest.param(12, {(5, 4): 5}, "leaves 5-9 of 12", id="§6.3 luck of 2"),
        pytest.param(12, {(5, 4): 10}, "leaves 2-5 of 12, both fall, or enemy keeps 5 of 10", id="§6.5 a tie"),
        pytest.param(1, {(5, 4): 25}, "enemy keeps 23-25 of 25", id="§6.4 hopeless"),
        pytest.param(100, {(5, 4): 1}, "leaves 95-100 of 100", id="§6.4 never more than before"),
        pytest.param(12, {(5, 4): unit(8, still=3)}, "leaves 1-5 of 12", id="§2.4 the shield counts"),
        pytest.param(12, {(5, 4): 8, (6, 5): 5}, "leaves 1-5 of 12", id="§2.5 support counts"),
        pytest.param(12, {(5, 4): 8, (6, 5): 25}, "leaves 2-6 of 12", id="§2.5 of the same tier alone"),
    ],
)
def test_the_note_on_an_attack(own: int, enemies: dict[tuple[int, int], int], note: str) -> None:
    state = position({HERE: own}, enemies)
    assert notes_on(GAME, state, 0, (EAST, Pass())) == (note, "")


@pytest.mark.parametrize(
    ("own", "hp", "spends", "note"),
    [
        pytest.param(25, 100, False, "25 of 100 HP", id="§6.6"),
        pytest.param(25, 20, False, "20 of 20 HP, it falls", id="§9.1"),
        pytest.param(25, 100, True, "25 of 100 HP, the unit is spent", id="§6.6 spent"),
    ],
)
def test_the_note_on_a_hit_on_the_base(own: int, hp: int, spends: bool, note: str) -> None:
    state = position({(7, 8): own}, hp=(100, hp), base_hit_spends_unit=spends)
    assert notes_on(GAME, state, 0, (Attack(7, 8, "e"),)) == (note,)


@pytest.mark.parametrize(
    ("own", "walls", "note"),
    [
        pytest.param(4, {(4, 4, "east"): (1, 100)}, "34 of 100 HP", id="§7.4 tier 1"),
        pytest.param(5, {(4, 4, "east"): (1, 49)}, "49 of 49 HP, it falls", id="§7.4 tier 2"),
        pytest.param(1, {}, "100 of 100 HP, it falls", id="§7.4 neutral"),
    ],
)
def test_the_note_on_a_hit_on_a_wall(own: int, walls: dict[tuple[int, int, str], tuple[int, int]], note: str) -> None:
    state = position({HERE: own}, walls=walls, neutral=() if walls else [(4, 4, "east")])  # type: ignore[arg-type]
    assert notes_on(GAME, state, 0, (HitWall(4, 4, "e"),)) == (note,)


def test_a_spectator_of_the_fog_is_told_nothing() -> None:
    state = position({HERE: 12}, {(5, 4): 5})
    assert GAME.notes(plain(GAME.public(state)), None, [plain(EAST)]) == [""]
    clear = position({HERE: 12}, {(5, 4): 5}, fog=False)
    assert GAME.notes(plain(GAME.public(clear)), None, [plain(EAST)]) == ["leaves 5-9 of 12"]


@given(
    own=st.integers(1, 500),
    enemy=st.integers(1, 500),
    gap=st.integers(-12, 12),
    is_near=st.booleans(),
    still=st.integers(0, 3),
    friend=st.none() | st.integers(1, 500),
    fog=st.booleans(),
)
def test_the_note_tells_all_that_may_happen_and_nothing_else(
    own: int, enemy: int, gap: int, is_near: bool, still: int, friend: int | None, fog: bool
) -> None:
    if is_near:
        enemy = min(max(own + gap, 1), 500)
    beside = {} if friend is None else {(6, 3): friend}
    state = position({HERE: own}, {(5, 4): unit(enemy, still=still), **beside}, fog=fog)
    note = notes_on(GAME, state, 0, (EAST,))[0]
    assert len(note) <= LONGEST_NOTE
    ends = {left_by(played(state, chance)) for _, chance in every_chance(state)}
    hold_fight(note, own, enemy, ends)


def every_chance(state: State) -> Sequence[tuple[object, Chance]]:
    """Return a generator for every way that the fight can go."""

    def fought(chance: Chance) -> Chance:
        played(state, chance)
        return chance

    return list(outcomes(fought))


def played(state: State, chance: Chance) -> Step:
    return GAME.apply(replace(state, rng=chance), 0, EAST)


def left_by(step: Step) -> tuple[int, int]:
    """Return the points that the fight has left to both, as they stand on the board."""
    own, enemies = points(step.state, 0), points(step.state, 1)
    return own.get((5, 4), 0), enemies.get((5, 4), 0)


def hold_fight(note: str, own: int, enemy: int, ends: set[tuple[int, int]]) -> None:
    for pattern, before, left in (
        (LEAVES, own, [mine for mine, _ in ends if mine]),
        (KEEPS, enemy, [theirs for _, theirs in ends if theirs]),
    ):
        told = pattern.search(note)
        assert (told is not None) == bool(left)
        if told is not None:
            least, most, of = told.groups()
            assert (int(least), int(most or least), int(of)) == (min(left), max(left), before)
    assert ("both fall" in note) == ((0, 0) in ends)


@fewer(2)
@given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), fog=st.booleans(), spends=st.booleans())
def test_no_attack_of_a_match_goes_otherwise_than_its_note_tells(key: bytes, fog: bool, spends: bool) -> None:
    options = Options(fog=fog, base_hit_spends_unit=spends, forests=4, max_turns=80)
    for state in play(GAME, 2, options, key).states:
        for seat in GAME.to_act(state):
            actions = tuple(GAME.legal_actions(state, seat))
            for action, note in zip(actions, notes_on(GAME, state, seat, actions), strict=True):
                assert bool(note) == isinstance(action, Attack | HitWall)
                if note:
                    hold_event(note, GAME.apply(state, seat, action), seat)


def hold_event(note: str, step: Step, seat: int) -> None:
    told = dict(step.events[0].private).get(seat) or step.events[0].public
    match told:
        case Attacked(attacker_left=0, defender_left=0):
            assert "both fall" in note
        case Attacked(attacker_left=own) if own:
            hold_within(LEAVES, note, own)
        case Attacked(defender_left=enemy):
            hold_within(KEEPS, note, enemy)
        case BaseHit(damage=damage, hp=left, is_spent=is_spent):
            hold_hit(note, damage, left, is_spent)
        case WallHit(damage=damage, hp=left):
            hold_hit(note, damage, left, is_spent=False)
        case _:
            pytest.fail(f"{told} was not to come of {note}")


def hold_within(pattern: re.Pattern[str], note: str, left: int) -> None:
    told = pattern.search(note)
    assert told is not None
    least, most, _ = told.groups()
    assert int(least) <= left <= int(most or least)


def hold_hit(note: str, damage: int, left: int | None, is_spent: bool) -> None:
    told = HIT.fullmatch(note)
    assert told is not None
    taken, before, falls, spent = told.groups()
    assert int(before) - int(taken) == left
    assert int(taken) == min(damage, int(before))
    assert (bool(falls), bool(spent)) == (left == 0, is_spent)
