"""docs/rules/strata.md, §5.7: forces and what is left are told before an attack."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strata_positions import at, position

from warroom_games.noting import notes_on
from warroom_games.strata.actions import Attack, EndTurn
from warroom_games.strata.board import NEIGHBOURS, VERTICES
from warroom_games.strata.events import Attacked
from warroom_games.strata.rules import GAME

NOTE = re.compile(r"(\S+) v (\S+): (wins|loses), (enemy keeps )?(nothing|(\d+) pieces?, energy (\d+))( left)?")


@pytest.mark.parametrize(
    ("own", "enemy", "note"),
    [
        pytest.param("A9*1", "B4*1", "9 v 4: wins, 5 pieces, energy 0 left", id="§5.2"),
        pytest.param("A2*5", "B1*1", "10 v 1: wins, 1 piece, energy 4 left", id="§5.4 one piece"),
        pytest.param("A2*2", "B2*1", "4 v 2: wins, nothing left", id="§5.5 as many pieces"),
        pytest.param("A2*2", "B1*4", "4 v 4: loses, enemy keeps 1 piece, energy 2", id="§5.3 equal"),
        pytest.param("A1*1", "B3*0", "1 v 0: wins, 2 pieces, energy 1 left", id="§2.4 not occupied; the victor grows"),
    ],
)
def test_the_note_on_an_attack(own: str, enemy: str, note: str) -> None:
    state = position({at(0, 0, 0): own, at(0, 1, 0): enemy}, placed=True, infused=True)
    assert notes_on(GAME, state, 0, (Attack(at(0, 0, 0), at(0, 1, 0)), EndTurn())) == (note, "")


def test_forces_are_told_as_fractions() -> None:
    state = position({at(1, 0, 0): "A3*3", at(1, 1, 0): "B1*9"}, placed=True, infused=True)
    assert notes_on(GAME, state, 0, (Attack(at(1, 0, 0), at(1, 1, 0)),)) == (
        "9/2 v 9/2: loses, enemy keeps 2 pieces, energy 6",
    )


@given(data=st.data(), own=st.tuples(st.integers(1, 30), st.integers(1, 30)),
       enemy=st.tuples(st.integers(1, 30), st.integers(0, 30)))  # fmt: skip
def test_what_the_note_tells_is_how_the_attack_goes(
    data: st.DataObject, own: tuple[int, int], enemy: tuple[int, int]
) -> None:
    source = data.draw(st.sampled_from(range(len(VERTICES))))
    target = data.draw(st.sampled_from(NEIGHBOURS[source]))
    attack = Attack(VERTICES[source], VERTICES[target])
    stacks = {attack.source: f"A{own[0]}*{own[1]}", attack.target: f"B{enemy[0]}*{enemy[1]}"}
    state = position(stacks, placed=True, infused=True)
    assume(attack in GAME.legal_actions(state, 0))
    told = NOTE.fullmatch(notes_on(GAME, state, 0, (attack,))[0])
    assert told is not None
    step = GAME.apply(state, 0, attack)
    fought = step.events[0].public
    assert isinstance(fought, Attacked)
    force, resistance, verb, keeps, _, pieces, energy, left = told.groups()
    assert (force, resistance) == (fought.attacker.force, fought.defender.force)
    assert (verb == "wins", bool(keeps), bool(left)) == (fought.winner == 0, fought.winner == 1, fought.winner == 0)
    stack = step.state.vertices[target]
    assert (int(pieces or 0), int(energy or 0)) == ((stack.pieces, stack.energy) if stack else (0, 0))
    assert stack is None or (stack.seat == 0) == (verb == "wins")
