"""docs/rules/tile_blitz.md, §8.7: what an attack costs is told before it is made."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tile_blitz_positions import position

from warroom_games.noting import notes_on
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.tile_blitz.actions import Attack, EndTurn
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State

NOTE = re.compile(r"(\d+) → (\d+), loses (\d+)(?: \((\d+) tanks?\))?")


@pytest.mark.parametrize(
    ("picture", "losses", "note"),
    [
        pytest.param("9:R5 41:O5", "document", "5 → 1, loses 4", id="§8.4 (5,0) v neutral"),
        pytest.param("9:R5 10:O4", "document", "5 → 4, loses 1", id="§8.4 (5,0) v 4"),
        pytest.param("9:R6+2 10:O4", "document", "10 → 4, loses 6 (2 tanks)", id="§8.5 (6,2) v 4"),
        pytest.param("9:R2+3 10:O0 41:O5", "document", "8 → 1, loses 7 (3 tanks)", id="§8.6 1 troop stays"),
        pytest.param("9:R4+1 10:O3", "document", "6 → 3, loses 3 (1 tank)", id="§8.5 one tank"),
        pytest.param("9:R5 10:O0 41:O5", "attrition", "5 → 5, loses 0", id="§8.4 attrition v 0"),
        pytest.param("9:R6+2 10:O5", "attrition", "10 → 5, loses 5 (2 tanks)", id="§8.4 attrition"),
    ],
)
def test_the_note_on_an_attack(picture: str, losses: str, note: str) -> None:
    options = Options(losses="attrition" if losses == "attrition" else "document")
    assert notes_on(GAME, position(picture, options=options), 0, (Attack(9, 10), EndTurn())) == (note, "")


@given(
    key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES),
    losses=st.sampled_from(["document", "attrition"]),
    seats=st.integers(2, 5),
)
def test_what_the_note_tells_is_what_the_attack_costs(key: bytes, losses: str, seats: int) -> None:
    options = Options(losses="attrition" if losses == "attrition" else "document", max_rounds=6)
    for state in play(GAME, seats, options, key).states:
        for seat in GAME.to_act(state):
            actions = tuple(GAME.legal_actions(state, seat))
            for action, note in zip(actions, notes_on(GAME, state, seat, actions), strict=True):
                told = NOTE.fullmatch(note)
                assert (told is None) == (not isinstance(action, Attack))
                if isinstance(action, Attack) and told is not None:
                    before, after, lost, tanks = (int(number or 0) for number in told.groups())
                    step = GAME.apply(state, seat, action)
                    assert before == units(state, action)[0]
                    assert (after, tanks) == (units(step.state, action)[0], lost_tanks(state, step.state, action))
                    assert lost == before - after


def units(state: State, attack: Attack) -> tuple[int, int]:
    """Return the power and the tanks that the attacker has on both tiles."""
    color = state.table.players[state.table.seat].color
    source, target = state.table.tiles[attack.source - 1], state.table.tiles[attack.target - 1]
    own = [tile for tile in (source, target) if tile.color == source.color]
    assert source.color == color or state.table.ended
    return sum(tile.troops + 2 * tile.tanks for tile in own), sum(tile.tanks for tile in own)


def lost_tanks(before: State, after: State, attack: Attack) -> int:
    return units(before, attack)[1] - units(after, attack)[1]
