"""The number of histories from small openings and odd positions, by the rules and by a reference apart from them."""

from typing import Any

import pytest
from perft_cases import cases
from strata_positions import LETTERS, at, position
from strata_reference import World, actions, histories

from warroom_games.playthrough import play
from warroom_games.strata.board import VERTICES
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State
from warroom_protocol.canonical import plain


def opening(entry: dict[str, Any]) -> State:
    stacks = {at(*map(int, spot.split())): stack for spot, stack in entry.get("stacks", {}).items()}
    fields = {name: entry[name] for name in ("seat", "turn") if name in entry}
    done = dict.fromkeys(entry.get("done", []), True)
    return position(stacks, pools=entry["pools"], options=Options(**entry.get("options", {})), **fields, **done)


def counted(state: State, depth: int) -> int:
    """Count by the rules."""
    if depth == 0 or not GAME.to_act(state):
        return 1
    listed = GAME.legal_actions(state, state.seat)
    return sum(counted(GAME.apply(state, state.seat, action).state, depth - 1) for action in listed)


def told(state: State) -> World:
    """Return a state as the reference has it."""
    return World(
        stacks={
            (vertex.layer, vertex.x, vertex.y): (LETTERS[stack.seat], stack.pieces, stack.energy)
            for vertex, stack in zip(VERTICES, state.vertices, strict=True)
            if stack is not None
        },
        pools={letter: (pool.pieces, pool.energy) for letter, pool in zip(LETTERS, state.pools, strict=True)},
        mover=LETTERS[state.seat],
        turn=state.turn,
        done=frozenset(
            name
            for name, is_done in (("place", state.placed), ("infuse", state.infused), ("move", state.moved))
            if is_done
        ),
        max_turns=state.options.max_turns,
        must_move=state.options.mandatory_move,
    )


def listed(state: State) -> list[tuple[Any, ...]]:
    """Return the legal actions as the reference writes them."""
    wire = [plain(action) for action in GAME.legal_actions(state, state.seat)]
    return [
        (action.pop("type"), *(tuple(action[name]) for name in ("vertex", "source", "target") if name in action))
        for action in wire
    ]


CASES = cases("strata", quick=1_000)


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_the_rules_make_as_many_histories_as_recorded(entry: dict[str, Any], depth: int, count: int) -> None:
    assert counted(opening(entry), depth) == count


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_an_independent_count_agrees(entry: dict[str, Any], depth: int, count: int) -> None:
    assert histories(told(opening(entry)), depth) == count


@pytest.mark.parametrize("key", [b"two of the match", b"es that may come"])
@pytest.mark.parametrize("mandatory_move", [True, False])
def test_the_reference_lists_the_same_actions_in_the_same_order_all_through_a_match(
    key: bytes, mandatory_move: bool
) -> None:
    match = play(GAME, 2, Options(mandatory_move=mandatory_move), key)
    for state in match.sample(60)[:-1]:
        assert listed(state) == list(actions(told(state)))
