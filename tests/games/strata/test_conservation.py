"""docs/rules/strata.md, section 9: nothing comes from nowhere, and nothing goes there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warroom_games.playthrough import Move as Moment
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.strata.actions import Attack, TimeOut
from warroom_games.strata.events import Attacked
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import Pool, Stack, State

KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)
OPTIONS = st.builds(Options, max_turns=st.integers(2, 200), mandatory_move=st.booleans())
TRIES = settings(max_examples=min(settings().max_examples // 10, 500))


def holdings(state: State) -> list[Stack | Pool]:
    """Return all that holds pieces and energy."""
    return [*filter(None, state.vertices), *state.pools]


def pieces(state: State) -> int:
    return sum(held.pieces for held in holdings(state))


def energy(state: State) -> int:
    return sum(held.energy for held in holdings(state))


def destroyed(moment: Moment) -> tuple[int, int]:
    """The pieces and energy points that the attack of a step destroys, as the page says."""
    told = moment.step.events[0].public
    if not isinstance(told, Attacked):
        return 0, 0
    one, other = told.attacker, told.defender
    is_empty = one.pieces == other.pieces
    lost = one.energy + other.energy if is_empty else 2 * min(one.energy, other.energy)
    return 2 * min(one.pieces, other.pieces), lost


@given(key=KEYS, options=OPTIONS)
@TRIES
def test_what_is_there_and_what_was_destroyed_is_what_came(key: bytes, options: Options) -> None:
    """§9.1, §9.2"""
    lost_pieces = lost_energy = 0
    for moment in play(GAME, 2, options, key).moves:
        more_pieces, more_energy = destroyed(moment)
        lost_pieces, lost_energy = lost_pieces + more_pieces, lost_energy + more_energy
        state = moment.step.state
        assert pieces(state) + lost_pieces == state.turn
        assert energy(state) + lost_energy == state.turn


@given(key=KEYS, options=OPTIONS)
@TRIES
def test_only_attacks_destroy_and_only_turns_make(key: bytes, options: Options) -> None:
    """§9.3"""
    for moment in play(GAME, 2, options, key).moves:
        before, after = moment.state, moment.step.state
        if not isinstance(moment.action, Attack):
            begun = after.turn - before.turn
            assert (pieces(after), energy(after)) == (pieces(before) + begun, energy(before) + begun)


@given(key=KEYS)
@TRIES
def test_the_clock_makes_and_destroys_nothing_either(key: bytes) -> None:
    """§9.3, §6.5"""
    for moment in play(GAME, 2, Options(max_turns=60), key).moves:
        after = GAME.apply(moment.state, moment.seat, TimeOut()).state
        begun = after.turn - moment.state.turn
        assert (pieces(after), energy(after)) == (pieces(moment.state) + begun, energy(moment.state) + begun)
        assert begun == (after.ended is None)


@pytest.mark.parametrize("key", [b"empty or a stack", b"one of each side"])
def test_no_stack_is_without_pieces_and_no_pool_is_overdrawn(key: bytes) -> None:
    """§1.5, §3.2"""
    for state in play(GAME, 2, Options(), key).states:
        assert all(stack.pieces >= 1 and stack.energy >= 0 for stack in filter(None, state.vertices))
        assert all(pool.pieces >= 0 and pool.energy >= 0 for pool in state.pools)
